//! Steps that follow, and every reason why one does not.

use super::*;
use crate::progress::Stop;

/// a or b, a or not b, not a or b, not a or not b.
fn check(proof: &str) -> Result<u64, String> {
    check_until(proof, &Progress::silent()).map_err(|error| error.to_string())
}

fn check_until(proof: &str, progress: &Progress) -> Result<u64, LratError> {
    let mut refutation = Refutation::new(2);
    for clause in [[1, 2], [1, -2], [-1, 2], [-1, -2]] {
        refutation.add(&clause).unwrap();
    }
    refutation.check(proof.as_bytes(), progress)
}

#[test]
fn a_stop_ends_the_check() {
    let stop = Stop::default();
    let progress = Progress::silent().stopped_by(stop.clone());
    let proof = "5 1 0 1 2 0\n7 0 5 3 4 0\n";
    assert!(matches!(check_until(proof, &progress), Ok(2)));
    stop.request();
    assert!(matches!(check_until(proof, &progress), Err(LratError::Stopped(_))));
}

#[test]
fn a_refutation_by_hand() {
    assert_eq!(check("5 1 0 1 2 0\n6 d 1 2 0\n7 0 5 3 4 0\n"), Ok(2));
    // The first hint is satisfied already.
    assert_eq!(check("5 1 0 1 2 0\n6 -1 0 5 3 4 0\n7 0 5 6 0\n"), Ok(3));
    assert_eq!(check("c all at once\n\n5 1 0 1 2 0\n9 0 5 3 4 0\nnot read any more"), Ok(2));
}

#[test]
fn refusals() {
    for (proof, reason) in [
        ("", "ends after 0 steps without the empty clause"),
        ("5 1 0 1 2 0\n", "ends after 1 steps"),
        // The first step is missing.
        ("7 0 5 3 4 0\n", "line 1: there is no clause 5"),
        ("7 0 3 4 0\n", "hint 3 of step 7 leaves more than one literal open"),
        ("5 1 0 1 0\n", "line 1: the hints of step 5 do not lead to a contradiction"),
        ("5 1 0 0\n", "do not lead to a contradiction"),
        ("5 1 0 3 0\n", "hint 3 of step 5 leaves more than one literal open"),
        ("5 1 0 1 2 0\n6 -1 0 5 0\n", "the hints of step 6 do not lead to a contradiction"),
        ("5 1 0 1 1 0\n", "the hints of step 5 do not lead to a contradiction"),
        ("5 1 0 1 2 0\n6 d 5 0\n7 0 5 3 4 0\n", "line 3: there is no clause 5"),
        ("5 d 1 1 0\n", "there is no clause 1"),
        ("5 d -1 0\n", "there is no clause 1"),
        ("4 1 0 1 2 0\n", "step 4 is not numbered above"),
        ("5 3 0 1 2 0\n", "literal 3 belongs to no variable"),
        ("5 1 0 -1 2 0\n", "a RAT step"),
        ("5 1 0 1 2\n", "line 1: not a step"),
        ("5 1 0 1 2 0 0\n", "line 1: not a step"),
        ("5 1 0 x 0\n", "not a step"),
        ("5 99999999999 0 1 0\n", "literal 99999999999 belongs to no variable"),
        ("5 9223372036854775807 0 1 0\n", "belongs to no variable"),
        // -0 is a 0 like any other.
        ("5 1 -0 1 -0\n", "the hints of step 5 do not lead to a contradiction"),
        ("-5 1 0 1 2 0\n", "not a step"),
        ("+5 1 0 1 2 0\n", "not a step"),
        ("5 +1 0 1 2 0\n", "not a step"),
        ("5 1 0 -9223372036854775807 0\n", "a RAT step"),
        ("5 1 0 1 - 0\n", "not a step"),
        ("\u{1}", "not a step"),
    ] {
        let refused = check(proof).unwrap_err();
        assert!(refused.contains(reason), "{proof}: {refused}");
    }
    assert!(check(&"1 ".repeat(1 << 23)).unwrap_err().contains("length of a line"));
}

#[test]
fn numbers_have_a_limit() {
    let limit = |proof: &str| match check_until(proof, &Progress::silent()) {
        Err(LratError::TooLarge(limit)) => limit.to_string(),
        other => panic!("{proof}: {other:?}"),
    };
    // 2^63, as a step, a literal, a hint, a deleted clause, and a deleting step.
    for proof in ["@ 1 0 1 2 0", "5 @ 0 1 2 0", "5 1 0 -@ 0", "5 d @ 0", "@ d 1 0"] {
        let said = limit(&proof.replace('@', "9223372036854775808"));
        assert!(said.contains("in line 1 is 9223372036854775808, above"), "{said}");
    }
    let long = format!("5 1 0 {} 0", "9".repeat(1000));
    assert!(limit(&long).contains("digits of a number in line 1 is 1000, above the limit of 19"));
    // Leading zeros are ignored.
    let zeros = "0".repeat(1000);
    assert_eq!(check(&format!("{zeros}5 {zeros}1 0 1 2 {zeros}\n7 0 5 3 4 0\n")), Ok(2));
}

#[test]
fn the_limit_of_a_file_is_its_own() {
    let mut reader = b"1 2\n".take(4);
    let error = read_line(&mut reader, &mut Vec::new(), 4).unwrap_err().to_string();
    assert!(error.contains("length of the file in bytes is at least 4, above the limit of 3"));
}

#[test]
fn a_tautology_proves_nothing_false() {
    // It follows from nothing, and then forces nothing.
    assert!(check("5 1 -1 0 1 0\n").is_err());
}
