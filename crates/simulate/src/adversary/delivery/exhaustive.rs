//! Every set of messages of a load factor, on the smallest trees.
//!
//! A processor has its messages by ascending destination. Under the random rule sets that are the same
//! but for a symmetry of the tree are measured once, and the numbers of cycles are exact expectations.

use std::num::NonZeroU64;

use super::expected::{Expectation, State};
use super::measure::{Score, check_rule, run};
use super::room::Room;
use super::{AttackError, Attacked, Finding, Greedy, Method, Target, Worst};
use crate::adversary::climb::Best;
use crate::attack::{Adversary, Built, Work};
use crate::bounds::Evidence;
use crate::channel_tree::WireTree;
use crate::prelude::*;
use crate::simulation::delivery::{Messages, Settings, bottleneck};

pub(super) const KIND: Kind<Method> = Kind {
    name: "exhaustive",
    usage: "exhaustive(lambda=1,to=any)",
    about: "every set of messages of load factor up to lambda, of all pairs or to the host `to` alone; \
            exact expectations under random rules",
    reference: "ours",
    examples: &["exhaustive(lambda=1)"],
    build: Method { build: Built::read::<Exhaustive>, work: Work::TriesAll },
};

/// Maximum number of sets: some minutes.
pub const MAX_SETS: u64 = 5_000_000;

/// Numbers of messages, one for each of some pairs.
pub type Counts = [u64];

#[derive(Deserialize)]
struct Exhaustive {
    lambda: NonZeroU64,
    to: Destination,
}

/// The only destination, if it is not any host.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Destination(pub(super) Option<Host>);

impl TryFrom<String> for Destination {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == "any" {
            return Ok(Self(None));
        }
        let host = text.parse().ok().filter(|_| !text.starts_with('+'));
        host.map(|host| Self(Some(host))).ok_or("is neither the number of a host nor any")
    }
}

/// The pairs whose messages are tried, by ascending source.
pub(super) fn pairs(tree: &WireTree, to: Option<Host>) -> Result<Vec<(Host, Host)>, AttackError> {
    let hosts = host_number(tree.hosts());
    if let Some(to) = to.filter(|to| *to >= hosts) {
        return Err(AttackError::UnknownHost { to, hosts: tree.hosts() });
    }
    let all = (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d)));
    Ok(all.filter(|(s, d)| s != d && to.is_none_or(|to| to == *d)).collect())
}

impl Adversary<Greedy> for Exhaustive {
    fn attack(&self, spec: &str, target: &Target<'_>, progress: &Progress) -> Attacked {
        check_rule(target)?;
        let (lambda, pairs) = (self.lambda.get(), pairs(target.tree, self.to.0)?);
        let mut sets = 0_u64;
        let complete = for_each_set(target.tree, &pairs, lambda, &mut |_| {
            sets += 1;
            Ok::<_, AttackError>(sets <= MAX_SETS && !progress.cancelled())
        })?;
        if !progress.cancelled() {
            let size = complete.then_some(u128::from(sets));
            within(
                "number of sets of messages",
                size,
                MAX_SETS,
                "choose a smaller lambda or tree",
            )?;
        }
        let exact = target.loss.build.is_deterministic;
        let mut tried = Tried { target, pairs: &pairs, progress, best: Best::default() };
        let complete = if exact { tried.runs(lambda)? } else { tried.expected(lambda)? };
        let Best { value, traffic, evaluations, .. } = tried.best;
        let worst = value.zip(traffic);
        let worst = worst.map(|(cycles, counts)| best_set(target, &pairs, cycles, &counts));
        let evidence = Evidence::Claimed(format!("{evaluations} sets"));
        let (worst, nothing) = (worst.transpose()?, Finding::nothing(spec, evidence));
        Ok(Finding { worst, evaluations, stopped: !complete, ..nothing })
    }
}

/// The sets tried so far, of which one is the worst.
struct Tried<'t> {
    target: &'t Target<'t>,
    pairs: &'t [(Host, Host)],
    progress: &'t Progress,
    best: Best<Rational, Vec<u64>>,
}

impl Tried<'_> {
    fn see(&mut self, cycles: Rational, counts: &Counts) {
        self.progress.inc(1);
        self.best.see(Some(cycles), || Some(counts.to_vec()));
    }

    /// Every set is sent; whether all were.
    fn runs(&mut self, lambda: u64) -> Result<bool, AttackError> {
        let (settings, quiet) = (Settings { loss: self.target.loss, seed: 1 }, Progress::silent());
        for_each_set(self.target.tree, self.pairs, lambda, &mut |counts| {
            if self.progress.cancelled() {
                return Ok(false);
            }
            let set = messages(self.pairs, counts)?;
            let Score { cycles, .. } = run(self.target.tree, &set, settings, &quiet)?;
            self.see(Rational::from(cycles), counts);
            Ok(true)
        })
    }

    /// Every set but for symmetries; whether all were examined.
    fn expected(&mut self, lambda: u64) -> Result<bool, AttackError> {
        let mut expectation = Expectation::new(self.target.tree, self.pairs)?;
        let quiet = Progress::silent();
        for_each_set(self.target.tree, self.pairs, lambda, &mut |counts| {
            let mut state = State::default();
            for (to, count) in state.iter_mut().zip(counts) {
                // Larger numbers are refused below, as too many messages.
                *to = u8::try_from(*count).unwrap_or(u8::MAX);
            }
            if self.progress.cancelled() {
                return Ok(false);
            }
            if expectation.canonical(&state) == state {
                let cycles = expectation.of(&state, &quiet)?;
                self.see(cycles, counts);
            }
            Ok(true)
        })
    }
}

fn messages(pairs: &[(Host, Host)], counts: &Counts) -> Result<Messages, AttackError> {
    Ok(Messages::listed(pairs.iter().zip(counts).map(|((s, d), count)| (*s, *d, *count)))?)
}

fn best_set(
    target: &Target<'_>,
    pairs: &[(Host, Host)],
    cycles: Rational,
    counts: &Counts,
) -> Result<Worst, AttackError> {
    let messages = messages(pairs, counts)?;
    let load_factor = bottleneck(target.tree, &messages)?.map(|found| found.load_factor);
    Ok(Worst { messages, cycles, load_factor: load_factor.unwrap_or_default() })
}

/// Calls `visit` with the numbers of messages of every set that is not empty, of these pairs, of load
/// factor up to `lambda`, until it returns `false`; returns whether it never did.
///
/// # Errors
/// Those of `visit`.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::for_each_set;
/// use routebound::channel_tree::WireTree;
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(2)")?.ok_or("another family")?;
/// let (tree, mut sets) = (WireTree::universal(&shape), 0);
/// for_each_set(&tree, &[(0, 1), (1, 0)], 3, &mut |_| {
///     sets += 1;
///     Ok::<_, std::fmt::Error>(true)
/// })?;
/// // Up to three messages either way.
/// assert_eq!(sets, 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn for_each_set<E>(
    tree: &WireTree,
    pairs: &[(Host, Host)],
    lambda: u64,
    visit: &mut dyn FnMut(&Counts) -> Result<bool, E>,
) -> Result<bool, E> {
    let (mut room, mut counts) = (Room::of(tree, lambda), vec![0; pairs.len()]);
    extend(&mut room, pairs, 0, &mut counts, visit)
}

/// The sets that differ from `counts` in pairs from number `at` on.
fn extend<E>(
    room: &mut Room<'_>,
    pairs: &[(Host, Host)],
    at: usize,
    counts: &mut Vec<u64>,
    visit: &mut dyn FnMut(&Counts) -> Result<bool, E>,
) -> Result<bool, E> {
    let Some(pair) = pairs.get(at) else {
        return if counts.iter().all(|count| *count == 0) { Ok(true) } else { visit(counts) };
    };
    let mut continues = true;
    for count in 0..=room.free(*pair) {
        counts[at] = count;
        room.add(*pair, count);
        continues = extend(room, pairs, at + 1, counts, visit)?;
        room.remove(*pair, count);
        if !continues {
            break;
        }
    }
    counts[at] = 0;
    Ok(continues)
}
