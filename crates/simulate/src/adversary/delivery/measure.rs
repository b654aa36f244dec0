//! The number of cycles that GREEDY takes.

use super::{AttackError, Target, Worst};
use crate::channel_tree::WireTree;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::sampling::Summary;
use crate::simulation::delivery::{
    Concentrators, DeliveryError, Messages, Run, Settings, bottleneck,
};

/// A sum over runs: cycles, then cycles that single messages wait. The second distinguishes sets that
/// take equally long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    pub(super) cycles: u64,
    pub(super) waiting: u64,
}

/// One run of GREEDY.
pub(super) fn run(
    tree: &WireTree,
    messages: &Messages,
    settings: Settings,
    progress: &Progress,
) -> Result<Score, DeliveryError> {
    let mut network = Concentrators::new(tree);
    let mut run = Run::new(&mut network, messages, settings, progress)?;
    let mut score = Score::default();
    while !run.is_done() {
        score.cycles += 1;
        score.waiting = score.waiting.saturating_add(run.outbox().total());
        run.send_all()?;
    }
    Ok(score)
}

/// Cycles that GREEDY takes to deliver all messages under an admissible rule.
/// O(cycles · entries · levels).
///
/// # Errors
/// [`DeliveryError::Hopeless`] under a rule that is not admissible, [`DeliveryError::Stopped`], and
/// others when the messages do not fit the tree.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::adversary::delivery::cycles;
/// use routebound::channel_tree::WireTree;
/// use routebound::progress::Progress;
/// use routebound::simulation::delivery::{Messages, Settings, loss};
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(4,growth=double)")?.ok_or("another family")?;
/// // λ = 2: hosts 0 and 1 both begin with host 2, one of them in vain.
/// let messages = Messages::listed([(0, 2, 1), (0, 3, 1), (1, 2, 1), (1, 0, 1)])?;
/// let settings = Settings { loss: loss::find("left")?, seed: 1 };
/// let tree = WireTree::universal(&shape);
/// assert_eq!(cycles(&tree, &messages, settings, &Progress::silent())?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cycles(
    tree: &WireTree,
    messages: &Messages,
    settings: Settings,
    progress: &Progress,
) -> Result<u64, DeliveryError> {
    Ok(run(tree, messages, settings, progress)?.cycles)
}

/// The mean over the seeds from `seed` on, one for each of `runs`; one run is enough for a
/// deterministic rule. The load factor is recomputed.
pub(super) fn measured(
    target: &Target<'_>,
    messages: Messages,
    seed: u64,
    runs: u64,
    progress: &Progress,
) -> Result<Worst, AttackError> {
    let mut found = Vec::new();
    for run in 0..if target.loss.build.is_deterministic { 1 } else { runs } {
        let settings = Settings { loss: target.loss, seed: seed.wrapping_add(run) };
        found.push((Rational::from(cycles(target.tree, &messages, settings, progress)?), 1));
    }
    let cycles = Summary::of(found).map(|sample| sample.mean()).unwrap_or_default();
    let load_factor = bottleneck(target.tree, &messages)?.map(|found| found.load_factor);
    Ok(Worst { messages, cycles, load_factor: load_factor.unwrap_or_default() })
}

/// Refuses rules that lose more than they have to.
pub(super) fn check_rule(target: &Target<'_>) -> Result<(), AttackError> {
    if target.loss.build.is_admissible {
        return Ok(());
    }
    Err(AttackError::NotAdmissible { loss: target.loss.name })
}
