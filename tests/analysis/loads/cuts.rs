//! optu of trees in closed form: against the even split, against crossing traffic added up by
//! host numbers, and against baseload on full trees.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use routebound::channel_tree::ChannelTree;
use routebound::optimum::{Cut, EvenSplit, baseload, optimal_cut};
use routebound::rational::Rational;
use routebound::routing::Instance;
use routebound::topology::{self, Direction, Topology, host_number};
use routebound::traffic::{self, Demand};

use super::{
    all_to_all, demand, demands, loads, random_image, random_traffic, ratio, seeded, shift,
};

/// Heights 1 to 4, m and w at most 4, at most 64 hosts.
fn random_tree(random: &mut ChaCha8Rng) -> Topology {
    loop {
        let height = random.random_range(1..=4);
        let mut numbers = || (0..height).map(|_| random.random_range(1..=4)).collect::<Vec<u64>>();
        let (m, w) = (numbers(), numbers());
        if (2..=64).contains(&m.iter().product::<u64>()) {
            let list = |numbers: &[u64]| {
                numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
            };
            let spec = format!("xgft({height};{};{})", list(&m), list(&w));
            return topology::generate(&spec).unwrap();
        }
    }
}

/// Traffic across a cut ÷ its links, from the definition: the hosts of a subtree of height k are
/// m1⋯mk consecutive ones.
fn load_of(topology: &Topology, cut: &Cut, demands: &[Demand]) -> Rational {
    let tree = topology.tree().unwrap();
    let size: u32 = (1..=cut.height).map(|level| tree.children(level)).product();
    let links: u32 = (1..=cut.height + 1).map(|level| tree.parents(level)).product();
    let inside = |host: u32| host / size == cut.subtree;
    let crosses = |demand: &&Demand| match cut.direction {
        Direction::Up => inside(demand.s) && !inside(demand.d),
        _ => inside(demand.d) && !inside(demand.s),
    };
    let crossing: Rational = demands.iter().filter(crosses).map(|demand| &demand.amount).sum();
    crossing.checked_div(&Rational::from(u64::from(links))).unwrap()
}

#[test]
fn the_cut_is_what_the_even_split_attains() {
    let mut random = seeded(3);
    for _ in 0..250 {
        let topology = random_tree(&mut random);
        let traffic = match random.random_range(0..3) {
            0 => shift(topology.hosts(), random.random_range(1..8)),
            1 => demands((0..).zip(random_image(topology.hosts(), &mut random))),
            _ => random_traffic(topology.hosts(), &mut random),
        };
        let cut = optimal_cut(&topology, &traffic).unwrap();
        let split = EvenSplit::route(&topology, &traffic).unwrap();
        assert_eq!(cut.load, split.max_load(), "{}", topology.spec());
        assert_eq!(cut.load, load_of(&topology, &cut, &traffic), "{}", topology.spec());
    }
}

#[test]
fn cuts_by_hand() {
    // Leaves of 4 hosts with 2 up links. Three flows out of leaf 0 into one host of leaf 1, the
    // fourth host of leaf 0 to its neighbour: the host takes 3, the leaf sends 3 over 2 links.
    let tree = topology::generate("xgft(2;4,2;1,2)").unwrap();
    let cut = optimal_cut(&tree, &demands([(0, 4), (1, 4), (2, 4), (3, 0)])).unwrap();
    let expected = Cut { height: 0, subtree: 4, direction: Direction::Down, load: ratio("3") };
    assert_eq!(cut, expected);
    // To different hosts the leaf is the bottleneck, on the way out first.
    let cut = optimal_cut(&tree, &demands([(0, 4), (1, 5), (2, 6), (3, 0)])).unwrap();
    let expected = Cut { height: 1, subtree: 0, direction: Direction::Up, load: ratio("3/2") };
    assert_eq!(cut, expected);
    // Four up links per host: its own traffic is divided by 4.
    let wide = topology::generate("xgft(1;3;4)").unwrap();
    assert_eq!(optimal_cut(&wide, &[demand(0, 1)]).unwrap().load, ratio("1/4"));
    assert!(optimal_cut(&tree, &[]).unwrap().load.is_zero());
    assert_eq!(optimal_cut(&super::unlabelled(&tree), &[demand(0, 1)]), None);
}

/// \[OR\] Corollary 1 and Theorem 1: on full trees optu is the baseload and omrmn attains it.
#[test]
fn omrmn_is_optimal_on_full_trees() {
    let mut random = seeded(5);
    for spec in ["ft(4,2)", "ft(4,3)", "ft(8,2)"] {
        let instance = Instance::named(spec, "omrmn").unwrap();
        let hosts = instance.topology().hosts();
        let mut traffic: Vec<_> = (1..host_number(hosts)).map(|by| shift(hosts, by)).collect();
        traffic.push(all_to_all(hosts));
        traffic.extend((0..20).map(|_| demands((0..).zip(random_image(hosts, &mut random)))));
        traffic.extend((0..20).map(|_| random_traffic(hosts, &mut random)));
        for demands in &traffic {
            let optu = optimal_cut(instance.topology(), demands).unwrap().load;
            assert_eq!(loads(&instance, demands).max_load(), optu, "{spec}");
            assert_eq!(baseload(instance.topology(), demands), optu, "{spec}");
        }
    }
}

/// Its ratio is 1 on slimmed trees too, where the optimum is above the baseload.
#[test]
fn omrmn_is_optimal_on_slimmed_trees() {
    let mut random = seeded(7);
    for _ in 0..20 {
        let topology = random_tree(&mut random);
        let routing = routebound::routing::build("omrmn", &topology).unwrap();
        let instance = Instance::trusted(topology, routing);
        let traffic = random_traffic(instance.topology().hosts(), &mut random);
        let optu = optimal_cut(instance.topology(), &traffic).unwrap().load;
        assert_eq!(loads(&instance, &traffic).max_load(), optu);
    }
}

#[test]
fn the_load_factor_of_subtrees_is_that_of_the_worst_cut() {
    let trees = [
        "bft(16)",
        "bft(64)",
        "bft(64,dims=3)",
        "ft(4,3)",
        "xgft(1;4;2)",
        "xgft(2;2,3;2,2)",
        "xgft(3;2,1,3;1,3,2)",
        "xgft(3;3,2,2;1,2,1)",
    ];
    let patterns = [
        "uniform",
        "shift(1)",
        "random(p=0.3,seed=4)",
        "clustered(size=2)",
        "hotspot(spots=1,size=2)",
    ];
    for spec in trees {
        let network = topology::generate(spec).unwrap();
        let tree = ChannelTree::of_subtrees(&network).unwrap();
        for pattern in patterns {
            let listed = traffic::generate(pattern, network.hosts()).unwrap();
            let cut = optimal_cut(&network, listed.demands()).unwrap();
            assert_eq!(tree.load_factor(listed.demands()).value, cut.load, "{pattern} on {spec}");
        }
    }
}
