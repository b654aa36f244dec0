//! `tests/second_checker`, written from the text alone, agrees with the checker.

use super::fate::{
    LEAST, OPTIMUM, PARALLEL, STEP, SYMMETRIC, SYMMETRIC_LEAST, agreed, mutations, second_in,
};
use super::{adaptive_rates, by_destination, ends, few_paths, limits, records, symmetric};

#[test]
fn it_decides_the_same_of_what_is_changed() {
    let least = PARALLEL.replace("end\n", LEAST);
    let hose = least
        .replace("oblivious-ratio", "hose-load")
        .replace("demand 0 1 2\nroute even\nend", "demand 0 1 2\nend");
    let (adaptive, own) = (adaptive_rates::with_record(), adaptive_rates::own_paths());
    let written = [
        PARALLEL,
        records::LINE,
        records::CUT,
        OPTIMUM,
        SYMMETRIC,
        SYMMETRIC_LEAST,
        symmetric::TWINS,
        by_destination::TWO,
        by_destination::POD,
        few_paths::ROOT,
        adaptive_rates::TRIANGLE,
    ];
    let by_ends = [ends::TWICE, ends::PARTS, ends::FULL_CUT];
    let texts = written.into_iter().chain(by_ends).chain([hose.as_str(), &least, &adaptive, &own]);
    let changed: Vec<String> = texts.flat_map(mutations).step_by(STEP).collect();
    let accepted = agreed(&changed, tempfile::tempdir().unwrap().path());
    assert!(
        changed.len() > 9_000 / STEP && accepted > 400 / STEP,
        "{accepted} of {}",
        changed.len()
    );
}

#[test]
fn it_leaves_the_same_alone() {
    let texts = [90, 105].map(limits::coprime_shares);
    let folder = tempfile::tempdir().unwrap();
    let Some(verdicts) = second_in(&texts, folder.path()) else { return };
    assert!(verdicts[0].starts_with("refused shares of (0,1)"), "{}", verdicts[0]);
    assert!(verdicts[1].starts_with("beyond bits of the denominator"), "{}", verdicts[1]);
}
