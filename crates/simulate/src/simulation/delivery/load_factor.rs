//! λ(M) of many messages: counted at both ends and where they turn, and not along their paths.

use super::messages::{FEWER, MAX_CYCLES};
use super::network::{Entries, ordered};
use super::{Concentrators, DeliveryError, Messages};
use crate::channel_tree::{Channel, DOWN, UP, WireTree};
use crate::prelude::*;

/// The channel that determines the load factor of a set of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bottleneck {
    /// λ(M), messages ÷ wires.
    pub load_factor: Rational,
    /// A channel with λ(M) messages for each of its wires: of those, one that is nearest the root,
    /// up before down.
    pub channel: Channel,
    /// The messages that must pass it.
    pub messages: u64,
    /// Number of wires of the channel.
    pub wires: u64,
}

impl Bottleneck {
    /// ⌈λ(M)⌉: no schedule has fewer cycles.
    #[must_use]
    pub fn least_cycles(&self) -> u64 {
        self.messages.div_ceil(self.wires)
    }

    /// The least number of cycles, if a run can keep them.
    ///
    /// # Errors
    /// [`TooLarge`] above [`MAX_CYCLES`].
    pub fn check_cycles(&self) -> Result<u64, TooLarge> {
        let least = self.least_cycles();
        within("least number of cycles of a run", Some(least.into()), MAX_CYCLES, FEWER)
    }
}

/// λ(M) by \[GL\] Lemma 1, the maximum over all channels of messages ÷ wires; `None` without
/// messages. O(pairs·levels + nodes).
///
/// # Errors
/// [`DeliveryError::UnknownHost`] when an end of a message is not on the tree.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::channel_tree::WireTree;
/// use routebound::simulation::delivery::{Messages, bottleneck};
/// use routebound::{topology::UniversalShape, traffic};
/// let shape = UniversalShape::named("universal(16)")?.ok_or("another family")?;
/// let messages = Messages::of(&traffic::generate("shift(8)", 16)?.into_demands())?;
/// let found = bottleneck(&WireTree::universal(&shape), &messages)?.ok_or("no messages")?;
/// assert_eq!((found.messages, found.wires), (8, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bottleneck(
    tree: &WireTree,
    messages: &Messages,
) -> Result<Option<Bottleneck>, DeliveryError> {
    // In the order of the sources, since the way up of neighbours is the same in memory.
    let Entries { ends, counts } = ordered(&Concentrators::new(tree), messages)?;
    let ways = ends.iter().zip(&counts).map(|((s, d), count)| {
        let (ranks, to) = ([tree.rank(*s), tree.rank(*d)], tree.position(*d));
        let mut apex = ranks[UP];
        while !tree.hosts_below(apex).contains(&to) {
            apex = tree.parent(apex);
        }
        (ranks, apex, *count)
    });
    let through = through(tree, ways);
    let mut worst = Worst::default();
    for level in (0..tree.levels()).rev() {
        for rank in tree.level_ranks(level) {
            worst.see(rank, UP, through[rank as usize][UP], tree.wires(rank)[UP]);
        }
    }
    for rank in 0..index32(tree.nodes()) {
        worst.see(rank, DOWN, through[rank as usize][DOWN], tree.wires(rank)[DOWN]);
    }
    Ok(worst.channel.and_then(|(rank, way)| {
        let (messages, wires) = worst.load;
        let (load_factor, channel) = (Rational::new(messages, wires)?, tree.channel(rank, way));
        Some(Bottleneck { load_factor, channel, messages, wires })
    }))
}

/// Number of messages that must pass the channels between every rank and its parent, up and down: of
/// those that begin or end below it, all that turn above it. `ways` are the ranks of source,
/// destination and apex, with numbers of messages. O(ways + nodes).
pub(super) fn through(
    tree: &WireTree,
    ways: impl Iterator<Item = ([u32; 2], u32, u64)>,
) -> Vec<[u64; 2]> {
    let mut through = vec![[0, 0]; tree.nodes()];
    let mut turn = vec![0; tree.nodes()];
    for (ranks, apex, count) in ways {
        through[ranks[UP] as usize][UP] += count;
        through[ranks[DOWN] as usize][DOWN] += count;
        turn[apex as usize] += count;
    }
    for rank in (0..tree.nodes()).rev() {
        // Those that turn here have been counted below, both ways.
        let here = through[rank].map(|messages| messages - turn[rank]);
        through[rank] = here;
        if rank > 0 {
            let above = &mut through[tree.parent(index32(rank)) as usize];
            *above = [above[UP] + here[UP], above[DOWN] + here[DOWN]];
        }
    }
    through
}

/// The channel with the most messages for each wire among those seen.
#[derive(Default)]
struct Worst {
    channel: Option<(u32, usize)>,
    /// Its messages and wires.
    load: (u64, u64),
}

impl Worst {
    /// Channels up come from the hosts to the root, then those down from there.
    fn see(&mut self, rank: u32, way: usize, messages: u64, wires: u64) {
        if messages == 0 {
            return;
        }
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let (this, worst) = (product(messages, self.load.1), product(self.load.0, wires));
        if self.channel.is_none() || this > worst || (way == UP && this == worst) {
            (self.channel, self.load) = (Some((rank, way)), (messages, wires));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::flight::Flight;
    use super::super::loss::{Congested, LossRule};
    use super::super::network::{Network, Part, Rules};
    use super::*;
    use crate::channel_tree::ChannelTree;
    use crate::topology::UniversalShape;
    use crate::topology::generate;
    use crate::traffic;

    /// Against the sums over paths.
    #[test]
    fn load_factors_are_those_of_paths() {
        for spec in ["universal(16)", "universal(8,root=open)", "xgft(2;4,3;1,1)", "xgft(1;5;1)"] {
            let tree = ChannelTree::of(&generate(spec).unwrap()).unwrap();
            let wires = WireTree::of(&tree).unwrap();
            for seed in 0..30 {
                let traffic = format!("random(p=0.3,seed={seed})");
                let traffic = traffic::generate(&traffic, tree.hosts()).unwrap();
                let messages = Messages::of(traffic.demands()).unwrap().times(1 + seed).unwrap();
                let wanted = &tree.load_factor(traffic.demands()).value * &Rational::from(1 + seed);
                let found = bottleneck(&wires, &messages).unwrap();
                let Some(found) = found else {
                    assert!(wanted.is_zero());
                    continue;
                };
                assert_eq!(found.load_factor, wanted, "{spec}");
                let loads = tree.loads(traffic.demands());
                let load = loads.iter().find(|(channel, _)| *channel == found.channel).unwrap();
                assert_eq!(&load.1 * &Rational::from(1 + seed), Rational::from(found.messages));
                assert_eq!(*tree.capacity(found.channel), Rational::from(found.wires));
            }
        }
        let tree = ChannelTree::of(&generate("universal(4)").unwrap()).unwrap();
        let none = bottleneck(&WireTree::of(&tree).unwrap(), &Messages::new());
        assert_eq!(none, Ok(None));
    }

    /// A rule that loses nothing and keeps the channel with the most messages for each wire.
    struct Measure<'t>(&'t WireTree, Worst);

    impl LossRule for Measure<'_> {
        fn choose(&mut self, at: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
            let (rank, way) = (index32(at.channel / 2), at.channel % 2);
            self.1.see(rank, way, at.messages, self.0.wires(rank)[way]);
            flights.len()
        }
    }

    /// Against the simulator on the tree without wires, where the rule is asked at every channel: the
    /// same channel of several that are equally full, too.
    #[test]
    fn channels_are_as_full_as_when_all_is_sent() {
        let trees = ["universal(64)", "universal(16,growth=constant)", "universal(32,root=open)"];
        for (spec, seed) in trees.into_iter().flat_map(|spec| (0..20).map(move |seed| (spec, seed)))
        {
            let tree = WireTree::universal(&UniversalShape::named(spec).unwrap().unwrap());
            let traffic = traffic::generate(&format!("random(p=1/{},seed={seed})", 1 + seed), 16);
            let messages = Messages::of(traffic.unwrap().demands()).unwrap();
            let bare = tree.clone().with_wires(|_| 0);
            let mut network = Concentrators::new(&bare);
            let Entries { ends, counts } = ordered(&network, &messages).unwrap();
            network.prepare(ends);
            let part = |(entry, count): (u32, &u64)| Part { entry, count: *count };
            let parts: Vec<Part> = (0..).zip(&counts).map(part).collect();
            let mut rule = Measure(&tree, Worst::default());
            let mut rules = Rules { loss: &mut rule, random: &mut Streams::new(0).at(0) };
            network.cycle(&parts, &mut rules, &mut Vec::new());
            let found = bottleneck(&tree, &messages).unwrap();
            let found = found.map(|found| (found.channel, found.messages, found.wires));
            let Measure(_, Worst { channel, load }) = rule;
            let wanted = channel.map(|(rank, way)| (tree.channel(rank, way), load.0, load.1));
            assert_eq!(found, wanted, "{spec} {seed}");
        }
    }
}
