//! Delivery cycles as users meet them.

use std::fs;

use crate::program::{done, json, refused, run};

/// 16 messages, 8 from each half to the other over 4 wires: two cycles of 8, whatever is lost.
#[test]
fn cycles_are_counted_beside_the_load_factor() {
    for rule in ["left", "right", "round-robin", "random"] {
        let found = json(format!("deliver universal(16) greedy shift(8) --loss {rule}"));
        assert_eq!((&found["load_factor"], &found["lower_bound"]), (&"2".into(), &2.into()));
        assert_eq!((&found["cycles"]["least"], &found["cycles"]["most"]), (&2.into(), &2.into()));
        assert_eq!(found["runs"][0]["delivered"], 16);
    }
    let found = json("deliver universal(16) random-prime messages(count=300) --runs 4 --seed 7");
    let runs = found["runs"].as_array().unwrap();
    assert_eq!(
        runs.iter().map(|run| run["seed"].as_u64().unwrap()).collect::<Vec<_>>(),
        [7, 8, 9, 10]
    );
    assert!(runs.iter().all(|run| run["cycles"].as_u64() >= found["lower_bound"].as_u64()));
    assert_eq!(found["traffic"], "messages(count=300,seed=7)");
}

/// Fewer wires through partial concentrators, more messages by `--times`: cycles by hand.
#[test]
fn multiplicities_and_partial_concentrators() {
    let cycles = |line: &str| json(line)["cycles"]["least"].as_u64().unwrap();
    assert_eq!(cycles("deliver universal(16) greedy shift(8) --times 5 --loss left"), 10);
    // Three of four wires, and one of two: four messages pass each of those.
    assert_eq!(cycles("deliver universal(16) greedy shift(8) --partial 3/4 --loss left"), 4);
}

/// An off-line schedule is sent without losses, and says whether a shorter one may exist.
#[test]
fn schedules_are_delivered() {
    // Of λ = 2, but a ring of five conflicts: three cycles.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.csv");
    fs::write(&file, "0,1,1,0\n0,0,0,1\n0,1,0,1\n0,0,0,0\n").unwrap();
    let file = file.to_str().unwrap();
    let line = format!("deliver universal(4,growth=constant) offline {file}");
    let found = json(&line);
    assert_eq!((&found["load_factor"], &found["lower_bound"]), (&"2".into(), &3.into()));
    assert_eq!(found["schedule"]["length"], 3);
    assert_eq!((&found["cycles"]["most"], &found["runs"][0]["lost"]), (&3.into(), &0.into()));
    let text = run(&line).stdout;
    assert!(text.contains("schedule          3 cycles, made by wires: none is shorter"), "{text}");
}

/// What an adversary finds under a rule is sent under it, and may be saved: GREEDY takes λ(1 + lg n/6)
/// cycles for the set of Theorem 9.
#[test]
fn bad_sets_are_delivered_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.csv");
    let bad = "deliver universal(64,root=open) greedy theorem-9(lambda=12) --loss left";
    let found = json(format!("{bad} --save-messages {}", file.display()));
    assert_eq!((&found["load_factor"], &found["cycles"]["most"]), (&"12".into(), &24.into()));
    let again = bad.replace("theorem-9(lambda=12)", file.to_str().unwrap());
    assert_eq!(json(&again)["cycles"], found["cycles"]);
    let sweep = "deliver universal({n},root=open) greedy theorem-9 --sweep n=16,64 --sweep load-factor=12,24 --loss left";
    let table = json(sweep);
    let points = table["points"].as_array().unwrap();
    let cycles: Vec<&str> = points.iter().map(|point| point["most"].as_str().unwrap()).collect();
    assert_eq!(cycles, ["20", "40", "24", "48"]);
}

/// The file of cycles has what the report has.
#[test]
fn deliveries_per_cycle_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cycles.csv");
    let line = "deliver universal(16) greedy shift(8) --times 2 --loss left --save-cycles ";
    done(format!("{line}{}", file.display()));
    let expected = "seed,cycle,delivered\n1,1,8\n1,2,8\n1,3,8\n1,4,8\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);
    assert_eq!(done(format!("{line}-")), expected);
}

#[test]
fn bad_input_is_refused_with_the_reason() {
    for (line, says) in [
        ("universal(12) greedy shift(1)", "n = 12 must be a power of two"),
        ("universal(16) greedy messages(count=0)", "has no messages"),
        ("universal(16) greedy messages(count=-3)", "not an integer"),
        ("universal(16) greedy shift(8) --times -2", "invalid value '-2'"),
        ("universal(16) greedy hotspot-percent", "whole numbers of messages"),
        ("universal(16) greedy leaving", "use universal(n,root=open)"),
        ("universal(16) repeated shift(8)", "labelled trees such as bft(64) only"),
        ("universal(4) greedy shift(1) --times 2 --loss all", "never arrive"),
        ("universal(16) random(k1=0) shift(8)", "`k1=0` is not a positive number"),
        ("universal(16) random(r=0.5) shift(8)", "choose at least 1"),
        ("universal(16) greedy shift(8) --loss none", "unknown loss rule"),
        ("universal(16) greedy theorem-9", "use universal(n,root=open)"),
        ("universal(16,root=open) greedy theorem-9 --loss all", "not admissible"),
        ("universal(16,root=open) greedy theorem-9(lambda=3)", "must be at least 12"),
        ("bft(16) offline(step=3) bitrev", "step"),
        (
            "universal({n}) greedy climb --sweep n=4 --sweep load-factor=1.5",
            "whole numbers above 0",
        ),
        ("universal(16) greedy shift(8) --partial 2", "above 0 and up to 1"),
        ("universal(16) greedy shift(8) --part kept", "add `--sweep`"),
        ("universal({n}) greedy shift(8) --sweep k1=1", "neither topology nor algorithm"),
        ("universal({n}) greedy shift({m}) --sweep n=16", "has a `{NAME}` without values"),
        ("universal(16) greedy shift(8) --sweep load-factor=0", "not a positive number"),
    ] {
        refused(format!("deliver {line}"), says);
    }
}

/// More cycles than a run keeps are a limit, which has an exit code of its own.
#[test]
fn too_many_cycles_are_refused_before_work_begins() {
    run("deliver universal(16) offline shift(8) --times 1000000000000")
        .refuses(3, "least number of cycles of a run is 2000000000000");
}

/// Any number of threads gives the same bytes; so does a sweep that was killed after some points and
/// continues from its part.
#[test]
fn a_sweep_continues_from_its_part() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let sweep = |threads: u16, names: [&str; 2], more: &str| {
        let [table, figure] = names.map(at);
        let line = format!(
            "deliver universal({{n}}) random(k1=1,k2=1,r=2) messages --runs 3 --sweep n=16,64 \
             --sweep load-factor=2,6 --sweep loss=random,all --save-csv {table} --save-svg {figure} \
             --threads {threads}{more}"
        );
        done(&line);
        names.map(|name| fs::read(at(name)).unwrap())
    };
    let whole = sweep(1, ["whole.csv", "whole.svg"], "");
    assert_eq!(String::from_utf8(whole[0].clone()).unwrap().lines().count(), 9);
    let part = format!(" --part {}", at("kept"));
    assert_eq!(sweep(2, ["kept.csv", "kept.svg"], &part), whole);
    let kept = fs::read(at("kept")).unwrap();
    fs::write(at("kept"), &kept[..kept.len() / 2]).unwrap();
    assert_eq!(sweep(3, ["again.csv", "again.svg"], &part), whole);
}
