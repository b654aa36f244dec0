//! The run of a verb: common options, opening of specs, progress and output.

mod judging;
mod keeping;
mod text;
mod writing;

use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, anyhow, bail};
use clap::{ArgMatches, FromArgMatches as _};

use self::text::for_stdout;
use super::ending::Ending;
use super::overwriting::Overwriting;
use super::reading::Reading;
use super::seeding::with_seed;
use super::{Json, bar, is_closed_pipe, output, signals};
use crate::import::{self, traffic::Hosts};
use crate::input::{Input, InputError, contents};
use crate::progress::{Progress, Stop};
use crate::quote::printable;
use crate::registry::Kind;
use crate::shards::Units;
use crate::traffic::{self, Traffic};

/// Options of every verb.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct CommonOptions {
    /// Print the result as one JSON object on stdout, and nothing else there
    #[arg(long, global = true)]
    json: bool,
    /// Default seed for specs without their own `seed=`
    #[arg(long, global = true, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Number of threads, which does not affect results [default: all cores]
    #[arg(long, global = true, value_name = "NUMBER",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Do not print progress bars and remarks on stderr
    #[arg(long, global = true)]
    quiet: bool,
    /// Overwrite files that routebound did not write
    #[arg(long, global = true)]
    force: bool,
    /// Stop after SECONDS and report the bounds found so far (exit code 3)
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
}

pub(super) fn seconds(text: &str) -> Result<Duration> {
    let seconds: Option<f64> = text.parse().ok();
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| anyhow!("expected a number of seconds such as 60 or 0.5"))
}

/// The run of one verb.
#[derive(Debug)]
pub struct Context {
    options: CommonOptions,
    json: Json,
    stop: Stop,
    reading: Reading,
    ending: Ending,
    /// Files written by this run.
    written: Mutex<Vec<PathBuf>>,
    /// Why the first file beside the result was not written.
    unwritten: Mutex<Option<Error>>,
    units: Units,
    /// Whether an output goes to stdout, which then gets nothing else.
    is_stdout_claimed: Arc<AtomicBool>,
    /// Whether a merge follows within this process, which says what was found.
    is_rank: bool,
    /// Whether the run ends with a check that failed, whatever else it finds.
    has_failed_check: AtomicBool,
}

impl CommonOptions {
    /// Whether stdout gets one JSON object and nothing else.
    pub(super) fn json(&self) -> bool {
        self.json
    }
}

impl Context {
    /// Starts a run; from now on, Ctrl-C, SIGTERM and the time limit end its work.
    ///
    /// # Errors
    /// When the threads cannot be started, or a signal handler is already in place.
    pub(super) fn new(options: CommonOptions, json: Json) -> Result<Self> {
        // A limit beyond the clock's range is ignored.
        let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let stop = Stop::at(deadline);
        let ending = Ending::new(options.json.then_some(json));
        ending.at_deadline(&stop);
        let (on_signal, at_signal) = (stop.clone(), ending.clone());
        let stopped = move || {
            on_signal.request();
            at_signal.soon();
        };
        signals::watch(stopped, || {
            output::discard();
            std::process::exit(130);
        })?;
        if let Some(threads) = options.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().with_context(|| format!("cannot start {threads} threads"))?;
        }
        let (reading, written, unwritten) =
            (Reading::default(), Mutex::default(), Mutex::default());
        let (units, is_rank, is_stdout_claimed) = (Units::default(), false, Arc::default());
        Ok(Self {
            options,
            json,
            stop,
            reading,
            ending,
            written,
            unwritten,
            units,
            is_stdout_claimed,
            is_rank,
            has_failed_check: AtomicBool::default(),
        })
    }

    /// This run with units of work that several processes share.
    pub(super) fn shared_by(self, units: Units) -> Self {
        Self { units, ..self }
    }

    /// This run as a rank of a job, of which only the first prints remarks.
    pub(super) fn of_rank(mut self, units: Units, is_first: bool) -> Self {
        self.options.quiet |= !is_first;
        Self { units, is_rank: true, ..self }
    }

    /// Whether this run is a rank of a job.
    pub(super) fn is_rank(&self) -> bool {
        self.is_rank
    }

    /// A run of the command `matches` within this one, whose output goes where that of this run goes.
    ///
    /// # Errors
    /// When the options of the command cannot be read.
    pub(super) fn merging(&self, matches: &ArgMatches, units: Units) -> Result<Self> {
        let CommonOptions { seed, .. } = CommonOptions::from_arg_matches(matches)?;
        Ok(Self {
            options: CommonOptions { seed, ..self.options.clone() },
            json: Json::of(matches.subcommand_name()),
            stop: self.stop.clone(),
            reading: self.reading.clone(),
            ending: self.ending.clone(),
            written: Mutex::default(),
            unwritten: Mutex::default(),
            units,
            is_stdout_claimed: Arc::clone(&self.is_stdout_claimed),
            is_rank: false,
            has_failed_check: AtomicBool::default(),
        })
    }

    /// The units of the verb's work, and the process that does them.
    #[must_use]
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// Records that the verb has read all its inputs; processes that share its work must have read the same.
    ///
    /// # Errors
    /// When another process has read something else.
    pub fn inputs_are_read(&self) -> Result<()> {
        Ok(self.units.reads(&contents(), true)?)
    }

    /// Whether stdout gets one JSON object and nothing else.
    #[must_use]
    pub fn json(&self) -> bool {
        self.options.json
    }

    /// The rule by which files may be replaced.
    pub(super) fn overwriting(&self) -> Overwriting {
        Overwriting::new(self.options.force)
    }

    /// The seed of `--seed`.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.options.seed
    }

    /// The canonical name of the traffic of a spec or path, the traffic, and notes on how a file was read.
    ///
    /// # Errors
    /// When it cannot be built or read.
    pub fn open_traffic(&self, text: &str, hosts: Hosts) -> Result<(String, Traffic, Vec<String>)> {
        let text = self.seeded(&self.seeded(text, traffic::KINDS), import::traffic::SPECS);
        let name = import::traffic::canonical(&text)?;
        let read = || Ok(import::traffic::open_noted(&text, hosts)?);
        let (traffic, notes) = self.reading(&name, read)?;
        Ok((name, traffic, notes))
    }

    /// `text` with `--seed` as its `seed=`, if its kind takes one and it gives none.
    #[must_use]
    pub fn seeded<B>(&self, text: &str, kinds: &[Kind<B>]) -> String {
        self.options.seed.map_or_else(|| text.to_string(), |seed| with_seed(text, kinds, seed))
    }

    /// Progress of work of `total` units, stopped by Ctrl-C and the time limit, with a bar on a
    /// terminal.
    #[must_use]
    pub fn progress(&self, total: u64, label: &str) -> Progress {
        self.progress_within(None, total, label)
    }

    /// Progress like that of [`Self::progress`], stopped after `time` at the latest if one is given.
    #[must_use]
    pub fn progress_within(&self, time: Option<Duration>, total: u64, label: &str) -> Progress {
        // A time beyond the clock's range is ignored.
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let stop = deadline.map_or_else(|| self.stop.clone(), |at| self.stop.no_later(at));
        let progress = Progress::new(total, label).stopped_by(stop);
        if self.options.quiet { progress } else { bar::drawn(progress) }
    }

    /// Whether Ctrl-C or the time limit is ending the run.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_due()
    }

    /// The whole text of an input of at most `limit` bytes.
    ///
    /// # Errors
    /// When it cannot be read, is longer, or is not text.
    pub(super) fn read_text(&self, path: &Path, limit: u64) -> Result<String> {
        let name = path.display().to_string();
        self.reading(&name, || {
            let mut text = String::new();
            let read = Input::open(path, limit)?.read_to_string(&mut text);
            read.map_err(|error| InputError::of(&name, error))?;
            Ok(text)
        })
    }

    /// Whether anything was printed on stdout.
    pub(super) fn has_printed(&self) -> bool {
        self.ending.has_printed()
    }

    /// Prints text on stdout, with a newline at its end.
    ///
    /// # Errors
    /// When stdout fails.
    pub fn print(&self, text: &str) -> Result<()> {
        self.print_as_it_is(&for_stdout(text))
    }

    fn print_as_it_is(&self, text: &str) -> Result<()> {
        let write =
            |out: &mut dyn Write| out.write_all(text.as_bytes()).context("cannot write to stdout");
        unless_closed(self.ending.printing(|| output::to_stdout(write)))
    }

    /// Claims stdout for an output if `path` is `-`: no report is printed there then.
    ///
    /// # Errors
    /// With `--json`, whose object goes there.
    pub fn claim_stdout(&self, option: &str, path: &Path) -> Result<()> {
        if path != Path::new("-") {
            return Ok(());
        }
        if self.json() {
            bail!("`{option} -` and `--json` cannot both go to stdout: add `{option} FILE`");
        }
        self.is_stdout_claimed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Prints a report: its fields as JSON with `--json`, else its text unless stdout is claimed.
    ///
    /// # Errors
    /// When stdout fails.
    pub fn show(
        &self,
        report: &impl serde::Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.json() {
            self.print_json(report)
        } else if self.is_stdout_claimed.load(Ordering::Relaxed) {
            Ok(())
        } else {
            self.print(&text())
        }
    }

    /// Prints a value on stdout as one JSON object.
    ///
    /// # Errors
    /// When stdout fails.
    pub fn print_json(&self, value: &impl serde::Serialize) -> Result<()> {
        self.print_as_it_is(&self.json.text(value)?)
    }

    /// Prints a remark for the user on stderr, unless `--quiet`.
    pub fn remark(&self, text: &str) {
        if !self.options.quiet {
            // Remarks are optional: if stderr is closed they are lost.
            let _ = writeln!(io::stderr(), "{}", printable(text));
        }
    }
}

/// A reader of stdout such as `head` that has read all it wanted is not a reason to give up: the
/// exit code still tells the outcome.
fn unless_closed(written: Result<()>) -> Result<()> {
    match written {
        Err(error) if is_closed_pipe(&error) => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("0.5").unwrap(), Duration::from_millis(500));
        for bad in ["", "-1", "nan", "inf", "1e99", "1m"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
