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
    }
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
    let mut sorted: Vec<&str> = hosts.lines().filter(|line| !line.starts_with('#')).collect();
    sorted.sort_unstable();
    let racks = ["a07-p1-dgx-03", "a08-p1-dgx-04", "b05-p1-dgx-05", "b07-p1-dgx-07"];
    let rack = |rack: &'static str| (1..=4).map(move |at| format!("{rack}-c{at:02}"));
    let wanted: Vec<String> = racks.into_iter().flat_map(rack).collect();
    assert_eq!(sorted, wanted);
    let written = fs::read_to_string(folder.join("pretrain-ring-best.ranks")).unwrap();
    let first = format!("rank 0={} slot=0", hosts.lines().nth(1).unwrap());
    assert_eq!(written.lines().nth(1), Some(&*first), "{written}");
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
