//! Product certificates: `tests/second_checker` agrees on them, changed or not.

use routebound::assessment::assess_by_digits;
use routebound::by_digits::ByDigits;
use routebound::routing;

use super::fate::{Fate, agreed, fate, mutations};
use super::judge_accepted;

fn certificate(topology: &str, routing: &str) -> Option<String> {
    let form = ByDigits::named(topology, routing).ok()?;
    let found = assess_by_digits(&form).unwrap();
    Some(found.certificate.unwrap().to_string())
}

const TREES: &[&str] = &[
    "ft(4,3)",
    "FT( 6, 2 )",
    "ft(64,6)",
    "eft2(6,4)",
    "ftree(2,4,3)",
    "ftree(7,5,2)",
    "ftree(8,5,3)",
    "kary(3,4)",
    "xgft(1;4;2)",
    "xgft(2;2,3;2,2)",
    "xgft(2;3,1;1,2)",
    "xgft(3;5,4,3;1,2,3)",
    "xgft(3;5,4,8;2,3,1)",
    "xgft(4;9,8,7,6;1,4,3,2)",
    "xgft(3;32,32,64;1,16,16)",
];

#[test]
fn the_second_checker_accepts_what_is_written() {
    let routings = routing::KINDS.iter().map(|kind| kind.name);
    let instances = routings.flat_map(|routing| TREES.iter().map(move |tree| (*tree, routing)));
    let texts: Vec<String> =
        instances.filter_map(|(tree, routing)| certificate(tree, routing)).collect();
    assert!(texts.len() > 70, "{}", texts.len());
    judge_accepted(texts);
}

#[test]
fn both_decide_the_same_of_what_is_changed() {
    let slimmed = [("xgft(3;3,4,5;2,2,3)", "smodk"), ("xgft(2;4,4;1,2)", "omrmn")];
    let named = [("ft(6,3)", "osrm3"), ("ft(8,2)", "osrm2"), ("ftree(7,5,2)", "grid")];
    let named = slimmed.into_iter().chain(named);
    let texts = named.filter_map(|(tree, routing)| certificate(tree, routing));
    let changed: Vec<String> = texts.flat_map(|text| mutations(&text)).collect();
    let accepted = agreed(&changed, tempfile::tempdir().unwrap().path());
    assert!(accepted > 20 && changed.len() > 500, "{accepted} of {}", changed.len());
}

/// Trees whose links can still be counted, and those beyond; tables of ports likewise.
#[test]
fn limits_are_those_of_the_text() {
    let base = certificate("ft(6,3)", "dmodk").unwrap();
    let with = |topology: &str, routing: &str| {
        base.replace(
            "topology ft(6,3)\nrouting dmodk",
            &format!("topology {topology}\nrouting {routing}"),
        )
    };
    let points = [
        ("kary(14,15)", "dmodk", false),
        ("kary(15,16)", "dmodk", true),
        ("xgft(1;4294967296;1)", "dmodk", true),
        ("xgft(2;4194304,2;1,2)", "dmodk", false),
        ("xgft(2;4194305,2;1,2)", "dmodk", true),
        ("xgft(2;4194305,2;1,2)", "omrmn", false),
        ("ftree(2048,9,2)", "osrm2", false),
        ("ftree(2049,9,2)", "osrm2", true),
        ("ftree(2049,9,2)", "yuan", true),
        ("ftree(4294967295,4294967295,2)", "grid", true),
    ];
    let texts: Vec<String> =
        points.iter().map(|(topology, routing, _)| with(topology, routing)).collect();
    for (text, (topology, routing, beyond)) in texts.iter().zip(&points) {
        let is_beyond = matches!(fate(text.as_bytes()), Fate::TooLarge(_));
        assert_eq!(is_beyond, *beyond, "{routing} on {topology}");
    }
    // Python takes its time for the largest tables within the limits.
    let small: Vec<String> =
        texts[..3].iter().chain(&texts[4..6]).chain(&texts[7..]).cloned().collect();
    agreed(&small, tempfile::tempdir().unwrap().path());
}
