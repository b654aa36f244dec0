//! `ratio --engine`: the product form prints what enumeration prints, writes certificates that
//! `check` verifies, and refuses what it cannot do.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(folder: &Path, line: &str) -> Output {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    program.current_dir(folder).args(line.split(' ')).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap()
}

fn json(line: &str) -> Value {
    let output = run(Path::new("."), &format!("{line} --json"));
    assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn keys(value: &Value) -> BTreeSet<&String> {
    value.as_object().unwrap().keys().collect()
}

#[test]
fn both_engines_print_the_same() {
    for instance in ["ft(8,3) dmodk", "ft(6,3) osrm3", "xgft(3;3,4,5;2,2,3) smodk", "ft(14,2) grid"]
    {
        let [product, enumerated] = ["product", "enumerate"]
            .map(|engine| json(&format!("ratio {instance} --engine {engine}")));
        assert_eq!(keys(&product), keys(&enumerated), "{instance}");
        assert_eq!(keys(&product["witness"]), keys(&enumerated["witness"]), "{instance}");
        let same = [
            "topology",
            "routing",
            "hosts",
            "oblivious_ratio",
            "permutation_load",
            "worst_permutation_load",
            "worst_loads",
            "complete",
        ];
        for key in same {
            assert_eq!(product[key], enumerated[key], "{instance}: {key}");
        }
        for bound in ["lower", "upper"] {
            let ratio = |found: &Value| found["permutation_ratio"][bound].clone();
            assert_eq!(ratio(&product), ratio(&enumerated), "{instance}");
        }
        assert!(product["method"].as_str().unwrap().starts_with("product form"), "{instance}");
        assert!(!enumerated["method"].as_str().unwrap().starts_with("product form"), "{instance}");
    }
}

#[test]
fn many_hosts_have_their_product_form_taken() {
    let method = |line: &str| json(line)["method"].as_str().unwrap().to_string();
    assert!(method("ratio ft(48,3) osrm3").starts_with("product form"));
    assert!(!method("ratio ft(8,3) osrm3").starts_with("product form"));
    let found = json("ratio ft(64,6) smodk");
    assert_eq!(found["oblivious_ratio"]["evidence"], "proven");
    assert_eq!(found["hosts"], 1_u64 << 31);
    assert_eq!(found["witness"]["pairs"].as_array().unwrap().len(), 32768);
    // More pairs than are listed: the report says so, in either form.
    let line = "ratio xgft(2;131072,131072;1,131072) dmodk";
    let found = json(line);
    assert_eq!(found["witness"]["pairs"].as_array().unwrap().len(), 0);
    assert!(found["notes"][0].as_str().unwrap().contains("number of pairs to list"));
    let printed = text(&run(Path::new("."), line));
    assert!(
        printed.contains("worst traffic, 131071 pairs, optu at most 1: not listed"),
        "{printed}"
    );
}

#[test]
fn certificates_of_large_trees_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| run(folder.path(), line);
    for (instance, value) in [("ft(64,6) dmodk", "32768"), ("ftree(1024,1024,4096) grid", "32")] {
        let written = run(&format!("ratio {instance} --certificate a.cert"));
        assert_eq!(written.status.code(), Some(0), "{}", text(&written));
        let checked = run("check a.cert");
        let says = format!("s VERIFIED oblivious-ratio = {value}, permutation-load = {value} (");
        assert!(text(&checked).starts_with(&says), "{}", text(&checked));
        let certificate = std::fs::read_to_string(folder.path().join("a.cert")).unwrap();
        let false_claim = certificate.replace(&format!("ratio {value} {value}"), "ratio 1 1");
        std::fs::write(folder.path().join("b.cert"), false_claim).unwrap();
        assert_eq!(run("check b.cert").status.code(), Some(1));
    }
    let printed = run("ratio ft(64,6) dmodk --certificate -");
    assert!(text(&printed).starts_with("routebound-certificate 1\ntopology ft(64,6)\n"));
}

#[test]
fn what_has_no_product_form_is_refused() {
    let fails = |line: &str, code: i32, says: &str| {
        let output = run(Path::new("."), line);
        assert_eq!(output.status.code(), Some(code), "{line}: {}", text(&output));
        assert!(text(&output).contains(says), "{line}: {}", text(&output));
    };
    fails(
        "ratio ft(8,3) wsr --engine product",
        2,
        "the path of a pair depends on those of the pairs",
    );
    fails("ratio ft(8,3) kpath(k=2) --engine product", 2, "by digits for every k and choice");
    fails("ratio ft(8,3) osrm2 --engine product", 2, "needs a tree of height 2");
    fails("ratio universal(8) omrmn --engine product", 2, "not a generated tree");
    fails("ratio ./ft.txt dmodk --engine product", 2, "not a generated tree");
    fails("ratio kary(15,16) dmodk --engine product", 3, "number of links");
    fails("ratio ft(8,3) dmodk --engine product --embed", 2, "--engine enumerate");
    fails("ratio ft(8,3) dmodk --engine product --fail 1", 2, "--engine enumerate");
    fails("ratio ft(8,3) dmodk --engine product --traffic x.mtx", 2, "--engine enumerate");
    fails("ratio ft(64,6) random(seed=1)", 3, "number of links");
    fails("ratio ft(64,6) dmodk --engine enumerate", 3, "number of links");
    fails("ratio ft(64,6) dmodk --time-limit 0", 3, "stopped");
    fails("ratio ft(8,3) dmodk --engine fast", 2, "possible values: auto, enumerate, product");
}
