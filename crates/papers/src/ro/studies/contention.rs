//! Contention of the applications of \[RO\] without a simulator: the most messages on a link.

use super::TREES;
use super::applications::label;
use super::exact::{self, Draws};
use super::points::{Application, Ways, first_seed, spec};
use crate::routing::{self, RoutingError};
use crate::sampling::Quartiles;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Points>(
    &["ro-contention"],
    "[RO] IV, VII, IX",
    "most messages on a link for WRF-256 and CG.D-128 on slimmed 16-ary 2-trees with every scheme over 60 \
            seeds, and exact distributions on XGFT(2;4,4;1,w2)",
);

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
fn schemes(w2: u64) -> Result<Vec<(String, Option<u64>)>> {
    let topology = generate(&format!("xgft(2;16,16;1,{w2})"))?;
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
    type Key = (Application, u64);
    type Row = Vec<Loads>;

    fn keys(&self) -> &[(Application, u64)] {
        &self.0
    }

    fn find(
        &self,
        &(application, w2): &(Application, u64),
        progress: &Progress,
    ) -> Result<Vec<Loads>> {
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
            let loads = seeds.into_iter().map(load).collect::<Result<_>>()?;
            Ok(Loads { scheme, loads })
        };
        schemes(w2)?.into_iter().map(of).collect()
    }

    /// Loads that no scheme can be below: those of hosts.
    fn holds(&self, (application, _): &(Application, u64), found: &Vec<Loads>) -> bool {
        let is_possible = |load: &u64| *load >= application.baseload();
        !found.is_empty() && found.iter().all(|loads| loads.loads.iter().all(is_possible))
    }
}

impl Entry for Points {
    type Row = Vec<Loads>;

    /// The small tier has two trees.
    fn of(tier: Tier) -> Result<Self> {
        let trees = TREES.into_iter().filter(|w2| tier == Tier::Full || [16, 10].contains(w2));
        Ok(Self(itertools::iproduct!(Application::ALL, trees).collect()))
    }

    fn finder(&self) -> Finder<'_, Vec<Loads>> {
        Finder::at_once(self)
    }

    fn tables(&self, found: &[Vec<Loads>]) -> Result<Vec<Table>> {
        let lines = self.0.iter().zip(found);
        let cells = lines.flat_map(|(point, found)| found.iter().map(|loads| loads.cells(*point)));
        Ok(vec![
            Table::new("table.csv", &HEADS, cells),
            Table::new("exact.csv", &EXACT, exact_cells()),
        ])
    }

    fn page(&self, found: &[Vec<Loads>], tables: &[Table]) -> Result<Page> {
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

    fn chart(&self, found: &[Vec<Loads>]) -> Result<String> {
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

    /// Medians with the minimum and the maximum load, tree by tree.
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
        let line = move |(most, probability): (u64, Rational)| {
            [roots.to_string(), scheme.to_string(), most.to_string(), probability.to_string()]
                .to_vec()
        };
        found.into_iter().map(line).collect::<Vec<_>>()
    };
    let trees = (1..=exact::SIDE).rev();
    itertools::iproduct!(trees, Draws::ALL).flat_map(of).collect()
}

const HEADER: &str = include_str!("contention.header.md");

const EXACT_HEADER: &str = include_str!("contention.exact_header.md");

const FINDINGS: &str = include_str!("contention.findings.md");
