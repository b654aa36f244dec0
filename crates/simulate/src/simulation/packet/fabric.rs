//! A network as the simulator walks it: flat arrays by link and by node.

use super::SimulationError;
use crate::prelude::*;

/// Maximum number of words of 64 bits for the requests of inputs at outputs: half a gibibyte.
const MAX_REQUEST_WORDS: u64 = 1 << 26;

/// Lists of links, one for each node.
#[derive(Debug)]
struct Lists {
    start: Vec<u32>,
    links: Vec<LinkId>,
}

impl Lists {
    fn of(lists: impl Iterator<Item = Vec<LinkId>>) -> Self {
        let (mut start, mut links) = (vec![0], Vec::new());
        for list in lists {
            links.extend(list);
            start.push(index32(links.len()));
        }
        Self { start, links }
    }

    fn at(&self, node: NodeId) -> &[LinkId] {
        let [from, to] = [node as usize, node as usize + 1].map(|at| self.start[at] as usize);
        &self.links[from..to]
    }
}

/// Nodes and links.
#[derive(Debug)]
pub(super) struct Fabric {
    pub(super) hosts: usize,
    pub(super) nodes: usize,
    /// Sending and receiving node of every link.
    pub(super) from: Vec<NodeId>,
    pub(super) to: Vec<NodeId>,
    /// Place of a link among the inputs of its receiving node.
    pub(super) place: Vec<u32>,
    inputs: Lists,
    outputs: Lists,
    /// Cycles for some flits over a link, as (for, flits), where a capacity is not 1.
    speeds: Option<Vec<(u64, u64)>>,
    /// First word of the requests at an output.
    pub(super) words: Vec<u32>,
}

impl Fabric {
    /// O(nodes + links).
    pub(super) fn of(topology: &Topology) -> Result<Self, SimulationError> {
        let graph = topology.graph();
        let ends = graph.edge_indices().filter_map(|link| graph.edge_endpoints(link));
        let (from, to): (Vec<_>, Vec<_>) =
            ends.map(|(from, to)| (index32(from.index()), index32(to.index()))).unzip();
        let inputs = Lists::of(topology.node_numbers().map(|v| sorted(topology.links_to(v))));
        let outputs = Lists::of(topology.node_numbers().map(|v| sorted(topology.links_from(v))));
        let mut place = vec![0; topology.links()];
        for node in topology.node_numbers() {
            for (at, link) in inputs.at(node).iter().enumerate() {
                place[*link as usize] = index32(at);
            }
        }
        let speeds = speeds(topology)?;
        let (hosts, nodes) = (topology.hosts(), topology.nodes());
        let mut fabric =
            Self { hosts, nodes, from, to, place, inputs, outputs, speeds, words: Vec::new() };
        fabric.words = fabric.request_words()?;
        Ok(fabric)
    }

    pub(super) fn links(&self) -> usize {
        self.from.len()
    }

    pub(super) fn inputs(&self, node: NodeId) -> &[LinkId] {
        self.inputs.at(node)
    }

    pub(super) fn outputs(&self, node: NodeId) -> &[LinkId] {
        self.outputs.at(node)
    }

    /// The number of inputs of a node, which is also the place of what its own host sends.
    pub(super) fn own(&self, node: NodeId) -> u32 {
        index32(self.inputs(node).len())
    }

    /// Number of cycles that a link takes for `flits` flits.
    #[inline]
    pub(super) fn cycles(&self, link: LinkId, flits: u32) -> u64 {
        match &self.speeds {
            None => u64::from(flits),
            Some(speeds) => {
                let (cycles, per) = speeds[link as usize];
                (u64::from(flits) * cycles).div_ceil(per)
            }
        }
    }

    /// Where the bits of each output begin, and their end: one bit for each input, and one for the host.
    fn request_words(&self) -> Result<Vec<u32>, SimulationError> {
        let words = |link: usize| u64::from(self.own(self.from[link]) / 64 + 1);
        let total: u64 = (0..self.links()).map(words).sum();
        let remedy = "simulate a network with smaller switches";
        within("words for requests of inputs", Some(total.into()), MAX_REQUEST_WORDS, remedy)?;
        let starts = (0..self.links()).scan(0, |sum, link| {
            let start = *sum;
            *sum += words(link);
            Some(index32(as_size(start)))
        });
        let mut starts: Vec<u32> = starts.collect();
        starts.push(index32(as_size(total)));
        Ok(starts)
    }
}

fn sorted(links: impl Iterator<Item = LinkId>) -> Vec<LinkId> {
    let mut links: Vec<_> = links.collect();
    links.sort_unstable();
    links
}

/// Cycles per flits of all links, unless all have capacity 1.
fn speeds(topology: &Topology) -> Result<Option<Vec<(u64, u64)>>, SimulationError> {
    let capacity = |link: LinkId| &topology.link(link).capacity;
    if topology.link_numbers().all(|link| *capacity(link) == Rational::ONE) {
        return Ok(None);
    }
    let small = |number: &dashu_int::UBig| u64::try_from(number).ok().filter(|n| *n < 1 << 32);
    let speed = |link: LinkId| {
        let capacity = capacity(link);
        let parts = small(capacity.denominator()).zip(small(&capacity.numerator()));
        parts.ok_or_else(|| SimulationError::Capacity {
            link: topology.link_name(link),
            capacity: capacity.clone(),
        })
    };
    topology.link_numbers().map(speed).collect::<Result<_, _>>().map(Some)
}
