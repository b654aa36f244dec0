//! What a checker says of a text. The tests of `routebound-networks`, and of `routebound` above it, include this file:
//! their `GENERATORS` know names, those of this crate know none.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::Command;

use routebound_proof::certificate::{self, MAX_BYTES, ReadError};
use routebound_proof::checker::{Check, Refusal};
use routebound_proof::input::Input;

use super::GENERATORS;

/// The fate of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Fate {
    /// It proves its claims.
    Accepted,
    /// It is not a certificate, or proves nothing: exit code 1.
    Refused(String),
    /// It is beyond a limit and is not judged: exit code 3.
    TooLarge(String),
}

pub fn fate(text: &[u8]) -> Fate {
    fate_in(text, Path::new(""))
}

/// Like [`fate`], with the files that the text names in `folder`.
pub fn fate_in(text: impl BufRead, folder: &Path) -> Fate {
    let certificate = match certificate::read(text) {
        Err(ReadError::TooLarge(limit)) => return Fate::TooLarge(limit.to_string()),
        Err(error) => return Fate::Refused(error.to_string()),
        Ok(certificate) => certificate,
    };
    match Check::new(&GENERATORS).folder(folder).run(&certificate) {
        Ok(_) => Fate::Accepted,
        Err(Refusal::TooLarge(limit)) => Fate::TooLarge(limit.to_string()),
        Err(refusal) => Fate::Refused(refusal.to_string()),
    }
}

/// The folder of the project.
pub fn project() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("Cargo.lock").exists()).unwrap().to_path_buf()
}

/// What the second checker says about files, one line each, of accepted ones without their claims; `None` without
/// Python.
pub fn second(files: &[PathBuf]) -> Option<Vec<String>> {
    let program = project().join("tests/second_checker/check.py");
    let Ok(output) = Command::new("python3").arg("-B").arg(program).args(files).output() else {
        eprintln!("skipped: the second checker needs python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let is_accepted = |line: &str| line.split(' ').next() == Some(ACCEPTED);
    let verdict = |line: &str| if is_accepted(line) { ACCEPTED } else { line }.to_string();
    let verdicts: Vec<_> = text.lines().map(verdict).collect();
    assert_eq!(verdicts.len(), files.len());
    Some(verdicts)
}

/// What the second checker says about texts, whose other files are in `folder`.
pub fn second_in(texts: &[impl AsRef<[u8]>], folder: &Path) -> Option<Vec<String>> {
    let files: Vec<_> = (0..texts.len()).map(|index| folder.join(index.to_string())).collect();
    for (file, text) in files.iter().zip(texts) {
        fs::write(file, text).unwrap();
    }
    second(&files)
}

/// Checks that both checkers decide the same of texts, whose other files are in `folder`; how many they accept.
pub fn agreed(texts: &[String], folder: &Path) -> usize {
    let verdicts = second_in(texts, folder);
    let mut accepted = 0;
    for (index, text) in texts.iter().enumerate() {
        let first = fate_in(text.as_bytes(), folder);
        let is_accepted = first == Fate::Accepted;
        accepted += usize::from(is_accepted);
        let Some(verdict) = verdicts.as_ref().map(|verdicts| &verdicts[index]) else { continue };
        assert_eq!(is_accepted, verdict == "accepted", "{first:?}, {verdict}:\n{text}");
        let is_beyond = matches!(first, Fate::TooLarge(_));
        assert_eq!(is_beyond, verdict.starts_with("beyond"), "{first:?}, {verdict}:\n{text}");
    }
    accepted
}

pub const ACCEPTED: &str = "accepted";
pub const REFUSED: &str = "refused";
pub const BEYOND: &str = "beyond";

/// Checks that both checkers decide so of the certificates, beside which are the files of `folder`.
pub fn judge_files(folder: &Path, cases: &[(Vec<u8>, &str)]) {
    let file = |index: usize| -> PathBuf { folder.join(format!("{index}.cert")) };
    for (index, (bytes, expected)) in cases.iter().enumerate() {
        fs::write(file(index), bytes).unwrap();
        let fate = fate_in(Input::open(file(index), MAX_BYTES).unwrap(), folder);
        let found = match fate {
            Fate::Accepted => ACCEPTED,
            Fate::Refused(_) => REFUSED,
            Fate::TooLarge(_) => BEYOND,
        };
        assert_eq!(found, *expected, "{fate:?}\n{}", String::from_utf8_lossy(bytes));
    }
    let files: Vec<PathBuf> = (0..cases.len()).map(file).collect();
    let Some(verdicts) = second(&files) else { return };
    for ((bytes, expected), verdict) in cases.iter().zip(verdicts) {
        assert!(verdict.starts_with(expected), "{verdict}\n{}", String::from_utf8_lossy(bytes));
    }
}

/// The same where no other file is needed.
pub fn judge_texts(cases: impl IntoIterator<Item = (String, &'static str)>) {
    let cases: Vec<_> = cases.into_iter().map(|(text, fate)| (text.into_bytes(), fate)).collect();
    judge_files(tempfile::tempdir().unwrap().path(), &cases);
}

/// A certificate as lines; links 0 and 1 both lead from host 0 to host 1. A host sends 2 at most.
pub const PARALLEL: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 0 1 1
link 1 0 1
path 0 1 1 0
path 1 0 1 2
claim oblivious-ratio 2 2
witness 0 1
demand 0 1 2
route even
cover 0 s 0
cover 2 s 1
end
";

/// The end of [`PARALLEL`] with a bound on all routings: the traffic against link 0 has weight 1, so that a routing all
/// over one link has ratio 2 there.
pub const LEAST: &str = "least oblivious-ratio 2 listed\nallowed 0 1 0\nallowed 1 0 2
against 0 1\ndemand 0 1 2\nroute even\nend\n";

/// An optimum certificate for the traffic on two parallel links.
pub const OPTIMUM: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 0 1 1
claim optu 1 1
demand 0 1 2
route even
length 0 1
length 1 1
end
";

/// Three hosts, each joined to both others: links 0 and 1 join hosts 0 and 1, 2 and 3 join 1 and 2, 4 and 5 join 2 and
/// 0. Every pair is routed over its own link: two units from 0 to 1, half of them over 2, have optu 1 and put load 2 on
/// link 0.
macro_rules! triangle {
    ($rest:literal) => {
        concat!(
            "routebound-certificate 1
hosts 3
nodes 3
link 0 1 1
link 1 0 1
link 1 2 1
link 2 1 1
link 2 0 1
link 0 2 1
path 0 1 1 0
path 1 0 1 1
path 1 2 1 2
path 2 1 1 3
path 2 0 1 4
path 0 2 1 5
claim oblivious-ratio 2 2
witness 0 1
demand 0 1 2
route paths
path 0 1 1/2 0
path 0 1 1/2 5 3
",
            $rest
        )
    };
}

/// A triangle with one cover. Rotations take link 0 to links 2 and 4, a reflection to link 1, and both together to all.
pub const SYMMETRIC: &str = triangle!(
    "automorphism n 0,1,2 l 0,2,4 1,3,5
automorphism n 0,1 l 0,1 2,5 3,4
cover 0 l 0 5
end
"
);

/// The best routing of a triangle, 2/3 of every pair over its own link and 1/3 around. Traffic against one link, with
/// its images under a rotation and a reflection, proves that no routing is better.
pub const SYMMETRIC_LEAST: &str = "routebound-certificate 1
hosts 3
nodes 3
link 0 1 1
link 1 0 1
link 1 2 1
link 2 1 1
link 2 0 1
link 0 2 1
path 0 1 2/3 0
path 0 1 1/3 5 3
path 0 2 2/3 5
path 0 2 1/3 0 2
path 1 0 2/3 1
path 1 0 1/3 2 4
path 1 2 2/3 2
path 1 2 1/3 1 5
path 2 0 2/3 4
path 2 0 1/3 3 1
path 2 1 2/3 3
path 2 1 1/3 4 0
claim oblivious-ratio 4/3 4/3
witness 0 1
demand 0 1 2
route paths
path 0 1 1/2 0
path 0 1 1/2 5 3
automorphism n 0,1,2 l 0,2,4 1,3,5
automorphism n 1,2 l 0,5 1,4 2,3
cover 0 s 0:1/3 d 1:1/3
least oblivious-ratio 4/3 all
against 0 1
demand 0 1 2
route paths
path 0 1 1/2 0
path 0 1 1/2 5 3
against 0 2
demand 0 1 1
demand 0 2 1
demand 2 1 1
route paths
path 0 1 1 0
path 0 2 1 5
path 2 1 1 3
end
";

/// `base` with every `from` replaced by its `to`, each of which must be there.
pub fn changed(base: &str, changes: &[(&str, &str)]) -> String {
    let mut text = base.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "`{from}` is not in the text");
        text = text.replacen(from, to, 1);
    }
    text
}

/// One of so many changed texts is judged by both checkers.
pub const STEP: usize = if cfg!(feature = "slow-tests") { 1 } else { 3 };

/// Texts with one word or line changed.
pub fn mutations(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for at in 0..lines.len() {
        let with =
            |middle: &[&str]| [&lines[..at], middle, &lines[at + 1..]].concat().join("\n") + "\n";
        all.push(with(&[]));
        all.push(with(&[lines[at], lines[at]]));
        if at + 1 < lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            all.push(swapped.join("\n"));
        }
        let words: Vec<&str> = lines[at].split(' ').collect();
        for place in 0..words.len() {
            let others = match words[place].parse::<u32>() {
                Ok(number) => vec![
                    number.wrapping_sub(1).to_string(),
                    (number + 1).to_string(),
                    format!("{number}/2"),
                    format!("{number}:1/2"),
                    format!("{number}-{}", number + 1),
                    format!("+{number}"),
                    format!("{number} {number}"),
                    "0".into(),
                    "4294967296".into(),
                ],
                Err(_) => [
                    "s",
                    "d",
                    "o",
                    "i",
                    "l",
                    "-",
                    "all",
                    "shortest",
                    "trivial",
                    "smodk",
                    "hose-load",
                ]
                .map(String::from)
                .into(),
            };
            for other in others.iter().map(String::as_str).chain([""]) {
                let mut changed = words.clone();
                changed[place] = other;
                all.push(with(&[&changed.join(" ")]));
            }
        }
    }
    all
}
