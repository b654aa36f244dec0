//! No text makes a reader panic: it is refused with a reason, or read, and then what is written of
//! it reads as the same.

use std::sync::LazyLock;

use proptest::prelude::*;
use routebound::import::traffic::{FORMATS, Hosts, Request};
use routebound::topology;

use super::change::{any_changes, changed};
use super::targets::{Fate, REFUSED, TARGETS, Target, can_be_shown, demands_in};
use super::{cases, command};

/// The seeds of every target.
static SEEDS: LazyLock<Vec<Vec<Vec<u8>>>> =
    LazyLock::new(|| TARGETS.iter().map(|target| (target.seeds)()).collect());

fn judge(target: &Target, text: &[u8]) -> Result<(), TestCaseError> {
    let place = || command(text, target.verb);
    // A panic inside would not say what was read.
    let fate = std::panic::catch_unwind(|| (target.read)(text));
    match fate {
        Err(_) => Err(TestCaseError::fail(format!("it panics: {}", place()))),
        Ok(Fate::Kept) => Ok(()),
        Ok(Fate::Refused(message)) => {
            prop_assert!(can_be_shown(&message), "`{}`: {}", message, place());
            Ok(())
        }
        Ok(Fate::Differs(how)) => Err(TestCaseError::fail(format!("{how}: {}", place()))),
    }
}

#[test]
fn seeds_are_read() {
    let mut refused = Vec::new();
    for (target, seeds) in TARGETS.iter().zip(SEEDS.iter()) {
        assert!(!seeds.is_empty(), "{}", target.verb);
        for seed in seeds {
            judge(target, seed).unwrap();
            if let Fate::Refused(message) = (target.read)(seed) {
                refused.push((String::from_utf8_lossy(seed).into_owned(), message));
            }
        }
    }
    assert_eq!(refused.len(), REFUSED.len(), "{refused:?}");
    for ((seed, message), (start, reason)) in refused.iter().zip(REFUSED) {
        assert!(seed.starts_with(start) && message.contains(reason), "{message}: {seed}");
    }
}

/// Every format of traffic reads its own examples, by name if it is recognised by nothing else.
#[test]
fn every_format_of_traffic_is_read() {
    let trees = ["kary(2,2)", "ft(4,2)"].map(|spec| topology::generate(spec).unwrap());
    for kind in FORMATS {
        for example in kind.examples {
            let is_read = |tree| {
                let request = Request { hosts: Hosts::Of(tree), index: None };
                let read = demands_in(kind, example.as_bytes(), &request);
                read.is_ok_and(|matrix| !matrix.demands().is_empty())
            };
            assert!(trees.iter().any(is_read), "{}: {example}", kind.name);
        }
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn changed_files(
        target in 0..TARGETS.len(),
        seed in any::<prop::sample::Index>(),
        changes in any_changes(),
    ) {
        let text = changed(seed.get::<Vec<u8>>(&SEEDS[target]), &changes);
        judge(&TARGETS[target], &text)?;
    }

    /// A file of one kind where another is expected.
    #[test]
    fn files_of_others(
        (target, other) in (0..TARGETS.len(), 0..TARGETS.len()),
        seed in any::<prop::sample::Index>(),
        changes in prop::collection::vec(super::change::any_change(), 0..2),
    ) {
        judge(&TARGETS[target], &changed(seed.get::<Vec<u8>>(&SEEDS[other]), &changes))?;
    }

    #[test]
    fn random_bytes(target in 0..TARGETS.len(), text in prop::collection::vec(any::<u8>(), 0..200)) {
        judge(&TARGETS[target], &text)?;
    }
}

/// The check itself: what it is for does not pass.
#[test]
fn a_bad_reader_is_found() {
    let bad = |read| judge(&Target { verb: "topo -", seeds: Vec::new, read }, b"x").unwrap_err();
    let panics = bad(|text| Fate::Refused(text[1].to_string()));
    assert!(panics.to_string().contains("it panics: printf '%b' 'x' | routebound topo -"));
    assert!(bad(|_| Fate::Differs("y".into())).to_string().contains("y: printf"));
    for message in ["", "\u{1b}[2J"] {
        let _ = bad(if message.is_empty() {
            |_| Fate::Refused(String::new())
        } else {
            |_| Fate::Refused("\u{1b}[2J".into())
        });
    }
}

/// Texts that once gave a message which a terminal obeys, or names that a format cannot hold.
#[test]
fn what_was_found_stays_repaired() {
    for (start, text) in [
        ("topo 'ft(4,2)' --fail-links", "sw-1-0[\u{b}]"),
        ("topo 'ft(4,2)' --fail-links", "sw-1-0[\u{202e}4]"),
        ("ratio 'ft(4,2)'", "# hosts \u{1} links 32\nsource,destination,share,links\n0,1,1,0 9\n"),
        ("traffic 'ft(4,2)' -", "\u{202e}0 1\n"),
        ("topo -", "\u{1}w-1-0 sw-2-1\n"),
    ] {
        let target = TARGETS.iter().find(|target| target.verb.starts_with(start)).unwrap();
        judge(target, text.as_bytes()).unwrap();
    }
}
