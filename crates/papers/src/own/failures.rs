//! Failing cables: whether sampled traffic names the most dangerous ones, beside the exact worst loads.

mod cases;
mod charts;
mod damaged;
mod dead;
mod findings;
mod judge;
mod page;
mod ranks;
mod rows;
mod samples;
mod zoo;

use crate::bounds::decimal;
use crate::input::contents;
use crate::study::prelude::*;
use cases::{CASES, Case};
use dead::Dead;
use judge::Judged;
use ranks::{Cable, Ranks};
use samples::{Draws, SAMPLES};

pub(super) const KIND: Kind<Study> = Study::kind::<Failing>(
    &["failures"],
    "ours; Hoefler et al., Cluster 2008",
    "whether all-to-all, random permutations and shifts name the most dangerous cables, beside exact worst loads",
);

/// Decimals of a fraction that is long.
const PLACES: u32 = 4;

/// A network that loses cables.
#[derive(Clone, Copy)]
enum Network {
    Tree(Case),
    Backbone(&'static str),
}

/// What was found for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Found {
    /// Every cable in turn, then 0, 1, … % of them at once.
    Tree(Ranks, Vec<Dead>),
    Backbone(Vec<String>),
}

struct Failing(Vec<Network>);

impl Rows for Failing {
    type Key = Network;
    type Row = Found;

    fn keys(&self) -> &[Network] {
        &self.0
    }

    /// Backbones take seconds, and what is proven of them is not in a part: the merge proves it.
    fn is_shared(&self, network: &Network) -> bool {
        matches!(network, Network::Tree(_))
    }

    fn find(&self, network: &Network, progress: &Progress) -> Result<Found> {
        let case = match network {
            Network::Backbone(name) => return zoo::find(name, progress).map(Found::Backbone),
            Network::Tree(case) => case,
        };
        let instance = case.instance()?;
        let draws = Draws::new(instance.topology.hosts());
        let failures = case.failures(&instance.topology)?;
        let ranks = Ranks::find(&instance, &failures, &draws, progress)?;
        let dead = (0..=dead::MOST).map(|at| Dead::find(case, &instance, at, &draws, progress));
        Ok(Found::Tree(ranks, dead.collect::<Result<_>>()?))
    }

    fn holds(&self, _: &Network, found: &Found) -> bool {
        match found {
            Found::Backbone(_) => false,
            Found::Tree(ranks, dead) => {
                let percents = dead.iter().map(|dead| dead.percent);
                percents.eq(0..=dead::MOST)
                    && dead[0].exact == ranks.whole
                    && ranks.is_possible()
                    && dead.iter().all(Dead::is_possible)
            }
        }
    }
}

impl Entry for Failing {
    type Row = Found;

    /// The small tier has the first tree and the smallest backbone with a choice of paths.
    fn of(tier: Tier) -> Result<Self> {
        let (cases, backbones) = match tier {
            Tier::Small => (&CASES[..1], &["Epoch"][..]),
            Tier::Full => (&CASES[..], &zoo::NETWORKS[..]),
        };
        let trees = cases.iter().map(|case| Network::Tree(*case));
        Ok(Self(trees.chain(backbones.iter().map(|name| Network::Backbone(name))).collect()))
    }

    fn finder(&self) -> Finder<'_, Found> {
        Finder::new(Rows::count(self), move |job| {
            job.units.reads(&contents(), false)?;
            job.at_once(self)
        })
    }

    /// In the order of their names.
    fn tables(&self, found: &[Found]) -> Result<Vec<Table>> {
        let trees = || {
            self.0.iter().zip(found).filter_map(|(network, found)| match (network, found) {
                (Network::Tree(case), Found::Tree(ranks, dead)) => Some((case, ranks, dead)),
                _ => None,
            })
        };
        let backbones = found.iter().filter_map(|found| match found {
            Found::Backbone(cells) => Some(cells.clone()),
            Found::Tree(..) => None,
        });
        let cables =
            trees().flat_map(|(case, ranks, _)| ranks.cables.iter().map(|cable| case.cells(cable)));
        let dead =
            trees().flat_map(|(case, _, dead)| dead.iter().map(|dead| case.dead_cells(dead)));
        let ranks = trees().flat_map(|(case, ranks, _)| case.rank_cells(ranks));
        Ok(vec![
            Table::new("cables.csv", &heads(&CABLE_HEADS), cables),
            Table::new("dead.csv", &heads(&DEAD_HEADS), dead),
            Table::new("ranks.csv", &RANK_HEADS, ranks),
            Table::new("zoo.csv", &zoo::HEADS, backbones),
        ])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Found], tables: &[Table]) -> Result<Page> {
        let [cables, dead, ranks, zoo] = tables else { return Ok(Page::default()) };
        page::page([cables, dead, ranks, zoo])
    }
}

const CABLE_HEADS: [&str; 4] = ["network", "routing", "cable", "exact"];

const DEAD_HEADS: [&str; 8] =
    ["network", "routing", "repair", "% dead", "cables", "hosts cut off", "pairs lost", "exact"];

const RANK_HEADS: [&str; 17] = [
    "network",
    "routing",
    "repair",
    "cables",
    "no failure",
    "worst cable",
    "raise it",
    "top",
    "as dangerous",
    "sample",
    "found",
    "by chance",
    "pairs",
    "wrong",
    "tied",
    "names at least",
    "names at most",
];

/// Column headings, with those of the samples behind them.
fn heads(own: &[&'static str]) -> Vec<&'static str> {
    own.iter().copied().chain(SAMPLES).collect()
}

impl Case {
    fn names(&self) -> [String; 2] {
        [self.network, self.routing].map(String::from)
    }

    fn cells(&self, cable: &Cable) -> Vec<String> {
        let own = [cable.name.clone(), cable.exact.to_string()];
        let sampled = cable.sampled.iter().map(ToString::to_string);
        self.names().into_iter().chain(own).chain(sampled).collect()
    }

    fn dead_cells(&self, dead: &Dead) -> Vec<String> {
        let Dead { percent, cables, cut_off, lost, .. } = dead;
        let numbers = [*percent, *cables, *cut_off as u64, *lost].map(|number| number.to_string());
        let loads = [&dead.exact].into_iter().chain(&dead.sampled);
        let loads = loads.map(|load| decimal(load, PLACES, false));
        let names = self.names().into_iter().chain([self.repair_name().to_string()]);
        names.chain(numbers).chain(loads).collect()
    }

    /// One row for each kind of sample.
    fn rank_cells(&self, ranks: &Ranks) -> Vec<Vec<String>> {
        let Ranks { whole, cables } = ranks;
        let worst = cables.iter().map(|cable| &cable.exact).max().unwrap_or(whole);
        let raise = cables.iter().filter(|cable| cable.exact > *whole).count();
        let rows = SAMPLES.iter().enumerate().filter_map(|(at, sample)| {
            let loads = cables.iter().map(|cable| (cable.exact.clone(), cable.sampled[at].clone()));
            let judged = Judged::of(whole, &loads.collect::<Vec<_>>())?;
            let [repair, sample] = [self.repair_name(), sample].map(String::from);
            let own = [repair, cables.len().to_string(), whole.to_string(), worst.to_string()];
            let counts = [raise, judged.top, judged.dangerous].map(|count| count.to_string());
            let found = [&judged.found, &judged.by_chance].map(|it| decimal(it, PLACES, false));
            let pairs = [judged.pairs, judged.wrong, judged.tied].map(|count| count.to_string());
            let named = judged.named.map(|load| load.to_string());
            let head = self.names().into_iter().chain(own).chain(counts).chain([sample]);
            Some(head.chain(found).chain(pairs).chain(named).collect())
        });
        rows.collect()
    }
}

#[cfg(test)]
mod tests;
