//! `synth`, `nonblocking`, `study` and `regress` end when they are told to, with what they know.
//!
//! Unlike others, these tests measure time: a limit of 1 s ends a run within 2 s, Ctrl-C within
//! 1 s. They run one after the other. As the machine may be busy, one run out of three has to
//! succeed.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, like tests, may panic")]

use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Time that a run may take from its limit, or from the signal, to its end.
const GRACE: Duration = Duration::from_secs(1);

/// How a run is stopped.
#[derive(Clone, Copy, Debug)]
enum How {
    Limit(Duration),
    Interrupt(Duration),
}

/// The output, and the time since the limit or the signal.
fn run(line: &str, how: How) -> (Output, Duration) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("routebound"));
    command.args(line.split(' ')).current_dir(env!("CARGO_MANIFEST_DIR"));
    if let How::Limit(limit) = how {
        command.args(["--time-limit", &limit.as_secs_f64().to_string()]);
    }
    let begun = Instant::now();
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let end = match how {
        How::Limit(limit) => begun + limit,
        How::Interrupt(wait) => {
            std::thread::sleep(wait);
            let pid = child.id().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            Instant::now()
        }
    };
    let output = child.wait_with_output().unwrap();
    (output, Instant::now().saturating_duration_since(end))
}

/// What a stopped run prints, in time.
fn stopped(line: &str, how: How) -> Output {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut late = Vec::new();
    for _ in 0..3 {
        let (output, time) = run(line, how);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("panicked"), "{line}: {text}");
        if time <= GRACE {
            assert_eq!(output.status.code(), Some(3), "{line} {how:?}: {output:?}");
            return output;
        }
        late.push(time);
    }
    panic!("{line} {how:?}: ended {late:?} late");
}

const LIMIT: How = How::Limit(Duration::from_secs(1));

/// Long enough for a busy machine to get started.
const INTERRUPT: How = How::Interrupt(Duration::from_millis(1500));

fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

/// The bounds that a stopped run prints, of which the lower is not the trivial one.
fn bounds(line: &str, name: &str, how: How) -> (f64, f64) {
    let output = stopped(&format!("{line} --json"), how);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    (number(&value[name]["lower"]), number(&value[name]["upper"]))
}

/// Counting and the search by digits are subject to the limit: they once ran a minute beyond it.
#[test]
fn counting_keeps_to_the_limit() {
    for (spec, most) in [("ft(8,4)", 16.0), ("ft(10,4)", 25.0), ("ft(6,5)", 17.0)] {
        let line = format!("synth {spec} --method count");
        let (lower, upper) = bounds(&line, "optimum", LIMIT);
        assert!(1.0 < lower && lower <= upper && upper <= most, "{spec}: {lower} {upper}");
    }
}

/// The formula of this tree exceeds its size limit: the bounds from counting and digits remain.
#[test]
fn a_formula_that_is_too_large_loses_no_bounds() {
    let (lower, upper) = bounds("synth ft(8,4)", "optimum", LIMIT);
    // D-mod-k has 16.
    assert!(1.0 < lower && lower <= upper && upper <= 16.0, "{lower} {upper}");
}

#[test]
fn searches_for_routings_keep_to_the_limit() {
    for spec in ["ft(6,4)", "ft(6,5)"] {
        let (lower, upper) = bounds(&format!("synth {spec}"), "optimum", LIMIT);
        assert!(1.0 < lower && lower <= upper, "{spec}: {lower} {upper}");
    }
}

/// D-mod-k has 9 on this tree: no stop leaves a worse routing.
#[test]
fn no_stop_replaces_a_better_routing() {
    for milliseconds in [200, 400, 700, 1000] {
        let limit = How::Limit(Duration::from_millis(milliseconds));
        let (_, upper) = bounds("synth ft(6,4)", "optimum", limit);
        assert!(upper <= 9.0, "{milliseconds} ms: {upper}");
    }
}

#[test]
fn nonblocking_keeps_to_the_limit() {
    let line = "nonblocking ftree(10,60,8)";
    let (lower, upper) = bounds(line, "permutation_load", LIMIT);
    assert!(lower <= 1.0 && 1.0 < upper && upper <= 10.0, "{lower} {upper}");
    let (lower, upper) = bounds("nonblocking ftree(3,1,5) --least-m", "least_m", LIMIT);
    assert!(6.0 <= lower && upper <= 9.0, "{lower} {upper}");
    for spec in ["ftree(3,1,6)", "ftree(4,1,4)", "ftree(4,1,6)"] {
        let (lower, upper) =
            bounds(&format!("nonblocking {spec} --least-m --local-adaptive"), "least_m", LIMIT);
        assert!(3.0 <= lower && lower <= upper && upper <= 16.0, "{spec}: {lower} {upper}");
    }
}

#[test]
fn an_interrupt_ends_searches_with_their_bounds() {
    for spec in ["ft(6,4)", "ft(6,5)"] {
        let (lower, upper) = bounds(&format!("synth {spec}"), "optimum", INTERRUPT);
        assert!(1.0 < lower && lower <= upper, "{spec}: {lower} {upper}");
    }
    // By then the solver has the formula, and steps that take seconds each.
    let late = How::Interrupt(Duration::from_secs(5));
    let (lower, upper) = bounds("synth ft(6,4)", "optimum", late);
    assert!(1.0 < lower && lower <= upper, "{lower} {upper}");
    let line = "nonblocking ftree(4,1,4) --least-m";
    let (lower, upper) = bounds(line, "least_m", INTERRUPT);
    assert!(6.0 <= lower && upper <= 16.0, "{lower} {upper}");
    let (lower, upper) = bounds(&format!("{line} --local-adaptive"), "least_m", INTERRUPT);
    assert!(4.0 <= lower && lower <= upper && upper <= 16.0, "{lower} {upper}");
}

/// Studies write all their files or none.
#[test]
fn studies_keep_to_limit_and_interrupt() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("files");
    for study in ["optimal-single-path", "nonblocking-switches", "local-adaptive"] {
        let line = format!("study {study} --output {}", output.display());
        for how in [LIMIT, INTERRUPT] {
            let found = stopped(&line, how);
            let text = String::from_utf8_lossy(&found.stderr);
            assert!(text.contains("stopped by the time limit or Ctrl-C"), "{study}: {text}");
        }
    }
    #[cfg(feature = "highs")]
    stopped(&format!("study root-pairs --output {}", output.display()), INTERRUPT);
    assert!(!output.exists());
}

/// What was computed is compared; what was not is reported.
#[test]
fn regress_keeps_to_limit_and_interrupt() {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    let case = |seed| {
        format!(
            "[[case]]\ntopology='ft(16,3)'\nrouting='random(seed={seed})'\noblivious_ratio='1'\n"
        )
    };
    std::fs::write(file.path(), (0..400).map(case).collect::<String>()).unwrap();
    let line = format!("regress {} --json", file.path().display());
    for how in [LIMIT, INTERRUPT] {
        let output = stopped(&line, how);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(!value["failures"].as_array().unwrap().is_empty(), "{value}");
    }
}
