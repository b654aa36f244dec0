//! A network between its gates, with traffic per pair of gates.

use std::collections::BTreeMap;

use crate::integer::index32;
use crate::optimum::baseload_lengths;
use crate::optimum::gates::Gates;
use crate::optimum::problem::{Group, in_units};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId, Topology};
use crate::traffic::{Demand, Product, TrafficView};

/// Maximum number of pairs of gates, counted per product: about 500 MB.
const MAX_PAIRS: u64 = 1 << 22;

/// All links from one node to another that are private to no host.
pub struct Arc {
    /// Where they begin.
    pub tail: NodeId,
    /// Where they end.
    pub head: NodeId,
    /// Total capacity of the links ÷ the largest capacity of a link.
    pub capacity: f64,
    /// The links, each with its capacity ÷ the largest one.
    pub links: Vec<(LinkId, f64)>,
}

/// A network and traffic, by gate.
pub struct Classes<'t> {
    topology: &'t Topology,
    gates: Gates,
    arcs: Vec<Arc>,
    /// Arcs out of and into every node.
    around: [Vec<Vec<u32>>; 2],
    /// Per gate that gets traffic, as the source of its group, the gates that send it.
    demands: Vec<Group>,
    units: u128,
    largest: Rational,
    baseload: (Rational, Vec<(LinkId, u64)>),
}

impl<'t> Classes<'t> {
    /// Adds the traffic up by gate; `None` when a demand is not between two different hosts, amounts need integers of
    /// too many bits, or products are between more than about 4 million pairs of gates. Products are not listed.
    /// O(nodes + links + demands · log gates).
    #[must_use]
    pub fn new<'a>(topology: &'t Topology, traffic: impl Into<TrafficView<'a>>) -> Option<Self> {
        let traffic = traffic.into();
        let gates = Gates::new(topology);
        let exists = |host: Host| (host as usize) < topology.hosts();
        let (units, demands) = match traffic {
            TrafficView::Listed(demands) => {
                let is_pair =
                    |demand: &Demand| demand.s != demand.d && exists(demand.s.max(demand.d));
                demands.iter().all(is_pair).then(|| of_demands(&gates, demands))??
            }
            TrafficView::Products(products) => of_products(&gates, products.products())?,
        };
        let capacities = topology.link_numbers().map(|link| &topology.link(link).capacity);
        let largest = capacities.max().cloned().unwrap_or(Rational::ONE);
        let arcs = arcs(topology, &gates, &largest);
        let mut around = [(); 2].map(|()| vec![Vec::new(); topology.nodes()]);
        for (arc, Arc { tail, head, .. }) in arcs.iter().enumerate() {
            around[0][*tail as usize].push(index32(arc));
            around[1][*head as usize].push(index32(arc));
        }
        let baseload = baseload_lengths(topology, traffic);
        Some(Self { topology, gates, arcs, around, demands, units, largest, baseload })
    }

    /// The network.
    #[must_use]
    pub fn topology(&self) -> &'t Topology {
        self.topology
    }

    /// The gates of the network.
    #[must_use]
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The links between switches, parallel ones together.
    #[must_use]
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// The arcs out of a node.
    #[must_use]
    pub fn out(&self, node: NodeId) -> &[u32] {
        &self.around[0][node as usize]
    }

    /// The arcs into a node.
    #[must_use]
    pub fn inward(&self, node: NodeId) -> &[u32] {
        &self.around[1][node as usize]
    }

    /// The traffic of every gate that gets some from other gates: its group's `source` is the gate that gets it, and
    /// the `sinks` are those that send it, both as numbers of gates.
    #[must_use]
    pub fn demands(&self) -> &[Group] {
        &self.demands
    }

    /// Units of one unit of demand.
    #[must_use]
    pub fn units(&self) -> u128 {
        self.units
    }

    /// Baseload: the load that the links of hosts impose, with the lengths that prove it.
    #[must_use]
    pub fn baseload(&self) -> &(Rational, Vec<(LinkId, u64)>) {
        &self.baseload
    }

    /// A load in units ÷ relative capacity, as floats see it.
    #[must_use]
    pub fn relative(&self, load: &Rational) -> f64 {
        load.to_f64() * self.units as f64 * self.largest.to_f64()
    }
}

/// Units of one unit of demand, and the traffic of every gate.
type InUnits = (u128, Vec<Group>);

fn of_demands(gates: &Gates, demands: &[Demand]) -> Option<InUnits> {
    let (units, groups) = in_units(demands)?;
    let mut between = BTreeMap::<(u32, u32), u128>::new();
    for Group { source, sinks } in groups {
        let from = gates.of(source);
        for (to, units) in sinks.into_iter().map(|(d, units)| (gates.of(d), units)) {
            if from != to {
                *between.entry((to, from)).or_default() += units;
            }
        }
    }
    let mut demands: Vec<Group> = Vec::new();
    for ((to, from), units) in between {
        match demands.last_mut().filter(|group| group.source == to) {
            None => demands.push(Group { source: to, sinks: vec![(from, units)] }),
            Some(group) => group.sinks.push((from, units)),
        }
    }
    Some((units, demands))
}

/// Both ends of a pair that a product leaves out are one host, so at one gate.
fn of_products(gates: &Gates, products: &[Product]) -> Option<InUnits> {
    let (mut between, mut pairs_of_gates) = (Vec::new(), 0);
    for Product { sources, destinations, amount } in products {
        let [sources, destinations] = [sources, destinations].map(|hosts| {
            let mut counts = BTreeMap::<u32, u64>::new();
            for host in hosts {
                *counts.entry(gates.of(*host)).or_default() += 1;
            }
            counts
        });
        pairs_of_gates += (sources.len() as u64).saturating_mul(destinations.len() as u64);
        if pairs_of_gates > MAX_PAIRS {
            return None;
        }
        for (to, receivers) in destinations {
            for (from, senders) in sources.iter().filter(|(from, _)| **from != to) {
                let pairs = &Rational::from(receivers) * &Rational::from(*senders);
                between.push(Demand { s: to, d: *from, amount: amount * &pairs });
            }
        }
    }
    in_units(&between)
}

fn arcs(topology: &Topology, gates: &Gates, largest: &Rational) -> Vec<Arc> {
    let mut arcs: Vec<Arc> = Vec::new();
    for tail in topology.node_numbers() {
        let mut links = gates.links_out(tail).to_vec();
        links.sort_unstable_by_key(|(link, head)| (*head, *link));
        for parallel in links.chunk_by(|a, b| a.1 == b.1).filter(|links| links[0].1 != tail) {
            let relative = |(link, _): &(LinkId, NodeId)| {
                let part = topology.link(*link).capacity.checked_div(largest);
                (*link, part.map_or(1.0, |part| part.to_f64().max(1e-100)))
            };
            let links: Vec<_> = parallel.iter().map(relative).collect();
            let capacity = links.iter().map(|(_, capacity)| capacity).sum();
            arcs.push(Arc { tail, head: parallel[0].1, capacity, links });
        }
    }
    arcs
}
