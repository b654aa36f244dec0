//! GREEDY on messages that only rise, with the highest congested channel of every cycle.

use super::greedy_lambda::ceil;
use super::prelude::*;
use crate::channel_tree::UP;
use crate::sampling::Stream;
use crate::simulation::delivery::loss::{Congested, LossRule};
use crate::simulation::delivery::{Concentrators, DeliveryError, Flight, Network, Outbox, Rules};
use crate::topology::NetworkBuilder;

/// The observed run of GREEDY.
#[derive(Debug)]
pub(super) struct Observed {
    /// ⌈λ⌉ of the messages.
    pub(super) lambda: u64,
    /// Channels between the deepest node and the outside world.
    pub(super) levels: u64,
    /// Cycles until all is delivered.
    pub(super) cycles: u64,
    /// For every cycle, how far below the outside world the highest congested channel is; `None` where
    /// none is congested.
    pub(super) highest: Vec<Option<usize>>,
}

impl Observed {
    /// All of it in words.
    pub(super) fn text(&self) -> String {
        let Self { lambda, levels, cycles, highest } = self;
        let level =
            |level: &Option<usize>| level.map_or("none".to_string(), |level| level.to_string());
        let highest: Vec<String> = highest.iter().map(level).collect();
        format!(
            "{cycles} cycles, ceil(lambda) = {lambda}, {levels} levels, levels above the highest congested channel, \
             cycle by cycle: {}",
            highest.join(" ")
        )
    }

    /// Whether the highest congested channel never rises, and stays on no level longer than `most`
    /// cycles.
    pub(super) fn drops_every(&self, most: u64) -> bool {
        let lengths = self.highest.chunk_by(|one, next| one == next).filter(|run| run[0].is_some());
        let depth = |depth: &Option<usize>| depth.unwrap_or(usize::MAX);
        let never_rises = self.highest.windows(2).all(|pair| depth(&pair[0]) <= depth(&pair[1]));
        never_rises && lengths.clone().all(|run| run.len() as u64 <= most)
    }
}

/// Runs GREEDY.
pub(super) fn observe(
    tree: &WireTree,
    messages: &Messages,
    loss: &Loss,
    seed: u64,
    progress: &Progress,
) -> Result<Observed> {
    let mut network = Concentrators::new(tree);
    let mut entries: Vec<(Host, Host, u64)> = messages.iter().collect();
    entries.sort_by_key(|(s, _, _)| network.injection_rank(*s));
    network.prepare(entries.iter().map(|(s, d, _)| (*s, *d)).collect());
    let mut outbox = Outbox::new(entries.iter().map(|(_, _, count)| *count).collect());
    let mut spy = Spy { rule: (loss.rule)(), tree, highest: None };
    let (mut parts, mut arrived, streams) = (Vec::new(), Vec::new(), Streams::new(seed));
    let lambda = bottleneck(tree, messages)?.map_or(0, |found| ceil(&found.load_factor));
    let levels = tree.levels() as u64 - 1;
    let mut observed = Observed { lambda, levels, cycles: 0, highest: Vec::new() };
    while outbox.total() > 0 {
        progress.check()?;
        outbox.all(&mut parts);
        arrived.clear();
        let random = &mut streams.at(observed.cycles);
        network.cycle(&parts, &mut Rules { loss: &mut spy, random }, &mut arrived);
        outbox.deliver(&arrived).ok_or(DeliveryError::Twice)?;
        observed.cycles += 1;
        observed.highest.push(spy.highest.take());
    }
    Ok(observed)
}

/// A rule, and the highest channel that it was asked about.
struct Spy<'t> {
    rule: Box<dyn LossRule>,
    tree: &'t WireTree,
    highest: Option<usize>,
}

impl LossRule for Spy<'_> {
    fn choose(&mut self, at: Congested, flights: &mut [Flight], random: &mut Stream) -> usize {
        if at.channel % 2 == UP {
            let level = self.tree.level(index32(at.channel / 2));
            self.highest = Some(self.highest.map_or(level, |highest| highest.min(level)));
        }
        self.rule.choose(at, flights, random)
    }
}

/// A fat-tree with a processor at every switch, and all pairs of a node and one above it. Nodes are
/// numbered from the leaves up; the last is the outside world.
pub(super) fn with_processors_inside(
    shape: &UniversalShape,
) -> Result<(WireTree, Vec<(Host, Host)>)> {
    let hypothesis = || defect(shape.spec());
    let mut network = NetworkBuilder::new();
    let wires: Vec<u64> = shape.wires().iter().copied().chain(shape.root()).collect();
    let mut nodes = Vec::new();
    for level in 0..=shape.height() {
        let of_level = shape.hosts() >> level;
        nodes.push(
            (0..of_level).map(|at| network.host(format!("{level},{at}"))).collect::<Vec<_>>(),
        );
    }
    nodes.push(vec![network.host("outside")]);
    for (level, wires) in wires.iter().enumerate() {
        for (at, node) in nodes[level].iter().enumerate() {
            network.cable(*node, nodes[level + 1][at / 2], Rational::from(*wires));
        }
    }
    let tree = ChannelTree::of(&network.build(shape.spec())?).ok_or_else(hypothesis)?;
    let tree = WireTree::of(&tree).map_err(|_| hypothesis())?;
    let mut pairs = Vec::new();
    for s in 0..index32(tree.hosts()) {
        let mut above = tree.rank(s);
        while above != 0 {
            above = tree.parent(above);
            let to = (0..index32(tree.hosts())).find(|host| tree.rank(*host) == above);
            pairs.extend(to.map(|to| (s, to)));
        }
    }
    Ok((tree, pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two leaves below a root of one wire, A with a message to the root and one to the outside, B with
    /// two to the outside: A's channel is congested first, then the root channel, above it.
    #[test]
    fn congestion_may_rise() {
        let shape = UniversalShape::named("universal(2,growth=constant,root=open)");
        let (tree, pairs) = with_processors_inside(&shape.unwrap().unwrap()).unwrap();
        assert_eq!(pairs, [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let messages = Messages::listed([(0, 2, 1), (0, 3, 1), (1, 3, 2)]).unwrap();
        let left = loss::find("left").unwrap().build;
        let found = observe(&tree, &messages, &left, 1, &Progress::silent()).unwrap();
        assert_eq!((found.cycles, &found.highest[..]), (3, &[Some(2), Some(1), None][..]));
        assert!(!found.drops_every(9));
    }

    #[test]
    fn levels_last() {
        let of = |highest: &[usize]| Observed {
            lambda: 0,
            levels: 0,
            cycles: 0,
            highest: highest.iter().map(|depth| Some(*depth)).chain([None]).collect(),
        };
        assert!(of(&[1, 1, 2, 4, 4]).drops_every(2));
        assert!(!of(&[1, 1, 2, 4, 4]).drops_every(1));
        assert!(!of(&[2, 1]).drops_every(2));
    }
}
