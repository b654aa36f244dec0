//! Steps that follow, and every reason why one does not.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::progress::Stop;

/// a or b, a or not b, not a or b, not a or not b.
fn check(proof: &str) -> Result<u64, String> {
    check_until(proof, &Progress::silent()).map_err(|error| error.to_string())
}

fn check_until(proof: &str, progress: &Progress) -> Result<u64, LratError> {
    two_variables().check(proof.as_bytes(), progress)
}

fn two_variables() -> Refutation {
    let mut refutation = Refutation::new(2);
    for clause in [[1, 2], [1, -2], [-1, 2], [-1, -2]] {
        refutation.add(&clause).unwrap();
    }
    refutation
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

/// What follows the empty clause is not a step, but the file is read to its end.
#[test]
fn what_follows_the_empty_clause_is_read() {
    let whole = "5 1 0 1 2 0\n7 0 5 3 4 0\n";
    assert_eq!(check(&format!("{whole}{}", "x".repeat((1 << 24) - 1))), Ok(2));
    let said = check(&format!("{whole}{}", "x".repeat(1 << 24))).unwrap_err();
    assert!(said.contains("length of a line"), "{said}");
    let broken = io::BufReader::new(whole.as_bytes().chain(Broken));
    assert!(matches!(two_variables().check(broken, &Progress::silent()), Err(LratError::Io(_))));
}

/// A file that cannot be read.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::InvalidInput.into())
    }
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
        // 0 has no sign, as the end of a clause, of hints or of what is deleted.
        ("5 1 -0 1 2 0\n", "not a step"),
        ("5 1 0 1 2 -00\n", "not a step"),
        ("5 d 1 -0\n", "not a step"),
        // A negative hint is refused also behind those that prove the step.
        ("5 1 0 1 2 -3 0\n", "a RAT step"),
        ("-5 1 0 1 2 0\n", "not a step"),
        ("+5 1 0 1 2 0\n", "not a step"),
        ("5 +1 0 1 2 0\n", "not a step"),
        ("5 1 0 -9223372036854775807 0\n", "a RAT step"),
        ("5 1 0 1 - 0\n", "not a step"),
        // Longer than any number, but none.
        ("5 1 0 xxxxxxxxxxxxxxxxxxxxxxxx 0\n", "not a step"),
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
fn literals_of_held_clauses_are_counted() {
    let mut refutation = Refutation::new(2);
    for clause in [&[1, 2], &[1, -2]] {
        refutation.add(clause).unwrap();
    }
    refutation.derive(3, &[1], &[1, 2], 1).unwrap();
    assert_eq!(refutation.literals, 5);
    refutation.delete(&[1], 2).unwrap();
    assert_eq!(refutation.literals, 3);
    // The limit itself is still within it.
    refutation.literals = MAX_LITERALS - 2;
    refutation.add(&[1, 2]).unwrap();
    assert_eq!(refutation.add(&[1]).unwrap_err().limit, MAX_LITERALS);
}

#[test]
fn a_tautology_proves_nothing_false() {
    // It follows from nothing, and then forces nothing.
    assert!(check("5 1 -1 0 1 0\n").is_err());
}

/// A clause over four variables, perhaps a tautology, perhaps with a literal twice.
fn any_clause(most: usize) -> impl Strategy<Value = Vec<i64>> {
    let literal = (1..=4_i64, any::<bool>()).prop_map(|(v, sign)| if sign { v } else { -v });
    prop::collection::vec(literal, 0..=most)
}

/// Unit propagation by definition: whether these clauses, in this order, each leave at most one
/// literal open, and one of them none, when all literals of `clause` are false.
fn follows(clauses: &[Vec<i64>], clause: &[i64], hints: &[usize]) -> bool {
    let mut falsified: BTreeSet<i64> = clause.iter().copied().collect();
    for hint in hints {
        let Some(hint) = clauses.get(*hint) else { return false };
        let open: Vec<i64> = hint.iter().filter(|l| !falsified.contains(l)).copied().collect();
        match open[..] {
            [] => return true,
            [forced] => _ = falsified.insert(-forced),
            _ => return false,
        }
    }
    false
}

/// Hints that prove the clause by unit propagation, found by trying every clause again and again.
fn hints(clauses: &[Vec<i64>], clause: &[i64]) -> Option<Vec<usize>> {
    let mut falsified: BTreeSet<i64> = clause.iter().copied().collect();
    let mut used = Vec::new();
    loop {
        let open = |at: &usize| {
            let literals = clauses[*at].iter().filter(|l| !falsified.contains(l));
            literals.copied().collect::<BTreeSet<i64>>()
        };
        let learns = |at: &usize| {
            let open = open(at);
            // A literal twice counts twice for the checker.
            let single = clauses[*at].iter().filter(|l| open.contains(l)).count() == 1;
            open.is_empty() || single && open.iter().all(|l| !falsified.contains(&-l))
        };
        let next = (0..clauses.len()).find(learns)?;
        used.push(next);
        match open(&next).first() {
            None => return Some(used),
            Some(forced) => _ = falsified.insert(-forced),
        }
    }
}

/// Whether every assignment of the four variables that satisfies the clauses satisfies this one.
fn implied(clauses: &[Vec<i64>], clause: &[i64]) -> bool {
    let holds = |clause: &[i64], values: u32| {
        clause.iter().any(|l| (values >> l.unsigned_abs() & 1 == 1) == (*l > 0))
    };
    let models = (0..32_u32).filter(|values| clauses.iter().all(|c| holds(c, *values)));
    models.into_iter().all(|values| holds(clause, values))
}

proptest! {
    /// Steps of any kind: accepted exactly if the definition says so, and then implied.
    #[test]
    fn steps_are_judged_as_defined(
        formula in prop::collection::vec(any_clause(3), 1..8),
        steps in prop::collection::vec(
            (any_clause(2), prop::collection::vec(0..12_usize, 0..6), any::<bool>()), 1..8),
    ) {
        let mut refutation = Refutation::new(4);
        let mut clauses = formula.clone();
        for clause in &formula {
            let literals: Vec<Literal> = clause.iter().map(|literal| Literal::try_from(*literal).unwrap()).collect();
            refutation.add(&literals).unwrap();
        }
        for (clause, random, search) in steps {
            let found = hints(&clauses, &clause).filter(|_| search);
            let proven = found.is_some();
            let hints = found.unwrap_or(random);
            let numbers: Vec<i64> = hints.iter().map(|at| at.cast_signed() as i64 + 1).collect();
            let step = clauses.len() as u64 + 1;
            let accepted = refutation.derive(step, &clause, &numbers, 1).is_ok();
            prop_assert_eq!(accepted, follows(&clauses, &clause, &hints), "{:?}: {:?}", clause, hints);
            prop_assert!(accepted || !proven, "{:?}: {:?}", clause, hints);
            if accepted {
                prop_assert!(implied(&formula, &clause), "{:?}: {:?}", clause, hints);
                clauses.push(clause);
            }
        }
    }
}
