//! `omrmn` and `ecmp`: shares by hand, trees against plain search, refusals, oblivious ratio 1.

use std::collections::BTreeMap;

use routebound::assessment::assess;
use routebound::import::{self, ImportOptions};
use routebound::rational::Rational;
use routebound::routing::{self, Instance, Routing, RoutingError, UseScratch};
use routebound::topology::{self, Host, LinkId, Topology, sd_pairs};

use super::{network, ratio, shares_of_paths, unlabelled};

/// Share of a pair on every link, as bulk work sees it; no link may occur twice.
fn shares_of_uses(
    routing: &dyn Routing,
    s: Host,
    d: Host,
    scratch: &mut UseScratch,
) -> BTreeMap<LinkId, Rational> {
    let mut shares = BTreeMap::new();
    routing.for_each_use(s, d, scratch, &mut |share, links| {
        for link in links {
            assert_eq!(shares.insert(*link, share.clone()), None, "{s} -> {d}: link {link}");
        }
    });
    shares
}

/// Host 0 to host 1 over a fork: two parallel links after one arm, one after the other.
fn fork() -> Topology {
    let (x, y, z, w) = (2, 3, 4, 5);
    let forth = [(0, x), (x, y), (x, z), (y, w), (y, w), (z, w), (w, 1)];
    network(2, 4, &[&forth[..], &[(1, 0)]].concat())
}

#[test]
fn shares_per_path_and_per_hop_by_hand() {
    let topology = fork();
    for (spec, expected) in [
        ("omrmn", ["1", "2/3", "1/3", "1/3", "1/3", "1/3", "1"]),
        ("ecmp", ["1", "1/2", "1/2", "1/4", "1/4", "1/2", "1"]),
    ] {
        let routing = routing::build(spec, &topology).unwrap();
        let shares = shares_of_uses(&*routing, 0, 1, &mut UseScratch::default());
        let expected = (0..).zip(expected.map(ratio)).collect::<BTreeMap<LinkId, _>>();
        assert_eq!(shares, expected, "{spec}");
        assert!(!routing.is_single_path());
    }
    let mut paths = Vec::new();
    let routing = routing::build("ecmp", &topology).unwrap();
    routing.for_each_path(0, 1, &mut vec![9], &mut |share, links| {
        paths.push((share.to_string(), links.to_vec()));
    });
    let expected = [("1/4", [0, 1, 3, 6]), ("1/4", [0, 1, 4, 6]), ("1/2", [0, 2, 5, 6])];
    assert_eq!(paths, expected.map(|(share, links)| (share.to_string(), links.to_vec())));
}

/// A ring of four hosts and no switch: opposite hosts reach each other through both others.
#[test]
fn hosts_may_forward() {
    let ring = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (2, 1), (3, 2), (0, 3)];
    let topology = network(4, 0, &ring);
    for spec in ["omrmn", "ecmp"] {
        let routing = routing::build(spec, &topology).unwrap();
        let shares = shares_of_paths(&*routing, 0, 2);
        let half = ratio("1/2");
        assert_eq!(shares, [0, 1, 6, 7].map(|link| (link, half.clone())).into());
        assert_eq!(shares_of_paths(&*routing, 2, 1), [(5, Rational::ONE)].into());
    }
}

#[test]
fn a_line_has_one_path_a_pair() {
    let topology = network(2, 1, &[(0, 2), (2, 1), (1, 2), (2, 0)]);
    for spec in ["omrmn", "ecmp"] {
        assert!(routing::build(spec, &topology).unwrap().is_single_path());
    }
    let tree = topology::generate("xgft(2;2,2;1,1)").unwrap();
    assert!(routing::build("omrmn", &tree).unwrap().is_single_path());
}

/// On trees labels and search agree, and so do both routings.
#[test]
fn trees_by_labels_and_by_search() {
    for spec in ["ft(4,3)", "xgft(2;2,3;2,2)", "xgft(3;3,2,2;1,2,3)", "xgft(1;3;4)"] {
        let tree = topology::generate(spec).unwrap();
        let plain = unlabelled(&tree);
        let build = |name: &str, topology: &Topology| routing::build(name, topology).unwrap();
        let by_labels = build("omrmn", &tree);
        let others = [build("ecmp", &tree), build("omrmn", &plain), build("ecmp", &plain)];
        let mut scratch = UseScratch::default();
        for (s, d) in sd_pairs(tree.hosts()) {
            let expected = shares_of_paths(&*by_labels, s, d);
            for other in &others {
                let found = shares_of_uses(&**other, s, d, &mut scratch);
                assert_eq!(found, expected, "{spec}: {s} -> {d}");
            }
        }
    }
}

/// What [`Routing::for_each_use`] promises, for every routing on every example network.
#[test]
fn uses_are_the_sums_over_paths() {
    let specs = topology::KINDS.iter().flat_map(|kind| kind.examples);
    let mut topologies: Vec<_> = specs.map(|spec| topology::generate(spec).unwrap()).collect();
    for path in import::KINDS.iter().flat_map(|kind| kind.examples) {
        topologies.push(import::topology(path, &ImportOptions::default()).unwrap());
    }
    topologies.push(fork());
    if !cfg!(feature = "slow-tests") {
        topologies.retain(|topology| topology.hosts() <= 64);
    }
    let (mut scratch, mut in_order) = (UseScratch::default(), 0);
    for topology in &topologies {
        for spec in routing::KINDS.iter().flat_map(|kind| kind.examples) {
            let Ok(routing) = routing::build(spec, topology) else { continue };
            for (s, d) in sd_pairs(topology.hosts()) {
                let uses = shares_of_uses(&*routing, s, d, &mut scratch);
                assert_eq!(uses, shares_of_paths(&*routing, s, d), "{spec}: {s} -> {d}");
                if routing.uses_in_order() {
                    in_order += 1;
                    assert!(come_in_order(&*routing, topology, (s, d)), "{spec}: {s} -> {d}");
                }
            }
        }
    }
    assert!(in_order > 1000, "{in_order} pairs");
}

/// Whether no link of a pair comes before one that leads to its sending node.
fn come_in_order(routing: &dyn Routing, topology: &Topology, (s, d): (Host, Host)) -> bool {
    let mut links: Vec<LinkId> = Vec::new();
    routing.for_each_use(s, d, &mut UseScratch::default(), &mut |_, some| links.extend(some));
    let ends = |link: &LinkId| topology.ends(*link).unwrap();
    (0..links.len()).all(|at| {
        let (from, _) = ends(&links[at]);
        links[at..].iter().all(|later| ends(later).1 != from)
    })
}

#[test]
fn omrmn_and_ecmp_fit_every_example_network() {
    for path in import::KINDS.iter().flat_map(|kind| kind.examples) {
        let topology = import::topology(path, &ImportOptions::default()).unwrap();
        for spec in ["omrmn", "ecmp"] {
            // One of the examples has a link that leads one way only.
            if let Err(error) = routing::build(spec, &topology) {
                assert!(error.to_string().contains("has no path to"), "{spec} on {path}: {error}");
            }
        }
    }
}

fn refusal(topology: &Topology) -> RoutingError {
    let [omrmn, ecmp] = ["omrmn", "ecmp"].map(|spec| routing::build(spec, topology).err());
    assert_eq!(omrmn.is_some(), ecmp.is_some());
    omrmn.unwrap()
}

#[test]
fn a_pair_without_a_path_is_refused() {
    let error = refusal(&network(2, 2, &[(0, 1), (2, 0), (1, 3)])).to_string();
    assert!(error.contains("host `n1` has no path to host `n0`"), "{error}");
}

/// A chain of 23 switches with two links from each to the next: 2^22 paths are the most listed.
#[test]
fn more_paths_than_can_be_listed_are_refused() {
    let chain = |length: usize| {
        let mut links = vec![(0, 2), (1 + length, 1), (1, 0)];
        for switch in 2..=length {
            links.extend([(switch, switch + 1), (switch, switch + 1)]);
        }
        network(2, length, &links)
    };
    let routing = routing::build("ecmp", &chain(23)).unwrap();
    let shares = shares_of_uses(&*routing, 0, 1, &mut UseScratch::default());
    assert_eq!(shares.values().filter(|share| **share == ratio("1/2")).count(), 44);
    let RoutingError::TooLarge(large) = refusal(&chain(24)) else { panic!("no limit") };
    assert_eq!(large.size, (1_u64 << 23).to_string());
}

#[test]
fn more_destinations_than_a_table_holds_are_refused() {
    let ring = |host| [(host, (host + 1) % 9000), ((host + 1) % 9000, host)];
    let error = refusal(&network(9000, 0, &(0..9000).flat_map(ring).collect::<Vec<_>>()));
    let what = "destination switches × nodes";
    assert!(matches!(error, RoutingError::TooLarge(large) if large.what == what));
    // Hosts of one switch take one row.
    let spokes: Vec<_> = (0..9000).flat_map(|host| [(host, 9000), (9000, host)]).collect();
    assert!(routing::build("ecmp", &network(9000, 1, &spokes)).is_ok());
}

#[test]
fn arguments_are_refused() {
    let tree = topology::generate("ft(4,2)").unwrap();
    for spec in ["omrmn(2)", "ecmp(2)", "omrmn(seed=1)", "ecmp(seed=1)"] {
        let error = routing::build(spec, &tree).err().unwrap();
        assert!(matches!(error, RoutingError::Spec(_)), "{spec}: {error}");
    }
}

/// \[OR\] Theorem 1: no traffic loads a link more than the optimum, and the checker agrees.
#[test]
fn the_oblivious_ratio_on_full_trees_is_1() {
    for tree in ["ft(4,2)", "ft(4,3)", "ft(8,2)"] {
        for routing in ["omrmn", "ecmp"] {
            let instance = Instance::named(tree, routing).unwrap();
            let assessed = assess(&instance).unwrap();
            assert_eq!(assessed.oblivious_ratio.to_string(), "1 (proven)", "{routing} on {tree}");
        }
    }
}
