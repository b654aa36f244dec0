//! What is written, where, and how failures are reported: one JSON object even for errors, inputs
//! that are not overwritten, full disks, names that other commands accept.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const RING: &str = "instances/networks/examples/ring.csv";

fn command(arguments: &[&str]) -> Command {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    program.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    program
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn errors_under_json_are_one_json_object() {
    for (arguments, code, says) in [
        (&["ratio", "ft(8,x)", "dmodk", "--json"][..], 2, "cannot read `ft(8,x)`"),
        (&["ratio", "ft(8,3)", "--json"], 2, "<ROUTING>"),
        (&["ratio", "ft(8,3)", "dmodc", "--json"], 2, "did you mean `dmodk`"),
        (&["topo", "ft(4,17)", "--json"], 3, "above the limit of 16"),
        (&["ratio", "ft(4,2)", "dmodk", "--json", "--certificate", "/none/x"], 2, "/none/x"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["exit_code"], code, "{object}");
        assert!(object["error"].as_str().unwrap().contains(says), "{object}");
    }
}

#[test]
fn heights_are_a_limit() {
    let twos = ["2"; 17].join(",");
    for spec in ["ft(4,17)", "kary(2,99)", &format!("xgft(17;{twos};{twos})")] {
        let output = run(&["topo", spec]);
        assert_eq!(output.status.code(), Some(3), "{spec}: {output:?}");
        assert!(stderr(&output).contains("above the limit of 16: choose a lower tree"), "{spec}");
    }
    assert_eq!(run(&["topo", "xgft(1,2;2;2)"]).status.code(), Some(2));
}

#[test]
fn a_full_disk_is_an_error_of_help_too() {
    for arguments in [&["--help"][..], &["--version"], &["ratio", "--help"], &["list"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("cannot write to stdout"), "{arguments:?}");
    }
}

#[test]
fn an_input_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let (network, table) = (folder.path().join("ring.csv"), folder.path().join("best.csv"));
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(RING), &network).unwrap();
    let before = fs::read(&network).unwrap();
    assert_eq!(
        run(&["route", text(&network), "ecmp", "--paths", "--output", text(&table)]).status.code(),
        Some(0)
    );
    let routing = format!("table:{}", text(&table));
    let link = folder.path().join("link.csv");
    std::os::unix::fs::symlink(&network, &link).unwrap();
    for arguments in [
        &["topo", text(&network), "--format", "dot", "--output", text(&network)][..],
        &["topo", text(&network), "--format", "dot", "--output", text(&link)],
        &["ratio", text(&network), &routing, "--certificate", text(&table)],
        &["ratio", text(&network), &routing, "--save-traffic", text(&network)],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(stderr(&output).contains("would overwrite the input"), "{output:?}");
    }
    assert_eq!(fs::read(&network).unwrap(), before);
}

#[test]
fn a_certificate_on_stdout_makes_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    // On a slimmed tree the worst permutation load has its own certificate.
    let mut program = command(&["ratio", "xgft(2;4,4;1,2)", "dmodk", "--certificate", "-"]);
    let output = program.current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.starts_with(b"routebound-certificate 1\n"));
    assert!(stderr(&output).contains("FILE.permutation"), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_forgotten_lft_is_suggested() {
    let dump = "instances/fabrics/ft8x3/updn/opensm-lfts.dump.gz";
    let output = run(&["ratio", "instances/fabrics/ft8x3/updn/ibnetdiscover.out.gz", dump]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&format!("did you mean `lft:{dump}`")), "{output:?}");
}

#[test]
fn synth_names_the_file_that_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("best.csv");
    let found =
        |arguments: &[&str]| -> Value { serde_json::from_slice(&run(arguments).stdout).unwrap() };
    let search = ["synth", "ft(4,4)", "--method", "local", "--seed", "7", "--json"];
    let search = [&search[..], &["--output", text(&file)]].concat();
    let value = found(&search);
    let routing = value["routing"].as_str().unwrap();
    assert_eq!(routing, format!("table:{}", text(&file)));
    assert_eq!(found(&["ratio", "ft(4,4)", routing, "--json"])["oblivious_ratio"]["upper"], "3");
    let unwritten = found(&search[..7]);
    assert!(unwritten["routing"].as_str().unwrap().contains("--output FILE"), "{unwritten}");
}

/// A network whose names hold characters that a terminal would obey.
const HOSTILE: &str =
    "from,to,capacity\na\u{7f},b\u{200e},1\nb\u{200e},c\u{9b}2J,1\nc\u{9b}2J,a\u{7f},1\n";

#[test]
fn json_of_any_names_is_json_of_these_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.csv");
    fs::write(&file, HOSTILE).unwrap();
    for verb in [
        &["ratio", text(&file), "ecmp"][..],
        &["topo", text(&file)],
        &["load", text(&file), "ecmp", "shift(1)"],
        &["attack", text(&file), "ecmp", "--adversary", "random"],
        &["route", text(&file), "ecmp", "--pair", "0", "1"],
    ] {
        let arguments = [verb, &["--json", "--quiet"]].concat();
        let output = run(&arguments);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(!printed.contains(['\u{7f}', '\u{200e}', '\u{9b}']), "{verb:?}");
        let _: Value = serde_json::from_str(&printed).unwrap();
    }
    let printed = run(&["ratio", text(&file), "ecmp", "--json", "--quiet"]).stdout;
    let object: Value = serde_json::from_slice(&printed).unwrap();
    assert!(object.to_string().contains("b\u{200e}"), "{object}");
}

#[test]
fn no_output_takes_the_place_of_an_input_or_of_another_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let tables = path("tables");
    fs::create_dir(&tables).unwrap();
    fs::copy("instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out", path("net")).unwrap();
    fs::copy("instances/fabrics/ft8x2/minhop_lmc2/opensm-lfts.dump.gz", tables.join("a")).unwrap();
    fs::copy(RING, path("bad-1.csv")).unwrap();
    let lft = format!("lft:{}", tables.display());
    let (net, ring, table) = (path("net"), path("bad-1.csv"), tables.join("a"));
    let (traffic, one) = (path("bad.csv"), path("one.csv"));
    for (arguments, says) in [
        (
            &["--force", "ratio", text(&net), &lft, "--lmc", "2", "--certificate", text(&table)][..],
            "would overwrite an input of this run",
        ),
        (
            &[
                "--force",
                "ratio",
                text(&ring),
                "ecmp",
                "--save-traffic",
                text(&traffic),
                "--worst-links",
                "2",
            ],
            "would overwrite an input of this run",
        ),
        (
            &[
                "ratio",
                "ft(4,2)",
                "dmodk",
                "--certificate",
                text(&one),
                "--save-traffic",
                text(&one),
            ],
            "two outputs",
        ),
        (&["synth", "ft(4,2)", "--certificate", text(&path("q.cnf"))], "choose another ending"),
    ] {
        let before = (fs::read(&ring).unwrap(), fs::read(&table).unwrap());
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert_eq!((fs::read(&ring).unwrap(), fs::read(&table).unwrap()), before);
    }
    // A device takes whatever comes.
    let null = ["ratio", "ft(4,2)", "dmodk", "--certificate", "/dev/null", "--json"];
    assert_eq!(run(&null).status.code(), Some(0));
}

/// A reader of only part of stdout still learns the outcome from the exit code.
#[test]
fn a_closed_pipe_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let good = "results/or/table-1/certificates/ft-4-2-dmodk.cert";
    let bad = folder.path().join("bad.cert");
    fs::write(&bad, fs::read_to_string(good).unwrap().replace("ratio 2 2", "ratio 1 1")).unwrap();
    for (files, code) in [(&[text(&bad), good][..], 1), (&[good, good], 0), (&[good, "none"], 2)] {
        let mut child =
            command(&[&["check"], files].concat()).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{files:?}");
    }
}

#[test]
fn every_file_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    let good = "results/or/table-1/certificates/ft-4-2-dmodk.cert";
    let bad = folder.path().join("bad.cert");
    fs::write(&bad, "routebound-certificate 1\nend\n").unwrap();
    let output = run(&["check", "none.cert", text(&bad), good, "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let entries = object["certificates"].as_array().unwrap();
    assert!(entries[0]["error"].as_str().unwrap().contains("none.cert"), "{object}");
    assert!(entries[1]["reason"].is_string() && entries[2]["verified"] == true, "{object}");
    assert_eq!((&object["verified"], &object["complete"]), (&false.into(), &false.into()));
    assert_eq!(stderr(&output), "error: none.cert: no such file\n");
    let output = run(&["check", good, "none.cert", "--json"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["certificates"][0]["verified"], true, "{object}");
    assert_eq!(stderr(&output), "error: none.cert: no such file\n");
}
