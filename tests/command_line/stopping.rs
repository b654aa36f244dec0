//! Work can be stopped: every verb ends after its time limit and after Ctrl-C, with exit code 3 and the bounds that
//! it has. How soon, `tests/promptness` says.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::iter;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use routebound::shards::{self, Part};
use serde_json::{Value, json};

use crate::parallel::for_each;
use crate::program::{Run, program};
use crate::stopped::{
    HANGS, How, ended, running, send, stopped_knowing, wait_for_work, wait_until,
};

/// A run that would take long, and what its output must contain when it is stopped.
enum Case {
    /// Arguments after the verb, and the words before its bounds.
    Bounds(&'static str, &'static str),
    /// Arguments of a run without bounds: half a list is worthless.
    Nothing(&'static str),
    /// Why the verb cannot take long.
    Short(&'static str),
}
use Case::{Bounds, Nothing, Short};

/// The first of each verb is in every tier, and knows something soon. `{name}` stands for a file of [`Files`].
const CASES: &[(&str, Case)] = &[
    (
        "fabric",
        Bounds("ft(8,3) --routing minhop --bisections 0 --failures 2", "most dangerous cables; "),
    ),
    ("fabric", Bounds("ft(32,3) --routing random(seed=1)", "oblivious ratio ")),
    (
        "fabric",
        Bounds(
            "ft(8,3) --routing dmodk --bisections 0 --hosts host-* --collective alltoall --restarts 1000000",
            "any adapter",
        ),
    ),
    ("compare", Nothing("random(seed=1) random(seed=2) --network ft(48,3)")),
    (
        "compare",
        Bounds(
            "minhop minhop --network ft(8,3) --shuffle-lids 60000",
            "worst permutation load over orders of LIDs",
        ),
    ),
    ("compare", Bounds("minhop minhop --network ft(8,3) --failures 2", "  after: incomplete: ")),
    ("topo", Short("no more than 2^22 links are generated, within a second")),
    ("route", Nothing("ft(32,3) dmodk --paths --output -")),
    ("route", Nothing("ft(24,3) omrmn")),
    ("route", Nothing("ft(24,3) random --fail 1 --loops")),
    ("route", Nothing("ft(24,3) random --save-opensm {opensm}")),
    ("traffic", Nothing("--hosts 4096 random(p=0.9) --output - --format mtx")),
    ("load", Bounds("ft(24,3) omrmn random(p=0.05)", "max load ")),
    ("load", Bounds("ft(48,3) rnca-u uniform", "unknown: stopped\noptu               27647 ")),
    ("optu", Bounds("ft(16,3) random(p=0.5) --method approx", "optu ")),
    ("optu", Bounds("ft(16,3) permutation(seed=1) --method approx", "optu ")),
    ("ratio", Bounds("ft(48,3) random(seed=1)", "oblivious ratio ")),
    ("ratio", Bounds("ft(24,3) omrmn --engine enumerate", "oblivious ratio ")),
    ("ratio", Bounds("{parallel} ecmp", "oblivious ratio ")),
    ("ratio", Bounds("ft(8,3) ecmp-hash --seeds 60000", "worst permutation load ")),
    ("ratio", Bounds("ft(8,3) minhop --failures 2", "worst permutation load  between ")),
    #[cfg(feature = "highs")]
    ("ratio", Bounds("ft(12,2) kpath(k=3,choice=disjoint) --rates adaptive", "oblivious ratio ")),
    #[cfg(feature = "highs")]
    ("ratio", Bounds("ft(12,2) kpath(k=3,choice=disjoint) --rates adaptive --hose", "hose load ")),
    (
        "ratio",
        Short("the longest analysis by digits takes a second: what it keeps is in product.rs"),
    ),
    ("ratio", Bounds("ft(48,3) random(seed=1) --shard 1/2 --part {own}", "stopped: run it again")),
    ("merge", Bounds("{part}", "oblivious ratio ")),
    ("attack", Bounds("ft(24,3) dmodk", "oblivious ratio ")),
    ("attack", Bounds("ftree(64,128,200) coloured --all", "worst permutation, found by random")),
    #[cfg(feature = "highs")]
    ("optimal", Bounds("instances/networks/topologyzoo/Geant2012.graphml", "best of all ")),
    ("synth", Bounds("ft(6,4)", "between ")),
    ("improve", Bounds("ft(24,3) random(seed=1)", "all tables        at least ")),
    ("nonblocking", Bounds("ftree(4,1,5) --least-m", "least m           between ")),
    ("nonblocking", Bounds("ft(24,3) kpath(k=2)", "contention        0->")),
    (
        "nonblocking",
        Bounds("ftree(4,1,5) --least-m --local-adaptive", "least m           between "),
    ),
    (
        "deliver",
        Bounds("universal(4096) random messages(count=100000) --loss all", "messages delivered, "),
    ),
    ("deliver", Nothing("universal(4096) random messages --loss all --sweep load-factor=99,200")),
    ("sim", Nothing("ft(16,3) dmodk uniform --load 1 --packets 100000")),
    (
        "sim",
        Bounds("ft(16,3) dmodk uniform --load 0.0001,1 --cycles 400000000 --threads 2", "accepted"),
    ),
    ("sim", Nothing("ft(8,3) ff alltoall(bytes=10000000)")),
    ("verify", Bounds("--up-to 64", "statements: ")),
    ("check", Nothing("{certificate}")),
    ("embed", Nothing("{named}")),
    ("regress", Nothing("{cases}")),
    ("study", Nothing("optimal-single-path --output {study}")),
    ("list", Short("the registries are constants")),
    ("generate", Short("the arguments are constants")),
];

/// Files that runs read.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        let mut links = "s0,s1\n".repeat(3000);
        (0..60).for_each(|host| writeln!(links, "h{host},s{}", host % 2).unwrap());
        fs::write(files.path("{parallel}"), links).unwrap();
        // What they name has 764 million pairs: of the first each has to be looked at, of the second to be written out.
        for (name, routing) in [("{certificate}", "random(seed=1)"), ("{named}", "dmodk")] {
            let certificate = format!(
                "routebound-certificate 1\ntopology ft(48,3)\nrouting {routing}\n\
                 claim permutation-load 0 9999\nwitness 0 1\ndemand 0 1 1\nroute even\nends\nend\n"
            );
            fs::write(files.path(name), certificate).unwrap();
        }
        let case = "[[case]]\ntopology = \"ft(48,3)\"\nrouting = \"random(seed=1)\"\n";
        let case = format!("{case}oblivious_ratio = \"1\"\n");
        fs::write(files.path("{cases}"), case).unwrap();
        // A shard that kept nothing: all that remains is done while merging.
        let command =
            shards::Command(["ratio", "ft(48,3)", "random(seed=1)"].map(String::from).to_vec());
        let part = Part::in_memory(command, "1/1".parse().unwrap());
        part.finish(false).unwrap();
        fs::write(files.path("{part}"), part.text().unwrap()).unwrap();
        files
    }

    fn path(&self, name: &str) -> String {
        let name = name.trim_matches(['{', '}']);
        self.0.path().join(name).to_str().unwrap().to_string()
    }

    fn arguments(&self, verb: &str, line: &str) -> Vec<String> {
        let word = |word: &str| {
            if word.starts_with('{') { self.path(word) } else { word.to_string() }
        };
        iter::once(verb).chain(line.split(' ')).map(word).collect()
    }
}

/// The run is stopped and prints its bounds.
fn assert_bounds(command: impl Fn() -> Command, how: How, bounds: &str) {
    let knows = |run: &Run| run.stdout.contains(bounds);
    let run = stopped_knowing(command, how, knows);
    let start: String = run.stdout.chars().take(2000).collect();
    assert!(knows(&run), "{} {how:?}\n{start}\n{}", run.command, run.stderr);
}

/// What a stopped run prints with `--json`, of which `key` is neither null nor an empty list.
fn json_with(key: &str, line: &str, how: How) -> Value {
    let command = || program(format!("{line} --json"));
    let is_there = |value: &Value| !value[key].is_null() && value[key] != json!([]);
    let value = stopped_knowing(command, how, |run| is_there(&run.json())).json();
    assert!(is_there(&value), "{line} {how:?}: {value}");
    value
}

/// Enough for most runs to know something; others get twice as much, until they do.
const WORK: Duration = Duration::from_millis(100);

#[test]
fn every_verb_has_a_case() {
    for kind in routebound::cli::VERBS {
        let of_verb = CASES.iter().filter(|(verb, _)| *verb == kind.name);
        assert!(of_verb.count() > 0, "`{}` has no case: can it be stopped?", kind.name);
    }
    for (verb, case) in CASES {
        assert!(routebound::cli::VERBS.iter().any(|kind| kind.name == *verb), "{verb}");
        match case {
            Short(reason) => assert!(!reason.is_empty(), "{verb}"),
            Bounds(..) | Nothing(_) => {}
        }
    }
}

#[test]
fn a_limit_or_ctrl_c_ends_every_verb() {
    let files = Files::new();
    // The full tier has every case of a verb.
    let mut cases: Vec<_> =
        CASES.iter().filter(|(_, case)| matches!(case, Bounds(..) | Nothing(_))).collect();
    if !cfg!(feature = "slow-tests") {
        cases.dedup_by_key(|(verb, _)| *verb);
    }
    let numbered: Vec<_> = (0..).zip(cases).collect();
    for_each(&numbered, |(number, (verb, case))| {
        let (line, bounds) = match case {
            Bounds(line, bounds) => (line, *bounds),
            Nothing(line) => (line, ""),
            Short(_) => return,
        };
        // Both ways end in the same request to stop: the full tier has both of every case.
        for (way, how) in [(0, How::Limit(0.1)), (1, How::Signal("INT", WORK))] {
            if number % 2 == way || cfg!(feature = "slow-tests") {
                assert_bounds(|| program(files.arguments(verb, line)), how, bounds);
            }
        }
    });
}

/// What schedulers send is no less polite.
#[test]
fn sigterm_ends_with_the_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part").to_str().unwrap().to_string();
    let whole = "ratio ft(48,3) random(seed=1)";
    let shard = format!("{whole} --shard 1/2 --part {part}");
    for (line, bounds) in [(whole, "oblivious ratio "), (&shard, "stopped: run it again")] {
        assert_bounds(|| program(line), How::Signal("TERM", WORK), bounds);
    }
}

/// Under `nohup` a hangup is ignored: only the limit ends the run.
#[test]
fn a_hangup_is_left_to_nohup() {
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_routebound"));
    command.args(["ratio", "ft(48,3)", "random(seed=1)", "--time-limit", "2", "--json"]);
    let begun = Instant::now();
    let run = ended(command.stdin(Stdio::null()), |process| {
        wait_for_work(process, Duration::from_millis(50));
        send("HUP", process);
        Duration::from_secs(2)
    });
    run.expects(3);
    assert!(begun.elapsed() >= Duration::from_millis(1900), "{:?}", begun.elapsed());
}

/// An export to a file, which does not check for stops: it is in the middle of its file when signals come.
fn export(folder: &Path) -> Command {
    let mut export = program("topo ft(96,3) --format graphml --quiet --output");
    export.arg(folder.join("tree.graphml"));
    export
}

fn wait_for_file(process: u32, folder: &Path) {
    wait_for_work(process, Duration::ZERO);
    wait_until(|| !left(folder).is_empty());
}

/// What is not finished in time is not half there: no file is left, not even beside the target. Two signals at once are
/// one: `timeout` sends them to a process and to its group.
#[test]
fn a_stop_leaves_no_file_behind() {
    for signals in ["INT", "INT TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let run = ended(&mut export(folder.path()), |process| {
            wait_for_file(process, folder.path());
            send(signals, process);
            Duration::ZERO
        });
        run.expects(3);
        assert_eq!(left(folder.path()), [""; 0]);
    }
}

/// A later signal ends a run that is already ending but waits, here for the reader of its stdout.
#[test]
fn a_second_signal_leaves_no_file_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (_unread, stdout) = full();
    let (errors, stderr) = UnixStream::pair().unwrap();
    errors.set_read_timeout(Some(HANGS)).unwrap();
    let mut export = export(folder.path());
    export.arg("--json").stdout(stdout).stderr(OwnedFd::from(stderr));
    let run = running(&mut export, |process| {
        wait_for_file(process, folder.path());
        send("INT", process);
        // It says so half a second after the signal: the next one is not at once.
        let mut said = String::new();
        BufReader::new(&errors).read_line(&mut said).unwrap();
        assert!(said.starts_with("error: stopped by the time limit or Ctrl-C"), "{said}");
        send("INT", process);
        Duration::ZERO
    });
    run.expects(130);
    assert_eq!(left(folder.path()), [""; 0]);
}

/// A stream that takes nothing more: its reader, and the end to write to.
fn full() -> (UnixStream, Stdio) {
    let (reader, mut writer) = UnixStream::pair().unwrap();
    writer.set_nonblocking(true).unwrap();
    while matches!(writer.write(&[b'.'; 4096]), Ok(1..)) {}
    while matches!(writer.write(b"."), Ok(1..)) {}
    writer.set_nonblocking(false).unwrap();
    (reader, OwnedFd::from(writer).into())
}

/// Names of the files of a folder.
fn left(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let names = fs::read_dir(folder).unwrap().map(name);
    names.map(|name| name.into_string().unwrap()).collect()
}

/// Levels about which nothing is known are not reported with load 0.
#[test]
fn links_that_were_not_examined_have_no_load() {
    let line = "ratio ft(64,3) dmodk --engine enumerate";
    let run = stopped_knowing(
        || program(line),
        How::Limit(0.25),
        |run| run.stdout.contains(" direction "),
    );
    let text = run.stdout;
    let row = |level: &str, way: &str| {
        let mut rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.find(|words| words.first() == Some(&level) && words.get(1) == Some(&way)).unwrap()
    };
    // Every host has one link of load 1 each way; nothing above was examined.
    assert_eq!(row("1", "up")[2..], ["1", "65536"], "{text}");
    assert_eq!(row("3", "down")[2..], ["-", "65536"], "{text}");
    let value = json_with("worst_loads", line, How::Limit(0.25));
    let rows = value["worst_loads"].as_array().unwrap();
    assert_eq!(rows.len(), 6, "{value}");
    for row in rows {
        assert_eq!(row["load"].is_null(), row["level"] != 1, "{row}");
    }
}

/// Before any SD pair of a tree is examined, arithmetic bounds both sides.
#[test]
fn the_first_bounds_of_a_tree_come_from_its_shape() {
    let bounds = |line: &str| {
        // What is known before the routing is open has no loads.
        let value = json_with("worst_loads", line, How::Limit(0.5));
        let [ratio, load] = [&value["oblivious_ratio"], &value["permutation_load"]];
        for key in ["lower", "upper", "evidence"] {
            assert_eq!(ratio[key], load[key], "{line}");
        }
        [&ratio["lower"], &ratio["upper"], &ratio["evidence"]]
            .map(|side| side.as_str().unwrap().to_string())
    };
    // Half of 48 ports by [OR] Theorem 4; the 24² hosts below a switch of level 2.
    let [lower, upper, evidence] = bounds("ratio ft(48,3) random(seed=1)");
    assert_eq!((&*lower, &*upper), ("24", "576"));
    assert!(evidence.starts_with("claimed: stopped early, "), "{evidence}");
    assert!(evidence.ends_with("the lower side by counting SD pairs on its ports"), "{evidence}");
    // Nothing is counted where pairs have several paths.
    let [lower, upper, evidence] = bounds("ratio ft(48,3) kpath(k=4)");
    assert_eq!((&*lower, &*upper), ("1", "576"));
    assert!(evidence.ends_with("hosts and cuts of the tree let through"), "{evidence}");
}

/// The report says how much was examined before the stop, and that nothing contradicts.
#[test]
fn a_stopped_statement_says_how_far_it_came() {
    let examined = |run: &Run| {
        let text = &run.stdout;
        let (_, after) = text.split_once("open: stopped after ")?;
        let (cases, rest) = after.split_once(' ')?;
        assert!(rest.starts_with("cases, none contradicts"), "{text}");
        cases.parse::<u32>().ok()
    };
    let knows = |run: &Run| examined(run).is_some_and(|cases| cases > 0);
    let command = || program("verify or-perf --up-to 128");
    let run = stopped_knowing(command, How::Limit(1.0), knows);
    assert!(knows(&run), "{run:?}");
}
