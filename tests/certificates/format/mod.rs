//! Every point that `crates/proof/src/certificate/FORMAT.md` decides, in both directions: what is accepted and
//! what is refused, and that a second checker, written from the text alone, agrees.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

mod boundaries;
mod detours;
mod embed;
mod ends;
mod exit_codes;
mod files;
mod jobs;
mod lexical;
mod limits;
mod local_adaptive;
mod names;
mod products;
mod records;
mod refutations;
mod second;
mod splits;
mod strings;
mod symmetric;
mod words;

use std::io::BufRead;
use std::path::Path;

use routebound::certificate::{self, ReadError};
use routebound::generators::Named;
use routebound::generators::checker::{Check, Refusal};

/// The fate of a text.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It proves its claims.
    Accepted,
    /// It is not a certificate, or proves nothing: exit code 1.
    Refused(String),
    /// It is beyond a limit and is not judged: exit code 3.
    TooLarge(String),
}

fn fate(text: &[u8]) -> Fate {
    fate_in(text, Path::new(""))
}

/// The same; files that the text names are in `folder`.
fn fate_in(text: impl BufRead, folder: &Path) -> Fate {
    let certificate = match certificate::read(text) {
        Err(ReadError::TooLarge(limit)) => return Fate::TooLarge(limit.to_string()),
        Err(error) => return Fate::Refused(error.to_string()),
        Ok(certificate) => certificate,
    };
    match Check::new(&Named).folder(folder).run(&certificate) {
        Ok(_) => Fate::Accepted,
        Err(Refusal::TooLarge(limit)) => Fate::TooLarge(limit.to_string()),
        Err(refusal) => Fate::Refused(refusal.to_string()),
    }
}

/// A certificate as lines; links 0 and 1 both lead from host 0 to host 1. A host sends 2 at most.
const PARALLEL: &str = "routebound-certificate 1
hosts 2
nodes 2
link 0 1 1
link 0 1 1
link 1 0 1
path 0 1 1 0
path 1 0 1 2
claim oblivious-ratio 2 2
witness 0 1
demand 0 1 2
route even
cover 0 s 0
cover 2 s 1
end
";

/// `base` with every `from` replaced by its `to`, each of which must be there.
fn changed(base: &str, changes: &[(&str, &str)]) -> String {
    let mut text = base.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "`{from}` is not in the text");
        text = text.replacen(from, to, 1);
    }
    text
}

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
