//! The README, the book in `docs` and the answers in `results/asked`: their commands run, their lists are those of the
//! registries, and their links lead somewhere.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

#[cfg(all(unix, feature = "highs", feature = "sat"))]
mod asked;
#[cfg(all(unix, feature = "highs", feature = "sat"))]
mod commands;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::files::root;

/// The folder of the pages of the book.
const BOOK: &str = "docs/src";

fn text_of(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// The file names of the pages of the book.
fn book() -> BTreeSet<String> {
    let files = fs::read_dir(root().join(BOOK)).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// The targets of the links of a page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// The anchors of the headings of a page, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let anchor = |heading: &str| {
        let name = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        name.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    };
    headings.map(anchor).collect()
}

/// The links of a page that lead nowhere.
fn broken(page: &Path, text: &str) -> Vec<String> {
    let leads_nowhere = |link: &&str| {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = page.parent().unwrap().join(file);
        let of_target = || if file.is_empty() { text.to_string() } else { text_of(&target) };
        let has_anchor = || anchor.is_empty() || anchors(&of_target()).contains(anchor);
        !(link.contains("://") || target.exists() && has_anchor())
    };
    links(text).filter(leads_nowhere).map(String::from).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages: Vec<PathBuf> = book().iter().map(|page| root().join(BOOK).join(page)).collect();
    let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
    pages.extend(others.map(|page| root().join(page)));
    for page in pages {
        assert_eq!(broken(&page, &text_of(&page)), Vec::<String>::new(), "{}", page.display());
    }
    let planted =
        "# Two words!\n[a](#two-words) [b](https://x.y) [c](#three) [d](docs) [e](dogs#f)";
    assert_eq!(broken(&root().join("README.md"), planted), ["#three", "dogs#f"]);
}

#[test]
fn the_summary_has_every_page() {
    let summary = text_of(&root().join(BOOK).join("SUMMARY.md"));
    let mut listed: BTreeSet<String> = links(&summary).map(String::from).collect();
    listed.insert("SUMMARY.md".into());
    assert_eq!(listed, book());
}
