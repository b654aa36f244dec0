//! Runs that are stopped keep what is there: bounds of a part, an old table, and a message that says what was done.
#![cfg(unix)]

use std::fs;
use std::time::Duration;

use crate::program::{done, program, run};
use crate::stopped::{ended, send, wait_until};

/// A part may be that of the whole work: its bounds are printed as without it.
#[test]
fn a_part_that_is_stopped_has_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part");
    let units = || fs::read_to_string(&part).map_or(0, |text| text.lines().count());
    let line = format!("ratio ft(32,3) random(seed=1) --part {}", part.display());
    let stopped = ended(&mut program(line), |process| {
        wait_until(|| units() > 2);
        send("INT", process);
        Duration::ZERO
    });
    let stopped = stopped.expects(3);
    assert!(stopped.stdout.contains("oblivious ratio "), "{stopped:?}");
    assert!(units() > 2);
}

/// Floats are the same after they were in a part.
#[test]
fn floats_of_parts_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    for (number, command) in [
        "sim kary(2,3) dmodk uniform --load 0.13,0.37,0.61 --json",
        "sim ft(4,2) random(seed=3) shift(1) --load 0.1,0.7 --json",
        "deliver universal({n}) greedy shift(8) --sweep n=16,32 --json",
    ]
    .into_iter()
    .enumerate()
    {
        let part = folder.path().join(number.to_string());
        let kept = format!("{command} --part {}", part.display());
        let whole = done(command);
        assert_eq!(done(&kept), whole, "{command}");
        assert_eq!(done(&kept), whole, "{command}, from its part");
    }
}

#[test]
fn small_studies_are_shared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    // The engine is the same for all studies: the full tier has one that takes longer.
    let name = if cfg!(feature = "slow-tests") { "ro-figure-4" } else { "or-table-1" };
    let study = &format!("study {name} --small");
    done(format!("{study} --output {}", path("whole")));
    for number in 1..=2 {
        done(format!("{study} --shard {number}/2 --part {}", path(&number.to_string())));
    }
    done(format!("merge {} {} --output {}", path("1"), path("2"), path("merged")));
    let files = |name: &str| {
        let mut names: Vec<_> =
            fs::read_dir(path(name)).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(files("merged"), files("whole"));
    for file in ["README.md", "table.csv"] {
        let bytes = |name: &str| fs::read(format!("{}/{file}", path(name))).unwrap();
        assert!(bytes("merged") == bytes("whole"), "{file} differs");
    }
    run(study).refuses(2, "name a folder for them with `--output`");
}

#[test]
fn a_stopped_verify_leaves_the_old_table() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("old.md");
    fs::write(&table, "old\n").unwrap();
    let counterexamples = folder.path().join("none");
    let line = format!(
        "verify --time-limit 0.2 --force --save-markdown {} --save-counterexamples {}",
        table.display(),
        counterexamples.display()
    );
    run(line).expects(3);
    assert_eq!(fs::read_to_string(table).unwrap(), "old\n");
}

#[test]
fn what_is_stopped_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("named.cert");
    let text = "routebound-certificate 1\ntopology ft(48,3)\nrouting dmodk\nclaim oblivious-ratio 1 1\n\
        witness 0 1\ndemand 0 1 1\nroute even\nend\n";
    fs::write(&named, text).unwrap();
    let stopped = run(format!("embed {} --time-limit 0.5", named.display()));
    // It ends by itself, or is abandoned where it takes too long to look at the time.
    let said = stopped.expects(3).stderr;
    let says = ["cannot write out ", "while writing out `"].map(|doing| said.contains(doing));
    assert!(says.contains(&true) && said.contains("named.cert"), "{said}");
}

/// A device is not a part, and a full disk is named.
#[cfg(target_os = "linux")]
#[test]
fn devices_are_named() {
    run("merge /dev/zero").refuses(2, "/dev/zero: is not a part");
    run("ratio ft(4,2) dmodk --part /dev/full").refuses(2, "/dev/full: cannot be written");
    let full = run("ratio ft(4,2) dmodk --certificate /dev/full");
    full.refuses(2, "cannot write /dev/full: No space left");
}
