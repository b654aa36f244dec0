//! Reading that ends when the run is stopped, whatever the system is waiting for.
//!
//! A pipe may deliver nothing forever, and a system call that waits for it heeds no deadline; a
//! parser may be busy with what has been read. So a verb works on a separate thread while the main
//! thread watches the time. If the run has to stop while an input is read, the main thread
//! abandons the verb where it is and ends the program: half-read input has produced no result and
//! written nothing. All other work checks for itself whether to continue, and keeps its bounds.
//!
//! Most inputs are opened in no time, even after a stop, and what is known at once about them is worth
//! more than none: so the verb is abandoned [`OPENING`] after the stop. What it kept before, such as what
//! is known of a network whose routing is not open yet, is printed as in [`super::ending`]. If there is
//! nothing, the run ends like with any error, with the name of the input that it waited for.

use std::panic;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::progress::{Stop, Stopped};
use crate::quote::quote;

/// Interval at which the main thread checks the time.
const PERIOD: Duration = Duration::from_millis(20);
/// Time after a stop in which an input may still be opened: less than [`super::ending`] gives to all the rest.
const OPENING: Duration = Duration::from_millis(300);
/// Stack size of the working thread: what Linux gives a main thread.
const STACK: usize = 8 << 20;

/// Activity of the verb, as far as its watcher needs to know.
#[derive(Debug, Default)]
enum State {
    #[default]
    Working,
    /// Busy with something that has nothing to lose, as the words say.
    Doing(String),
    Finished,
    /// The watcher has abandoned it.
    Left,
}

/// Shared by a verb and its watcher.
#[derive(Clone, Debug, Default)]
pub struct Reading(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    finished: Condvar,
}

impl Reading {
    fn state(&self) -> MutexGuard<'_, State> {
        // The state is valid even if a thread has panicked.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work`, which reads the input called `name`. Does not return to a verb that has been
    /// abandoned.
    pub fn during<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        self.doing(format!("while opening `{}`", quote(name)), work)
    }

    /// Runs work other than reading that has nothing to lose; `doing` says what it is.
    pub fn doing<T>(&self, doing: String, work: impl FnOnce() -> T) -> T {
        *self.state() = State::Doing(doing);
        let done = work();
        let mut state = self.state();
        while matches!(*state, State::Left) {
            state = self.0.finished.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        *state = State::Working;
        done
    }

    /// Runs `verb` and returns its result, or [`Stopped`] when `stop` was due [`OPENING`] ago and it reads.
    ///
    /// # Errors
    /// The errors of the verb; when its thread cannot be started.
    pub fn watch<T: Send + 'static>(
        &self,
        stop: &Stop,
        verb: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let stop = stop.later(OPENING);
        self.watch_until(|| stop.is_due(), verb)
    }

    /// Like [`Self::watch`], but asks `is_due` at every look.
    fn watch_until<T: Send + 'static>(
        &self,
        is_due: impl Fn() -> bool,
        verb: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        *self.state() = State::Working;
        let end = End(self.clone());
        let verb = move || {
            let _end = end;
            verb()
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn(verb);
        let thread = thread.context("cannot start a thread")?;
        let mut state = self.state();
        loop {
            let is_due = is_due();
            match &*state {
                State::Finished => break,
                State::Doing(doing) if is_due => {
                    let doing = doing.clone();
                    *state = State::Left;
                    return Err(Stopped).context(doing);
                }
                _ => {}
            }
            let waited = self.0.finished.wait_timeout(state, PERIOD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
        thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked))
    }
}

/// Signals that the verb has ended, however it did.
struct End(Reading);

impl Drop for End {
    fn drop(&mut self) {
        *self.0.state() = State::Finished;
        self.0.0.finished.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_verb_returns_what_it_found() {
        let reading = Reading::default();
        let inside = reading.clone();
        let verb = move || Ok(inside.during("x", || 7));
        assert_eq!(reading.watch(&Stop::default(), verb).unwrap(), 7);
        // Work that does not read keeps its partial result, however often it is looked at after the stop.
        let (look, looks) = mpsc::channel();
        let is_due = move || {
            // Nobody counts after the end.
            let _ = look.send(());
            true
        };
        let verb = move || {
            (0..3).for_each(|_| looks.recv().unwrap());
            Ok(8)
        };
        assert_eq!(Reading::default().watch_until(is_due, verb).unwrap(), 8);
    }

    #[test]
    fn reading_is_left() {
        let (reading, stop) = (Reading::default(), Stop::default());
        let (inside, on_signal) = (reading.clone(), stop.clone());
        let (_never, pipe) = mpsc::channel::<()>();
        let verb = move || {
            inside.during("a pipe", || {
                on_signal.request();
                // The sender is alive: nothing ever arrives.
                let _ = pipe.recv();
            });
            Ok(())
        };
        let error = reading.watch(&stop, verb).unwrap_err();
        assert!(error.is::<Stopped>());
        assert_eq!(error.to_string(), "while opening `a pipe`");
    }

    #[test]
    fn a_panic_reaches_the_watcher() {
        let verb = || -> Result<()> { panic::panic_any("lost") };
        let watched = panic::AssertUnwindSafe(|| Reading::default().watch(&Stop::default(), verb));
        assert!(panic::catch_unwind(watched).is_err());
    }
}
