//! How far long-running work has come, and whether it should stop.
//!
//! Library modules take a `&Progress`, count finished work on it and ask it whether to continue. They
//! know neither terminals nor signals: their caller provides the [`Stop`] and watches the count. So
//! the same code serves the command line, tests and other programs.
//!
//! Every loop that may take long asks. What follows a stop, above all a proof, gets a grace period
//! ([`Progress::afterwards`]). What takes polynomial time is found *and proven* before a linear program begins, so that
//! a stop loses the least.
//!
//! ```
//! # use routebound_proof as routebound;
//! use routebound::progress::{Progress, Stop};
//! // Somebody, such as the handler of a signal, requests the stop that the work asks for.
//! let stop = Stop::default();
//! let progress = Progress::new(1000, "pairs").stopped_by(stop.clone());
//! while !progress.cancelled() {
//!     progress.inc(1);
//!     if progress.done() == 300 {
//!         stop.request();
//!     }
//! }
//! assert_eq!(progress.done(), 300);
//! ```

#[cfg(feature = "analysis")]
mod interrupted;
#[cfg(feature = "analysis")]
mod work;

#[cfg(feature = "analysis")]
pub use interrupted::Interrupted;
#[cfg(feature = "analysis")]
pub use work::{Progress, Told};

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The stop of a run, on request or at a deadline. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// When the stop was requested.
    requested: Arc<OnceLock<Instant>>,
    deadline: Option<Instant>,
    /// Grace period after both.
    grace: Duration,
}

impl Stop {
    /// Stops at `deadline` at the latest, or only on request without one.
    #[must_use]
    pub fn at(deadline: Option<Instant>) -> Self {
        Self { deadline, ..Self::default() }
    }

    /// Time until the work has to end, if that is known.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let ends = [self.requested.get().copied(), self.deadline];
        let first = ends.into_iter().flatten().min()?.checked_add(self.grace)?;
        Some(first.saturating_duration_since(Instant::now()))
    }

    /// Whether work has to end.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.time_left().is_some_and(|left| left.is_zero())
    }
}

/// The work was stopped before its end. The command line ends with exit code 3 on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped by the time limit or Ctrl-C before the end: give it more time or less to do")]
pub struct Stopped;

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_request_reaches_every_clone() {
        let stop = Stop::at(None);
        let progress = Progress::new(1, "links").stopped_by(stop.clone());
        assert_eq!(progress.check(), Ok(()));
        stop.request();
        assert!(stop.is_requested());
        assert_eq!(progress.check(), Err(Stopped));
    }

    #[test]
    fn a_passed_deadline_cancels() {
        let progress = Progress::silent().stopped_by(Stop::at(Some(Instant::now())));
        assert!(progress.cancelled());
        assert!(!Progress::silent().cancelled());
    }

    #[test]
    fn a_part_of_the_time_ends_earlier() {
        let stop = Stop::at(Some(Instant::now() + Duration::from_secs(1000)));
        let progress = Progress::silent().stopped_by(stop.clone()).with_part_of_time(0.5);
        assert!(progress.time_left().unwrap() <= Duration::from_secs(500));
        stop.request();
        assert!(progress.cancelled());
        assert_eq!(Progress::silent().with_part_of_time(0.5).time_left(), None);
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let now = Instant::now();
        let far = now + Duration::from_hours(1);
        assert!(Stop::at(Some(far)).no_later(now).is_due());
        assert!(Stop::at(Some(now)).no_later(far).is_due());
        let stop = Stop::at(None);
        let earlier = stop.no_later(far);
        assert!(!earlier.is_due());
        stop.request();
        assert!(earlier.is_due());
    }

    #[test]
    fn what_follows_the_work_has_its_own_time() {
        let stop = Stop::at(None);
        let progress = Progress::silent().stopped_by(stop.clone());
        let (short, long) = (Duration::ZERO, Duration::from_hours(1));
        assert!(progress.afterwards(long).time_left().is_none());
        stop.request();
        assert!(progress.cancelled() && progress.afterwards(short).cancelled());
        assert!(!progress.afterwards(long).cancelled());
        let late = Progress::silent().stopped_by(Stop::at(Some(Instant::now())));
        assert!(late.cancelled() && !late.afterwards(long).cancelled());
        assert!(!late.afterwards(long).part(0.5).cancelled());
    }

    #[test]
    fn the_watcher_sees_the_count() {
        let seen = Arc::new(AtomicU64::new(0));
        let copy = Arc::clone(&seen);
        let progress =
            Progress::new(9, "pairs").watched_by(move |done| copy.store(done, Ordering::Relaxed));
        progress.inc(4);
        progress.inc(3);
        assert_eq!(seen.load(Ordering::Relaxed), 7);
    }

    #[test]
    fn the_listener_is_told_what_is_said() {
        let (told, heard) = std::sync::mpsc::channel();
        let progress = Progress::silent().heard_by(move |said| {
            // Nobody listens after the end.
            let _ = told.send(format!("{said:?}"));
        });
        progress.tell(Told::Step("proving links"));
        progress.tell(Told::Known("5 ≤ ratio ≤ 9"));
        drop(progress);
        let heard: Vec<String> = heard.iter().collect();
        assert_eq!(heard, ["Step(\"proving links\")", "Known(\"5 ≤ ratio ≤ 9\")"]);
    }
}
