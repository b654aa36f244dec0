//! Fuzz targets, on stable Rust: damaged files for every reader, damaged certificates for the
//! checker, random routings for the analysis.
//!
//! `PROPTEST_CASES=100000 cargo test --test structure fuzz` runs more cases than the few of every
//! day; so does the feature `slow-tests`. A failure is shrunk and printed as a command line.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod certificates;
mod change;
mod claims;
mod models;
mod readers;
mod solvers;
mod targets;

use std::path::Path;

use proptest::prelude::ProptestConfig;

/// `few` cases, a hundred times as many in slow tests, or what the environment says.
fn cases(few: u32) -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").ok();
    let given = given.map(|text| text.parse().expect("PROPTEST_CASES is a number"));
    let usual = if cfg!(feature = "slow-tests") { 100 * few } else { few };
    ProptestConfig {
        cases: given.unwrap_or(usual),
        failure_persistence: None,
        max_shrink_iters: 4096,
        ..ProptestConfig::default()
    }
}

/// A command line that gives the program these bytes on its standard input.
fn command(bytes: &[u8], verb: &str) -> String {
    let text = bytes.escape_ascii().to_string().replace("\\'", "\\x27");
    format!("printf '%b' '{text}' | routebound {verb}")
}

/// All files below a folder of the project.
fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn commands_hold_any_bytes() {
    assert_eq!(
        command(b"a'\n\xff%", "check -"),
        r"printf '%b' 'a\x27\n\xff%' | routebound check -"
    );
}
