//! Networks laid out in the plane and in space, simulated on the fat-trees of \[GL\] that are universal
//! for area and volume: load factors, delivery cycles and time for every step.

use crate::simulation::delivery::sets::{Ends, open};
use crate::simulation::layout::{Layout, carry};
use crate::study::deliveries::{Measured, Point, Points};
use crate::study::prelude::*;
use crate::topology::UniversalShape;

pub(super) const KIND: Kind<Study> = Study::kind::<Networks>(
    &["gl-universality"],
    "[GL] 2, Lemma 2; 6, Theorem 10",
    "square and cubic meshes and random geometric networks on universal fat-trees: load factors, \
            delivery cycles and time for every step, for up to 4^8 and 8^6 processors",
);

/// A network with a range of sizes.
#[derive(Clone, Copy)]
struct Sizes {
    network: &'static str,
    dimensions: u32,
    /// Growth of its fat-tree.
    growth: &'static str,
    /// lg n from the first to the last.
    heights: [u32; 2],
    /// The largest lg n for which a permutation is carried, as shortest paths take time.
    carried: u32,
}

const SIZES: [Sizes; 4] = [
    plane("mesh2", [6, 16], 16),
    plane("geometric2", [6, 16], 15),
    space("mesh3", [6, 18], 18),
    space("geometric3", [6, 18], 15),
];

const fn plane(network: &'static str, heights: [u32; 2], carried: u32) -> Sizes {
    Sizes { network, dimensions: 2, growth: "double2", heights, carried }
}

const fn space(network: &'static str, heights: [u32; 2], carried: u32) -> Sizes {
    Sizes { network, dimensions: 3, growth: "quadruple3", heights, carried }
}

/// Seed of networks and permutations, and runs of an algorithm.
const SEED: u64 = 1;
const RUNS: u64 = 5;

const ALGORITHMS: [&str; 2] = ["random(k1=1,k2=1,r=2)", "greedy"];

const STEP_HEADS: [&str; 8] = [
    "network",
    "n",
    "wires / surface",
    "load factor",
    "RANDOM",
    "GREEDY",
    "RANDOM x lg^2 n",
    "GREEDY x lg^2 n",
];

const SET_HEADS: [&str; 11] = [
    "network",
    "n",
    "t",
    "load factor",
    "load factor / t",
    "RANDOM",
    "GREEDY",
    "RANDOM / t",
    "GREEDY / t",
    "RANDOM x lg^2 n / t",
    "RANDOM / (t lambda_1 + lg n lg lg n)",
];

/// A network of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Simulated {
    network: String,
    dimensions: u32,
    height: u32,
    /// The most wires of a region ÷ its surface, as text.
    surface: String,
    /// λ of a step, as text.
    one: String,
    /// Steps in which the network delivers the permutation; none where paths are not searched.
    steps: Option<u64>,
    /// One step under each algorithm, then the permutation.
    measured: Vec<Measured>,
}

/// The rows of both tables: a network, and lg n.
struct Networks(Vec<(Sizes, u32)>);

impl Networks {
    fn new(sizes: &[Sizes]) -> Self {
        let of_network = |sizes: &Sizes| {
            let (sizes, [from, to]) = (*sizes, sizes.heights);
            (from..=to).step_by(sizes.dimensions as usize).map(move |height| (sizes, height))
        };
        Self(sizes.iter().flat_map(of_network).collect())
    }
}

impl Entry for Networks {
    type Row = Simulated;

    /// The small tier has the smallest size of each network.
    fn of(tier: Tier) -> Result<Self> {
        let smallest = |sizes: Sizes| Sizes { heights: [sizes.heights[0]; 2], ..sizes };
        Ok(Self::new(&if tier == Tier::Small { SIZES.map(smallest) } else { SIZES }))
    }

    fn finder(&self) -> Finder<'_, Simulated> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Simulated]) -> Result<Vec<Table>> {
        Ok(vec![
            Table::new("steps.csv", &STEP_HEADS, found.iter().map(Simulated::step_row)),
            Table::new("sets.csv", &SET_HEADS, found.iter().filter_map(Simulated::set_row)),
        ])
    }

    fn page(&self, found: &[Simulated], tables: &[Table]) -> Result<Page> {
        let [steps, sets] = tables else { return Ok(Page::default()) };
        let page = Page::new(HEADER).table(steps).text(SETS).table(sets).text(FINDINGS);
        Ok(page.beside("cycles.svg", figure(found)?))
    }
}

impl Networks {
    fn points(&(sizes, height): &(Sizes, u32)) -> Points {
        let sets = [format!("step(network={},seed={SEED})", sizes.network), permutation()];
        let sets = sets.iter().take(1 + usize::from(height <= sizes.carried));
        let points = sets.flat_map(|messages| {
            ALGORITHMS.map(|algorithm| Point {
                topology: topology(sizes.growth, height),
                algorithm: algorithm.into(),
                messages: messages.clone(),
                loss: "random".into(),
                load_factor: None,
                runs: RUNS,
                seed: SEED,
            })
        });
        Points(points.collect())
    }
}

fn topology(growth: &str, height: u32) -> String {
    format!("universal({},growth={growth})", 1_u64 << height)
}

fn permutation() -> String {
    format!("permutation(seed={SEED})")
}

impl Rows for Networks {
    type Key = (Sizes, u32);
    type Row = Simulated;

    fn keys(&self) -> &[(Sizes, u32)] {
        &self.0
    }

    fn find(&self, key: &(Sizes, u32), progress: &Progress) -> Result<Simulated> {
        let (Sizes { network, dimensions, growth, carried, .. }, height) = *key;
        let processors = 1_usize << height;
        let layout = Layout::named(network, processors, SEED)?;
        let steps = if height <= carried {
            let (messages, _) = open(&permutation(), Ends { processors, outside: None })?;
            Some(carry(&layout, messages.iter(), &progress.part(1.0))?.steps)
        } else {
            None
        };
        let points = Self::points(key);
        let measured = points.0.iter().map(|point| points.find(point, progress));
        let shape = UniversalShape::named(&topology(growth, height))?;
        let one = shape.and_then(|shape| layout.step_load_factor(shape.wires()));
        Ok(Simulated {
            network: network.to_string(),
            dimensions,
            height,
            surface: layout.wires_per_surface().to_string(),
            one: one.unwrap_or_default().to_string(),
            steps,
            measured: measured.collect::<Result<_>>()?,
        })
    }

    fn holds(&self, key: &(Sizes, u32), found: &Simulated) -> bool {
        let points = Self::points(key);
        let (Sizes { network, .. }, height) = *key;
        let measured = points.0.iter().zip(&found.measured);
        let bound = found.bound();
        found.measured.len() == points.0.len()
            && (found.network.as_str(), found.height) == (network, height)
            && measured.clone().all(|(point, measured)| points.holds(point, measured))
            && measured.take(2).all(|(_, step)| step.load_factor == found.one)
            && found.measured.iter().skip(2).all(|set| set.factor() <= bound)
    }
}

impl Simulated {
    /// t·λ₁.
    fn bound(&self) -> Rational {
        let one: Rational = self.one.parse().unwrap_or_default();
        &one * &Rational::from(self.steps.unwrap_or(0))
    }

    /// Mean cycles of a measurement.
    fn mean(&self, at: usize) -> f64 {
        let sample = self.measured.get(at).and_then(Measured::sample);
        sample.map_or(0.0, |sample| sample.mean().to_f64())
    }

    fn name(&self) -> [String; 2] {
        [self.network.clone(), (1_u64 << self.height).to_string()]
    }

    fn step_row(&self) -> Vec<String> {
        let square = f64::from(self.height).powi(2);
        let surface = self.surface.parse::<Rational>().unwrap_or_default().to_f64();
        let cycles = [0, 1].map(|at| format!("{:.1}", self.mean(at)));
        let times = [0, 1].map(|at| format!("{:.0}", self.mean(at) * square));
        let exact = [format!("{surface:.2}"), self.one.clone()];
        self.name().into_iter().chain(exact).chain(cycles).chain(times).collect()
    }

    /// `None` where the permutation is not carried.
    fn set_row(&self) -> Option<Vec<String>> {
        let (steps, set) = (self.steps? as f64, self.measured.get(2)?);
        let [random, greedy] = [2, 3].map(|at| self.mean(at));
        let lg = f64::from(self.height);
        let per_step = random / steps;
        let numbers = [
            set.load_factor.clone(),
            format!("{:.3}", set.factor().to_f64() / steps),
            format!("{random:.1}"),
            format!("{greedy:.1}"),
            format!("{per_step:.2}"),
            format!("{:.2}", greedy / steps),
            format!("{:.0}", per_step * lg.powi(2)),
            format!("{:.3}", random / (self.bound().to_f64() + lg * lg.log2())),
        ];
        Some(self.name().into_iter().chain([steps.to_string()]).chain(numbers).collect())
    }

    /// n, with the cycles of each step.
    fn point(&self, at: usize, steps: f64) -> Option<CurvePoint> {
        let sample = self.measured.get(at)?.sample()?;
        Some(CurvePoint {
            x: (1_u64 << self.height) as f64,
            y: sample.mean().to_f64() / steps,
            half_width: sample.half_width() / steps,
        })
    }
}

/// Cycles of one step, and of a permutation for each step that it takes; plane and space apart.
fn figure(found: &[Simulated]) -> Result<String> {
    let of = |dimensions: u32| {
        found.iter().filter(|row| row.dimensions == dimensions).collect::<Vec<_>>()
    };
    let charts = [
        chart(&of(2), 0, "one step, plane"),
        chart(&of(3), 0, "one step, space"),
        chart(&of(2), 2, "permutation, for each of its t steps, plane"),
        chart(&of(3), 2, "permutation, for each of its t steps, space"),
    ];
    let axes = Axes { x: "processors", y: "delivery cycles" };
    Ok(curve_charts(&charts, axes, [Scale::Logarithmic; 2])?)
}

/// The curves of measurements `first` and the next, by network.
fn chart(rows: &[&Simulated], first: usize, title: &str) -> Chart {
    let steps = |row: &Simulated| if first == 0 { Some(1.0) } else { Some(row.steps? as f64) };
    let mut curves = Vec::new();
    for rows in rows.chunk_by(|one, next| one.network == next.network) {
        for (at, algorithm) in (first..).zip(["RANDOM", "GREEDY"]) {
            let points = rows.iter().filter_map(|row| row.point(at, steps(row)?)).collect();
            let name = format!("{}, {algorithm}", rows[0].network);
            curves.push(Curve { name, points, form: Form::Measured });
        }
        let bound = |row: &&Simulated| {
            let (steps, lg) = (steps(row)?, f64::from(row.height));
            let one = row.one.parse::<Rational>().unwrap_or_default().to_f64();
            let x = (1_u64 << row.height) as f64;
            Some(CurvePoint::exact(x, one + lg * lg.log2() / steps))
        };
        let name = format!("{}, lambda_1 + lg n lg lg n / t", rows[0].network);
        let points = rows.iter().filter_map(bound).collect();
        curves.push(Curve { name, points, form: Form::Guide });
    }
    curves.retain(|curve| !curve.points.is_empty());
    Chart { title: title.to_string(), curves }
}

const HEADER: &str = include_str!("universality.header.md");

const SETS: &str = include_str!("universality.sets.md");

/// What the load factors show: they are exact and owe nothing to the random numbers of deliveries.
const FINDINGS: &str = include_str!("universality.findings.md");

#[cfg(test)]
mod tests;
