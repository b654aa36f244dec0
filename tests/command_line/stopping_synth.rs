//! `synth`, `nonblocking`, `study` and `regress` end when they are told to, with what they know.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::time::Duration;

use crate::program::{Run, program};
use crate::stopped::{How, stopped, stopped_knowing};

/// Enough for most runs to know what is asked of them; others get twice as much, until they do.
const LIMIT: How = How::Limit(0.5);

const INTERRUPT: How = How::Signal("INT", Duration::from_millis(700));

/// The bounds that a stopped run prints. `know` says whether they are as good as they are by then on a quiet machine.
fn bounds(line: &str, name: &str, how: How, know: impl Fn(f64, f64) -> bool) -> (f64, f64) {
    let line = format!("{line} --json");
    let sides = |run: &Run| {
        let value = run.json();
        let side = |side: &str| Some(value[name][side].as_str()?.parse::<f64>().unwrap());
        side("lower").zip(side("upper"))
    };
    let knows = |run: &Run| sides(run).is_some_and(|(lower, upper)| know(lower, upper));
    let run = stopped_knowing(|| program(&line), how, knows);
    sides(&run).unwrap_or_else(|| panic!("{how:?}: {run:?}"))
}

/// Whether the lower bound is not the trivial one.
fn is_telling(lower: f64, _: f64) -> bool {
    1.0 < lower
}

/// Counting and the search by digits are subject to the limit: they once ran a minute beyond it.
#[test]
fn counting_keeps_to_the_limit() {
    // The full tier has the larger trees.
    let trees = [("ft(8,4)", 16.0), ("ft(10,4)", 25.0), ("ft(6,5)", 17.0)];
    for (spec, most) in trees.into_iter().take(if cfg!(feature = "slow-tests") { 3 } else { 1 }) {
        let line = format!("synth {spec} --method count");
        let (lower, upper) = bounds(&line, "optimum", LIMIT, is_telling);
        assert!(1.0 < lower && lower <= upper && upper <= most, "{spec}: {lower} {upper}");
    }
}

/// The formula of this tree exceeds its size limit: the bounds from counting and digits remain.
#[test]
fn a_formula_that_is_too_large_loses_no_bounds() {
    let (lower, upper) = bounds("synth ft(8,4)", "optimum", LIMIT, is_telling);
    // D-mod-k has 16.
    assert!(1.0 < lower && lower <= upper && upper <= 16.0, "{lower} {upper}");
}

#[test]
fn searches_for_routings_keep_to_the_limit() {
    for spec in ["ft(6,4)", "ft(6,5)"] {
        let (lower, upper) = bounds(&format!("synth {spec}"), "optimum", LIMIT, is_telling);
        assert!(1.0 < lower && lower <= upper, "{spec}: {lower} {upper}");
    }
}

/// D-mod-k has 9 on this tree: no stop leaves a worse routing.
#[test]
fn no_stop_replaces_a_better_routing() {
    for milliseconds in [200, 400, 700, 1000] {
        let limit = How::Limit(f64::from(milliseconds) / 1000.0);
        let (_, upper) = bounds("synth ft(6,4)", "optimum", limit, |_, _| true);
        assert!(upper <= 9.0, "{milliseconds} ms: {upper}");
    }
}

#[test]
fn nonblocking_keeps_to_the_limit() {
    let line = "nonblocking ftree(10,60,8)";
    let (lower, upper) = bounds(line, "permutation_load", LIMIT, |_, _| true);
    assert!(lower <= 1.0 && 1.0 < upper && upper <= 10.0, "{lower} {upper}");
    let line = "nonblocking ftree(3,1,5) --least-m";
    let know = |lower: f64, upper: f64| 6.0 <= lower && upper <= 9.0;
    let (lower, upper) = bounds(line, "least_m", LIMIT, know);
    assert!(6.0 <= lower && upper <= 9.0, "{lower} {upper}");
    for spec in ["ftree(3,1,6)", "ftree(4,1,4)", "ftree(4,1,6)"] {
        let line = format!("nonblocking {spec} --least-m --local-adaptive");
        let (lower, upper) = bounds(&line, "least_m", LIMIT, |lower, _| 3.0 <= lower);
        assert!(3.0 <= lower && lower <= upper && upper <= 16.0, "{spec}: {lower} {upper}");
    }
}

#[test]
fn an_interrupt_ends_searches_with_their_bounds() {
    let (lower, upper) = bounds("synth ft(6,4)", "optimum", INTERRUPT, is_telling);
    assert!(1.0 < lower && lower <= upper, "{lower} {upper}");
    // By then the solver has the formula, and steps that take seconds each.
    if cfg!(feature = "slow-tests") {
        let late = How::Signal("INT", Duration::from_secs(5));
        let (lower, upper) = bounds("synth ft(6,4)", "optimum", late, is_telling);
        assert!(1.0 < lower && lower <= upper, "{lower} {upper}");
    }
    let line = "nonblocking ftree(4,1,4) --least-m";
    let (lower, upper) = bounds(line, "least_m", INTERRUPT, |lower, _| 6.0 <= lower);
    assert!(6.0 <= lower && upper <= 16.0, "{lower} {upper}");
    // By default the limit alone stops local adaptive routing, above.
    if cfg!(feature = "slow-tests") {
        let line = format!("{line} --local-adaptive");
        let (lower, upper) = bounds(&line, "least_m", INTERRUPT, |lower, _| 4.0 <= lower);
        assert!(4.0 <= lower && lower <= upper && upper <= 16.0, "{lower} {upper}");
    }
}

/// Studies write all their files or none; the full tier stops two more.
#[test]
fn studies_keep_to_limit_and_interrupt() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("files");
    let studies = [
        ("optimal-single-path", &[LIMIT, INTERRUPT][..]),
        ("nonblocking-switches", &[LIMIT]),
        ("local-adaptive", &[INTERRUPT]),
    ];
    for (study, ways) in studies.into_iter().take(if cfg!(feature = "slow-tests") { 3 } else { 1 })
    {
        let line = format!("study {study} --output {}", output.display());
        for how in ways.iter().copied() {
            let text = stopped(program(&line), how).stderr;
            assert!(text.contains("stopped by the time limit or Ctrl-C"), "{study}: {text}");
        }
    }
    #[cfg(all(feature = "highs", feature = "slow-tests"))]
    stopped(program(format!("study root-pairs --output {}", output.display())), INTERRUPT);
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
    let reports =
        |run: &Run| run.json()["failures"].as_array().is_some_and(|failures| !failures.is_empty());
    for how in [LIMIT, INTERRUPT] {
        let run = stopped_knowing(|| program(&line), how, reports);
        assert!(reports(&run), "{run:?}");
    }
}
