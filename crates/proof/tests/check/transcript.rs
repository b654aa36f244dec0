//! Command lines with what a checker prints: `said.txt`, in the format of the suites of the command line.
//!
//! A line `$ COMMAND` is run by the shell, in a folder with the certificates. Below it stand its output, one
//! line per `| `, its messages, one line per `! `, and its exit code `? ` if that is not 0. Other lines are comments,
//! which begin with `# `, or empty.
//!
//! `mutants.txt` has what a checker says of damaged copies of the certificates, summed up.
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

/// What stands in place of every word in turn.
const WORDS: [&str; 8] = ["", "0", "1", "2", "1/2", "-1", "4294967296", "x"];

/// Copies of a text with one line removed or repeated, or one word replaced.
fn mutants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut mutants = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let with = |new: &str| [&lines[..at], &[new], &lines[at + 1..]].concat().concat();
        mutants.extend([with(""), with(&line.repeat(2))]);
        let words: Vec<&str> = line.split_inclusive([' ', '\n']).collect();
        for (place, old) in words.iter().enumerate() {
            let bare = old.trim_end();
            for word in WORDS.into_iter().filter(|word| *word != bare) {
                let new = old.replacen(bare, word, 1);
                mutants
                    .push(with(&[&words[..place], &[&new], &words[place + 1..]].concat().concat()));
            }
        }
    }
    mutants
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Verdicts on all mutants of a certificate, and the hash of all that is printed about them.
fn summary(certificate: &Path, program: &Path, words: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mutants = mutants(&fs::read_to_string(certificate).unwrap());
    let names: Vec<String> = (0..mutants.len()).map(|number| format!("{number}.cert")).collect();
    for (name, text) in names.iter().zip(&mutants) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut said = String::new();
    for names in names.chunks(256) {
        let output = shell(&format!("check {}", names.join(" ")), folder.path(), (program, words));
        said += &record(&output);
    }
    let count = |verdict: &str| said.lines().filter(|line| line.contains(verdict)).count();
    let (verified, refused) = (count(".cert: s VERIFIED "), count(".cert: s NOT VERIFIED "));
    let unreadable = mutants.len() - verified - refused;
    let name = certificate.file_name().unwrap().display();
    format!(
        "{name}: {verified} verified, {refused} not, {unreadable} unread, {:016x}\n",
        hash(&said)
    )
}

/// Compares `mutants.txt` in the folder of the certificates with what a program says of damaged copies of them.
pub fn judge_mutants(certificates: &Path, program: &Path, words: &str) {
    let expected = certificates.join("mutants.txt");
    let mut files: Vec<_> =
        fs::read_dir(certificates).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "cert"));
    files.sort();
    let found: String = files.iter().map(|path| summary(path, program, words)).collect();
    if std::env::var_os("UPDATE_SUITES").is_some() {
        fs::write(expected, found).unwrap();
        return;
    }
    assert_eq!(fs::read_to_string(expected).unwrap(), found);
}
