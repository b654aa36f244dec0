//! Ends a run that was stopped and does not end by itself in time.
//!
//! Work asks its progress whether to continue, and ends soon after a stop with what it knows. Some
//! steps cannot ask: one pivot of a solver, a generator, a read from a slow disk. So that limits
//! hold whatever is running, verbs deposit here what they know so far ([`Ending::keep`]). If
//! nothing else has been printed [`GRACE`] after the stop, that is printed and the process ends.
//!
//! A verb that ends with nothing but the stop itself, because it was abandoned while it opened an input
//! ([`super::reading`]) or because its work has no partial result, prints what it deposited before
//! ([`Ending::print_known`]).

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::{Json, Overwriting, output};
use crate::input::was_opened;
use crate::progress::{Stop, Stopped};

/// Time that the work has after a stop to end by itself, with better bounds than the kept ones.
const GRACE: Duration = Duration::from_millis(500);

/// Between printing and exiting, a run frees its memory: it is given this long to do so.
const AFTER_PRINT: Duration = Duration::from_millis(200);

/// The output for a run that cannot wait for its work.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    json: Option<Json>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The report so far, as it would be printed.
    known: Option<String>,
    /// The same for stderr, where stdout gets something else.
    aside: Option<String>,
    /// The file that would hold it.
    file: Option<KeptFile>,
    /// Whether something was printed.
    printed: bool,
    /// Something is being streamed to stdout that breaks off if the run ends.
    streaming: bool,
    /// The verb has returned.
    finished: bool,
}

/// A file, and what makes its content when it is needed.
struct KeptFile {
    path: PathBuf,
    allowed: Overwriting,
    text: Box<dyn FnOnce() -> Option<String> + Send>,
}

impl fmt::Debug for KeptFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptFile").field("path", &self.path).finish_non_exhaustive()
    }
}

impl KeptFile {
    /// Writes the file, or prints it where that is stdout. There is no way left to report a failure but the
    /// exit code.
    fn write(self) {
        let Some(text) = (self.text)() else { return };
        let write = |out: &mut dyn Write| Ok(out.write_all(text.as_bytes())?);
        if self.path == Path::new("-") {
            drop(output::to_stdout(write));
        } else if !was_opened(&self.path) && self.allowed.file(&self.path).is_ok() {
            drop(output::to_file(&self.path, write));
        }
    }
}

impl State {
    /// Something better than the report so far is printed.
    fn forget(&mut self) {
        (self.known, self.aside) = (None, None);
    }

    /// Prints what was kept and writes the file that was kept; whether there was something.
    fn print_known(&mut self) -> bool {
        let (file, known, aside) = (self.file.take(), self.known.take(), self.aside.take());
        let is_known = file.is_some() || known.is_some() || aside.is_some();
        match (file, aside) {
            (Some(file), _) => file.write(),
            (None, Some(text)) => drop(io::stderr().write_all(text.as_bytes())),
            (None, None) => {}
        }
        if let Some(text) = known {
            // If stdout is closed, the exit code has to suffice.
            let mut out = io::stdout();
            drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        }
        is_known
    }
}

impl Ending {
    /// The ending of a run that prints JSON or text.
    pub(super) fn new(json: Option<Json>) -> Self {
        Self { json, state: Arc::default() }
    }

    /// Whether anything was printed.
    pub(super) fn has_printed(&self) -> bool {
        self.state().printed
    }

    /// Ends the process [`GRACE`] after the time limit, if it is still running then.
    pub(super) fn at_deadline(&self, stop: &Stop) {
        if let Some(left) = stop.time_left() {
            self.after(left.saturating_add(GRACE));
        }
    }

    /// Ends the process [`GRACE`] from now, if it is still running then.
    pub(super) fn soon(&self) {
        self.after(GRACE);
    }

    /// Replaces what is printed if the run does not end by itself.
    pub(super) fn keep(&self, text: String) {
        self.state().known = Some(text);
    }

    /// Replaces what is printed on stderr if the run does not end by itself and has no file to write.
    pub(super) fn keep_aside(&self, text: String) {
        self.state().aside = Some(text);
    }

    /// Replaces the file that is written if the run does not end by itself, and `allowed` allows it; `-` is stdout.
    pub(super) fn keep_file(
        &self,
        path: &Path,
        allowed: Overwriting,
        text: impl FnOnce() -> Option<String> + Send + 'static,
    ) {
        let (path, text) = (path.to_path_buf(), Box::new(text));
        self.state().file = Some(KeptFile { path, allowed, text });
    }

    /// The run itself writes a file: one that was kept for this path is not needed any more.
    pub(super) fn forget_file(&self, path: &Path) {
        self.state().file.take_if(|file| file.path == path);
    }

    /// Prints something, which replaces what was kept. The process does not end meanwhile, however
    /// slow the reader is.
    pub(super) fn printing<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        state.forget();
        state.printed = true;
        print()
    }

    /// Does `write`, which may send a lot to stdout: it replaces what was kept, and is cut off if
    /// the run has to end.
    pub(super) fn streaming<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        state.forget();
        (state.printed, state.streaming) = (true, true);
        drop(state);
        let written = write();
        self.state().streaming = false;
        written
    }

    /// Prints what was kept and writes the file that was kept, if nothing has been printed: whether there was
    /// something.
    pub(super) fn print_known(&self) -> bool {
        let mut state = self.state();
        let is_known = !state.printed && state.print_known();
        state.printed |= is_known;
        is_known
    }

    /// The verb has returned: its outcome decides.
    pub(super) fn finish(&self) {
        self.state().finished = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn after(&self, time: Duration) {
        let ending = self.clone();
        thread::spawn(move || {
            thread::sleep(time);
            ending.end();
        });
    }

    fn end(&self) {
        let mut state = self.state();
        if state.printed && !state.finished {
            drop(state);
            thread::sleep(AFTER_PRINT);
            state = self.state();
        }
        if state.finished {
            return;
        }
        if !state.print_known() {
            if state.streaming {
                // Not `complain`: it would wait for stdout, which the stream holds.
                drop(writeln!(io::stderr(), "error: {Stopped}: the output on stdout is cut off"));
            } else if !state.printed {
                super::complain(&Stopped.to_string(), 3, self.json);
            }
        }
        // The process ends here, with the state still locked. A stream still holds stdout.
        output::discard();
        process::exit(3);
    }
}
