//! \[GL\] Figure 4 as measured: the cycles of RANDOM against load factor and number of processors.

use super::{mean, of_tier, table};
use crate::simulation::delivery::figure_4;
use crate::study::deliveries::{Measured, Point, Points};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Figure4>(
    &["gl-figure-4"],
    "[GL] 3, Figure 4",
    "delivery cycles of RANDOM against the load factor, for 2^6 to 2^20 processors and all families \
            of messages, and the constants of the bound of Figure 4",
);

/// Families of messages and patterns. Those that leave need an outside world.
const SETS: [&str; 6] =
    ["messages", "local(span=8)", "hot(percent=5)", "leaving", "bitrev", "shift(1)"];

/// Small constants, and those of the proof (by default).
const ALGORITHMS: [&str; 2] = ["random(k1=2,k2=4,r=1.5)", "random"];

/// lg n, in steps of 2.
const HEIGHTS: std::ops::RangeInclusive<u32> = 6..=20;

/// lg n up to which RANDOM has the constants of the proof: its cycles are many.
const PROVEN: u32 = 12;

const LOAD_FACTORS: [u64; 7] = [1, 2, 4, 16, 64, 256, 1024];

/// Maximum number of messages of a point.
const MOST: u64 = 1 << 20;

fn points() -> Vec<Point> {
    let mut points = Vec::new();
    for (set, algorithm) in itertools::iproduct!(SETS, ALGORITHMS) {
        for height in HEIGHTS.step_by(2) {
            if algorithm == "random" && height > PROVEN {
                continue;
            }
            let wanted = load_factors(set, height).into_iter();
            points.extend(wanted.map(|wanted| point(set, algorithm, height, wanted)));
        }
    }
    points
}

/// The load factors of a set. Patterns are sent once, and then as often as leads to one of them.
fn load_factors(set: &str, height: u32) -> Vec<Option<u64>> {
    let is_pattern = ["bitrev", "shift(1)"].contains(&set);
    // Once, they have 3/8·√n and 1/2·√n: n/2 messages out of the root, which has √n wires.
    let least = if is_pattern { 1 << (height / 2) } else { 0 };
    let some = LOAD_FACTORS.iter().filter(|l| **l >= least && about(set, height, **l) <= MOST);
    let once = is_pattern.then_some(None);
    once.into_iter().chain(some.map(|l| Some(*l))).collect()
}

fn point(set: &str, algorithm: &str, height: u32, load_factor: Option<u64>) -> Point {
    let n = 1_u64 << height;
    let root = if set == "leaving" { ",root=open" } else { "" };
    let set = set.replace("shift(1)", &format!("shift({})", n / 2));
    Point {
        topology: format!("universal({n}{root})"),
        algorithm: algorithm.to_string(),
        messages: set,
        loss: "random".to_string(),
        load_factor: load_factor.map(Rational::from),
        runs: match height {
            ..=10 => 20,
            11..=14 => 10,
            _ => 3,
        },
        seed: 1,
    }
}

/// An upper bound on the number of messages of a load factor: of the local ones n or so for 4, of others √n
/// or so for one that leaves a half of the tree.
fn about(set: &str, height: u32, load_factor: u64) -> u64 {
    let channels = if set.starts_with("local") { 1 << height } else { 4 << (height / 2) };
    load_factor * channels
}

/// The points of a tier.
struct Figure4(Points);

impl Entry for Figure4 {
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
        let axes = Axes { x: "load factor", y: "cycles / load factor" };
        let svg = curve_charts(&charts(&rows), axes, [Scale::Logarithmic; 2])?;
        Ok(Page::new(readme(&rows)).beside("cycles.svg", svg))
    }
}

/// Whether a point belongs to a family.
fn is_of(set: &str, point: &Point) -> bool {
    point.messages == set || set.starts_with("shift") && point.messages.starts_with("shift")
}

fn lg(found: &Measured) -> u32 {
    found.processors.ilog2()
}

/// A chart for every family, a curve for every n, with small constants.
fn charts(rows: &[(&Point, &Measured)]) -> Vec<Chart> {
    let chart = |set: &str| {
        let of_set =
            rows.iter().filter(|row| is_of(set, row.0) && row.0.algorithm == ALGORITHMS[0]);
        let rows: Vec<_> = of_set.collect();
        let mut curves: Vec<Curve> = rows
            .chunk_by(|a, b| a.1.processors == b.1.processors)
            .map(|rows| Curve {
                name: format!("n = 2^{}", lg(rows[0].1)),
                points: rows.iter().filter_map(|(_, found)| place(found)).collect(),
                form: Form::Measured,
            })
            .collect();
        let guide = LOAD_FACTORS.map(|l| CurvePoint::exact(l as f64, 1.0)).to_vec();
        curves.push(Curve { name: "no fewer".into(), points: guide, form: Form::Guide });
        Chart { title: set.replace("shift(1)", "shift(n/2)"), curves }
    };
    SETS.map(chart).into()
}

fn place(found: &Measured) -> Option<CurvePoint> {
    let ((cycles, half_width), factor) = (mean(found)?, found.factor().to_f64());
    Some(CurvePoint { x: factor, y: cycles / factor, half_width: half_width / factor })
}

/// Where the bound of Figure 4 changes.
fn range(found: &Measured) -> usize {
    let (factor, lg) = (found.factor().to_f64(), f64::from(lg(found)));
    [1.0, 2.0, lg * lg.log2()].iter().filter(|end| factor > **end).count()
}

const RANGES: [&str; 4] =
    ["lambda <= 1", "1 < lambda <= 2", "2 < lambda <= lg n lg lg n", "lambda above"];

/// For each algorithm, family and range the minimum and the maximum mean ÷ growth.
fn constants(rows: &[(&Point, &Measured)]) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for (algorithm, set) in itertools::iproduct!(ALGORITHMS, SETS) {
        let mut line = vec![algorithm.to_string(), set.replace("shift(1)", "shift(n/2)")];
        for wanted in 0..RANGES.len() {
            let of = rows.iter().filter(|(point, found)| {
                is_of(set, point) && point.algorithm == algorithm && range(found) == wanted
            });
            let fitted: Vec<f64> = of.filter_map(|(_, found)| fitted(found)).collect();
            let least = fitted.iter().copied().fold(f64::MAX, f64::min);
            let most = fitted.iter().copied().fold(0.0, f64::max);
            let none = fitted.is_empty();
            line.push(if none { "-".into() } else { format!("{least:.2} to {most:.2}") });
        }
        lines.push(line);
    }
    lines
}

fn fitted(found: &Measured) -> Option<f64> {
    Some(mean(found)?.0 / figure_4(found.processors, found.factor().to_f64()))
}

fn readme(rows: &[(&Point, &Measured)]) -> String {
    let mut heads = vec!["algorithm", "messages"];
    heads.extend(RANGES);
    let mut text = HEADER.to_string();
    text.push_str(&markdown(&heads, constants(rows).into_iter()));
    let most = rows.iter().map(|(_, found)| found.total).max().unwrap_or(0);
    // A String takes every write.
    let _ = write!(text, "\n{} points, up to {most} messages.\n", rows.len());
    text
}

const HEADER: &str = include_str!("figure_4.header.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// 2^20 processors occur in every family, and no point has far more messages than it may.
    #[test]
    fn points_are_within_limits() {
        let points = points();
        for set in SETS {
            let of_set: Vec<&Point> = points.iter().filter(|point| is_of(set, point)).collect();
            let most = of_set.iter().filter(|p| p.topology.contains("(1048576")).count();
            assert!(most >= 1, "{set}: {most}");
            assert!(of_set.iter().any(|p| p.topology.contains("(64")));
        }
        // The full tier makes as many runs as the study.
        let runs = |point: &Point| if cfg!(feature = "slow-tests") { point.runs } else { 2 };
        let small = points.into_iter().filter(|point| point.topology.contains("(64"));
        let small = Points(small.map(|point| Point { runs: runs(&point), ..point }).collect());
        let found = small.measure(&Units::default(), &Progress::silent()).unwrap().unwrap();
        for (point, found) in small.0.iter().zip(&found) {
            let height = lg(found);
            let set = SETS.iter().find(|set| is_of(set, point)).unwrap();
            let once = || found.factor().floor().try_into().unwrap_or(u64::MAX);
            let wanted = point.load_factor.as_ref().map_or_else(once, |l| l.scaled(1).unwrap());
            assert!(found.total <= 2 * about(set, height, wanted), "{found:?}");
        }
        let rows: Vec<_> = small.0.iter().zip(&found).collect();
        let text = readme(&rows);
        assert!(text.contains("| random(k1=2,k2=4,r=1.5) |"), "{text}");
        assert_eq!(charts(&rows).len(), SETS.len());
    }
}
