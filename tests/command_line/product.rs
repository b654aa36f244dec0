//! `ratio --engine`: the analysis by digits prints what enumeration prints, writes certificates that
//! `check` verifies, and refuses what it cannot do.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::eventually::eventually;
use crate::program::{json, run, run_in};
use routebound::shards::{Command, Part};

fn keys(value: &Value) -> BTreeSet<&String> {
    value.as_object().unwrap().keys().collect()
}

#[test]
fn both_engines_print_the_same() {
    let instances = [
        "ft(8,3) dmodk",
        "ft(6,3) osrm3",
        "xgft(3;3,4,5;2,2,3) smodk",
        "ft(14,2) grid",
        "ft(8,3) mlid",
    ];
    for instance in instances {
        let [product, enumerated] = ["by-digits", "enumerate"]
            .map(|engine| json(format!("ratio {instance} --engine {engine}")));
        assert_eq!(keys(&product), keys(&enumerated), "{instance}");
        assert_eq!(keys(&product["witness"]), keys(&enumerated["witness"]), "{instance}");
        let same = [
            "topology",
            "routing",
            "hosts",
            "oblivious_ratio",
            "permutation_load",
            "worst_loads",
            "complete",
            "notes",
        ];
        for key in same {
            assert_eq!(product[key], enumerated[key], "{instance}: {key}");
        }
        for bound in ["lower", "upper"] {
            let ratio = |found: &Value| found["permutation_ratio"][bound].clone();
            assert_eq!(ratio(&product), ratio(&enumerated), "{instance}");
        }
        assert!(product["method"].as_str().unwrap().starts_with("by digits"), "{instance}");
        assert!(!enumerated["method"].as_str().unwrap().starts_with("by digits"), "{instance}");
    }
}

#[test]
fn many_hosts_have_their_product_form_taken() {
    let method = |line: &str| json(line)["method"].as_str().unwrap().to_string();
    for line in ["ratio ft(48,3) osrm3", "ratio ft(24,3) omrmn", "ratio ft(12,3) dmodk"] {
        assert!(method(line).starts_with("by digits"), "{line}");
    }
    for line in
        ["ratio ft(8,3) osrm3", "ratio ft(12,3) random(seed=1)", "ratio ft(12,3) dmodk --embed"]
    {
        assert!(!method(line).starts_with("by digits"), "{line}");
    }
    let found = json("ratio ft(64,6) smodk");
    assert_eq!(found["oblivious_ratio"]["evidence"], "proven");
    assert_eq!(found["hosts"], 1_u64 << 31);
    assert_eq!(found["witness"]["pairs"].as_array().unwrap().len(), 32768);
    // More pairs than are listed: the report says so, in either form.
    let line = "ratio xgft(2;131072,131072;1,131072) dmodk";
    let found = json(line);
    assert_eq!(found["witness"]["pairs"].as_array().unwrap().len(), 0);
    assert_eq!(found["witness"]["unlisted_pairs"], 131_071);
    assert!(found["notes"][0].as_str().unwrap().contains("number of pairs to list"));
    let printed = run(line).said();
    assert!(
        printed.contains("worst traffic, 131071 pairs, optu at most 1: not listed"),
        "{printed}"
    );
}

#[test]
fn certificates_of_large_trees_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| run_in(folder.path(), line);
    for (instance, value) in [("ft(64,6) dmodk", "32768"), ("ftree(1024,1024,4096) grid", "32")] {
        let written = run(&format!("ratio {instance} --certificate a.cert"));
        assert_eq!(written.code, 0, "{written:?}");
        let checked = run("check a.cert");
        let says = format!("s VERIFIED oblivious-ratio = {value}, permutation-load = {value} (");
        assert!(checked.said().starts_with(&says), "{checked:?}");
        let certificate = std::fs::read_to_string(folder.path().join("a.cert")).unwrap();
        let false_claim = certificate.replace(&format!("ratio {value} {value}"), "ratio 1 1");
        std::fs::write(folder.path().join("b.cert"), false_claim).unwrap();
        assert_eq!(run("check b.cert").code, 1);
    }
    let printed = run("ratio ft(64,6) dmodk --certificate -");
    assert!(printed.said().starts_with("routebound-certificate 1\ntopology ft(64,6)\n"));
}

#[test]
fn what_has_no_product_form_is_refused() {
    let fails = |line: &str, code: i32, says: &str| {
        let output = run(line).expects(code);
        assert!(output.said().contains(says), "{output:?}");
    };
    fails(
        "ratio ft(8,3) wsr --engine by-digits",
        2,
        "the path of a pair depends on those of the pairs",
    );
    fails("ratio ft(8,3) kpath(k=1) --engine by-digits", 2, "not by digits for every k and choice");
    fails("ratio ft(8,3) kpath(zzz=1) --engine by-digits", 2, "unknown option `zzz`");
    fails("ratio ft(8,3) osrm2 --engine by-digits", 2, "needs a tree of height 2");
    fails("ratio universal(8) omrmn --engine by-digits", 2, "not a generated tree");
    fails("ratio ./ft.txt dmodk --engine by-digits", 2, "not a generated tree");
    fails("ratio kary(15,16) dmodk --engine by-digits", 3, "number of links");
    fails("ratio ft(8,3) dmodk --engine by-digits --embed", 2, "--engine enumerate");
    fails("ratio ft(8,3) dmodk --engine by-digits --fail 1", 2, "--engine enumerate");
    fails("ratio ft(8,3) dmodk --engine by-digits --save-traffic x.mtx", 2, "--engine enumerate");
    fails("ratio ft(64,6) random(seed=1)", 3, "number of links");
    fails("ratio ft(64,6) dmodk --engine enumerate", 3, "number of links");
    // Why there is none, where enumeration would not do either.
    fails("ratio kary(40,14) dmodk", 3, "above the limit of 9223372036854775807");
    fails("ratio kary(40,14) wsr", 3, "above the limit of 4194304");
    fails("ratio xgft(2;4194305,2;1,2) dmodk", 3, "number of digits of a level is 4194305");
    // Where it would.
    let limit = "no analysis by digits, so every link is analysed: number of pairs of first digits";
    fails("ratio ftree(2049,3,9) grid --time-limit 0", 3, limit);
    fails("ratio ft(8,3) dmodk --engine fast", 2, "possible values: auto, enumerate, by-digits");
}

#[test]
fn a_stop_loses_no_bounds() {
    let stopped =
        |line: &str, says: &str| eventually(|| run(line), |output| output.said().contains(says));
    let output = stopped("ratio ft(48,3) omrmn --time-limit 0", "1 (proven)");
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.said().contains("oblivious ratio         1 (proven)"), "{output:?}");
    // Three top switches. Some link has 398 node-disjoint pairs, the least X with 3·30·X² ≥
    // 29·700², and optu of a permutation is at most 700/3.
    let says = "oblivious ratio         between 597/350 and 3 (claimed: stopped early";
    let output = stopped("ratio ftree(700,3,30) grid --time-limit 0", says);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.said().contains(says), "{output:?}");
    assert!(output.said().contains("X = 468 source by 468"), "{output:?}");
}

/// What is by both digits is not said to be products of sets.
#[test]
fn methods_are_those_of_the_rules() {
    let method = |line: &str| json(line)["method"].as_str().unwrap().to_string();
    assert!(
        method("ratio ft(8,3) dmodk --engine by-digits").ends_with("products of sets of digits")
    );
    assert!(
        method("ratio ft(8,2) grid --engine by-digits").ends_with("first digits of both hosts")
    );
}

/// A shard has nothing to do, and where a merge would have, it takes the engine of the shards.
#[test]
fn the_product_form_is_not_shared() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| run_in(folder.path(), line);
    for line in ["ratio ft(64,6) dmodk", "ratio ft(8,3) dmodk --engine by-digits"] {
        let output = run(&format!("{line} --shard 1/2 --part a")).expects(2);
        assert!(output.said().contains("there is nothing to shard"), "{output:?}");
        assert!(!folder.path().join("a").exists(), "{line} left a part");
    }
    let command = Command(["ratio", "ft(64,6)", "dmodk"].map(String::from).to_vec());
    let part = Part::in_memory(command, "1/1".parse().unwrap());
    part.finish(false).unwrap();
    std::fs::write(folder.path().join("part"), part.text().unwrap()).unwrap();
    assert!(run("merge part").said().contains("32768 (proven)"));
    let output = run("merge part --save-traffic t.mtx").expects(2);
    assert!(
        output.said().contains("leave out `--embed`, `--links`, `--save-traffic`"),
        "{output:?}"
    );
}

/// A level may have thousands of different loads: the table has the heaviest and counts the rest.
#[test]
fn many_loads_are_not_all_in_the_table() {
    let line = "ratio xgft(8;25,24,23,22,21,20,19,2;1,7,6,5,7,11,3,13) dmodk --engine by-digits";
    let mut links: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    for bin in json(line)["worst_loads"].as_array().unwrap() {
        let place = (bin["level"].to_string(), bin["direction"].as_str().unwrap().to_string());
        links.entry(place).or_default().push(bin["links"].as_u64().unwrap());
    }
    let printed = run(line).said();
    let rows: Vec<Vec<&str>> =
        printed.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut shortened = 0;
    for ((level, direction), links) in links {
        let is_own = |row: &&Vec<&str>| row.len() > 3 && row[..2] == [&*level, &*direction];
        let own: Vec<&Vec<&str>> = rows.iter().filter(is_own).collect();
        let shown: u64 = own.iter().map(|row| row.last().unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(shown, links.iter().sum::<u64>(), "{level} {direction}: {printed}");
        assert_eq!(own.len(), links.len().min(33), "{level} {direction}: {printed}");
        let more = own.iter().find(|row| row[2] == "…");
        assert_eq!(more.is_some(), links.len() > 33, "{level} {direction}: {printed}");
        if let Some(row) = more {
            assert_eq!(row[3..7].join(" "), format!("{} more (see --json)", links.len() - 32));
            shortened += 1;
        }
    }
    assert!(shortened > 0, "{printed}");
}
