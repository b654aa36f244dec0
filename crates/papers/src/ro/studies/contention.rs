//! Contention of the applications of \[RO\] without a simulator: the most messages on a link.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::TREES;
use super::applications::label;
use super::exact::{self, Draws};
use super::points::{Application, Ways, first_seed, spec};
use crate::integer::as_size;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::plot::{Axes, BoxChart, Boxes, Marks, Scale, box_charts};
use crate::report::table::markdown;
use crate::routing::{self, InstanceError, RoutingError};
use crate::sampling::Quartiles;
use crate::study::StudyError;
use crate::study::engine::{Entry, Job, Page, Rows, Study, Table, Tier};
use crate::topology::generate;

pub(super) const KIND: Kind<Study> = Kind {
    name: "ro-contention",
    usage: "ro-contention",
    options: &[],
    about: "most messages on a link for WRF-256 and CG.D-128 on slimmed 16-ary 2-trees with every scheme over 60 \
            seeds, and exact distributions on XGFT(2;4,4;1,w2)",
    reference: "[RO] IV, VII, IX",
    examples: &["ro-contention"],
    build: Study::of::<Points>(),
};

/// Seeds of a scheme that is drawn at random: \[RO\] IX has "from 40 to 60".
const SEEDS: u64 = 60;

const RANDOM: [&str; 3] = ["random", "rnca-u", "rnca-d"];
const MODULO: [&str; 2] = ["smodk", "dmodk"];
const COLOURED: &str = "coloured";

const HEADS: [&str; 6] = ["application", "w2", "scheme", "seeds", "median", "loads"];
const EXACT: [&str; 4] = ["w2", "scheme", "most pairs", "probability"];

/// Applications on trees.
struct Points(Vec<(Application, u64)>);

/// Loads with a scheme, by seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Loads {
    scheme: String,
    loads: Vec<u64>,
}

impl Loads {
    fn quartiles(&self) -> Option<Quartiles> {
        Quartiles::of(&self.loads.iter().map(|load| *load as f64).collect::<Vec<_>>())
    }

    fn cells(&self, (application, w2): (Application, u64)) -> Vec<String> {
        let median = self.quartiles().map_or(f64::NAN, |quartiles| quartiles.median);
        let loads: Vec<String> = self.loads.iter().map(ToString::to_string).collect();
        vec![
            application.name().to_string(),
            w2.to_string(),
            self.scheme.clone(),
            loads.len().to_string(),
            median.to_string(),
            loads.join(" "),
        ]
    }
}

/// Single-path schemes that fit on a tree, by name with the first seed of those that are drawn.
fn schemes(w2: u64) -> Result<Vec<(String, Option<u64>)>, StudyError> {
    let topology = generate(&format!("xgft(2;16,16;1,{w2})")).map_err(InstanceError::from)?;
    let named = RANDOM.iter().chain(&MODULO).chain([&COLOURED]);
    let mut all: Vec<_> = named.map(|name| ((*name).to_string(), first_seed(name))).collect();
    for kind in routing::KINDS {
        let example = kind.examples.iter().find(|example| !example.contains(':'));
        let is_new = !RANDOM.contains(&kind.name) && !MODULO.contains(&kind.name);
        let Some(example) = example.filter(|_| is_new) else { continue };
        match routing::build(example, &topology) {
            Ok(routing) if routing.is_single_path() => all.push(((*example).to_string(), None)),
            Ok(_) | Err(RoutingError::DoesNotFit { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(all)
}

impl Rows for Points {
    type Row = Vec<Loads>;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn find(&self, row: u64, progress: &Progress) -> Result<Vec<Loads>, StudyError> {
        let (application, w2) = self.0[as_size(row)];
        let traffic = application.last()?;
        let of = |(scheme, first): (String, Option<u64>)| {
            let seeds: Vec<Option<u64>> = match first {
                Some(first) => (first..first + SEEDS).map(Some).collect(),
                None => vec![None],
            };
            let load = |seed: Option<u64>| {
                progress.check()?;
                Ways::new(w2, &spec(&scheme, seed), &[&traffic], progress)?.load(&traffic, progress)
            };
            let loads = seeds.into_iter().map(load).collect::<Result<_, StudyError>>()?;
            Ok(Loads { scheme, loads })
        };
        schemes(w2)?.into_iter().map(of).collect()
    }

    /// Loads that no scheme can be below: those of hosts.
    fn holds(&self, row: u64, found: &Vec<Loads>) -> bool {
        let (application, _) = self.0[as_size(row)];
        let is_possible = |load: &u64| *load >= application.baseload();
        !found.is_empty() && found.iter().all(|loads| loads.loads.iter().all(is_possible))
    }
}

impl Entry for Points {
    type Row = Vec<Loads>;

    /// The small tier has two trees.
    fn of(tier: Tier) -> Result<Self, StudyError> {
        let trees = TREES.into_iter().filter(|w2| tier == Tier::Full || [16, 10].contains(w2));
        Ok(Self(itertools::iproduct!(Application::ALL, trees).collect()))
    }

    fn count(&self) -> u64 {
        Rows::count(self)
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<Vec<Loads>>>, StudyError> {
        job.at_once(self)
    }

    fn tables(&self, found: &[Vec<Loads>]) -> Result<Vec<Table>, StudyError> {
        let lines = self.0.iter().zip(found);
        let cells = lines.flat_map(|(point, found)| found.iter().map(|loads| loads.cells(*point)));
        Ok(vec![
            Table::new("table.csv", &HEADS, cells),
            Table::new("exact.csv", &EXACT, exact_cells()),
        ])
    }

    fn page(&self, found: &[Vec<Loads>], tables: &[Table]) -> Result<Page, StudyError> {
        let mut text = String::from(HEADER);
        for application in Application::ALL {
            // A String takes every write.
            let _ = writeln!(
                text,
                "\n## {}\n\n{}",
                application.name(),
                self.medians(application, found)
            );
            let _ = writeln!(text, "{}", self.comparison(application, found));
        }
        text.push_str(EXACT_HEADER);
        let exact = tables.get(1).map(Table::markdown).unwrap_or_default();
        Ok(Page::new(text).text(&exact).text(FINDINGS).beside("contention.svg", self.chart(found)?))
    }
}

impl Points {
    /// What was found for an application with a scheme, tree by tree.
    fn of_scheme<'f>(
        &self,
        application: Application,
        scheme: &str,
        found: &'f [Vec<Loads>],
    ) -> Vec<Option<&'f Loads>> {
        let points = self.0.iter().zip(found).filter(|((of, _), _)| *of == application);
        points.map(|(_, all)| all.iter().find(|loads| loads.scheme == scheme)).collect()
    }

    fn chart(&self, found: &[Vec<Loads>]) -> Result<String, StudyError> {
        let charts = Application::ALL.map(|application| {
            let of = |scheme: &str| {
                let all = self.of_scheme(application, scheme, found).into_iter();
                all.map(|loads| loads.and_then(Loads::quartiles)).collect::<Vec<_>>()
            };
            let boxes = RANDOM
                .iter()
                .map(|scheme| Boxes { name: label(scheme).to_string(), boxes: of(scheme) });
            let marks = MODULO.iter().chain([&COLOURED]).map(|scheme| Marks {
                name: label(scheme).to_string(),
                values: of(scheme).into_iter().flatten().map(|q| q.median).collect(),
            });
            BoxChart {
                title: format!("{} on XGFT(2;16,16;1,w2)", application.name()),
                categories: TREES.iter().map(ToString::to_string).collect(),
                boxes: boxes.collect(),
                marks: marks.collect(),
                scale: Scale::Logarithmic,
            }
        });
        let x = "w2, number of switches of the upper level";
        Ok(box_charts(&charts, Axes { x, y: "most messages on a link" })?)
    }

    /// Medians with the least and the greatest load, tree by tree.
    fn medians(&self, application: Application, found: &[Vec<Loads>]) -> String {
        let points = self.0.iter().zip(found).filter(|((of, _), _)| *of == application);
        let rows: Vec<(u64, &Vec<Loads>)> = points.map(|((_, w2), all)| (*w2, all)).collect();
        let names = rows.first().map_or(&[][..], |(_, all)| &all[..]).iter();
        let heads: Vec<&str> =
            std::iter::once("w2").chain(names.map(|loads| loads.scheme.as_str())).collect();
        let cell = |all: &[Loads], scheme: &str| {
            let q = all.iter().find(|loads| loads.scheme == scheme)?.quartiles()?;
            let range = format!(" ({}-{})", q.least, q.most);
            Some(format!("{}{}", q.median, if q.least < q.most { &range } else { "" }))
        };
        let row = |(w2, all): &(u64, &Vec<Loads>)| {
            let cells = heads[1..].iter().map(|scheme| cell(all, scheme).unwrap_or_default());
            std::iter::once(w2.to_string()).chain(cells).collect::<Vec<_>>()
        };
        markdown(&heads, rows.iter().map(row))
    }

    /// On how many trees the medians of r-NCA are below that of Random.
    fn comparison(&self, application: Application, found: &[Vec<Loads>]) -> String {
        let medians = RANDOM.map(|scheme| {
            let all = self.of_scheme(application, scheme, found).into_iter();
            all.map(|loads| Some(loads?.quartiles()?.median)).collect::<Vec<_>>()
        });
        let [random, up, down] = &medians;
        let trees = random
            .iter()
            .zip(up)
            .zip(down)
            .map(|((random, up), down)| Some((random.as_ref()?, up.as_ref()?, down.as_ref()?)));
        let trees: Vec<_> = trees.flatten().collect();
        let below = trees.iter().filter(|(random, up, down)| up < random && down < random).count();
        let above = trees.iter().filter(|(random, up, down)| up > random || down > random).count();
        format!(
            "Both medians of r-NCA are below that of Random on {below} of {} trees, and one of them is above it on \
             {above}.",
            trees.len()
        )
    }
}

fn exact_cells() -> Vec<Vec<String>> {
    let of = |(roots, (draws, scheme)): (usize, (Draws, &str))| {
        let found = exact::probabilities(&exact::counts(draws, roots));
        let line = move |(most, probability): (u64, crate::rational::Rational)| {
            [roots.to_string(), scheme.to_string(), most.to_string(), probability.to_string()]
                .to_vec()
        };
        found.into_iter().map(line).collect::<Vec<_>>()
    };
    let trees = (1..=exact::SIDE).rev();
    itertools::iproduct!(trees, Draws::ALL).flat_map(of).collect()
}

const HEADER: &str = "\
# Contention of the applications of [RO], without a simulator

The most messages on a link in the last phase of WRF-256 and CG.D-128 on XGFT(2;16,16;1,w2), the contention of
[RO] IV, exact for every seed, with every single-path scheme that fits: Random with seeds 1 to 60, r-NCA-u with
1001 to 1060, r-NCA-d with 2001 to 2060, the others once. Links of hosts carry 2 messages for WRF-256 and 1 for
CG.D-128, so that nothing can be lower. Simulated times of the same are in [ro-figure-2](../figure-2/README.md)
and [ro-figure-5](../figure-5/README.md).

Made by `routebound study ro-contention`; one load: `routebound load 'xgft(2;16,16;1,10)' 'rnca-d(seed=2001)'
'cg(128,phase=5)'`.

![most messages on a link against the number of switches of the upper level](contention.svg)

Boxes: quartiles and median over the seeds, whiskers to the least and the greatest value. In the tables below:
medians, in brackets the least and the greatest.
";

const EXACT_HEADER: &str = "
## Exact distributions

On XGFT(2;4,4;1,w2) all choices of a random scheme can be counted. Traffic: the transposition, in which host b of
leaf a sends to host a of leaf b, much as in the fifth phase of CG; D-mod-k and S-mod-k put the three
pairs of every leaf on one link. Random draws a root for each of 12 pairs, r-NCA a balanced map for each of 4 leaves.
*Most pairs* on a link between the levels has this probability:

";

const FINDINGS: &str = "
## Findings

- What [RO] IX sees in simulations is there in the static loads already: for WRF-256 r-NCA has the loads of S-mod-k and
  D-mod-k, below those of Random but for w2 = 1; for CG.D-128 its median is below theirs down to w2 = 5, and nowhere above
  that of Random.
- Routes made for the pattern (`coloured`) show how much is left: 1 to 3 for CG.D-128 down to w2 = 5, where r-NCA has
  medians of 3.5 to 6. It need not find the least: with w2 = 11 it has 4 for WRF-256, where `minhop` has 3.
- The trees of the paper are too large for the same count: neighbouring leaves share messages, so the greatest load is
  that of a chain of 16 leaves, each with 16 messages on w2 roots in one of 3 * 10^8 ways at w2 = 16. There the
  seeds are a sample.
- On the small tree with four roots all three pairs of some leaf meet on one link with probability 0.40 under Random and
  0.22 under r-NCA; that no two meet has 0.0005 and 0.028. With two roots three meet with 0.89 and 0.65.
";
