//! Climbing: one change of traffic after the other, as long as that is no better for the target.

use crate::attack::Record;
use crate::progress::Progress;

/// Trials of one restart.
pub(super) const RESTART: u64 = 1000;

/// The best of some evaluations; nothing before the first.
pub(super) type Best<V, T> = Record<Option<V>, Option<T>>;

/// Traffic that can be changed and measured.
pub(super) trait Trial {
    /// Traffic, as it is recorded.
    type Traffic;
    /// Measure of traffic; the greater the worse for the target.
    type Value: Copy + Ord;
    /// Why it cannot be measured.
    type Error;

    /// Makes one change at random.
    fn change(&mut self);

    /// Takes the last change back.
    fn undo(&mut self);

    /// Measures the traffic as it is.
    fn measure(&mut self) -> Result<Self::Value, Self::Error>;

    /// The traffic as it is.
    fn traffic(&self) -> Self::Traffic;
}

/// Makes `trials` evaluations, the first before any change, unless `progress` is cancelled.
pub(super) fn climb<T: Trial>(
    mut trial: T,
    trials: u64,
    progress: &Progress,
) -> Result<Best<T::Value, T::Traffic>, T::Error> {
    let (mut best, mut reached) = (Best::default(), None);
    for number in 0..trials {
        if progress.cancelled() {
            break;
        }
        if number > 0 {
            trial.change();
        }
        let value = Some(trial.measure()?);
        best.see(value, || Some(trial.traffic()));
        if value < reached {
            trial.undo();
        } else {
            reached = value;
        }
        progress.inc(1);
    }
    Ok(best)
}
