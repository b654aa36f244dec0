//! Trees whose links have a different capacity on every step, compared with the same networks
//! without labels, on which linear programs and searches decide.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routebound::adversary::{AttackContext, IncrementalLoads, build as adversary};
use routebound::assessment::{AssessOptimum, OptimumMethod, assess};
use routebound::optimum::{EvenSplit, optimal_cut};
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{Instance, build};
use routebound::synth::{Options, SynthError, least_ratio};
use routebound::theorem::published;
use routebound::topology::{Host, Topology, generate, host_number};
use routebound::traffic::{self, Demand};
use routebound::worst_case;
use std::fmt::Write as _;

use super::{Graph, check_paths, plain, recognised, shuffled, without_labels};

fn ratio(text: &str) -> Rational {
    text.parse().unwrap()
}

/// The tree with these capacities, step by step, or fractions of 1.
fn with_capacities(spec: &str, capacities: &[&str]) -> Graph {
    let tree = generate(spec).unwrap();
    assert_eq!(tree.tree().unwrap().height(), capacities.len());
    let mut graph = tree.graph().clone();
    for link in graph.edge_weights_mut() {
        link.capacity = ratio(capacities[usize::from(link.level) - 1]);
    }
    graph
}

/// Random trees of at most 12 hosts, with random capacities.
fn random_trees(seed: u64, count: usize) -> Vec<(String, Topology)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut trees = Vec::new();
    while trees.len() < count {
        let height = random.random_range(1..=3);
        let m: Vec<u32> = (0..height).map(|_| random.random_range(1..=4)).collect();
        let w: Vec<u32> = (0..height).map(|_| random.random_range(1..=2)).collect();
        if !(4..=12).contains(&m.iter().product::<u32>()) {
            continue;
        }
        let list =
            |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let spec = format!("xgft({height};{};{})", list(&m), list(&w));
        let choices = ["1", "2", "1/2", "3/2", "5/3", "4"];
        let capacities: Vec<&str> =
            (0..height).map(|_| choices[random.random_range(0..choices.len())]).collect();
        let made = Topology::new("made".into(), with_capacities(&spec, &capacities)).unwrap();
        let network = recognised(shuffled(&made, seed));
        trees.push((format!("{spec} with {}", capacities.join(", ")), network));
    }
    trees
}

#[test]
fn capacities_are_found_with_the_shape() {
    let capacities = ["1", "2", "1/2"];
    let made = with_capacities("xgft(3;2,2,3;1,2,2)", &capacities);
    let made = Topology::new("made".into(), made).unwrap();
    for seed in 0..4 {
        let network = recognised(shuffled(&made, seed));
        let tree = network.tree().unwrap_or_else(|| panic!("{:?}", network.no_tree()));
        assert_eq!(tree.shape(), "xgft(3;2,2,3;1,2,2)");
        assert_eq!(tree.capacities(), capacities.map(ratio));
        check_paths(&network);
        // 1, then 2 links of 2, then 4 of 1/2.
        assert_eq!(tree.cuts(), ["1", "4", "2"].map(ratio));
        assert_eq!(tree.cuts_in_units(), Some((vec![1, 4, 2], Rational::ONE)));
        // Four hosts under links that carry two.
        assert!(!tree.full_bisection() && !tree.has_unit_capacities());
        assert!(network.plain_tree().is_none());
    }
}

/// Wide links make up for few, and slow hosts need little.
#[test]
fn bisection_counts_capacities() {
    let is_full = |spec, capacities: &[&str]| {
        recognised(with_capacities(spec, capacities)).tree().unwrap().full_bisection()
    };
    assert!(!is_full("xgft(2;4,4;1,2)", &["1", "1"]));
    assert!(is_full("xgft(2;4,4;1,2)", &["1", "2"]));
    assert!(is_full("xgft(2;4,4;1,2)", &["1/2", "1"]));
    assert!(!is_full("xgft(2;4,4;1,4)", &["1", "1/2"]));
}

/// Oblivious ratio and permutation load, both exact: by flows and matchings on the tree, and by
/// linear programs without labels.
#[test]
fn ratios_are_those_of_linear_programs() {
    let mut cuts_decide = 0;
    for (name, network) in random_trees(1, 14) {
        for routing in ["dmodk", "random(seed=2)", "omrmn"] {
            let place = format!("{routing} on {name}");
            let routing = build(routing, &network).unwrap();
            let instance = Instance::trusted(network.clone(), routing);
            let found = assess(&instance).unwrap();
            let other = without_labels(&instance);
            let general = assess(&other).unwrap();
            assert!(found.oblivious_ratio.exact().is_some(), "{place}");
            assert_eq!(found.oblivious_ratio, general.oblivious_ratio, "{place}");
            assert_eq!(found.permutation_load, general.permutation_load, "{place}");
            cuts_decide += usize::from(!network.tree().unwrap().full_bisection());
        }
    }
    assert!((3..39).contains(&cuts_decide), "{cuts_decide} instances below full bisection");
}

#[test]
fn optimal_loads_are_those_of_linear_programs() {
    for (name, network) in random_trees(2, 12) {
        for pattern in ["uniform", "random(p=0.4,seed=3)", "permutation(seed=4)"] {
            let matrix = traffic::generate(pattern, network.hosts()).unwrap();
            if matrix.demands().is_empty() {
                continue;
            }
            let by = |topology: &Topology, method| {
                AssessOptimum::new().by(method).run(topology, matrix.demands()).unwrap()
            };
            let closed = by(&network, OptimumMethod::ClosedForm);
            let general = by(&plain(&network), OptimumMethod::Lp);
            assert_eq!(closed.optu, general.optu, "{pattern} on {name}");
            assert_eq!(closed.baseload, general.baseload, "{pattern} on {name}");
            let (fast, slow) = (
                EvenSplit::route(&network, matrix.demands()).unwrap(),
                EvenSplit::route(&plain(&network), matrix.demands()).unwrap().max_load(),
            );
            assert_eq!((fast.max_load(), Some(&slow)), (slow.clone(), closed.optu.exact()));
        }
    }
}

/// All partial permutations of `0..hosts`, as pairs.
fn each_permutation(hosts: Host, visit: &mut impl FnMut(&[(Host, Host)])) {
    fn extend(
        s: Host,
        hosts: Host,
        pairs: &mut Vec<(Host, Host)>,
        visit: &mut impl FnMut(&[(Host, Host)]),
    ) {
        if s == hosts {
            return visit(pairs);
        }
        extend(s + 1, hosts, pairs, visit);
        for d in (0..hosts).filter(|d| *d != s) {
            if pairs.iter().all(|(_, taken)| *taken != d) {
                pairs.push((s, d));
                extend(s + 1, hosts, pairs, visit);
                pairs.pop();
            }
        }
    }
    extend(0, hosts, &mut Vec::new(), visit);
}

/// load ÷ optu of every partial permutation, by definition.
fn permutation_ratio_by_definition(instance: &Instance) -> Rational {
    let (topology, routing) = (instance.topology(), instance.routing());
    let mut best = Rational::ZERO;
    each_permutation(host_number(topology.hosts()), &mut |pairs| {
        let demand = |(s, d): &(Host, Host)| Demand { s: *s, d: *d, amount: Rational::ONE };
        let demands: Vec<Demand> = pairs.iter().map(demand).collect();
        let Some(cut) = optimal_cut(topology, &demands).filter(|cut| !cut.load.is_zero()) else {
            return;
        };
        let mut load = vec![Rational::ZERO; topology.links()];
        for Demand { s, d, .. } in &demands {
            routing.for_each_path(*s, *d, &mut Vec::new(), &mut |share, links| {
                for link in links {
                    load[*link as usize] += share;
                }
            });
        }
        let load = (0..)
            .zip(load)
            .map(|(link, load)| load.checked_div(&topology.link(link).capacity).unwrap());
        best = best.clone().max(load.max().unwrap().checked_div(&cut.load).unwrap());
    });
    best
}

/// The permutation ratio by flows at every value of optu, and the result of exhaustive adversaries:
/// both are the maximum by definition.
#[test]
fn permutations_by_definition() {
    let silent = Progress::silent();
    // The full tier has the others as well.
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    for (spec, capacities) in [
        ("xgft(2;2,3;1,1)", ["1", "3/2"]),
        ("xgft(2;3,2;1,2)", ["1", "2/3"]),
        ("xgft(2;2,2;2,1)", ["1/2", "3/4"]),
        ("xgft(2;2,3;1,2)", ["2", "1"]),
        ("xgft(2;3,2;1,1)", ["3", "5"]),
        ("xgft(2;5,1;1,1)", ["2/3", "1"]),
    ]
    .into_iter()
    .step_by(step)
    {
        let network = recognised(with_capacities(spec, &capacities));
        for routing in ["dmodk", "omrmn"] {
            let place = format!("{routing} on {spec} with {}", capacities.join(", "));
            let routing = build(routing, &network).unwrap();
            let instance = Instance::trusted(network.clone(), routing);
            let wanted = permutation_ratio_by_definition(&instance);
            let found = worst_case::permutation_ratio(&instance, &silent).unwrap();
            assert_eq!((found.lower, found.is_exact), (wanted.clone(), true), "{place}");
            let context = AttackContext::new(&instance, &silent).unwrap();
            for name in ["exhaustive", "ilp"] {
                let all = adversary(name).unwrap().attack(&context, &silent).unwrap();
                assert_eq!(all.worst.lower, wanted, "{name}: {place}");
            }
            let ratio = assess(&instance).unwrap().oblivious_ratio;
            let ratio = ratio.exact().unwrap().clone();
            assert!(wanted <= ratio, "{place}");
            assert!(!context.permutations_suffice() || wanted == ratio, "{place}");
        }
    }
}

/// A leaf of two hosts sends 3/2 at most. The first sends all its traffic over root 0, the second
/// half of it. Permutations: the first alone, 1 with optu 1, or both, 3/2 with optu 4/3. Worse is
/// the first with 1 and the second with 1/2 of a pair: 5/4 with optu 1. All of this is traffic on
/// links of capacity 3/4.
#[test]
fn no_permutation_is_the_worst() {
    let silent = Progress::silent();
    let topology = recognised(with_capacities("xgft(2;2,2;1,2)", &["1", "3/4"]));
    let tree = topology.tree().unwrap();
    let mut table = String::from("source,destination,share,links\n");
    for (s, d) in (0..4_u32).flat_map(|s| (0..4).map(move |d| (s, d))).filter(|(s, d)| s != d) {
        let across = tree.nca_level(s, d) == 2;
        for root in 0..if across && tree.digit(s, 1) == 1 { 2 } else { 1 } {
            let mut links = Vec::new();
            tree.push_path(s, d, &[0, root][..tree.nca_level(s, d)], &mut links);
            let share = if across && tree.digit(s, 1) == 1 { "1/2" } else { "1" };
            let links: Vec<String> = links.iter().map(u32::to_string).collect();
            writeln!(table, "{s},{d},{share},{}", links.join(" ")).unwrap();
        }
    }
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::io::Write::write_all(&mut file, table.as_bytes()).unwrap();
    let routing = build(&format!("table:{}", file.path().display()), &topology).unwrap();
    let instance = Instance::trusted(topology, routing);
    assert_eq!(permutation_ratio_by_definition(&instance), ratio("3/2"));
    let found = assess(&instance).unwrap();
    assert_eq!(found.oblivious_ratio.to_string(), "5/3 (proven)");
    assert_eq!(found.permutation_ratio.exact(), Some(&ratio("3/2")));
    let context = AttackContext::new(&instance, &silent).unwrap();
    assert!(!context.permutations_suffice());
    let tried = adversary("exhaustive").unwrap().attack(&context, &silent).unwrap();
    assert_eq!((tried.worst.lower, tried.worst.upper), (ratio("3/2"), None));
}

/// The ratio that incremental loads count in integers is load ÷ optu in rationals, for every
/// permutation.
#[test]
fn incremental_loads_divide_by_capacities() {
    for (name, network) in random_trees(3, 8) {
        let routing = build("random(seed=5)", &network).unwrap();
        let instance = Instance::trusted(network, routing);
        let context = AttackContext::new(&instance, &Progress::silent()).unwrap();
        let mut incremental = IncrementalLoads::new(&context);
        let hosts = host_number(instance.topology().hosts());
        for shift in 1..hosts {
            let image: Vec<Host> = (0..hosts).map(|s| (s + shift) % hosts).collect();
            incremental.set(&image);
            let demand = |(s, d)| Demand { s, d, amount: Rational::ONE };
            let demands = (0..hosts).zip(image).map(demand).collect();
            let judged = context.judge(demands, &Progress::silent()).unwrap().unwrap();
            // Where optu is only what the hosts require, incremental loads use that value.
            assert_eq!(incremental.ratio(), Some(judged.lower), "{name}, shift {shift}");
        }
    }
}

/// 96 values of optu, none of which is tried: that is reported, and the bound is the trivial one.
#[test]
fn values_of_optu_are_limited() {
    let network = recognised(with_capacities("xgft(2;3,2;1,1)", &["97", "101"]));
    let routing = build("dmodk", &network).unwrap();
    let instance = Instance::trusted(network, routing);
    let found = worst_case::permutation_ratio(&instance, &Progress::silent()).unwrap();
    assert_eq!((found.lower, found.is_exact), (Rational::ONE, false));
    assert!(found.limit.unwrap().to_string().contains("is more than 64, above the limit of 64"));
    let found = assess(&instance).unwrap().permutation_ratio;
    assert!(found.exact().is_some() || found.to_string().contains("above the limit of 64"));
}

/// A path over a leaf of neither host is not bounded by the cuts of that leaf, but by what the
/// links of its hosts carry. The link down to that leaf carries all that it takes in and all that
/// goes from the first leaf to the last, each as much as two links.
#[test]
fn detours_are_bounded_by_what_hosts_send() {
    for (spec, capacities, wanted) in
        [("xgft(2;3,3;1,2)", ["1", "1"], "4"), ("xgft(2;3,3;1,2)", ["3/2", "1"], "4")]
    {
        let topology = recognised(with_capacities(spec, &capacities));
        let tree = topology.tree().unwrap();
        let mut table = String::from("source,destination,share,links\n");
        let hosts = topology.host_numbers();
        for (s, d) in hosts.clone().flat_map(|s| hosts.clone().map(move |d| (s, d))) {
            let mut links = Vec::new();
            tree.push_path(s, d, &[0, 0][..tree.nca_level(s, d)], &mut links);
            if (tree.subtree(s, 1), tree.subtree(d, 1)) == (0, 2) {
                let (up, down) = (tree.link_id(1, 1, 0, 1).0, tree.link_id(1, 1, 0, 0).1);
                let last = tree.link_id(1, 2, 0, 1).1;
                links.splice(2..3, [down, up, last]);
            }
            if s != d {
                let links: Vec<String> = links.iter().map(u32::to_string).collect();
                writeln!(table, "{s},{d},1,{}", links.join(" ")).unwrap();
            }
        }
        let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::io::Write::write_all(&mut file, table.as_bytes()).unwrap();
        let routing = build(&format!("table:{}", file.path().display()), &topology).unwrap();
        let instance = Instance::trusted(topology, routing);
        let found = assess(&instance).unwrap();
        assert_eq!(found.oblivious_ratio.exact(), Some(&ratio(wanted)), "{spec}");
        let general = assess(&without_labels(&instance));
        assert_eq!(found.oblivious_ratio, general.unwrap().oblivious_ratio, "{spec}");
    }
}

/// The bounds of the papers assume links of capacity 1.
#[test]
fn statements_of_papers_do_not_apply() {
    let bounds = |capacities: [&str; 2]| {
        let network = recognised(with_capacities("ft(8,2)", &capacities));
        let routing = build("dmodk", &network).unwrap();
        // That no ratio is below 1 holds on every network.
        published(&network, &*routing).iter().filter(|bound| bound.statement != "or-perf").count()
    };
    assert!(bounds(["1", "1"]) > 0);
    assert_eq!(bounds(["1", "2"]), 0);
}

/// What routings say about themselves.
#[test]
fn closed_forms_say_what_holds() {
    let says = |routing: &str, capacities: &[&str]| {
        let spec = if capacities.len() == 2 { "ft(8,2)" } else { "ft(4,3)" };
        let network = recognised(with_capacities(spec, capacities));
        let routing = build(routing, &network).unwrap();
        let notes = routing.notes();
        let instance = Instance::trusted(network, routing);
        let found = assess(&instance).unwrap();
        (found.oblivious_ratio.exact().unwrap().clone(), notes)
    };
    for (routing, capacities, most) in [
        ("grid", vec!["1", "1"], "2"),
        ("grid", vec!["1", "2"], "1"),
        ("grid", vec!["1", "1/2"], "4"),
        ("osrm2", vec!["1", "1/2"], "4"),
        ("osrm3", vec!["1", "1", "1/2"], "4"),
    ] {
        let (found, notes) = says(routing, &capacities);
        let end = format!("oblivious ratio at most {most}");
        assert!(notes[0].ends_with(&end), "{routing}: {}", notes[0]);
        assert!(found <= ratio(most), "{routing} {capacities:?} {found}");
        let least = notes.iter().any(|note| note.contains("no single-path routing"));
        assert!(!least || capacities == ["1", "1"], "{routing} {capacities:?}");
    }
}

#[test]
fn the_search_counts_hosts_and_so_refuses() {
    let network = recognised(with_capacities("ft(4,2)", &["1", "2"]));
    let refused = least_ratio(&network, &Options::default(), &Progress::silent());
    let Some(SynthError::Capacities { capacities, .. }) = refused.err() else { panic!() };
    assert_eq!(capacities, "1, 2");
}
