//! What may be wrong with the parts of shards and with what they were made from: nothing of it is
//! merged in silence.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::shards::{part, shards};
use crate::program::{Run, done, program, refused, run, run_in};
use crate::resealed::resealed;

/// The file of an input is another one for the second shard, then when the parts are merged, and then
/// when a shard is run again.
fn changed_inputs(file: &str, contents: [&[u8]; 2], command: &str) {
    let folder = tempfile::tempdir().unwrap();
    let write = |index: usize| fs::write(folder.path().join(file), contents[index]).unwrap();
    let in_folder = |line: &str| run_in(folder.path(), line);
    let shard =
        |number: usize| in_folder(&format!("{command} --shard {number}/2 --part part-{number}"));
    let merge = || in_folder("merge part-1 part-2");
    let says_changed = |run: Run, number: usize| {
        let says = format!("{file} has changed since shard {number}/2 was made: make all parts");
        run.refuses(2, &says);
    };
    write(0);
    shard(1).expects(0);
    let whole = in_folder(command);
    write(1);
    shard(2).expects(0);
    says_changed(merge(), 1);
    // Run again with the new file, the first shard says so, and its part stays as it is.
    let before = fs::read(folder.path().join("part-1")).unwrap();
    says_changed(shard(1), 1);
    assert_eq!(fs::read(folder.path().join("part-1")).unwrap(), before);
    write(0);
    says_changed(merge(), 2);
    fs::remove_file(folder.path().join("part-2")).unwrap();
    shard(2).expects(0);
    let merged = merge().expects(0);
    assert_eq!(merged.stdout.lines().nth(1).unwrap(), whole.stdout.lines().nth(1).unwrap());
    write(1);
    says_changed(merge(), 1);
}

/// Without the exact value, which would contradict, the paths of one table would be attacked on those of
/// another.
#[test]
fn a_table_that_changes_is_noticed() {
    let table = |seed: u32| done(format!("route ft(4,2) random(seed={seed}) --paths --output -"));
    let [one, two] = [1, 2].map(table);
    assert_ne!(one, two);
    let command = "attack ft(4,2) table:own.csv --adversary climb(trials=200) --no-exact";
    changed_inputs("own.csv", [one.as_bytes(), two.as_bytes()], command);
}

#[test]
fn a_network_that_changes_is_noticed() {
    let ring = fs::read_to_string("instances/networks/examples/ring.csv").unwrap();
    let other = ring.replace("b,c,2.5", "b,c,5");
    assert_ne!(ring, other);
    changed_inputs("net.csv", [ring.as_bytes(), other.as_bytes()], "ratio net.csv ecmp");
}

#[test]
fn a_list_of_failures_that_changes_is_noticed() {
    let command = "ratio ft(4,2) dmodk --fail-links cables.txt";
    changed_inputs("cables.txt", [b"16\n", b"17\n"], command);
}

/// Replaces a value of a key in the first part, once for each of its occurrences; what a merge says.
fn each_change(folder: &Path, key: &str, new: &str, parts: &str, mut see: impl FnMut(Run, Run)) {
    let first = part(folder, 2, 1);
    let whole = fs::read_to_string(&first).unwrap();
    assert_eq!(resealed(&whole), whole);
    let (key, mut from) = (format!("\"{key}\":"), 0);
    while let Some(at) = whole[from..].find(&key) {
        let begin = from + at + key.len();
        let end = begin + whole[begin..].find([',', '}', ']']).unwrap();
        from = end;
        let changed = format!("{}{new}{}", &whole[..begin], &whole[end..]);
        if changed == whole {
            continue;
        }
        let merged = |text: &str| {
            fs::write(&first, text).unwrap();
            run(format!("merge {parts}"))
        };
        see(merged(&changed), merged(&resealed(&changed)));
    }
    fs::write(&first, whole).unwrap();
}

/// Whatever number is changed in a part, the line is damaged; with a checksum that fits, no false ratio
/// is printed, let alone proven.
#[test]
fn changed_bounds_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    let commands = ["ratio ft(4,2) random(seed=1)", "ratio xgft(2;4,4;1,2) random(seed=1)"];
    for command in commands.into_iter().take(if cfg!(feature = "slow-tests") { 2 } else { 1 }) {
        let expected = done(command);
        let parts = shards(folder.path(), command, 2);
        let (mut caught, mut harmless) = (0, 0);
        for new in ["\"0\"", "\"1\"", "\"3\"", "\"7/2\""] {
            each_change(folder.path(), "load", new, &parts, |damaged, forged| {
                damaged.refuses(2, "is damaged: remove the file");
                if forged.code == 0 {
                    // The cover of a link may be its ends: then the table shows what the part says, and
                    // another link may be the worst, but no ratio is false.
                    assert!(
                        forged.stdout.lines().take(4).eq(expected.lines().take(4)),
                        "{forged:?}"
                    );
                    harmless += 1;
                } else {
                    forged.expects(2);
                    caught += 1;
                }
            });
        }
        assert!(caught > 10, "{command}: {caught} caught, {harmless} harmless");
        for new in ["9", "31"] {
            each_change(folder.path(), "link", new, &parts, |_, forged| {
                forged.refuses(2, "in a part cannot have the result");
            });
        }
        fs::remove_file(part(folder.path(), 2, 1)).unwrap();
        fs::remove_file(part(folder.path(), 2, 2)).unwrap();
    }
}

/// The value of traffic in a part is that of its pairs, and those of all samples fit.
#[test]
fn changed_findings_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        "attack ft(4,2) random --adversary exhaustive(permutations=50000) --no-exact",
        "attack ft(4,2) random --adversary random(trials=40) --no-exact",
        "attack ft(4,2) random --adversary random(pattern=clique,size=3,trials=40) --no-exact",
        "attack xgft(2;4,2;1,2) dmodk --adversary climb(trials=200) --no-exact",
        "attack xgft(2;4,2;1,2) dmodk --adversary anneal(trials=200) --no-exact",
    ] {
        let expected = done(format!("merge {}", shards(folder.path(), command, 2)));
        let parts = shards(folder.path(), command, 2);
        let first = part(folder.path(), 2, 1);
        let whole = fs::read_to_string(&first).unwrap();
        // The first load of a line is that of its traffic.
        let mut count = 0;
        for (from, to) in [
            ("{\"value\":{\"load\":1,", "{\"value\":{\"load\":2,"),
            ("{\"value\":{\"load\":2,", "{\"value\":{\"load\":1,"),
            ("{\"value\":{\"load\":2,", "{\"value\":{\"load\":3,"),
            ("{\"value\":{\"load\":2,", "{\"value\":{\"load\":0,"),
            ("{\"value\":{\"load\":4,", "{\"value\":{\"load\":5,"),
            ("\"optu\":2}", "\"optu\":1}"),
            ("\"optu\":1}", "\"optu\":2}"),
            ("\"pairs\":[[", "\"pairs\":[[7,7],["),
            ("\"pairs\":[[0,", "\"pairs\":[[1,"),
        ] {
            let changed = whole.replacen(from, to, 1);
            if changed == whole {
                continue;
            }
            count += 1;
            fs::write(&first, resealed(&changed)).unwrap();
            let output = run(format!("merge {parts}"));
            if output.code == 0 {
                assert_eq!(output.stdout, expected, "{command}: {from} {to}");
            } else {
                output.refuses(2, "in a part cannot have the result");
            }
        }
        assert!(count >= 3, "{command}: {whole}");
        fs::remove_file(first).unwrap();
        fs::remove_file(part(folder.path(), 2, 2)).unwrap();
    }
}

/// The exact analysis as an adversary writes no certificate: its traffic is measured. With this seed a
/// link of load 1 comes before the worst one.
#[test]
fn a_bound_that_no_traffic_reaches_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let command = "attack ft(4,2) random(seed=8) --adversary matching --no-exact";
    let expected = done(format!("merge {}", shards(folder.path(), command, 2)));
    assert!(expected.contains("oblivious ratio         at least 2 "), "{expected}");
    let parts = shards(folder.path(), command, 2);
    let mut caught = 0;
    for new in ["\"2\"", "\"3\"", "\"4\""] {
        each_change(folder.path(), "load", new, &parts, |_, forged| {
            if forged.code == 0 {
                let text = forged.stdout;
                assert!(text.contains("oblivious ratio         at least 2 "), "{text}");
            } else {
                caught += usize::from(forged.expects(2).stderr.contains("matching found"));
            }
        });
    }
    assert!(caught > 0);
}

/// What follows from the parts alone is not a bound: somebody might have left out the worst permutation.
#[test]
fn an_upper_bound_from_parts_needs_the_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let command = "attack ft(4,2) random --adversary exhaustive --adversary matching";
    let of = |json: &str| -> Value { serde_json::from_str(json).unwrap() };
    for (options, upper) in [("", "2"), (" --no-exact", "null")] {
        let command = format!("{command}{options}");
        let whole = of(&done(format!("{command} --json")));
        assert_eq!(whole["oblivious_ratio"]["upper"], "2");
        let parts = shards(folder.path(), &command, 2);
        let merged = of(&done(format!("merge {parts} --json")));
        let upper = if upper == "null" { Value::Null } else { upper.into() };
        assert_eq!(merged["oblivious_ratio"]["upper"], upper);
        assert_eq!(merged["oblivious_ratio"]["lower"], "2");
        for row in merged["adversaries"].as_array().unwrap() {
            assert_eq!(row["upper"], upper, "{row}");
            assert_eq!(row["seconds"], Value::Null, "{row}");
        }
        let text = done(format!("merge {parts}"));
        assert_eq!(text.contains("follows at most 2, which was not checked"), upper.is_null());
        (1..=2).for_each(|i| fs::remove_file(part(folder.path(), 2, i)).unwrap());
    }
}

#[test]
fn several_permutations_are_written_by_the_merge() {
    let folder = tempfile::tempdir().unwrap();
    let command = "ratio ft(4,2) random(seed=1)";
    let parts = shards(folder.path(), command, 2);
    for options in ["--count 2", "--worst-links 3"] {
        let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        done(format!("{command} --save-traffic {} {options}", file("whole.pairs")));
        done(format!("merge {parts} --save-traffic {} {options}", file("merged.pairs")));
        for number in 1..=2 {
            let of = |name: &str| fs::read(file(&format!("{name}-{number}.pairs"))).unwrap();
            assert_eq!(of("whole"), of("merged"));
        }
    }
}

#[test]
fn a_path_may_look_like_an_option() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy("instances/networks/examples/ring.csv", folder.path().join("-ring.csv")).unwrap();
    let printed = |line: &str| run_in(folder.path(), line).expects(0).stdout;
    let ratio = |options: &str| printed(&format!("ratio {options} --quiet -- -ring.csv ecmp"));
    ratio("--shard 1/2 --part 1 --unit-capacity");
    ratio("--shard 2/2 --part 2 --unit-capacity");
    let merged = printed("merge 1 2 --certificate c.cert");
    assert_eq!(merged, ratio("--unit-capacity"));
    assert!(folder.path().join("c.cert").exists());
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part").to_str().unwrap().to_string();
    let stdin = "stdin cannot be an input of shards";
    for (line, says) in [
        (&*format!("ratio - ecmp --shard 1/2 --part {path}"), stdin),
        (&*format!("ratio ft(4,2) table:- --shard 1/2 --part {path}"), stdin),
        (&*format!("ratio ft(4,2) dmodk --fail-links - --shard 1/2 --part {path}"), stdin),
        ("ratio ft(4,2) dmodk --shard 1/2 --part -", "must be a file, not `-`"),
        ("merge README.md --seed 9", "`--seed` was given to the shards"),
        ("merge README.md --adversary climb", "what decides the result was given to the shards"),
        ("merge README.md --embed", "what decides the result was given to the shards"),
    ] {
        refused(line, says);
    }
    assert!(!Path::new("-").exists());
}

/// Processes of a job that know nothing of each other would all do the same.
#[test]
fn a_job_without_mpi_is_refused() {
    let run = |size: &str, options: &str| {
        let line = format!("ratio ft(4,2) dmodk --quiet{options}");
        Run::of(program(line).env("OMPI_COMM_WORLD_SIZE", size))
    };
    let refused = run("3", "").refuses(2, "3 processes were started").stderr;
    assert!(refused.contains("unset OMPI_COMM_WORLD_SIZE"), "{refused}");
    run("1", "").expects(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part").to_str().unwrap().to_string();
    run("3", &format!(" --shard 1/3 --part {path}")).expects(0);
}
