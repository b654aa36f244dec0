//! What analyses write in every form that `crates/proof/src/certificate/FORMAT.md` has, changed and not: the checker and a
//! second one, written from the text alone, agree.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

mod ancestors;
#[path = "../../../crates/networks/tests/certificates/committed.rs"]
mod committed;
mod detours;
mod embed;
mod exit_codes;
mod failures;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../../crates/proof/tests/certificates/fate.rs"]
mod fate;
mod jobs;
mod local_adaptive;
mod products;
mod second;
mod unnamed;

use routebound::generators::Named;

use fate::{ACCEPTED, judge_texts};

const GENERATORS: Named = Named;

/// Checks that both checkers accept texts.
fn judge_accepted(texts: impl IntoIterator<Item = String>) {
    judge_texts(texts.into_iter().map(|text| (text, ACCEPTED)));
}
