//! The expected number of cycles of GREEDY under the random rule, exactly.
//!
//! What waits after a cycle depends on what waited before it and on nothing else: a Markov chain on
//! numbers of messages by pair. At least one message is delivered in every cycle, so the expectation
//! E(M) = 1 + Σ P(U delivered)·E(M − U) rests on smaller sets alone. The probabilities follow the
//! cycle channel by channel, in an order in which every path takes its channels: of m messages that
//! reach w < m wires, k1, k2, … of the pairs' m1, m2, … continue with probability
//! C(m1,k1)·C(m2,k2)··· ÷ C(m,w).

use std::collections::HashMap;

use super::AttackError;
use super::room::each_channel;
use super::symmetry::automorphisms;
use crate::channel_tree::{UP, WireTree};
use crate::prelude::*;
use crate::simulation::delivery::Messages;

/// Maximum number of pairs of hosts with messages.
pub const MAX_PAIRS: u64 = 16;

/// Maximum number of messages: numbers of choices fit in 64 bits.
const MAX_MESSAGES: u64 = 60;

/// Numbers of messages by pair.
pub(super) type State = [u8; 16];

/// Expectations on one tree, kept for all sets that have been asked for.
pub(super) struct Expectation {
    /// Wires of the channels, and the pairs whose messages take them, in the order of travel.
    channels: Vec<(u64, Vec<usize>)>,
    /// Permutations of the pairs under which the tree is the same.
    symmetries: Vec<Vec<usize>>,
    known: HashMap<State, Rational>,
}

impl Expectation {
    /// For messages of these pairs, which all differ.
    pub(super) fn new(tree: &WireTree, pairs: &[(Host, Host)]) -> Result<Self, AttackError> {
        let what = "number of pairs with messages";
        within(what, Some(pairs.len() as u128), MAX_PAIRS, "choose a smaller tree")?;
        let nodes = index32(tree.nodes());
        // Up from the deepest level, then down again.
        let up = |rank: u32| nodes - rank;
        let mut channels: HashMap<u32, (u64, Vec<usize>)> = HashMap::new();
        for (number, pair) in pairs.iter().enumerate() {
            each_channel(tree, *pair, |rank, way| {
                let order = if way == UP { up(rank) } else { nodes + rank };
                let wires = tree.wires(rank)[way];
                channels.entry(order).or_insert((wires, Vec::new())).1.push(number);
            });
        }
        let mut ordered: Vec<_> = channels.into_iter().collect();
        ordered.sort_unstable();
        let place = |pair: (Host, Host)| pairs.iter().position(|known| *known == pair);
        let symmetries = automorphisms(tree).into_iter().filter_map(|image| {
            let of = |(s, d): &(Host, Host)| place((image[*s as usize], image[*d as usize]));
            pairs.iter().map(of).collect()
        });
        Ok(Self {
            channels: ordered.into_iter().map(|(_, channel)| channel).collect(),
            symmetries: symmetries.collect(),
            known: HashMap::from([(State::default(), Rational::ZERO)]),
        })
    }

    /// The first of all states that are the same but for a symmetry.
    pub(super) fn canonical(&self, state: &State) -> State {
        let image = |places: &Vec<usize>| {
            let mut image = State::default();
            places.iter().zip(state).for_each(|(place, count)| image[*place] = *count);
            image
        };
        self.symmetries.iter().map(image).min().unwrap_or(*state)
    }

    /// The expected number of cycles.
    pub(super) fn of(
        &mut self,
        state: &State,
        progress: &Progress,
    ) -> Result<Rational, AttackError> {
        let total = state.iter().map(|count| u128::from(*count)).sum();
        within("number of messages", Some(total), MAX_MESSAGES, "send fewer messages")?;
        self.known_or_found(self.canonical(state), progress)
    }

    fn known_or_found(
        &mut self,
        state: State,
        progress: &Progress,
    ) -> Result<Rational, AttackError> {
        if let Some(known) = self.known.get(&state) {
            return Ok(known.clone());
        }
        progress.check()?;
        let mut left: HashMap<State, Rational> = HashMap::new();
        for (delivered, probability) in self.cycle(&state) {
            let mut after = state;
            after.iter_mut().zip(delivered).for_each(|(count, gone)| *count -= gone);
            *left.entry(self.canonical(&after)).or_default() += &probability;
        }
        let mut expected = Rational::ONE;
        for (after, probability) in left {
            expected += &(&probability * &self.known_or_found(after, progress)?);
        }
        self.known.insert(state, expected.clone());
        Ok(expected)
    }

    /// What a cycle delivers, with its probability.
    fn cycle(&self, state: &State) -> HashMap<State, Rational> {
        let mut moving = HashMap::from([(*state, Rational::ONE)]);
        for (wires, pairs) in &self.channels {
            let mut after: HashMap<State, Rational> = HashMap::new();
            for (state, probability) in moving {
                for (kept, part) in choices(&state, *wires, pairs) {
                    *after.entry(kept).or_default() += &(&probability * &part);
                }
            }
            moving = after;
        }
        moving
    }
}

/// The messages that continue through a channel, with their probability.
fn choices(state: &State, wires: u64, pairs: &[usize]) -> Vec<(State, Rational)> {
    let reach: u64 = pairs.iter().map(|pair| u64::from(state[*pair])).sum();
    if reach <= wires {
        return vec![(*state, Rational::ONE)];
    }
    // Messages that are still to be chosen from those of the pairs that come.
    let mut partial = vec![(*state, wires, 1_u64)];
    for pair in pairs {
        let count = u64::from(state[*pair]);
        let of = |(state, wires, ways): &(State, u64, u64)| {
            let (state, wires, ways) = (*state, *wires, *ways);
            (0..=count.min(wires)).map(move |kept| {
                let mut state = state;
                state[*pair] = u8::try_from(kept).unwrap_or(u8::MAX);
                (state, wires - kept, ways * binomial(count, kept))
            })
        };
        partial = partial.iter().flat_map(of).collect();
    }
    let all = binomial(reach, wires);
    let whole = partial.into_iter().filter(|(_, wires, _)| *wires == 0);
    whole.filter_map(|(state, _, ways)| Some((state, Rational::new(ways, all)?))).collect()
}

/// C(n, k) for n up to [`MAX_MESSAGES`].
fn binomial(n: u64, k: u64) -> u64 {
    // Every partial product is a binomial coefficient.
    (0..k.min(n - k)).fold(1, |product, at| product * (n - at) / (at + 1))
}

/// The expected number of cycles in which GREEDY delivers all messages under the rule `random`.
///
/// # Errors
/// [`AttackError::TooLarge`] above [`MAX_PAIRS`] or 60 messages, [`AttackError::UnknownHost`] when an
/// end is not on the tree, [`AttackError::Delivery`] when the work is stopped.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::expected_cycles;
/// use routebound::channel_tree::WireTree;
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::Messages;
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(4)")?.ok_or("another family")?;
/// // Host 0 begins with host 2 with probability 1/2 and then loses against host 1 with probability
/// // 1/2: three cycles then, else two.
/// let messages = Messages::listed([(0, 2, 1), (0, 3, 1), (1, 2, 1)])?;
/// let tree = WireTree::universal(&shape);
/// let expected = expected_cycles(&tree, &messages, &Progress::silent())?;
/// assert_eq!(expected.to_string(), "9/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn expected_cycles(
    tree: &WireTree,
    messages: &Messages,
    progress: &Progress,
) -> Result<Rational, AttackError> {
    within(
        "number of messages",
        Some(messages.total().into()),
        MAX_MESSAGES,
        "send fewer messages",
    )?;
    let mut pairs: Vec<(Host, Host)> = Vec::new();
    let mut counts: Vec<u8> = Vec::new();
    for (s, d, count) in messages.iter() {
        if s.max(d) as usize >= tree.hosts() {
            return Err(AttackError::UnknownHost { to: s.max(d), hosts: tree.hosts() });
        }
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        if let Some(at) = pairs.iter().position(|pair| *pair == (s, d)) {
            counts[at] += count;
        } else {
            pairs.push((s, d));
            counts.push(count);
        }
    }
    let mut expectation = Expectation::new(tree, &pairs)?;
    let mut state = State::default();
    state[..as_size(counts.len() as u64)].copy_from_slice(&counts);
    expectation.of(&state, progress)
}
