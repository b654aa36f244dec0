//! Command lines with what a checker prints: `said.txt`, in the format of the suites of the command line.
//!
//! A line `$ COMMAND` is run by the shell, in a folder with the certificates. Below it stand its output, one
//! line per `| `, its messages, one line per `! `, and its exit code `? ` if that is not 0. Other lines are comments,
//! which begin with `# `, or empty.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a command line in `folder`, where `check` is the program with the words before its files.
fn shell(line: &str, folder: &Path, (program, words): (&Path, &str)) -> Output {
    let line = format!("check() {{ \"$CHECKER\" {words} \"$@\"; }}; {line}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder).env("CHECKER", program).env("LC_ALL", "C");
    shell.output().unwrap()
}

/// The text with the mark before every line.
fn marked(mark: char, text: &[u8]) -> String {
    let text = str::from_utf8(text).unwrap();
    text.lines().map(|line| format!("{mark} {line}").trim_end().to_string() + "\n").collect()
}

fn record(output: &Output) -> String {
    let code = output.status.code().unwrap();
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    marked('|', &output.stdout) + &marked('!', &output.stderr) + &code
}

/// The text with what its commands print now.
fn replayed(text: &str, folder: &Path, program: (&Path, &str)) -> String {
    let mut said = String::new();
    for line in text.lines().filter(|line| !line.starts_with(['|', '!', '?'])) {
        said.extend([line, "\n"]);
        match line.strip_prefix("$ ") {
            Some(command) => said += &record(&shell(command, folder, program)),
            None => assert!(line.is_empty() || line.starts_with('#'), "`{line}`"),
        }
    }
    said
}

/// Compares `said.txt` in the folder of the certificates with what a program prints, or, where the variable
/// `UPDATE_SUITES` is set, writes that into it.
pub fn judge(certificates: &Path, program: &Path, words: &str) {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(certificates).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|ending| ending == "cert") {
            fs::copy(&entry, folder.path().join(entry.file_name().unwrap())).unwrap();
        }
    }
    let said = certificates.join("said.txt");
    let expected = fs::read_to_string(&said).unwrap();
    let found = replayed(&expected, folder.path(), (program, words));
    if std::env::var_os("UPDATE_SUITES").is_some() {
        fs::write(said, found).unwrap();
        return;
    }
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    if let Some((at, (old, new))) = lines.find(|(_, (old, new))| old != new) {
        panic!("{}, line {}:\n  expected {old}\n  found    {new}", said.display(), at + 1);
    }
    assert_eq!(expected.len(), found.len(), "{}", said.display());
}
