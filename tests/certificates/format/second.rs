//! `tests/second_checker`, written from the text alone, agrees with the checker.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use routebound::assessment::{Assess, assess};
use routebound::certificate::{Certificate, NetworkForm, RoutingForm};
use routebound::routing::{self, Instance};
use routebound::spec::Spec;
use routebound::topology;

use super::committed::certificates;
use super::fate::{ACCEPTED, REFUSED, agreed, judge_texts, second};
use super::judge_accepted;

#[test]
fn it_accepts_what_is_committed() {
    // The rest would take it a minute.
    let is_quick =
        |file: &PathBuf| cfg!(feature = "slow-tests") || fs::metadata(file).unwrap().len() < 1_500;
    let files: Vec<PathBuf> = certificates().into_iter().filter(is_quick).collect();
    assert!(files.len() > 50, "{}", files.len());
    let Some(verdicts) = second(&files) else { return };
    for (file, verdict) in files.iter().zip(verdicts) {
        assert_eq!(verdict, "accepted", "{}", file.display());
    }
}

/// Every named network and routing, random ones included.
pub const INSTANCES: &[(&str, &[&str])] = &[
    (
        "ft(4,3)",
        &[
            "dmodk",
            "smodk",
            "mlid",
            "osrm3",
            "wsr",
            "omrmn",
            "ecmp",
            "random(seed=18446744073709551615)",
            "minhop",
            "minhop(seed=7)",
        ],
    ),
    (
        "FT( 6, 2 )",
        &[
            "osrm2",
            "GRID",
            "rnca-u(seed=3)",
            "kpath(k=2, choice=random)",
            "kpath(choice=disjoint,k=2)",
        ],
    ),
    (
        "eft2(6,4)",
        &["grid", "osrm2", "rnca-d", "random", "kpath(k=2,choice=shift)", "kpath(k=2,choice=grid)"],
    ),
    ("ftree(2,4,3)", &["yuan", "grid", "osrm2", "rnca-d(seed=9)"]),
    ("ftree(5,3,2)", &["grid", "osrm2", "wsr"]),
    ("planes(2,3,2,2)", &["dmodk", "kpath(k=3,choice=disjoint)", "ecmp"]),
    ("kary(3,2)", &["smodk", "grid", "wsr"]),
    ("nbclos(2,2)", &["yuan", "dmodk"]),
    ("NBCLOS(2, 3)", &["yuan", "osrm3"]),
    ("xgft(3;2,1,3;1,5,1)", &["yuan"]),
    ("kary(2,3)", &["osrm3", "rnca-u", "kpath(k=3,choice=disjoint)", "kpath(k=3,choice=grid)"]),
    ("xgft(2;15,2;1,14)", &["rnca-d(seed=2)"]),
    (
        "xgft(2;2,3;2,2)",
        &["dmodk", "minhop(seed=5)", "random(seed=4)", "kpath(k=3,choice=disjoint)", "omrmn"],
    ),
    ("xgft(3;3,2,2;1,2,1)", &["dmodk", "rnca-u(seed=8)", "wsr", "kpath(k=2,choice=shift)"]),
    (
        "xgft(3;2,2,3;1,3,2)",
        &[
            "smodk",
            "minhop",
            "minhop(seed=3)",
            "kpath(k=4,choice=disjoint)",
            "kpath(k=4,choice=random)",
        ],
    ),
    ("xgft(1;4;2)", &["dmodk", "omrmn"]),
    ("universal(8)", &["omrmn", "ecmp"]),
    ("universal(16,growth=sqrt2,leaf=10)", &["omrmn"]),
    ("universal(16,leaf=3,growth=cbrt4)", &["omrmn"]),
    ("universal(16,growth=quadruple3)", &["ecmp"]),
    ("universal(2,root=open)", &["ecmp"]),
    ("universal(8,root=open,leaf=3,growth=cbrt4)", &["omrmn", "ecmp", "minhop(seed=2)"]),
    ("bft(4)", &["dmodk"]),
    ("bft(16)", &["dmodk", "omrmn", "kpath(k=2,choice=disjoint)", "random(seed=2)"]),
    ("BFT( 8, dims=3 )", &["smodk"]),
];

/// Its definitions of names are compared with those of the program.
#[test]
fn every_name_is_among_the_instances() {
    let name = |spec: &str| Spec::parse(spec).unwrap().name;
    let trees: BTreeSet<String> = INSTANCES.iter().map(|(tree, _)| name(tree)).collect();
    let all = INSTANCES.iter().flat_map(|(_, routings)| routings.iter());
    let routings: BTreeSet<String> = all.map(|routing| name(routing)).collect();
    let defined = routing::KINDS.iter().filter(|kind| kind.build.defined);
    assert_eq!(routings, defined.map(|kind| kind.name.to_string()).collect());
    let defined = topology::KINDS.iter().filter(|kind| kind.build.is_defined());
    assert_eq!(trees, defined.map(|kind| kind.name.to_string()).collect());
}

/// Named and written out: by default in turn, in the full tier both.
#[test]
fn it_makes_the_same_networks_and_routings() {
    let (mut texts, mut turn) = (Vec::new(), 0);
    for (topology, routings) in INSTANCES {
        for routing in *routings {
            let instance = Instance::named(topology, routing).unwrap();
            turn = 1 - turn;
            for (form, assess) in [Assess::new(), Assess::new().embedded()].into_iter().enumerate()
            {
                if form != turn && !cfg!(feature = "slow-tests") {
                    continue;
                }
                let found = assess.run(&instance).unwrap();
                texts.push(found.certificate.unwrap().to_string());
            }
        }
    }
    judge_accepted(texts);
}

/// Certificates write a `universal` out; somebody may name one by hand.
#[test]
fn it_knows_what_only_others_name() {
    let mut texts = Vec::new();
    let universal = INSTANCES.iter().filter(|(topology, _)| topology.starts_with("universal"));
    for (topology, routings) in universal {
        for routing in *routings {
            let instance = Instance::named(topology, routing).unwrap();
            // Classes of hosts are for networks that are written out.
            let found = Assess::new().embedded().by_class(false).run(&instance).unwrap();
            let Ok(Certificate::WorstCase(mut written)) = found.certificate else {
                panic!("{routing} on {topology}")
            };
            assert!(matches!(written.network, NetworkForm::Embedded(_)));
            written.network = NetworkForm::Named((*topology).to_string());
            written.routing = RoutingForm::Named((*routing).to_string());
            texts.push(Certificate::WorstCase(written).to_string());
        }
    }
    assert!(texts.len() >= 8, "{}", texts.len());
    judge_accepted(texts);
}

/// Networks and routings that no certificate names are written out; a name in their place means nothing.
#[test]
#[cfg(feature = "highs")]
fn it_accepts_paths_that_pass_a_node_twice() {
    let mut texts = Vec::new();
    for (topology, routings) in [
        ("torus(4;3)", ["dor", "dor(ties=split)", "valiant", "romm", "ival"].as_slice()),
        ("mesh(3,2)", &["valiant", "romm"]),
        ("hypercube(3)", &["dor", "valiant", "ival"]),
    ] {
        for routing in routings {
            let instance = Instance::named(topology, routing).unwrap();
            let found = assess(&instance).unwrap();
            let Ok(Certificate::WorstCase(mut written)) = found.certificate else {
                panic!("{routing} on {topology}")
            };
            assert!(matches!(written.network, NetworkForm::Embedded(_)));
            texts.push((Certificate::WorstCase(written.clone()).to_string(), ACCEPTED));
            written.network = NetworkForm::Named(topology.to_string());
            texts.push((Certificate::WorstCase(written).to_string(), REFUSED));
        }
    }
    judge_texts(texts);
}

/// The certificate of D-mod-k with loosened upper bounds, and every bound by counting that can be
/// written.
fn counts(topology: &str) -> Vec<String> {
    let instance = Instance::named(topology, "dmodk").unwrap();
    let height = instance.topology().tree().unwrap().height();
    let found = assess(&instance).unwrap();
    let text = found.certificate.unwrap().to_string();
    let (mut roomy, mut quantities) = (String::new(), Vec::new());
    for line in text.lines().filter(|line| *line != "end") {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "claim" {
            quantities.push(words[1].to_string());
            writeln!(roomy, "claim {} {} 99", words[1], words[2]).unwrap();
        } else {
            writeln!(roomy, "{line}").unwrap();
        }
    }
    let mut refutations = vec!["trivial".to_string()];
    refutations.extend((0..=height).map(|at| format!("count {at}")));
    let pairs = (1..=height).flat_map(|low| (1..=height).map(move |high| (low, high)));
    refutations.extend(pairs.map(|(low, high)| format!("nested {low} {high}")));
    let mut all = Vec::new();
    for quantity in &quantities {
        for refutation in &refutations {
            let record =
                |lower| format!("{roomy}single-path {quantity} {lower} {refutation}\nend\n");
            all.extend((0..=4).map(record));
        }
    }
    all
}

/// On trees of two levels, of three, and of hosts with several links; the full tier has more of each.
#[test]
fn it_counts_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let trees =
        ["ft(4,3)", "xgft(2;3,6;2,3)", "ft(6,2)", "xgft(3;2,2,4;2,1,3)", "xgft(3;2,3,2;1,2,3)"];
    let trees = if cfg!(feature = "slow-tests") { &trees[..] } else { &trees[..2] };
    let texts: Vec<String> = trees.iter().flat_map(|tree| counts(tree)).collect();
    let accepted = agreed(&texts, folder.path());
    let (least, all) = (4 * trees.len(), texts.len());
    assert!(accepted > least && all > 15 * least, "{accepted} of {all}");
}
