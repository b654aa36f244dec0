//! λ(M) of many messages: counted level by level, as they are sent, and not path by path.

use super::loss::{Congested, LossRule};
use super::messages::FEWER;
use super::network::{Flight, Network, Part, Rules, ordered};
use super::run::MAX_CYCLES;
use super::{Concentrators, DeliveryError, Messages};
use crate::channels::{Channel, UP, WireTree};
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::ratio::Ratio;
use crate::sampling::{Stream, Streams};

/// The channel that determines the load factor of a set of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bottleneck {
    /// λ(M), messages ÷ wires.
    pub load_factor: Ratio,
    /// A channel with that many messages for each of its wires: of those, one that is nearest the root,
    /// up before down.
    pub channel: Channel,
    /// The messages that must pass it.
    pub messages: u64,
    /// Its wires.
    pub wires: u64,
}

impl Bottleneck {
    /// ⌈λ(M)⌉: no schedule has fewer cycles.
    #[must_use]
    pub fn least_cycles(&self) -> u64 {
        self.messages.div_ceil(self.wires)
    }

    /// Whether a run can keep that many cycles.
    ///
    /// # Errors
    /// [`TooLarge`] above [`MAX_CYCLES`].
    pub fn check_cycles(&self) -> Result<u64, TooLarge> {
        let least = self.least_cycles();
        within("least number of cycles of a run", Some(least.into()), MAX_CYCLES, FEWER)
    }
}

/// λ(M) by \[GL\] Lemma 1, the maximum over all channels of messages ÷ wires; `None` without
/// messages. O(pairs·levels).
///
/// # Errors
/// [`DeliveryError::UnknownHost`] when an end of a message is not on the tree.
///
/// ```
/// use routebound::channels::WireTree;
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
    // Without wires every channel that a message must pass asks the rule.
    let bare = tree.clone().with_wires(|_| 0);
    let mut network = Concentrators::new(&bare);
    let entries = ordered(&network, messages)?;
    network.prepare(entries.iter().map(|(s, d, _)| (*s, *d)).collect());
    let parts: Vec<Part> = (0..index32(entries.len()))
        .zip(&entries)
        .map(|(entry, (_, _, count))| Part { entry, count: *count })
        .collect();
    let mut measure = Measure { tree, worst: None };
    let mut rules = Rules { loss: &mut measure, random: &mut Streams::new(0).at(0) };
    network.cycle(&parts, &mut rules, &mut Vec::new());
    Ok(measure.worst.and_then(|(messages, wires, channel)| {
        let load_factor = Ratio::new(messages, wires)?;
        let channel = tree.channel(index32(channel / 2), channel % 2);
        Some(Bottleneck { load_factor, channel, messages, wires })
    }))
}

/// A rule that loses nothing and keeps the channel with the most messages for each wire.
struct Measure<'t> {
    tree: &'t WireTree,
    worst: Option<(u64, u64, usize)>,
}

impl LossRule for Measure<'_> {
    fn choose(&mut self, at: Congested, flights: &mut [Flight], _: &mut Stream) -> usize {
        let wires = self.tree.wires(index32(at.channel / 2))[at.channel % 2];
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        // Channels up come from the hosts to the root, then those down from there.
        let is_up = at.channel % 2 == UP;
        let is_worse = self.worst.is_none_or(|(messages, than, _)| {
            let (this, worst) = (product(at.messages, than), product(messages, wires));
            this > worst || (is_up && this == worst)
        });
        if is_worse {
            self.worst = Some((at.messages, wires, at.channel));
        }
        flights.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::ChannelTree;
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
                let wanted = &tree.load_factor(traffic.demands()).value * &Ratio::from(1 + seed);
                let found = bottleneck(&wires, &messages).unwrap();
                let Some(found) = found else {
                    assert!(wanted.is_zero());
                    continue;
                };
                assert_eq!(found.load_factor, wanted, "{spec}");
                let loads = tree.loads(traffic.demands());
                let load = loads.iter().find(|(channel, _)| *channel == found.channel).unwrap();
                assert_eq!(&load.1 * &Ratio::from(1 + seed), Ratio::from(found.messages));
                assert_eq!(*tree.capacity(found.channel), Ratio::from(found.wires));
            }
        }
        let tree = ChannelTree::of(&generate("universal(4)").unwrap()).unwrap();
        let none = bottleneck(&WireTree::of(&tree).unwrap(), &Messages::new());
        assert_eq!(none, Ok(None));
    }
}
