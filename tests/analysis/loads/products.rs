//! Regular traffic as products of sets of hosts: everything computed from it equals what its list of
//! demands gives, for every pattern, routing and family.

use itertools::iproduct;
use routebound::assessment::{AssessOptimum, assess_optimum, rough_optimum};
use routebound::channel_tree::ChannelTree;
use routebound::load::{LinkLoads, contention, within_limit};
use routebound::optimum::{baseload, optimal_cut};
use routebound::progress::{Progress, Stop};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, digit_rules_of, may_have_digit_rules};
use routebound::topology::{self, Topology, generate};
use routebound::traffic::{self, Demand, ProductTraffic, TrafficView, regular};

use super::{demand, unlabelled};

/// Regular traffic of all patterns among `hosts` hosts, with the names.
fn patterns(hosts: usize) -> Vec<(&'static str, ProductTraffic)> {
    let kinds = traffic::KINDS.iter().filter(|kind| kind.build.products.is_some());
    let more = ["hotspot(spots=2,size=3)", "clustered(size=2)", "uniform(tasks=5,place=random)"];
    let percents = ["hotspot-percent(percent=0)", "hotspot-percent(percent=100,host=1)"];
    let specs = kinds.flat_map(|kind| kind.examples).copied().chain(more).chain(percents);
    specs.filter_map(|spec| Some((spec, regular(spec, hosts).ok()??))).collect()
}

/// Networks of up to 18 hosts of every family, with and without labels.
fn networks() -> Vec<Topology> {
    let specs = topology::KINDS.iter().flat_map(|kind| {
        let examples = kind.examples.iter().map(ToString::to_string);
        examples.chain((kind.build.members)(18)).collect::<Vec<_>>()
    });
    let networks: Vec<Topology> = specs.map(|spec| generate(&spec).unwrap()).collect();
    let small = networks.into_iter().filter(|network| network.hosts() <= 18);
    small.flat_map(|network| [unlabelled(&network), network]).collect()
}

fn listed(products: &ProductTraffic) -> Vec<Demand> {
    products.to_matrix().unwrap().into_demands()
}

fn assert_same_loads(instance: &Instance, products: &ProductTraffic, place: &str) {
    let (topology, routing, quiet) = (instance.topology(), instance.routing(), Progress::silent());
    let demands = listed(products);
    let expected = LinkLoads::of(topology, routing, &demands, &quiet).unwrap();
    let counted = Progress::silent();
    let found = LinkLoads::of(topology, routing, products, &counted).unwrap();
    assert_eq!(counted.done(), demands.len() as u64, "{place}");
    for link in expected.links() {
        let both = [&found, &expected].map(|loads| (loads.traffic(link), loads.flows(link)));
        assert_eq!(both[0], both[1], "{place}, link {link}");
    }
    let all =
        |loads: &LinkLoads<'_>| (loads.max(), loads.most_flows(), loads.idle(), loads.histogram());
    assert_eq!(all(&found), all(&expected), "{place}");
    let expected = contention(instance, &demands, &quiet);
    assert_eq!(contention(instance, products, &quiet), expected, "{place}");
}

#[test]
fn loads_and_contention_are_those_of_the_list() {
    let (mut cases, routings) = (0, routing::KINDS.iter().flat_map(|kind| kind.examples));
    let most = if cfg!(feature = "slow-tests") { 18 } else { 7 };
    let networks: Vec<Topology> =
        networks().into_iter().filter(|network| network.hosts() <= most).collect();
    for (network, spec) in iproduct!(networks, routings) {
        let Ok(routing) = routing::build(spec, &network) else { continue };
        let instance = Instance::trusted(network, routing);
        for (name, products) in patterns(instance.topology().hosts()) {
            assert_same_loads(&instance, &products, &format!("{name}, {instance:?}"));
            cases += 1;
        }
    }
    assert!(cases > 2000, "{cases}");
}

/// Where digit rules hold, pairs are counted and not visited.
#[test]
fn pairs_counted_by_digits_are_those_of_the_list_on_larger_trees() {
    let most = if cfg!(feature = "slow-tests") { 256 } else { 36 };
    let members = topology::KINDS.iter().flat_map(|kind| (kind.build.members)(most));
    let trees = members.filter_map(|spec| generate(&spec).ok());
    let trees = trees.filter(|tree| tree.tree().is_some() && tree.hosts() > 18);
    let routings = routing::KINDS.iter().flat_map(|kind| kind.examples);
    let routings: Vec<_> = routings.filter(|spec| may_have_digit_rules(spec)).collect();
    let specs =
        ["uniform", "uniform(tasks=17,place=random)", "samelast(3,last=1)", "hotspot-percent"];
    let mut cases = 0;
    for (tree, routing) in iproduct!(trees, routings) {
        let Ok(routing) = routing::build(routing, &tree) else { continue };
        let instance = Instance::trusted(tree.clone(), routing);
        for spec in specs {
            let products = regular(spec, tree.hosts()).unwrap().unwrap();
            assert_same_loads(&instance, &products, &format!("{spec}, {instance:?}"));
            cases += usize::from(digit_rules_of(&tree, instance.routing()).is_some());
        }
    }
    assert!(cases > 200, "{cases}");
}

#[test]
fn optimal_loads_are_those_of_the_list() {
    for network in networks() {
        for (name, products) in patterns(network.hosts()) {
            let (demands, place) = (listed(&products), format!("{name} on {}", network.spec()));
            assert_eq!(baseload(&network, &products), baseload(&network, &demands), "{place}");
            assert_eq!(
                optimal_cut(&network, &products),
                optimal_cut(&network, &demands),
                "{place}"
            );
            let rough = [rough_optimum(&network, &products), rough_optimum(&network, &demands)];
            assert_eq!(rough[0], rough[1], "{place}");
            if let Some(tree) = ChannelTree::of_any(&network) {
                assert_eq!(tree.loads(&products), tree.loads(&demands), "{place}");
            }
        }
    }
}

/// What the list of a pattern is, by its definition.
#[test]
fn products_are_the_pairs_of_their_definitions() {
    let pairs = |pairs: &dyn Fn(u32, u32) -> bool| -> Vec<Demand> {
        let all = iproduct!(0..9, 0..9).filter(|(s, d)| s != d && pairs(*s, *d));
        all.map(|(s, d)| demand(s, d)).collect()
    };
    for (spec, expected) in [
        ("uniform", pairs(&|_, _| true)),
        ("uniform(tasks=4)", pairs(&|s, d| s < 4 && d < 4)),
        ("samelast(3,last=1)", pairs(&|_, d| d % 3 == 1)),
        ("samelast(4,last=2,tasks=7)", pairs(&|s, d| s < 7 && (d == 2 || d == 6))),
    ] {
        assert_eq!(listed(&regular(spec, 9).unwrap().unwrap()), expected, "{spec}");
    }
    // 10 % of 1 to host 2, and 9/10 ÷ 8 to each of the others; host 2 sends 1/8 to each.
    let percent = listed(&regular("hotspot-percent(percent=10,host=2)", 9).unwrap().unwrap());
    assert_eq!(percent.len(), 72);
    for Demand { s, d, amount } in percent {
        let expected = if s == 2 {
            "1/8"
        } else if d == 2 {
            "17/80"
        } else {
            "9/80"
        };
        assert_eq!(amount.to_string(), expected, "{s} -> {d}");
    }
    // Groups of three, each with the other two.
    let groups = regular("clustered(size=3,seed=4)", 9).unwrap().unwrap();
    assert_eq!((groups.len(), groups.total()), (18, Rational::from(18)));
    let sums = groups.sent().all().chain(groups.received().all()).collect::<Vec<_>>();
    assert!(sums.iter().all(|sum| *sum == Rational::from(2)));
}

/// All-to-all among 2^18 hosts: 68.7 billion demands in a few sums.
#[test]
fn an_optimum_needs_no_list() {
    let tree = generate("xgft(3;64,64,64;1,8,8)").unwrap();
    let uniform = regular("uniform", tree.hosts()).unwrap().unwrap();
    let found = AssessOptimum::new().proven_if(false).run(&tree, &uniform).unwrap();
    // 64² hosts below a switch of level 2 with 8² links up; the others are 63·64².
    assert_eq!(found.optu.exact(), Some(&Rational::from(63 * 64 * 64 * 64)));
    assert_eq!(found.baseload, Rational::from(64 * 64 * 64 - 1));
    let limit = "number of demands is 68719214592, above the limit of";
    assert!(found.certificate.unwrap_err().to_string().contains(limit));
    // With a proof it would need to be listed; loads would take half an hour.
    let proof = assess_optimum(&tree, &uniform);
    assert!(proof.unwrap_err().to_string().contains("number of demands is 68719214592"));
    assert!(within_limit(TrafficView::from(&uniform)).is_err());
    assert!(within_limit(TrafficView::from(&regular("uniform", 27_648).unwrap().unwrap())).is_ok());
}

#[test]
fn stops_on_request() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let uniform = regular("uniform", 8).unwrap().unwrap();
    let stop = Stop::default();
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let loads = LinkLoads::of(instance.topology(), instance.routing(), &uniform, &progress);
    assert!(loads.is_err());
    assert!(contention(&instance, &uniform, &progress).is_err());
}
