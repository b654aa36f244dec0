//! Signals that end a run with what is known by then: Ctrl-C, and SIGTERM, which schedulers send.
//!
//! SIGHUP stays as it is, although ctrlc could watch for it too: under `nohup` it is ignored, and a
//! handler would end a run that was to continue.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

/// Signals this close together are one: `timeout` and schedulers signal a process, then its group.
const ONE_SIGNAL: Duration = Duration::from_millis(250);

/// Calls `stop` at the first signal, and `exit` at a second one.
///
/// # Errors
/// When a handler is already in place.
pub(super) fn watch(
    stop: impl Fn() + Send + 'static,
    exit: impl Fn() + Send + 'static,
) -> Result<()> {
    let mut first: Option<Instant> = None;
    let on_signal = move || match first {
        None => {
            first = Some(Instant::now());
            stop();
        }
        Some(first) if first.elapsed() < ONE_SIGNAL => {}
        Some(_) => exit(),
    };
    let on_signal: Arc<Mutex<dyn FnMut() + Send>> = Arc::new(Mutex::new(on_signal));
    let terminated = Arc::clone(&on_signal);
    ctrlc::set_handler(move || call(&on_signal)).context("cannot watch for Ctrl-C")?;
    at_termination(move || call(&terminated))
}

fn call(on_signal: &Mutex<dyn FnMut() + Send>) {
    on_signal.lock().unwrap_or_else(PoisonError::into_inner)();
}

#[cfg(unix)]
fn at_termination(on_signal: impl Fn() + Send + 'static) -> Result<()> {
    use signal_hook::{consts::SIGTERM, iterator::Signals};

    let mut signals = Signals::new([SIGTERM]).context("cannot watch for SIGTERM")?;
    std::thread::spawn(move || signals.forever().for_each(|_| on_signal()));
    Ok(())
}

/// Other systems do not have this signal.
#[cfg(not(unix))]
fn at_termination(_: impl Fn() + Send + 'static) -> Result<()> {
    Ok(())
}
