//! The flows of traffic on a tree, and the contention of a set of them.

use crate::integer::rounded;
use crate::matching::{Graph, Matching, NONE};
use crate::prelude::*;
use crate::simulation::adaptive::PatternError;
use crate::traffic::{Demand, TrafficMatrix};

/// Maximum number of SD pairs with traffic.
pub(super) const MAX_FLOWS: u64 = 1 << 18;
/// Maximum number of links of the tree.
pub(super) const MAX_LINKS: u64 = 1 << 22;

/// The maximum amount in units of weight, and the maximum inverse of a capacity. Amounts are
/// rounded to these: they steer the search and are not a result.
const UNITS: f64 = 1_048_576.0;
const INVERSE: f64 = 256.0;

/// An SD pair with traffic.
pub(super) struct Flow {
    pub s: Host,
    pub d: Host,
    /// Level of the nearest common ancestors: the number of its up-digits.
    pub level: usize,
    weight: u64,
}

/// Traffic that needs a path for every flow. Flows are numbered in the order of the demands, by source
/// and destination.
pub(super) struct Problem<'t> {
    pub tree: &'t Xgft,
    pub flows: Vec<Flow>,
    pub links: usize,
    /// Load that a unit of weight adds to a link of every step.
    inverse: Vec<u64>,
}

impl<'t> Problem<'t> {
    pub fn new(tree: &'t Xgft, traffic: &TrafficMatrix) -> Result<Self, PatternError> {
        let (hosts, found) = (tree.hosts(), traffic.hosts());
        if hosts != found {
            return Err(PatternError::Hosts { hosts, found });
        }
        let remedy = "use traffic of fewer pairs";
        within("number of SD pairs", Some(traffic.len() as u128), MAX_FLOWS, remedy)?;
        let up = |step: usize| tree.level_nodes(step - 1) * tree.parents(step) as usize;
        let links = 2 * (1..=tree.height()).map(up).sum::<usize>();
        within("number of links", Some(links as u128), MAX_LINKS, "use a smaller tree")?;
        let most = traffic.demands().iter().map(|demand| &demand.amount).max();
        let unit = most.map_or(1.0, |most| most.to_f64() / UNITS);
        let flow = |demand: &Demand| Flow {
            s: demand.s,
            d: demand.d,
            level: tree.nca_level(demand.s, demand.d),
            weight: rounded(demand.amount.to_f64() / unit).max(1),
        };
        let flows = traffic.demands().iter().map(flow).collect();
        let least = tree.capacities().iter().min().map_or(1.0, Rational::to_f64);
        let inverse = tree.capacities().iter();
        let inverse = inverse.map(|capacity| rounded(INVERSE * least / capacity.to_f64()).max(1));
        Ok(Self { tree, flows, links, inverse: inverse.collect() })
    }

    pub fn flow(&self, flow: u32) -> &Flow {
        &self.flows[flow as usize]
    }

    /// The numbers of all flows.
    pub fn numbers(&self) -> std::ops::Range<u32> {
        0..index32(self.flows.len())
    }

    /// Writes the links of a flow with these up-digits.
    pub fn path(&self, flow: u32, up: &[u32], links: &mut Vec<LinkId>) {
        let Flow { s, d, level, .. } = self.flow(flow);
        links.clear();
        self.tree.push_path(*s, *d, &up[..*level], links);
    }

    /// Load that a flow adds to the link at this place of its path.
    pub fn load(&self, flow: u32, place: usize) -> u64 {
        let Flow { level, weight, .. } = self.flow(flow);
        weight * self.inverse[place.min(2 * level - 1 - place)]
    }
}

/// Counts how many flows of a set compete: the maximum number of them without a common source or
/// destination.
#[derive(Default)]
pub(super) struct Counter {
    graph: Graph,
    matching: Matching,
    /// The place of every destination, [`NONE`] for those of no flow.
    place: Vec<u32>,
}

impl Counter {
    /// The contention of flows, which are ascending. O(flows · √flows).
    pub fn contention(&mut self, problem: &Problem<'_>, flows: &[u32]) -> u32 {
        if flows.len() < 2 {
            return index32(flows.len());
        }
        self.read(problem, flows);
        let (sources, destinations) = (self.graph.left(), self.graph.right);
        if sources.min(destinations) == 1 {
            return 1;
        }
        if sources == flows.len() && destinations == flows.len() {
            return index32(flows.len());
        }
        self.matching.maximise(&self.graph);
        index32(self.matching.size)
    }

    /// The flows of every host of a least cover: without those of one host, the contention is less by
    /// one. A flow may be in two of the sets.
    pub fn cover(&mut self, problem: &Problem<'_>, flows: &[u32]) -> Vec<Vec<u32>> {
        self.read(problem, flows);
        self.matching.maximise(&self.graph);
        let (sources, destinations) = self.matching.cover(&self.graph);
        let from = |source: u32| {
            let source = source as usize;
            let (start, end) = (self.graph.offsets[source], self.graph.offsets[source + 1]);
            flows[start as usize..end as usize].to_vec()
        };
        let to = |destination: u32| {
            let ends = flows.iter().zip(&self.graph.targets);
            ends.filter(|(_, end)| **end == destination).map(|(flow, _)| *flow).collect()
        };
        sources.into_iter().map(from).chain(destinations.into_iter().map(to)).collect()
    }

    fn read(&mut self, problem: &Problem<'_>, flows: &[u32]) {
        self.place.resize(problem.tree.hosts(), NONE);
        self.graph.offsets.clear();
        self.graph.targets.clear();
        self.graph.right = 0;
        let mut last = None;
        for (at, flow) in flows.iter().enumerate() {
            let Flow { s, d, .. } = problem.flow(*flow);
            if last.replace(*s) != Some(*s) {
                self.graph.offsets.push(index32(at));
            }
            let place = &mut self.place[*d as usize];
            if *place == NONE {
                *place = index32(self.graph.right);
                self.graph.right += 1;
            }
            self.graph.targets.push(*place);
        }
        self.graph.offsets.push(index32(flows.len()));
        for flow in flows {
            self.place[problem.flow(*flow).d as usize] = NONE;
        }
    }
}
