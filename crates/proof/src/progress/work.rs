//! The count of finished units of work.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{Stop, Stopped};

type Watcher = Box<dyn Fn(u64) + Send + Sync>;
type Listener = Box<dyn Fn(Told<'_>) + Send + Sync>;

/// What work tells people besides the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'t> {
    /// The step that begins, such as `proving links`.
    Step(&'t str),
    /// What is known so far, such as `5 ≤ ratio ≤ 9`.
    Known(&'t str),
}

/// Counts finished units of work and says whether to continue; threads share it by reference.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::progress::Progress;
/// let progress = Progress::new(3, "links");
/// progress.inc(2);
/// assert_eq!((progress.done(), progress.total()), (2, 3));
/// assert!(!progress.cancelled());
/// ```
#[derive(Default)]
pub struct Progress {
    total: u64,
    label: String,
    done: AtomicU64,
    stop: Stop,
    watcher: Option<Watcher>,
    listener: Option<Listener>,
}

impl Stop {
    /// Asks all work that shares this stop to end.
    pub fn request(&self) {
        // Only the first request counts.
        let _ = self.requested.set(Instant::now());
    }

    /// A stop that is due `grace` later, for what must follow the work, such as its proof.
    #[must_use]
    pub fn later(&self, grace: Duration) -> Self {
        Self { grace: self.grace + grace, ..self.clone() }
    }

    /// A stop that is due at `deadline` at the latest; a request reaches both.
    #[must_use]
    pub fn no_later(&self, deadline: Instant) -> Self {
        let deadline = self.deadline.map_or(deadline, |own| own.min(deadline));
        Self { deadline: Some(deadline), ..self.clone() }
    }

    /// Whether [`Self::request`] was called, deadline or not.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.get().is_some()
    }
}

impl Progress {
    /// Work of `total` units; `label` names the unit for people, such as `links`.
    #[must_use]
    pub fn new(total: u64, label: &str) -> Self {
        Self { total, label: label.to_string(), ..Self::default() }
    }

    /// Work that nobody watches and nothing stops.
    #[must_use]
    pub fn silent() -> Self {
        Self::default()
    }

    /// The work, ended by `stop`.
    #[must_use]
    pub fn stopped_by(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The work, watched: `watcher` is called with the units done after each [`Self::inc`].
    #[must_use]
    pub fn watched_by(self, watcher: impl Fn(u64) + Send + Sync + 'static) -> Self {
        Self { watcher: Some(Box::new(watcher)), ..self }
    }

    /// The work, listened to: `listener` is told what [`Self::tell`] is.
    #[must_use]
    pub fn heard_by(self, listener: impl Fn(Told<'_>) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Box::new(listener)), ..self }
    }

    /// The work with only `part` (0 to 1) of the time that is left, if there is a deadline:
    /// the rest is for what has to follow.
    #[must_use]
    pub fn with_part_of_time(mut self, part: f64) -> Self {
        let left = self.stop.time_left().map(|left| left.mul_f64(part.clamp(0.0, 1.0)));
        let end = left.and_then(|left| Instant::now().checked_add(left));
        self.stop.deadline = end.and_then(|end| end.checked_sub(self.stop.grace));
        self
    }

    /// New work that ends with this one, after `part` (0 to 1) of the time that is left, if there
    /// is a deadline.
    #[must_use]
    pub fn part(&self, part: f64) -> Self {
        Self::silent().stopped_by(self.stop.clone()).with_part_of_time(part)
    }

    /// New work that may continue for `grace` after this has to end: for what has to follow it.
    #[must_use]
    pub fn afterwards(&self, grace: Duration) -> Self {
        Self::silent().stopped_by(self.stop.later(grace))
    }

    /// The stop that ends the work.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Counts `units` of finished work.
    pub fn inc(&self, units: u64) {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        if let Some(watcher) = &self.watcher {
            watcher(done);
        }
    }

    /// Tells whoever listens which step begins, or what is known so far.
    pub fn tell(&self, told: Told<'_>) {
        if let Some(listener) = &self.listener {
            listener(told);
        }
    }

    /// Units done.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Units in total; 0 when unknown.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The units, in words.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether the work has to end now. Cheap enough to poll once per microsecond of work.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.stop.is_due()
    }

    /// Time until the work has to end, if there is a deadline: for solvers that watch the time
    /// themselves.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.stop.time_left()
    }

    /// An error if the work has to end, for work that has no partial result.
    ///
    /// # Errors
    /// [`Stopped`] when the work has to end.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancelled() { Err(Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} {}", self.done(), self.total, self.label)
    }
}
