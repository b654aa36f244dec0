//! Suites of commands with the output they are known to give, in `tests/command_line/suites`.
//!
//! A suite is a text file. A line `$ COMMAND` is run by the shell, in a folder of its own that has
//! the project's `instances` and `results`; the commands of one suite share that folder. Below it
//! stand its output, one line per `| `, its messages, one line per `! `, and its exit code `? ` if
//! that is not 0. Other lines are comments, which begin with `# `, or empty.
//!
//! `make update-suites` writes what the commands print now into the suites. It runs every command
//! twice, on one thread and on three, and refuses output that differs.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::files::root;

/// The variable that makes the test write the suites instead of comparing them.
const UPDATE: &str = "UPDATE_SUITES";

/// Runs a command line in `folder`; `routebound` is the program under test.
fn shell(line: &str, folder: &Path, threads: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    let known = std::env::var("PATH").unwrap();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{known}", program.parent().unwrap().display()))
        .env("RAYON_NUM_THREADS", threads)
        .env("LC_ALL", "C")
        .output()
        .unwrap()
}

/// The text with the mark before every line, without spaces at their ends.
fn marked(mark: char, text: &[u8]) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap();
    text.lines().fold(String::new(), |all, line| all + format!("{mark} {line}").trim_end() + "\n")
}

/// The part of a suite that a command's output is.
fn record(output: &Output) -> String {
    let mut text = marked('|', &output.stdout) + &marked('!', &output.stderr);
    assert!(!text.contains("panicked"), "{text}");
    match output.status.code().unwrap() {
        0 => {}
        code => writeln!(text, "? {code}").unwrap(),
    }
    text
}

/// The suite with what its commands print now.
fn replayed(suite: &str, threads: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for shown in ["results", "instances"] {
        std::os::unix::fs::symlink(root().join(shown), folder.path().join(shown)).unwrap();
    }
    let mut text = String::new();
    for (number, line) in suite.lines().enumerate() {
        match line.chars().next() {
            Some('|' | '!' | '?') => continue,
            None | Some('#' | '$') => {}
            Some(_) => panic!("line {}: `{line}` is not a line of a suite", number + 1),
        }
        text = text + line + "\n";
        if let Some(command) = line.strip_prefix("$ ") {
            text += &record(&shell(command, folder.path(), threads));
        }
    }
    text
}

/// The first line in which the texts differ, with its number.
fn difference(expected: &str, found: &str) -> Option<String> {
    let longest = expected.lines().count().max(found.lines().count());
    let mut expected = expected.lines().chain(std::iter::repeat("end"));
    let mut found = found.lines().chain(std::iter::repeat("end"));
    (1..=longest).find_map(|number| {
        let (old, new) = (expected.next()?, found.next()?);
        (old != new).then(|| format!("line {number}:\n  expected {old}\n  found    {new}"))
    })
}

/// Compares the suite with what its commands print, or writes that into it.
fn judge(path: &Path, update: bool) -> Result<(), String> {
    let suite = fs::read_to_string(path).unwrap();
    let found = replayed(&suite, "3");
    let name = path.display();
    if update {
        if let Some(at) = difference(&replayed(&suite, "1"), &found) {
            return Err(format!("{name} stays as it is: it differs from run to run at {at}"));
        }
        fs::write(path, found).unwrap();
        return Ok(());
    }
    match difference(&suite, &found) {
        Some(at) => Err(format!("{name}, {at}\n(`make update-suites` accepts what is found)")),
        None => Ok(()),
    }
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
    let update = std::env::var_os(UPDATE).is_some();
    let problems: Vec<String> =
        suites().iter().filter_map(|suite| judge(suite, update).err()).collect();
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
        (judge(file.path(), true), fs::read_to_string(file.path()).unwrap())
    };
    let unsteady = "$ echo $RAYON_NUM_THREADS\n| 7\n";
    let (result, left) = updated(unsteady);
    assert!(result.unwrap_err().contains("differs from run to run at line 2"));
    assert_eq!(left, unsteady);
    let (result, left) = updated("$ echo 1\n| 7\n");
    assert_eq!((result, left.as_str()), (Ok(()), "$ echo 1\n| 1\n"));
    assert!(judge(file.path(), false).is_ok());
    assert!(judge(file.path(), true).is_ok());
}
