//! Tree routings against their definitions, on trees other than the registry's examples.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use routebound::routing::{self, Routing, RoutingError};
use routebound::topology::{
    Direction, Host, LinkId, Topology, Xgft, generate, link_number, sd_pairs,
};

use crate::trees::trees;

fn labels(topology: &Topology) -> &Xgft {
    topology.tree().unwrap()
}

fn build(spec: &str, topology: &Topology) -> Box<dyn Routing> {
    routing::build(spec, topology).unwrap_or_else(|error| panic!("{error}"))
}

fn path(routing: &dyn Routing, s: Host, d: Host) -> Vec<LinkId> {
    let mut path = Vec::new();
    routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| path.extend(links));
    path
}

fn all_paths(topology: &Topology, routing: &dyn Routing) -> Vec<Vec<LinkId>> {
    sd_pairs(topology.hosts()).map(|(s, d)| path(routing, s, d)).collect()
}

/// Digits W1..WL of a pair's path, read from the ports that its up links leave through.
fn up_digits(topology: &Topology, routing: &dyn Routing, s: Host, d: Host) -> Vec<u32> {
    let path = path(routing, s, d);
    let up = path[..path.len() / 2].iter().enumerate();
    // The ports of a switch to its children come first; a host has none.
    let children = |level| if level == 0 { 0 } else { labels(topology).children(level) };
    up.map(|(level, link)| topology.link(*link).from_port - 1 - children(level)).collect()
}

fn assert_same_paths(topology: &str, one: &str, other: &str) {
    let topology = generate(topology).unwrap();
    let paths = [one, other].map(|spec| all_paths(&topology, build(spec, &topology).as_ref()));
    assert!(paths[0] == paths[1], "{}", topology.spec());
}

/// Hosts that send over each up link and hosts that receive over each down link, between
/// different leaf switches.
fn ends_of_links(topology: &Topology, routing: &dyn Routing) -> Vec<BTreeSet<Host>> {
    let mut ends = vec![BTreeSet::new(); topology.links()];
    for (s, d) in sd_pairs(topology.hosts()) {
        let path = path(routing, s, d);
        for (index, link) in path.iter().enumerate() {
            ends[*link as usize].insert(if index < path.len() / 2 { s } else { d });
        }
    }
    ends
}

fn ceil_sqrt(number: usize) -> usize {
    (0..=number).find(|root| root * root >= number).unwrap()
}

fn refusal(topology: &str, routing: &str) -> RoutingError {
    routing::build(routing, &generate(topology).unwrap()).err().unwrap()
}

#[test]
fn wsr_has_the_routes_of_dmodk_on_m_port_trees() {
    for (n, ports) in [(2, 4..=16), (3, 4..=8)] {
        for m in ports.step_by(2) {
            assert_same_paths(&format!("ft({m},{n})"), "wsr", "dmodk");
        }
    }
}

/// The definition again, with every path written out and weighed.
#[test]
fn wsr_takes_the_lightest_path() {
    for spec in ["xgft(2;3,3;2,2)", "xgft(3;2,3,2;1,2,3)", "xgft(3;3,2,2;2,1,2)", "ft(4,3)"] {
        let topology = generate(spec).unwrap();
        let (tree, wsr) = (labels(&topology), build("wsr", &topology));
        let mut weight = vec![0; topology.links()];
        for (s, d) in sd_pairs(topology.hosts()) {
            let all = all_up_digits(tree, tree.nca_level(s, d)).into_iter().map(|up| {
                let mut links = Vec::new();
                tree.push_path(s, d, &up, &mut links);
                links
            });
            let sum =
                |links: &Vec<LinkId>| -> u32 { links.iter().map(|l| weight[*l as usize]).sum() };
            let links = all.min_by_key(sum).unwrap();
            assert_eq!(path(wsr.as_ref(), s, d), links, "{spec}: {s} -> {d}");
            for link in links {
                weight[link as usize] += 1;
            }
        }
    }
}

/// All digits W1..WL in lexicographic order.
fn all_up_digits(tree: &Xgft, level: usize) -> Vec<Vec<u32>> {
    (1..=level).fold(vec![vec![]], |prefixes, l| {
        let longer = |prefix: Vec<u32>| {
            (0..tree.parents(l)).map(move |port| [prefix.clone(), vec![port]].concat())
        };
        prefixes.into_iter().flat_map(longer).collect()
    })
}

#[test]
fn wsr_states_its_limits() {
    for spec in ["xgft(2;4096,3;1,1)", "xgft(2;64,64;1,1024)"] {
        assert!(matches!(refusal(spec, "wsr"), RoutingError::TooLarge(_)), "{spec}");
    }
}

#[test]
fn mlid_has_the_routes_of_smodk() {
    for (n, ports) in [(1, 4..=4), (2, 4..=12), (3, 2..=8), (4, 4..=4)] {
        for m in ports.step_by(2) {
            assert_same_paths(&format!("ft({m},{n})"), "mlid", "smodk");
        }
    }
}

#[test]
fn osrm2_is_the_scheme_of_the_paper_on_squares() {
    for (n, z) in [(1, 1), (4, 2), (9, 3)] {
        let topology = generate(&format!("ft({},2)", 2 * n)).unwrap();
        let routing = build("osrm2", &topology);
        for (s, d) in sd_pairs(topology.hosts()) {
            let root = s % n / z * z + d % n / z;
            let expected = if s / n == d / n { vec![0] } else { vec![0, root] };
            assert_eq!(up_digits(&topology, routing.as_ref(), s, d), expected, "{n}: {s} {d}");
        }
    }
}

#[test]
fn osrm2_groups_bound_sources_and_destinations() {
    // Group sizes (a,b) by hand: least max(a,b) with ceil(n/a)*ceil(n/b) <= w.
    for (spec, a, b) in [
        ("ft(6,2)", 1, 3),
        ("ft(10,2)", 3, 3),
        ("ft(16,2)", 2, 4),
        ("ftree(6,4,3)", 3, 3),
        ("ftree(4,1,3)", 4, 4),
        ("ftree(3,9,4)", 1, 1),
    ] {
        let topology = generate(spec).unwrap();
        let routing = build("osrm2", &topology);
        let note = format!("groups of at most {a} sources and {b} destinations: oblivious ratio");
        assert!(routing.notes()[0].starts_with(&note), "{spec}: {:?}", routing.notes());
        for (link, ends) in ends_of_links(&topology, routing.as_ref()).iter().enumerate() {
            let up = topology.link(link_number(link)).direction == Direction::Up;
            assert!(ends.len() <= if up { a } else { b }, "{spec}");
        }
    }
}

#[test]
fn osrm3_links_have_few_ends() {
    for (spec, bound) in [("ft(4,3)", 2), ("ft(6,3)", 3), ("kary(3,3)", 3), ("ft(8,3)", 4)] {
        let topology = generate(spec).unwrap();
        let routing = build("osrm3", &topology);
        let ends = ends_of_links(&topology, routing.as_ref());
        assert!(ends.iter().all(|ends| ends.len() <= bound), "{spec}");
        for (s, d) in sd_pairs(topology.hosts()) {
            let tree = labels(&topology);
            let digits = &[0, tree.digit(s, 1), tree.digit(d, 1)][..tree.nca_level(s, d)];
            assert_eq!(up_digits(&topology, routing.as_ref(), s, d), digits);
        }
    }
}

/// Every up link has at most ⌈√n⌉ source indices and every down link at most ⌈√n⌉ destination
/// indices: since paths join all pairs, these form the rectangles, and they cover the grid.
#[test]
fn grid_reaches_the_square_root_for_every_number_of_hosts() {
    for n in 1..=64_usize {
        let topology = generate(&format!("ftree({n},{n},2)")).unwrap();
        let routing = build("grid", &topology);
        let rectangles = rectangles(&topology, routing.as_ref());
        let cells: usize = rectangles.values().map(|(a, b)| a.len() * b.len()).sum();
        assert!(cells >= n * n && rectangles.len() <= n, "{n}");
        for (a, b) in rectangles.values() {
            assert!(a.len() <= ceil_sqrt(n) && b.len() <= ceil_sqrt(n), "{n}: {a:?} {b:?}");
        }
    }
}

/// Source indices A_t and destination indices B_t of every top switch, first leaf to second.
fn rectangles(
    topology: &Topology,
    routing: &dyn Routing,
) -> BTreeMap<u32, (BTreeSet<u32>, BTreeSet<u32>)> {
    let n = labels(topology).children(1);
    let mut rectangles = BTreeMap::<u32, (BTreeSet<u32>, BTreeSet<u32>)>::new();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let root = up_digits(topology, routing, i, n + j)[1];
        let (a, b) = rectangles.entry(root).or_default();
        a.insert(i);
        b.insert(j);
    }
    rectangles
}

#[test]
fn grid_keeps_the_size_that_it_states() {
    for (n, w) in (1..=13_usize).flat_map(|n| (1..=26_usize).map(move |w| (n, w))) {
        let topology = generate(&format!("ftree({n},{w},3)")).unwrap();
        let routing = build("grid", &topology);
        let stated: usize = routing.notes()[0].rsplit(' ').next().unwrap().parse().unwrap();
        let ends = ends_of_links(&topology, routing.as_ref());
        assert!(ends.iter().all(|ends| ends.len() <= stated), "n = {n}, w = {w}");
        // Never worse than groups of OSRM2.
        let groups = (1..=n).find(|x| n.div_ceil(*x).pow(2) <= w).unwrap();
        assert!(stated <= groups, "n = {n}, w = {w}: {stated} > {groups}");
    }
}

#[test]
fn grid_claims_optimality_among_all_routings_only_where_the_theorem_does() {
    for (spec, claimed) in [
        ("ft(10,2)", true),
        ("ftree(9,9,6)", true),
        ("ftree(9,9,5)", false),
        ("ftree(9,10,30)", false),
    ] {
        let topology = generate(spec).unwrap();
        let notes = build("grid", &topology).notes();
        assert_eq!(notes.len() == 3 && notes[2].contains("Theorem 2"), claimed, "{spec}");
    }
}

#[test]
fn yuan_gives_each_link_one_host() {
    for spec in ["ftree(3,9,7)", "nbclos(2,3)", "nbclos(2,4)", "xgft(3;3,1,2;1,10,1)"] {
        let topology = generate(spec).unwrap();
        let ends = ends_of_links(&topology, build("yuan", &topology).as_ref());
        assert!(ends.iter().all(|ends| ends.len() <= 1), "{spec}");
    }
    // By hand: host 7 = (1,1,1) to 17 = (1,0,4) takes W2 = 1·2 + 1 and W3 = 1·2 + 0.
    let three = generate("nbclos(2,3)").unwrap();
    assert_eq!(up_digits(&three, build("yuan", &three).as_ref(), 7, 17), [0, 3, 2]);
    let two = generate("ftree(2,5,3)").unwrap();
    assert_eq!(up_digits(&two, build("yuan", &two).as_ref(), 1, 2), [0, 2]);
}

#[test]
fn refusals_give_the_reason() {
    for (topology, routing, reason) in [
        ("ft(4,3)", "osrm2", "height 3"),
        ("xgft(2;2,2;2,2)", "grid", "w1 = 2"),
        ("ftree(3,8,4)", "yuan", "m1^2 = 9"),
        ("ft(4,1)", "yuan", "height 1"),
        ("xgft(2;2,2;2,4)", "yuan", "w1 = 2"),
        ("xgft(3;2,2,6;1,4,3)", "yuan", "it needs w3 >= m2^2 = 4, this tree has w3 = 3"),
        ("ft(4,2)", "osrm3", "the height is 2"),
        ("xgft(3;3,2,2;1,3,2)", "osrm3", "w3 = 2"),
        ("xgft(3;3,2,2;1,2,3)", "osrm3", "w2 = 2"),
        ("xgft(3;2,2,2;2,2,2)", "osrm3", "w1 = 2"),
        ("kary(4,2)", "mlid", "m-port n-trees"),
        ("xgft(2;2,4;2,2)", "mlid", "m-port n-trees"),
        ("xgft(1;3;1)", "mlid", "m-port n-trees"),
    ] {
        let RoutingError::DoesNotFit { reason: found, .. } = refusal(topology, routing) else {
            panic!("{routing} on {topology}");
        };
        assert!(found.contains(reason), "{routing} on {topology}: {found}");
    }
    for bad in ["wsr(1)", "osrm2(a=1)", "rnca-u(7)", "random(seed=-1)", "grid(2)", "mlid(x=1)"] {
        assert!(matches!(refusal("ft(4,2)", bad), RoutingError::Spec(_)), "{bad}");
    }
}

/// W_{l+1} of a host's pairs is one value; per subtree of height l the values of its M_l are
/// taken equally often, give or take one.
#[test]
fn rnca_is_balanced_in_every_subtree() {
    for spec in ["ft(8,3)", "xgft(3;5,4,3;1,2,3)", "xgft(3;2,3,4;2,4,2)", "xgft(2;7,3;1,5)"] {
        let topology = generate(spec).unwrap();
        for (routing, by_source) in [("rnca-u(seed=3)", true), ("rnca-d(seed=3)", false)] {
            check_balance(&topology, build(routing, &topology).as_ref(), by_source);
        }
    }
}

fn check_balance(topology: &Topology, routing: &dyn Routing, by_source: bool) {
    let tree = labels(topology);
    // (l, subtree of height l, M_l) -> values of W_{l+1}.
    let mut values = BTreeMap::<(usize, u32, u32), BTreeSet<u32>>::new();
    for (s, d) in sd_pairs(topology.hosts()) {
        let host = if by_source { s } else { d };
        let up = up_digits(topology, routing, s, d);
        assert_eq!(up[0], 0);
        for (l, port) in up.iter().enumerate().skip(1) {
            let key = (l, tree.subtree(host, l), tree.digit(host, l));
            values.entry(key).or_default().insert(*port);
        }
    }
    let mut taken = BTreeMap::<(usize, u32, u32), u32>::new();
    for ((l, subtree, _), ports) in values {
        assert_eq!(ports.len(), 1);
        *taken.entry((l, subtree, *ports.first().unwrap())).or_default() += 1;
    }
    for (l, subtree, _) in taken.keys() {
        let (from, to) = (tree.children(*l), tree.parents(l + 1));
        for port in 0..to {
            let count = taken.get(&(*l, *subtree, port)).copied().unwrap_or(0);
            assert!((from / to..=from.div_ceil(to)).contains(&count), "{l} {subtree} {port}");
        }
    }
}

#[test]
fn seeds_matter() {
    let topology = generate("ft(8,3)").unwrap();
    for name in ["random", "rnca-u", "rnca-d"] {
        let routing = |seed| build(&format!("{name}(seed={seed})"), &topology);
        let (one, two, default) = (routing(1), routing(2), build(name, &topology));
        assert_eq!(default.spec(), format!("{name}(seed=1)"));
        let paths = [one, two, default].map(|routing| all_paths(&topology, routing.as_ref()));
        assert!(paths[0] != paths[1] && paths[0] == paths[2], "{name}");
    }
}

/// χ² of the ancestors of all pairs at the top, and of two pairs of neighbours jointly.
#[test]
fn random_is_uniform_and_pairs_are_independent() {
    let topology = generate("xgft(2;16,8;1,5)").unwrap();
    let routing = build("random(seed=11)", &topology);
    let root = |s, d| up_digits(&topology, routing.as_ref(), s, d)[1] as usize;
    let (mut single, mut joint) = ([0_u32; 5], [0_u32; 25]);
    for (s, d) in sd_pairs(topology.hosts()).filter(|(s, d)| s / 16 != d / 16) {
        single[root(s, d)] += 1;
        if d % 16 != 15 {
            joint[5 * root(s, d) + root(s, d + 1)] += 1;
        }
    }
    // 4 and 24 degrees of freedom: exceeded with probability below 10^-5.
    assert!(chi_square(&single) < 30.0, "{single:?}");
    assert!(chi_square(&joint) < 70.0, "{joint:?}");
}

fn chi_square(counts: &[u32]) -> f64 {
    let mean = f64::from(counts.iter().sum::<u32>()) / counts.iter().map(|_| 1.0).sum::<f64>();
    counts.iter().map(|count| (f64::from(*count) - mean).powi(2) / mean).sum()
}

#[test]
fn random_does_not_depend_on_threads() {
    let topology = generate("xgft(3;4,4,4;1,3,3)").unwrap();
    let paths_with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let routing = pool.install(|| build("random(seed=5)", &topology));
        all_paths(&topology, routing.as_ref())
    };
    assert_eq!(paths_with(1), paths_with(4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// A digit out of range would yield a link that starts elsewhere: links must join up.
    #[test]
    fn paths_join_pairs_on_any_tree(spec in trees(1..=4, 1..=4, 1..=3, 2..=64), seed in any::<u64>()) {
        let topology = generate(&spec).unwrap();
        let seeded = ["random", "rnca-u", "rnca-d"].map(|name| format!("{name}(seed={seed})"));
        let others = ["osrm2", "osrm3", "mlid", "wsr", "yuan", "grid"].map(String::from);
        for routing in seeded.iter().chain(&others) {
            match routing::build(routing, &topology) {
                Ok(routing) => check_paths(&topology, routing.as_ref()),
                Err(RoutingError::DoesNotFit { .. }) => {}
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
    }
}

fn check_paths(topology: &Topology, routing: &dyn Routing) {
    let tree = labels(topology);
    for (s, d) in sd_pairs(topology.hosts()) {
        let path = path(routing, s, d);
        assert_eq!(path.len(), 2 * tree.nca_level(s, d));
        let end = path.iter().try_fold(s, |node, link| {
            topology.ends(*link).filter(|(from, _)| *from == node).map(|(_, to)| to)
        });
        assert_eq!(end, Some(d), "{} on {}: {s} -> {d}", routing.spec(), topology.spec());
        for (l, port) in up_digits(topology, routing, s, d).iter().enumerate() {
            assert!(*port < tree.parents(l + 1));
        }
    }
}
