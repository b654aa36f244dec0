//! Files: formula and proof next to a certificate, gzip, and the exit codes of `check`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Fate, PARALLEL, changed, fate_in};

const NAMES: [&str; 3] = ["ft-4-2-formula.cert", "ft-4-2-formula.cnf", "ft-4-2-formula.lrat"];

fn committed(name: &str) -> String {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("results/optimal-single-path/certificates");
    fs::read_to_string(folder.join(name)).unwrap()
}

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
    let differs = "differs from the cover encoding";
    refused(&formula(&|text| line(&text, "1 2", |clause| turned(clause, 0))), differs);
    refused(&formula(&|text| text.replacen(" 0\n", " 0 ", 1)), differs);
    refused(&formula(&|text| text.replacen("1 2 0", "1\u{c}2 0", 1)), differs);
    refused(&formula(&|text| text.replacen("\n1 ", "\n+1 ", 1)), differs);
    refused(&formula(&|text| text.replacen("\n1 ", "\ncnf\n1 ", 1)), differs);
    refused(&formula(&|text| format!("{text}1 0\n")), differs);
    refused(&formula(&|text| format!("{text}%\n0\n")), differs);
    refused(&formula(&|text| text.replacen("p cnf", "p  wcnf", 1)), differs);
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
    // Nothing after the empty clause is read, nor hints after the violated one.
    assert_eq!(proof(&|text| format!("{text}nonsense\n")), Fate::Accepted);
    assert_eq!(
        proof(&|text| text.replacen(
            &first,
            &format!("{} 999999 -7 0", first.strip_suffix(" 0").unwrap()),
            1
        )),
        Fate::Accepted
    );
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

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The exit code of `check` of a file with these bytes, and what it printed.
fn check(bytes: &[u8]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.cert");
    fs::write(&path, bytes).unwrap();
    for name in &NAMES[1..] {
        fs::write(folder.path().join(name), compressed(&committed(name))).unwrap();
    }
    let mut run = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    let output = run.arg("check").arg(&path).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn files_may_be_compressed_in_parts() {
    // Formula and proof are compressed here.
    assert_eq!(check(committed(NAMES[0]).as_bytes()).0, 0);
    let (head, tail) = PARALLEL.split_at(40);
    let whole = compressed(PARALLEL);
    assert_eq!(check(&whole).0, 0);
    assert_eq!(check(&[compressed(head), compressed(tail)].concat()).0, 0);
    let cut = check(&whole[..whole.len() - 4]);
    assert_eq!(cut.0, 2, "{}", cut.1);
    assert_eq!(check(&[whole, b"more".to_vec()].concat()).0, 2);
}

#[test]
fn what_is_wrong_and_what_is_too_large_have_their_exit_codes() {
    let check = |changes: &[(&str, &str)]| check(changed(PARALLEL, changes).as_bytes());
    let (code, text) = check(&[]);
    assert_eq!(code, 0);
    assert!(text.starts_with("s VERIFIED oblivious-ratio = 2"), "{text}");
    let (code, text) = check(&[("2 2", "3 3")]);
    assert_eq!(code, 1);
    assert!(text.starts_with("s NOT VERIFIED"), "{text}");
    for above in [
        ("hosts 2\nnodes 2", "hosts 65537\nnodes 65537"),
        ("path 0 1 1 0", "path 0 1 1 4294967296"),
        ("cover 0 s 0", "cover 0 s 0 l 1:1/9999999999999999999999999999999999999999"),
    ] {
        let (code, text) = check(&[above]);
        assert_eq!(code, 3, "{text}");
        assert!(
            text.starts_with("error: cannot check ") && text.contains("above the limit"),
            "{text}"
        );
    }
}
