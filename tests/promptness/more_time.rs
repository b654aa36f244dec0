//! `optimal` with more time is never worse, and from ten seconds on never worse than ECMP.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use crate::program::program;
use crate::stopped::{HANGS, ended};

const BACKBONES: [&str; 4] = [
    "figret/GEANT.json",
    "topologyzoo/Sprint.graphml",
    "topologyzoo/BtEurope.graphml",
    "topologyzoo/Geant2012.graphml",
];

/// The upper side of a quantity, which must be proven.
fn proven(line: &str, name: &str) -> f64 {
    let run = ended(&mut program(line), |_| HANGS);
    let value = run.json();
    assert_eq!(value[name]["evidence"], "proven", "{run:?}");
    let upper = value[name]["upper"].as_str().unwrap();
    let (numerator, denominator) = upper.split_once('/').unwrap_or((upper, "1"));
    numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap()
}

#[test]
fn optimal_only_gains_by_time() {
    for name in BACKBONES {
        let file = format!("instances/networks/{name}");
        let ecmp = proven(&format!("ratio {file} ecmp --quiet --json"), "oblivious_ratio");
        let mut best = f64::INFINITY;
        for seconds in [3, 10, 30] {
            let line = format!("optimal {file} --quiet --json --time-limit {seconds}");
            let upper = proven(&line, "best");
            // Before that there may be no time to find out how good ECMP is.
            if seconds >= 10 {
                best = best.min(ecmp);
            }
            // The routing of a later round may be worse by less than the solver's tolerance.
            assert!(upper <= best * (1.0 + 1e-6), "{name}, {seconds} s: {upper} after {best}");
            best = best.min(upper);
        }
    }
}
