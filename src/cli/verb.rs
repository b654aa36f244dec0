//! A verb: its name, help, arguments and work.

use anyhow::{Result, anyhow};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use itertools::Itertools;

use super::{Context, Outcome, Overwriting, VERBS};

/// A verb of the command line.
#[derive(Clone, Copy)]
pub struct Verb {
    /// The name, lower case.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Paper and section, or project, that defines what it computes.
    pub reference: &'static str,
    /// Command lines without the name of the program, words separated by single spaces; the first runs in any folder.
    pub examples: &'static [&'static str],
    /// Lines for a shell that make the files which examples read and the sources do not have.
    pub made_by: &'static [&'static str],
    /// Version of the shape of its JSON.
    pub schema: u32,
    /// Adds the verb's arguments to its command.
    pub(super) arguments: fn(Command) -> Command,
    /// Reads the arguments and does the work.
    pub(super) run: fn(&ArgMatches, &Context) -> Result<Outcome>,
    /// Reads the arguments and says whether processes can share the work.
    pub(super) check_sharing: fn(&ArgMatches, Sharing) -> Result<()>,
    /// Reads the arguments and looks at the files that it writes besides those that options name.
    pub(super) check_files: fn(&ArgMatches, Overwriting) -> Result<()>,
}

/// The processes that share the work of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Shards, of which each is started by itself.
    Shards,
    /// Processes of one run, or one that merges what others did.
    Job,
}

/// The arguments and the work of a verb.
pub trait Run: Args + FromArgMatches {
    /// Does the work of the verb.
    ///
    /// # Errors
    /// Any error; the exit code is 3 when a size or time limit is the cause, else 2.
    fn run(&self, context: &Context) -> Result<Outcome>;

    /// Asked before anything is done or written by a process that is to share the work of a verb with
    /// [`ShardOptions`](super::ShardOptions).
    ///
    /// # Errors
    /// When these arguments ask for work that cannot be shared, with what to do instead.
    fn check_sharing(&self, _: Sharing) -> Result<()> {
        Ok(())
    }

    /// Asked before the work about files whose names follow from those that options give, such as
    /// `FILE.permutation`.
    ///
    /// # Errors
    /// When one of them must not be replaced.
    fn check_files(&self, _: Overwriting) -> Result<()> {
        Ok(())
    }
}

impl Verb {
    /// The version of shapes that have not changed since they have one.
    pub const SCHEMA: u32 = 1;

    /// A verb without a name, whose arguments and work are those of `A`.
    pub(super) const fn of<A: Run>() -> Self {
        Self {
            name: "",
            about: "",
            reference: "",
            examples: &[],
            made_by: &[],
            schema: Self::SCHEMA,
            arguments: A::augment_args,
            run: |matches, context| A::from_arg_matches(matches)?.run(context),
            check_sharing: |matches, by| A::from_arg_matches(matches)?.check_sharing(by),
            check_files: |matches, allowed| A::from_arg_matches(matches)?.check_files(allowed),
        }
    }

    /// The verb of this name.
    pub(super) fn named(name: &str) -> Result<&'static Self> {
        let found = VERBS.iter().find(|verb| verb.name == name);
        found.ok_or_else(|| anyhow!("`{name}` is not a verb: see `routebound --help`"))
    }

    /// The clap command of the verb.
    pub(super) fn command(&self) -> Command {
        let [of_sources, anywhere] = self.command_lines();
        let lines = |lines: Vec<String>| lines.iter().map(|line| format!("\n  {line}")).join("");
        let mut help = format!("Examples:{}", lines(anywhere));
        if !of_sources.is_empty() {
            help += "\n\nExamples, in the folder of the sources:";
            help += &lines(of_sources);
        }
        (self.arguments)(Command::new(self.name)).about(self.about).after_help(help)
    }

    /// The examples as they are typed into a shell: those for the folder of the sources, and those for any folder, after
    /// the lines that make their files.
    pub(super) fn command_lines(&self) -> [Vec<String>; 2] {
        let is_of_sources =
            |example: &&&str| example.contains("instances/") || example.contains("results/");
        let (of_sources, anywhere): (Vec<&str>, Vec<&str>) =
            self.examples.iter().partition(is_of_sources);
        let typed = |example: &str| format!("routebound {}", quoted(example));
        let made_by = self.made_by.iter().map(ToString::to_string);
        [
            of_sources.into_iter().map(typed).collect(),
            made_by.chain(anywhere.into_iter().map(typed)).collect(),
        ]
    }
}

/// An example with quotes around words in which a shell would interpret `(` or `;`.
fn quoted(example: &str) -> String {
    let word = |word: &str| {
        if word.contains(['(', ';']) { format!("'{word}'") } else { word.to_string() }
    };
    example.split(' ').map(word).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_quoted_for_shells() {
        assert_eq!(quoted("topo xgft(2;8,8;1,4) --json"), "topo 'xgft(2;8,8;1,4)' --json");
    }
}
