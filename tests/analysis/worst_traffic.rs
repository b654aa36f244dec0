//! Worst-case traffic as files: read back, it loads the link as stated, in every format; damaged
//! files are refused.

#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use routebound::assessment::assess;
use routebound::certificate::Quantity;
use routebound::export::traffic::{FORMATS, WriteError};
use routebound::import::traffic::{Hosts, open};
use routebound::import::{ImportOptions, topology};
use routebound::load::LinkLoads;
use routebound::progress::Progress;
use routebound::rational::Rational;
use routebound::report::WorstTraffic;
use routebound::routing::{Instance, build};
use routebound::worst_case::{self, bad_permutations, diverse_permutations, worst_links};
use serde_json::Value;

use crate::program::run_in;

/// Formats that hold no amounts, or in a unit of their own: loads are in proportion.
const PATTERNS: [&str; 4] = ["booksim", "caminos", "orcs", "connections"];

fn instance(network: &str, routing: &str) -> Instance {
    let topology = topology(network, &ImportOptions::default()).unwrap();
    let routing = build(routing, &topology).unwrap();
    Instance::trusted(topology, routing)
}

/// The spec that reads a file of some format.
fn spec(format: &str, path: &Path) -> String {
    let option = if format == "booksim" { "file(format=booksim):" } else { "" };
    format!("{option}{}", path.display())
}

/// Full trees, slimmed trees, hosts with two links, several paths per pair, unequal capacities,
/// rings.
const CASES: [(&str, &str); 9] = [
    ("ft(4,2)", "dmodk"),
    ("ft(8,2)", "random(seed=3)"),
    ("ft(8,3)", "osrm3"),
    ("xgft(2;8,8;1,4)", "dmodk"),
    ("xgft(2;3,4;2,2)", "smodk"),
    ("xgft(3;2,3,2;2,2,1)", "random(seed=1)"),
    ("ft(8,2)", "kpath(k=3)"),
    ("instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out", "ecmp"),
    ("instances/networks/examples/ring.csv", "ecmp"),
];

#[test]
fn a_witness_read_back_has_the_stated_load_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let mut refusals = BTreeSet::new();
    for (network, routing) in CASES {
        let instance = instance(network, routing);
        let assessment = assess(&instance).unwrap();
        let witness = &assessment.witness;
        let traffic = WorstTraffic::new(&instance, witness, None).unwrap();
        let stated = traffic.written(String::new(), None, "");
        // The stated load is the proven ratio.
        let ratio = stated.load.checked_div(&stated.optu).unwrap();
        assert_eq!(ratio, assessment.oblivious_ratio.lower, "{routing} on {network}");
        for kind in FORMATS {
            let path = folder.path().join(format!("worst.{}", kind.name));
            let mut bytes = Vec::new();
            match (kind.build.write)(&traffic.replay(), &mut bytes) {
                Ok(()) => fs::write(&path, bytes).unwrap(),
                Err(WriteError::DoesNotFit { .. } | WriteError::NotDecimal { .. }) => {
                    refusals.insert((network, kind.name));
                    continue;
                }
                Err(other) => unreachable!("{other}"),
            }
            let back = open(&spec(kind.name, &path), Hosts::Of(instance.topology())).unwrap();
            let back = if PATTERNS.contains(&kind.name) {
                let mut units = witness.demands.iter().filter_map(|demand| {
                    demand.amount.checked_div(&back.amount(demand.s, demand.d))
                });
                let unit = units.next().unwrap();
                back.scaled(&unit)
            } else {
                back
            };
            let silent = Progress::silent();
            let (topology, routing) = (instance.topology(), instance.routing());
            let loads = LinkLoads::of(topology, routing, back.demands(), &silent).unwrap();
            let place = format!("{} on {network}, {}", routing.spec(), kind.name);
            assert_eq!(loads.load(witness.link), stated.load, "{place}");
            // ORCS also sends the ways back, and between idle hosts.
            assert!(kind.name == "orcs" || loads.max_load() == stated.max_load, "{place}");
        }
    }
    // Links of different capacity: the demands differ.
    let ring = "instances/networks/examples/ring.csv";
    assert_eq!(refusals, BTreeSet::from([(ring, "caminos"), (ring, "orcs")]));
}

#[test]
fn the_worst_links_have_permutations_that_load_them_so() {
    for (network, routing) in CASES {
        let instance = instance(network, routing);
        let silent = Progress::silent();
        let links = worst_links(&instance, &silent).unwrap();
        let worst = worst_case::Analyse::of(Quantity::PermutationLoad).run(&instance).unwrap();
        assert_eq!(links[0].1, *worst.lower(), "{network}");
        assert!(links.is_sorted_by(|a, b| a.1 >= b.1));
        let (topology, routing) = (instance.topology(), instance.routing());
        for (bad, (link, load)) in
            bad_permutations(&instance, &links, &silent).unwrap().iter().zip(&links)
        {
            let demands = &bad.witness.demands;
            let loads = LinkLoads::of(topology, routing, demands, &silent).unwrap();
            assert_eq!((bad.witness.link, &loads.load(*link)), (*link, load), "{network}");
            assert!(demands.iter().all(|demand| demand.amount == Rational::ONE));
            let sources: BTreeSet<u32> = demands.iter().map(|demand| demand.s).collect();
            let destinations: BTreeSet<u32> = demands.iter().map(|demand| demand.d).collect();
            assert_eq!([sources.len(), destinations.len()], [demands.len(); 2], "{network}");
        }
    }
}

#[test]
fn diverse_permutations_load_different_links() {
    for (network, routing) in CASES {
        let instance = instance(network, routing);
        let silent = Progress::silent();
        let worst = worst_links(&instance, &silent).unwrap();
        let found = diverse_permutations(&instance, 6, &silent).unwrap();
        assert_eq!((found[0].witness.link, &found[0].load), (worst[0].0, &worst[0].1));
        let (topology, routing) = (instance.topology(), instance.routing());
        for (number, bad) in found.iter().enumerate() {
            // None of the earlier ones loads this link as much.
            for earlier in &found[..number] {
                let demands = &earlier.witness.demands;
                let loads = LinkLoads::of(topology, routing, demands, &silent).unwrap();
                assert!(loads.load(bad.witness.link) < bad.load, "{network}");
            }
        }
        // If fewer than requested were found, they load every link to its worst.
        if found.len() < 6 {
            let all = worst.iter().all(|(link, load)| {
                found.iter().any(|bad| {
                    let demands = &bad.witness.demands;
                    let loads = LinkLoads::of(topology, routing, demands, &silent).unwrap();
                    loads.load(*link) >= *load
                })
            });
            assert!(all, "{network}");
        }
    }
}

fn json(folder: &Path, line: &str) -> Value {
    run_in(folder, format!("{line} --json --quiet")).expects(0).json()
}

#[test]
fn load_confirms_what_ratio_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for kind in FORMATS {
        let file = format!("worst.{}", kind.name);
        let written = json(folder, &format!("ratio ft(8,2) random --seed 5 --save-traffic {file}"));
        let record = &written["traffic"][0];
        assert_eq!(record["file"], file.as_str());
        let header = record["about"].as_str().unwrap_or(&file);
        let header = fs::read_to_string(folder.join(header)).unwrap();
        for words in [
            "topology  ft(8,2)".to_string(),
            "routing   random(seed=5)".into(),
            format!("(link {})", record["link_id"]),
            format!("load      {}", record["load"].as_str().unwrap()),
            "optu      at most 1".into(),
            "found by  exact analysis".into(),
            "seed      none".into(),
        ] {
            assert!(header.contains(&words), "{}: {words}: {header}", kind.name);
        }
        let file = spec(kind.name, Path::new(&file));
        let load = json(folder, &format!("load ft(8,2) random(seed=5) {file}"));
        let stated = number(&record["max_load"]) * bytes_of_unit(kind.name);
        assert_eq!(written["oblivious_ratio"]["lower"], record["max_load"], "{}", kind.name);
        assert_eq!(number(&load["max_load"]), stated, "{}", kind.name);
    }
}

fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

/// Connections are messages of bytes, of 2 MB for a demand of 1; other formats have the demands themselves.
fn bytes_of_unit(format: &str) -> u64 {
    if format == "connections" { 2_000_000 } else { 1 }
}

/// What an adversary found is written with its spec and seed, and read back.
#[test]
fn load_confirms_what_attack_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for kind in FORMATS {
        let file = format!("found.{}", kind.name);
        let attack = "attack ft(8,2) dmodk --adversary climb --no-exact --seed 4 --trials 2000";
        let written = json(folder, &format!("{attack} --save-traffic {file}"));
        let record = &written["traffic"][0];
        let header = record["about"].as_str().unwrap_or(&file);
        let header = fs::read_to_string(folder.join(header)).unwrap();
        assert!(header.contains("found by  climb("), "{header}");
        assert!(header.contains("seed      4"), "{header}");
        let file = spec(kind.name, Path::new(&file));
        let load = json(folder, &format!("load ft(8,2) dmodk {file}"));
        let found = number(&written["oblivious_ratio"]["lower"]);
        assert_eq!(number(&record["load"]), found);
        // ORCS also sends the ways back, and between idle hosts.
        let loaded = number(&load["max_load"]) / bytes_of_unit(kind.name);
        assert!(loaded == found || kind.name == "orcs" && loaded > found, "{}", kind.name);
    }
    run_in(folder, "attack ft(4,2) dmodk --save-traffic x.zip").expects(2);
}

#[test]
fn several_files_are_numbered() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let many = "ratio ft(4,2) dmodk --save-traffic a.b.csv";
    let written = json(folder, &format!("{many} --worst-links 3"));
    let files: Vec<&str> = written["traffic"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["a.b-1.csv", "a.b-2.csv", "a.b-3.csv"]);
    assert!(folder.join("a.b-3.csv").exists() && folder.join("a.b-3.csv.about").exists());
    let written = json(folder, &format!("{many} --worst-links all"));
    // 4 leaf switches, 2 roots, both directions.
    assert_eq!(written["traffic"].as_array().unwrap().len(), 16);
    let written = json(folder, &format!("{many} --count 2"));
    let links: BTreeSet<u64> = written["traffic"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["link_id"].as_u64().unwrap())
        .collect();
    assert_eq!(links.len(), 2);
    let run = run_in(folder, "ratio ft(4,2) dmodk --save-traffic - --format pairs");
    assert!(run.stdout.starts_with("# 8 pairs: source destination\n"), "{run:?}");
}

#[test]
fn what_cannot_be_written_is_refused_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (line, code, words) in [
        ("--save-traffic worst", 2, "add --format, one of mtx, csv"),
        ("--save-traffic worst.xyz", 2, "unknown traffic format `xyz`"),
        ("--save-traffic - --format csv --json", 2, "cannot both go to stdout"),
        ("--save-traffic - --format csv --certificate -", 2, "two outputs would go to `-`"),
        ("--save-traffic - --format csv --count 2", 2, "cannot all go to stdout"),
        ("--save-traffic no/such/folder/a.csv", 2, "no/such/folder/a.csv"),
    ] {
        run_in(folder.path(), format!("ratio ft(4,2) dmodk {line}")).refuses(code, words);
    }
    // The analysis was done, so it is still printed.
    let ring = concat!(env!("CARGO_MANIFEST_DIR"), "/instances/networks/examples/ring.csv");
    let run = run_in(folder.path(), ["ratio", ring, "ecmp", "--save-traffic", "a.caminos"]);
    let run = run.expects(2);
    let text = &run.stderr;
    assert!(text.contains("a.caminos") && text.contains("use format pairs"), "{text}");
    assert!(!folder.path().join("a.caminos").exists());
    assert!(run.stdout.contains("oblivious ratio"));
    for line in ["--worst-links 0", "--count 0", "--worst-links 5000", "--worst-links 2 --count 2"]
    {
        let line = format!("ratio ft(4,2) dmodk --save-traffic a.csv {line}");
        run_in(folder.path(), line).expects(2);
    }
    run_in(folder.path(), "ratio ft(4,2) dmodk --count 2").expects(2);
}

/// Every format with a letter in place of its last digit, or cut in the middle of a line, is
/// refused with file and line.
#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for kind in FORMATS {
        let file = format!("worst.{}", kind.name);
        json(folder, &format!("ratio ft(4,2) dmodk --save-traffic {file}"));
        let text = fs::read_to_string(folder.join(&file)).unwrap();
        let last = text.rfind(|c: char| c.is_ascii_digit()).unwrap();
        let letter = format!("{}x{}", &text[..last], &text[last + 1..]);
        // In SNDlib's XML the last digits stand in a tag, and half a file ends within one.
        let letter = if kind.name == "sndlib" {
            text.replace("<demandValue>1", "<demandValue>x")
        } else {
            letter
        };
        let cut = text[..text.len() * 3 / 4].trim_end_matches(|c: char| !c.is_ascii_digit());
        let cut = &cut[..cut.len() - 1];
        for damaged in [letter.as_str(), cut] {
            fs::write(folder.join(&file), damaged).unwrap();
            let spec = spec(kind.name, Path::new(&file));
            let run = run_in(folder, ["load", "ft(4,2)", "dmodk", &spec]).expects(2);
            assert!(run.stderr.contains(&file), "{damaged}: {run:?}");
            assert_eq!(run.stdout, "", "{file}");
        }
    }
}
