//! RANDOM′ as measured: where every channel has lg n wires, and with (k + 1) lg n passes where messages take random
//! wires.

use super::{mean, table};
use crate::study::deliveries::{Measured, Point, Points};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Cycles>(
    &["gl-random-prime"],
    "[GL] 6, Figure 7",
    "delivery cycles of RANDOM' where channels have lg n wires and more, for 2^6 to 2^16 processors, and of RANDOM' \
            with (k+1) lg n passes where messages take random wires, for 2^6 to 2^12, against the load factor",
);

/// An algorithm where it is printed.
struct Setting {
    algorithm: &'static str,
    /// lg n, in steps of 2.
    heights: std::ops::RangeInclusive<u32>,
    load_factors: &'static [u64],
    /// The unit of its cycles, and the power of lg n in it.
    unit: &'static str,
    power: i32,
}

const SETTINGS: [Setting; 2] = [
    Setting {
        algorithm: "random-prime",
        heights: 6..=16,
        load_factors: &[1, 4, 16, 64, 256],
        unit: "lambda",
        power: 0,
    },
    Setting {
        algorithm: "repeated",
        heights: 6..=12,
        load_factors: &[1, 4, 16, 64],
        unit: "lambda lg^2 n",
        power: 2,
    },
];

const SETS: [&str; 3] = ["messages", "local(span=8)", "hot(percent=5)"];

/// What the analysis presumes, and an admissible switch.
const LOSSES: [&str; 2] = ["all", "random"];

/// Seeds of a point.
const RUNS: u64 = 10;

/// Maximum number of messages of a point, by an upper bound.
const MOST: u64 = 1 << 20;

/// The load factor of the figure.
const SHOWN: u64 = 16;

fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for (setting, set, loss) in itertools::iproduct!(&SETTINGS, SETS, LOSSES) {
        for height in setting.heights.clone().step_by(2) {
            let fits = |load_factor: &&u64| about(setting, set, height, **load_factor) <= MOST;
            for load_factor in setting.load_factors.iter().filter(fits) {
                points.push(point(setting, set, loss, height, *load_factor));
            }
        }
    }
    points
}

fn point(setting: &Setting, set: &str, loss: &str, height: u32, load_factor: u64) -> Point {
    let n = 1_u64 << height;
    Point {
        topology: match setting.algorithm {
            "repeated" => format!("bft({n})"),
            _ => format!("universal({n},leaf={height})"),
        },
        algorithm: setting.algorithm.to_string(),
        messages: set.to_string(),
        loss: loss.to_string(),
        load_factor: Some(Rational::from(load_factor)),
        runs: RUNS,
        seed: 1,
    }
}

/// An upper bound on the number of messages of a load factor, as in the study of Figure 4, for every wire of a host
/// channel.
fn about(setting: &Setting, set: &str, height: u32, load_factor: u64) -> u64 {
    let channels = if set.starts_with("local") { 1 << height } else { 4 << (height / 2) };
    let wires = if setting.power == 0 { u64::from(height) } else { 1 };
    load_factor * channels * wires
}

/// The points of a tier.
struct Cycles(Points);

impl Entry for Cycles {
    type Row = Measured;

    fn of(tier: Tier) -> Result<Self> {
        let mut points = points();
        let is_small = |point: &Point| {
            let is_64 = point.topology.contains("(64");
            is_64 && point.load_factor.as_ref().is_some_and(|load| *load <= 16.into())
        };
        points.retain(|point| tier == Tier::Full || is_small(point));
        Ok(Self(Points(points)))
    }

    fn finder(&self) -> Finder<'_, Measured> {
        Finder::in_turn(&self.0)
    }

    fn tables(&self, found: &[Measured]) -> Result<Vec<Table>> {
        Ok(vec![table(&self.0.0, found)])
    }

    fn page(&self, found: &[Measured], _: &[Table]) -> Result<Page> {
        let rows: Vec<Row> = self.0.0.iter().zip(found).collect();
        let axes = Axes { x: "processors", y: "cycles / unit" };
        let svg = curve_charts(&charts(&rows), axes, [Scale::Logarithmic; 2])?;
        Ok(Page::new(readme(&rows)).beside("cycles.svg", svg))
    }
}

type Row<'r> = (&'r Point, &'r Measured);

impl Setting {
    fn is_of(&self, (point, _): &Row) -> bool {
        point.algorithm == self.algorithm
    }

    /// Mean cycles in its unit, with half the width of the interval.
    fn relative(&self, found: &Measured) -> Option<(f64, f64)> {
        let (cycles, half_width) = mean(found)?;
        let lg = (found.processors as f64).log2();
        let unit = found.factor().to_f64() * lg.powi(self.power);
        Some((cycles / unit, half_width / unit))
    }
}

/// A chart for each algorithm, a curve for every family of messages and rule of loss.
fn charts(rows: &[Row]) -> Vec<Chart> {
    let chart = |setting: &Setting| {
        let mut curves = Vec::new();
        for (set, loss) in itertools::iproduct!(SETS, LOSSES) {
            let is_shown = |row: &&Row| {
                let is_of = setting.is_of(row) && row.0.messages == set && row.0.loss == loss;
                is_of && row.0.load_factor == Some(SHOWN.into())
            };
            let place = |(_, found): &Row| {
                let (y, half_width) = setting.relative(found)?;
                Some(CurvePoint { x: found.processors as f64, y, half_width })
            };
            let points: Vec<_> = rows.iter().filter(is_shown).filter_map(place).collect();
            if !points.is_empty() {
                let name = format!("{set}, losses {loss}");
                curves.push(Curve { name, points, form: Form::Measured });
            }
        }
        let title = format!("{}, lambda = {SHOWN}: cycles / {}", setting.algorithm, setting.unit);
        Chart { title, curves }
    };
    SETTINGS.iter().map(chart).collect()
}

/// A line for every family of messages, rule of loss and n: mean cycles in the unit, by load factor.
fn lines(setting: &Setting, rows: &[Row]) -> Vec<Vec<String>> {
    let of: Vec<&Row> = rows.iter().filter(|row| setting.is_of(row)).collect();
    let same = |a: &&Row, b: &&Row| {
        let key = |row: &Row| (row.0.messages.clone(), row.0.loss.clone(), row.1.processors);
        key(a) == key(b)
    };
    let line = |rows: &[&Row]| {
        let (point, found) = rows[0];
        let mut line =
            vec![point.messages.clone(), point.loss.clone(), found.processors.to_string()];
        for load_factor in setting.load_factors {
            let is_of = |row: &&&Row| row.0.load_factor == Some((*load_factor).into());
            let found = rows.iter().find(is_of).and_then(|row| setting.relative(row.1));
            line.push(found.map_or("-".to_string(), |(cycles, _)| format!("{cycles:.2}")));
        }
        line
    };
    of.chunk_by(same).map(line).collect()
}

fn readme(rows: &[Row]) -> String {
    let mut text = HEADER.to_string();
    for setting in &SETTINGS {
        let of = rows.iter().filter(|row| setting.is_of(row));
        let found: Vec<f64> = of.filter_map(|row| Some(setting.relative(row.1)?.0)).collect();
        let least = found.iter().copied().fold(f64::MAX, f64::min);
        let most = found.iter().copied().fold(0.0, f64::max);
        let Setting { algorithm, unit, .. } = setting;
        // A String takes every write.
        let _ = write!(
            text,
            "\n## {algorithm}\n\nMean cycles are {least:.2} to {most:.2} times {unit}, at {} points:\n\n",
            found.len()
        );
        let heads = ["messages", "loss", "n"].map(String::from).into_iter();
        let heads: Vec<String> = heads
            .chain(setting.load_factors.iter().map(|load| format!("lambda = {load}")))
            .collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        text.push_str(&markdown(&heads, lines(setting, rows).into_iter()));
    }
    text
}

const HEADER: &str = include_str!("random_prime.header.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// Every channel of the trees of RANDOM′ has lg n wires at least, and no point has far more messages than it may.
    #[test]
    fn points_are_as_printed() {
        let points = points();
        for point in &points {
            let lg = point.topology.split_once("leaf=").map(|(_, leaf)| leaf.trim_end_matches(')'));
            let n: u64 = point.topology.split(['(', ',', ')']).nth(1).unwrap().parse().unwrap();
            assert_eq!(
                lg.map(str::parse),
                (point.algorithm == "random-prime").then(|| Ok(n.ilog2()))
            );
        }
        let small = Cycles::of(Tier::Small).unwrap();
        let found = small.0.measure(&Units::default(), &Progress::silent()).unwrap().unwrap();
        let rows: Vec<Row> = small.0.0.iter().zip(&found).collect();
        for (point, found) in &rows {
            let setting =
                SETTINGS.iter().find(|setting| point.algorithm == setting.algorithm).unwrap();
            let load_factor = point.load_factor.as_ref().unwrap().scaled(1).unwrap();
            assert!(
                found.total <= 2 * about(setting, &point.messages, 6, load_factor),
                "{found:?}"
            );
            // No fewer cycles than the load factor.
            assert!(mean(found).unwrap().0 >= found.factor().to_f64());
        }
        assert_eq!(rows.len(), 2 * 3 * 2 * 3);
        let text = readme(&rows);
        assert!(
            text.contains("## repeated\n") && text.contains(" messages |    all | 64 | "),
            "{text}"
        );
        assert_eq!(charts(&rows).len(), 2);
    }
}
