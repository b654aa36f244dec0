//! Simulations of packets as users meet them.

use std::fs;

use serde_json::Value;

use crate::program::{done, json, refused, run};

/// One message of one packet to each level: by hand, as in the documentation of the model.
#[test]
fn one_packet_takes_as_long_as_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    for (d, wanted) in [(1, 8_230), (4, 8_290), (16, 8_350)] {
        let file = folder.path().join("one.csv");
        fs::write(&file, format!("time_ns,source,destination,bytes\n0,0,{d},8192\n")).unwrap();
        let file = file.to_str().unwrap();
        for routing in ["dmodk", "sadp", "least-loaded"] {
            let found = json(format!("sim kary(4,3) {routing} trace:{file}"));
            assert_eq!(found["completions"][0]["cycles"], wanted, "{routing} to {d}");
            assert_eq!(found["completions"][0]["packets"], 1);
        }
    }
}

/// A schedule of htsim keeps its sizes and starts; as demands it has none.
#[test]
fn a_connection_matrix_is_a_trace() {
    let complete = |path: &str| {
        let mut found = json(format!("sim ft(4,2) dmodk {path}"));
        found["completions"][0]["name"].take();
        found["completions"].take()
    };
    let cm = "instances/traces/two_bursts.cm";
    let trace = complete("trace:instances/traces/two_bursts.csv");
    assert_eq!(complete(cm), trace);
    assert_eq!(complete(&format!("trace:{cm}")), trace);
    let phases = json(format!("sim ft(4,2) dmodk {cm} --message 1"));
    assert_ne!(phases["completions"][0]["cycles"], trace[0]["cycles"]);
    refused(format!("sim ft(4,2) dmodk {cm} --then ring"), "--message");
}

/// The worst traffic that `ratio` and `attack` write is simulated as it is.
#[test]
fn worst_traffic_saturates_at_one_over_its_load() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("worst.csv");
    let file = file.to_str().unwrap();
    for (verb, rest) in [("ratio", ""), ("attack", " --adversary climb --trials 2000 --seed 1")] {
        done(format!("{verb} ft(8,2) dmodk --save-traffic {file}{rest} --quiet"));
        let found = json(format!("sim ft(8,2) dmodk {file} --saturation --packet 256"));
        let found = &found["saturation"][0];
        assert_eq!(found["max_load"], "4", "{verb}");
        let sustained = found["sustained"].as_f64().unwrap();
        assert!((sustained - 0.25).abs() < 0.25 * 0.03, "{verb}: {found}");
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn open_loop_has_a_row_for_every_load_and_seed() {
    let line =
        "sim kary(4,2) omrmn uniform --load 0.2,0.4 --runs 3 --seed 5 --packets 50 --packet 64";
    let found = json(line);
    let runs = found["open_loop"].as_array().unwrap();
    assert_eq!((runs.len(), &found["spread"]), (6, &"random".into()));
    for run in runs {
        let (offered, accepted) = (&run["offered"], &run["accepted"]["mean"]);
        let ratio = accepted.as_f64().unwrap() / offered.as_f64().unwrap();
        assert!((0.8..1.2).contains(&ratio), "{run}");
    }
    assert_eq!((&runs[5]["load"], &runs[5]["seed"]), (&0.4.into(), &7.into()));
    let csv = run(format!("{line} --save-csv -")).stdout;
    assert_eq!(csv.lines().count(), 7, "{csv}");
    let folder = tempfile::tempdir().unwrap();
    let [part, svg] = ["a.part", "a.svg"].map(|name| folder.path().join(name));
    let (part, svg) = (part.to_str().unwrap(), svg.to_str().unwrap());
    // A part that is there is not simulated again, and gives the same bytes.
    for _ in 0..2 {
        let kept = run(format!("{line} --save-csv - --part {part} --save-svg {svg}"));
        assert_eq!(kept.stdout, csv);
    }
    assert!(fs::read_to_string(svg).unwrap().contains("total latency"));
    assert_eq!(
        run(format!("{line} --threads 1")).stdout,
        run(format!("{line} --threads 3")).stdout
    );
}

/// Eight sources of a switch take one port, one of them to the switch itself: 1/7 is kept up.
#[test]
fn saturation_stands_beside_the_max_load() {
    let found = json("sim xgft(2;16,16;1,16) dmodk cg(128,phase=5) --saturation --packet 256");
    let found = &found["saturation"][0];
    assert_eq!(found["max_load"], "7");
    let sustained = found["sustained"].as_f64().unwrap();
    assert!((sustained * 7.0 - 1.0).abs() < 0.03, "{sustained}");
}

#[test]
fn phases_are_compared_with_the_crossbar() {
    let line = "sim xgft(2;16,16;1,16) dmodk cg(128,phase=1) --then cg(128,phase=5) --message 16KB --preset ro";
    let found = json(format!("{line} --barrier"));
    let phases = found["completions"].as_array().unwrap();
    let slowdown = |at: usize| phases[at]["slowdown"].as_f64().unwrap();
    assert!(slowdown(0) < 1.05 && (6.0..7.0).contains(&slowdown(1)), "{phases:?}");
    // Without a barrier it takes no longer than both, and no less than the longer one.
    let cycles = |value: &Value| value["cycles"].as_u64().unwrap();
    let alone = cycles(&json(line)["completions"][0]);
    let both: u64 = phases.iter().map(cycles).sum();
    assert!(alone <= both + 100 && alone >= cycles(&phases[1]), "{alone} {both}");
}

#[test]
fn programs_and_pattern_routings_run() {
    let found = json("sim ft(4,2) ff alltoall(bytes=100)");
    assert_eq!(found["completions"][0]["packets"], 8 * 7);
    let slowdown = found["completions"][0]["slowdown"].as_f64().unwrap();
    assert!((1.0..2.0).contains(&slowdown), "{found}");
    let found = json("sim ft(4,2) coloured shift(3) --saturation --packet 128");
    assert_eq!(
        (&found["saturation"][0]["max_load"], &found["saturation"][0]["sustained"]),
        (&"1".into(), &1.0.into())
    );
    let fabric = "instances/fabrics/ft8x3/updn";
    for routing in ["ff", &format!("lft:{fabric}/opensm-lfts.dump.gz")] {
        let line = format!(
            "sim {fabric}/ibnetdiscover.out.gz {routing} shift(3) --load 0.3 --packets 20 --packet 64"
        );
        assert_eq!(json(&line)["hosts"], 128);
    }
}

/// On kary(2,2) host 0 sends to host 3 over four links, each busy for as many cycles as there are flits.
#[test]
fn links_have_a_utilisation() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (trace, links) = (path("one.csv"), path("links.csv"));
    fs::write(&trace, "time_ns,source,destination,bytes\n0,0,3,8192\n").unwrap();
    let found = json(format!("sim kary(2,2) dmodk trace:{trace} --save-links {links}"));
    let cycles = found["completions"][0]["cycles"].as_f64().unwrap();
    let text = fs::read_to_string(&links).unwrap();
    let busy: Vec<f64> = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(busy.len(), 16, "{text}");
    assert_eq!(busy.iter().filter(|part| (**part - 8192.0 / cycles).abs() < 1e-6).count(), 4);
    assert_eq!(busy.iter().filter(|part| **part < 1e-9).count(), 12);
    let line = "sim kary(2,2) dmodk shift(1) --load 0.2,0.4 --packets 20 --packet 64";
    let found = json(format!("{line} --save-links {links} --force"));
    assert_eq!(found["open_loop"][1]["utilisation"].as_array().unwrap().len(), 16);
    assert_eq!(fs::read_to_string(&links).unwrap().lines().count(), 1 + 2 * 16);
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    refused("sim ft(4,2) dmodk uniform", "does not say when packets are sent");
    let trace = "instances/traces/two_bursts.csv";
    refused(format!("sim ft(4,2) dmodk {trace}"), &format!("write `trace:{trace}`"));
    refused("sim ft(4,2) dmodk uniform --load 1.5", "above 0 and up to 1");
    refused("sim ft(4,2) dmodk uniform --load 0.5 --input-queue 0", "input queue of 0 packets");
    refused("sim ft(4,2) dmodk uniform --load 0.5 --output-queue 0", "output queue of 0 packets");
    refused("sim ftree(2,8,4) nonblocking-adaptive uniform --load 0.5", "routes permutations");
    refused("sim ft(4,2) coloured barrier", "must see all traffic in advance");
    refused("sim universal(16) ff uniform --load 0.5", "labelled tree");
    refused("sim ft(4,2) dmodk barrier --compress 2", "is for traces");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("back.csv");
    fs::write(&file, "time_ns,source,destination,bytes\n5,0,1,64\n4,1,2,64\n").unwrap();
    refused(format!("sim ft(4,2) dmodk trace:{}", file.to_str().unwrap()), "line 3");
    // Five switches in a ring: packets for the next but one may wait in a cycle.
    let file = folder.path().join("ring.csv");
    let links: Vec<String> =
        (0..5).map(|i| format!("s{i},s{}\nh{i},s{i}\n", (i + 1) % 5)).collect();
    fs::write(&file, links.concat()).unwrap();
    refused(
        format!("sim {} ecmp uniform --load 0.5", file.to_str().unwrap()),
        "credit loop over 5 links",
    );
}
