//! What has to be read to trust a judge of certificates is as short as the pages say, and what they tell of the
//! verified checker is what a run printed.

#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::trusted::{code, compiled};

/// More lines of Coq than what is proved may be stated in.
const STATEMENT: usize = 400;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The files below a folder with this extension, unit tests aside.
fn sources(folder: &str, extension: &str) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension)
                && !path.ends_with("tests.rs")
            {
                files.push(path);
            }
        }
    }
    files
}

/// Lines of Coq or OCaml that are neither blank nor comments, which may be nested.
fn coq_code(text: &str) -> usize {
    let (mut depth, mut kept, mut rest) = (0_usize, String::new(), text);
    while let Some(next) = rest.chars().next() {
        let mut length = next.len_utf8();
        if rest.starts_with("(*") {
            (depth, length) = (depth + 1, 2);
        } else if depth > 0 && rest.starts_with("*)") {
            (depth, length) = (depth - 1, 2);
        } else if depth == 0 || next == '\n' {
            kept.push(next);
        }
        rest = &rest[length..];
    }
    kept.lines().filter(|line| !line.trim().is_empty()).count()
}

fn python_code(text: &str) -> usize {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).count()
}

fn total(files: &[PathBuf], count: impl Fn(&str) -> usize) -> usize {
    files.iter().map(|file| count(&read(file))).sum()
}

/// The lines of every file of the proof.
fn proof() -> BTreeMap<String, usize> {
    let name = |file: &PathBuf| file.file_stem().unwrap().to_str().unwrap().to_string();
    sources("verified", "v").iter().map(|file| (name(file), coq_code(&read(file)))).collect()
}

/// The cells of all rows of tables.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

fn number(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn what_is_proved_is_stated_in_few_lines() {
    assert_eq!(coq_code("(* A (* b *)\n*) Check c.\n\n(** D *)\nCheck (e).\n"), 2);
    let readme = read("verified/README.md");
    let file = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix(".v`")?.to_string());
    let stated = rows(&readme).into_iter().filter_map(|row| Some((file(row[0])?, number(row[1]))));
    let (stated, counted) = (stated.collect::<BTreeMap<_, _>>(), proof());
    assert_eq!(stated, counted);
    let statement = counted["Spec"] + counted["Read"];
    assert!((200..=STATEMENT).contains(&statement), "{statement} lines");
    for line in readme.lines() {
        assert!(line.chars().count() <= 120, "{line}");
    }
}

#[test]
fn judges_are_as_short_as_the_page_says() {
    let page = read("docs/src/trust.md");
    let generators = ["topology", "routing", "generators"];
    let generators = generators.map(|part| sources(&format!("crates/networks/src/{part}"), "rs"));
    let mut alone = compiled(&root().join("crates/proof/src/lib.rs"));
    alone.push(root().join("crates/proof/src/bin/routebound-check.rs"));
    let proof = proof();
    let judges = [
        (
            "`check`",
            vec![
                total(&sources("crates/proof/src", "rs"), code),
                total(&generators.concat(), code),
            ],
        ),
        ("`routebound-check`", vec![total(&alone, code)]),
        (
            "[tests/second_checker]",
            vec![total(&sources("tests/second_checker", "py"), python_code)],
        ),
        (
            "[routebound-verified]",
            vec![
                proof["Spec"] + proof["Read"],
                proof["Show"] + coq_code(&read("verified/main.ml")),
            ],
        ),
    ];
    for (judge, counted) in judges {
        let row = rows(&page).into_iter().find(|row| row[0].starts_with(judge)).unwrap();
        let limits = row[2].split("fewer than ").skip(1);
        let limits: Vec<usize> =
            limits.map(|rest| number(rest.split(' ').next().unwrap())).collect();
        assert_eq!(limits.len(), counted.len(), "{judge}");
        for (limit, lines) in limits.into_iter().zip(counted) {
            assert!(
                lines < limit && 10 * lines > 7 * limit,
                "{judge}: {lines} lines, not fewer than {limit}"
            );
        }
    }
}

#[test]
fn the_page_tells_what_was_compared() {
    let (page, compared) = (read("docs/src/trust.md"), read("verified/compared.txt"));
    let (_, mutants) = compared.split_once("\nmutants of ").unwrap();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for line in mutants.lines().skip(1) {
        let (count, rest) = line.trim_start().split_once(' ').unwrap();
        let (kind, verdicts) = rest.split_once(": ").unwrap();
        let (ours, theirs) = verdicts.split_once("; in Rust: ").unwrap();
        assert_eq!(ours == "accepted", theirs == "accepted", "{line}");
        *kinds.entry(kind).or_default() += number(count);
    }
    assert!(kinds.values().sum::<usize>() >= 50_000, "{kinds:?}");
    let is_compared = |row: &Vec<&str>| row.len() > 2 && row[1].contains("verified");
    let told = rows(&page).into_iter().filter(is_compared).map(|row| (row[0], number(row[2])));
    assert_eq!(told.collect::<BTreeMap<_, _>>(), kinds);
}
