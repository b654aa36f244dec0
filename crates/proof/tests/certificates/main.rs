//! Every point that `src/certificate/FORMAT.md` decides for certificates that hold their instances, in both directions:
//! what is accepted and what is refused, and that a second checker, written from the text alone, agrees. What needs names
//! is tested in `crates/networks`, what needs an analysis in the package `routebound`: in `tests/certificates` each.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

/// Two leaf switches with two hosts each below one root switch, their routing, and then `rest`.
macro_rules! one_root {
    ($rest:literal) => {
        concat!(
            "routebound-certificate 1
hosts 4
nodes 7
link 0 4 1
link 1 4 1
link 2 5 1
link 3 5 1
link 4 0 1
link 4 1 1
link 5 2 1
link 5 3 1
link 4 6 1
link 5 6 1
link 6 4 1
link 6 5 1
next 0 0
next 1 1
next 2 2
next 3 3
next 4 4 5 8 8
next 5 9 9 6 7
next 6 10 10 11 11
",
            $rest
        )
    };
}

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
use routebound_proof::certificate;
use routebound_proof::checker::{NoNames, check};

const GENERATORS: NoNames = NoNames;

/// A point: changes to a text, and part of the reason to refuse it, empty when it is accepted.
type Point<'p> = (&'p [(&'p str, &'p str)], &'p str);

/// Checks that every point comes out as stated.
fn judge(base: &str, points: &[Point<'_>]) {
    decided(base, "");
    for (changes, reason) in points {
        decided(&changed(base, changes), reason);
    }
}

/// Checks that a text is refused for a reason that contains `reason`, or accepted if that is empty.
fn decided(text: &str, reason: &str) {
    match fate(text.as_bytes()) {
        Fate::Accepted => assert!(reason.is_empty(), "accepted, not {reason}:\n{text}"),
        Fate::Refused(why) => {
            assert!(!reason.is_empty() && why.contains(reason), "{why}, not {reason}:\n{text}");
        }
        Fate::TooLarge(why) => panic!("{why}:\n{text}"),
    }
}

/// What a text proves, which is written as it was read.
fn proven(text: &str) -> Vec<String> {
    let read = certificate::read(text.as_bytes()).unwrap();
    assert_eq!(read.to_string(), text);
    check(&read).unwrap().iter().map(ToString::to_string).collect()
}
