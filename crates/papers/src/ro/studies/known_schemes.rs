//! What \[RO\] VII says about known schemes on slimmed trees, decided by the samples of Figure 2.

use super::points::Application::{self, Cg, Wrf};
use super::table::{Sample, View};
use super::{CHOICE, TREES};
use crate::sampling::Quartiles;
use crate::study::engine::Cases;
use crate::study::prelude::*;

/// The schemes of Figure 2.
pub(super) const SCHEMES: [&str; 4] = ["random", "smodk", "dmodk", "coloured"];
const MODULO: [&str; 2] = ["smodk", "dmodk"];

/// All that the paper says about them.
pub(super) fn claims(view: View<'_>) -> Vec<Finding> {
    let all = [
        on_wrf(view),
        on_cg(view),
        on_phases(view),
        on_colored(view),
        on_limits(view),
        on_ten_roots(view),
    ];
    all.into_iter().flatten().collect()
}

/// How many times one median is another one.
fn times(view: View<'_>, application: Application, w2: u64, schemes: [&str; 2]) -> f64 {
    let [a, b] = schemes.map(|scheme| view.median(application, w2, scheme));
    a / b
}

/// Maximum and minimum of some numbers; not numbers if one of them is not.
fn most(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let both = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    numbers.into_iter().fold(f64::NEG_INFINITY, both)
}

fn on_wrf(view: View<'_>) -> Vec<Finding> {
    let slower = |w2| {
        let least = -most(MODULO.map(|scheme| -times(view, Wrf, w2, ["random", scheme])));
        (least, least > 1.01)
    };
    let same = |w2| {
        let most = most(MODULO.map(|scheme| times(view, Wrf, w2, [scheme, "coloured"])));
        (most, most <= 1.05)
    };
    vec![
        Finding::for_all(
            Case::quote(
                "VII.A",
                "For WRF-256 (Fig. 2(a)) Random is worse than the oblivious alternatives S-mod-k and D-mod-k",
            ),
            "median of Random ÷ the slower of S-mod-k and D-mod-k is above 1.01, w2 = 16 to 2",
            Cases { name: "w2", all: CHOICE, exceptions: 0 },
            slower,
        ),
        Finding::for_all(
            Case::quote(
                "VII.A",
                "which achieve the same performance as a pattern-aware routing scheme",
            ),
            "WRF-256: the slower of S-mod-k and D-mod-k ÷ Colored is at most 1.05, w2 = 16 to 1",
            Cases { name: "w2", all: &TREES, exceptions: 0 },
            same,
        ),
    ]
}

fn on_cg(view: View<'_>) -> Vec<Finding> {
    let faster = |w2| {
        let most = most(MODULO.map(|scheme| times(view, Cg, w2, ["random", scheme])));
        (most, most < 0.99)
    };
    let alike = |w2| {
        let of = |application| (times(view, application, w2, MODULO) - 1.0).abs();
        let most = most(Application::ALL.map(of));
        (most, most <= 0.01)
    };
    let huge = |w2| {
        let least = -most(MODULO.map(|scheme| -times(view, Cg, w2, [scheme, "coloured"])));
        (least, least >= 2.0)
    };
    vec![
        Finding::for_all(
            Case::quote(
                "VII.A",
                "for CG.D-128 (Fig. 2(b)) we see that Random improves over S-mod-k and D-mod-k in almost all cases",
            ),
            "median of Random ÷ the faster of S-mod-k and D-mod-k is below 0.99 for 12 of w2 = 16 to 2 or more",
            Cases { name: "w2", all: CHOICE, exceptions: 3 },
            faster,
        ),
        Finding::for_all(
            Case::quote(
                "VII.A",
                "In both WRF-256 and CG.D-128, the performance of S-mod-k and D-mod-k is almost identical",
            ),
            "relative difference of at most 0.01, both applications, w2 = 16 to 1",
            Cases { name: "w2", all: &TREES, exceptions: 0 },
            alike,
        ),
        Finding::for_all(
            Case::quote(
                "VII.A",
                "for CG.D-128 the performance degradation for S-mod-k and D-mod-k is huge",
            ),
            "the faster one takes 2 times what Colored does or more, w2 = 16",
            Cases { name: "w2", all: &[16], exceptions: 0 },
            huge,
        ),
    ]
}

fn on_phases(view: View<'_>) -> Vec<Finding> {
    let one = |scheme: &str, of: fn(&Sample) -> Vec<f64>| {
        let found = view.get(Cg, 16, scheme).map_or_else(Vec::new, of);
        Quartiles::of(&found).map_or(f64::NAN, |q| q.median)
    };
    let first = view.get(Cg, 16, "dmodk").map_or(f64::NAN, |sample| {
        let fixed = sample.fixed;
        fixed.local as f64 / (fixed.crossbar - fixed.crossbar_last) as f64
    });
    let [all, last] = [Sample::slowdowns, Sample::last].map(|of| one("dmodk", of));
    let [random, coloured] = ["random", "coloured"].map(|scheme| one(scheme, Sample::last));
    let full = "w2 = 16, D-mod-k:";
    vec![
        Finding::measured(
            Case::quote("VII.A", "There is no contention in the first four phases"),
            format!("{full} these phases take at most 1.01 times what they take in the crossbar"),
            format!("{first:.3}"),
            first <= 1.01,
        ),
        Finding::measured(
            Case::quote(
                "VII.A",
                "the degradation for the fifth phase ... accounts for more than a factor of two",
            ),
            format!("{full} slowdown of all five phases above 2"),
            format!("{all:.3}"),
            all > 2.0,
        ),
        Finding::measured(
            Case::quote("VII.A", "this last phase takes eight times longer with D-mod-k routing"),
            format!("{full} slowdown of the fifth phase, 7.5 to 8.5"),
            format!("{last:.3}"),
            (7.5..=8.5).contains(&last),
        ),
        Finding::measured(
            Case::quote(
                "VII.A",
                "Random, performs better, but still far from the optimum reached by a pattern-aware routing",
            ),
            "w2 = 16, fifth phase: median of Random below 0.99 of D-mod-k and above 1.5 times Colored",
            format!("{:.3} and {:.3}", random / last, random / coloured),
            random < 0.99 * last && random > 1.5 * coloured,
        ),
    ]
}

fn on_colored(view: View<'_>) -> Vec<Finding> {
    let full = view.median(Cg, 16, "coloured");
    let slimmed = |w2| {
        let found = view.median(Cg, w2, "coloured");
        (found, found > 1.01)
    };
    vec![
        Finding::measured(
            Case::quote(
                "VII.A",
                "For a full k-ary n-tree (XGFT(2; 16, 16; 1, 16)) many optimal solutions exist",
            ),
            "CG.D-128, w2 = 16: slowdown with Colored at most 1.01",
            format!("{full:.3}"),
            full <= 1.01,
        ),
        Finding::for_all(
            Case::quote(
                "VII.A",
                "Because of the reduced connectivity, there will be conflicts in the NCAs as well",
            ),
            "CG.D-128: slowdown with Colored above 1.01, w2 = 15 to 1",
            Cases { name: "w2", all: &TREES[1..], exceptions: 0 },
            slimmed,
        ),
    ]
}

/// No scheme is faster than Colored, and none is slower where there is no choice.
fn on_limits(view: View<'_>) -> Vec<Finding> {
    let fastest = |w2| {
        let of = |application: Application| {
            let own = view.median(application, w2, "coloured");
            let others = SCHEMES[..3].iter().flat_map(|s| view.slowdowns(application, w2, s));
            -most(others.map(|slowdown| -slowdown / own))
        };
        let least = Application::ALL.map(of).into_iter().fold(f64::INFINITY, f64::min);
        (least, least >= 0.99)
    };
    let alone = |w2| {
        let of = |application| SCHEMES.map(|s| times(view, application, w2, [s, "coloured"]) - 1.0);
        let most = most(Application::ALL.map(of).into_iter().flatten().map(f64::abs));
        (most, most <= 0.01)
    };
    vec![
        Finding::for_all(
            Case::quote(
                "VII.A",
                "The pattern-aware routing scheme (Colored [4]) ... serves as a upper bound for the achievable performance",
            ),
            "no run of any other scheme takes less than 0.99 of what Colored does, both applications, w2 = 16 to 1",
            Cases { name: "w2", all: &TREES, exceptions: 0 },
            fastest,
        ),
        Finding::for_all(
            Case::quote(
                "VII.D",
                "if in an extreme case all routes go through a single NCA, the effective network is a single k-ary tree (rightmost data points of Fig. 2, with w2 = 1)",
            ),
            "all schemes differ from Colored by a fraction of at most 0.01, both applications, w2 = 1",
            Cases { name: "w2", all: &[1], exceptions: 0 },
            alone,
        ),
    ]
}

fn on_ten_roots(view: View<'_>) -> Vec<Finding> {
    let [wrf, cg] = Application::ALL.map(|a| times(view, a, 10, ["random", "coloured"]));
    let better = -most(MODULO.map(|scheme| -times(view, Wrf, 10, ["random", scheme])));
    let slowest = most(view.slowdowns(Cg, 16, "random"));
    let modulo = -most(MODULO.map(|scheme| -view.median(Cg, 16, scheme)));
    vec![
        Finding::measured(
            Case::quote(
                "VII.D",
                "Random ... fails to achieve a good performance for WRF-256 (Fig. 2(a)) and a close to optimum performance for CG.D-128",
            ),
            "w2 = 10: median of Random above 1.2 times Colored, both applications",
            format!("{wrf:.3} and {cg:.3}"),
            wrf > 1.2 && cg > 1.2,
        ),
        Finding::measured(
            Case::quote(
                "VII.D",
                "S-mod-k and D-mod-k work much better for WRF-256 despite the uneven distribution of routes to NCAs",
            ),
            "w2 = 10: median of Random above 1.2 times the slower of the two",
            format!("{better:.3}"),
            better > 1.2,
        ),
        Finding::measured(
            Case::quote(
                "VII.D",
                "we see a perfect distribution of routes to NCAs by S-mod-k and D-mod-k. However, the performance results for CG.D-128 (Fig. 2(b)) are the worst",
            ),
            "w2 = 16, where the distribution is perfect: both are slower than Random with any seed",
            format!("{modulo:.3} against {slowest:.3}"),
            modulo > slowest,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ro::studies::points::{Fixed, Run};

    fn sample(application: Application, w2: u64, scheme: &str, runs: &[u64]) -> Sample {
        let runs = runs.iter().map(|cycles| Run { cycles: *cycles, load: 1 }).collect();
        let fixed = Fixed { local: 400, crossbar: 500, crossbar_last: 100 };
        Sample { application, w2, scheme: scheme.to_string(), runs, fixed }
    }

    #[test]
    fn verdicts_follow_the_numbers() {
        let slow = |last| {
            let times = [("random", 410), ("smodk", last), ("dmodk", last), ("coloured", 100)];
            times.map(|(scheme, cycles)| sample(Cg, 16, scheme, &[cycles]))
        };
        for (last, holds) in [(700, false), (800, true)] {
            let samples = slow(last);
            let claims = on_phases(View(&samples));
            assert_eq!(
                claims.iter().map(|c| !c.fails()).collect::<Vec<_>>(),
                [true, true, holds, true]
            );
        }
        // Without runs nothing holds.
        assert!(claims(View(&[])).iter().all(Finding::fails));
    }
}
