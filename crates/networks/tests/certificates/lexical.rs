//! Names and files that one could read in two ways: the text decides, and both checkers
//! with it.

use std::fs;

use super::committed::{NAMES, committed, compressed};
use super::fate::{ACCEPTED, BEYOND, LEAST, PARALLEL, REFUSED, changed, judge_files, judge_texts};

/// A certificate with few claims on a named instance whose first two hosts have one path.
fn named(topology: &str, routing: &str) -> String {
    format!(
        "routebound-certificate 1\ntopology {topology}\nrouting {routing}\nclaim permutation-load 0 99\n\
         witness 0 1\ndemand 0 1 1\nroute even\nends\nend\n"
    )
}

#[test]
fn names_have_one_spelling() {
    let long = format!("ft({}2,1)", "0".repeat(199));
    let of_routings = [
        ("kpath(choice=grid,k=2)", ACCEPTED),
        ("kpath(k=4294967296)", ACCEPTED),
        ("kpath(k=18446744073709551616)", BEYOND),
        ("random(seed=0)", ACCEPTED),
        ("random(seed=18446744073709551615)", ACCEPTED),
        ("random(seed=18446744073709551616)", BEYOND),
        ("DMODK", REFUSED),
        ("dmodk()", REFUSED),
        ("dmodk:file", REFUSED),
        ("kpath(k=0)", REFUSED),
        ("kpath(k=01)", REFUSED),
        ("kpath(k=+1)", REFUSED),
        ("kpath(k=\"1\")", REFUSED),
        ("kpath(k=1;seed=2)", REFUSED),
        ("kpath(k=1, seed=2)", REFUSED),
        ("kpath(k=1,k=1)", REFUSED),
        ("kpath(k=1,)", REFUSED),
    ];
    let of_topologies = [
        ("universal(2,leaf=1048576)", ACCEPTED),
        // Within the limit of numbers, but not what `leaf` may be.
        ("universal(2,leaf=4294967296)", REFUSED),
        ("universal(leaf=1,2)", REFUSED),
        ("xgft(1;2;2)", ACCEPTED),
        ("xgft(1;2,2)", REFUSED),
        ("FT(2,1)", REFUSED),
        ("ft(2, 1)", REFUSED),
        ("ft (2,1)", REFUSED),
        ("ft(2,1):file", REFUSED),
        ("ft(02,1)", REFUSED),
        (long.as_str(), REFUSED),
        ("ft(18446744073709551616,1)", BEYOND),
        // The height is limited, whoever has it.
        ("ft(2,17)", BEYOND),
        ("kary(2,17)", BEYOND),
        ("nbclos(1,17)", BEYOND),
        ("universal(131072)", BEYOND),
    ];
    let routings = of_routings.map(|(routing, fate)| (named("ft(2,1)", routing), fate));
    let topologies = of_topologies.map(|(topology, fate)| (named(topology, "omrmn"), fate));
    judge_texts(routings.into_iter().chain(topologies));
}

#[test]
fn what_is_proven_of_other_routings() {
    let single = |topology: &str, record: &str| {
        let record = format!("ends\nsingle-path permutation-load {record}\nend");
        changed(&named(topology, "dmodk"), &[("ends\nend", &record)])
    };
    let listed = |paths: &str| {
        let paths = format!("{paths}path 1 0 1 2 4\n");
        changed(&single("xgft(1;2;2)", "1 trivial"), &[("routing dmodk\n", &paths)])
    };
    let least = |changes: &[(&str, &str)]| changed(&PARALLEL.replace("end\n", LEAST), changes);
    let none = ("against 0 1\ndemand 0 1 2\nroute even\n", "");
    let hose = |lower: &str| {
        let record = format!("ratio {lower} listed");
        least(&[("ratio 2 listed", &record), none]).replace("oblivious-ratio", "hose-load")
    };
    let load = changed(PARALLEL, &[("oblivious-ratio 2 2", "permutation-load 1 1")]);
    let optu =
        |optu: &str| changed(&load, &[("0 1\ndemand 0 1 2", &format!("0 {optu}\ndemand 0 1 1"))]);
    judge_texts([
        // One record of one path, and no two halves of it.
        (listed("path 0 1 1 0 6\n"), ACCEPTED),
        (listed("path 0 1 1/2 0 6\npath 0 1 1/2 0 6\n"), REFUSED),
        // No pairs between subtrees of which there is one.
        (single("xgft(2;2,1;1,1)", "2 count 1"), REFUSED),
        // X = 24 hosts of a leaf need a count, which is too long; more hosts need none.
        (single("xgft(3;24,2,2;1,1,1)", "25 nested 1 2"), BEYOND),
        (single("xgft(3;24,2,2;1,1,1)", "26 nested 1 2"), REFUSED),
        // With X = n more is counted than there is.
        (single("kary(2,4)", "5 nested 2 3"), REFUSED),
        // What needs no `against` record must be proven by those that there are.
        (least(&[("ratio 2 listed", "ratio 1 listed"), none]), ACCEPTED),
        (least(&[("ratio 2 listed", "ratio 1 listed"), ("against 0 1", "against 0 0")]), REFUSED),
        (hose("0"), ACCEPTED),
        (hose("1"), REFUSED),
        // OPTU is stated and checked also where no claim depends on it.
        (optu("1/2"), ACCEPTED),
        (optu("1/3"), REFUSED),
    ]);
}

/// Bytes of a formula and of a proof.
type Files = (Vec<u8>, Vec<u8>);

/// Checks the verdict on a certificate with these files beside it, whose names have capitals.
fn judge_beside(cases: Vec<(Files, &str)>) {
    let (folder, text) = (tempfile::tempdir().unwrap(), committed(NAMES[0]));
    let naming = |formula: &str, proof: &str| {
        changed(&text, &[(NAMES[1], formula), (NAMES[2], proof)]).into_bytes()
    };
    let mut certificates = Vec::new();
    for (index, ((formula, proof), fate)) in cases.into_iter().enumerate() {
        let names = [format!("{index}.CNF"), format!("{index}.LRAT")];
        fs::write(folder.path().join(&names[0]), formula).unwrap();
        fs::write(folder.path().join(&names[1]), proof).unwrap();
        certificates.push((naming(&names[0], &names[1]), fate));
    }
    let digits = format!("{}.CNF", "0".repeat(201));
    fs::copy(folder.path().join("0.CNF"), folder.path().join(&digits)).unwrap();
    certificates.push((naming(&digits, "0.LRAT"), BEYOND));
    certificates.push((naming("0.CNF", "none.LRAT"), REFUSED));
    certificates.push((naming("none.CNF", "0.LRAT"), REFUSED));
    judge_files(folder.path(), &certificates);
}

#[test]
fn formulas_and_proofs() {
    let (formula, proof) = (committed(NAMES[1]), committed(NAMES[2]));
    let first = proof.lines().find(|line| !line.contains(" d ")).unwrap();
    let (open, rest) = (first.strip_suffix(" 0").unwrap(), first.split_once(' ').unwrap().1);
    let step = |step: &str| proof.replacen(first, step, 1);
    let unended = |text: &str| format!("{}\r", text.replace('\n', "\r\n").trim_end());
    let files = |formula: &str, proof: &str| (formula.as_bytes().into(), proof.as_bytes().into());
    judge_beside(vec![
        (files(&unended(&formula), &unended(&proof)), ACCEPTED),
        // 0 has no sign.
        (files(&formula.replacen(" 0\n", " -0\n", 1), &proof), REFUSED),
        (files(&formula, &step(&first.replacen(" 0 ", " -0 ", 1))), REFUSED),
        (files(&formula, &step(&format!("{open} -0"))), REFUSED),
        (files(&formula, &format!("0 d 0\n{proof}")), ACCEPTED),
        (files(&formula, &format!("0 d -0\n{proof}")), REFUSED),
        // Hints that are not followed: of no clause, and negative.
        (files(&formula, &step(&format!("{open} 999999 0"))), ACCEPTED),
        (files(&formula, &step(&format!("{open} -5 0"))), REFUSED),
        // Steps have other numbers than the clauses of the formula.
        (files(&formula, &format!("1 {rest}\n{proof}")), REFUSED),
        // What follows the empty clause is within limits.
        (files(&formula, &format!("{proof}nonsense\n")), ACCEPTED),
        (files(&formula, &format!("{proof}{}", "x".repeat(1 << 24))), BEYOND),
    ]);
}

/// The text as whole gzip data, and as what is not.
fn zipped(text: &str) -> Vec<(Vec<u8>, &'static str)> {
    let (whole, mut wrong) = (compressed(text), compressed(text));
    let checksum = wrong.len() - 8;
    wrong[checksum] ^= 1;
    let and = |more: &[u8]| [&whole[..], more].concat();
    vec![
        (and(&compressed("")), ACCEPTED),
        (and(b"junk"), REFUSED),
        (and(&[0; 8]), REFUSED),
        (whole[..whole.len() - 1].to_vec(), REFUSED),
        (whole[..2].to_vec(), REFUSED),
        (wrong, REFUSED),
    ]
}

#[test]
fn compressed_files_are_whole() {
    judge_files(tempfile::tempdir().unwrap().path(), &zipped(PARALLEL));
    let (formula, proof) = (committed(NAMES[1]), committed(NAMES[2]));
    let formulas =
        zipped(&formula).into_iter().map(|(bytes, fate)| ((bytes, proof.clone().into()), fate));
    let proofs =
        zipped(&proof).into_iter().map(|(bytes, fate)| ((formula.clone().into(), bytes), fate));
    judge_beside(formulas.chain(proofs).collect());
}
