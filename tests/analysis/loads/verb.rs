//! `routebound load` through the command line.

use std::fs;

use serde_json::{Value, json};

use crate::eventually::eventually;
use crate::program::{done, json, run};

/// Shifting FT(8,2) by 4: host s and s + 4 have the same index under their leaves, so D-mod-k
/// gives every flow of a leaf its own root.
#[test]
fn json_has_the_keys_of_the_contract() {
    let value = json("load ft(8,2) dmodk shift(4)");
    let proven = json!({"lower": "1", "upper": "1", "evidence": "proven"});
    for (key, expected) in [
        ("topology", json!("ft(8,2)")),
        ("routing", json!("dmodk")),
        ("traffic", json!("shift(4)")),
        ("hosts", json!(32)),
        ("max_load", json!("1")),
        ("worst_link", json!("host-0[1] -> sw-1-0[1]")),
        ("worst_link_id", json!(0)),
        ("optu", proven.clone()),
        ("performance_ratio", proven),
        ("baseload", json!("1")),
        ("idle_links", json!(0)),
    ] {
        assert_eq!(value[key], expected, "{key}");
    }
    assert_eq!(value["contention"]["value"], "1");
    assert_eq!(value["flows"]["value"], "1");
    let first = json!({"level": 1, "direction": "up", "load": "1", "links": 32});
    assert_eq!(value["histogram"][0], first);
}

/// Eight hosts per leaf over four roots: all eight flows leave, optu is 2.
#[test]
fn slimmed_trees_have_an_exact_ratio() {
    let value = json("load xgft(2;8,4;1,4) dmodk shift(8)");
    assert_eq!((&value["optu"]["lower"], &value["baseload"]), (&json!("2"), &json!("1")));
    assert_eq!(value["performance_ratio"]["upper"], "1");
    let text = done("load xgft(2;8,4;1,4) dmodk shift(8)");
    assert!(text.contains("optu               2 (proven)"), "{text}");
    assert!(text.contains("performance ratio  1 (proven"), "{text}");
}

/// A fabric from a file is not a labelled tree: optu is a linear program.
#[cfg(feature = "highs")]
#[test]
fn other_networks_are_proven_too() {
    let example = routebound::import::KINDS.iter().flat_map(|kind| kind.examples).next().unwrap();
    let value = json(format!("load {example} ecmp shift(1) --unit-capacity"));
    assert_eq!(value["optu"]["evidence"], "proven");
    assert_eq!(value["optu"]["lower"], value["baseload"]);
    assert!(value["performance_ratio"]["lower"].is_string());
}

#[test]
fn no_traffic_has_no_ratio() {
    let value = json("load ft(4,2) dmodk shift(8)");
    assert_eq!((&value["max_load"], &value["performance_ratio"]), (&json!("0"), &Value::Null));
    assert!(done("load ft(4,2) dmodk shift(8)").contains("none: there is no traffic"));
}

#[test]
fn lists_of_links() {
    let csv = done("load ft(4,2) omrmn shift(4) --links=csv");
    let mut lines = csv.lines();
    let head = "link,name,level,direction,capacity,traffic,load,flows,contention";
    assert_eq!(lines.next(), Some(head));
    assert_eq!(lines.clone().count(), 32);
    // Two flows of the first leaf, half of each on either up link.
    assert_eq!(lines.nth(16), Some("16,sw-1-0[3] -> sw-2-0[1],2,up,1,1,1,2,1"));
    let rows = done("load ft(4,2) omrmn shift(4) --links=json");
    let line: Value = serde_json::from_str(rows.lines().nth(16).unwrap()).unwrap();
    assert_eq!(
        (&line["link"], &line["flows"], &line["load"]),
        (&json!(16), &json!(2), &json!("1"))
    );
    assert_eq!(rows.lines().count(), 32);
    let table = done("load ft(4,2) omrmn shift(4) --links");
    assert_eq!(table.lines().count(), 33);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("links.csv");
    let line = format!("load ft(4,2) omrmn shift(4) --links=csv --output {}", file.display());
    assert_eq!(json(&line)["max_load"], "1");
    assert_eq!(fs::read_to_string(file).unwrap(), csv);
}

/// By hand: the first two demands share the link from their leaf to root 0, 1 + 2 of it; the last has load 1/2 on each of
/// its links, of which the first is named. Under omrmn both demands of a leaf have half of either link.
#[test]
fn lists_of_demands() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.csv").display().to_string();
    fs::write(&file, "source,destination,amount\n0,2,1\n1,4,2\n5,7,1/2\n").unwrap();
    let csv = done(format!("load ft(4,2) dmodk {file} --pairs=csv"));
    let expected = [
        "source,destination,amount,link,bottleneck,load,passes_at_least",
        "0,2,1,16,sw-1-0[3] -> sw-2-0[1],3,1/3",
        "1,4,2,16,sw-1-0[3] -> sw-2-0[1],3,1/3",
        "5,7,1/2,5,host-5[1] -> sw-1-2[2],1/2,1",
    ];
    assert_eq!(csv.lines().collect::<Vec<_>>(), expected);
    let csv = done(format!("load ft(4,2) omrmn {file} --pairs=csv"));
    assert_eq!(csv.lines().nth(1), Some("0,2,1,16,sw-1-0[3] -> sw-2-0[1],3/2,2/3"));
    assert_eq!(csv.lines().nth(2), Some("1,4,2,1,host-1[1] -> sw-1-0[2],2,1/2"));
    // Regular traffic is listed, and a list in a file leaves the result.
    assert_eq!(done("load ft(4,2) dmodk uniform --pairs").lines().count(), 57);
    // Three quarters of the flows of a leaf take one of four links.
    fs::write(&file, "source,destination,amount\n0,2,1\n1,3,1\n").unwrap();
    let weights =
        "ecmp-hash(flows=256,ports=49152,split=\"instances/tables/ftree-2-4-3-weights.csv\")";
    let csv = done(["load", "ftree(2,4,3)", weights, &file, "--pairs=csv"]);
    assert_eq!(csv.lines().nth(1), Some("0,2,1,12,sw-1-0[3] -> sw-2-0[1],3/2,2/3"));
    run("load kary(16,3) dmodk uniform --pairs").refuses(3, "use --pairs=csv, or --links");
    fs::write(&file, "source,destination,amount\n0,2,1\n1,4,2\n5,7,1/2\n").unwrap();
    let line = format!("load ft(4,2) dmodk {file} --pairs=csv --output {file}.list");
    assert_eq!(json(&line)["max_load"], "3");
    assert_eq!(fs::read_to_string(format!("{file}.list")).unwrap().lines().count(), 4);
}

/// The same traffic as a pattern and from a file: nothing but its name and notes differ.
#[test]
fn products_are_reported_as_lists_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("matrix.csv");
    let file = file.to_str().unwrap();
    for pattern in ["uniform", "hotspot-percent(percent=20)", "clustered(size=4)", "samelast(4)"] {
        done(format!("traffic ft(4,3) {pattern} --force --output {file} --quiet"));
        for verb in ["load ft(4,3) random", "load ft(4,3) omrmn", "optu ft(4,3)"] {
            let [mut known, mut read] =
                [pattern, file].map(|traffic| json(format!("{verb} {traffic}")));
            known["traffic"] = json!("");
            read["traffic"] = json!("");
            // That of the file also says how it was read.
            let how = read["notes"].as_array().unwrap().last().unwrap().as_str().unwrap();
            assert!(how.starts_with("traffic read from "), "{how}");
            known.as_object_mut().unwrap().remove("notes");
            read.as_object_mut().unwrap().remove("notes");
            assert_eq!(known, read, "{verb} {pattern}");
        }
        let [known, read] =
            [pattern, file].map(|traffic| json(format!("traffic ft(4,3) {traffic}")));
        for key in ["pairs", "total", "max_sent", "max_received", "permutation", "self_demands"] {
            assert_eq!(known[key], read[key], "{key} of {pattern}");
        }
    }
}

/// What needs no list is done, what would need one is refused with its size before the work.
#[test]
fn sizes_are_stated_before_the_work() {
    let value = json("traffic --hosts 100000 uniform");
    assert_eq!((&value["pairs"], &value["max_sent"]), (&json!(9_999_900_000_u64), &json!("99999")));
    let value = json("optu kary(24,3) uniform");
    assert_eq!(
        (&value["demands"], &value["optu"]["upper"]),
        (&json!(191_089_152), &json!("13823"))
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.mtx").display().to_string();
    for (line, size) in [
        (&*format!("traffic --hosts 100000 uniform --output {file}"), "9999900000"),
        (&format!("optu kary(24,3) uniform --certificate {file}"), "191089152"),
        ("load xgft(1;70000;1) dmodk uniform", "4899930000"),
    ] {
        run(line).refuses(3, &format!("number of demands is {size}, above the limit"));
    }
}

#[test]
fn every_list_format_writes_its_examples() {
    for kind in routebound::report::LINK_LISTS {
        assert!(!kind.examples.is_empty(), "{}", kind.name);
        for traffic in kind.examples {
            let list = done(format!("load ft(4,2) dmodk {traffic} --links={}", kind.name));
            assert!(list.lines().count() >= 32, "{list}");
        }
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    for line in ["load ft(8,3) random shift(5) --json", "load ft(8,3) dmodk shift(5) --links=csv"] {
        assert_eq!(done(format!("{line} --threads 1")), done(format!("{line} --threads 4")));
    }
}

/// Optu of trees takes no walk over the demands.
#[test]
fn a_stopped_run_says_what_is_known() {
    let stopped = || run("load ft(8,3) dmodk shift(1) --time-limit 0 --json").expects(3).json();
    let known = eventually(stopped, |known| !known["optu"]["upper"].is_null());
    assert_eq!((&known["max_load"], &known["optu"]["upper"]), (&Value::Null, &json!("1")));
}

#[test]
fn refusals_have_one_sentence_and_their_code() {
    for (line, code, words) in [
        ("load ft(4,2) dmodk", 2, "TRAFFIC"),
        ("load ft(4,2) dmodk nonsense", 2, "unknown traffic `nonsense`"),
        ("load ft(4,2) dmodk shift", 2, "shift(k"),
        ("load ft(4,2) dmodk shift(1) --links=nonsense", 2, "known: table, csv, json"),
        ("load ft(4,2) dmodk shift(1) --links=csv --json", 2, "--output"),
        ("load ft(4,2) dmodk shift(1) --output x", 2, "--links"),
        ("load ft(4,2) dmodk shift(1) --links --pairs", 2, "cannot be used with"),
        (
            "load ft(4,2) coloured shift(1) --pairs",
            2,
            "needs a routing that does not depend on the traffic; use `--links`",
        ),
        ("load ft(4,2) dmodk shift(1) --links=csv --output /nowhere/at/all", 2, "/nowhere/at/all"),
    ] {
        let run = run(line).expects(code);
        let text = &run.stderr;
        assert!(text.starts_with("error: ") && text.contains(words), "{line}: {text}");
        if line.ends_with("--json") {
            assert_eq!(run.json()["exit_code"], code, "{line}");
        } else {
            assert_eq!(run.stdout, "", "{line}");
        }
    }
}
