//! What a run keeps for its stop: a verb is abandoned while it opens inputs, and what it kept is printed.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::Result;

use super::Context;
use super::text::whole_lines;
use crate::cli::Outcome;
use crate::progress::Stopped;

impl Context {
    /// Does `work`, which reads the input called `name`. If the run has to stop meanwhile, it
    /// ends there, whatever the system is waiting for: `work` must have nothing to lose.
    ///
    /// # Errors
    /// The errors of `work`.
    pub fn reading<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.reading.during(name, work)
    }

    /// Does `work`, of which nothing is known before its end. If the run has to stop meanwhile, it ends
    /// there and says what it was `doing`.
    ///
    /// # Errors
    /// The errors of `work`.
    pub fn abandoned<T>(&self, doing: String, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.reading.doing(doing, work)
    }

    /// Runs the verb of this run, and abandons it when the run has to stop while it reads. A verb that ends with
    /// nothing but the stop prints what it kept.
    ///
    /// # Errors
    /// The errors of the verb; [`Stopped`] when it is stopped and has kept nothing.
    pub(in crate::cli) fn watch(
        &self,
        verb: impl FnOnce() -> Result<Outcome> + Send + 'static,
    ) -> Result<Outcome> {
        match self.reading.watch(&self.stop, verb) {
            // A part has nothing to print: its merge has.
            Err(error)
                if self.units.part().is_none()
                    && error.chain().any(<dyn Error>::is::<Stopped>)
                    && self.ending.print_known() =>
            {
                self.remark(&format!("{error:#}"));
                Ok(Outcome::Partial)
            }
            ended => ended,
        }
    }

    /// Keeps a report with what is known so far, to be shown if the run is stopped and its work does not end by
    /// itself within a second: on stderr where stdout is claimed, unless the run leaves a file.
    pub fn keep(&self, report: &impl serde::Serialize, text: impl FnOnce() -> String) {
        if self.json() {
            // What cannot be serialised now could not be printed then.
            if let Ok(known) = self.json.text(report) {
                self.ending.keep(known);
            }
        } else if !self.is_stdout_claimed.load(Ordering::Relaxed) {
            self.ending.keep(whole_lines(&text()));
        } else if !self.options.quiet {
            self.ending.keep_aside(whole_lines(&text()));
        }
    }

    /// Keeps a file with what is known so far. It is written if the run is stopped and its work does not end
    /// by itself within a second; `text` makes its content then. `-` is stdout.
    pub fn keep_file(&self, path: &Path, text: impl FnOnce() -> Option<String> + Send + 'static) {
        self.ending.keep_file(path, self.overwriting(), text);
    }

    /// Records that the verb has returned: its outcome decides how the run ends.
    pub(in crate::cli) fn finish(&self) {
        self.ending.finish();
    }
}
