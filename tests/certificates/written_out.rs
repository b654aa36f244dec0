//! Certificates that hold their instances: `check` prints what the program `routebound-check` prints.
#![cfg(unix)]

#[path = "../../crates/proof/tests/check/transcript.rs"]
pub mod transcript;

use std::path::Path;

/// The tests of `routebound-proof` compare the same text with that program.
#[test]
fn the_verb_prints_what_the_program_for_auditors_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/proof/tests/check");
    transcript::judge_checker(&folder, Path::new(env!("CARGO_BIN_EXE_routebound")), "check");
}

#[test]
fn the_verb_judges_damaged_certificates_as_the_program_for_auditors_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/proof/tests/check");
    transcript::judge_mutants(&folder, Path::new(env!("CARGO_BIN_EXE_routebound")), "check");
}
