//! Fuzz targets, on stable Rust: damaged files for every reader, damaged certificates for the
//! checker, random routings for the analysis.
//!
//! `PROPTEST_CASES=100000 cargo test --test structure fuzz` runs more cases than the few of every
//! day; so does the feature `slow-tests`. A failure is shrunk and printed as a command line.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

mod certificates;
mod change;
mod claims;
mod growth;
mod lies;
mod models;
mod readers;
mod solvers;
mod targets;
mod workloads;

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
    format!("printf '%b' '{}' | routebound {verb}", quoted(bytes))
}

/// The bytes as `%b` of `printf` reads them, between single quotes of a shell: what is not plain
/// as `\0` and three octal digits.
fn quoted(bytes: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'\n' => "\\n".to_string(),
        b' '..=b'~' if !b"'\\".contains(byte) => char::from(*byte).to_string(),
        _ => format!("\\0{byte:03o}"),
    };
    bytes.iter().map(one).collect()
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

/// What a shell gives to the program in such a command line, where the program is another.
fn piped(bytes: &[u8], program: &str) -> std::process::Output {
    let line = command(bytes, "").replace("routebound ", program);
    std::process::Command::new("sh").args(["-c", &line]).output().unwrap()
}

#[test]
fn commands_hold_any_bytes() {
    assert_eq!(
        command(b"a'\n\xff%\\", "check -"),
        r"printf '%b' 'a\0047\n\0377%\0134' | routebound check -"
    );
    // Each byte before a digit, which must not be taken for a part of it.
    let all: Vec<u8> = (0..=255).flat_map(|byte| [byte, b'7', b'f']).collect();
    assert_eq!(piped(&all, "cat").stdout, all);
    assert_eq!(piped(b"-n \\c \"$HOME\"", "cat").stdout, b"-n \\c \"$HOME\"");
    assert_eq!(piped(b"", "cat").stdout, b"");
}

/// Every target names a command that reads its seeds as the reader does.
#[cfg(feature = "cli")]
#[test]
fn commands_read_the_seeds() {
    let program = env!("CARGO_BIN_EXE_routebound");
    for target in targets::TARGETS {
        // The shell takes no long words.
        let seed = (target.seeds)().into_iter().find(|seed| seed.len() < 60_000).unwrap();
        let found = piped(&seed, &format!("'{program}' {}", target.verb));
        let told = String::from_utf8_lossy(&found.stderr);
        assert_eq!(found.status.code(), Some(0), "{}: {told}", target.verb);
        let damaged = piped(b"?\x1b{", &format!("'{program}' {}", target.verb));
        // A certificate that cannot be read is refused.
        let code = if target.verb == "check -" { 1 } else { 2 };
        assert_eq!(damaged.status.code(), Some(code), "{}", target.verb);
    }
}
