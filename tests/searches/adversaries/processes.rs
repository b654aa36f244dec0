//! `attack` as a process: its JSON, its refusals, and Ctrl-C.

#[cfg(unix)]
use std::time::Duration;

use serde_json::Value;

use crate::eventually::eventually;
#[cfg(unix)]
use crate::program::program;
use crate::program::{json, run};

#[cfg(unix)]
use crate::stopped::{How, stopped_knowing};

#[test]
fn one_table_with_bounds_and_a_witness() {
    let value = json("attack ft(8,2) dmodk --all --trials 5000 --seed 3");
    assert_eq!(value["oblivious_ratio"]["lower"], "4");
    assert_eq!(value["oblivious_ratio"]["upper"], "4");
    assert_eq!(value["oblivious_ratio"]["evidence"], "proven");
    assert_eq!(value["witness"]["optu"], "1");
    let rows = value["adversaries"].as_array().unwrap();
    let expected: usize = routebound::adversary::KINDS.iter().map(|kind| kind.examples.len()).sum();
    assert_eq!(rows.len(), expected, "one row per example");
    let climb = rows.iter().find(|row| row["adversary"] == "climb(trials=5000,seed=3)").unwrap();
    assert_eq!(climb["lower"], "4");
    let refused = rows.iter().find(|row| row["adversary"] == "exhaustive").unwrap();
    assert!(refused["notes"][0].as_str().unwrap().contains("above the limit"));
}

#[test]
fn without_the_exact_value_the_lower_bound_is_all_there_is() {
    let value = json("attack ft(8,2) dmodk --adversary random --trials 50 --no-exact");
    assert_eq!(value["exact"], Value::Null);
    assert_eq!(value["oblivious_ratio"]["upper"], Value::Null);
    assert_eq!(value["oblivious_ratio"]["evidence"], "sampled: 50 trials, seed 1");
    assert_eq!(value["adversaries"][0]["statistics"]["trials"], 50);
}

#[test]
fn the_time_of_an_adversary_ends_it() {
    let value = json("attack ft(8,3) osrm3 --adversary anneal(trials=1000000000000) --time 0.3");
    assert_eq!(
        (&value["complete"], &value["adversaries"][0]["stopped"]),
        (&true.into(), &true.into())
    );
    assert!(value["witness"]["pairs"].as_array().unwrap().len() > 100);
}

#[test]
fn bad_adversaries_are_refused() {
    for (line, code, words) in [
        ("attack ft(4,2) dmodk --adversary clim", 2, "did you mean `climb`"),
        ("attack ft(4,2) dmodk --adversary climb(7)", 2, "usage: climb"),
        ("attack ft(4,2) dmodk --adversary climb(trials=0)", 2, "at least 1"),
        (
            "attack ft(4,2) dmodk --adversary random(pattern=x)",
            2,
            "`pattern=x` is not one of permutation",
        ),
        ("attack ft(4,2) dmodk --adversary random(size=4)", 2, "only cliques"),
        ("attack ft(4,2) dmodk --adversary matching:x", 2, "does not take"),
        ("attack ft(4,2) dmodk --all --adversary climb", 2, "cannot be used with"),
        ("attack ft(8,2) dmodk --adversary exhaustive", 3, "above the limit"),
    ] {
        let run = run(line).expects(code);
        assert!(run.stderr.contains(words), "{run:?}");
    }
}

/// The published bounds for the instance, and how close a search came to them.
#[test]
fn published_bounds_stand_beside_what_was_found() {
    let value = json("attack ft(8,3) dmodk --no-exact");
    let rows = value["published"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["statement"] == name).unwrap();
    let theorem_4 = row("or-theorem-4");
    assert_eq!(theorem_4["source"], "[OR] Theorem 4");
    assert_eq!((&theorem_4["side"], &theorem_4["value"]), (&"at least".into(), &"4".into()));
    assert_eq!((&theorem_4["found"], &theorem_4["standing"]), (&"7".into(), &"reached".into()));
    let table = row("or-table-1-mod-k");
    assert_eq!((&table["side"], &table["value"]), (&"equals".into(), &"7".into()));
    let text = run("attack ft(8,3) dmodk --no-exact").stdout;
    assert!(
        text.contains(
            "published               [OR] Theorem 4: ratio at least 4; this search reached 7\n"
        ),
        "{text}"
    );
    // One random permutation falls short of Table I.
    let value = json("attack ft(8,3) dmodk --adversary random(trials=1) --no-exact");
    let rows = value["published"].as_array().unwrap();
    let row = rows.iter().find(|row| row["statement"] == "or-table-1-mod-k").unwrap();
    assert_eq!(row["standing"], "short");
}

/// Even no time at all is enough for one permutation.
#[test]
fn without_time_there_is_one_permutation() {
    let stopped = || run("attack ft(8,2) dmodk --time-limit 0 --json").expects(3).json();
    let value = eventually(stopped, |value| value["witness"]["pairs"].is_array());
    assert_eq!(value["oblivious_ratio"]["evidence"], "sampled: 1 trials, seed 1");
    assert_eq!(value["adversaries"][0]["evaluations"], 1);
    assert!(value["witness"]["pairs"].as_array().unwrap().len() > 16);
}

/// Interrupted, each search shows the best that it has and ends with code 3.
#[cfg(unix)]
#[test]
fn an_interrupt_shows_the_best_so_far() {
    let endless = [
        "xgft(3;4,4,4;1,2,2) dmodk --adversary climb(trials=1000000000000)",
        "ft(8,3) osrm3 --adversary anneal(trials=1000000000000)",
        "ft(8,3) osrm3 --adversary random(trials=1000000000000)",
        "ft(8,3) osrm3 --adversary random(pattern=clique,trials=1000000000000)",
        "xgft(2;5,2;1,2) random(seed=1) --adversary exhaustive",
        #[cfg(feature = "highs")]
        "xgft(2;16,24;1,10) random(seed=1) --adversary ilp(programs=1000000)",
    ];
    for line in endless {
        let command = || program(format!("attack {line} --json"));
        let stop = How::Signal("INT", Duration::from_millis(300));
        let value = stopped_knowing(command, stop, |run| !run.json()["witness"].is_null()).json();
        assert_eq!(value["complete"], false, "{line}");
        assert!(!value["witness"]["pairs"].as_array().unwrap().is_empty(), "{line}");
        assert_ne!(value["oblivious_ratio"]["lower"], "0", "{line}");
    }
}
