//! `nonblocking`: trees of any height, networks that are read, and its two readings of contention.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::io::Write as _;

use routebound::export::EXPORTS;
use routebound::registry;
use routebound::topology::generate;
use serde_json::{Value, json};

#[cfg(feature = "sat")]
use crate::program::{done, json};
use crate::program::{refused, run};

/// The exit code and the record.
fn record(topology: &str, routing: &str) -> (i32, Value) {
    let run = run(["nonblocking", topology, routing, "--json"]);
    (run.code, run.json())
}

fn text(topology: &str, routing: &str) -> String {
    run(["nonblocking", topology, routing]).stdout
}

/// By load, by contention, and the exit code, which is that of the load.
fn verdicts(topology: &str, routing: &str) -> (bool, bool, i32) {
    let (code, record) = record(topology, routing);
    let verdict = |of: &Value| of["nonblocking"].as_bool().unwrap();
    assert_eq!(record["permutation_load"]["evidence"], "proven", "{record}");
    (verdict(&record), verdict(&record["contention"]), code)
}

#[test]
fn recursive_networks_are_nonblocking() {
    for spec in ["nbclos(2,2)", "nbclos(2,3)", "nbclos(2,4)", "nbclos(3,2)", "nbclos(1,6)"] {
        assert_eq!(verdicts(spec, "yuan"), (true, true, 0), "{spec}");
    }
    // One top switch less at the upper level, and a routing that is not made for it.
    refused("nonblocking xgft(3;2,2,6;1,4,3) yuan", "");
    for routing in ["dmodk", "osrm3"] {
        assert_eq!(verdicts("nbclos(2,3)", routing), (false, false, 1), "{routing}");
    }
    assert!(text("nbclos(2,3)", "yuan").contains("contention        no two pairs"));
}

#[test]
fn copies_that_are_read_are_nonblocking() {
    for format in ["graphml", "json", "dot"] {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let kind = registry::find(EXPORTS, "export", format).unwrap();
        (kind.build)(&generate("nbclos(2,3)").unwrap(), &mut file).unwrap();
        let path = file.path().to_str().unwrap();
        assert_eq!(verdicts(path, "yuan"), (true, true, 0), "{format}");
        assert_eq!(verdicts(path, "dmodk"), (false, false, 1), "{format}");
        assert_eq!(verdicts(path, "ecmp"), (true, false, 0), "{format}");
    }
}

/// Even splits over enough top switches have permutation load 1 ([OR] Theorem 1), but packets meet.
#[test]
fn load_and_contention_are_told_apart() {
    for (topology, routing) in
        [("ft(4,2)", "omrmn"), ("ft(4,2)", "ecmp"), ("ft(4,3)", "ecmp"), ("ftree(2,2,5)", "omrmn")]
    {
        assert_eq!(verdicts(topology, routing), (true, false, 0), "{routing} on {topology}");
        let text = text(topology, routing);
        let both = "verdict           nonblocking by load, blocking by contention\n";
        assert!(text.contains(both), "{text}");
    }
    let (_, found) = record("ft(4,2)", "ecmp");
    // The first up link of switch 0, after 8 links of hosts up and 8 down.
    let contention = json!({"nonblocking": false, "link": 16, "pairs": [[0, 3], [1, 2]]});
    assert_eq!(found["contention"], contention);
    let says = "contention        0->3 and 1->2 meet on sw-1-0[3] -> sw-2-0[1] (link 16)\n";
    assert!(text("ft(4,2)", "ecmp").contains(says), "{}", text("ft(4,2)", "ecmp"));
    // One host per switch: nothing meets, however pairs are split.
    assert_eq!(verdicts("ftree(1,3,5)", "omrmn"), (true, true, 0));
    assert!(text("ftree(1,3,5)", "omrmn").contains("verdict           nonblocking\n"));
    assert!(text("ft(4,2)", "dmodk").contains("verdict           blocking\n"));
}

/// A wide link carries two flows without a load above 1, a narrow one not even one.
#[test]
fn capacities_count_by_load_only() {
    let line = |capacity: &str| {
        let mut file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
        writeln!(file, "a,b,2\nb,c,{capacity}\nc,d,2").unwrap();
        verdicts(file.path().to_str().unwrap(), "ecmp")
    };
    assert_eq!(line("4"), (true, false, 0));
    assert_eq!(line("1"), (false, false, 1));
}

#[test]
fn levels_that_do_not_fit_are_refused() {
    for (spec, code, says) in [
        ("nbclos(2,0)", 2, "every number must be at least 1"),
        ("nbclos(2,17)", 3, "height of the tree is 17, above the limit of 16"),
        ("nbclos(3,9)", 3, "number of links is"),
        ("nbclos(2)", 2, "takes 2 numbers, 1 given"),
    ] {
        run(["nonblocking", spec, "yuan"]).refuses(code, says);
    }
}

/// Bounds, certificate and exit code of the search among local adaptive routings.
#[cfg(feature = "sat")]
#[test]
fn local_adaptive_routings_are_searched_with_proof() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("local.cert");
    let proof = file.to_str().unwrap();
    for (spec, least, files) in
        [("ftree(1,1,9)", 1, 0), ("ftree(2,1,3)", 2, 0), ("ftree(2,9,5)", 4, 3)]
    {
        let line = "--least-m --local-adaptive --certificate";
        let record = json(format!("nonblocking {spec} {line} {proof}"));
        let bounds =
            json!({"lower": least.to_string(), "upper": least.to_string(), "evidence": "proven"});
        assert_eq!((&record["least_m"], &record["complete"]), (&bounds, &true.into()), "{spec}");
        let beside = ["cnf", "lrat", "drat"].iter().filter(|end| file.with_extension(end).exists());
        assert_eq!(beside.count(), files, "{spec}");
        let said = done(["check", proof]);
        assert!(said.contains(&format!("local-adaptive-switches = {least}")), "{said}");
        let clos = record["n"].as_u64().unwrap() * 2 - 1;
        assert_eq!(record["clos"], clos);
    }
}

#[cfg(feature = "sat")]
#[test]
fn local_adaptive_routings_of_other_networks_are_refused() {
    for (line, words) in [
        ("ft(4,3) --least-m --local-adaptive", "needs a tree ftree(n,m,r)"),
        ("ftree(2,4,1) --least-m --local-adaptive", "choose two or more"),
        ("ftree(9,4,9) --least-m --local-adaptive", "number of hosts"),
        ("ftree(8,4,8) --least-m --local-adaptive", "number of sets of destinations"),
        ("ftree(2,4,3) --local-adaptive", "--least-m"),
        ("ftree(2,4,3) --least-m --certificate x.cert", "--local-adaptive"),
        ("ftree(2,4,3) --least-m --local-adaptive --certificate x.cnf", "another ending"),
        ("ftree(2,4,3) yuan --least-m --local-adaptive", "cannot be used with"),
    ] {
        let run = run(format!("nonblocking {line}"));
        assert!(run.code != 0 && run.stderr.contains(words), "{run:?}");
    }
}
