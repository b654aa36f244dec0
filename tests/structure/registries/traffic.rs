//! Patterns: what the entry says of the traffic holds, the seed matters and threads do not.

use std::collections::BTreeSet;

use routebound::registry::Kind;
use routebound::spec::Spec;
use routebound::topology::Host;
use routebound::traffic::{self, Demand, Pattern, ProductTraffic, TrafficError, TrafficMatrix};

use super::{Verdict, assert_found, differ, ensure, ensure_same, on_threads, with_option};

/// Numbers of hosts that are powers, products and neither; all examples fit the last.
const HOSTS: [usize; 8] = [2, 3, 8, 18, 27, 54, 128, 256];

fn build(kind: &Kind<Pattern>, spec: &str, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    (kind.build.build)(&Spec::parse(spec)?.checked(kind.usage)?, hosts)
}

/// Whether every host is at most once a source and at most once a destination.
fn is_permutation(matrix: &TrafficMatrix) -> bool {
    let (mut sources, mut destinations) = (BTreeSet::<Host>::new(), BTreeSet::<Host>::new());
    matrix.demands().iter().all(|demand| sources.insert(demand.s) & destinations.insert(demand.d))
}

fn is_symmetric(matrix: &TrafficMatrix) -> bool {
    let there = |demand: &Demand| (demand.s, demand.d, demand.amount.clone());
    let back = |demand: &Demand| (demand.d, demand.s, demand.amount.clone());
    let back: BTreeSet<_> = matrix.demands().iter().map(back).collect();
    matrix.demands().iter().map(there).all(|demand| back.contains(&demand))
}

fn check_matrix(kind: &Kind<Pattern>, matrix: &TrafficMatrix, hosts: usize) -> Verdict {
    ensure(matrix.hosts() == hosts, || format!("it has {} hosts", matrix.hosts()))?;
    let Pattern { is_permutation: permutation, is_symmetric: symmetric, .. } = kind.build;
    ensure(!permutation || is_permutation(matrix), || "it is not a permutation".into())?;
    ensure(!symmetric || is_symmetric(matrix), || "it is not symmetric".into())
}

/// Whether the products of a pattern are its traffic, each pair in one of them.
fn check_products(products: &ProductTraffic, matrix: &TrafficMatrix) -> Verdict {
    let demands = |matrix: &TrafficMatrix| matrix.demands().to_vec();
    let again = products.to_matrix().map_err(|error| error.to_string())?;
    ensure(demands(&again) == demands(matrix), || "its products are other traffic".into())?;
    ensure(products.len() == matrix.len() as u64, || "products share a pair".into())?;
    let rows = products.rows();
    let pairs = rows.sources.iter().flat_map(|(s, set)| {
        let others = rows.sets[*set].iter().filter(move |d| *d != s);
        others.map(move |d| (*s, *d))
    });
    let is_same = pairs.eq(matrix.demands().iter().map(|demand| (demand.s, demand.d)));
    ensure(is_same, || "its rows are other pairs".into())?;
    let sums = [
        products.sent().all().collect(),
        products.received().all().collect(),
        vec![products.total()],
    ];
    let expected = [matrix.sent(), matrix.received(), vec![matrix.total()]];
    ensure(sums == expected, || "its sums are others".into())
}

/// Whether some example gives other traffic for other seeds; placement may need to be random.
fn check_seed(kind: &Kind<Pattern>) -> Verdict {
    let seeds = ["1", "2", "3", "4"];
    let of_seeds = |example: &str| -> Vec<Vec<Demand>> {
        let specs = seeds.map(|seed| with_option(example, "seed", seed).to_string());
        let built = specs.iter().filter_map(|spec| build(kind, spec, 256).ok());
        built.map(TrafficMatrix::into_demands).collect()
    };
    let placed = kind.examples.iter().filter(|_| kind.takes("place"));
    let placed = placed.map(|example| with_option(example, "place", "random").to_string());
    let specs = kind.examples.iter().map(ToString::to_string).chain(placed);
    let matters = specs.into_iter().any(|spec| differ(&of_seeds(&spec)));
    ensure(matters || !kind.takes("seed"), || format!("{}: the seed changes nothing", kind.name))
}

fn check(kind: &Kind<Pattern>) -> Verdict {
    let (mut permutations, mut symmetric, mut all) = (0, 0, 0);
    for spec in kind.examples {
        build(kind, spec, 256).map_err(|error| format!("{spec}: {error}"))?;
        for hosts in HOSTS {
            let place = |problem: String| format!("{spec} on {hosts}: {problem}");
            let Ok(matrix) = build(kind, spec, hosts) else { continue };
            check_matrix(kind, &matrix, hosts).map_err(place)?;
            if let Some(products) = kind.build.products {
                let spec = Spec::parse(spec).and_then(|spec| spec.checked(kind.usage));
                let products = spec.map(|spec| products(&spec, hosts));
                let products = products.map_err(|error| place(error.to_string()))?;
                let products = products.map_err(|error| place(error.to_string()))?;
                check_products(&products, &matrix).map_err(place)?;
            }
            let again = [1, 4].map(|threads| on_threads(threads, || build(kind, spec, hosts).ok()));
            ensure_same(&again, || place("made twice, on 1 and 4 threads, it differs".into()))?;
            all += 1;
            permutations += usize::from(is_permutation(&matrix));
            symmetric += usize::from(is_symmetric(&matrix));
        }
    }
    let Pattern { is_permutation, is_symmetric, .. } = kind.build;
    let untold =
        |what| format!("{}: all examples are {what}, and the entry does not say so", kind.name);
    ensure(is_permutation || permutations < all, || untold("permutations"))?;
    // What a network makes of it need not be.
    let by_network = kind.build.on_network.is_some();
    ensure(is_symmetric || symmetric < all || by_network, || untold("symmetric"))?;
    check_seed(kind)
}

#[test]
fn patterns_are_what_their_entries_say() {
    for kind in traffic::KINDS {
        assert_eq!(check(kind), Ok(()));
    }
}

/// What the check says of the entry of this name, if it is built so.
fn verdict(name: &str, build: traffic::Build) -> Verdict {
    let right = traffic::KINDS.iter().find(|kind| kind.name == name).unwrap();
    check(&Kind { build: Pattern { build, products: None, ..right.build }, ..*right })
}

#[test]
fn planted_bugs_are_found() {
    let uniform = traffic::KINDS.iter().find(|kind| kind.name == "uniform").unwrap();
    let right: traffic::Build = |spec, hosts| traffic::generate(&spec.to_string(), hosts);
    assert_eq!(verdict("permutation", right), Ok(()));
    let deaf = verdict("permutation", |_, hosts| traffic::generate("permutation(seed=5)", hosts));
    assert_found(deaf, "the seed changes nothing");
    let deaf = verdict("ring", |spec, hosts| {
        traffic::generate(&with_option(&spec.to_string(), "seed", "5").to_string(), hosts)
    });
    assert_found(deaf, "the seed changes nothing");
    let twice = verdict("permutation", |_, hosts| traffic::generate("ring", hosts));
    assert_found(twice, "it is not a permutation");
    let one_way = verdict("bitrev", |_, hosts| traffic::generate("shift(1)", hosts));
    assert_found(one_way, "it is not symmetric");
    let few = verdict("permutation", |spec, hosts| right_on(spec, hosts - 1));
    assert_found(few, "hosts");
    let threads = verdict("permutation", |spec, hosts| match rayon::current_num_threads() {
        4 => traffic::generate("permutation(seed=9)", hosts),
        _ => traffic::generate(&spec.to_string(), hosts),
    });
    assert_found(threads, "on 1 and 4 threads, it differs");
    let untold = verdict("hotspot-percent", |_, hosts| traffic::generate("shift(1)", hosts));
    assert_found(untold, "permutations, and the entry does not say so");
    let other = check(&Kind {
        build: Pattern {
            products: Some(|_, hosts| products("samelast(2)", hosts)),
            ..uniform.build
        },
        ..*uniform
    });
    assert_found(other, "its products are other traffic");
    let fits_nothing = verdict("permutation", |spec, _| traffic::generate(&spec.to_string(), 0));
    assert_found(fits_nothing, "there is no traffic");
}

fn products(spec: &str, hosts: usize) -> Result<ProductTraffic, TrafficError> {
    traffic::regular(spec, hosts).map(Option::unwrap)
}

fn right_on(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    traffic::generate(&spec.to_string(), hosts.max(2))
}
