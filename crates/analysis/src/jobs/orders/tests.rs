//! Orders of ranks: loads by hand, searches against all orders, and what is refused.

use super::*;
use crate::import::{self, ImportOptions};
use crate::jobs::collectives::{COLLECTIVES, Collective, Phase, generate};
use crate::jobs::{Job, Nodes};
use crate::load::LinkLoads;
use crate::progress::{Progress, Stop};
use crate::rational::Rational;
use crate::routing::{self, Instance, Routing, Visit};
use crate::sampling::Streams;
use crate::topology::{Host, LinkId, NetworkBuilder};
use rand::RngExt;

fn quiet() -> Progress {
    Progress::silent()
}

fn ratio(text: &str) -> Rational {
    text.parse().unwrap()
}

fn job_of(instance: &Instance, hosts: &[Host]) -> Job {
    let nodes = Nodes::of(instance.topology()).nodes;
    let has = |host: &Host| nodes.iter().find(|node| node.hosts().any(|own| own == *host)).cloned();
    Job { name: "job".into(), nodes: hosts.iter().map(|host| has(host).unwrap()).collect() }
}

fn search(restarts: u64, steps: u64) -> Search {
    Search { restarts, steps, seed: 1, starts: Vec::new() }
}

/// Every order of a given number of nodes.
fn all_orders(nodes: u32) -> Vec<Order> {
    let mut all = vec![Vec::new()];
    for _ in 0..nodes {
        let longer = |order: Vec<u32>| {
            let free = (0..nodes).filter(|node| !order.contains(node)).collect::<Vec<_>>();
            free.into_iter().map(move |node| [&order[..], &[node]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.into_iter().map(|nodes| Order::new(nodes).unwrap()).collect()
}

/// Two leaves with two rails each: rail i of every node is at leaf i, over uplinks of another speed.
fn two_rails(nodes: usize, uplink: &str) -> Instance {
    let mut network = NetworkBuilder::new();
    let switches: Vec<_> = (0..4).map(|leaf| network.switch(format!("leaf-{leaf}"))).collect();
    let spine = network.switch("spine");
    for node in 0..nodes {
        for rail in 0..2 {
            let host = network.host(format!("n{node} mlx5_{rail}"));
            network.cable(host, switches[2 * (node % 2) + rail], Rational::ONE);
        }
    }
    for leaf in switches {
        network.cable(leaf, spine, ratio(uplink));
    }
    let topology = network.build("two rails").unwrap();
    let routing = routing::build("ecmp", &topology).unwrap();
    Instance::new(topology, routing).unwrap()
}

/// D-mod-k on FT(4,2): hosts 0 and 1 are at the first leaf, hosts with an even number are reached over the first
/// root. In the ring 0, 2, 1, 4 both hosts of the first leaf send there.
#[test]
fn a_ring_by_hand() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let (job, ring) = (job_of(&instance, &[0, 1, 2, 4]), generate("ring", 4).unwrap());
    let of = |nodes: [u32; 4]| {
        let order = Order::new(nodes.to_vec()).unwrap();
        OrderLoads::of(&instance, &job, &ring, &order, &quiet()).unwrap()
    };
    let (good, bad) = (of([0, 1, 2, 3]), of([0, 2, 1, 3]));
    assert_eq!((&good.cost.time, &good.cost.most), (&ratio("3/2"), &Rational::ONE));
    assert_eq!((&bad.cost.time, &bad.cost.most), (&ratio("3"), &Rational::from(2)));
    let phase = &bad.phases[0];
    assert_eq!((phase.load.clone(), phase.link, phase.pairs), (Rational::from(2), Some(16), 4));
    assert_eq!(instance.topology().link_name(16), "sw-1-0[3] -> sw-2-0[1]");
    let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
    let worst = worst_order(&bundles, &ring, &search(0, 0), &quiet()).unwrap();
    let best = best_order(&bundles, &ring, &search(0, 0), &quiet()).unwrap();
    assert_eq!((worst.cost, best.cost), (bad.cost, good.cost));
    // Rank 0 is on node 0 in all of 3! orders.
    assert_eq!((worst.evaluations, worst.exhaustive, worst.stopped), (6, true, false));
}

/// Phases of a whole collective by hand, over the two rails of four nodes, of which n0 and n2 are at the same leaves.
#[test]
fn phases_and_rails_by_hand() {
    let instance = two_rails(4, "1/2");
    let (job, quiet) = (job_of(&instance, &[0, 2, 4, 6]), quiet());
    let names: Vec<_> = job.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["n0", "n1", "n2", "n3"]);
    let doubling = generate("doubling", 4).unwrap();
    let of = |nodes: [u32; 4]| {
        let order = Order::new(nodes.to_vec()).unwrap();
        OrderLoads::of(&instance, &job, &doubling, &order, &quiet).unwrap()
    };
    // n0 with n1 and n2 with n3 over uplinks that two sends of capacity 1/2 share, then within leaves.
    let listed = of([0, 1, 2, 3]);
    let loads: Vec<_> =
        listed.phases.iter().map(|phase| (phase.load.to_string(), phase.pairs)).collect();
    assert_eq!(loads, [("4".into(), 8), ("1".into(), 8)]);
    assert_eq!((listed.cost.time, listed.cost.most), (Rational::from(5), Rational::from(4)));
    assert_eq!(of([0, 2, 1, 3]).cost, of([0, 1, 2, 3]).cost);
    // Both phases cross.
    assert_eq!(of([0, 1, 3, 2]).cost.time, Rational::from(8));
}

#[test]
fn all_to_all_by_hand() {
    let instance = two_rails(4, "1/2");
    let job = job_of(&instance, &[0, 2, 4, 6]);
    let of = |peers| all_to_all_load(&instance, &job, peers, &quiet()).unwrap();
    // Two adapters of a leaf send 2/3 each to the other side, over capacity 1/2.
    let rails = of(Peers::SameRail);
    assert_eq!((rails.load, rails.pairs), (ratio("8/3"), 24));
    // With all rails, 1/6 to each of 6 peers: 2 of 3 nodes are elsewhere, and half of what goes to the third is
    // at the other leaf.
    let all = of(Peers::AllRails);
    assert_eq!((all.load, all.pairs), (ratio("10/3"), 48));
    let whole: Rational =
        all_to_all(&job, Peers::AllRails).unwrap().iter().map(|demand| &demand.amount).sum();
    assert_eq!(whole, Rational::from(8));
}

/// Sizes, multi-path shares, capacities and rails: the search on all orders of five nodes against the load of
/// every order as [`LinkLoads`] computes it, and the bound against the least.
#[test]
fn all_orders_are_tried() {
    for (instance, hosts) in [
        (Instance::named("ft(4,2)", "dmodk").unwrap(), [0, 1, 2, 4, 6]),
        (Instance::named("xgft(2;4,2;1,3)", "kpath(k=2)").unwrap(), [0, 1, 2, 4, 5]),
        (Instance::named("ft(4,3)", "omrmn").unwrap(), [0, 1, 3, 5, 9]),
        (two_rails(5, "3/2"), [0, 2, 4, 6, 8]),
    ] {
        let job = job_of(&instance, &hosts);
        let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
        for kind in COLLECTIVES {
            let collective = generate(kind.name, 5).unwrap();
            let costs: Vec<Cost> = all_orders(5)
                .iter()
                .map(|order| cost(&instance, &job, &collective, order))
                .collect();
            let worst = worst_order(&bundles, &collective, &search(0, 0), &quiet()).unwrap();
            let best = best_order(&bundles, &collective, &search(0, 0), &quiet()).unwrap();
            assert_eq!(Some(&worst.cost), costs.iter().max(), "{} on {instance:?}", kind.name);
            assert_eq!(Some(&best.cost), costs.iter().min(), "{} on {instance:?}", kind.name);
            assert!(worst.is_exact() && best.is_exact());
            assert!(best.least.time <= best.cost.time && best.least.most <= best.cost.most);
            let tried = if collective.is_rotation_invariant() { 24 } else { 120 };
            assert_eq!(worst.evaluations, tried);
            for found in [worst, best] {
                assert_eq!(found.cost, cost(&instance, &job, &collective, &found.order));
            }
        }
    }
}

/// The cost of an order by the loads of all links.
fn cost(instance: &Instance, job: &Job, collective: &Collective, order: &Order) -> Cost {
    let load = |phase: &Phase| {
        let demands = demands(job, order, phase).unwrap();
        LinkLoads::of(instance.topology(), instance.routing(), &demands, &quiet())
            .unwrap()
            .max_load()
    };
    let loads: Vec<Rational> = collective.phases.iter().map(load).collect();
    Cost::of(collective.phases.iter().map(|phase| &phase.size).zip(&loads))
}

/// On FT(8,2) with D-mod-k, the four hosts of a leaf can all send over one uplink, as every root is that of eight
/// destinations. A ring through 32 hosts does so, and it need load nothing more than once.
#[test]
fn rings_of_a_tree() {
    let instance = Instance::named("ft(8,2)", "dmodk").unwrap();
    let job = job_of(&instance, &(0..32).collect::<Vec<_>>());
    let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
    let ring = generate("ring", 32).unwrap();
    let worst = worst_order(&bundles, &ring, &search(0, 0), &quiet()).unwrap();
    assert_eq!(worst.cost.most, Rational::from(4));
    assert!(worst.start.starts_with("the maximum matching of link"), "{}", worst.start);
    assert!(!worst.is_exact());
    // Without the matchings, as for collectives without a ring, searching finds it too.
    let twice = Collective {
        phases: vec![Phase {
            sends: [&ring.phases[0].sends[..]; 2].concat(),
            ..ring.phases[0].clone()
        }],
        ..ring.clone()
    };
    let worst = worst_order(&bundles, &twice, &search(8, 2000), &quiet()).unwrap();
    assert_eq!(worst.cost.most, Rational::from(8));
    // A shuffled job is put in order leaf by leaf, or by searching.
    let hosts: Vec<Host> = (0..32).map(|at| at * 13 % 32).collect();
    let shuffled = job_of(&instance, &hosts);
    let bundles = Bundles::of(&instance, &shuffled, &quiet()).unwrap();
    let best = best_order(&bundles, &ring, &search(4, 4000), &quiet()).unwrap();
    assert_eq!((&best.cost.most, best.is_exact()), (&Rational::ONE, true));
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let instance = Instance::named("ft(8,2)", "random(seed=3)").unwrap();
    let job = job_of(&instance, &[0, 1, 2, 4, 5, 8, 9, 12, 16, 21, 24, 31]);
    let step = if cfg!(feature = "slow-tests") { 1 } else { 2 };
    for collective in ["ring", "tree", "halving", "alltoall"].into_iter().step_by(step) {
        let collective = generate(collective, 12).unwrap();
        let run = |seed: u64| {
            let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
            let search = Search { seed, ..search(40, 60) };
            let worst = worst_order(&bundles, &collective, &search, &quiet()).unwrap();
            (worst, best_order(&bundles, &collective, &search, &quiet()).unwrap())
        };
        let one = on_threads(1, || run(5));
        assert_eq!(one, on_threads(4, || run(5)));
        assert!(one.0.cost > one.1.cost && !one.0.exhaustive);
        assert_ne!(one, run(6));
    }
}

#[test]
fn a_stopped_search_returns_the_best_so_far() {
    let instance = Instance::named("ft(8,2)", "dmodk").unwrap();
    let job = job_of(&instance, &(0..32).collect::<Vec<_>>());
    let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
    let collective = generate("bruck", 32).unwrap();
    let listed =
        OrderLoads::of(&instance, &job, &collective, &Order::listed(32), &quiet()).unwrap();
    // Before it begins.
    let stop = Stop::at(None);
    stop.request();
    let stopped = || quiet().stopped_by(stop.clone());
    let found = worst_order(&bundles, &collective, &search(100, 100), &stopped()).unwrap();
    assert_eq!(
        (found.order, found.cost, found.stopped),
        (Order::listed(32), listed.cost.clone(), true)
    );
    assert!(Bundles::of(&instance, &job, &stopped()).is_err());
    // As soon as a restart has ended: nothing of what was found is lost.
    let stop = Stop::at(None);
    let request = stop.clone();
    let progress = quiet().stopped_by(stop).watched_by(move |_| request.request());
    let found = worst_order(&bundles, &collective, &search(1 << 20, 2000), &progress).unwrap();
    assert!(found.stopped && found.cost > listed.cost && found.evaluations > 64);
    // All orders of few nodes.
    let job = job_of(&instance, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
    let found =
        worst_order(&bundles, &generate("tree", 8).unwrap(), &search(0, 0), &stopped()).unwrap();
    assert!(found.stopped && !found.exhaustive && !found.is_exact());
}

#[test]
fn what_cannot_be_is_refused() {
    let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
    let job = job_of(&instance, &[0, 1, 2, 4]);
    let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
    let ring = generate("ring", 4).unwrap();
    let refused = |collective: &Collective, search: &Search| {
        worst_order(&bundles, collective, search, &quiet()).unwrap_err().to_string()
    };
    let other = refused(&generate("ring", 5).unwrap(), &search(0, 0));
    assert!(other.contains("the collective is for 5 ranks, but the job has 4 nodes"), "{other}");
    let short = Search { starts: vec![Order::listed(3)], ..search(0, 0) };
    assert!(refused(&ring, &short).contains("the order is for 3 ranks"));
    assert!(refused(&ring, &search(1 << 21, 0)).contains("number of restarts is 2097152"));
    assert!(refused(&ring, &search(0, 1 << 33)).contains("number of steps"));
    for (s, d) in [(1, 1), (0, 4)] {
        let mut wrong = ring.clone();
        wrong.phases[0].sends[0] = (s, d);
        let says = format!("a phase sends from rank {s} to rank {d}");
        assert!(refused(&wrong, &search(0, 0)).contains(&says));
        let error = demands(&job, &Order::listed(4), &wrong.phases[0]).unwrap_err();
        assert!(error.to_string().contains(&says));
    }
    let (alone, none) =
        (job_of(&instance, &[0]), Collective { ranks: 1, phases: Vec::new(), ..ring.clone() });
    let bundles_of_one = Bundles::of(&instance, &alone, &quiet()).unwrap();
    let error =
        worst_order(&bundles_of_one, &none, &search(1, 1), &quiet()).unwrap_err().to_string();
    assert!(error.contains("at least 2 are needed to send"), "{error}");
    let mut strange = generate("tree", 4).unwrap();
    strange.phases[0].size = ratio("1/4611686018427387847");
    assert_eq!(
        worst_order(&bundles, &strange, &search(0, 0), &quiet()),
        Err(OrderError::Denominators)
    );
}

#[test]
fn nodes_need_a_rail_in_common() {
    let instance = two_rails(4, "1");
    let mut job = job_of(&instance, &[0, 2, 4]);
    job.nodes[0].adapters[0] = None;
    assert!(Bundles::of(&instance, &job, &quiet()).is_ok());
    let (ring, order) = (generate("ring", 3).unwrap(), Order::listed(3));
    // n1 to n2 over both rails, the others over one.
    assert_eq!(demands(&job, &order, &ring.phases[0]).unwrap().len(), 4);
    assert_eq!(all_to_all(&job, Peers::SameRail).unwrap().len(), 2 + 6);
    job.nodes[2].adapters[1] = None;
    let says = "nodes `n0` and `n2` have no rail in common";
    let error = Bundles::of(&instance, &job, &quiet()).unwrap_err().to_string();
    assert!(
        error.starts_with(says) && error.ends_with("leave one of them out of the job"),
        "{error}"
    );
    let error = OrderLoads::of(&instance, &job, &ring, &order.reversed(), &quiet()).unwrap_err();
    assert!(error.to_string().contains("no rail in common"));
}

/// One path of every pair, drawn from those of another routing.
struct OnePath(Box<dyn Routing>, Streams);

impl Routing for OnePath {
    fn spec(&self) -> &'static str {
        "drawn"
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let mut paths = Vec::new();
        self.0.for_each_path(s, d, links, &mut |_, links| paths.push(links.to_vec()));
        let drawn = self.1.at((u64::from(s) << 32) + u64::from(d)).random_range(0..paths.len());
        visit(&Rational::ONE, &paths[drawn]);
    }
}

/// Sixteen nodes of a fabric with 542 adapters, four from each of four groups whose adapters are at four leaf
/// switches of their own: with a shortest path drawn for every pair some ring loads a cable four times on one rail, another
/// one nothing more than once.
#[test]
fn orders_on_a_fabric() {
    let path = "instances/fabrics/ndr542/ibnetdiscover.out.gz";
    let topology = import::topology(path, &ImportOptions::default()).unwrap();
    let ecmp = routing::build("ecmp", &topology).unwrap();
    let all = Nodes::of(&topology).nodes;
    let of_group = |group: &str| {
        let whole = all.iter().filter(|node| node.adapters.iter().all(Option::is_some));
        whole.filter(|node| node.name.starts_with(group)).take(4).cloned().collect::<Vec<_>>()
    };
    let nodes = ["a07", "a08", "b05", "b07"].map(of_group).concat();
    let job = Job { name: "sixteen".into(), nodes };
    let routing: Box<dyn Routing> = Box::new(OnePath(ecmp, Streams::new(1)));
    let instance = Instance::trusted(topology, routing);
    let bundles = Bundles::of(&instance, &job, &quiet()).unwrap();
    let ring = generate("ring", 16).unwrap();
    let worst = worst_order(&bundles, &ring, &search(8, 3000), &quiet()).unwrap();
    let best = best_order(&bundles, &ring, &search(8, 3000), &quiet()).unwrap();
    assert_eq!(
        (&best.cost.most, best.is_exact(), best.phases[0].pairs),
        (&Rational::ONE, true, 64)
    );
    // No more than four of the adapters are at any leaf.
    assert_eq!(worst.cost.most, Rational::from(4));
}
