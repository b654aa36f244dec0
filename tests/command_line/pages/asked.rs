//! The pages of `results/asked`: their commands print what they show, an answer has no number that is not shown above
//! it, and the index counts what the pages say.
//!
//! `make update-suites` writes what is printed now: a shown line that is not printed any more becomes the next one that
//! begins with the same words, and rows and counts of the index follow from the pages. Read the answers that change.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::commands::{blocks, judge};
use super::{broken, text_of};
use crate::files::root;
use crate::parallel::for_each;
use crate::transcript::is_update;

const FOLDER: &str = "results/asked";

fn page(name: &str) -> PathBuf {
    root().join(FOLDER).join(name)
}

/// The file names of the pages without that of the index.
fn names() -> BTreeSet<String> {
    let files = fs::read_dir(root().join(FOLDER)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "README.md").collect()
}

/// The text between two others, on one line.
fn between(text: &str, start: &str, end: &str) -> Option<String> {
    let (text, _) = text.split_once(start)?.1.split_once(end)?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The whole numbers, decimals and fractions in a text.
fn numbers(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || "./".contains(c)));
    let words = words.map(|word| word.trim_matches(['.', '/']).to_string());
    words.filter(|word| !word.is_empty()).collect()
}

/// The numbers of the answer that no command of the page has or prints.
fn unshown(page: &str) -> Vec<String> {
    let answer = between(&format!("{page}\n"), "**Answer.**", "\n\n").unwrap();
    let shown: Vec<String> =
        blocks(page).into_iter().flat_map(|b| [b.commands, b.shown].concat()).collect();
    let shown: BTreeSet<String> = shown.iter().flat_map(|line| numbers(line)).collect();
    numbers(&answer).difference(&shown).cloned().collect()
}

/// The row of a page in the index: its title, threads, how far they are answered, and what is open.
fn row(name: &str) -> String {
    let text = text_of(&page(name)) + "\n";
    let part =
        |start, end| between(&text, start, end).unwrap_or_else(|| panic!("{name}: no {start}"));
    let (title, threads) = (part("# ", "\n"), part("Asked in ", ".\nAnswered: **"));
    let answered = part("Answered: **", "**.");
    let open = between(&text, "**Open.** ", "\n\n");
    assert!(["fully", "partly"].contains(&&*answered), "{name}: {answered}");
    assert_eq!(answered == "partly", open.is_some(), "{name}: what is open?");
    format!("| [{title}]({name}) | {threads} | {answered} | {} |", open.unwrap_or_default())
}

/// The index with its rows and counts as they follow from the pages.
fn recounted(index: &str) -> String {
    let of_page = |line: &str| {
        line.strip_prefix("| [")?.split_once("](")?.1.split_once(") |").map(|(name, _)| row(name))
    };
    let lines: Vec<String> =
        index.lines().map(|line| of_page(line).unwrap_or_else(|| line.to_string())).collect();
    let cells = lines
        .iter()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.split(" | ").collect::<Vec<_>>());
    let rows: Vec<_> =
        cells.filter(|cells| ["fully", "partly", "no"].contains(&cells[2])).collect();
    let count = |answered| rows.iter().filter(|cells| cells[2] == answered).count();
    let threads: usize = rows.iter().map(|cells| cells[1].matches('#').count()).sum();
    let counts = format!(
        "Of {} questions in {threads} threads, {} are answered fully, {} partly and {} not.",
        rows.len(),
        count("fully"),
        count("partly"),
        count("no")
    );
    let is_count = |line: &str| line.starts_with("Of ") && line.ends_with(" not.");
    let lines = lines.into_iter().map(|line| if is_count(&line) { counts.clone() } else { line });
    lines.map(|line| line.trim_end().to_string() + "\n").collect()
}

#[test]
fn answers_are_what_is_printed_and_the_index_counts_them() {
    let names: Vec<(usize, String)> = names().into_iter().enumerate().collect();
    for_each(&names, |(number, name)| {
        let path = page(name);
        // By default the commands of every second page run, in the full tier and for an update those of all.
        if number % 2 == 0 || is_update() || cfg!(feature = "slow-tests") {
            judge(&path, is_update().then_some(|_| true));
        }
        let text = text_of(&path);
        let blocks = blocks(&text);
        assert!(!blocks.is_empty() && blocks.iter().all(|block| !block.shown.is_empty()), "{name}");
        assert_eq!(unshown(&text), Vec::<String>::new(), "{name}");
        assert_eq!(broken(&path, &text), Vec::<String>::new(), "{name}");
    });
    judge_index();
}

fn judge_index() {
    let path = page("README.md");
    let index = text_of(&path);
    let now = recounted(&index);
    if is_update() {
        fs::write(&path, &now).unwrap();
    } else {
        assert_eq!(index, now, "`make update-suites` accepts it");
    }
    let is_page = |link: &&str| {
        !link.contains('/') && Path::new(link).extension().is_some_and(|ending| ending == "md")
    };
    let linked: Vec<&str> = super::links(&now).filter(is_page).collect();
    assert_eq!(linked.iter().map(|link| (*link).to_string()).collect::<BTreeSet<_>>(), names());
    assert_eq!(linked.len(), names().len(), "a page is in one row");
    assert_eq!(broken(&path, &now), Vec::<String>::new());
}

#[test]
fn a_number_from_elsewhere_is_found() {
    let page = "    routebound load 'ft(4,2)' x\n\n```text\nmax load  1,024\n```\n\n\
                **Answer.** Of 4 hosts, 1,024 is 3/2.\n\n9\n";
    assert_eq!(unshown(page), ["3/2"]);
}
