//! The command line: one file per verb, exit codes, and what all verbs share.
//!
//! Only this module knows clap, anyhow, terminals and signals. To add a verb, add its file in
//! `verbs/`, its `mod` line and its line in [`VERBS`]. A verb reports how it ended with an
//! [`Outcome`] or an error; the exit code follows from these alone.
//!
//! The library knows no command line: its messages advise in its own terms, and `report/remedy.rs` adds the options.
//! Dependencies that only the program needs are behind the feature `cli`.

#[cfg(not(feature = "mpi"))]
mod alone;
mod bar;
pub mod context;
mod ending;
mod failure_sets;
mod failures;
mod inputs;
mod jobs;
mod json;
mod link_list;
mod misplaced;
mod network;
mod outcome;
mod output;
mod output_path;
mod overwriting;
#[cfg(feature = "mpi")]
mod ranks;
mod reading;
mod seeding;
mod sharing;
mod signals;
mod traffic;
mod usage;
mod verb;
mod verbs;
mod worst_traffic;

pub use context::{CommonOptions, Context};
use failure_sets::{DANGEROUS, FailureSetOptions};
pub use failures::FailureOptions;
use failures::listed;
pub use jobs::{JobOptions, Jobs};
pub use link_list::{LinkListOptions, text_of};
pub use network::{InstanceOptions, NetworkOptions, OpenNetwork, ROUTING, TOPOLOGY};
pub use outcome::Outcome;
pub use output_path::{OutputFolder, OutputPath};
pub use overwriting::Overwriting;
pub use sharing::ShardOptions;
pub use traffic::{TRAFFIC, Traffic};
pub use verb::{Run, Sharing, Verb};
pub use verbs::VERBS;
pub use worst_traffic::{BadPermutationOptions, TrafficFileOptions, TrafficTarget};

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use itertools::Itertools;

#[cfg(not(feature = "mpi"))]
use alone::Ranks;
use json::Json;
#[cfg(feature = "mpi")]
use ranks::Ranks;

use crate::failure::FailureError;
use crate::import::ImportError;
use crate::import::traffic::TrafficFileError;
use crate::limit::TooLarge;
use crate::progress::Stopped;
use crate::quote::message;
use crate::registry::UnknownName;
use crate::report::with_options;
use crate::shards::Part;

/// What the exit codes mean.
const EXIT_CODES: &str = "0 success, 1 a check failed, 2 bad usage or input, 3 a limit was reached";

/// Runs the program on the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    run_with(std::env::args_os(), Ranks::of_job().as_ref())
}

fn run_with(arguments: impl IntoIterator<Item = OsString>, ranks: Option<&Ranks>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match command().try_get_matches_from(&arguments) {
        Ok(matches) => {
            let json = Json::of(matches.subcommand_name());
            let (result, is_json) = dispatch(&matches, json, ranks);
            let (code, complaint) = verdict(result);
            if let Some(complaint) = complaint {
                complain(&complaint, code, is_json.then_some(json));
            }
            ExitCode::from(code)
        }
        // The first rank says the same.
        Err(_) if !ranks.is_none_or(Ranks::is_first) => ExitCode::SUCCESS,
        Err(error) if error.use_stderr() => {
            let error = usage::with_hint(error, &arguments);
            if arguments.iter().any(|argument| argument == "--json") {
                let words = arguments.iter().filter_map(|argument| argument.to_str());
                complain(&usage::sentence(&error), 2, Some(Json::of(words)));
            } else {
                // If stderr is closed, the exit code has to suffice.
                let _ = error.print();
            }
            ExitCode::from(2)
        }
        Err(help) => {
            let (code, complaint) = verdict(print_help(&help));
            if let Some(complaint) = complaint {
                complain(&complaint, code, None);
            }
            ExitCode::from(code)
        }
    }
}

/// Help and version go to stdout like any result.
fn print_help(help: &clap::Error) -> Result<Outcome> {
    help.print().map_err(|error| anyhow::Error::from(error).context("cannot write to stdout"))?;
    Ok(Outcome::Done)
}

/// Prints on stderr what went wrong; with `json` also on stdout, as the only object there.
fn complain(complaint: &str, code: u8, json: Option<Json>) {
    // If stderr or stdout is closed, the exit code has to suffice.
    let _ = writeln!(io::stderr(), "error: {}", message(complaint));
    let object = serde_json::json!({ "error": message(complaint), "exit_code": code });
    if let Some(Ok(text)) = json.map(|json| json.text(&object)) {
        let _ = io::stdout().write_all(text.as_bytes());
    }
}

/// The program's arguments: the common options, then one subcommand per verb.
fn command() -> Command {
    // The derived options set an `about` text too; the program's own, set later, replaces it.
    let program = CommonOptions::augment_args(Command::new(env!("CARGO_PKG_NAME")))
        .version(env!("CARGO_PKG_VERSION"))
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .after_help(format!("Exit codes: {EXIT_CODES}"))
        .subcommand_required(true)
        .arg_required_else_help(true);
    program.subcommands(VERBS.iter().map(Verb::command))
}

/// Runs the verb. Also returns whether stdout still needs its JSON object.
fn dispatch(matches: &ArgMatches, whose: Json, ranks: Option<&Ranks>) -> (Result<Outcome>, bool) {
    let options = match CommonOptions::from_arg_matches(matches) {
        Ok(options) => options,
        Err(error) => return (Err(error.into()), false),
    };
    let json = options.json();
    match Context::new(options, whose).and_then(|context| shared(context, matches, ranks)) {
        Ok(context) => {
            let context = Arc::new(context);
            let mut result = context.ended(run_verb(matches, &context));
            if let Some(ranks) = ranks {
                result = merged(ranks, result, matches, &context);
            } else if let Some(part) = context.units().kept() {
                result = kept(result, part, &context);
            }
            context.finish();
            (result, json && !context.has_printed() && ranks.is_none_or(Ranks::is_first))
        }
        Err(error) => match ranks {
            None => (Err(error), json),
            Some(ranks) => {
                let failed = ranks.gather(Err(error), None);
                (failed.map(|_| Outcome::Done), json && ranks.is_first())
            }
        },
    }
}

/// Merges the work of all ranks, on the first one.
fn merged(
    ranks: &Ranks,
    result: Result<Outcome>,
    matches: &ArgMatches,
    context: &Context,
) -> Result<Outcome> {
    let Some(parts) = ranks.gather(result, Some(context))? else { return Ok(Outcome::Done) };
    let merging = Arc::new(context.merging(matches, Arc::new(parts).into())?);
    merging.ended(sharing::merged(run_verb(matches, &merging), merging.units()))
}

/// What follows the work of a run that kept it in a part of its own.
fn kept(result: Result<Outcome>, part: &Part, context: &Context) -> Result<Outcome> {
    if context.units().part().is_some() {
        return result;
    }
    let outcome = sharing::merged(result, context.units())?;
    part.finish(context.is_stopped() || outcome == Outcome::Partial)?;
    Ok(outcome)
}

/// The context with the units of the shard or the rank, if this is one.
fn shared(context: Context, matches: &ArgMatches, ranks: Option<&Ranks>) -> Result<Context> {
    let Some((_, own)) = matches.subcommand() else { return Ok(context) };
    output_path::refuse_inputs(own)?;
    output_path::claim_stdout(own, &context)?;
    let verb = sharing::verb_of(matches)?;
    // The others write nothing, and may not even see the place.
    if ranks.is_none_or(Ranks::is_first) {
        match (overwriting::check(verb, own, context.overwriting()), ranks) {
            // The others would work in vain.
            (Err(error), Some(ranks)) => {
                let (code, complaint) = verdict(Err(error));
                let json = context.json().then(|| Json::of([verb.name]));
                complain(&complaint.unwrap_or_default(), code, json);
                ranks.give_up(code)
            }
            (checked, _) => checked?,
        }
    }
    if let Some(ranks) = ranks {
        return Ok(context.of_rank(ranks.units(verb, own)?, ranks.is_first()));
    }
    let context = context.shared_by(sharing::units(verb, own)?);
    context.keep_part();
    Ok(context)
}

fn run_verb(matches: &ArgMatches, context: &Arc<Context>) -> Result<Outcome> {
    let verb = sharing::verb_of(matches)?;
    let Some((_, matches)) = matches.subcommand() else { return Ok(Outcome::Done) };
    let (matches, shared) = (matches.clone(), Arc::clone(context));
    let run = context.watch(move || Ok(shared.judged((verb.run)(&matches, &shared)?)));
    run.map_err(|error| misplaced::explained(error, verb.name))
}

/// The exit code, and what to say on stderr.
fn verdict(result: Result<Outcome>) -> (u8, Option<String>) {
    let error = match result {
        Ok(outcome) => return (outcome.code(), None),
        Err(error) => error,
    };
    if is_closed_pipe(&error) {
        // The reader of the help, such as `head`, has read all it wanted.
        return (0, None);
    }
    let is_limit = |cause: &(dyn Error + 'static)| {
        let inside = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let too_large =
            cause.is::<TooLarge>() || inside.is_some_and(<dyn Error + Send + Sync>::is::<TooLarge>);
        too_large || cause.is::<Stopped>()
    };
    // A routing that a failure breaks is an answer.
    let is_answer = |cause: &(dyn Error + 'static)| {
        let failure = cause.downcast_ref::<FailureError>();
        matches!(failure, Some(FailureError::Broken { .. } | FailureError::NothingLeft { .. }))
    };
    let code = if error.chain().any(is_limit) {
        3
    } else if error.chain().any(is_answer) {
        1
    } else {
        2
    };
    (code, Some(sentence(&error)))
}

/// Says on stderr what is wrong with one of several inputs, and how a run ends where nothing is worse.
fn complained(error: anyhow::Error) -> Outcome {
    let complaint = sentence(&error);
    let (code, _) = verdict(Err(error));
    complain(&complaint, code, None);
    if code == 3 { Outcome::Partial } else { Outcome::BadInput }
}

/// Whether the reader of the output has gone away.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |cause: &(dyn Error + 'static)| {
        let io_error = cause.downcast_ref::<io::Error>();
        io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(closed)
}

/// The error with its causes on one line, and the options that help.
fn sentence(error: &anyhow::Error) -> String {
    let is = |unknown: fn(&(dyn Error + 'static)) -> bool| error.chain().any(unknown);
    let list = if is(<dyn Error>::is::<UnknownName>) {
        " (see `routebound list`)"
    } else if is(is_unknown_format) {
        " (see `routebound list formats`)"
    } else if is(is_unknown_traffic) {
        " (see `routebound list traffic-files`)"
    } else {
        ""
    };
    with_options(joined(error), error.as_ref()) + list
}

/// The error with its causes on one line, without those that its text already includes.
fn joined(error: &anyhow::Error) -> String {
    let join = |text: String, cause: &(dyn Error + 'static)| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    };
    let text = error.chain().skip(1).fold(error.to_string(), join);
    text.lines().map(str::trim).filter(|line| !line.is_empty()).join("; ")
}

fn is_unknown_format(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref();
    matches!(error, Some(ImportError::UnknownFormat { known, .. }) if known.contains("nearest"))
}

fn is_unknown_traffic(error: &(dyn Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(TrafficFileError::UnknownFormat { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::{AssessOptimum, OptimumMethod};
    use crate::limit::within;
    use crate::rational::Rational;
    use crate::traffic::Demand;

    #[test]
    fn the_arguments_of_all_verbs_fit_together() {
        command().debug_assert();
    }

    #[test]
    fn every_outcome_has_its_code() {
        let code = |result| verdict(result).0;
        assert_eq!(code(Ok(Outcome::Done)), 0);
        assert_eq!(code(Ok(Outcome::CheckFailed)), 1);
        assert_eq!(code(Ok(Outcome::BadInput)), 2);
        assert_eq!(code(Ok(Outcome::Partial)), 3);
        assert_eq!(verdict(Err(anyhow::anyhow!("bad"))), (2, Some("bad".into())));
        assert_eq!(code(Err(Stopped.into())), 3);
        let large = within("size", Some(2), 1, "use less").unwrap_err();
        assert_eq!(code(Err(anyhow::Error::from(large).context("in a file"))), 3);
        let closed = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(verdict(Err(anyhow::Error::from(closed).context("cannot write"))), (0, None));
    }

    #[test]
    fn an_error_is_one_sentence() {
        let error = anyhow::anyhow!("no such\n  file").context("cannot read x: no such\n  file");
        assert_eq!(sentence(&error), "cannot read x: no such; file");
        let error = anyhow::anyhow!("disk full").context("cannot write y");
        assert_eq!(sentence(&error), "cannot write y: disk full");
    }

    #[test]
    fn advice_names_the_options() {
        let unknown = crate::topology::generate("xgtf(1;2;1)").unwrap_err();
        let said = sentence(&anyhow::Error::from(unknown));
        assert!(said.ends_with("nearest: xgft, ft, eft2 (see `routebound list`)"), "{said}");
        let ring = crate::import::topology(
            "instances/networks/examples/ring.csv",
            &crate::import::ImportOptions::default(),
        );
        let closed = AssessOptimum::new().by(OptimumMethod::ClosedForm);
        let demand = Demand { s: 0, d: 1, amount: Rational::ONE };
        let refused = closed.run(&ring.unwrap(), &[demand]).unwrap_err();
        let said = sentence(&refused.into());
        assert!(said.ends_with("use linear programming (`--method lp`)"), "{said}");
    }
}
