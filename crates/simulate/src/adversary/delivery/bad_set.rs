//! The bad message set M_n of \[GL\] Theorem 9, made against a given rule.
//!
//! M_1 is λ messages of one host. M_n has a copy of M_{n/4} in one of the four subtrees of n/4 hosts,
//! the *unfavoured* one, and λ√n/6 messages, evenly divided among the hosts, in each of the others:
//! λ√n messages in all, of which every channel has to carry at most λ for each of its wires.
//!
//! # Which subtree is unfavoured
//! The proof fills the four subtrees' root channels for t cycles and asks the rule. T is the last cycle
//! by which at most λ√n/12 messages of the tree have left, t is T + λ/12. By cycle t at most
//! m = λ√n/6 have left, so at most m/4 of them from the subtree that has provided fewest. The switch
//! at the root has the two children of n/2 hosts as inputs; each has as many wires as the root channels
//! of its two subtrees, so that it never loses a message, and what counts is the wires that the rule
//! keeps at the root.
//!
//! In the proof the root switch alone decides. Of a tree *embedded* in a larger one that is not so:
//! a message that has left its root may be lost above, and there the messages of all other subtrees
//! compete. So the sets are made from the root down and not, as in the proof, from the leaves up: the
//! messages outside an embedded tree are known before it is filled, and with its four channels full all
//! of the larger tree runs under the rule. Channels are full where every host has more messages than it
//! can send.
//!
//! Under random rules, which subtree is unfavoured is a matter of chance: the one is taken that most
//! often provides at most m/4, in trials (\[GL\] 5, after Theorem 9).
//!
//! # Numbers that do not divide
//! As in the paper λ counts as 12·⌊λ/12⌋. Where λ√n/6 is not a multiple of n/4, hosts of one subtree
//! differ by one message ([`Quarter`]), in such a way that every subtree of it has its part rounded
//! down or up.

use super::outward::{messages, send};
use super::{AttackError, Quarter};
use crate::channel_tree::WireTree;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::simulation::delivery::loss::Loss;
use crate::simulation::delivery::{DeliveryError, Messages, Settings};
use crate::topology::UniversalShape;

/// Parameters of the construction of a bad set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Construction {
    /// λ ≥ 12.
    pub lambda: u64,
    /// Runs for every level, under a rule that draws random numbers; a deterministic one is run once.
    pub trials: u64,
    /// Seed of these runs.
    pub seed: u64,
    /// The choice of the subtree that gets the copy.
    pub choice: Choice,
}

/// The choice of the subtree, of four, that gets the copy of M_{n/4}.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The unfavoured one, as in the proof.
    Unfavoured,
    /// The one that provides most messages: a falsehood for tests of the proof.
    Favoured,
}

/// A level of a bad set: a standard fat-tree of 4 or more hosts and what was found about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The tree.
    pub tree: Quarter,
    /// Index of the subtree, of four, that got the copy of M_{n/4}.
    pub chosen: usize,
    /// Number of runs in which each subtree was unfavoured.
    pub unfavoured: [u64; 4],
    /// Messages that each subtree provided by cycle t, in all runs.
    pub provided: [u64; 4],
    /// Number of runs.
    pub runs: u64,
    /// Cycle t of the first run.
    pub until: u64,
}

/// A bad set of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSet {
    /// λ, rounded down to a multiple of 12.
    pub lambda: u64,
    /// Messages of every host to the outside world.
    pub counts: Vec<u64>,
    /// These messages, for a simulator.
    pub messages: Messages,
    /// From the whole tree down to one of four hosts.
    pub levels: Vec<Level>,
    /// The host that has M_1.
    pub last: Quarter,
}

impl BadSet {
    /// All trees that hold a copy of a bad set, from the whole one to the single host.
    pub fn trees(&self) -> impl Iterator<Item = Quarter> + '_ {
        self.levels.iter().map(|level| level.tree).chain([self.last])
    }
}

impl Construction {
    /// The construction of the paper, with 64 runs under random rules.
    #[must_use]
    pub fn of(lambda: u64) -> Self {
        Self { lambda, trials: 64, seed: 1, choice: Choice::Unfavoured }
    }

    /// Makes the set. O(lg n · cycles · n).
    ///
    /// # Errors
    /// As [`theorem_9`].
    pub fn make(
        self,
        shape: &UniversalShape,
        loss: &'static Kind<Loss>,
        progress: &Progress,
    ) -> Result<BadSet, AttackError> {
        let whole = Quarter::whole(shape)?;
        if self.lambda < 12 {
            return Err(AttackError::SmallLambda { lambda: self.lambda });
        }
        if !loss.build.is_admissible {
            return Err(AttackError::NotAdmissible { loss: loss.name });
        }
        let wires = WireTree::universal(shape);
        let mut site = Site { wires: &wires, loss, of: self, twelfth: self.lambda / 12, progress };
        let (mut counts, mut levels) = (vec![0; whole.range().len()], Vec::new());
        let mut tree = whole;
        while let Some(quarters) = tree.quarters() {
            let level = site.level(tree, quarters, &mut counts)?;
            for (at, quarter) in quarters.into_iter().enumerate() {
                if at != level.chosen {
                    quarter.spread(2 * site.twelfth * tree.wires(), &mut counts);
                }
            }
            tree = quarters[level.chosen];
            levels.push(level);
        }
        counts[tree.range()].fill(12 * site.twelfth);
        let messages = messages(&counts)?;
        Ok(BadSet { lambda: 12 * site.twelfth, counts, messages, levels, last: tree })
    }
}

/// The bad set of \[GL\] Theorem 9 for a standard fat-tree `universal(n,root=open)`, n = 4^h, against
/// a rule, at load factor 12·⌊λ/12⌋. O(lg n · cycles · n).
///
/// # Errors
/// [`AttackError::NotStandard`] for another tree, [`AttackError::SmallLambda`] below 12,
/// [`AttackError::NotAdmissible`] for rules that lose more than they have to,
/// [`AttackError::Delivery`] when there are too many messages or the work is stopped.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::theorem_9;
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::loss;
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(16,root=open)")?.ok_or("another family")?;
/// let bad = theorem_9(&shape, 12, loss::find("left")?, &Progress::silent())?;
/// // λ√n messages. Switches favour hosts 0 to 7, then 8 and 9.
/// assert_eq!((bad.messages.total(), bad.last.first), (48, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn theorem_9(
    shape: &UniversalShape,
    lambda: u64,
    loss: &'static Kind<Loss>,
    progress: &Progress,
) -> Result<BadSet, AttackError> {
    Construction::of(lambda).make(shape, loss, progress)
}

/// Site on which a set is made.
struct Site<'t> {
    wires: &'t WireTree,
    loss: &'static Kind<Loss>,
    of: Construction,
    twelfth: u64,
    progress: &'t Progress,
}

impl Site<'_> {
    /// Finds the subtree of `tree` that gets the copy; all outside `tree` is filled already.
    fn level(
        &mut self,
        tree: Quarter,
        quarters: [Quarter; 4],
        counts: &mut [u64],
    ) -> Result<Level, AttackError> {
        // Every cycle ends a message at least; a host that sends one in each has some left.
        let outside = counts.iter().sum::<u64>();
        counts[tree.range()].fill(outside + 2 * self.twelfth * tree.wires() + 1);
        let runs = if self.loss.build.is_deterministic { 1 } else { self.of.trials.max(1) };
        let mut level =
            Level { tree, chosen: 0, unfavoured: [0; 4], provided: [0; 4], runs, until: 0 };
        for run in 0..runs {
            let settings = Settings { loss: self.loss, seed: self.of.seed.wrapping_add(run) };
            let provided = self.provided(tree, quarters, counts, settings)?;
            let (until, last) = provided.last().map_or((0, [0; 4]), |last| (provided.len(), *last));
            level.until = if run == 0 { until as u64 } else { level.until };
            for (at, now) in last.into_iter().enumerate() {
                level.provided[at] += now;
                level.unfavoured[at] += u64::from(2 * now <= self.twelfth * tree.wires());
            }
        }
        level.chosen = self.of.choice.of(&level);
        counts[tree.range()].fill(0);
        Ok(level)
    }

    /// What the subtrees have provided by cycle 1, 2, …, t.
    fn provided(
        &self,
        tree: Quarter,
        quarters: [Quarter; 4],
        counts: &[u64],
        settings: Settings,
    ) -> Result<Vec<[u64; 4]>, DeliveryError> {
        let limit = self.twelfth * tree.wires();
        let (mut provided, mut until) = (Vec::new(), None);
        send(self.wires, counts, settings, self.progress, &mut |left| {
            let of = |quarter: Quarter| -> u64 {
                let of_host = |host: usize| counts[host] - left[host];
                quarter.range().map(of_host).sum()
            };
            let now = quarters.map(of);
            provided.push(now);
            let cycle = provided.len() as u64;
            if until.is_none() && now.iter().sum::<u64>() > limit {
                // T is the cycle before.
                until = Some(cycle - 1 + self.twelfth);
            }
            until.is_none_or(|until| cycle < until)
        })?;
        Ok(provided)
    }
}

impl Choice {
    fn of(self, level: &Level) -> usize {
        let order = |at: &usize| (level.unfavoured[*at], u64::MAX - level.provided[*at]);
        // The first of several that are alike.
        let of = (0..4).rev();
        let chosen = match self {
            Self::Unfavoured => of.max_by_key(order),
            Self::Favoured => of.min_by_key(order),
        };
        chosen.unwrap_or(0)
    }
}
