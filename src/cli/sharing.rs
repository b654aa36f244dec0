//! Sharing the work of a verb: `--shard` and `--part`, and the command that parts belong to.

use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args};
use serde_json::json;

use super::{CommonOptions, Context, Outcome, OutputPath, Verb};
use crate::distribution::{Command, Part, Shard, Units};
use crate::registry::Kind;

/// Options of verbs whose work several processes can share.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Several machines")]
pub struct ShardOptions {
    /// Do only the work of shard I of N, such as 3/16; `routebound merge` puts all parts together
    #[arg(long, value_name = "I/N", requires = "part")]
    shard: Option<Shard>,
    /// Where the shard keeps what it has done; if the file exists, the shard is resumed
    #[arg(long, value_name = "FILE")]
    part: Option<OutputPath>,
}

/// Options that do not decide what a verb computes. Those that name outputs are left out by their
/// type.
const ASIDE: [&str; 3] = ["shard", "part", "traffic_format"];

/// The arguments of a verb of which `matches` are known, and those common options that decide what
/// it computes.
fn arguments(verb: &Kind<Verb>) -> Vec<Arg> {
    let own = (verb.build.arguments)(clap::Command::new(verb.name));
    let common = CommonOptions::augment_args(clap::Command::new(verb.name));
    let seed = common.get_arguments().filter(|argument| argument.get_id() == "seed");
    own.get_arguments().chain(seed).cloned().collect()
}

fn is_output(matches: &ArgMatches, id: &str) -> bool {
    matches!(matches.try_get_many::<OutputPath>(id), Ok(Some(_)))
}

/// The words of a command line that decide what it computes, in one order.
///
/// # Errors
/// When one of them is no text.
pub(super) fn command_of(verb: &Kind<Verb>, matches: &ArgMatches) -> Result<Command> {
    let mut words = vec![verb.name.to_string()];
    for argument in arguments(verb) {
        let id = argument.get_id().as_str();
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given || ASIDE.contains(&id) || is_output(matches, id) {
            continue;
        }
        let flag = argument.get_long().map(|long| format!("--{long}"));
        if !argument.get_action().takes_values() {
            words.extend(flag);
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let value =
                value.to_str().ok_or_else(|| anyhow!("`{}` is no text", value.display()))?;
            words.push(flag.as_ref().map_or(value.to_string(), |flag| format!("{flag}={value}")));
        }
    }
    Ok(Command(words))
}

/// Whether the work of a verb can be shared.
pub(super) fn is_shared(verb: &Kind<Verb>) -> bool {
    arguments(verb).iter().any(|argument| argument.get_id() == "shard")
}

/// Where the units of a verb's work are done according to its options.
///
/// # Errors
/// When they contradict each other, or the part cannot be used.
pub(super) fn units(verb: &Kind<Verb>, matches: &ArgMatches) -> Result<Units> {
    if !is_shared(verb) {
        return Ok(Units::default());
    }
    let path = matches.get_one::<OutputPath>("part");
    let (shard, path) = match (matches.get_one::<Shard>("shard"), path) {
        (None, None) => return Ok(Units::default()),
        (Some(shard), Some(path)) => (*shard, path),
        _ => bail!("`--part` is the file of a shard: add `--shard 1/2` or the like"),
    };
    let outputs = arguments(verb);
    let mut outputs = outputs.iter().map(|argument| argument.get_id().as_str());
    if let Some(id) = outputs.find(|id| *id != "part" && is_output(matches, id)) {
        bail!("a shard writes nothing but its part: give `--{id}` to `routebound merge`");
    }
    Ok(Arc::new(Part::open(path, command_of(verb, matches)?, shard)?).into())
}

impl Context {
    /// Ends the run of a shard: says how far it has come.
    ///
    /// # Errors
    /// When its part could not be read or written.
    pub fn end_part(&self, part: &Part) -> Result<Outcome> {
        let kept = part.finish(self.is_stopped())?;
        let outcome = if kept.finished { Outcome::Done } else { Outcome::Partial };
        if self.is_rank() {
            return Ok(outcome);
        }
        let shard = part.shard().to_string();
        if self.json() {
            let (units, of, finished) = (kept.kept, kept.of, kept.finished);
            let path = part.path();
            self.print_json(&json!({
                "shard": shard, "part": path, "units": units, "of": of, "finished": finished,
            }))?;
        } else {
            let end =
                if kept.finished { "" } else { "; stopped: run it again to go on from there" };
            let (units, of, path) = (kept.kept, kept.of, part.path());
            self.print(&format!("shard {shard}: {units} of {of} units in {path}{end}\n"))?;
        }
        Ok(outcome)
    }

    /// Keeps a message for a shard that has to be ended in the middle of its work.
    pub(super) fn keep_part(&self) {
        let Some(part) = self.units().part() else { return };
        let (shard, path) = (part.shard().to_string(), part.path());
        let known = json!({ "shard": shard, "part": path, "finished": false });
        self.keep(&known, || {
            format!("shard {shard}: stopped: run it again to go on from what is in {path}\n")
        });
    }
}

/// Reads the words of a command as a command line.
///
/// # Errors
/// When they are none, or not exactly those that a shard of some verb would write.
pub(super) fn parsed(command: &Command) -> Result<ArgMatches> {
    let words = std::iter::once("routebound").chain(command.0.iter().map(String::as_str));
    let matches = super::command().try_get_matches_from(words);
    let matches = matches.map_err(|error| anyhow!("{}", super::usage_error(&error)));
    let matches = matches.context("the parts hold no command")?;
    let verb = verb_of(&matches)?;
    let Some((_, own)) = matches.subcommand() else { bail!("the parts name no verb") };
    if !is_shared(verb) || command_of(verb, own)? != *command {
        bail!("the parts hold a command that no shard runs");
    }
    Ok(matches)
}

/// The verb of a command line.
///
/// # Errors
/// When it has none.
pub(super) fn verb_of(matches: &ArgMatches) -> Result<&'static Kind<Verb>> {
    let name = matches.subcommand_name();
    let name = name.ok_or_else(|| anyhow!("no verb was given: see `routebound --help`"))?;
    Ok(crate::registry::find(super::VERBS, "verb", name)?)
}
