//! Transcripts: command lines with what they print. Suites of the command line are some, and `said.txt` beside the
//! certificates of this folder.
//!
//! A line `$ COMMAND` is run by the shell. Below it stand its output, one line per `| `, its messages, one line per
//! `! `, and its exit code `? ` if that is not 0. Other lines are comments, which begin with `# `, or empty.
//!
//! `mutants.txt` has what a checker says of damaged copies of the certificates, summed up.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::path::Path;
use std::process::{Command, Output};
use std::{fs, iter};

/// The text with the mark before every line, without spaces at their ends.
fn marked(mark: char, text: &[u8]) -> String {
    let text = str::from_utf8(text).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    text.lines().map(|line| format!("{mark} {line}").trim_end().to_string() + "\n").collect()
}

/// The part of a transcript that a command's output is.
fn record(output: &Output) -> String {
    let code = output.status.code().unwrap();
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    marked('|', &output.stdout) + &marked('!', &output.stderr) + &code
}

/// The transcript with what its commands print now.
pub fn replayed(transcript: &str, run: impl Fn(&str) -> Output) -> String {
    let mut text = String::new();
    for (number, line) in (1..).zip(transcript.lines()) {
        match line.chars().next() {
            Some('|' | '!' | '?') => continue,
            None | Some('#' | '$') => text.extend([line, "\n"]),
            Some(_) => panic!("line {number}: `{line}` is not a line of a transcript"),
        }
        if let Some(command) = line.strip_prefix("$ ") {
            text += &record(&run(command));
        }
    }
    text
}

/// The first line in which the texts differ, with its number.
pub fn difference(expected: &str, found: &str) -> Option<String> {
    let lines = |text| str::lines(text).chain(iter::repeat("end"));
    let longest = expected.lines().count().max(found.lines().count());
    let mut pairs = (1..=longest).zip(lines(expected).zip(lines(found)));
    let (number, (old, new)) = pairs.find(|(_, (old, new))| old != new)?;
    Some(format!("line {number}:\n  expected {old}\n  found    {new}"))
}

/// Compares the transcript with what its commands print, or writes that into it where the environment has
/// `UPDATE_SUITES`. `replay` is given the transcript and a number of threads: what differs between two of them is not
/// written.
pub fn judge(
    path: &Path,
    is_update: bool,
    replay: impl Fn(&str, &str) -> String,
) -> Result<(), String> {
    let transcript = fs::read_to_string(path).unwrap();
    let found = replay(&transcript, "3");
    let name = path.display();
    if is_update {
        if let Some(at) = difference(&replay(&transcript, "1"), &found) {
            return Err(format!("{name} stays as it is: it differs from run to run at {at}"));
        }
        fs::write(path, found).unwrap();
        return Ok(());
    }
    match difference(&transcript, &found) {
        Some(at) => Err(format!("{name}, {at}\n(`make update-suites` accepts what is found)")),
        None => Ok(()),
    }
}

pub fn is_update() -> bool {
    std::env::var_os("UPDATE_SUITES").is_some()
}

/// Judges `said.txt` in the folder of the certificates, where `check` is the program with `words` before its files.
pub fn judge_checker(certificates: &Path, program: &Path, words: &str) {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(certificates).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|ending| ending == "cert") {
            fs::copy(&entry, folder.path().join(entry.file_name().unwrap())).unwrap();
        }
    }
    let check = |line: &str| shell(line, folder.path(), (program, words));
    let said = judge(&certificates.join("said.txt"), is_update(), |text, _| replayed(text, check));
    assert_eq!(said, Ok(()));
}

/// Runs a command line in `folder`, where `check` is the program with the words before its files.
fn shell(line: &str, folder: &Path, (program, words): (&Path, &str)) -> Output {
    let line = format!("check() {{ \"$CHECKER\" {words} \"$@\"; }}; {line}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder).env("CHECKER", program).env("LC_ALL", "C");
    shell.output().unwrap()
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
    if is_update() {
        return fs::write(expected, found).unwrap();
    }
    assert_eq!(fs::read_to_string(expected).unwrap(), found);
}
