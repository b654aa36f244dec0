//! Networks laid out in the plane and in space, simulated on the fat-trees of \[GL\] that are universal
//! for area and volume: load factors, delivery cycles and time for every step.

use serde::{Deserialize, Serialize};

use crate::distribution::Units;
use crate::integer::as_size;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::report::plot::{Axes, Chart, Curve, curve_charts};
use crate::report::table::{csv, markdown};
use crate::simulation::delivery::sets::{Ends, open};
use crate::simulation::layout::{Layout, carry};
use crate::study::deliveries::{Measured, Point, Points};
use crate::study::rows::{self, Rows};
use crate::study::{Study, StudyError, StudyFile};
use crate::topology::UniversalShape;

pub(in crate::study) const KIND: Kind<Study> = Kind {
    name: "gl-universality",
    usage: "gl-universality",
    options: &[],
    about: "square and cubic meshes and random geometric networks on universal fat-trees: load factors, \
            delivery cycles and time for every step, for up to 4^8 and 8^6 processors",
    reference: "[GL] 2, Lemma 2; 6, Theorem 10",
    examples: &["gl-universality"],
    build: |units, progress| study(&SIZES, units, progress),
};

/// A network, the growth of its fat-tree, and lg n from the first to the last.
type Sizes = [(&'static str, &'static str, [u32; 2]); 4];

const SIZES: Sizes = [
    ("mesh2", "double2", [6, 16]),
    ("geometric2", "double2", [6, 16]),
    ("mesh3", "quadruple3", [6, 18]),
    ("geometric3", "quadruple3", [6, 18]),
];

/// Largest lg n for which shortest paths of a permutation are searched.
const SEARCHED: u32 = 15;

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

/// The rows of both tables.
struct Networks(Vec<(&'static str, &'static str, u32)>);

fn study(sizes: &Sizes, units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    let of_network = |(network, growth, [from, to]): &(&'static str, &'static str, [u32; 2])| {
        let by = dimensions(network) as usize;
        let (network, growth) = (*network, *growth);
        (*from..=*to).step_by(by).map(move |height| (network, growth, height))
    };
    let networks = Networks(sizes.iter().flat_map(of_network).collect());
    let Some(found) = rows::all(&networks, units, progress)? else { return Ok(Vec::new()) };
    let steps: Vec<Vec<String>> = found.iter().map(Simulated::step_row).collect();
    let sets: Vec<Vec<String>> = found.iter().filter_map(Simulated::set_row).collect();
    let text = format!(
        "{HEADER}{}{SETS}{}{FINDINGS}",
        markdown(&STEP_HEADS, steps.iter().cloned()),
        markdown(&SET_HEADS, sets.iter().cloned())
    );
    let file = |path: &str, bytes| StudyFile { path: path.into(), bytes };
    Ok(vec![
        file("README.md", text.into_bytes()),
        file("cycles.svg", figure(&found)?.into_bytes()),
        file("sets.csv", csv(&SET_HEADS, sets.into_iter())?),
        file("steps.csv", csv(&STEP_HEADS, steps.into_iter())?),
    ])
}

fn dimensions(network: &str) -> u32 {
    if network.ends_with('2') { 2 } else { 3 }
}

impl Networks {
    fn points(&self, row: u64) -> Points {
        let (network, growth, height) = self.0[as_size(row)];
        let sets = [format!("step(network={network},seed={SEED})"), permutation()];
        let is_carried = is_carried(network, height);
        let sets = sets.iter().take(1 + usize::from(is_carried));
        let points = sets.flat_map(|messages| {
            ALGORITHMS.map(|algorithm| Point {
                topology: topology(growth, height),
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

fn is_carried(network: &str, height: u32) -> bool {
    network.starts_with("mesh") || height <= SEARCHED
}

impl Rows for Networks {
    type Row = Simulated;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn find(&self, row: u64, progress: &Progress) -> Result<Simulated, StudyError> {
        let (network, growth, height) = self.0[as_size(row)];
        let processors = 1_usize << height;
        let layout = Layout::named(network, processors, SEED)?;
        let steps = if is_carried(network, height) {
            let (messages, _) = open(&permutation(), Ends { processors, outside: None })?;
            Some(carry(&layout, messages.iter(), &progress.part(1.0))?.steps)
        } else {
            None
        };
        let points = self.points(row);
        let measured = (0..points.count()).map(|point| points.find(point, progress));
        let shape = UniversalShape::named(&topology(growth, height));
        let shape = shape.map_err(crate::routing::InstanceError::from)?;
        let one = shape.and_then(|shape| layout.step_load_factor(shape.wires()));
        Ok(Simulated {
            network: network.to_string(),
            height,
            surface: layout.wires_per_surface().to_string(),
            one: one.unwrap_or_default().to_string(),
            steps,
            measured: measured.collect::<Result<_, StudyError>>()?,
        })
    }

    fn holds(&self, row: u64, found: &Simulated) -> bool {
        let points = self.points(row);
        let (network, _, height) = self.0[as_size(row)];
        let measured = (0..).zip(&found.measured);
        let bound = found.bound();
        found.measured.len() as u64 == points.count()
            && (found.network.as_str(), found.height) == (network, height)
            && measured.clone().all(|(point, measured)| points.holds(point, measured))
            && measured.take(2).all(|(_, step)| step.load_factor == found.one)
            && found.measured.iter().skip(2).all(|set| set.factor() <= bound)
    }
}

impl Simulated {
    /// t·λ₁.
    fn bound(&self) -> Ratio {
        let one: Ratio = self.one.parse().unwrap_or_default();
        &one * &Ratio::from(self.steps.unwrap_or(0))
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
        let surface = self.surface.parse::<Ratio>().unwrap_or_default().to_f64();
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

    /// n, with cycles for each of so many steps.
    fn point(&self, at: usize, steps: f64) -> Option<(f64, f64, f64)> {
        let sample = self.measured.get(at)?.sample()?;
        let half = sample.half_width() / steps;
        Some(((1_u64 << self.height) as f64, sample.mean().to_f64() / steps, half))
    }
}

/// Cycles of one step, and of a permutation for each step that it takes; plane and space apart.
fn figure(found: &[Simulated]) -> Result<String, StudyError> {
    let of_set = |first: usize, dimensions_of: u32, title: &str| {
        let mut curves: Vec<Curve> = Vec::new();
        let laid = found.iter().filter(|row| dimensions(&row.network) == dimensions_of);
        for network in laid.clone().map(|row| &row.network) {
            for (at, algorithm) in (first..).zip(["RANDOM", "GREEDY"]) {
                let name = format!("{network}, {algorithm}");
                let rows = laid.clone().filter(|row| row.network == *network);
                let steps = |row: &Simulated| if first == 0 { Some(1) } else { row.steps };
                let points: Vec<_> =
                    rows.filter_map(|row| row.point(at, steps(row)? as f64)).collect();
                if !points.is_empty() && curves.iter().all(|curve| curve.name != name) {
                    curves.push(Curve { name, points, is_guide: false });
                }
            }
        }
        Chart { title: title.to_string(), curves }
    };
    let charts = [
        of_set(0, 2, "one step, plane"),
        of_set(0, 3, "one step, space"),
        of_set(2, 2, "permutation, for each of its t steps, plane"),
        of_set(2, 3, "permutation, for each of its t steps, space"),
    ];
    Ok(curve_charts(&charts, Axes { x: "processors", y: "delivery cycles" })?)
}

const HEADER: &str = "\
# Networks on universal fat-trees

Networks laid out in a square of area n or a cube of volume n, simulated on the fat-trees of [GL] that are
universal for area (`universal(n)`, capacities that double every two levels) and volume
(`universal(n,growth=quadruple3)`), with host channels of one wire. Made by `routebound study
gl-universality`.

*mesh2*, *mesh3*: square and cubic meshes. *geometric2*, *geometric3*: n points at random, seed 1, with the
links of a minimum spanning tree and, shortest first, links of up to 3/2 unit lengths between points that
have fewer than 4 or 6; the unit has one point on average. Processors are numbered by halving the layout
again and again, so that every subtree of the fat-tree is a region. *Wires / surface* is the largest number of
wires that leave a region for each unit of its surface.

## One step

Every wire takes a message in each direction: the heaviest step of the network ([GL] Lemma 2). Load factors
are exact; delivery cycles are means over 5 seeds of RANDOM with k1 = k2 = 1 and r = 2, and of GREEDY, where
congested channels lose the excess at random. A cycle takes O(lg^2 n) time ([GL] 2): *x lg^2 n* is the time
up to that constant. Lemma 2 has O(lg^2 n) with host channels as wide as the load factor here.

";

const SETS: &str = "
## A random permutation

The network delivers a random permutation, seed 1, in t steps, store-and-forward: one message for every wire,
direction and step, those that came first go on, paths by dimension order on meshes and shortest ones
elsewhere. Its load factor on the fat-tree is at most t times that of one step, lambda_1 ([GL] Theorem 10,
`routebound verify gl-theorem-10`). *RANDOM / t* are the delivery cycles for each simulated step, *x lg^2 n*
their time. The last column compares with the bound of Theorem 10 on delivery cycles. Geometric networks of more
than 2^15 processors are left out, as shortest paths would take too long.

";

/// What the load factors show: they are exact and owe nothing to the random numbers of deliveries.
const FINDINGS: &str = "
![Delivery cycles](cycles.svg)

## Findings

- A step of the square mesh has load factor 4 and one of the cubic mesh 6, whatever n: host channels of 4 and
  6 wires make it 1, as Lemma 2 says up to a constant (`routebound verify gl-lemma-2`).
";

#[cfg(test)]
mod tests;
