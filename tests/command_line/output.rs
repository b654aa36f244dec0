//! What is written, where, and how failures are reported: one JSON object even for errors, inputs
//! that are not overwritten, full disks, names that other commands accept.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use crate::program::{Run, done, json, program, refused, run, run_in};

const RING: &str = "instances/networks/examples/ring.csv";

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
        let object = run(arguments).expects(code).json();
        assert_eq!(object["exit_code"], code, "{object}");
        assert!(object["error"].as_str().unwrap().contains(says), "{object}");
    }
}

#[test]
fn heights_are_a_limit() {
    let twos = ["2"; 17].join(",");
    for spec in ["ft(4,17)", "kary(2,99)", &format!("xgft(17;{twos};{twos})")] {
        run(["topo", spec]).refuses(3, "above the limit of 16: choose a lower tree");
    }
    refused("topo xgft(1,2;2;2)", "");
}

#[test]
fn a_full_disk_is_an_error_of_help_too() {
    for arguments in ["--help", "--version", "ratio --help", "list"] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        Run::of(program(arguments).stdout(full)).refuses(2, "cannot write to stdout");
    }
}

#[test]
fn an_input_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let (network, table) = (folder.path().join("ring.csv"), folder.path().join("best.csv"));
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(RING), &network).unwrap();
    let before = fs::read(&network).unwrap();
    done(["route", text(&network), "ecmp", "--paths", "--output", text(&table)]);
    let routing = format!("table:{}", text(&table));
    let link = folder.path().join("link.csv");
    std::os::unix::fs::symlink(&network, &link).unwrap();
    for arguments in [
        &["topo", text(&network), "--format", "dot", "--output", text(&network)][..],
        &["topo", text(&network), "--format", "dot", "--output", text(&link)],
        &["ratio", text(&network), &routing, "--certificate", text(&table)],
        &["ratio", text(&network), &routing, "--save-traffic", text(&network)],
    ] {
        refused(arguments, "would overwrite the input");
    }
    assert_eq!(fs::read(&network).unwrap(), before);
}

#[test]
fn a_certificate_on_stdout_makes_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    // On a slimmed tree the worst permutation load has its own certificate.
    let run = run_in(folder.path(), "ratio xgft(2;4,4;1,2) dmodk --certificate -").expects(0);
    assert!(run.stdout.starts_with("routebound-certificate 1\n"));
    assert!(run.stderr.contains("FILE.permutation"), "{run:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_forgotten_lft_is_suggested() {
    let dump = "instances/fabrics/ft8x3/updn/opensm-lfts.dump.gz";
    let line = format!("ratio instances/fabrics/ft8x3/updn/ibnetdiscover.out.gz {dump}");
    refused(line, &format!("did you mean `lft:{dump}`"));
}

#[test]
fn synth_names_the_file_that_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("best.csv");
    let search = "synth xgft(3;2,3,3;1,5,2)";
    let value = json(format!("{search} --output {}", text(&file)));
    let routing = value["routing"].as_str().unwrap();
    assert_eq!(routing, format!("table:{}", text(&file)));
    assert_eq!(json(["ratio", "xgft(3;2,3,3;1,5,2)", routing])["oblivious_ratio"]["upper"], "2");
    let unwritten = json(search);
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
        let run = run(arguments);
        assert!(!run.stdout.contains(['\u{7f}', '\u{200e}', '\u{9b}']), "{verb:?}");
        assert!(run.json().is_object(), "{verb:?}");
    }
    let object = json(["ratio", text(&file), "ecmp", "--quiet"]);
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
    let [into_table, beside, twice] = [
        format!("--force ratio {} {lft} --lmc 2 --certificate {}", text(&net), text(&table)),
        format!(
            "--force ratio {} ecmp --save-traffic {} --worst-links 2",
            text(&ring),
            text(&traffic)
        ),
        format!("ratio ft(4,2) dmodk --certificate {one} --save-traffic {one}", one = text(&one)),
    ];
    let formula = format!("synth ft(4,2) --certificate {}", text(&path("q.cnf")));
    for (line, says) in [
        (into_table, "would overwrite an input of this run"),
        (beside, "would overwrite an input of this run"),
        (twice, "two outputs"),
        (formula, "choose another ending"),
    ] {
        let before = (fs::read(&ring).unwrap(), fs::read(&table).unwrap());
        refused(line, says);
        assert_eq!((fs::read(&ring).unwrap(), fs::read(&table).unwrap()), before);
    }
    // A device takes whatever comes.
    json("ratio ft(4,2) dmodk --certificate /dev/null");
}

/// A reader of only part of stdout still learns the outcome from the exit code.
#[test]
fn a_closed_pipe_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let good = "results/or/table-1/certificates/ft-4-2-dmodk.cert";
    let bad = folder.path().join("bad.cert");
    fs::write(&bad, fs::read_to_string(good).unwrap().replace("ratio 2 2", "ratio 1 1")).unwrap();
    for (files, code) in [(&[text(&bad), good][..], 1), (&[good, good], 0), (&[good, "none"], 2)] {
        let check = [&["check"], files].concat();
        let mut child = program(check).stdout(Stdio::piped()).spawn().unwrap();
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
    let missing = "error: none.cert: no such file\n";
    let judged = run(["check", "none.cert", text(&bad), good, "--json"]).expects(1);
    let object = judged.json();
    let entries = object["certificates"].as_array().unwrap();
    assert!(entries[0]["error"].as_str().unwrap().contains("none.cert"), "{object}");
    assert!(entries[1]["reason"].is_string() && entries[2]["verified"] == true, "{object}");
    assert_eq!((&object["verified"], &object["complete"]), (&false.into(), &false.into()));
    assert_eq!(judged.stderr, missing);
    let judged = run(["check", good, "none.cert", "--json"]).expects(2);
    assert_eq!(judged.json()["certificates"][0]["verified"], true);
    assert_eq!(judged.stderr, missing);
}
