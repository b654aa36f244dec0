//! Formula and proof next to a certificate.

use std::fs;

use super::committed::{NAMES, committed};
use super::fate::{Fate, fate_in};

/// The fate of the committed certificate with formula and proof changed.
fn with(formula: &dyn Fn(String) -> String, proof: &dyn Fn(String) -> String) -> Fate {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(NAMES[1]), formula(committed(NAMES[1]))).unwrap();
    fs::write(folder.path().join(NAMES[2]), proof(committed(NAMES[2]))).unwrap();
    fate_in(committed(NAMES[0]).as_bytes(), folder.path())
}

fn refused(fate: &Fate, reason: &str) {
    assert!(matches!(fate, Fate::Refused(text) if text.contains(reason)), "{reason}: {fate:?}");
}

/// The first line that begins with `start` replaced.
fn line(text: &str, start: &str, change: impl Fn(&str) -> String) -> String {
    let found = text.lines().find(|line| line.starts_with(start)).unwrap();
    text.replacen(&format!("\n{found}\n"), &format!("\n{}\n", change(found)), 1)
}

/// The words of a line, with those before the first 0 reversed except the first `kept`.
fn turned(line: &str, kept: usize) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let zero = words.iter().position(|word| *word == "0").unwrap();
    words[kept..zero].reverse();
    words.join(" ")
}

#[test]
fn formulas_are_compared_literal_by_literal() {
    let same = |text: String| text;
    let formula = |change: &dyn Fn(String) -> String| with(change, &same);
    assert_eq!(formula(&same), Fate::Accepted);
    assert_eq!(formula(&|text| format!("c a comment\n\n{text}c\tthe end\n \n")), Fate::Accepted);
    assert_eq!(formula(&|text| text.replace('\n', "\r\n").replace(' ', "\t  ")), Fate::Accepted);
    let differs = "differs from the encoding";
    refused(&formula(&|text| line(&text, "1 2", |clause| turned(clause, 0))), differs);
    refused(&formula(&|text| text.replacen(" 0\n", " 0 ", 1)), differs);
    refused(&formula(&|text| text.replacen("1 2 0", "1\u{c}2 0", 1)), differs);
    refused(&formula(&|text| text.replacen("\n1 ", "\n+1 ", 1)), differs);
    refused(&formula(&|text| text.replacen("\n1 ", "\ncnf\n1 ", 1)), differs);
    refused(&formula(&|text| format!("{text}1 0\n")), differs);
    refused(&formula(&|text| format!("{text}%\n0\n")), differs);
    refused(&formula(&|text| text.replacen("p cnf", "p  wcnf", 1)), differs);
    // The last word is compared, too, and is the last.
    refused(&formula(&|text| line(&text, "1 2", |clause| clause.replace(" 0", " 3"))), differs);
    refused(&formula(&|text| line(&text, "1 2", |clause| format!("{clause} 0"))), differs);
    refused(&formula(&|text| line(&text, "1 2", |clause| clause.replace(" 0", ""))), differs);
    // Lines are counted from 1, comments and empty ones as well: the header is the fourth.
    let fourth = |text: String| format!("c\n\n{}", text.replacen("p cnf", "p  wcnf", 1));
    refused(&formula(&fourth), "line 4 differs");
    let two = |text: String| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.swap(1, 2);
        lines.join("\n")
    };
    refused(&formula(&two), differs);
}

#[test]
fn proofs_are_followed_step_by_step() {
    let same = |text: String| text;
    let proof = |change: &dyn Fn(String) -> String| with(&same, change);
    let first = committed(NAMES[2]).lines().find(|line| !line.contains(" d ")).unwrap().to_string();
    let number: u64 = first.split(' ').next().unwrap().parse().unwrap();
    // Literals of a step in any order, and repeated; steps numbered with gaps.
    let wide = |text: String| {
        text.lines()
            .map(|line| turned(line, if line.contains(" d ") { 2 } else { 1 }) + "\n")
            .collect()
    };
    assert_eq!(proof(&wide), Fate::Accepted);
    assert_eq!(proof(&|text| format!("c hello\n\n{}", text.replace('\n', "\r\n"))), Fate::Accepted);
    // Nothing after the empty clause is followed, nor hints after the violated one.
    assert_eq!(proof(&|text| format!("{text}nonsense\n")), Fate::Accepted);
    let hints = first.strip_suffix(" 0").unwrap();
    let more = |hint: &str| proof(&|text| text.replacen(&first, &format!("{hints} {hint} 0"), 1));
    assert_eq!(more("999999"), Fate::Accepted);
    refused(&more("-7"), "a RAT step");
    // A deletion may have any number; what it deletes must exist.
    assert_eq!(proof(&|text| format!("0 d 0\n{text}")), Fate::Accepted);
    refused(&proof(&|text| format!("0 d 999999 0\n{text}")), "there is no clause 999999");
    refused(&proof(&|text| format!("0 d 1 1 0\n{text}")), "there is no clause 1");
    // Steps are numbered above all earlier clauses and steps.
    let renumbered =
        |to: u64| move |text: String| text.replacen(&format!("{number} "), &format!("{to} "), 1);
    refused(&proof(&renumbered(1)), "is not numbered above those before");
    refused(&proof(&renumbered(number - 1)), "is not numbered above those before");
    refused(&proof(&|text| format!("{first}\n{text}")), "is not numbered above those before");
    refused(
        &proof(&|text| text.replacen(&first, &first.replacen(" 0 ", " 0 -", 1), 1)),
        "a RAT step",
    );
    refused(
        &proof(&|text| text.replacen(&first, first.strip_suffix(" 0").unwrap(), 1)),
        "not a step",
    );
    refused(&proof(&|text| text.replacen(&first, &format!("+{first}"), 1)), "not a step");
    refused(&proof(&|_| String::new()), "without the empty clause");
}
