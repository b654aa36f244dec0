//! Jobs on fabrics through the command line: loads, orders of ranks, and the files that result.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{done, json, refused, run};

const NDR: &str = "instances/fabrics/ndr542";

/// Two jobs of 16 nodes, each alone and beside the other, a ring that is worst and one that is best, and
/// every certificate accepted by `check`.
#[test]
fn two_jobs_of_the_ndr_fabric() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().to_str().unwrap();
    let jobs =
        format!("fabric {NDR} --routing minhop --bisections 0 --jobs instances/jobs/two-jobs.txt");
    let report = json(format!("{jobs} --collective ring --save-jobs {files}"));
    let jobs = report["tables"][0]["jobs"]["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), 2);
    for job in jobs {
        assert_eq!((&job["nodes"], &job["adapters"]), (&16.into(), &64.into()));
        let loads = job["loads"].as_array().unwrap();
        let names: Vec<&Value> = loads.iter().map(|load| &load["exchange"]).collect();
        assert_eq!(names, ["adapters", "rails", "nodes"]);
        for load in loads {
            for side in ["alone", "beside"] {
                let bounds = &load[side]["load"];
                assert_eq!(bounds["lower"], bounds["upper"], "{load}");
                assert_eq!(bounds["evidence"], "proven", "{load}");
            }
        }
        let ring = &job["collectives"][0];
        for side in ["least_ring", "greatest_ring"] {
            assert_eq!(ring[side]["evidence"], "proven", "{ring}");
        }
        assert_eq!(ring["greatest_ring"]["lower"], ring["greatest_ring"]["upper"], "{ring}");
        // Pairs that load the worst link as much as nodes can.
        let pairs = job["pairs"].as_array().unwrap();
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0]["one_way"], loads[2]["alone"]["load"]["lower"]);
        assert_eq!(pairs[0]["link"], loads[2]["alone"]["link"]);
    }
    let script = fs::read_to_string(folder.path().join("pretrain-pairs-1.sh")).unwrap();
    assert!(script.starts_with("#!/bin/sh\n# written by routebound\n"), "{script}");
    assert!(script.contains("export NCCL_TESTS_SPLIT='MOD 4'\n"), "{script}");
    check_files(folder.path());
}

fn is_certificate(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|kind| kind == "cert")
}

fn check_files(folder: &Path) {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let certificates: Vec<&String> = names.iter().filter(|name| is_certificate(name)).collect();
    // For each job three kinds of traffic, alone and beside, and two rings.
    assert_eq!(certificates.len(), 2 * (3 * 2 + 2), "{names:?}");
    for name in certificates {
        let file = folder.join(name);
        let text = run(["check", file.to_str().unwrap()]).stdout;
        let wanted = match name.as_str() {
            name if name.ends_with("ring-best.cert") => "least-ring-load",
            name if name.ends_with("ring-worst.cert") => "ring-load",
            _ => "job-load",
        };
        assert!(text.starts_with("s VERIFIED ") && text.contains(wanted), "{name}: {text}");
    }
    let hosts = fs::read_to_string(folder.join("pretrain-ring-best.hosts")).unwrap();
    let lines = |text: &'_ str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect()
    };
    let mut sorted = lines(&hosts);
    sorted.sort_unstable();
    let racks = ["a07-p1-dgx-03", "a08-p1-dgx-04", "b05-p1-dgx-05", "b07-p1-dgx-07"];
    let rack = |rack: &'static str| (1..=4).map(move |at| format!("{rack}-c{at:02}"));
    let wanted: Vec<String> = racks.into_iter().flat_map(rack).collect();
    assert_eq!(sorted, wanted);
    let written = fs::read_to_string(folder.join("pretrain-ring-best.ranks")).unwrap();
    let order = lines(&hosts).into_iter().enumerate();
    let order: Vec<String> = order.map(|(at, host)| format!("rank {at}={host} slot=0")).collect();
    assert_eq!(lines(&written), order);
}

/// The order of a host file is the order of ranks: the best order, given back, is as good as listed.
#[test]
fn an_order_that_was_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().to_str().unwrap();
    let ring = "fabric ft(8,2) --routing dmodk --bisections 0 --collective ring --hosts";
    let list = "host-[0,4,8,12,16,20,1,5,9,13,17,21]";
    let first = json(format!("{ring} {list} --save-jobs {files}"));
    let of = |report: &Value| report["tables"][0]["jobs"]["jobs"][0]["collectives"][0].clone();
    let name = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_str().unwrap().ends_with("ring-worst.hosts"))
        .unwrap();
    let again = json(format!("{ring} {}", name.display()));
    assert_eq!(of(&again)["listed"]["most"], of(&first)["worst"]["most"]);
    assert_eq!(of(&again)["greatest_ring"], of(&first)["greatest_ring"]);
}

/// The pairs of a file for SuperBench, `server,client` by line of the host file, have under `load` the load that is
/// said of them.
#[test]
fn pairs_that_were_written_have_their_load() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    let jobs = folder.path().join("jobs.txt");
    fs::write(&jobs, "job: host-[0-15]\n").unwrap();
    let line = "fabric ft(8,2) --routing dmodk --bisections 0 --count 3";
    let report = json(format!("{line} --jobs {} --save-jobs {}", jobs.display(), files.display()));
    let sets = report["tables"][0]["jobs"]["jobs"][0]["pairs"].as_array().unwrap().clone();
    assert_eq!(sets.len(), 3);
    for (set, number) in sets.iter().zip(1..) {
        let text = |kind: &str| {
            fs::read_to_string(files.join(format!("job-pairs-{number}.{kind}"))).unwrap()
        };
        let hosts = text("hosts");
        let hosts: Vec<&str> = hosts.lines().filter(|line| !line.starts_with('#')).collect();
        let host =
            |index: &str| hosts[index.parse::<usize>().unwrap()].strip_prefix("host-").unwrap();
        let lines = text("superbench");
        let pairs = lines.trim_end().split(';').map(|pair| pair.split_once(',').unwrap());
        let pair = |(server, client)| format!("{} {}", host(client), host(server));
        let pairs = pairs.map(pair).collect::<Vec<_>>().join("\n");
        let file = folder.path().join("set.pairs");
        fs::write(&file, pairs).unwrap();
        let loads = json(format!("load ft(8,2) dmodk {}", file.display()));
        assert_eq!(loads["max_load"], set["one_way"], "{loads}");
    }
    // One leaf: no two sends share a link.
    let run = run([
        "fabric",
        "ft(8,2)",
        "--routing",
        "dmodk",
        "--bisections",
        "0",
        "--hosts",
        "host-[0-3]",
        "--save-jobs",
        files.to_str().unwrap(),
    ]);
    assert!(run.stderr.contains("no two of its sends share a link"), "{run:?}");
}

#[test]
fn all_collectives_have_their_phases() {
    let fabric = "fabric ft(8,2) --routing dmodk --bisections 0 --restarts 1 --hosts host-[0-6]";
    for (collective, phases) in
        [("ring", 1), ("tree", 2), ("doubling", 4), ("halving", 4), ("bruck", 3), ("alltoall", 6)]
    {
        let report = json(format!("{fabric} --collective {collective}"));
        let found = &report["tables"][0]["jobs"]["jobs"][0]["collectives"][0];
        assert_eq!(found["phases"].as_array().unwrap().len(), phases, "{collective}: {found}");
        let time = |order: &str| -> f64 {
            let text = found[order]["time"].as_str().unwrap();
            let (a, b) = text.split_once('/').unwrap_or((text, "1"));
            a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap()
        };
        assert!(time("best") <= time("listed") && time("listed") <= time("worst"), "{found}");
    }
}

#[test]
fn a_comparison_says_which_jobs_are_hit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jobs.txt");
    // Every fourth host: all have the same root with D-mod-k; one leaf is not hit at all.
    fs::write(&file, "spread: host-[0,4,8,12,16,20,24,28]\nleaf: host-[1-3]\n").unwrap();
    let jobs = format!("--network ft(8,2) --jobs {}", file.display());
    let report = json(format!("compare osrm2 dmodk --threshold 2 {jobs}"));
    let found = report["jobs"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["alone"][0]["lower"], "1");
    assert_eq!(found[1]["alone"][0], found[1]["alone"][1]);
    let text = done(format!("compare dmodk dmodk {jobs}"));
    assert!(text.ends_with("no difference\n"), "{text}");
}

#[test]
fn what_is_no_job_is_refused() {
    for (jobs, says) in [
        ("--hosts host-[0-9]", "there is no node `host-8`"),
        ("--hosts host-[0-", "column "),
        ("--hosts host-[0-3] --collective rings", "ring"),
        ("--hosts host-1 --jobs instances/jobs/two-jobs.txt", "cannot be used with"),
        ("--jobs instances/jobs/two-jobs.txt", "line 2"),
        ("--jobs instances/jobs/missing.txt", "missing.txt"),
    ] {
        refused(format!("fabric ft(4,2) --routing dmodk {jobs}"), says);
    }
}
