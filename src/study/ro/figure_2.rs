//! \[RO\] Figure 2: known schemes on slimmed trees, and what VII.A and VII.D say about them.

use std::fmt::Write as _;

use super::applications::{above_fluid, chart, medians};
use super::claims::{Claim, claims_table};
use super::points::{Application, BYTES, Change, Checks, Point, SEEDS};
use super::table::{Sample, View, table};
use super::{CHOICE, TREES, sampled};
use crate::distribution::Units;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::table::{csv, markdown};
use crate::sampling::Quartiles;
use crate::study::{Study, StudyError, StudyFile, rows};

pub(super) const KIND: Kind<Study> = Kind {
    name: "ro-figure-2",
    usage: "ro-figure-2",
    options: &[],
    about: "slowdown of WRF-256 and CG.D-128, sent as packets, on slimmed 16-ary 2-trees with Random, \
            S-mod-k, D-mod-k and routes made for the pattern, against the full crossbar",
    reference: "[RO] VI, VII, Figures 2 and 3",
    examples: &["ro-figure-2"],
    build: study,
};

const SCHEMES: [&str; 4] = ["random", "smodk", "dmodk", "coloured"];
const MODULO: [&str; 2] = ["smodk", "dmodk"];
const CHECKS: [&str; 6] = ["application", "w2", "scheme", "changed", "slowdown", "in the figure"];

use Application::{Cg, Wrf};

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    let samples = sampled(&SCHEMES, units, progress)?;
    let checks = Checks::some();
    let changed = rows::each(&checks, &units.within("changed"), progress)?;
    let (Some(samples), Some(changed)) = (samples, changed) else { return Ok(Vec::new()) };
    let view = View(&samples);
    let lines = checks.0.iter().zip(&changed).map(|(check, found)| line(view, check, *found));
    let lines: Vec<Vec<String>> = lines.collect();
    let mut files = pages(&samples, &lines)?;
    files.push(table(&samples)?);
    files.push(StudyFile { path: "checks.csv".into(), bytes: csv(&CHECKS, lines.into_iter())? });
    Ok(files)
}

/// A row of the table of changed runs. The run of the figure is the one with the first seed.
fn line(view: View<'_>, (point, change): &(Point, Change), found: f64) -> Vec<String> {
    let Point { application, w2, scheme, seed } = point;
    let seed = seed.map_or_else(String::new, |seed| format!("(seed={seed})"));
    let own = view.slowdowns(*application, *w2, scheme).first().copied().unwrap_or(f64::NAN);
    let names = [application.name().to_string(), w2.to_string(), format!("{scheme}{seed}")];
    let numbers = [change.name().to_string(), format!("{found:.3}"), format!("{own:.3}")];
    names.into_iter().chain(numbers).collect()
}

/// The pages that follow from the samples and the rows of `checks.csv`.
///
/// # Errors
/// [`StudyError::Plot`].
pub fn pages(samples: &[Sample], checks: &[Vec<String>]) -> Result<Vec<StudyFile>, StudyError> {
    let view = View(samples);
    let figure = chart(view, &SCHEMES[..1], &SCHEMES[1..])?;
    let text = readme(view, checks);
    Ok(vec![
        StudyFile { path: "README.md".into(), bytes: text.into_bytes() },
        StudyFile { path: "slowdown.svg".into(), bytes: figure.into_bytes() },
    ])
}

fn claims(view: View<'_>) -> Vec<Claim> {
    let all = [on_wrf(view), on_cg(view), on_phases(view), on_colored(view), on_ten_roots(view)];
    all.into_iter().flatten().collect()
}

/// How many times one median is another one.
fn times(view: View<'_>, application: Application, w2: u64, schemes: [&str; 2]) -> f64 {
    let [a, b] = schemes.map(|scheme| view.median(application, w2, scheme));
    a / b
}

/// The greatest of some numbers, and the least; not numbers if one is none.
fn most(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let both = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    numbers.into_iter().fold(f64::NEG_INFINITY, both)
}

fn on_wrf(view: View<'_>) -> Vec<Claim> {
    let slower = |w2| {
        let least = -most(MODULO.map(|scheme| -times(view, Wrf, w2, ["random", scheme])));
        (least, least > 1.01)
    };
    let same = |w2| {
        let most = most(MODULO.map(|scheme| times(view, Wrf, w2, [scheme, "coloured"])));
        (most, most <= 1.05)
    };
    vec![
        Claim::for_all(
            (
                "VII.A",
                "For WRF-256 (Fig. 2(a)) Random is worse than the oblivious alternatives S-mod-k and D-mod-k",
            ),
            "median of Random ÷ the slower of S-mod-k and D-mod-k is above 1.01, w2 = 16 to 2",
            (CHOICE, 0),
            slower,
        ),
        Claim::for_all(
            ("VII.A", "which achieve the same performance as a pattern-aware routing scheme"),
            "WRF-256: the slower of S-mod-k and D-mod-k ÷ Colored is at most 1.05, w2 = 16 to 1",
            (&TREES, 0),
            same,
        ),
    ]
}

fn on_cg(view: View<'_>) -> Vec<Claim> {
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
        Claim::for_all(
            (
                "VII.A",
                "for CG.D-128 (Fig. 2(b)) we see that Random improves over S-mod-k and D-mod-k in almost all cases",
            ),
            "median of Random ÷ the faster of S-mod-k and D-mod-k is below 0.99 for 12 of w2 = 16 to 2 or more",
            (CHOICE, 3),
            faster,
        ),
        Claim::for_all(
            (
                "VII.A",
                "In both WRF-256 and CG.D-128, the performance of S-mod-k and D-mod-k is almost identical",
            ),
            "difference of at most 0.01 in parts, both applications, w2 = 16 to 1",
            (&TREES, 0),
            alike,
        ),
        Claim::for_all(
            ("VII.A", "for CG.D-128 the performance degradation for S-mod-k and D-mod-k is huge"),
            "the faster one takes 2 times what Colored does or more, w2 = 16",
            (&[16], 0),
            huge,
        ),
    ]
}

fn on_phases(view: View<'_>) -> Vec<Claim> {
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
        Claim::of(
            ("VII.A", "There is no contention in the first four phases"),
            format!("{full} these phases take at most 1.01 times what they take in the crossbar"),
            format!("{first:.3}"),
            first <= 1.01,
        ),
        Claim::of(
            (
                "VII.A",
                "the degradation for the fifth phase ... accounts for more than a factor of two",
            ),
            format!("{full} slowdown of all five phases above 2"),
            format!("{all:.3}"),
            all > 2.0,
        ),
        Claim::of(
            ("VII.A", "this last phase takes eight times longer with D-mod-k routing"),
            format!("{full} slowdown of the fifth phase, 7.5 to 8.5"),
            format!("{last:.3}"),
            (7.5..=8.5).contains(&last),
        ),
        Claim::of(
            (
                "VII.A",
                "Random, performs better, but still far from the optimum reached by a pattern-aware routing",
            ),
            "w2 = 16, fifth phase: median of Random below 0.99 of D-mod-k and above 1.5 times Colored",
            format!("{:.3} and {:.3}", random / last, random / coloured),
            random < 0.99 * last && random > 1.5 * coloured,
        ),
    ]
}

fn on_colored(view: View<'_>) -> Vec<Claim> {
    let full = view.median(Cg, 16, "coloured");
    let slimmed = |w2| {
        let found = view.median(Cg, w2, "coloured");
        (found, found > 1.01)
    };
    let fastest = |w2| {
        let of = |application: Application| {
            let own = view.median(application, w2, "coloured");
            let others = SCHEMES[..3].iter().flat_map(|s| view.slowdowns(application, w2, s));
            -most(others.map(|slowdown| -slowdown / own))
        };
        let least = Application::ALL.map(of).into_iter().fold(f64::MAX, f64::min);
        (least, least >= 0.99)
    };
    let alone = |w2| {
        let of = |application| SCHEMES.map(|s| times(view, application, w2, [s, "coloured"]) - 1.0);
        let most = most(Application::ALL.map(of).into_iter().flatten().map(f64::abs));
        (most, most <= 0.01)
    };
    vec![
        Claim::of(
            (
                "VII.A",
                "For a full k-ary n-tree (XGFT(2; 16, 16; 1, 16)) many optimal solutions exist",
            ),
            "CG.D-128, w2 = 16: slowdown with Colored at most 1.01",
            format!("{full:.3}"),
            full <= 1.01,
        ),
        Claim::for_all(
            (
                "VII.A",
                "Because of the reduced connectivity, there will be conflicts in the NCAs as well",
            ),
            "CG.D-128: slowdown with Colored above 1.01, w2 = 15 to 1",
            (&TREES[1..], 0),
            slimmed,
        ),
        Claim::for_all(
            (
                "VII.A",
                "The pattern-aware routing scheme (Colored [4]) ... serves as a upper bound for the achievable performance",
            ),
            "no run of any other scheme takes less than 0.99 of what Colored does, both applications, w2 = 16 to 1",
            (&TREES, 0),
            fastest,
        ),
        Claim::for_all(
            (
                "VII.D",
                "if in an extreme case all routes go through a single NCA, the effective network is a single k-ary tree (rightmost data points of Fig. 2, with w2 = 1)",
            ),
            "all schemes differ from Colored by at most 0.01 in parts, both applications, w2 = 1",
            (&[1], 0),
            alone,
        ),
    ]
}

fn on_ten_roots(view: View<'_>) -> Vec<Claim> {
    let [wrf, cg] = Application::ALL.map(|a| times(view, a, 10, ["random", "coloured"]));
    let better = -most(MODULO.map(|scheme| -times(view, Wrf, 10, ["random", scheme])));
    let slowest = most(view.slowdowns(Cg, 16, "random"));
    let modulo = -most(MODULO.map(|scheme| -view.median(Cg, 16, scheme)));
    vec![
        Claim::of(
            (
                "VII.D",
                "Random ... fails to achieve a good performance for WRF-256 (Fig. 2(a)) and a close to optimum performance for CG.D-128",
            ),
            "w2 = 10: median of Random above 1.2 times Colored, both applications",
            format!("{wrf:.3} and {cg:.3}"),
            wrf > 1.2 && cg > 1.2,
        ),
        Claim::of(
            (
                "VII.D",
                "S-mod-k and D-mod-k work much better for WRF-256 despite the uneven distribution of routes to NCAs",
            ),
            "w2 = 10: median of Random above 1.2 times the slower of the two",
            format!("{better:.3}"),
            better > 1.2,
        ),
        Claim::of(
            (
                "VII.D",
                "we see a perfect distribution of routes to NCAs by S-mod-k and D-mod-k. However, the performance results for CG.D-128 (Fig. 2(b)) are the worst",
            ),
            "w2 = 16, where the distribution is perfect: both are slower than Random with any seed",
            format!("{modulo:.3} against {slowest:.3}"),
            modulo > slowest,
        ),
    ]
}

fn readme(view: View<'_>, checks: &[Vec<String>]) -> String {
    let mut text = HEADER.replace("BYTES", &(BYTES / 1024).to_string());
    text = text.replace("SEEDS", &SEEDS.to_string());
    text.push_str(&claims_table(&claims(view)));
    text.push_str(REASONS);
    for application in Application::ALL {
        let (least, most) = above_fluid(view, application);
        // A String takes every write.
        let _ = write!(
            text,
            "\n## {}\n\nMedian slowdown, in brackets what the loads alone say. Over all runs the first is {least:.3} \
             to {most:.3} times the second.\n\n{}",
            application.name(),
            medians(view, application, &SCHEMES)
        );
    }
    text.push_str(CHANGES);
    text.push_str(&markdown(&CHECKS, checks.iter().cloned()));
    text
}

const HEADER: &str = "\
# Figure 2 as simulated

How much longer WRF-256 and CG.D-128 take on 16-ary 2-trees with fewer and fewer switches in the upper level,
XGFT(2;16,16;1,w2), than in a full crossbar ([RO] VII.A). Made by `routebound study ro-figure-2`; one run alone:
`routebound sim 'xgft(2;16,16;1,w2)' SCHEME PATTERN --preset ro --message BYTESKB` with the pattern `wrf(256)`
or `cg(128,phase=5)`.

The switches are those of [RO] VI.B as far as it describes them: links of 2 Gbit/s, flits of 8 bytes, segments of 1 KB,
queues at inputs and outputs, messages of an adapter in turn. Queue sizes and latencies are not printed: queues
hold two packets here, a switch takes 21 cycles of 32 ns and a cable 8. Every message has BYTES KB; the paper
has 750 KB for CG.D-128 and prints no size for WRF-256. Processes are placed in order. The paper replays traces with the
times between messages, which are not published; here all messages of a phase are there when it begins.
WRF-256 is one phase, CG.D-128 the five phases of VII.A, each after the one before. The first four do not leave the
switches of level 1, take the same time with any routing, and are simulated once. *Colored* is `coloured`, which
minimises the contention of the pattern and need not be the scheme that the authors had.

Sampled: Random with seeds 1 to SEEDS, the others have one run each. All runs are in `table.csv`: the column
*cycles* has the last phase with every seed, *local* the phases before it, *crossbar* all phases and *crossbar
last* the last one in the full crossbar. *static* is what the exact loads say (column *loads*: most messages on a
link of the last phase): the slowdown of a fluid, below which packets cannot be.

![slowdown against the number of switches of the upper level](slowdown.svg)

Boxes: quartiles and median over the seeds, whiskers to the least and the greatest value.

## What the paper states

Verdicts are computed from the table with the tolerance that is named.

";

const REASONS: &str = "
Where it differs:

- *Eight times.* Eight sources of each switch take the same port, as the paper says, but one of the eight sends
  to itself: a link carries seven messages, and packets take seven times as long on the full tree. On slimmed
  trees they come to eight where the seven of a switch meet others on their way down.
- *The same performance as a pattern-aware scheme.* Not where w2 does not divide 16. With w2 = 15, two sources share a
  port with S-mod-k, four messages in all, and two destinations with D-mod-k; three messages on a link are enough
  for routes that may separate the two messages of a source. Simulated, four such messages take three times as long as two,
  not twice: packets wait behind others for another output (see the table at the end).
- *Conflicts on slimmed trees.* In the fifth phase two of the 16 tasks of a switch send to themselves, so that 14
  roots are enough for routes without conflict.
";

const CHANGES: &str = "
## What the figures depend on

Single runs with one thing changed. Slowdowns depend little on the size of the messages, on the size of queues and on
barriers between the phases. They do depend on where the queues are: with queues at outputs alone, no packet waits
behind one for another output.

";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::ro::points::{Fixed, Run};

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
                claims.iter().map(|c| c.holds).collect::<Vec<_>>(),
                [true, true, holds, true]
            );
        }
        // Without runs nothing holds.
        assert!(claims(View(&[])).iter().all(|claim| !claim.holds));
    }
}
