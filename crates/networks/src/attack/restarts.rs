//! Restarts of a search, whose results do not depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::Record;
use crate::progress::Progress;

/// Restarts that run at the same time; results are examined after each such block.
pub const BLOCK: u64 = 32;

/// The end of a search with restarts.
#[derive(Clone, Copy, Debug)]
pub struct Restarts<V> {
    /// Number of evaluations after which no restart starts.
    pub trials: u64,
    /// A value that nothing exceeds, if one is known.
    pub enough: Option<V>,
}

impl<V: Copy + Default + Ord> Restarts<V> {
    /// Merges the records of restarts 0, 1, 2, … until the trials are used up, enough is found or `is_stopped`; the
    /// flag says whether the last. `run` is called for `at_once` restarts at a time.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn merge<T: Default, E>(
        &self,
        at_once: u64,
        is_stopped: impl Fn() -> bool,
        mut run: impl FnMut(Range<u64>) -> Result<Vec<Option<Record<V, T>>>, E>,
    ) -> Result<(Record<V, T>, bool), E> {
        let (mut best, mut start) = (Record::default(), 0);
        loop {
            for record in run(start..start + at_once)?.into_iter().flatten() {
                best.append(record);
                let reached = self.enough.is_some_and(|enough| best.value >= enough);
                if best.evaluations >= self.trials || reached {
                    return Ok((best, false));
                }
            }
            if is_stopped() {
                return Ok((best, true));
            }
            start += at_once;
        }
    }
}

impl<V: Copy + Default + Ord + Send> Restarts<V> {
    /// Does all trials in restarts of `length` trials each, on all threads. `run(restart, trials)` evaluates the
    /// trials of these numbers, fewer only if `progress` is cancelled.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn of_length<T: Default + Send, E: Send>(
        &self,
        length: u64,
        progress: &Progress,
        run: impl Fn(u64, Range<u64>) -> Result<Record<V, T>, E> + Sync,
    ) -> Result<Record<V, T>, E> {
        let (trials, restarts) = (self.trials, self.trials.div_ceil(length));
        let one = |restart: u64| {
            let first = restart * length;
            run(restart, first..trials.min(first.saturating_add(length))).map(Some)
        };
        let at_once = BLOCK.max(4 * rayon::current_num_threads() as u64);
        let found = self.merge(
            at_once,
            || progress.cancelled(),
            |block| (block.start..block.end.min(restarts)).into_par_iter().map(one).collect(),
        );
        found.map(|(record, _)| record)
    }
}
