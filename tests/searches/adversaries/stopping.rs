//! Stopped searches end in time, with the best so far. One test after the other: they look at the
//! clock.
#![cfg(unix)]

use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use routebound::ratio::Ratio;
use serde_json::Value;

static CLOCK: Mutex<()> = Mutex::new(());

/// Every adversary that does not refuse a tree of 3,456 hosts.
const ADVERSARIES: &[&str] = &[
    "patterns",
    "random",
    "random(pattern=clique)",
    "climb",
    "anneal",
    #[cfg(feature = "highs")]
    "ilp",
    "matching",
];

fn command(line: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    command.args(line.split(' ')).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// What a stopped run printed has a lower bound with the traffic that proves it.
fn check(line: &str, output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["complete"], code == 0, "{line}");
    assert!(value["witness"]["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty()), "{line}");
    let lower: Ratio = value["oblivious_ratio"]["lower"].as_str().unwrap().parse().unwrap();
    // One random permutation puts 6 on a link of D-mod-k here, random paths as much; cliques less.
    let least = if line.contains("clique") { 2 } else { 4 };
    assert!(lower >= Ratio::from(least), "{line}: {lower}");
}

/// How many programs wait for each core, at least 1: a busy machine is slower by as much.
fn slowdown() -> f64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(1.0);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (load / f64::from(u16::try_from(cores).unwrap())).max(1.0)
}

/// What `run` gives, when it ends in time; one of three attempts has to.
fn in_time(line: &str, most: Duration, run: impl Fn() -> (Output, Duration)) -> Output {
    let mut last = None;
    for _ in 0..3 {
        let (output, took) = run();
        if took <= most.mul_f64(slowdown()) {
            return output;
        }
        last = Some(took);
    }
    panic!("{line}: took {last:?}, allowed are {most:?} by {}", slowdown());
}

fn timed(line: &str) -> (Output, Duration) {
    let begun = Instant::now();
    let output = command(line).output().unwrap();
    (output, begun.elapsed())
}

/// The output of a run that is interrupted after a second, and the time that it took to end.
fn interrupted(line: &str) -> (Output, Duration) {
    let mut command = command(line);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let begun = Instant::now();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    (child.wait_with_output().unwrap(), begun.elapsed())
}

#[test]
fn a_limit_of_a_second_ends_within_two() {
    let _alone = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    for adversary in ADVERSARIES {
        let line =
            format!("attack ft(24,3) dmodk --adversary {adversary} --time-limit 1 --json --quiet");
        let output = in_time(&line, Duration::from_secs(2), || timed(&line));
        check(&line, &output, 3);
    }
}

#[test]
fn an_interrupt_ends_within_a_second() {
    let _alone = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    for adversary in ADVERSARIES {
        let trials = if adversary.starts_with("random") && !adversary.contains('(') {
            "(trials=1000000000)"
        } else {
            ""
        };
        let line = format!("attack ft(24,3) dmodk --adversary {adversary}{trials} --json --quiet");
        let output = in_time(&line, Duration::from_secs(1), || interrupted(&line));
        check(&line, &output, 3);
    }
}

#[test]
fn the_shortest_time_of_an_adversary_is_enough_for_a_witness() {
    let _alone = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    for adversary in ADVERSARIES {
        for routing in ["dmodk", "random(seed=1)"] {
            let line = format!(
                "attack ft(24,3) {routing} --adversary {adversary} --time 0.001 --no-exact --json --quiet"
            );
            let output = in_time(&line, Duration::from_secs(3), || timed(&line));
            check(&line, &output, 0);
        }
    }
}

/// The shares of several paths are tabulated before anything is searched: that stops too.
#[test]
fn a_routing_of_many_paths_is_measured_before_its_table_is_made() {
    let _alone = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let line = "attack ft(8,4) kpath(k=4,choice=random) --time-limit 0.3 --no-exact --json --quiet";
    let output = in_time(line, Duration::from_secs(2), || timed(line));
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(value["witness"]["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty()));
}
