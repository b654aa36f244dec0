//! The program run with the arguments of a line: what it prints, and what it refuses.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::process::{Command, Output};

use serde_json::Value;

/// Runs arguments separated by spaces.
pub fn run(line: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    Command::new(program).args(line.split(' ')).output().unwrap()
}

/// What it prints with `--json`, if it succeeds.
pub fn json(line: &str) -> Value {
    let output = run(&format!("{line} --json"));
    assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// It ends with code 2 and says so.
pub fn refused(line: &str, says: &str) {
    let output = run(line);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains(says), "{line}: {said}");
}
