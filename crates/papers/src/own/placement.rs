//! What placement of jobs does to their worst load: packed on few switches, spread and random.

mod loads;
mod places;

use std::fmt::Display;

use loads::{Loads, apart, by_cuts, of_traffic};
use places::{Placement, jobs};

use crate::input::contents;
use crate::study::fabrics::opensm;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Placements>(
    &["placement"],
    "ours; Slurm Topology Guide",
    "exact worst loads of jobs that are packed on few switches, spread or at random, alone and \
            beside the others",
);

/// A tree, which reports call by its spec, and its routings.
type Tree = (&'static str, &'static [&'static str]);

/// Both have 1,024 hosts. Of the second, 16 hosts share the 8 links above a leaf switch.
const TREES: [Tree; 2] = [
    ("ft(16,3)", &[CUTS, "dmodk", "minhop of OpenSM"]),
    ("xgft(3;16,8,8;1,8,8)", &[CUTS, "dmodk", "random(seed=1)"]),
];

/// The even split over all shortest paths.
const CUTS: &str = "omrmn";

/// Engines whose tables were read are called so.
const ENGINE: &str = " of OpenSM";

/// The fabric with these tables.
const FABRIC: &str = "ft16x3";

/// Jobs in the order in which they come: their name and numbers of hosts.
type Mix = (&'static str, &'static [usize]);

const MIXES: [Mix; 5] = [
    ("64 of 16", &[16; 64]),
    ("16 of 64", &[64; 16]),
    ("8 of 128", &[128; 8]),
    ("10 of 96", &[96; 10]),
    ("9 from 300 to 14", &[300, 200, 150, 130, 100, 60, 40, 30, 14]),
];

const HEADS: [&str; 10] = [
    "tree",
    "jobs",
    "placement",
    "apart",
    "routing",
    "alone",
    "together",
    "jobs loaded more",
    "largest factor",
    "evidence",
];

/// One row: its tree and routing, jobs and where they are.
#[derive(Clone, Copy)]
struct Case {
    tree: &'static str,
    routing: &'static str,
    mix: Mix,
    placement: Placement,
}

/// The cases with the instance of each.
struct Placements(Vec<(Case, usize)>, Vec<Instance>);

impl Rows for Placements {
    type Key = (Case, usize);
    /// One for each draw.
    type Row = Vec<Loads>;

    fn keys(&self) -> &[Self::Key] {
        &self.0
    }

    fn find(&self, (case, at): &Self::Key, progress: &Progress) -> Result<Vec<Loads>> {
        let instance = &self.1[*at];
        let Some(tree) = instance.topology.tree() else { return Ok(Vec::new()) };
        let found = case.placement.draws(tree, case.mix.1).map(|hosts| {
            let apart = apart(tree, &hosts);
            if case.routing == CUTS {
                return Ok(by_cuts(tree, &hosts, apart));
            }
            of_traffic(instance, &jobs(&hosts), apart, &progress.part(1.0))
        });
        found.collect()
    }

    /// Others do not raise the load of jobs apart.
    fn holds(&self, (case, _): &Self::Key, found: &Vec<Loads>) -> bool {
        let is_possible =
            |loads: &Loads| loads.is_possible() && loads.apart + loads.gain <= case.mix.1.len();
        found.len() == case.placement.count() && found.iter().all(is_possible)
    }
}

impl Entry for Placements {
    type Row = Vec<Loads>;

    /// The small tier has the first jobs and placement on the second tree, by two routings.
    fn of(tier: Tier) -> Result<Self> {
        let (trees, mixes, placements, most) = match tier {
            Tier::Small => (&TREES[1..], &MIXES[..1], &Placement::ALL[..1], 2),
            Tier::Full => (&TREES[..], &MIXES[..], &Placement::ALL[..], usize::MAX),
        };
        let (mut cases, mut instances) = (Vec::new(), Vec::new());
        for (tree, routings) in trees {
            let (first, routings) = (instances.len(), &routings[..most.min(routings.len())]);
            for routing in routings {
                instances.push(match routing.strip_suffix(ENGINE) {
                    Some(engine) => opensm(FABRIC, engine)?,
                    None => Instance::named(tree, routing)?,
                });
            }
            for (mix, placement) in itertools::iproduct!(mixes, placements) {
                cases.extend((first..).zip(routings).map(|(at, routing)| {
                    (Case { tree, routing, mix: *mix, placement: *placement }, at)
                }));
            }
        }
        Ok(Self(cases, instances))
    }

    fn finder(&self) -> Finder<'_, Vec<Loads>> {
        Finder::new(Rows::count(self), move |job| {
            job.units.reads(&contents(), false)?;
            job.at_once(self)
        })
    }

    fn tables(&self, found: &[Vec<Loads>]) -> Result<Vec<Table>> {
        let rows = self.0.iter().zip(found).map(|((case, _), found)| case.cells(found));
        Ok(vec![Table::new("table.csv", &HEADS, rows)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Vec<Loads>], tables: &[Table]) -> Result<Page> {
        let [table] = tables else { return Ok(Page::default()) };
        let mut text = String::from(HEADER);
        for (tree, routings) in TREES {
            // A String takes every write.
            let _ = write!(text, "\n## `{tree}`\n\n{}", pivot(table, tree, routings));
        }
        Ok(Page::new(text).text(FINDINGS))
    }
}

impl Case {
    fn cells(&self, found: &[Loads]) -> Vec<String> {
        let numbers = [
            range(found.iter().map(|loads| loads.apart)),
            self.routing.to_string(),
            range(found.iter().map(|loads| &loads.alone)),
            range(found.iter().map(|loads| &loads.together)),
            range(found.iter().map(|loads| loads.gain)),
            range(found.iter().map(|loads| &loads.factor)),
        ];
        let names = [self.tree, self.mix.0, self.placement.name()].map(String::from);
        let mut evidence: Vec<&str> = found.iter().map(|loads| &*loads.evidence).collect();
        evidence.dedup();
        names.into_iter().chain(numbers).chain([evidence.join("; ")]).collect()
    }
}

/// The least and the most of the draws, or their value where it is the same.
fn range<T: Ord + Display>(draws: impl Iterator<Item = T> + Clone) -> String {
    match (draws.clone().min(), draws.max()) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least}..{most}"),
        _ => String::new(),
    }
}

/// The rows of a tree by jobs and placement, with a column for each routing.
fn pivot(table: &Table, tree: &str, routings: &[&str]) -> String {
    let heads = ["jobs", "placement", "apart"].into_iter().chain(routings.iter().copied());
    let rows: Vec<&Vec<String>> = table.rows().iter().filter(|row| row[0] == tree).collect();
    let lines = rows.chunk_by(|a, b| a[1..3] == b[1..3]).map(|of| {
        let cells = of.iter().map(|row| format!("{} / {} ({})", row[5], row[6], row[7]));
        of[0][1..4].iter().cloned().chain(cells).collect()
    });
    markdown(&heads.collect::<Vec<_>>(), lines)
}

const HEADER: &str = include_str!("placement.header.md");

/// Conclusions from the numbers; `tests/structure/findings/placement.rs` checks them against the table.
const FINDINGS: &str = include_str!("placement.findings.md");

#[cfg(test)]
mod tests;
