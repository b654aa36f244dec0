//! Hosts by their names in the network: found, refused when ambiguous, and printed.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::io::Write;
use std::path::Path;

use routebound::export::traffic::{FORMATS, Replay};
use routebound::import::traffic::{Hosts, open, read_from};
use routebound::import::{ImportOptions, topology, traffic::Request};
use routebound::registry;
use routebound::topology::{Host, NoHost, Topology, generate, quoted};
use routebound::traffic::TrafficMatrix;
use serde_json::Value;

use crate::program::{done, json, refused};

const FABRIC: &str = "instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out";

/// A star whose hosts have these names, as if it had been read.
fn star(names: &[&str]) -> Topology {
    let mut graph = generate(&format!("xgft(1;{};1)", names.len())).unwrap().graph().clone();
    for (node, name) in graph.node_weights_mut().zip(names) {
        node.name = (*name).to_string();
    }
    Topology::new("star".into(), graph).unwrap().recognised()
}

#[test]
fn a_number_is_a_number_and_a_name_a_name() {
    let network = star(&["7", "a b", "1", "say \"x\"", "a", "a[1]x"]);
    let names = network.host_names();
    assert_eq!(names.find("1"), Ok(1));
    assert_eq!(names.find("\"1\""), Ok(2));
    assert_eq!((names.find("a b"), names.find("\"a b\"")), (Ok(1), Ok(1)));
    assert_eq!(names.find("\"say \"\"x\"\"\""), Ok(3));
    // An exact name takes precedence over longer ones.
    assert_eq!(names.find("a"), Ok(4));
    let said = names.find("7").unwrap_err().to_string();
    assert!(said.contains("numbered 0 to 5") && said.contains("put it in quotes"), "{said}");
    for none in ["A", "b", "", "\"\"", "-1", "1.0", "\""] {
        assert!(matches!(names.find(none), Err(NoHost::Unknown { .. })), "{none}");
    }
    for host in 0..6 {
        assert_eq!(names.find(&network.host_label(host)), Ok(host));
    }
    assert!(matches!(names.find("99999999999999999999"), Err(NoHost::Number { .. })));
}

#[test]
fn several_hosts_are_listed() {
    let network = star(&["n1[1]", "n1[2]", "n2 (H-1)", "n2 (H-2)", "n3", "n3"]);
    let names = network.host_names();
    for (name, candidates) in
        [("n1", "`n1[1]`, `n1[2]`"), ("n2", "`n2 (H-1)`, `n2 (H-2)`"), ("n3", "host 4, host 5")]
    {
        let said = names.find(name).unwrap_err().to_string();
        assert!(said.contains(candidates), "{said}");
    }
    let many: Vec<String> = (0..9).map(|port| format!("n[{port}]")).collect();
    let network = star(&many.iter().map(String::as_str).collect::<Vec<_>>());
    let said = network.host_names().find("n").unwrap_err().to_string();
    assert!(said.contains("`n[5]` and 3 more"), "{said}");
}

/// Nothing that a terminal would obey gets there from a name or an argument, and long ones are cut.
#[test]
fn errors_show_names_as_text() {
    let network = star(&["x\u{1b}[31m[1]", "x\u{1b}[31m[2]"]);
    let names = network.host_names();
    for text in ["x\u{1b}[31m", "\u{1b}[2J", "\u{7}"] {
        let said = names.find(text).unwrap_err().to_string();
        assert!(!said.contains(|c: char| c.is_control()), "{said:?}");
    }
    let long = names.find(&"y".repeat(20_000)).unwrap_err().to_string();
    assert!(long.len() < 300, "{} bytes", long.len());
    assert!(!network.host_label(0).contains('\u{1b}'));
}

#[test]
fn paths_of_a_pair_by_name() {
    let by_name = json(["route", FABRIC, "dmodk", "--pair", "host-3", "host-30"]);
    let by_number = json(["route", FABRIC, "dmodk", "--pair", "3", "30"]);
    assert_eq!(by_name, by_number);
    let pair = &by_name["pairs"][0];
    assert_eq!((&pair["source"], &pair["destination"]), (&3.into(), &30.into()));
    assert_eq!(pair["source_name"], "host-3");
    assert_eq!(pair["destination_name"], "host-30");
    let said = done(["route", FABRIC, "dmodk", "--pair", "host-3", "30"]);
    assert!(said.starts_with("host-3 (host 3) to host-30 (host 30)\n"), "{said}");
    // The generator's names say no more than the host numbers.
    let said = done(["route", "ft(8,2)", "dmodk", "--pair", "host-3", "30"]);
    assert!(said.starts_with("host 3 to host 30\n"), "{said}");
    let said = refused(["route", FABRIC, "dmodk", "--pair", "host", "3"], "--pair host 3");
    assert!(said.contains("`host` may be `host-0`, `host-1`"), "{said}");
}

#[test]
fn witnesses_by_name() {
    for verb in ["ratio", "attack"] {
        let found = json([verb, FABRIC, "dmodk"]);
        let pairs = found["witness"]["pairs"].as_array().unwrap();
        let names = found["witness"]["names"].as_array().unwrap();
        assert!(!pairs.is_empty());
        assert_eq!(pairs.len(), names.len());
        for (pair, names) in pairs.iter().zip(names) {
            for end in 0..2 {
                assert_eq!(names[end], format!("host-{}", pair[end]), "{verb}");
            }
        }
        let said = done([verb, FABRIC, "dmodk"]);
        assert!(said.contains("->host-"), "{said}");
        let generated = json([verb, "ft(4,2)", "dmodk"]);
        assert!(generated["witness"].get("names").is_none());
    }
}

#[test]
fn traffic_files_say_who_the_hosts_are() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["pairs", "mtx"] {
        let file = folder.path().join(format!("bad.{format}"));
        let file = file.to_str().unwrap();
        done(["ratio", FABRIC, "dmodk", "--save-traffic", file]);
        let written = std::fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = written.lines().filter(|line| line.contains(" host-31")).collect();
        assert_eq!(lines.len(), 1, "{written}");
        assert!(lines[0].ends_with("host      31 host-31"), "{}", lines[0]);
        // The lines are comments: the file is read as before.
        let network = topology(&path(FABRIC), &ImportOptions::default()).unwrap();
        assert!(!open(file, Hosts::Of(&network)).unwrap().is_empty());
    }
}

fn path(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file).to_str().unwrap().to_string()
}

fn pairs(network: &Topology, lines: &str) -> Result<TrafficMatrix, String> {
    let count = lines.lines().count();
    let text = format!("# {count} pairs: source destination\n{lines}");
    let request = Request { hosts: Hosts::Of(network), index: None };
    read_from("list", &mut text.as_bytes(), &request).map_err(|error| error.to_string())
}

#[test]
fn pair_lists_by_name() {
    let network = star(&["n1", "n 2", "3", "say \"x\"", "n5[1]", "n5[2]"]);
    let lines = "n1 \"n 2\"\n  \"3\" 0 1/2\n\"say \"\"x\"\"\"  n5[2]\nn5[1],3\n";
    let matrix = pairs(&network, lines).unwrap();
    let found: Vec<(Host, Host)> = matrix.demands().iter().map(|d| (d.s, d.d)).collect();
    assert_eq!(found, [(0, 1), (2, 0), (3, 5), (4, 3)]);
    assert_eq!(matrix.amount(2, 0).to_string(), "1/2");
    for (lines, place, says) in [
        ("n1 0\nn1 n5\n", "line 3, column 4", "`n5[1]`, `n5[2]`"),
        ("n1 n2\n", "line 2, column 4", "no host `n2`"),
        ("n1 6\n", "line 2, column 4", "numbered 0 to 5"),
        ("\"n1 n1\n", "line 2", "source, destination"),
        ("\"n1\" \"n 2\" 1 1\n", "line 2, column 14", "source, destination"),
    ] {
        let said = pairs(&network, lines).unwrap_err();
        assert!(said.contains(place) && said.contains(says), "{said}");
    }
}

/// Names that are numbers of other hosts: what is written reads back the same.
#[test]
fn names_that_are_numbers_read_back() {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    write!(file, "1,2,1\n2,3,1\n3,4,1\n4,1,1\n").unwrap();
    let ring = topology(file.path().to_str().unwrap(), &ImportOptions::default()).unwrap();
    assert_eq!(ring.node(0).name, "1");
    let matrix = routebound::traffic::generate("shift(1)", 4).unwrap();
    for kind in FORMATS.iter().filter(|kind| ["csv", "pairs", "mtx"].contains(&kind.name)) {
        let mut written = Vec::new();
        let replay = Replay { topology: Some(&ring), ..Replay::of(&matrix) };
        let found = registry::find(FORMATS, "format", kind.name).unwrap();
        (found.build.write)(&replay, &mut written).unwrap();
        let request = Request { hosts: Hosts::Of(&ring), index: None };
        let read = read_from("written", &mut written.as_slice(), &request).unwrap();
        assert_eq!(read.demands(), matrix.demands(), "{}", kind.name);
    }
}

#[test]
fn labels_are_quoted_where_they_would_end_early() {
    for (name, label) in [
        ("node-1", "node-1"),
        ("node 1", "\"node 1\""),
        ("12", "\"12\""),
        ("a,b", "\"a,b\""),
        ("#1", "\"#1\""),
        ("", "\"\""),
        ("a\"b", "\"a\"\"b\""),
    ] {
        assert_eq!(quoted(name), label);
    }
}

/// Tables of paths and of traffic name the hosts as the fabric does, and are read back; numbers are
/// read too.
#[test]
fn tables_call_hosts_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let paths = folder.path().join("paths.csv");
    let shown = done(["route", FABRIC, "dmodk", "--paths"]);
    assert!(shown.lines().nth(1).unwrap().starts_with("host-0,host-1,1,"), "{shown}");
    let plain = shown.replace("host-", "");
    let pair = |routing: &str| -> Value {
        json(["route", FABRIC, routing, "--pair", "host-0", "host-31"])["pairs"][0]["paths"].clone()
    };
    let expected = pair("dmodk");
    assert!(expected.is_array());
    for table in [&shown, &plain] {
        std::fs::write(&paths, table).unwrap();
        assert_eq!(pair(&format!("table:{}", paths.display())), expected);
    }
    // Errors refer to hosts by name.
    let cut: Vec<&str> = shown.lines().filter(|line| !line.starts_with("host-3,host-4,")).collect();
    std::fs::write(&paths, cut.join("\n")).unwrap();
    let line = format!("route {FABRIC} table:{} --pair 0 1", paths.display());
    refused(line, "from host host-3 to host host-4 sum to 0");

    let traffic = done(["traffic", FABRIC, "shift(1)", "--format", "csv", "--output", "-"]);
    assert_eq!(traffic.lines().nth(1), Some("host-0,host-1,1"), "{traffic}");
    let file = folder.path().join("traffic.csv");
    let load = |table: &str| {
        std::fs::write(&file, table).unwrap();
        json(["load", FABRIC, "dmodk", file.to_str().unwrap()])["max_load"].clone()
    };
    assert_eq!(load(&traffic), load(&traffic.replace("host-", "")));
    // Generated trees have numbers.
    let tree = done(["route", "ft(4,2)", "dmodk", "--paths"]);
    assert!(tree.lines().nth(1).unwrap().starts_with("0,1,1,"), "{tree}");
}

#[test]
fn names_that_no_plain_list_can_hold_are_not_used() {
    assert_eq!(star(&["a", "b c"]).plain_host_names(), Some(vec!["a", "b c"]));
    for names in [["a", "a"], ["a", "1"], ["a", "x,y"], ["a", "#b"], ["a", ""], ["a", " b"]] {
        assert_eq!(star(&names).plain_host_names(), None, "{names:?}");
    }
    assert_eq!(generate("ft(4,2)").unwrap().plain_host_names(), None);
}
