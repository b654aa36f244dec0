//! Suites of commands with the output they are known to give, in `tests/command_line/suites`: transcripts whose
//! commands run in a folder with the project's `instances` and `results`, which those of one suite share.
//!
//! `make update-suites` writes what the commands print now into the suites. It runs every command
//! twice, on one thread and on three, and refuses output that differs.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::files::{root, with_instances};
use super::transcript::{self, difference, is_update, judge};

/// The suite with what its commands print now; `routebound` is the program under test.
fn replayed(suite: &str, threads: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_routebound"));
    let known = std::env::var("PATH").unwrap();
    let folder = with_instances();
    transcript::replayed(suite, |line| {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(&folder).env("LC_ALL", "C");
        shell.env("PATH", format!("{}:{known}", program.parent().unwrap().display()));
        shell.env("RAYON_NUM_THREADS", threads).output().unwrap()
    })
}

/// The suites that this build can run: those of `solvers` need both solvers.
fn suites() -> Vec<PathBuf> {
    let folder = root().join("tests/command_line/suites");
    let solvers = cfg!(all(feature = "highs", feature = "sat"));
    let folders = [Some(folder.clone()), solvers.then(|| folder.join("solvers"))];
    let files = folders.into_iter().flatten().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn commands_print_what_the_suites_say() {
    let problems: Vec<String> =
        suites().iter().filter_map(|suite| judge(suite, is_update(), replayed).err()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_wrong_suite_is_found() {
    let right = "# A sum.\n$ echo 1; echo 2 >&2; exit 3\n| 1\n! 2\n? 3\n";
    assert_eq!(replayed(right, "1"), right);
    for wrong in [right.replace("| 1\n", ""), right.replace("? 3", "? 4"), right.to_owned() + "| 4"]
    {
        assert!(difference(&wrong, &replayed(&wrong, "1")).is_some(), "{wrong}");
    }
}

/// What differs from run to run is not written, whatever the suite said before.
#[test]
fn a_suite_is_updated_only_with_what_is_the_same_twice() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let updated = |suite: &str| {
        fs::write(file.path(), suite).unwrap();
        (judge(file.path(), true, replayed), fs::read_to_string(file.path()).unwrap())
    };
    let unsteady = "$ echo $RAYON_NUM_THREADS\n| 7\n";
    let (result, left) = updated(unsteady);
    assert!(result.unwrap_err().contains("differs from run to run at line 2"));
    assert_eq!(left, unsteady);
    let (result, left) = updated("$ echo 1\n| 7\n");
    assert_eq!((result, left.as_str()), (Ok(()), "$ echo 1\n| 1\n"));
    assert!(judge(file.path(), false, replayed).is_ok());
    assert!(judge(file.path(), true, replayed).is_ok());
}
