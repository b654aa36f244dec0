//! Interruptible solves: the solver itself cannot interrupt a solve, so it is abandoned.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::backend::Model;
use super::programme::{LinearProgramme, Outcome, Settings, SolveError};
use crate::progress::Progress;

/// Interval between checks whether the work has to end.
const LOOK: Duration = Duration::from_millis(20);

/// Solves `programme` on a separate thread; `None` when `progress` was cancelled before the answer.
/// The thread then ends with its solve, after `settings.seconds` at most, or with the process.
///
/// # Errors
/// [`SolveError`] when there is no optimum, or the solver fails or refuses the programme.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::lp::programme::{Column, LinearProgramme, Relation, Settings};
/// use routebound::{lp, progress::{Progress, Stop}};
/// let mut programme = LinearProgramme::default();
/// let column = programme.add_column(Column::positive(1.0));
/// programme.add_row(vec![(column, 1.0)], Relation::AtLeast, 2.0);
/// let solve = |progress: &Progress| lp::interruptible(programme.clone(), Settings::default(), progress);
/// assert_eq!(solve(&Progress::silent())?.map(|outcome| outcome.objective), Some(2.0));
/// let stop = Stop::at(None);
/// stop.request();
/// assert!(solve(&Progress::silent().stopped_by(stop))?.is_none());
/// # Ok::<(), routebound::lp::programme::SolveError>(())
/// ```
pub fn interruptible(
    programme: LinearProgramme,
    settings: Settings,
    progress: &Progress,
) -> Result<Option<Outcome>, SolveError> {
    if progress.cancelled() {
        return Ok(None);
    }
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let outcome = Model::new(&programme, settings).and_then(|mut model| model.solve());
        // Nobody receives the answer of an abandoned solve.
        let _ = sender.send(outcome);
    });
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(outcome) => return outcome.map(Some),
            Err(RecvTimeoutError::Timeout) if progress.cancelled() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SolveError::Failed("the thread of the solver ended"));
            }
        }
    }
}
