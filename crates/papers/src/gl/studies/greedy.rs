//! GREEDY against RANDOM: where each wins.

use super::{mean, of_tier, table};
use crate::study::deliveries::{Measured, Point, Points};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Comparison>(
    &["gl-greedy"],
    "[GL] 5",
    "delivery cycles of GREEDY against those of RANDOM, on random, local and hot messages, a \
            permutation, messages that leave the tree, and the sets of Theorem 9",
);

const SETS: [&str; 6] =
    ["messages", "local(span=8)", "hot(percent=20)", "bitrev", "leaving", "theorem-9"];

const ALGORITHMS: [&str; 3] = ["greedy", "random(k1=2,k2=4,r=1.5)", "offline(steps=0)"];

/// A random rule, and the one for which GREEDY takes exactly λ(1 + lg n/6) cycles with the sets of Theorem 9.
const LOSSES: [&str; 2] = ["random", "left"];

/// lg n, in steps of 2: Theorem 9 takes powers of 4.
const HEIGHTS: std::ops::RangeInclusive<u32> = 4..=16;

const LOAD_FACTORS: [u64; 4] = [12, 24, 48, 96];

/// The load factor of the figure.
const SHOWN: u64 = 48;

/// lg n up to which off-line schedules are made, and local messages sent.
const FEW: u32 = 12;

/// Seeds where something is random.
const RUNS: u64 = 10;

fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for (set, loss) in itertools::iproduct!(SETS, LOSSES) {
        for (load_factor, height) in itertools::iproduct!(LOAD_FACTORS, HEIGHTS.step_by(2)) {
            let is_local = set.starts_with("local") && height > FEW;
            for algorithm in ALGORITHMS.iter().filter(|_| !is_local) {
                // No message of a schedule is lost: one rule is enough.
                let is_offline = algorithm.starts_with("offline");
                if is_offline && (loss != LOSSES[0] || height > FEW || load_factor != SHOWN) {
                    continue;
                }
                points.push(point(set, algorithm, loss, height, load_factor));
            }
        }
    }
    points
}

fn point(set: &str, algorithm: &str, loss: &str, height: u32, load_factor: u64) -> Point {
    let is_certain = loss == "left" && algorithm == "greedy" || algorithm.starts_with("offline");
    Point {
        topology: format!("universal({},root=open)", 1_u64 << height),
        algorithm: algorithm.to_string(),
        messages: set.to_string(),
        loss: loss.to_string(),
        load_factor: Some(load_factor.into()),
        runs: if is_certain { 1 } else { RUNS },
        seed: 1,
    }
}

/// The points of a tier.
struct Comparison(Points);

impl Entry for Comparison {
    type Row = Measured;

    fn of(tier: Tier) -> Result<Self> {
        Ok(Self(of_tier(points(), tier)))
    }

    fn finder(&self) -> Finder<'_, Measured> {
        Finder::in_turn(&self.0)
    }

    fn tables(&self, found: &[Measured]) -> Result<Vec<Table>> {
        Ok(vec![table(&self.0.0, found)])
    }

    fn page(&self, found: &[Measured], _: &[Table]) -> Result<Page> {
        let rows: Vec<(&Point, &Measured)> = self.0.0.iter().zip(found).collect();
        let axes = Axes { x: "processors", y: "cycles / load factor" };
        let svg = curve_charts(&charts(&rows), axes, [Scale::Logarithmic; 2])?;
        Ok(Page::new(readme(&rows)).beside("cycles.svg", svg))
    }
}

/// Mean cycles ÷ λ, with half the width of the interval.
fn relative(found: &Measured) -> Option<(f64, f64)> {
    let (cycles, half_width) = mean(found)?;
    let factor = found.factor().to_f64();
    Some((cycles / factor, half_width / factor))
}

fn is_shown(point: &Point) -> bool {
    point.load_factor == Some(SHOWN.into())
}

/// A chart for every family, a curve for every algorithm and rule.
fn charts(rows: &[(&Point, &Measured)]) -> Vec<Chart> {
    let chart = |set: &str| {
        let mut curves = Vec::new();
        for (algorithm, loss) in itertools::iproduct!(ALGORITHMS, LOSSES) {
            let of = rows.iter().filter(|(point, _)| {
                let is_of = point.messages == set && point.algorithm == algorithm;
                is_of && point.loss == loss && is_shown(point)
            });
            let place = |found: &Measured| {
                let (y, half_width) = relative(found)?;
                Some(CurvePoint { x: found.processors as f64, y, half_width })
            };
            let points: Vec<_> = of.filter_map(|(_, found)| place(found)).collect();
            let name = match algorithm.split('(').next() {
                Some("offline") => "off-line".to_string(),
                Some("greedy") => format!("GREEDY, losses {loss}"),
                _ => format!("RANDOM, losses {loss}"),
            };
            if !points.is_empty() {
                curves.push(Curve { name, points, form: Form::Measured });
            }
        }
        Chart { title: format!("{set}, lambda = {SHOWN}"), curves }
    };
    SETS.map(chart).into()
}

const HEADS: [&str; 8] =
    ["messages", "loss", "lambda", "n", "GREEDY", "RANDOM", "off-line", "fewer cycles"];

/// A line for every set: the means, and which of the two is less, if the intervals are apart.
fn comparison(rows: &[(&Point, &Measured)]) -> Vec<Vec<String>> {
    let by = |of: &Point, algorithm: &str| {
        let same = rows.iter().find(|(point, _)| {
            let is_rule = point.loss == of.loss || algorithm.starts_with("offline");
            let is_set = point.messages == of.messages && point.topology == of.topology;
            let is_same = is_set && point.load_factor == of.load_factor;
            is_same && is_rule && point.algorithm == algorithm
        });
        same.and_then(|(_, found)| mean(found))
    };
    let greedy = rows.iter().filter(|(point, _)| point.algorithm == ALGORITHMS[0]);
    let line = |(point, found): &(&Point, &Measured)| {
        let [greedy, random, offline] = ALGORITHMS.map(|algorithm| by(point, algorithm));
        let text = |mean: Option<(f64, f64)>| mean.map_or("-".into(), |(m, _)| format!("{m:.1}"));
        let lambda = format!("{:.2}", found.factor().to_f64());
        let set = point.messages.clone();
        let named = [set, point.loss.clone(), lambda, found.processors.to_string()];
        let wins = greedy.zip(random).map_or("-", |(greedy, random)| fewer(greedy, random));
        let means = [text(greedy), text(random), text(offline), wins.to_string()];
        named.into_iter().chain(means).collect()
    };
    greedy.map(line).collect()
}

/// Which of two means with half widths is less.
fn fewer(greedy: (f64, f64), random: (f64, f64)) -> &'static str {
    if greedy.0 + greedy.1 < random.0 - random.1 {
        "GREEDY"
    } else if random.0 + random.1 < greedy.0 - greedy.1 {
        "RANDOM"
    } else {
        "neither"
    }
}

fn readme(rows: &[(&Point, &Measured)]) -> String {
    let lines = comparison(rows);
    let mut text = HEADER.to_string();
    for set in SETS {
        let of_set = || lines.iter().filter(|line| line[0] == set);
        let wins = ["GREEDY", "RANDOM", "neither"]
            .map(|name| of_set().filter(|line| line[7] == name).count());
        // A String takes every write.
        let _ =
            writeln!(text, "- {set}: GREEDY {}, RANDOM {}, neither {}.", wins[0], wins[1], wins[2]);
    }
    text.push_str("\n## All sets\n\n");
    text.push_str(&markdown(&HEADS, lines.into_iter()));
    text
}

const HEADER: &str = include_str!("greedy.header.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// GREEDY takes λ(1 + lg n/6) cycles for M_n under `left`: 48·(1 + 4/6) = 80 and 48·2 = 96.
    #[test]
    fn the_sets_of_theorem_9_take_as_long_as_is_known() {
        let is_one = |point: &Point| {
            let is_small = ["universal(16,root=open)", "universal(64,root=open)"];
            let is_set = point.messages == "theorem-9" && point.loss == "left";
            is_set && is_small.contains(&point.topology.as_str()) && is_shown(point)
        };
        let small = Points(points().into_iter().filter(is_one).collect());
        let found = small.measure(&Units::default(), &Progress::silent()).unwrap().unwrap();
        let rows: Vec<_> = small.0.iter().zip(&found).collect();
        let lines = comparison(&rows);
        let greedy: Vec<&str> = lines.iter().map(|line| line[4].as_str()).collect();
        assert_eq!(greedy, ["80.0", "96.0"]);
        assert!(lines.iter().all(|line| line[5] != "-"));
    }

    #[test]
    fn the_lesser_mean_wins_where_intervals_are_apart() {
        assert_eq!(fewer((10.0, 1.0), (12.5, 1.0)), "GREEDY");
        assert_eq!(fewer((10.0, 1.0), (11.5, 1.0)), "neither");
        assert_eq!(fewer((10.0, 0.0), (9.0, 0.5)), "RANDOM");
    }
}
