//! Interruptible solves: the solver itself cannot interrupt a solve, so it is abandoned.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::backend::Model;
use super::program::{LinearProgram, Outcome, Settings, SolveError};
use crate::progress::Progress;

/// Interval between checks whether the work has to end.
const LOOK: Duration = Duration::from_millis(20);

/// Solves `program` on a separate thread; `None` when `progress` was cancelled before the answer.
/// The thread then ends with its solve, after `settings.seconds` at most, or with the process.
///
/// # Errors
/// [`SolveError`] when there is no optimum, or the solver fails or refuses the program.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::lp::program::{Column, LinearProgram, Relation, Settings};
/// use routebound::{lp, progress::{Progress, Stop}};
/// let mut program = LinearProgram::default();
/// let column = program.add_column(Column::positive(1.0));
/// program.add_row(vec![(column, 1.0)], Relation::AtLeast, 2.0);
/// let solve = |progress: &Progress| lp::interruptible(program.clone(), Settings::default(), progress);
/// assert_eq!(solve(&Progress::silent())?.map(|outcome| outcome.objective), Some(2.0));
/// let stop = Stop::at(None);
/// stop.request();
/// assert!(solve(&Progress::silent().stopped_by(stop))?.is_none());
/// # Ok::<(), routebound::lp::program::SolveError>(())
/// ```
pub fn interruptible(
    program: LinearProgram,
    settings: Settings,
    progress: &Progress,
) -> Result<Option<Outcome>, SolveError> {
    if progress.cancelled() {
        return Ok(None);
    }
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let outcome = Model::new(&program, settings).and_then(|mut model| model.solve());
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
