//! Sharing the work of a verb: `--shard` and `--part`, and the command that parts belong to.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args};
use serde_json::json;

use super::{CommonOptions, Context, Outcome, OutputPath, Sharing, Verb, output_path};
use crate::adversary::AdversaryError;
use crate::assessment::AssessmentError;
use crate::input::STDIN;
use crate::shards::{Command, Part, Shard, ShardError, Units};
use crate::spec::Spec;

/// Options of verbs whose work can be sharded.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Several machines")]
pub struct ShardOptions {
    /// Run only shard I of N, such as 3/16; `routebound merge` combines the parts
    #[arg(long, value_name = "I/N", requires = "part")]
    shard: Option<Shard>,
    /// Save the progress of this run or shard in FILE, and resume from it if it exists. In an MPI job, a
    /// folder for the parts of all ranks
    #[arg(long, value_name = "FILE")]
    part: Option<OutputPath>,
}

impl ShardOptions {
    /// Whether this is a shard, which writes nothing but its part.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.shard.is_some()
    }
}

/// Options that do not decide what shards compute. Those that name outputs are left out by their
/// type.
const ASIDE: [&str; 5] = ["shard", "part", "format", "count", "worst_links"];

/// The arguments of a verb of which `matches` are known, and those common options that decide what
/// it computes.
fn arguments(verb: &Verb) -> Vec<Arg> {
    let own = (verb.arguments)(clap::Command::new(verb.name));
    let common = CommonOptions::augment_args(clap::Command::new(verb.name));
    let seed = common.get_arguments().filter(|argument| argument.get_id() == "seed");
    own.get_arguments().chain(seed).cloned().collect()
}

fn is_output(matches: &ArgMatches, id: &str) -> bool {
    output_path::outputs(matches, id).is_some()
}

/// The words of a command line that decide what it computes, in one order: the verb, what has no
/// option, and the options. Where one of the former begins like an option, they come last, after `--`.
///
/// # Errors
/// When one of them is not text, or is stdin, which only one process could read.
pub(super) fn command_of(verb: &Verb, matches: &ArgMatches) -> Result<Command> {
    let (mut names, mut options) = (Vec::new(), Vec::new());
    for argument in arguments(verb) {
        let id = argument.get_id().as_str();
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given || ASIDE.contains(&id) || is_output(matches, id) {
            continue;
        }
        let flag = argument.get_long().map(|long| format!("--{long}"));
        if !argument.get_action().takes_values() {
            options.extend(flag);
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let value = text(value)?;
            if is_stdin(value) {
                bail!(ShardError::Stdin);
            }
            match &flag {
                Some(flag) => options.push(format!("{flag}={value}")),
                None => names.push(value.to_string()),
            }
        }
    }
    let verb = vec![verb.name.to_string()];
    Ok(Command(if names.iter().any(|name| name.starts_with('-')) {
        [verb, options, vec!["--".to_string()], names].concat()
    } else {
        [verb, names, options].concat()
    }))
}

/// Whether an argument names stdin, directly or in a spec.
fn is_stdin(value: &str) -> bool {
    let in_spec = || Spec::parse(value).ok()?.path;
    value == STDIN || in_spec().as_deref() == Some(STDIN)
}

/// The text of an argument.
///
/// # Errors
/// When it is not UTF-8.
pub(super) fn text(value: &OsStr) -> Result<&str> {
    value.to_str().ok_or_else(|| anyhow!("`{}` is not valid UTF-8", value.display()))
}

/// Whether the work of a verb can be shared.
pub(super) fn is_shared(verb: &Verb) -> bool {
    arguments(verb).iter().any(|argument| argument.get_id() == "shard")
}

/// Where the units of a verb's work are done according to its options.
///
/// # Errors
/// When they contradict each other, or the part cannot be used.
pub(super) fn units(verb: &Verb, matches: &ArgMatches) -> Result<Units> {
    if !is_shared(verb) {
        return Ok(Units::default());
    }
    let Some(path) = matches.get_one::<OutputPath>("part") else {
        return alone();
    };
    if **path == *Path::new(STDIN) {
        bail!("a run resumes from its part, so `--part` must be a file, not `-`");
    }
    let Some(shard) = matches.get_one::<Shard>("shard") else {
        alone()?;
        (verb.check_sharing)(matches, Sharing::Job)?;
        let whole = Shard::new(1, 1).ok_or_else(|| anyhow!("there is no shard 1/1"))?;
        return Ok(Units::whole(in_part(path, verb, matches, whole)?));
    };
    let outputs = arguments(verb);
    let is_other = |id: &str| id != "part" && is_output(matches, id);
    if let Some(other) = outputs.iter().find(|argument| is_other(argument.get_id().as_str())) {
        let option = other.get_long().unwrap_or_default();
        let merge = Verb::named("merge")?;
        if arguments(merge).iter().any(|argument| argument.get_long() == Some(option)) {
            bail!("a shard writes nothing but its part: give `--{option}` to `routebound merge`");
        }
        bail!("a shard writes nothing but its part: leave `--{option}` out");
    }
    (verb.check_sharing)(matches, Sharing::Shards)?;
    Ok(in_part(path, verb, matches, *shard)?.into())
}

fn in_part(path: &Path, verb: &Verb, matches: &ArgMatches, shard: Shard) -> Result<Arc<Part>> {
    Ok(Arc::new(Part::open(path, command_of(verb, matches)?, shard)?))
}

/// The number of processes that `mpirun` started with this one, and where it says so.
pub(super) fn started() -> Option<(&'static str, u64)> {
    let said = |name: &'static str| Some((name, std::env::var(name).ok()?.parse().ok()?));
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"].into_iter().find_map(said)
}

/// The work of a process that shares it with nobody.
///
/// # Errors
/// When it is one of several that would all do the same.
fn alone() -> Result<Units> {
    let Some((name, started)) = started().filter(|(_, started)| *started > 1) else {
        return Ok(Units::default());
    };
    let why = if cfg!(feature = "mpi") {
        "the MPI of this build knows nothing of them: use its own mpirun"
    } else {
        "this build has no MPI: build it with `--features mpi`"
    };
    bail!(
        "{started} processes were started, but {why}, or give each a `--shard`; if each is to do \
         the whole work, unset {name}"
    );
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
        let (shard, path) = (part.shard().to_string(), part.path());
        let (units, of) = (kept.kept, kept.of);
        if self.json() {
            let mut known = json!({ "shard": shard, "part": path, "units": units });
            if kept.finished {
                known["of"] = of.into();
            }
            known["finished"] = kept.finished.into();
            self.print_json(&known)?;
        } else if kept.finished {
            self.print(&format!("shard {shard}: {units} of {of} units in {path}\n"))?;
        } else {
            let end = "stopped: run it again to continue";
            self.print(&format!("shard {shard}: {units} units so far in {path}; {end}\n"))?;
        }
        Ok(outcome)
    }

    /// Keeps a message for a shard that is stopped in the middle of its work.
    pub(super) fn keep_part(&self) {
        let Some(part) = self.units().part() else { return };
        let (shard, path) = (part.shard().to_string(), part.path());
        let known = json!({ "shard": shard, "part": path, "finished": false });
        self.keep(&known, || {
            format!("shard {shard}: stopped: run it again to continue from {path}\n")
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
    let matches = matches.map_err(|error| anyhow!("{}", super::usage::sentence(&error)));
    let matches = matches.context("the parts do not begin with a command")?;
    let verb = verb_of(&matches)?;
    let Some((_, own)) = matches.subcommand() else { bail!("the parts name no verb") };
    if !is_shared(verb) || command_of(verb, own)? != *command {
        bail!("the parts hold a command that no shard runs");
    }
    (verb.check_sharing)(own, Sharing::Job)?;
    Ok(matches)
}

/// What a verb found in the parts of all shards, or what is wrong with them. What would be a defect of
/// the program elsewhere is here one of the parts.
///
/// # Errors
/// The errors of the verb.
pub(super) fn merged(result: Result<Outcome>, units: &Units) -> Result<Outcome> {
    let cannot = "these parts cannot be merged";
    let Err(error) = result else { return result };
    units.check().context(cannot)?;
    let damaged = error.chain().find_map(|cause| {
        match (cause.downcast_ref::<AssessmentError>(), cause.downcast_ref::<AdversaryError>()) {
            (Some(AssessmentError::Refused(refusal)), _) => {
                Some(format!("the checker refuses what follows from them: {refusal}"))
            }
            (_, Some(AdversaryError::Defect { adversary, claimed, found })) => Some(format!(
                "they say that {adversary} found {claimed}, but its traffic proves {found}"
            )),
            _ => None,
        }
    });
    let remedy = "create all parts again with the same build";
    Err(match damaged {
        Some(damaged) => anyhow!("{cannot}: {damaged}: {remedy}"),
        None => error.context(cannot),
    })
}

/// The verb of a command line.
///
/// # Errors
/// When it has none.
pub(super) fn verb_of(matches: &ArgMatches) -> Result<&'static Verb> {
    let name = matches.subcommand_name();
    let name = name.ok_or_else(|| anyhow!("no verb was given: see `routebound --help`"))?;
    Verb::named(name)
}
