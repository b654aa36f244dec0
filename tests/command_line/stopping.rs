//! Work can be stopped: every verb ends soon after its time limit and after Ctrl-C, with exit
//! code 3 and the bounds that it has. One run at a time, as they are timed.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

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

/// `{name}` stands for a file of [`Files`].
const CASES: &[(&str, Case)] = &[
    ("fabric", Bounds("ft(48,3) --routing random(seed=1)", "oblivious ratio ")),
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
    ("topo", Short("no more than 2^22 links are generated, within a second")),
    ("route", Nothing("ft(32,3) dmodk --paths --output -")),
    ("route", Nothing("ft(24,3) omrmn")),
    ("traffic", Nothing("--hosts 4096 random(p=0.9) --output - --format mtx")),
    ("load", Bounds("ft(24,3) omrmn shift(12)", "max load ")),
    ("load", Bounds("ft(48,3) dmodk uniform", "unknown: stopped\noptu               27647 ")),
    ("optu", Bounds("ft(16,3) random(p=0.5) --method approx", "optu ")),
    ("optu", Bounds("ft(16,3) permutation(seed=1) --method approx", "optu ")),
    ("ratio", Bounds("ft(48,3) random(seed=1)", "oblivious ratio ")),
    ("ratio", Bounds("ft(24,3) omrmn", "oblivious ratio ")),
    ("ratio", Bounds("{parallel} ecmp", "oblivious ratio ")),
    ("ratio", Short("the longest product form takes a second: what it keeps is in product.rs")),
    ("ratio", Bounds("ft(48,3) random(seed=1) --shard 1/2 --part {own}", "stopped: run it again")),
    ("merge", Bounds("{part}", "oblivious ratio ")),
    ("attack", Bounds("ft(24,3) dmodk", "oblivious ratio ")),
    ("attack", Bounds("ftree(64,128,200) coloured --all", "worst permutation, found by random")),
    #[cfg(feature = "highs")]
    ("optimal", Bounds("ft(8,2)", "best of all ")),
    ("synth", Bounds("ft(6,4)", "between ")),
    ("nonblocking", Bounds("ftree(4,1,5) --least-m", "least m           between ")),
    ("nonblocking", Bounds("ft(24,3) ecmp", "contention        0->")),
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
    ("regress", Nothing("{cases}")),
    ("study", Nothing("optimal-single-path --output {study}")),
    ("list", Short("the registries are constants")),
];

/// Files that runs read.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        let mut links = "s0,s1\n".repeat(3000);
        (0..60).for_each(|host| writeln!(links, "h{host},s{}", host % 2).unwrap());
        fs::write(files.path("{parallel}"), links).unwrap();
        // A certificate that takes the checker several seconds.
        let mut program = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
        program.args(["ratio", "ft(32,3)", "dmodk", "--quiet", "--certificate"]);
        let made = program.arg(files.path("{certificate}")).output().unwrap();
        assert_eq!(made.status.code(), Some(0), "{made:?}");
        let case = "[[case]]\ntopology = \"ft(48,3)\"\nrouting = \"random(seed=1)\"\n";
        let case = format!("{case}oblivious_ratio = \"1\"\n");
        fs::write(files.path("{cases}"), case).unwrap();
        // A shard that kept nothing: all that remains is done while merging.
        let (version, command) =
            (env!("CARGO_PKG_VERSION"), r#"["ratio","ft(48,3)","random(seed=1)"]"#);
        let part = format!(
            "{{\"routebound_part\":2,\"version\":\"{version}\",\"command\":{command},\"shard\":\"1/1\"}}\n\
             {{\"finished\":true}}\n"
        );
        fs::write(files.path("{part}"), part).unwrap();
        files
    }

    fn path(&self, name: &str) -> String {
        let name = name.trim_matches(['{', '}']);
        self.0.path().join(name).to_str().unwrap().to_string()
    }

    fn arguments(&self, line: &str) -> Vec<String> {
        let word = |word: &str| {
            if word.starts_with('{') { self.path(word) } else { word.to_string() }
        };
        line.split(' ').map(word).collect()
    }
}

/// Runs the program and calls `meanwhile` with its process number; its output, and how long after
/// `meanwhile` it ended.
fn run(verb: &str, arguments: &[String], meanwhile: impl FnOnce(u32)) -> (Output, Duration) {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    program.arg(verb).args(arguments).stdin(Stdio::null());
    let mut child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        stderr.read_to_end(&mut text).unwrap();
        text
    });
    let mut stdout = child.stdout.take().unwrap();
    let answer = thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_to_end(&mut text).unwrap();
        text
    });
    meanwhile(child.id());
    let begun = Instant::now();
    let status = child.wait().unwrap();
    let time = begun.elapsed();
    let (stdout, stderr) = (answer.join().unwrap(), errors.join().unwrap());
    (Output { status, stdout, stderr }, time)
}

fn assert_stopped(what: &str, bounds: &str, (output, time): &(Output, Duration), most: f64) {
    let Output { status, stdout, stderr } = output;
    let (stdout, stderr) = (String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr));
    let start: String = stdout.chars().take(2000).collect();
    let shown = format!("{what}: {status} after {time:?}\n{start}\n{stderr}");
    assert_eq!(status.code(), Some(3), "{shown}");
    assert!(time.as_secs_f64() <= most, "{shown}");
    assert!(stdout.contains(bounds), "{shown}");
    assert!(!stderr.contains("panicked"), "{shown}");
}

/// Runs are timed: one at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn for_each_long_run(test: impl Fn(&str, Vec<String>, &str)) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let files = Files::new();
    for (verb, case) in CASES {
        match case {
            Bounds(line, bounds) => test(verb, files.arguments(line), bounds),
            Nothing(line) => test(verb, files.arguments(line), ""),
            Short(_) => {}
        }
    }
}

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
fn a_limit_of_one_second_ends_within_two() {
    for_each_long_run(|verb, mut arguments, bounds| {
        arguments.extend(["--time-limit".to_string(), "1".to_string()]);
        let ended = run(verb, &arguments, |_| ());
        assert_stopped(&format!("{verb} {arguments:?}"), bounds, &ended, 2.0);
    });
}

#[test]
fn ctrl_c_ends_within_a_second() {
    for_each_long_run(|verb, arguments, bounds| {
        let ended = run(verb, &arguments, |process| {
            sleep(Duration::from_millis(900));
            let kill = Command::new("kill").args(["-INT", &process.to_string()]).status();
            assert!(kill.unwrap().success(), "{verb} ended before it was stopped");
        });
        assert_stopped(&format!("{verb} {arguments:?}"), bounds, &ended, 1.0);
    });
}

/// What schedulers send is no less polite.
#[test]
fn sigterm_ends_with_the_bounds() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part").to_str().unwrap().to_string();
    let shard = format!("ft(48,3) random(seed=1) --shard 1/2 --part {part}");
    for (line, bounds) in
        [("ft(48,3) random(seed=1)", "oblivious ratio "), (&*shard, "stopped: run it again")]
    {
        let arguments: Vec<String> = line.split(' ').map(str::to_string).collect();
        let ended = run("ratio", &arguments, |process| {
            sleep(Duration::from_millis(900));
            let kill = Command::new("kill").args(["-TERM", &process.to_string()]).status();
            assert!(kill.unwrap().success(), "it ended before it was stopped");
        });
        assert_stopped(line, bounds, &ended, 1.0);
    }
}

/// Under `nohup` a hangup is ignored.
#[test]
fn a_hangup_is_left_to_nohup() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let program = assert_cmd::cargo::cargo_bin!("routebound");
    let mut child = Command::new("nohup")
        .arg(program)
        .args(["ratio", "ft(48,3)", "random(seed=1)", "--time-limit", "2", "--json"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(begun.elapsed() >= Duration::from_millis(1900), "{:?}", begun.elapsed());
}

/// What is not finished in time is not half there: no file is left, not even beside the target.
/// An export does not check for stops, so it is in the middle of its file when the signals come. Two
/// at once, as from `timeout`, are one; a second one later ends the process.
#[test]
fn a_stop_leaves_no_file_behind() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (signals, apart, code) in [(1, 0, 3), (2, 0, 3), (2, 350, 130)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tree.graphml").to_str().unwrap().to_string();
        let arguments = ["ft(96,3)", "--export", "graphml", "--output", &file].map(str::to_string);
        let (output, _) = run("topo", &arguments, |process| {
            while left(folder.path()).is_empty() {
                sleep(Duration::from_millis(5));
            }
            for _ in 0..signals {
                let kill = Command::new("kill").args(["-INT", &process.to_string()]).status();
                assert!(kill.unwrap().success(), "it ended before it was stopped");
                sleep(Duration::from_millis(apart));
            }
        });
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert_eq!(left(folder.path()), [""; 0]);
    }
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
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let line = "ft(48,3) dmodk --engine enumerate --time-limit 1";
    let arguments: Vec<String> = line.split(' ').map(str::to_string).collect();
    let (output, _) = run("ratio", &arguments, |_| ());
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |level: &str, way: &str| {
        let mut rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.find(|words| words.first() == Some(&level) && words.get(1) == Some(&way)).unwrap()
    };
    // Every host has one link of load 1 each way; nothing above was examined.
    assert_eq!(row("1", "up")[2..], ["1", "27648"], "{text}");
    assert_eq!(row("3", "down")[2..], ["-", "27648"], "{text}");
    let json: Vec<String> = arguments.into_iter().chain(["--json".to_string()]).collect();
    let (output, _) = run("ratio", &json, |_| ());
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = value["worst_loads"].as_array().unwrap();
    assert_eq!(rows.len(), 6, "{value}");
    for row in rows {
        assert_eq!(row["load"].is_null(), row["level"] != 1, "{row}");
    }
}

/// Before any SD pair of a tree is examined, arithmetic bounds both sides.
#[test]
fn the_first_bounds_of_a_tree_come_from_its_shape() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let bounds = |line: &str| {
        let line = format!("{line} --time-limit 1 --json");
        let arguments: Vec<String> = line.split(' ').map(str::to_string).collect();
        let (output, _) = run("ratio", &arguments, |_| ());
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let [ratio, load] = [&value["oblivious_ratio"], &value["permutation_load"]];
        for key in ["lower", "upper", "evidence"] {
            assert_eq!(ratio[key], load[key], "{line}");
        }
        [&ratio["lower"], &ratio["upper"], &ratio["evidence"]]
            .map(|side| side.as_str().unwrap().to_string())
    };
    // Half of 48 ports by [OR] Theorem 4; the 24² hosts below a switch of level 2.
    let [lower, upper, evidence] = bounds("ft(48,3) random(seed=1)");
    assert_eq!((&*lower, &*upper), ("24", "576"));
    assert!(evidence.starts_with("claimed: stopped early, "), "{evidence}");
    assert!(evidence.ends_with("the lower side by counting SD pairs on its ports"), "{evidence}");
    // Nothing is counted where pairs have several paths.
    let [lower, upper, evidence] = bounds("ft(48,3) kpath(k=4)");
    assert_eq!((&*lower, &*upper), ("1", "576"));
    assert!(evidence.ends_with("hosts and cuts of the tree let through"), "{evidence}");
}

/// The report says how much was examined before the stop, and that nothing contradicts.
#[test]
fn a_stopped_statement_says_how_far_it_came() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let arguments = ["or-perf", "--up-to", "128", "--time-limit", "1"].map(str::to_string);
    let (output, _) = run("verify", &arguments, |_| ());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    let (_, after) = text.split_once("open: stopped after ").unwrap_or_else(|| panic!("{text}"));
    let (cases, rest) = after.split_once(' ').unwrap();
    assert!(cases.parse::<u32>().unwrap() > 0, "{text}");
    assert!(rest.starts_with("cases, none contradicts"), "{text}");
}
