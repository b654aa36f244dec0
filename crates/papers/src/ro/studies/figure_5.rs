//! \[RO\] Figure 5: random NCA up and down on slimmed trees, and what VIII and IX say about them.

use super::applications::{above_fluid, chart, label, medians};
use super::mann_whitney::below;
use super::points::{Application, BYTES, SEEDS, first_seed};
use super::table::{Sample, View, samples, table};
use super::{CHOICE, Simulations, TREES};
use crate::sampling::Quartiles;
use crate::study::engine::{Cases, findings_list};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Figure5>(
    &["ro-figure-5"],
    "[RO] VIII, IX, Figure 5",
    "the same with r-NCA-u and r-NCA-d: box plots over 50 seeds, and how they compare with Random, \
            S-mod-k, D-mod-k and routes made for the pattern",
);

const SCHEMES: [&str; 6] = ["random", "rnca-u", "rnca-d", "smodk", "dmodk", "coloured"];
const PROPOSED: [&str; 2] = ["rnca-u", "rnca-d"];

/// The normal deviate that a one-sided test at the level of 5 % needs.
const LEVEL: f64 = 1.645;

use Application::{Cg, Wrf};

/// The runs of all schemes.
struct Figure5(Simulations);

impl Entry for Figure5 {
    type Row = Sample;

    fn of(tier: Tier) -> Result<Self> {
        Ok(Self(Simulations::of(&SCHEMES, tier)))
    }

    fn finder(&self) -> Finder<'_, Sample> {
        Finder::new(self.0.count(), move |job| self.0.sampled(job))
    }

    fn tables(&self, found: &[Sample]) -> Result<Vec<Table>> {
        Ok(vec![table(found)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Sample], tables: &[Table]) -> Result<Page> {
        let samples = samples(tables)?;
        let view = View(&samples);
        let figure = chart(view, &SCHEMES[..3], &SCHEMES[3..])?;
        Ok(Page::new(readme(view)).beside("slowdown.svg", figure))
    }
}

fn claims(view: View<'_>) -> Vec<Finding> {
    let mut claims = against_random(view);
    claims.extend(on_wrf(view));
    claims.extend(on_cg(view));
    claims.push(on_colored(view));
    claims
}

/// The least of some numbers, with -∞ for what is none, so that no claim holds of it.
fn least(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let number = |x: f64| if x.is_nan() { f64::NEG_INFINITY } else { x };
    numbers.into_iter().map(number).fold(f64::INFINITY, f64::min)
}

/// The maximum of some numbers, with ∞ for what is not a number.
fn most(numbers: impl IntoIterator<Item = f64>) -> f64 {
    -least(numbers.into_iter().map(|x| -x))
}

/// How sure it is that both proposals tend to be faster than Random: the smaller of the two deviates.
fn surely(view: View<'_>, application: Application, w2: u64) -> f64 {
    let random = view.slowdowns(application, w2, "random");
    least(PROPOSED.map(|scheme| below(&view.slowdowns(application, w2, scheme), &random)))
}

fn against_random(view: View<'_>) -> Vec<Finding> {
    let both = |w2| {
        let z = least(Application::ALL.map(|application| surely(view, application, w2)));
        (z, z > LEVEL)
    };
    let always = |w2| {
        let of = |scheme: &&str| most(view.slowdowns(Wrf, w2, scheme));
        let (slowest, fastest) =
            (most(PROPOSED.iter().map(of)), least(view.slowdowns(Wrf, w2, "random")));
        (slowest / fastest, slowest < fastest)
    };
    let cg = |w2| {
        let z = surely(view, Cg, w2);
        (z, z > LEVEL)
    };
    let test = "normal deviate of the Mann-Whitney test, the smaller of r-NCA-u and r-NCA-d against Random, above \
                1.645 (one-sided, 5 %), w2 = 16 to 2";
    vec![
        Finding::for_all(
            Case::quote(
                "IX",
                "both for WRF-256 and CG.D-128, the Random NCA Up and Random NCA Down strategies perform statistically better than Random",
            ),
            format!("{test}, both applications"),
            Cases { name: "w2", all: CHOICE, exceptions: 0 },
            both,
        ),
        Finding::for_all(
            Case::quote("IX", "For WRF-256, The performance is always bettern than Random"),
            "the slowest run of both ÷ the fastest one of Random is below 1, w2 = 16 to 2",
            Cases { name: "w2", all: CHOICE, exceptions: 0 },
            always,
        ),
        Finding::for_all(
            Case::quote(
                "IX",
                "For the case of CG.D-128, Random NCA Up and Random NCA Down perform statistically better than random for all the cases",
            ),
            test,
            Cases { name: "w2", all: CHOICE, exceptions: 0 },
            cg,
        ),
    ]
}

fn on_wrf(view: View<'_>) -> Vec<Finding> {
    let ratio = |w2: u64, others: &[&str]| {
        let near =
            others.iter().map(|scheme| view.median(Wrf, w2, scheme)).fold(f64::MIN, f64::max);
        most(PROPOSED.map(|scheme| view.median(Wrf, w2, scheme) / near))
    };
    let close = |w2| {
        let found = ratio(w2, &SCHEMES[3..]);
        (found, found <= 1.1)
    };
    let degraded = |w2| {
        let found = ratio(w2, &SCHEMES[3..5]);
        (found, found <= 1.1)
    };
    vec![
        Finding::for_all(
            Case::quote(
                "IX",
                "most of the times it is close to the performance of S-mod-k, D-mod-k or Colored for the majority of cases",
            ),
            "WRF-256: the slower median of both ÷ the slowest of the three is at most 1.1 for 9 of w2 = 16 to 1 or more",
            Cases { name: "w2", all: &TREES, exceptions: 7 },
            close,
        ),
        Finding::for_all(
            Case::quote("VIII", "not degrade WRF-256 much"),
            "the slower median of both ÷ the slower of S-mod-k and D-mod-k is at most 1.1, w2 = 16 to 1",
            Cases { name: "w2", all: &TREES, exceptions: 0 },
            degraded,
        ),
    ]
}

fn on_cg(view: View<'_>) -> Vec<Finding> {
    let modulo = |w2| least(["smodk", "dmodk"].map(|scheme| view.median(Cg, w2, scheme)));
    let coloured = |w2| view.median(Cg, w2, "coloured");
    let pathological: Vec<u64> =
        TREES.into_iter().filter(|w2| modulo(*w2) > 1.5 * coloured(*w2)).collect();
    let avoided = |w2| {
        let found = most(PROPOSED.map(|scheme| view.median(Cg, w2, scheme) / modulo(w2)));
        (found, found < 0.9)
    };
    let gap = |w2| {
        let found = least(PROPOSED.map(|scheme| view.median(Cg, w2, scheme) / coloured(w2)));
        (found, found > 1.05)
    };
    vec![
        Finding::for_all(
            Case::quote("IX", "avoids the pathological behaviour of S-mod-k and D-mod-k"),
            format!(
                "CG.D-128, where S-mod-k and D-mod-k take over 1.5 times what Colored does (w2 = {}): the slower \
                 median of both ÷ the faster of S-mod-k and D-mod-k is below 0.9",
                pathological.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            ),
            Cases { name: "w2", all: &pathological, exceptions: 0 },
            avoided,
        ),
        Finding::for_all(
            Case::quote(
                "IX",
                "Still, there is a gap to reach the performance of a pattern-aware algorithm such as Colored",
            ),
            "CG.D-128: the faster median of both ÷ Colored is above 1.05, w2 = 16 to 2",
            Cases { name: "w2", all: CHOICE, exceptions: 0 },
            gap,
        ),
    ]
}

fn on_colored(view: View<'_>) -> Finding {
    let fastest = |w2| {
        let of = |application: Application| {
            let own = view.median(application, w2, "coloured");
            let others = SCHEMES[..5].iter().flat_map(|s| view.slowdowns(application, w2, s));
            least(others.map(|slowdown| slowdown / own))
        };
        let found = least(Application::ALL.map(of));
        (found, found >= 0.99)
    };
    Finding::for_all(
        Case::quote(
            "IX",
            "We use a pattern-aware routing scheme (Colored [4]) as a baseline for the best achievable performance for each of the corresponding topologies",
        ),
        "no run of any other scheme takes less than 0.99 of what Colored does, both applications, w2 = 16 to 1",
        Cases { name: "w2", all: &TREES, exceptions: 0 },
        fastest,
    )
}

fn readme(view: View<'_>) -> String {
    let mut text = HEADER.replace("BYTES", &(BYTES / 1024).to_string());
    text = text.replace("SEEDS", &seeds());
    text.push_str(&findings_list(&claims(view)));
    text.push_str(REASONS);
    for application in Application::ALL {
        let (least, most) = above_fluid(view, application);
        let wins = TREES.into_iter().filter(|w2| fluid_wins(view, application, *w2)).count();
        // A String takes every write.
        let _ = write!(
            text,
            "\n## {}\n\nMedian slowdown, in brackets what the loads alone say. Over all runs the first is {least:.3} \
             to {most:.3} times the second. By the loads alone, both medians of r-NCA are below that of Random for {wins} \
             of the 16 trees.\n\n{}",
            application.name(),
            medians(view, application, &SCHEMES)
        );
    }
    text
}

/// Whether both proposals are better than Random by the medians of the loads.
fn fluid_wins(view: View<'_>, application: Application, w2: u64) -> bool {
    let of = |scheme: &str| {
        let sample = view.get(application, w2, scheme)?;
        Some(Quartiles::of(&sample.fluid())?.median)
    };
    let random = of("random");
    PROPOSED.iter().all(|scheme| of(scheme).zip(random).is_some_and(|(own, random)| own < random))
}

/// The seeds in words.
fn seeds() -> String {
    let of = |scheme: &&str| {
        let first = first_seed(scheme)?;
        Some(format!("{} with seeds {first} to {}", label(scheme), first + SEEDS - 1))
    };
    SCHEMES.iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

const HEADER: &str = include_str!("figure_5.header.md");

const REASONS: &str = include_str!("figure_5.reasons.md");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ro::studies::points::{Fixed, Run};

    fn sample(scheme: &str, cycles: &[u64]) -> Sample {
        let runs = cycles.iter().map(|cycles| Run { cycles: *cycles, load: 1 }).collect();
        let fixed = Fixed { local: 0, crossbar: 100, crossbar_last: 100 };
        Sample { application: Cg, w2: 16, scheme: scheme.to_string(), runs, fixed }
    }

    #[test]
    fn verdicts_follow_the_numbers() {
        let samples = |slow: u64| {
            [
                sample("random", &[400, 401, 402, 403]),
                sample("rnca-u", &[slow, 310, 320, 330]),
                sample("rnca-d", &[300, 310, 320, 330]),
                sample("smodk", &[700]),
                sample("dmodk", &[700]),
                sample("coloured", &[100]),
            ]
        };
        let good = samples(300);
        assert!(!on_cg(View(&good))[0].fails());
        assert!(surely(View(&good), Cg, 16) > LEVEL);
        // One slow run of four is not sure enough.
        assert!(surely(View(&samples(999)), Cg, 16) < LEVEL);
        assert!(claims(View(&[])).iter().all(Finding::fails));
    }
}
