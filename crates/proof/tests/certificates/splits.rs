//! Splits over shortest paths, and classes of hosts that are alike.

mod cases;
mod classes;
mod limits;
mod networks;

use routebound_proof::certificate;

use super::fate::agreed;
use super::{Fate, PARALLEL, changed, decided, fate};
use cases::{ACCEPTED, REFUSED};
use networks::{HOSTED, STAR, TAPERED, TREE, UNEVEN};

fn texts() -> impl Iterator<Item = (String, &'static str)> {
    let cases = ACCEPTED.iter().chain(REFUSED);
    cases.map(|(base, changes, reason)| (changed(base, changes), *reason))
}

#[test]
fn splits_and_classes_are_what_they_say() {
    texts().for_each(|(text, reason)| decided(&text, reason));
}

#[test]
fn the_second_checker_agrees() {
    let texts: Vec<String> = texts().map(|(text, _)| text).collect();
    agreed(&texts, tempfile::tempdir().unwrap().path());
}

#[test]
fn what_is_read_is_written_again() {
    for text in [STAR, TREE, TAPERED, UNEVEN, HOSTED] {
        assert_eq!(certificate::read(text.as_bytes()).unwrap().to_string(), text);
    }
}
