//! Exact loads: published counts, sums, capacities, and permutations in bulk.

use routebound::channel_tree::ChannelTree;
use routebound::load::{LinkLoads, LoadCount, PermutationLoads, by_level};
use routebound::progress::{Progress, Stop, Stopped};
use routebound::rational::Rational;
use routebound::routing::{self, Instance};
use routebound::topology::{self, Direction, Topology};
use routebound::traffic;

use super::{
    all_to_all, demands, loads, random_image, random_traffic, ratio, seeded, shares_of_paths, shift,
};

fn counts(histogram: &[LoadCount]) -> Vec<(u8, Direction, String, usize)> {
    let row =
        |count: &LoadCount| (count.level, count.direction, count.load.to_string(), count.links);
    histogram.iter().map(row).collect()
}

/// INRFlow 0.4.1, static all-to-all on `fattree_8_3`: loads 448, 504 and 511 on 1,024 links
/// each. A host has 511 partners, a leaf 504 outside hosts for each of 8, and so on; mod-k
/// routings divide them evenly.
#[test]
fn all_to_all_on_the_8_ary_3_tree() {
    for routing in ["dmodk", "smodk", "omrmn"] {
        let instance = Instance::named("kary(8,3)", routing).unwrap();
        let loads = loads(&instance, &all_to_all(512));
        let both = [Direction::Up, Direction::Down];
        let rows = [(1, "511"), (2, "504"), (3, "448")].into_iter();
        let expected: Vec<_> =
            rows.flat_map(|(l, load)| both.map(|way| (l, way, load.to_string(), 512))).collect();
        assert_eq!(counts(&loads.histogram()), expected, "{routing}");
        assert_eq!(loads.idle(), 0);
    }
}

/// ORCS 2.0 `--routequal` finds 124 routes on every link above the leaves of FT(8,3) under
/// D-mod-k: 4 hosts × 124 partners outside ÷ 4 links. The links to the roots carry 112 each:
/// 16 × 112 ÷ 16.
#[test]
fn routes_per_link_of_ft_8_3() {
    let instance = Instance::named("ft(8,3)", "dmodk").unwrap();
    let loads = loads(&instance, &all_to_all(128));
    for link in loads.links() {
        let level = instance.topology().link(link).level;
        assert_eq!(loads.flows(link), [127, 124, 112][usize::from(level) - 1]);
    }
}

/// Host 0 sends 1/2 to host 1 under the same leaf and 1/3 to host 2: by hand on FT(4,2).
#[test]
fn loads_by_hand() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let mut traffic = demands([(0, 1), (0, 2)]);
    traffic[0].amount = ratio("1/2");
    traffic[1].amount = ratio("1/3");
    let loads = loads(&instance, &traffic);
    assert_eq!(loads.max(), Some((0, ratio("5/6"))));
    assert_eq!(loads.most_flows(), Some((0, 2)));
    // Two host links down, the up link to root 0 and the down link from it: 5 of 32 are busy.
    assert_eq!(loads.idle(), 27);
    let levels = by_level(&loads.histogram());
    let up = &levels[0];
    assert_eq!((up.level, up.direction, up.links, up.idle), (1, Direction::Up, 8, 7));
    let figures = [&up.least, &up.mean, &up.most].map(ToString::to_string);
    assert_eq!(figures, ["0", "5/48", "5/6"]);
    assert_eq!(levels.iter().map(|level| level.links).sum::<usize>(), 32);
}

#[test]
fn no_traffic_loads_nothing() {
    let instance = Instance::named("ft(4,2)", "ecmp").unwrap();
    let loads = loads(&instance, &[]);
    assert_eq!((loads.max(), loads.most_flows()), (Some((0, Rational::ZERO)), Some((0, 0))));
    assert_eq!(loads.idle(), 32);
}

/// Against the definition: per demand, per path, per link, in rationals.
#[test]
fn loads_are_sums_over_paths() {
    let mut random = seeded(11);
    for spec in ["ft(4,3)", "xgft(2;2,3;2,2)"] {
        for routing in ["dmodk", "omrmn", "ecmp", "random"] {
            let instance = Instance::named(spec, routing).unwrap();
            let traffic = random_traffic(instance.topology().hosts(), &mut random);
            let mut expected = vec![Rational::ZERO; instance.topology().links()];
            for demand in &traffic {
                for (link, share) in shares_of_paths(instance.routing(), demand.s, demand.d) {
                    expected[link as usize] += &(&demand.amount * &share);
                }
            }
            let loads = loads(&instance, &traffic);
            let found: Vec<_> = loads.links().map(|link| loads.traffic(link)).collect();
            assert_eq!(found, expected, "{routing} on {spec}");
        }
    }
}

/// A copy of a tree whose links of level 2 have capacity 3/2, with a routing of the tree.
fn fast_top(tree: &str, routing: &str) -> Instance {
    let tree = topology::generate(tree).unwrap();
    let routing = routing::build(routing, &tree).unwrap();
    let mut graph = tree.graph().clone();
    for link in graph.edge_weights_mut().filter(|link| link.level == 2) {
        link.capacity = ratio("3/2");
    }
    Instance::trusted(Topology::new("fast top".into(), graph).unwrap(), routing)
}

#[test]
fn capacities_divide() {
    let instance = fast_top("ft(4,2)", "dmodk");
    // Hosts 0 and 1 send through root 0: 2 ÷ 3/2. The host links carry 1.
    let loads = loads(&instance, &demands([(0, 2), (1, 4)]));
    assert_eq!(loads.max(), Some((16, ratio("4/3"))));
    assert_eq!(loads.traffic(16), ratio("2"));
}

#[test]
fn permutations_in_bulk_equal_the_rational_way() {
    let mut random = seeded(13);
    let named = ["dmodk", "smodk", "random", "rnca-u", "grid"].map(|r| ("ft(8,2)", r));
    let named = named.into_iter().chain([("ft(8,3)", "osrm3"), ("xgft(3;4,3,2;2,1,3)", "dmodk")]);
    let mut instances: Vec<_> =
        named.map(|(tree, routing)| Instance::named(tree, routing).unwrap()).collect();
    instances.push(fast_top("ft(8,2)", "dmodk"));
    for instance in &instances {
        let mut bulk = PermutationLoads::new(instance).unwrap();
        for _ in 0..20 {
            let image = random_image(instance.topology().hosts(), &mut random);
            let loads = loads(instance, &demands((0..).zip(image.iter().copied())));
            assert_eq!(bulk.max_load(&image), loads.max_load(), "{}", instance.routing().spec());
            let flows: Vec<_> = loads.links().map(|link| loads.flows(link)).collect();
            let counted: Vec<_> = bulk.flows(&image).iter().map(|n| u64::from(*n)).collect();
            assert_eq!(counted, flows);
        }
        // All hosts idle: nothing remains from before.
        let idle: Vec<_> = instance.topology().host_numbers().collect();
        assert!(bulk.max_load(&idle).is_zero());
    }
}

#[test]
fn divided_pairs_have_no_whole_flows() {
    assert!(PermutationLoads::new(&Instance::named("ft(4,2)", "omrmn").unwrap()).is_none());
}

#[test]
fn stops_on_request() {
    let (topology, routing) = Instance::named("ft(4,2)", "dmodk").unwrap().into_parts();
    let stop = Stop::default();
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let stopped = LinkLoads::of(&topology, &*routing, &shift(8, 1), &progress);
    assert_eq!(stopped.err(), Some(Stopped));
}

#[test]
fn channels_correspond_to_links() {
    let specs = [
        "universal(2)",
        "universal(16)",
        "universal(8,root=open)",
        "xgft(2;3,2;1,1)",
        "xgft(1;3;1)",
    ];
    for spec in specs {
        let network = topology::generate(spec).unwrap();
        let tree = ChannelTree::of(&network).unwrap();
        assert_eq!(tree.channels().count(), network.links(), "{spec}");
        let routing = routing::build("ecmp", &network).unwrap();
        for traffic in ["uniform", "shift(1)", "random(p=0.4,seed=3)"] {
            let messages = traffic::generate(traffic, network.hosts()).unwrap();
            let quiet = Progress::silent();
            let loads = LinkLoads::of(&network, &*routing, messages.demands(), &quiet);
            let factor = tree.load_factor(messages.demands());
            assert_eq!(factor.value, loads.unwrap().max_load(), "{traffic} on {spec}");
        }
    }
}
