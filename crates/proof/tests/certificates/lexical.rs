//! Lines, words and numbers that one could read in two ways: the text decides, and both checkers with it.

use std::fs;

use super::fate::{
    ACCEPTED, BEYOND, Fate, OPTIMUM, PARALLEL, REFUSED, changed, fate_in, judge_texts, second,
};

#[test]
fn lines_and_words() {
    let traffic = |from: &str, to: &str| changed(OPTIMUM, &[(from, to)]);
    let parallel = |from: &str, to: &str| changed(PARALLEL, &[(from, to)]);
    judge_texts([
        // One carriage return, also without a newline.
        (traffic("end\n", "end\r"), ACCEPTED),
        (traffic("end\n", "end\r\r"), REFUSED),
        // The version is a word.
        (traffic("certificate 1", "certificate 01"), REFUSED),
        // `hosts` and `nodes` are two records.
        (traffic("hosts 2\nnodes 2", "hosts 2 nodes 2"), REFUSED),
        // One word, without spaces.
        (parallel("claim", "cut 0-1\nclaim"), ACCEPTED),
        (parallel("claim", "cut 0 - 1\nclaim"), REFUSED),
        (parallel("claim", "cut 0- 1\nclaim"), REFUSED),
        (parallel("cover 0 s 0", "cover 0 s 0 : 1"), REFUSED),
        // IDs come once each.
        (parallel("cover 2 s 1", "cover 2 s 0:0 1"), ACCEPTED),
        (parallel("cover 2 s 1", "cover 2 s 1 1"), REFUSED),
    ]);
}

#[test]
fn numbers_and_limits() {
    let traffic = |from: &str, to: &str| changed(OPTIMUM, &[(from, to)]);
    let zeros = |count: usize| "0".repeat(count);
    judge_texts([
        // Leading zeros: not of an integer, but of a rational they count.
        (traffic("length 0 1", &format!("length 0 {}1", zeros(5000))), ACCEPTED),
        (traffic("demand 0 1 2", &format!("demand 0 1 {}2", zeros(199))), ACCEPTED),
        (traffic("demand 0 1 2", &format!("demand 0 1 {}2", zeros(200))), BEYOND),
        (traffic("demand 0 1 2", &format!("demand 0 1 2/{}1", zeros(200))), BEYOND),
        (traffic("demand 0 1 2", "demand 0 -0 2"), REFUSED),
        // Limits are inclusive where `less than` is not said.
        (traffic("0 1\nlength 1 1", "0 2199023255552\nlength 1 2199023255552"), ACCEPTED),
        (traffic("length 0 1", "length 0 2199023255553"), BEYOND),
        (traffic("hosts 2\nnodes 2", "hosts 65536\nnodes 65536"), ACCEPTED),
        (traffic("hosts 2\nnodes 2", "hosts 65537\nnodes 65537"), BEYOND),
    ]);
    // Wrong in one place and beyond a limit in another: a checker may say either.
    let both = traffic("demand 0 1 2", "demand 0 1 0").replace("length 1", "length 4294967296");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("both.cert");
    fs::write(&file, &both).unwrap();
    assert_ne!(fate_in(both.as_bytes(), folder.path()), Fate::Accepted);
    assert!(second(&[file]).is_none_or(|verdicts| verdicts[0] != ACCEPTED));
}
