//! The verb `topo` on general networks, through the command line.

use std::process::Command;

use serde_json::Value;

use super::{instance, temporary};

/// Exit code, stdout and stderr.
fn topo(path: &str, options: &[&str]) -> (i32, String, String) {
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    let output = Command::new(program).args(["topo", path]).args(options).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_network_of_routers_is_described_as_such() {
    let path = instance("topologyzoo/Abilene.graphml");
    let (code, out, remarks) = topo(&path, &[]);
    assert_eq!(code, 0);
    assert!(out.contains("11 hosts, 0 switches, 28 directed links"), "{out}");
    assert!(out.contains("at most 3 links out of a host"), "{out}");
    assert!(!out.contains("levels of switches"), "{out}");
    assert!(remarks.contains("no link has a capacity: each is taken as 1"), "{remarks}");
    let (_, quiet, remarks) = topo(&path, &["--quiet"]);
    assert_eq!((quiet.as_str(), remarks.as_str()), (out.as_str(), ""));
}

#[test]
fn notes_and_counts_in_json() {
    let (code, out, _) = topo(&instance("topologyzoo/Geant2012.graphml"), &["--json"]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 0);
    assert_eq!((value["hosts"].as_u64(), value["links"].as_u64()), (Some(40), Some(122)));
    assert!(value["notes"][0].as_str().unwrap().contains("only 39 of 61 links"));
}

#[test]
fn the_link_model_is_an_option() {
    let path = instance("examples/ring.csv");
    let count = |options: &[&str]| {
        let (code, out, _) = topo(&path, options);
        assert_eq!(code, 0, "{options:?}");
        out.lines().nth(1).unwrap().to_string()
    };
    assert_eq!(count(&[]), "4 hosts, 0 switches, 8 directed links");
    assert_eq!(count(&["--bidirected"]), count(&[]));
    assert_eq!(count(&["--undirected-shared"]), "4 hosts, 8 switches, 20 directed links");
    assert_eq!(count(&["--directed"]), "4 hosts, 0 switches, 4 directed links");
    assert_eq!(topo(&path, &["--bidirected", "--undirected-shared"]).0, 2);
    let (code, out, error) = topo("ft(4,2)", &["--undirected-shared"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("omit --undirected-shared"), "{error}");
}

#[test]
fn refusals_are_one_sentence_and_exit_codes_tell_them_apart() {
    let (_file, path) = temporary("a b 1\nb c -4\n");
    let (code, out, error) = topo(&path, &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains(", line 2, column 5: bad capacity: `-4`"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    let (_file, path) = temporary("a b\n".repeat((1 << 21) + 1));
    assert_eq!(topo(&path, &[]).0, 3);
}

#[test]
fn formats_are_listed() {
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    let output = Command::new(program).args(["list", "formats", "--json"]).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> =
        value["formats"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    for name in ["ibnetdiscover", "graphml", "sndlib", "repetita", "dot", "node-link", "edge-list"]
    {
        assert!(names.contains(&name), "{name}");
    }
}
