//! Loads of traffic: routings over several paths, exact loads, contention, closed-form optu, and
//! the verb `load`.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod contention;
mod cuts;
mod link_loads;
mod products;
mod splits;
mod verb;

use std::collections::BTreeMap;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routebound::load::LinkLoads;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::routing::{Instance, Routing};
use routebound::topology::{Host, LinkId, NetworkBuilder, Topology, host_number};
use routebound::traffic::Demand;

fn ratio(text: &str) -> Rational {
    text.parse().unwrap()
}

fn demand(s: Host, d: Host) -> Demand {
    Demand { s, d, amount: Rational::ONE }
}

fn demands(pairs: impl IntoIterator<Item = (Host, Host)>) -> Vec<Demand> {
    pairs.into_iter().filter(|(s, d)| s != d).map(|(s, d)| demand(s, d)).collect()
}

fn shift(hosts: usize, by: u32) -> Vec<Demand> {
    let hosts = host_number(hosts);
    demands((0..hosts).map(|s| (s, (s + by) % hosts)))
}

fn all_to_all(hosts: usize) -> Vec<Demand> {
    let hosts = host_number(hosts);
    demands((0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))))
}

fn random_image(hosts: usize, random: &mut ChaCha8Rng) -> Vec<Host> {
    let mut image: Vec<Host> = (0..host_number(hosts)).collect();
    image.shuffle(random);
    image
}

/// Each pair with probability 1/2, amounts p/q with p in 1..=20 and q in 1..=6.
fn random_traffic(hosts: usize, random: &mut ChaCha8Rng) -> Vec<Demand> {
    let mut traffic = all_to_all(hosts);
    traffic.retain(|_| random.random_bool(0.5));
    for demand in &mut traffic {
        let (p, q) = (random.random_range(1..=20), random.random_range(1..=6));
        demand.amount = Rational::new(p, q).unwrap();
    }
    traffic
}

fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn loads<'t>(instance: &'t Instance, demands: &[Demand]) -> LinkLoads<'t> {
    let (topology, routing) = (instance.topology(), instance.routing());
    LinkLoads::of(topology, routing, demands, &Progress::silent()).unwrap()
}

/// A network of `hosts` hosts and further switches, one directed link for each pair of nodes.
fn network(hosts: usize, switches: usize, links: &[(usize, usize)]) -> Topology {
    let mut network = NetworkBuilder::new();
    let mut node = |node: usize| {
        let name = format!("n{node}");
        if node < hosts { network.host(name) } else { network.switch(name) }
    };
    let nodes: Vec<_> = (0..hosts + switches).map(&mut node).collect();
    for (port, (from, to)) in (1..).zip(links) {
        network.link_at((nodes[*from], port), (nodes[*to], port), Rational::ONE);
    }
    network.build("by hand").unwrap()
}

/// The same network without labels.
fn unlabelled(topology: &Topology) -> Topology {
    Topology::new("no labels".into(), topology.graph().clone()).unwrap()
}

/// Share of a pair on every link, from its paths.
fn shares_of_paths(routing: &dyn Routing, s: Host, d: Host) -> BTreeMap<LinkId, Rational> {
    let mut shares = BTreeMap::new();
    routing.for_each_path(s, d, &mut Vec::new(), &mut |share, links| {
        for link in links {
            *shares.entry(*link).or_insert(Rational::ZERO) += share;
        }
    });
    shares
}
