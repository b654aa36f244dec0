//! The verb `topo` on general networks, through the command line.

use super::{instance, temporary};
use crate::program::{Run, json, run};

fn topo(path: &str, options: &[&str]) -> Run {
    run([&["topo", path], options].concat())
}

#[test]
fn a_network_of_routers_is_described_as_such() {
    let path = instance("topologyzoo/Abilene.graphml");
    let Run { stdout: out, stderr: remarks, .. } = topo(&path, &[]).expects(0);
    assert!(out.contains("11 hosts, 0 switches, 28 directed links"), "{out}");
    assert!(out.contains("at most 3 links out of a host"), "{out}");
    assert!(!out.contains("levels of switches"), "{out}");
    assert!(remarks.contains("no link has a capacity: each is taken as 1"), "{remarks}");
    let quiet = topo(&path, &["--quiet"]);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (out, ""));
}

#[test]
fn notes_and_counts_in_json() {
    let value = json(["topo", &instance("topologyzoo/Geant2012.graphml")]);
    assert_eq!((value["hosts"].as_u64(), value["links"].as_u64()), (Some(40), Some(122)));
    assert!(value["notes"][0].as_str().unwrap().contains("only 39 of 61 links"));
}

#[test]
fn the_link_model_is_an_option() {
    let path = instance("examples/ring.csv");
    let count = |options: &[&str]| {
        topo(&path, options).expects(0).stdout.lines().nth(1).unwrap().to_string()
    };
    assert_eq!(count(&[]), "4 hosts, 0 switches, 8 directed links");
    assert_eq!(count(&["--bidirected"]), count(&[]));
    assert_eq!(count(&["--undirected-shared"]), "4 hosts, 8 switches, 20 directed links");
    assert_eq!(count(&["--directed"]), "4 hosts, 0 switches, 4 directed links");
    topo(&path, &["--bidirected", "--undirected-shared"]).expects(2);
    let refused =
        topo("ft(4,2)", &["--undirected-shared"]).refuses(2, "omit `--undirected-shared`");
    assert_eq!(refused.stdout, "");
}

#[test]
fn refusals_are_one_sentence_and_exit_codes_tell_them_apart() {
    let (_file, path) = temporary("a b 1\nb c -4\n");
    let refused = topo(&path, &[]).refuses(2, ", line 2, column 5: bad capacity: `-4`");
    assert_eq!(refused.stdout, "");
    let (_file, path) = temporary(format!("# Topology file:\n#{}\n", "x".repeat(1 << 16)));
    topo(&path, &[]).expects(3);
    // `damaged` reads as many links; the full tier has what the program says of them.
    if cfg!(feature = "slow-tests") {
        let (_file, path) = temporary("a b\n".repeat((1 << 21) + 1));
        topo(&path, &[]).expects(3);
    }
}

#[test]
fn formats_are_listed() {
    let value = json("list formats");
    let names: Vec<&str> =
        value["formats"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    for name in ["ibnetdiscover", "graphml", "sndlib", "repetita", "dot", "node-link", "edge-list"]
    {
        assert!(names.contains(&name), "{name}");
    }
}
