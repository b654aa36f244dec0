//! The program through its command line: exit codes, output streams, no panics.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::files::with_instances;
use crate::parallel::for_each;
use crate::program::{Run, done, json, program, run, run_in};

/// Examples that take long for what others of their verb, or other tests, show on smaller instances: the full tier runs
/// them.
const DEAR: &[&str] = &[
    "synth ft(4,4) --ratio 2",
    "load xgft(2;16,16;1,8) coloured cg(128,phase=5)",
    "verify or --up-to 8",
    "verify or-theorem-7 --on ft(4,3) --adversaries",
    "attack ftree(3,18,4) nonblocking-adaptive --all",
    "sim xgft(2;16,16;1,16) dmodk cg(128,phase=5) --message 16KB --preset ro",
    "sim kary(2,7) ff disks(requests=500) --preset ro --in-order 8",
    "compare minhop dmodk --network ft(8,3) --shuffle-lids 20",
    "compare instances/fabrics/ft16x3/ftree instances/fabrics/ft16x3/updn \
     --network instances/fabrics/ft16x3/ibnetdiscover.out.gz --threshold 5",
    "improve instances/fabrics/ft16x3/ibnetdiscover.out.gz lft:instances/fabrics/ft16x3/updn",
    "fabric instances/fabrics/ft16x3/ibnetdiscover.out.gz instances/fabrics/ft16x3/dfsssp",
    "fabric instances/fabrics/ft8x3_messy/updn",
    "fabric instances/fabrics/ft8x3_messy/updn --save-html -",
];

#[test]
fn examples_that_are_left_out_exist() {
    let examples = routebound::cli::VERBS.iter().flat_map(|kind| kind.examples);
    let left_out = examples.filter(|example| DEAR.contains(*example));
    assert_eq!(left_out.count(), DEAR.len());
}

#[test]
fn every_verb_has_help_and_examples_that_run() {
    for_each(routebound::cli::VERBS, |kind| {
        let help = done([kind.name, "--help"]);
        assert!(help.starts_with(kind.about), "{help}");
        assert!(help.contains("--json") && help.contains("Examples"), "{help}");
        assert!(!kind.examples.is_empty(), "{}", kind.name);
        let is_run = |example: &&str| !DEAR.contains(example) || cfg!(feature = "slow-tests");
        assert!(kind.examples.iter().any(is_run), "{}", kind.name);
        // Who has only the program can follow the first.
        for (at, example) in kind.examples.iter().enumerate().filter(|(_, example)| is_run(example))
        {
            let folder = if at == 0 { tempfile::tempdir().unwrap() } else { with_instances() };
            assert_runs(&folder, kind.made_by, example);
        }
    });
}

/// Runs the lines that make the files of examples.
fn make(folder: &Path, lines: &[&str]) {
    let program = format!("routebound() {{ '{}' \"$@\"; }}", env!("CARGO_BIN_EXE_routebound"));
    for line in lines {
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &format!("{program}; {line}")]).current_dir(folder);
        Run::of(shell).expects(0);
    }
}

/// Examples are written for the root of the project, and may write files.
fn assert_runs(folder: &TempDir, made_by: &[&str], example: &str) {
    make(folder.path(), made_by);
    run_in(folder.path(), example).expects(0);
}

#[test]
fn usage_errors_and_help_have_their_codes() {
    run([""; 0]).expects(2);
    for line in ["--help", "--version", "help topo"] {
        done(line);
    }
    for line in [
        "nonsense",
        "topo",
        "topo ft(4,2) --nonsense",
        "topo ft(4,2) --threads 0",
        "topo ft(4,2) --threads 9999999",
        "topo ft(4,2) --seed -1",
        "topo ft(4,2) --time-limit soon",
        "topo ft(4,2) --output x",
        "route ft(4,2)",
        "route ft(4,2) dmodk --tables --paths",
        "route ft(4,2) dmodk --tables --pair 0 1",
        "route ft(4,2) dmodk --pair 0",
        "list nonsense",
    ] {
        let run = run(line).expects(2);
        assert!(run.stderr.starts_with("error: ") && run.stdout.is_empty(), "{line}");
    }
}

#[test]
fn bad_specs_are_one_line_with_the_place() {
    for (line, expected, words) in [
        ("topo ft(3,2)", 2, "m = 3 must be even"),
        ("topo ft(0,0)", 2, "at least 1"),
        ("topo ft(8,", 2, "column"),
        ("topo ft(4,99)", 3, "height"),
        ("topo xgft(2;1)", 2, "three groups"),
        ("topo xgft(1;1;1)", 2, "one host"),
        ("topo xgtf(2;1,1;1,1)", 2, "did you mean `xgft`"),
        ("topo ft(64,9)", 3, "above the limit"),
        ("topo kary(99999999999999,16)", 3, "above the limit"),
        ("route ft(4,2) dmodq", 2, "did you mean `dmodk`"),
        ("route ft(4,2) nonsense", 2, "unknown routing `nonsense`; nearest: "),
        ("route ft(4,2) dmodk(3)", 2, "usage: dmodk"),
        ("route ft(8,2) osrm3", 2, "osrm3"),
        ("route ft(4,2) dmodk --pair 0 8", 2, "numbered 0 to 7"),
        ("route ft(4,2) dmodk --pair 3 3", 2, "itself"),
        ("route ft(4,2) smodk --tables", 2, "at sw-1-1"),
        ("route ft(4,2) smodk --format orcs", 2, "from host 2"),
        ("route xgft(2;2,3;2,2) dmodk --tables", 2, "several ports"),
        ("topo ft(4,2) --format nonsense", 2, "known: dot"),
        ("topo ft(4,2) --format orcs", 2, "routebound route"),
        ("route ft(4,2) dmodk --format dot", 2, "routebound topo"),
        ("topo ft(4,2) --format dot --output /nowhere/at/all", 2, "/nowhere/at/all"),
        ("topo ft(4,2) --format dot --json", 2, "--output"),
        ("route kary(2,15) dmodk --tables", 3, "number of LIDs"),
        ("route ft(8,3) dmodk --time-limit 0", 3, "time limit"),
    ] {
        let refused = run(line).refuses(expected, words);
        assert!(refused.stdout.is_empty() || line.ends_with("--json"), "{line}");
    }
}

#[test]
fn odd_text_is_refused_without_panic() {
    let long = "9".repeat(100_000);
    for spec in ["", " ", "(", "ft", "ft()", "ft(,)", "ft(\u{1F980})", "\u{0}", &long, "xgft(;;)"] {
        // A zero byte cannot be an argument: no process starts.
        let mut topo = program(["topo", spec]);
        if let Ok(output) = topo.output() {
            Run::new(&topo, output).expects(2);
        }
    }
}

#[test]
fn json_is_one_object() {
    let topo = json("topo ft(8,3)");
    assert_eq!((&topo["hosts"], &topo["links"]), (&128.into(), &768.into()));
    let route = json("route ft(4,2) dmodk --threads 1");
    assert_eq!((&route["pairs"], &route["paths"]), (&56.into(), &56.into()));
    let pair = json("route ft(4,2) dmodk --pair 0 5 --pair 1 0");
    // D-mod-k sends to host 5 = (M1 = 1) through root 1, from port 4 of the first leaf.
    let links = &pair["pairs"][0]["paths"][0]["links"];
    assert_eq!(links[1]["from"], "sw-1-0");
    assert_eq!((&links[1]["from_port"], &links[1]["to"]), (&4.into(), &"sw-2-1".into()));
    assert_eq!(pair["pairs"][1]["paths"][0]["share"], "1");
    let list = json("list");
    assert!(list["routings"].as_array().unwrap().iter().any(|entry| entry["name"] == "dmodk"));
    // Beside the verb and the version of its shape.
    assert_eq!(json("list exports").as_object().unwrap().len(), 3);
}

#[test]
fn exports_go_to_files_with_json_on_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.lft");
    let file = file.to_str().unwrap();
    let value = json(format!("route ft(4,2) dmodk --tables --output {file}"));
    assert_eq!(value["export"]["format"], "lft");
    let tables = done("route ft(4,2) dmodk --tables");
    assert_eq!(fs::read_to_string(file).unwrap(), tables);
    assert_eq!(tables, done("route ft(4,2) dmodk --format lft --output -"));
    let value = json(format!("topo ft(4,2) --format json --quiet --force --output {file}"));
    assert_eq!(value["topology"], "ft(4,2)");
    let written: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(written["links"].as_array().unwrap().len(), 32);
}

#[test]
fn a_stopped_export_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("paths.csv");
    let line = format!("route ft(8,3) dmodk --paths --time-limit 0 --output {}", file.display());
    run(line).refuses(3, "");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn paths_and_figures_do_not_depend_on_threads() {
    for line in ["route ft(8,3) dmodk", "route ft(8,3) dmodk --tables", "route ft(8,3) smodk"] {
        let one = done(format!("{line} --threads 1"));
        assert_eq!(one, done(format!("{line} --threads 3")));
        assert!(!one.is_empty());
    }
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    let mut child = program("topo ft(16,3) --format json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = child.stdout.take().unwrap();
    reader.read_exact(&mut [0; 100]).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}
