//! The options of the command line that do what a message advises.
//!
//! The library says what to do in its own terms, as it knows no command line. Here the advice that
//! its messages give is followed by the option that a user of the program gives for it. A test finds options in
//! any other message.

/// Words of the library's messages, each with what follows it for a user of the program.
const HINTS: &[(&str, &str)] = &[
    ("ignore all capacities", " with --unit-capacity"),
    ("ignore all speeds", " with --unit-capacity"),
    ("give every link capacity 1", " with --unit-capacity"),
    ("merge parallel cables", " with --merge-cables"),
    ("stand for several cables each", " (`--merge-cables`)"),
    ("read it without shared capacities", ": omit --undirected-shared"),
    ("read them as directed links", " with --directed"),
    ("by the exact analysis", " (the verb `ratio`)"),
    ("use linear programming", " (`--method lp`)"),
    ("use the approximation", " (`--method approx`)"),
    ("request a proof", " with --certificate"),
    ("check it by name", " (`routebound check`)"),
    ("analyse the routing link by link", " (`routebound ratio --engine enumerate --embed`)"),
    ("certify this routing alone, written out", " (`routebound ratio --embed`)"),
    ("write its paths instead", " with `--paths`"),
    ("write it as mtx or csv", " with --format"),
    ("instead of a number of hosts", " (`--hosts`)"),
    ("choose individual failures", " with --fail-links"),
    ("with the node names of this network", " (see `routebound topo --format json`)"),
];

/// A message with the options that do what it advises.
///
/// ```
/// use routebound::report::with_options;
/// let advice = "correct one, or ignore all speeds";
/// assert_eq!(with_options(advice), format!("{advice} with --unit-capacity"));
/// assert_eq!(with_options("no such file"), "no such file");
/// ```
#[must_use]
pub fn with_options(message: &str) -> String {
    let follow = |text: String, (words, option): &(&str, &str)| {
        text.replacen(words, &format!("{words}{option}"), 1)
    };
    HINTS.iter().fold(message.to_string(), follow)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{fs, iter};

    use super::*;

    /// Every line of the sources that is neither a comment nor about the command line.
    fn lines_of_the_library(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_below = |name: &str| path.ends_with(Path::new("src").join(name));
            let is_about_commands = path.ends_with("studies")
                || ["bin", "cli", "own", "report", "study"].into_iter().any(is_below);
            if path.is_dir() && !is_about_commands {
                lines_of_the_library(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
                found.extend(lines.map(str::to_string));
            }
        }
    }

    #[test]
    fn the_library_gives_the_advice_and_only_that() {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let crates = fs::read_dir(project.join("crates")).into_iter().flatten();
        let members = crates.map(|entry| entry.unwrap().path());
        let mut lines = Vec::new();
        for package in iter::once(project.to_path_buf()).chain(members) {
            let folder = package.join("src");
            if folder.is_dir() {
                lines_of_the_library(&folder, &mut lines);
            }
        }
        for (words, _) in HINTS {
            assert!(lines.iter().any(|line| line.contains(words)), "nothing says `{words}`");
        }
        let names_option = |line: &&String| {
            let mut after = line.split("--").skip(1);
            after.any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        };
        // How things are written on the command line is part of their entry in a registry.
        let stray = lines.iter().filter(names_option).filter(|line| !line.starts_with("usage: "));
        assert_eq!(stray.collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
