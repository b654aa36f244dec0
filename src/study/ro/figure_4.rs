//! \[RO\] Figure 4: how many routes lead through each root.

use serde::{Deserialize, Serialize};

use super::applications::label;
use super::points::{SEEDS, first_seed};
use crate::integer::as_size;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::plot::{Axes, BoxChart, Boxes, Marks, Scale, box_charts};
use crate::routing::{Instance, UseScratch};
use crate::sampling::Quartiles;
use crate::study::StudyError;
use crate::study::engine::{Claim, Entry, Job, Page, Rows, Study, Table, Tier};
use crate::topology::sd_pairs;

pub(super) const KIND: Kind<Study> = Kind {
    name: "ro-figure-4",
    usage: "ro-figure-4",
    options: &[],
    about: "routes through each root of XGFT(2;16,16;1,16) and XGFT(2;16,16;1,10) with Random, r-NCA-u, \
            r-NCA-d, S-mod-k and D-mod-k",
    reference: "[RO] VII.D, VIII, Figure 4",
    examples: &["ro-figure-4"],
    build: Study::of::<Points>(),
};

/// Roots of the two trees.
const ROOTS: [u64; 2] = [16, 10];
const SCHEMES: [&str; 5] = ["random", "rnca-u", "rnca-d", "smodk", "dmodk"];
const MODULO: [&str; 2] = ["smodk", "dmodk"];
const HEADS: [&str; 4] = ["w2", "scheme", "seed", "routes"];

/// A routing on a tree.
#[derive(Clone, Copy)]
struct Point {
    w2: u64,
    scheme: &'static str,
    seed: Option<u64>,
}

struct Points(Vec<Point>);

/// Routes through each root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Routes(Vec<u64>);

fn points() -> Points {
    let of = |(w2, scheme): (u64, &'static str)| {
        let seeds: Vec<Option<u64>> = match first_seed(scheme) {
            Some(first) => (first..first + SEEDS).map(Some).collect(),
            None => vec![None],
        };
        seeds.into_iter().map(move |seed| Point { w2, scheme, seed })
    };
    Points(itertools::iproduct!(ROOTS, SCHEMES).flat_map(of).collect())
}

impl Point {
    fn spec(&self) -> String {
        let seed = |seed| format!("{}(seed={seed})", self.scheme);
        self.seed.map_or_else(|| self.scheme.to_string(), seed)
    }
}

impl Rows for Points {
    type Row = Routes;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn find(&self, row: u64, _: &Progress) -> Result<Routes, StudyError> {
        let point = &self.0[as_size(row)];
        let tree = format!("xgft(2;16,16;1,{})", point.w2);
        let instance = Instance::named(&tree, &point.spec())?;
        let (topology, routing) = (instance.topology(), instance.routing());
        let first = topology.nodes() - as_size(point.w2);
        let (mut routes, mut scratch) = (vec![0; as_size(point.w2)], UseScratch::default());
        for (s, d) in sd_pairs(topology.hosts()) {
            // The first half of the links leads up.
            routing.for_each_use(s, d, &mut scratch, &mut |_, links| {
                let ends = links.iter().filter_map(|link| topology.ends(*link));
                let tops = ends.filter_map(|(_, to)| (to as usize).checked_sub(first));
                tops.for_each(|root| routes[root] += 1);
            });
        }
        Ok(Routes(routes))
    }

    /// All pairs of hosts of different switches.
    fn holds(&self, row: u64, found: &Routes) -> bool {
        let roots = as_size(self.0[as_size(row)].w2);
        found.0.len() == roots && found.0.iter().sum::<u64>() == 256 * 240
    }
}

/// The rows of a tree with a scheme.
#[derive(Clone, Copy)]
struct View<'v>(&'v [(Point, Routes)]);

impl<'v> View<'v> {
    fn of(self, w2: u64, scheme: &str) -> Vec<&'v [u64]> {
        let rows = self.0.iter().filter(|(point, _)| point.w2 == w2 && point.scheme == scheme);
        rows.map(|(_, routes)| &routes.0[..]).collect()
    }

    /// The greatest difference of two roots with one seed.
    fn spread(self, w2: u64, scheme: &str) -> u64 {
        let of = |routes: &&[u64]| {
            let (least, most) = (routes.iter().min(), routes.iter().max());
            most.zip(least).map_or(0, |(most, least)| most - least)
        };
        self.of(w2, scheme).iter().map(of).max().unwrap_or(u64::MAX)
    }

    /// How far a root is from the mean, in parts: the most.
    fn deviation(self, w2: u64, scheme: &str) -> f64 {
        let mean = 256.0 * 240.0 / w2 as f64;
        let all = self.of(w2, scheme).concat();
        all.iter().map(|routes| (*routes as f64 / mean - 1.0).abs()).fold(0.0, f64::max)
    }
}

impl Entry for Points {
    type Row = (Point, Routes);

    /// The small tier has one tree.
    fn of(tier: Tier) -> Result<Self, StudyError> {
        let is_wanted = |point: &Point| tier == Tier::Full || point.w2 == ROOTS[0];
        Ok(Self(points().0.into_iter().filter(is_wanted).collect()))
    }

    fn count(&self) -> u64 {
        Rows::count(self)
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<Self::Row>>, StudyError> {
        let found = job.at_once(self)?;
        Ok(found.map(|found| self.0.iter().copied().zip(found).collect()))
    }

    fn tables(&self, found: &[Self::Row]) -> Result<Vec<Table>, StudyError> {
        let cells = found.iter().map(|(point, Routes(routes))| {
            let routes: Vec<String> = routes.iter().map(ToString::to_string).collect();
            let seed = point.seed.map_or_else(String::new, |seed| seed.to_string());
            vec![point.w2.to_string(), point.scheme.to_string(), seed, routes.join(" ")]
        });
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    fn page(&self, found: &[Self::Row], _: &[Table]) -> Result<Page, StudyError> {
        let view = View(found);
        let page = Page::new(HEADER.replace("SEEDS", &SEEDS.to_string()));
        let page = page.claims(&[claims(view), on_slimmed(view)].concat()).text(FOOTER);
        Ok(page.beside("routes.svg", figure(view)?))
    }
}

fn figure(view: View<'_>) -> Result<String, StudyError> {
    let values = |w2: u64, scheme: &str, root: usize| -> Vec<f64> {
        view.of(w2, scheme).iter().map(|routes| routes[root] as f64).collect()
    };
    let charts = ROOTS.map(|w2| {
        let roots = || 0..as_size(w2);
        let boxes = |scheme: &&str| Boxes {
            name: label(scheme).to_string(),
            boxes: roots().map(|root| Quartiles::of(&values(w2, scheme, root))).collect(),
        };
        let marks = |scheme: &&str| Marks {
            name: label(scheme).to_string(),
            values: roots().flat_map(|root| values(w2, scheme, root)).collect(),
        };
        BoxChart {
            title: format!("XGFT(2;16,16;1,{w2})"),
            categories: roots().map(|root| root.to_string()).collect(),
            boxes: SCHEMES[..3].iter().map(boxes).collect(),
            marks: SCHEMES[3..].iter().map(marks).collect(),
            scale: Scale::FromZero,
        }
    });
    Ok(box_charts(&charts, Axes { x: "root", y: "routes" })?)
}

fn claims(view: View<'_>) -> Vec<Claim> {
    let [full, slimmed] = ROOTS;
    let even = ROOTS.map(|w2| view.deviation(w2, "random"));
    let spread = |w2: u64, schemes: &[&str]| {
        schemes.iter().map(|scheme| view.spread(w2, scheme)).max().unwrap_or(u64::MAX)
    };
    let [random, modulo] =
        [&SCHEMES[..1], &MODULO[..]].map(|schemes| ROOTS.map(|w2| spread(w2, schemes)));
    vec![
        Claim::new(
            (
                "VII.D",
                "Random assigns roots evenly to NCAs for the whole set of (source,destination) pairs",
            ),
            "no root is more than 0.1 from the mean in parts, any seed, both trees",
            format!("{:.3} and {:.3}", even[0], even[1]),
            even.iter().all(|deviation| *deviation <= 0.1),
        ),
        Claim::new(
            ("VII.D", "we see a perfect distribution of routes to NCAs by S-mod-k and D-mod-k"),
            format!("most - fewest routes of a root is 0, w2 = {full}"),
            modulo[0].to_string(),
            modulo[0] == 0,
        ),
        Claim::new(
            ("VII.D", "the uneven distribution of routes to NCAs"),
            format!("S-mod-k, D-mod-k: most - fewest is above 0, w2 = {slimmed}"),
            modulo[1].to_string(),
            modulo[1] > 0,
        ),
        Claim::new(
            (
                "VII",
                "We studied the distribution of assigned paths per root node of Random routing for those patterns and we found that they are better balanced than for S-mod-k and D-mod-k (Sec. VII-D)",
            ),
            "over all pairs, as in VII.D: Random's most - fewest is below that of S-mod-k and D-mod-k, any seed, both trees",
            format!("{} against {}, {} against {}", random[0], modulo[0], random[1], modulo[1]),
            random[0] < modulo[0] && random[1] < modulo[1],
        ),
    ]
}

/// What is said about the slimmed tree.
fn on_slimmed(view: View<'_>) -> Vec<Claim> {
    let slimmed = ROOTS[1];
    let spread = |schemes: &[&str]| {
        schemes.iter().map(|scheme| view.spread(slimmed, scheme)).max().unwrap_or(u64::MAX)
    };
    let (proposed, modulo) = (spread(&SCHEMES[1..3]), spread(&MODULO));
    vec![
        Claim::new(
            ("VIII", "This leads to repeated labels, but to a better distribution to the NCAs"),
            format!(
                "r-NCA-u/d: most - fewest is below that of S-mod-k and D-mod-k, any seed, w2 = {slimmed}"
            ),
            format!("{proposed} against {modulo}"),
            proposed < modulo,
        ),
        Claim::new(
            ("VII.D", "we have 9 roots"),
            "roots of the slimmed tree",
            slimmed.to_string(),
            slimmed == 9,
        ),
        first_roots(view),
    ]
}

/// How many roots S-mod-k and D-mod-k give more routes than the mean.
fn first_roots(view: View<'_>) -> Claim {
    let slimmed = ROOTS[1];
    let above = |scheme: &&str| {
        let routes = view.of(slimmed, scheme).concat();
        let many = routes.iter().filter(|routes| **routes * slimmed > 256 * 240).count();
        let few = routes.iter().position(|routes| routes * slimmed < 256 * 240);
        (many, few)
    };
    let found: Vec<(usize, Option<usize>)> = MODULO.iter().map(above).collect();
    let are_first = found.iter().all(|(many, few)| *few == Some(*many));
    let many = found.iter().map(|(many, _)| *many).max().unwrap_or(0);
    Claim::new(
        ("VII.D", "Routes for nodes with M1 = [10 − 15] are assigned to the first five roots"),
        "roots, from the first one on, that S-mod-k and D-mod-k give more routes than the mean",
        many.to_string(),
        are_first && many == 5,
    )
}

const HEADER: &str = "\
# Figure 4: routes through each root

How many of the 61,440 routes between hosts of different switches lead through each root ([RO] VII.D, VIII). The
paper prints XGFT(2;16,16;16,10) for both trees; what is meant are XGFT(2;16,16;1,16) and XGFT(2;16,16;1,10)
([errata](../../errata.md)). H-Rand-U and H-Rand-D of its caption are r-NCA-u and r-NCA-d. Made by `routebound study
ro-figure-4`.

Counted exactly for each routing; sampled over SEEDS seeds of Random, r-NCA-u and r-NCA-d each, which the column *seed* of
`table.csv` names. Its column *routes* has the number of every root.

![routes through each root](routes.svg)

Boxes: quartiles and median over the seeds, whiskers to the least and the greatest value.

## What the paper states

Verdicts are computed from the counts.

";

const FOOTER: &str = "
Where it differs: the tree has ten roots, and nodes with M1 = 10 to 15 are six for each switch, so they are assigned to
the first six. Random is better balanced than S-mod-k and D-mod-k on the slimmed tree alone; on the full
one nothing is better balanced than these, as the paper itself says in VII.D.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_counted() {
        let points = Points(vec![
            Point { w2: 10, scheme: "dmodk", seed: None },
            Point { w2: 16, scheme: "rnca-u", seed: Some(1001) },
        ]);
        let found = [0, 1].map(|row| points.find(row, &Progress::silent()).unwrap());
        let uneven = [7680, 7680, 7680, 7680, 7680, 7680, 3840, 3840, 3840, 3840];
        assert_eq!(found[0].0, uneven);
        assert_eq!(found[1].0, [3840; 16]);
        assert!(points.holds(0, &found[0]) && !points.holds(0, &found[1]));
    }
}
