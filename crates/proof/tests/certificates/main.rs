//! Every point that `src/certificate/FORMAT.md` decides for certificates that hold their instances, in both directions:
//! what is accepted and what is refused, and that a second checker, written from the text alone, agrees. What needs names
//! is tested in `crates/networks`, what needs an analysis in the package `routebound`: in `tests/certificates` each.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

#[macro_use]
mod fate;

mod adaptive_rates;
mod boundaries;
mod by_destination;
mod ends;
mod few_paths;
mod least;
mod lengths_covers;
mod lexical;
mod limits;
mod optimum;
mod records;
mod second;
mod splits;
mod symmetric;
mod words;

use fate::{Fate, PARALLEL, changed, fate};
use routebound_proof::checker::NoNames;

const GENERATORS: NoNames = NoNames;

/// A point: changes to a text, and part of the reason to refuse it, empty when it is accepted.
type Point<'p> = (&'p [(&'p str, &'p str)], &'p str);

/// Checks that every point comes out as stated.
fn judge(base: &str, points: &[Point<'_>]) {
    assert_eq!(fate(base.as_bytes()), Fate::Accepted);
    for (changes, reason) in points {
        let found = fate(changed(base, changes).as_bytes());
        match &found {
            Fate::Accepted => assert!(reason.is_empty(), "{changes:?} is accepted"),
            Fate::Refused(text) => {
                assert!(!reason.is_empty() && text.contains(reason), "{changes:?}: {text}");
            }
            Fate::TooLarge(text) => panic!("{changes:?}: {text}"),
        }
    }
}
