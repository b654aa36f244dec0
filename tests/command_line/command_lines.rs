//! The main job through the command line: exact values with their certificates, refused when
//! one claimed number is changed; input that is not a topology, routing or certificate; limits;
//! and the same answer on any number of threads.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::files::gzip;
use crate::program::{done, in_little_memory, run};

/// Topology, routing and exact oblivious ratio.
const EXACT: [(&str, &str, u32); 11] = [
    ("ft(8,3)", "dmodk", 7),
    ("ft(8,3)", "osrm3", 4),
    ("ft(16,2)", "dmodk", 8),
    ("ft(16,2)", "osrm2", 4),
    ("ft(16,2)", "grid", 3),
    ("ft(14,2)", "grid", 3),
    ("ft(6,2)", "grid", 2),
    ("ft(26,2)", "grid", 4),
    ("ft(4,4)", "dmodk", 4),
    ("ft(4,5)", "dmodk", 7),
    ("ftree(3,9,7)", "yuan", 1),
];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A ratio, its JSON and its certificate.
fn certified(topology: &str, routing: &str, file: &Path) -> Value {
    let arguments = ["ratio", topology, routing, "--json", "--quiet", "--certificate", text(file)];
    let run = run(arguments).expects(0);
    assert_eq!(run.stderr, "");
    run.json()
}

/// The exit code of `check` and its one line.
fn checked(file: &Path) -> (i32, String) {
    let run = run(["check", text(file)]);
    assert_eq!((run.stderr.as_str(), run.stdout.lines().count()), ("", 1), "{run:?}");
    (run.code, run.stdout)
}

#[test]
fn exact_ratios_are_proven_and_their_certificates_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.cert");
    for (topology, routing, ratio) in EXACT {
        let value = certified(topology, routing, &file);
        let place = format!("{routing} on {topology}: {value}");
        let ratio = ratio.to_string();
        assert_eq!((&value["topology"], &value["routing"]), (&topology.into(), &routing.into()));
        for side in ["lower", "upper"] {
            assert_eq!(value["oblivious_ratio"][side], ratio.as_str(), "{place}");
        }
        assert_eq!(value["oblivious_ratio"]["evidence"], "proven", "{place}");
        assert_eq!(value["permutation_load"]["lower"], ratio.as_str(), "{place}");
        let worst_link = &value["witness"]["worst_link"];
        assert!(value["method"].is_string() && worst_link.is_string(), "{place}");
        assert_eq!(value["witness"]["optu"], "1", "{place}");
        let (code, line) = checked(&file);
        assert_eq!(code, 0, "{place}: {line}");
        assert!(line.starts_with("s VERIFIED "), "{line}");
        assert!(line.contains(&format!("oblivious-ratio = {ratio}")), "{line}");
    }
}

/// The witness is a permutation: [source, destination, demand] with every host in `0..hosts`
/// at most once on each side.
#[test]
fn the_witness_of_json_is_a_permutation() {
    let folder = tempfile::tempdir().unwrap();
    let value = certified("ft(8,3)", "osrm3", &folder.path().join("c"));
    assert_eq!(value["hosts"], 128);
    let pairs: Vec<(u32, u32, String)> =
        serde_json::from_value(value["witness"]["pairs"].clone()).unwrap();
    for side in [|p: &(u32, u32, String)| p.0, |p: &(u32, u32, String)| p.1] {
        let mut hosts: Vec<u32> = pairs.iter().map(side).collect();
        hosts.sort_unstable();
        hosts.dedup();
        assert_eq!(hosts.len(), pairs.len());
        assert!(hosts.iter().all(|host| *host < 128));
    }
    assert!(pairs.iter().all(|(s, d, demand)| s != d && demand == "1"));
}

/// Every claim line with one or both of its numbers made wrong: a side moved past the truth,
/// or both moved to another value. By default a third of them by turns, in the full tier all.
#[test]
fn every_wrong_claim_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.cert");
    let step = if cfg!(feature = "slow-tests") { 1 } else { 3 };
    let mut turn = 0;
    for (topology, routing, ratio) in EXACT {
        certified(topology, routing, &file);
        let good = fs::read_to_string(&file).unwrap();
        for claim in good.lines().filter(|line| line.starts_with("claim ")) {
            let quantity = claim.split(' ').nth(1).unwrap();
            assert_eq!(claim, format!("claim {quantity} {ratio} {ratio}"));
            let (less, more) = (ratio - 1, ratio + 1);
            for wrong in [
                format!("{ratio} {less}"),
                format!("{more} {ratio}"),
                format!("{less} {less}"),
                format!("{more} {more}"),
                format!("{}/2 {ratio}", 2 * ratio + 1),
                format!("0 {}/2", 2 * ratio - 1),
                "0 0".to_string(),
            ]
            .into_iter()
            .skip(turn % step)
            .step_by(step)
            {
                let bad = good.replacen(claim, &format!("claim {quantity} {wrong}"), 1);
                fs::write(&file, bad).unwrap();
                let (code, line) = checked(&file);
                assert_eq!(code, 1, "{routing} on {topology}, {quantity} {wrong}: {line}");
                assert!(line.starts_with("s NOT VERIFIED "), "{line}");
            }
            turn += 1;
        }
    }
}

/// A weaker claim is not a wrong one.
#[test]
fn a_weaker_claim_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.cert");
    certified("ft(8,3)", "dmodk", &file);
    let good = fs::read_to_string(&file).unwrap();
    fs::write(&file, good.replace("oblivious-ratio 7 7", "oblivious-ratio 13/2 8")).unwrap();
    let (code, line) = checked(&file);
    assert_eq!(code, 0, "{line}");
    assert!(line.contains("13/2 <= oblivious-ratio <= 8"), "{line}");
}

/// Files, by name, that are nothing the program can read.
fn rubbish(folder: &Path) -> Vec<PathBuf> {
    // Bytes of every value, over and over, from a linear congruential generator.
    let mut state = 1_u32;
    let random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let binary: Vec<u8> = std::iter::repeat_with(random).take(100_000).collect();
    let zipped = gzip(&binary);
    let files: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("newlines", b"\n\n\n"),
        ("garbage", b"Switch 4 \"nothing\nvendid=\n0 1 2 [ ( ; {\n"),
        ("binary", &binary),
        ("zeros", &[0; 4096]),
        ("zipped", &zipped),
        ("cut.gz", &zipped[..zipped.len() / 2]),
    ];
    let write = |(name, bytes): (&str, &[u8])| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    files.map(write).to_vec()
}

/// One line of 1 GiB that takes no space on disk.
fn endless(folder: &Path) -> PathBuf {
    let path = folder.join("endless");
    File::create(&path).unwrap().set_len(1 << 30).unwrap();
    path
}

/// Bad input or a limit: one sentence on stderr, nothing on stdout.
fn assert_refused(arguments: &[&str]) {
    // Less than [`endless`] has bytes.
    let run = in_little_memory(800_000, arguments);
    assert!([2, 3].contains(&run.code), "{run:?}");
    let refused = run.clone().refuses(run.code, "");
    assert_eq!(refused.stdout, "", "{arguments:?}");
    assert!(refused.stderr.len() <= 1000, "{} bytes of complaint", refused.stderr.len());
}

#[test]
fn rubbish_is_no_topology_and_no_routing() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = rubbish(folder.path());
    files.extend([endless(folder.path()), folder.path().join("missing"), folder.path().into()]);
    for file in &files {
        assert_refused(&["ratio", text(file), "dmodk"]);
        assert_refused(&["topo", text(file)]);
        for kind in ["table", "lft"] {
            let routing = format!("{kind}:{}", text(file));
            assert_refused(&["ratio", "ft(4,2)", &routing]);
            assert_refused(&["route", "ft(4,2)", &routing]);
        }
    }
}

#[test]
fn rubbish_is_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    for file in rubbish(folder.path()) {
        let (code, line) = checked(&file);
        assert_eq!(code, 1, "{line}");
        assert!(line.starts_with("s NOT VERIFIED not a certificate"), "{line}");
        assert!(line.len() < 1000, "{} bytes of reason", line.len());
    }
    let folder = folder.path();
    for file in [endless(folder), folder.join("missing"), folder.to_path_buf()] {
        assert_refused(&["check", text(&file)]);
    }
}

#[test]
fn damaged_certificates_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.cert");
    certified("ft(4,2)", "dmodk", &file);
    let good = fs::read(&file).unwrap();
    // A cut may go unnoticed only if it removes just the newline after `end`.
    for length in 0..good.len() - 1 {
        if length % 7 == 0 || length + 20 > good.len() {
            fs::write(&file, &good[..length]).unwrap();
            let (code, line) = checked(&file);
            assert_eq!(code, 1, "{length} bytes: {line}");
            assert!(line.starts_with("s NOT VERIFIED "), "{line}");
        }
    }
    let zipped = gzip(&good);
    fs::write(&file, &zipped).unwrap();
    assert_eq!(checked(&file).0, 0);
    fs::write(&file, &zipped[..zipped.len() - 20]).unwrap();
    let (code, line) = checked(&file);
    assert_eq!(code, 1, "{line}");
    assert!(line.starts_with("s NOT VERIFIED the certificate is damaged gzip data: "), "{line}");
    // A valid proof, then an endless line.
    let mut long = File::create(&file).unwrap();
    long.write_all(&good).unwrap();
    long.set_len(1 << 30).unwrap();
    assert_refused(&["check", text(&file)]);
}

#[test]
fn bad_instances_are_refused() {
    for (topology, routing, expected) in [
        ("ft(3,2)", "dmodk", 2),
        ("ft(0,0)", "dmodk", 2),
        ("xgft(2;1)", "dmodk", 2),
        ("ft(64,9)", "wsr", 3),
        ("ft(8,2)", "nothing", 2),
        ("ft(8,2)", "osrm3", 2),
        ("ft(8,3)", "grid", 2),
        ("ft(8,3)", "yuan", 2),
    ] {
        assert_refused(&["ratio", topology, routing]);
        run(["ratio", topology, routing]).expects(expected);
    }
}

/// Valid bounds are printed even though there was no time, and no certificate is left behind.
#[test]
fn without_time_there_are_partial_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("none.cert");
    for (topology, routing, truth) in [("ft(16,3)", "dmodk", 15), ("ft(16,2)", "osrm2", 4)] {
        let certificate = text(&file);
        let line = format!(
            "ratio {topology} {routing} --engine enumerate --time-limit 0 --quiet --certificate {certificate}"
        );
        let value = run(format!("{line} --json")).expects(3).json();
        let bounds = &value["oblivious_ratio"];
        let side = |name: &str| bounds[name].as_str().unwrap().parse::<u32>().unwrap();
        assert!(side("lower") <= truth && truth <= side("upper"), "{bounds}");
        assert_ne!(bounds["evidence"], "proven", "{bounds}");
        assert_eq!(value["complete"], false);
        assert_ne!(run(line).expects(3).stdout, "");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn answers_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    for (topology, routing) in
        [("ft(8,3)", "random(seed=3)"), ("ft(8,3)", "osrm3"), ("xgft(3;2,3,3;1,2,2)", "rnca-u")]
    {
        let with = |threads: &str| {
            let file = folder.path().join(threads);
            let line = format!(
                "ratio {topology} {routing} --threads {threads} --certificate {}",
                text(&file)
            );
            let printed = done(format!("{line} --json --quiet"));
            (printed, fs::read(file).unwrap())
        };
        assert!(with("1") == with("4"), "{routing} on {topology}");
    }
}
