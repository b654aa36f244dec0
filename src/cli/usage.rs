//! Messages about a command line that cannot be read.

use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use itertools::Itertools;

use super::VERBS;

/// Options that have another name now, the verbs that had them, and what to say. They are not aliases, since
/// the old name reads as that of an input.
const RENAMED: &[(&str, &[&str], &str)] = &[(
    "--traffic",
    &["ratio", "attack", "merge"],
    "what writes the worst traffic to a file is `--save-traffic FILE`; the traffic of a file is measured by \
     `routebound load TOPOLOGY ROUTING FILE`",
)];

/// Words of `merge` about an unknown option, which most likely is one that the shards had to be given.
const OF_SHARDS: &str = "what decides the result was given to the shards, and is in their parts";

/// An error of clap with what helps in place of what does not: that an option could be passed as a value, or that
/// a digit is invalid.
pub(super) fn with_hint(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    if let Some(text) = not_a_number(&error) {
        return clap::Error::raw(ErrorKind::ValueValidation, text + "\n");
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let verb = verb_of(arguments).unwrap_or_default();
    let renamed = RENAMED.iter().find(|(option, verbs, _)| {
        let is_unknown =
            |value: &ContextValue| matches!(value, ContextValue::String(text) if text == option);
        verbs.contains(&verb) && error.get(ContextKind::InvalidArg).is_some_and(is_unknown)
    });
    if renamed.is_some() {
        // It would show what clap guessed.
        error.remove(ContextKind::Usage);
    }
    let hint = renamed.map(|(.., hint)| *hint).or((verb == "merge").then_some(OF_SHARDS));
    if let Some(hint) = hint {
        error.remove(ContextKind::SuggestedArg);
        let hints = ContextValue::StyledStrs(vec![hint.into()]);
        error.insert(ContextKind::Suggested, hints);
    }
    error
}

/// What is wrong with the value of an option that is to be a number.
fn not_a_number(error: &clap::Error) -> Option<String> {
    let cause = error.source()?;
    let wanted = match cause.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => "the number is too large",
        Some(IntErrorKind::Zero) => "expected at least 1",
        Some(_) => "expected a whole number",
        None if cause.is::<ParseFloatError>() => "expected a number",
        None => return None,
    };
    let text = |kind| error.get(kind).map(ToString::to_string);
    let (value, argument) = (text(ContextKind::InvalidValue)?, text(ContextKind::InvalidArg)?);
    Some(format!("invalid value '{value}' for '{argument}': {wanted}"))
}

/// The first word that is the name of a verb.
fn verb_of(arguments: &[OsString]) -> Option<&'static str> {
    let name = |word: &OsString| VERBS.iter().map(|kind| kind.name).find(|name| word == name);
    arguments.iter().skip(1).find_map(name)
}

/// The error of the arguments, on one line.
pub(super) fn sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let sentence = lines.filter(|line| !line.is_empty()).join("; ");
    sentence.trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    use clap::ArgMatches;

    use super::*;
    use crate::cli::command;

    /// Command lines, and names which options that can follow had, and have now.
    const OLD: &[(&str, &[(&str, &str)])] = &[
        ("ratio t r --save-traffic f", &[("traffic-format", "format")]),
        ("attack t r --save-traffic f", &[("traffic-format", "format")]),
        ("merge p --save-traffic f", &[("traffic-format", "format")]),
        ("synth t", &[("proof", "certificate")]),
        ("nonblocking t --least-m --local-adaptive", &[("proof", "certificate")]),
        ("topo t", &[("export", "format")]),
        ("route t r", &[("export", "format"), ("opensm", "save-opensm")]),
        (
            "sim t r p --load 1",
            &[("csv", "save-csv"), ("svg", "save-svg"), ("links", "save-links")],
        ),
        ("deliver t a m", &[("cycles", "save-cycles"), ("save", "save-messages")]),
        ("deliver t a m --sweep n=1", &[("csv", "save-csv"), ("svg", "save-svg")]),
        ("verify", &[("markdown", "save-markdown"), ("counterexamples", "save-counterexamples")]),
        ("fabric p", &[("html", "save-html"), ("job-files", "save-jobs")]),
    ];

    fn parsed(line: &str, option: &str) -> ArgMatches {
        let option = format!("--{option}=lft");
        let words = ["routebound"].into_iter().chain(line.split(' ')).chain([option.as_str()]);
        let matches = command().try_get_matches_from(words);
        let matches = matches.unwrap_or_else(|error| panic!("{line} {option}: {error}"));
        matches.subcommand().unwrap().1.clone()
    }

    /// Every option of every verb that takes a number says so of `abc`, and none counts its letters as digits.
    #[test]
    fn a_word_in_place_of_a_number_is_named() {
        let mut program = command();
        program.build();
        let mut numbers = 0;
        for verb in program.get_subcommands().filter(|verb| verb.get_name() != "help") {
            for argument in verb.get_arguments().filter_map(clap::Arg::get_long) {
                let words = ["routebound", verb.get_name(), &format!("--{argument}=abc")];
                let Err(error) = command().try_get_matches_from(words) else { continue };
                let said = with_hint(error, &[]).to_string();
                let is_digit = said.contains("invalid digit") || said.contains("literal");
                assert!(!is_digit, "{}: {said}", verb.get_name());
                numbers += usize::from(said.contains("expected a whole number"));
            }
        }
        assert!(numbers > 20, "{numbers}");
    }

    #[test]
    fn old_names_of_options_mean_the_new_ones() {
        let program = command();
        let mut tried = Vec::new();
        for (line, names) in OLD {
            let name = line.split(' ').next().unwrap();
            let verb = program.find_subcommand(name).unwrap();
            for (old, new) in *names {
                let is_new = |argument: &&clap::Arg| argument.get_long() == Some(new);
                // Some builds have fewer options.
                let Some(argument) = verb.get_arguments().find(is_new) else { continue };
                let value = |option| {
                    let matches = parsed(line, option);
                    matches.get_raw(argument.get_id().as_str()).unwrap().next().map(OsString::from)
                };
                assert_eq!(value(old), Some("lft".into()), "{line} --{old}");
                assert_eq!(value(old), value(new), "{line} --{old}");
                tried.push((name, *old));
            }
        }
        for verb in program.get_subcommands() {
            for old in verb.get_arguments().filter_map(clap::Arg::get_all_aliases).flatten() {
                assert!(tried.contains(&(verb.get_name(), old)), "{} --{old}", verb.get_name());
            }
        }
    }
}
