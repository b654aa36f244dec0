//! Average performance ratios: max load ÷ OPTU of a routing under random instances of a pattern.
//!
//! Loads, OPTU and ratios of instances are exact; what they say about the mean is sampled.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::input::contents;
use crate::integer::as_size;
use crate::load::LinkLoads;
use crate::optimum::optimal_cut;
use crate::routing::{self, Family, RoutingError};
use crate::sampling::Summary;
use crate::study::engine::Job;
use crate::study::fabrics::opensm;
use crate::study::prelude::*;
use crate::traffic::{self, Traffic};

/// The word that stands for the seed in a pattern.
pub(super) const SEED: &str = "SEED";

/// A pattern on a tree, with random placements of seeds 1, 2 and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// The tree.
    pub(super) tree: &'static str,
    /// What the pattern is called in tables.
    pub(super) name: String,
    /// Its spec, with [`SEED`] for the seed.
    pub(super) pattern: String,
    /// Number of seeds.
    pub(super) seeds: u64,
}

/// Routings of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The first example of every registered routing that needs no file and fits, [`FURTHER`], and OpenSM's
    /// tables.
    All,
    /// These, where they fit.
    Some(&'static [&'static str]),
}

/// The ratio of a routing with each seed, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sample {
    /// Canonical spec of the routing, or `opensm` and an engine.
    pub(super) routing: String,
    /// max load ÷ OPTU by seed.
    pub(super) ratios: Vec<Rational>,
}

impl Sample {
    /// The summary of the ratios, of which there is at least one.
    pub(super) fn summary(&self) -> Option<Summary> {
        Summary::of(self.ratios.iter().map(|ratio| (ratio.clone(), 1)))
    }

    /// Mean and half the width of its 95 % confidence interval.
    pub(super) fn mean(&self) -> Option<(f64, f64)> {
        let summary = self.summary()?;
        Some((summary.mean().to_f64(), summary.half_width()))
    }

    /// Half the width of the interval that 95 of 100 means of as many instances are in.
    pub(super) fn spread_of_means(&self, instances: u64) -> Option<f64> {
        let variance = self.summary()?.variance().to_f64();
        Some(1.96 * (variance / instances as f64).sqrt())
    }
}

/// Points with the routings that are measured on them.
pub(super) struct Averages {
    /// The points.
    pub(super) points: Vec<Point>,
    /// The routings.
    pub(super) wanted: Wanted,
}

/// Besides first examples: those of several paths differ much from each other.
const FURTHER: [&str; 1] = ["kpath(k=2,choice=shift)"];

/// Fabrics with the tables of OpenSM's engines: the tree, the folder, the engines.
const FABRICS: [(&str, &str, [&str; 5]); 2] =
    [("ft(8,3)", "ft8x3", ENGINES), ("ft(16,3)", "ft16x3", ENGINES)];

const ENGINES: [&str; 5] = ["ftree", "dfsssp", "updn", "minhop", "nue"];

/// A routing with its name in tables.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) name: String,
    pub(super) instance: Instance,
}

impl Wanted {
    /// The routings that fit on a tree.
    pub(super) fn on(self, tree: &str) -> Result<Vec<Way>> {
        let topology = Arc::new(generate(tree)?);
        let example = |kind: &'static Kind<Family>| {
            kind.examples.iter().find(|example| !example.contains(':')).copied()
        };
        let specs: Vec<&str> = match self {
            Self::All => routing::KINDS.iter().filter_map(example).chain(FURTHER).collect(),
            Self::Some(wanted) => wanted.to_vec(),
        };
        let mut ways = Vec::new();
        for spec in specs {
            match routing::build(spec, &topology) {
                Err(RoutingError::DoesNotFit { .. }) => {}
                routing => {
                    let routing = routing?;
                    let name = routing.spec().to_string();
                    let instance = Instance::new(Arc::clone(&topology), routing)?;
                    ways.push(Way { name, instance });
                }
            }
        }
        if self == Self::All {
            ways.extend(engines(tree)?);
        }
        Ok(ways)
    }
}

/// OpenSM's tables for a tree, if there are any. Their hosts have other numbers than those of the tree,
/// which random placements do not see.
fn engines(tree: &str) -> Result<Vec<Way>> {
    let of_tree = FABRICS.iter().filter(|(of, _, _)| *of == tree);
    let all = of_tree.flat_map(|(_, fabric, engines)| engines.map(|engine| (fabric, engine)));
    let way = |(fabric, engine): (&&str, &str)| {
        Ok(Way { name: format!("opensm {engine}"), instance: opensm(fabric, engine)? })
    };
    all.map(way).collect()
}

impl Point {
    /// The ratios of all routings under one instance. OPTU is that of the tree, also for the fabrics that are
    /// wired like it: on FT(m,n) it is the most that a host sends or receives, whatever its number.
    fn ratios(
        &self,
        seed: u64,
        tree: &Topology,
        ways: &[Way],
        progress: &Progress,
    ) -> Result<Vec<Rational>> {
        let spec = self.pattern.replace(SEED, &seed.to_string());
        let traffic = match traffic::regular(&spec, tree.hosts())? {
            Some(products) => Traffic::Products(products),
            None => Traffic::Listed(traffic::generate(&spec, tree.hosts())?),
        };
        let optu = optimal_cut(tree, &traffic).map(|cut| cut.load);
        let optu = optu.filter(|load| *load > Rational::ZERO).unwrap_or(Rational::ONE);
        let ratio = |way: &Way| {
            progress.check()?;
            let (topology, routing) = (way.instance.topology(), way.instance.routing());
            let loads = LinkLoads::of(topology, routing, &traffic, &Progress::silent())?;
            Ok(loads.max_load().checked_div(&optu).unwrap_or(Rational::ONE))
        };
        ways.iter().map(ratio).collect()
    }
}

impl Averages {
    /// The samples of all points; `None` in the part of a shard, which is told first what is read.
    pub(super) fn found(&self, job: &Job<'_>) -> Result<Option<Vec<Vec<Sample>>>> {
        let trees: BTreeSet<&str> = self.points.iter().map(|point| point.tree).collect();
        trees.into_iter().try_for_each(|tree| self.wanted.on(tree).map(|_| ()))?;
        job.units.reads(&contents(), false)?;
        job.at_once(self)
    }
}

impl Rows for Averages {
    type Key = Point;
    type Row = Vec<Sample>;

    fn keys(&self) -> &[Point] {
        &self.points
    }

    fn find(&self, point: &Point, progress: &Progress) -> Result<Vec<Sample>> {
        let tree = generate(point.tree)?;
        let ways = self.wanted.on(point.tree)?;
        let sample = |way: &Way| Sample { routing: way.name.clone(), ratios: Vec::new() };
        let mut samples: Vec<Sample> = ways.iter().map(sample).collect();
        for seed in 1..=point.seeds {
            let found = point.ratios(seed, &tree, &ways, progress)?;
            samples.iter_mut().zip(found).for_each(|(sample, ratio)| sample.ratios.push(ratio));
        }
        Ok(samples)
    }

    /// As many ratios as there are seeds, and none below 1.
    fn holds(&self, point: &Point, found: &Vec<Sample>) -> bool {
        let seeds = as_size(point.seeds);
        let is_whole = |sample: &Sample| {
            sample.ratios.len() == seeds
                && sample.ratios.iter().all(|ratio| *ratio >= Rational::ONE)
        };
        !found.is_empty() && found.iter().all(is_whole)
    }
}

/// The columns of a table of samples.
pub(super) const HEADS: [&str; 8] =
    ["tree", "pattern", "routing", "instances", "mean", "mean +-", "least", "most"];

/// The lines of a point.
pub(super) fn lines(point: &Point, found: &[Sample]) -> Vec<Vec<String>> {
    let line = |sample: &Sample| {
        let summary = sample.summary()?;
        let (mean, half) = (summary.mean().to_f64(), summary.half_width());
        let numbers = [mean, half, summary.least().to_f64(), summary.most().to_f64()];
        let names = [point.tree, &point.name, &sample.routing].map(String::from);
        let count = [summary.count().to_string()];
        Some(names.into_iter().chain(count).chain(numbers.map(|x| format!("{x:.3}"))).collect())
    };
    found.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of 8 hosts in order on FT(4,2), whose leaves have 2 hosts, has ratio 1: a link carries a pair at most in
    /// each direction, and OPTU is 2.
    #[test]
    fn ratios_by_hand() {
        let point = |name: &str, pattern: &str| Point {
            tree: "ft(4,2)",
            name: name.into(),
            pattern: pattern.into(),
            seeds: 2,
        };
        let points = vec![point("ring", "ring"), point("pairs", "clustered(size=2,seed=SEED)")];
        let averages = Averages { points, wanted: Wanted::Some(&["dmodk", "osrm2", "osrm3"]) };
        let ring = averages.find(&averages.points[0], &Progress::silent()).unwrap();
        let names: Vec<&str> = ring.iter().map(|sample| sample.routing.as_str()).collect();
        assert_eq!(names, ["dmodk", "osrm2"]);
        assert!(
            ring.iter().all(|sample| sample.ratios == [Rational::ONE, Rational::ONE]),
            "{ring:?}"
        );
        assert_eq!(ring[0].mean(), Some((1.0, 0.0)));
        assert_eq!(lines(&averages.points[0], &ring)[0][3..5], ["2", "1.000"]);
        compare(&averages, str::to_string);
        // No routing exceeds its worst case, 2.
        let pairs = averages.find(&averages.points[1], &Progress::silent()).unwrap();
        assert!(pairs.iter().flat_map(|sample| &sample.ratios).all(|r| *r <= Rational::from(2)));
        assert!(!averages.holds(&averages.points[1], &Vec::new()));
    }
}
