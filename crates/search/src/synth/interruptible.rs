//! Interruptible work: a SAT solver checks whether it has to end between steps that may take
//! seconds each on a large formula.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::progress::Progress;

/// Time between two checks whether the work has to end.
const LOOK: Duration = Duration::from_millis(20);

/// Grace period for the work to end by itself after a stop.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs `work` on its own thread and returns its result; `None` when `progress` ended long enough before. The
/// thread then continues until it sees that its progress has ended, or ends with the process.
pub(crate) fn interruptible<T: Send + 'static>(
    progress: &Progress,
    work: impl FnOnce(&Progress) -> T + Send + 'static,
) -> Option<T> {
    patiently(PATIENCE, progress, work)
}

/// Like [`interruptible`], with another grace period.
fn patiently<T: Send + 'static>(
    patience: Duration,
    progress: &Progress,
    work: impl FnOnce(&Progress) -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = channel();
    let own = progress.part(1.0);
    let worker = thread::spawn(move || {
        // Nobody receives the result of abandoned work.
        let _ = sender.send(work(&own));
    });
    let mut stopped: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(found) => return Some(found),
            // It sends before it ends, unless it panics: that is not a stop.
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if progress.cancelled() && stopped.get_or_insert_with(Instant::now).elapsed() >= patience {
            return None;
        }
    }
    match worker.join() {
        Err(panic) => resume_unwind(panic),
        Ok(()) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;

    #[test]
    #[should_panic(expected = "of the work")]
    fn a_panic_of_the_work_is_no_stop() {
        interruptible(&Progress::silent(), |_| -> u32 { panic!("of the work") });
    }

    #[test]
    fn what_does_not_end_is_given_up() {
        assert_eq!(interruptible(&Progress::silent(), |_| 7), Some(7));
        let stop = Stop::at(None);
        let progress = Progress::silent().stopped_by(stop.clone());
        stop.request();
        let (wait, release) = channel::<()>();
        assert_eq!(interruptible(&progress, move |_| release.recv().is_ok()), None);
        // It has been running all the time.
        assert!(wait.send(()).is_ok());
        // The result of work that ends by itself in time is received.
        assert_eq!(patiently(Duration::MAX, &progress, Progress::cancelled), Some(true));
    }
}
