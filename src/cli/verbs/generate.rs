//! `generate`: completions of shells and man pages, from the arguments of all verbs.
//!
//! Both know what `--help` knows. Completions also offer names from the registries where an option takes one, which
//! the arguments themselves do not: a file or a spec with options may stand there as well.

mod man;

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueEnum};
use clap_complete::{Generator as _, Shell};
use serde_json::json;

use super::prelude::*;
use crate::cli::{OutputFolder, overwriting::MARK};
use crate::registry::Kind;
use crate::{adversary, export, jobs, routing};

pub(super) const VERB: Verb = Verb {
    name: "generate",
    about: "Generate completions for a shell, or the man pages",
    reference: "the arguments of the program",
    examples: &[
        "generate complete-bash",
        "generate complete-zsh --output zsh-functions",
        "generate man --output man1",
    ],
    ..Verb::of::<Generate>()
};

/// The name of the program.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

#[derive(clap::Args)]
struct Generate {
    /// What to generate
    #[arg(value_name = "WHAT")]
    what: What,
    /// Write into FOLDER, under the names by which shells and man find it [default for completions: stdout]
    #[arg(long, value_name = "FOLDER")]
    output: Option<OutputFolder>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Completions of bash, such as for ~/.local/share/bash-completion/completions/routebound
    CompleteBash,
    /// Completions of Elvish
    CompleteElvish,
    /// Completions of fish, such as for ~/.config/fish/completions/routebound.fish
    CompleteFish,
    /// Completions of PowerShell
    CompletePowershell,
    /// Completions of zsh, named _routebound in a folder of $fpath
    CompleteZsh,
    /// routebound.1 and one page for every verb, such as routebound-ratio.1, for a folder such as
    /// ~/.local/share/man/man1
    Man,
}

impl What {
    /// The shell whose completions are asked for.
    fn shell(self) -> Option<Shell> {
        match self {
            Self::CompleteBash => Some(Shell::Bash),
            Self::CompleteElvish => Some(Shell::Elvish),
            Self::CompleteFish => Some(Shell::Fish),
            Self::CompletePowershell => Some(Shell::PowerShell),
            Self::CompleteZsh => Some(Shell::Zsh),
            Self::Man => None,
        }
    }
}

/// A file name and what the file holds.
type Page = (String, Vec<u8>);

impl Run for Generate {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let pages = self.pages()?;
        let what = self.what.to_possible_value().map(|value| value.get_name().to_string());
        let Some(folder) = &self.output else {
            let script = pages.into_iter().flat_map(|(_, bytes)| bytes).collect();
            let script = String::from_utf8(script)?;
            if context.json() {
                context.print_json(&json!({ "what": what, "text": script }))?;
            } else {
                // As it is, whatever a terminal would show of it.
                context.write(Path::new("-"), |out| Ok(out.write_all(script.as_bytes())?))?;
            }
            return Ok(Outcome::Done);
        };
        let mut files = Vec::new();
        for (name, bytes) in pages {
            let path = folder.join(name);
            if context.write_into_folder(&path, |out| Ok(out.write_all(&bytes)?)) {
                files.push(path);
            }
        }
        context.show(&json!({ "what": what, "files": files }), String::new)?;
        Ok(Outcome::Done)
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        let Some(folder) = &self.output else { return Ok(()) };
        self.pages()?.iter().try_for_each(|(name, _)| allowed.file(&folder.join(name)))
    }
}

impl Generate {
    fn pages(&self) -> Result<Vec<Page>> {
        match self.what.shell() {
            Some(shell) => Ok(vec![completions(shell)]),
            None if self.output.is_none() => {
                bail!(
                    "there is one man page for every verb: name a folder for them with `--output`"
                )
            }
            None => Ok(man::pages()?),
        }
    }
}

/// The script that completes command lines in a shell.
fn completions(shell: Shell) -> Page {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(crate::cli::command()), PROGRAM, &mut script);
    // zsh reads the first line, every other may be a remark.
    let end = script.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    script.splice(end..end, format!("# {MARK}\n").into_bytes());
    (shell.file_name(PROGRAM), script)
}

/// An argument, the verbs that take names of one registry there, all if there are none, and those names.
type Named = (&'static str, &'static [&'static str], fn() -> Vec<&'static str>);

const NAMED: &[Named] = &[
    ("routing", &[], || names(routing::KINDS)),
    ("adversary", &[], || names(adversary::KINDS)),
    ("collective", &["fabric"], || names(jobs::collectives::COLLECTIVES)),
    ("format", &["topo"], || names(export::EXPORTS)),
    ("format", &["route"], || names(export::ROUTED_EXPORTS)),
    ("format", &["traffic", "ratio", "attack", "merge"], || names(export::traffic::FORMATS)),
];

fn names<B>(kinds: &[Kind<B>]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name).collect()
}

/// The program with the names that arguments can have as their only values, which completions offer.
fn with_names(program: Command) -> Command {
    program.mut_subcommands(|verb| {
        let name = verb.get_name().to_string();
        verb.mut_args(|argument| match names_of(&name, &argument) {
            Some(names) => argument.value_parser(PossibleValuesParser::new(names)),
            None => argument,
        })
    })
}

/// The names that an argument of a verb can have.
fn names_of(verb: &str, argument: &Arg) -> Option<Vec<&'static str>> {
    let is_own = |verbs: &[&str]| verbs.is_empty() || verbs.contains(&verb);
    let named = NAMED.iter().find(|(id, verbs, _)| argument.get_id() == id && is_own(verbs));
    named.map(|(.., names)| names())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::VERBS;

    /// Every argument of a verb that `NAMED` knows exists.
    #[test]
    fn what_is_named_exists() {
        let program = crate::cli::command();
        for (id, verbs, names) in NAMED {
            assert!(!names().is_empty(), "{id}");
            for verb in *verbs {
                let verb = program.find_subcommand(verb).unwrap();
                assert!(
                    verb.get_arguments().any(|argument| argument.get_id() == id),
                    "{verb} {id}"
                );
            }
        }
    }

    #[test]
    fn every_shell_knows_every_verb() {
        for what in What::value_variants().iter().filter_map(|what| what.shell()) {
            let (_, script) = completions(what);
            let script = String::from_utf8(script).unwrap();
            for verb in VERBS {
                assert!(script.contains(verb.name), "{what}: {}", verb.name);
            }
            assert!(script.contains("save-traffic"), "{what}");
            // The others complete no values.
            if [Shell::Bash, Shell::Fish, Shell::Zsh].contains(&what) {
                assert!(script.contains("climb"), "{what}");
            }
        }
    }
}
