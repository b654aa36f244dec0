//! Man pages of the program and of every verb.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::{PROGRAM, Page};
use crate::cli::{EXIT_CODES, VERBS, Verb, overwriting::MARK};

/// The page of the program, then those of its verbs.
pub(super) fn pages() -> io::Result<Vec<Page>> {
    let mut program = crate::cli::command().disable_help_subcommand(true);
    program.build();
    let mut pages = vec![page(program.clone(), PROGRAM, None)?];
    for verb in VERBS {
        if let Some(own) = program.find_subcommand(verb.name) {
            pages.push(page(own.clone(), &format!("{PROGRAM}-{}", verb.name), Some(verb))?);
        }
    }
    Ok(pages)
}

/// The page `name` of a command, which is that of a verb or of the program.
fn page(command: Command, name: &str, verb: Option<&Verb>) -> io::Result<Page> {
    let source = format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
    // An empty date would not be written, and what follows would take its place.
    let man = Man::new(command).title(name).date(" ").source(source).manual("User Commands");
    let mut out = Vec::new();
    writeln!(out, ".\\\" {MARK}")?;
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if verb.is_none() {
        man.render_subcommands_section(&mut out)?;
    }
    ending(verb).to_writer(&mut out)?;
    Ok((format!("{name}.1"), out))
}

/// The sections that the arguments do not have.
fn ending(verb: Option<&Verb>) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]).text([roman(format!("{EXIT_CODES}."))]);
    if let Some(verb) = verb {
        roff.control("SH", ["EXAMPLES"]);
        let [of_sources, anywhere] = verb.command_lines();
        let place = (!of_sources.is_empty()).then(|| roman("In the folder of the sources:"));
        let lines = anywhere.into_iter().map(bold).chain(place);
        for (at, line) in lines.chain(of_sources.into_iter().map(bold)).enumerate() {
            if at > 0 {
                roff.control("PP", []);
            }
            roff.text([line]);
        }
    }
    roff.control("SH", ["SEE ALSO"]);
    let others = VERBS.iter().filter(|other| verb.is_none_or(|verb| verb.name != other.name));
    let mut pages: Vec<String> = others.map(|other| format!("{PROGRAM}-{}", other.name)).collect();
    if verb.is_some() {
        pages.insert(0, PROGRAM.to_string());
    }
    let last = pages.len().saturating_sub(1);
    for (at, page) in pages.into_iter().enumerate() {
        roff.text([bold(page), roman(if at == last { "(1)" } else { "(1)," })]);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments of every verb are on its page, and the page of the program names all pages.
    #[test]
    fn every_verb_has_a_page_with_its_options() {
        let pages = pages().unwrap();
        let text_of = |name: &str| {
            let (_, page) = pages.iter().find(|(own, _)| own == name).unwrap();
            String::from_utf8(page.clone()).unwrap().replace("\\-", "-")
        };
        let program = text_of("routebound.1");
        assert_eq!(pages.len(), VERBS.len() + 1);
        for verb in VERBS {
            assert!(program.contains(&format!("routebound-{}(1)", verb.name)), "{}", verb.name);
            let page = text_of(&format!("routebound-{}.1", verb.name));
            for argument in verb.command().get_arguments().filter(|one| !one.is_hide_set()) {
                let option = argument.get_long().map(|long| format!("--{long}"));
                let value = || Some(argument.get_value_names()?.first()?.to_string());
                let name = option.or_else(value).unwrap();
                assert!(page.contains(&name), "{} {name}", verb.name);
            }
            for line in verb.command_lines().into_iter().flatten() {
                assert!(page.contains(&line.replace('\'', "\\*(Aq")), "{line}: {page}");
            }
        }
    }
}
