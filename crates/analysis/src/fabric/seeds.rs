//! What a seed does: exact worst loads of a routing that draws at random, over seeds.
//!
//! A hash of switches, an order of LIDs or a random choice of paths is one draw of many. The worst load of each draw is
//! exact; what the draws say of all of them is sampled.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use crate::certificate::Quantity;
use crate::limit::{TooLarge, within};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{self, Instance, RoutingError};
use crate::sampling::Summary;
use crate::spec::Spec;
use crate::topology::Topology;
use crate::worst_case::{Analyse, HighestLoad, WorstCaseError, highest_load};

/// Maximum number of seeds.
const MAX_SEEDS: u64 = 1 << 16;

/// The option that is varied.
const SEED: &str = "seed";

/// Exact worst loads over seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedSpread {
    /// The routing with the first seed.
    pub routing: String,
    /// The first seed; the others follow it by ones.
    pub first_seed: u64,
    /// Number of seeds asked for.
    pub seeds: u32,
    /// The maximum load that a permutation can put on a link, seed by seed, as far as known.
    pub loads: Vec<Rational>,
    /// What some permutation loads a link with under the seed that a stop left unfinished, the one after those.
    pub unfinished: Option<Rational>,
}

/// Why there is no spread over seeds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SeedSpreadError {
    #[error(
        "`{0}` takes no seed: analyse it without seeds, or take a routing that draws, such as \
         `random(seed=1)`"
    )]
    NoSeed(String),
    #[error("{seeds} seeds from {first} on exceed 2^64: take a lower seed")]
    Seeds { first: u64, seeds: u32 },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
}

impl SeedSpread {
    /// The spread of a routing of a network over its own seed and those that follow. After a stop it holds the seeds
    /// that are known. `progress` advances by 1 a seed.
    ///
    /// # Errors
    /// [`SeedSpreadError`].
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use std::num::NonZeroU32;
    /// use routebound::{fabric::SeedSpread, progress::Progress, topology::generate};
    /// let (tree, five) = (generate("ft(4,3)")?, NonZeroU32::new(5).ok_or("zero")?);
    /// let found = SeedSpread::of(&tree, "hash(seed=1)", five, &Progress::silent())?;
    /// assert_eq!(found.loads.len(), 5);
    /// let spread = found.summary().ok_or("none")?;
    /// assert!(spread.least() <= spread.median() && spread.median() <= spread.most());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &Topology,
        routing: &str,
        seeds: NonZeroU32,
        progress: &Progress,
    ) -> Result<Self, SeedSpreadError> {
        let seeds = seeds.get();
        within("number of seeds", Some(seeds.into()), MAX_SEEDS, "take fewer")?;
        let spec = Spec::parse(routing).map_err(RoutingError::from)?;
        let first: Option<u64> = spec.option(SEED).and_then(|seed| seed.parse().ok());
        let first = first.ok_or_else(|| SeedSpreadError::NoSeed(spec.to_string()))?;
        let last = first.checked_add(u64::from(seeds) - 1);
        let last = last.ok_or(SeedSpreadError::Seeds { first, seeds })?;
        let (routing, loads) = (spec.to_string(), Vec::new());
        let mut found = Self { routing, first_seed: first, seeds, loads, unfinished: None };
        let topology = Arc::new(topology.clone());
        for seed in first..=last {
            if progress.cancelled() {
                break;
            }
            let quiet = Progress::silent().stopped_by(progress.stop());
            match worst_load(&topology, &spec, seed, &quiet)? {
                Worst::Exactly(load) => found.loads.push(load),
                Worst::AtLeast(load) => {
                    found.unfinished = load;
                    break;
                }
            }
            progress.inc(1);
        }
        Ok(found)
    }

    /// Whether all seeds are known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.loads.len() as u64 == u64::from(self.seeds)
    }

    /// Least, median, mean and maximum load; `None` where no seed is known.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        Summary::of(self.loads.iter().map(|load| (load.clone(), 1)))
    }

    /// The loads, ascending, and how many seeds have each.
    #[must_use]
    pub fn counts(&self) -> Vec<(Rational, usize)> {
        let mut counts: BTreeMap<&Rational, usize> = BTreeMap::new();
        for load in &self.loads {
            *counts.entry(load).or_default() += 1;
        }
        counts.into_iter().map(|(load, count)| (load.clone(), count)).collect()
    }
}

/// The worst permutation load with a seed.
enum Worst {
    Exactly(Rational),
    /// After a stop, where any link is known.
    AtLeast(Option<Rational>),
}

/// Analyses a seed.
fn worst_load(
    topology: &Arc<Topology>,
    spec: &Spec,
    seed: u64,
    progress: &Progress,
) -> Result<Worst, SeedSpreadError> {
    let mut spec = spec.clone();
    for (key, value) in &mut spec.options {
        if key == SEED {
            *value = seed.to_string();
        }
    }
    let routing = routing::build(&spec.to_string(), topology)?;
    let instance = Instance::trusted(Arc::clone(topology), routing);
    // The subtrees of trees settle single paths without a list of all pairs.
    let by_subtrees = topology.tree().is_some() && instance.routing.is_single_path();
    let found = if by_subtrees { None } else { highest_load(&instance, progress) };
    if let Some(HighestLoad { load, is_exact }) = found {
        return Ok(if is_exact { Worst::Exactly(load) } else { Worst::AtLeast(Some(load)) });
    }
    let worst = Analyse::of(Quantity::PermutationLoad).progress(progress).run(&instance)?;
    let is_exact = worst.is_exact_by_link();
    if let Some(error) = worst.unsolved.filter(|_| !is_exact) {
        return Err(error.into());
    }
    let attained = worst.links.into_iter().flatten().filter(|bound| bound.attained);
    let load = attained.map(|bound| bound.load).max();
    Ok(if is_exact { Worst::Exactly(load.unwrap_or(Rational::ZERO)) } else { Worst::AtLeast(load) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::topology::{NetworkBuilder, generate, host_number};

    fn spread(tree: &str, routing: &str, seeds: u32) -> Result<SeedSpread, SeedSpreadError> {
        let seeds = NonZeroU32::new(seeds).unwrap();
        SeedSpread::of(&generate(tree).unwrap(), routing, seeds, &Progress::silent())
    }

    /// The maximum load of any link over all permutations, tried one by one.
    fn by_trying(network: &Topology, routing: &str) -> Rational {
        let routing = routing::build(routing, network).unwrap();
        let instance = Instance::new(network.clone(), routing).unwrap();
        let mut image: Vec<u32> = (0..host_number(instance.topology().hosts())).collect();
        let mut most = Rational::ZERO;
        permute(&mut image, 0, &mut |image| {
            let mut loads = vec![Rational::ZERO; instance.topology().links()];
            for (s, d) in (0..).zip(image).filter(|(s, d)| s != *d) {
                let mut add = |share: &Rational, links: &[u32]| {
                    for link in links {
                        loads[*link as usize] += share;
                    }
                };
                instance.routing().for_each_path(s, *d, &mut Vec::new(), &mut add);
            }
            most = loads.into_iter().fold(most.clone(), Rational::max);
        });
        most
    }

    fn permute(image: &mut Vec<u32>, from: usize, visit: &mut impl FnMut(&[u32])) {
        if from == image.len() {
            return visit(image);
        }
        for other in from..image.len() {
            image.swap(from, other);
            permute(image, from + 1, visit);
            image.swap(from, other);
        }
    }

    /// Two leaves of three hosts, joined to a spine by two cables each: both choose among the cables.
    fn pairs_of_cables() -> Topology {
        let mut network = NetworkBuilder::new();
        let hosts: Vec<_> = (0..6).map(|host| network.host(format!("h{host}"))).collect();
        let [left, right, spine] = ["left", "right", "spine"].map(|name| network.switch(name));
        for (at, host) in hosts.into_iter().enumerate() {
            network.cable(host, if at < 3 { left } else { right }, Rational::ONE);
        }
        for leaf in [left, right, left, right] {
            network.cable(leaf, spine, Rational::ONE);
        }
        network.build("pairs of cables").unwrap().recognised()
    }

    /// On leaf-spine fabrics, with one flow of a pair and with several, and by tables.
    #[test]
    fn loads_are_those_of_the_worst_permutation() {
        let named = |tree| generate(tree).unwrap();
        for (network, routing) in [
            (named("xgft(2;3,2;1,2)"), "minhop(seed=1)"),
            (named("xgft(3;2,2,2;1,2,1)"), "minhop(seed=1)"),
            (named("ftree(2,2,3)"), "ecmp-hash(seed=1)"),
            (named("ftree(3,2,2)"), "ecmp-hash(seed=1,flows=3)"),
            (pairs_of_cables(), "ecmp-hash(seed=1,hash=xor,switch-offset=each)"),
            (pairs_of_cables(), "ecmp-hash(seed=1,flows=2)"),
        ] {
            let own = |seed: u64| routing.replace("seed=1", &format!("seed={seed}"));
            let expected: Vec<Rational> =
                (1..5).map(|seed| by_trying(&network, &own(seed))).collect();
            let (four, silent) = (NonZeroU32::new(4).unwrap(), Progress::silent());
            let found = SeedSpread::of(&network, routing, four, &silent).unwrap();
            assert_eq!(found.loads, expected, "{routing} on {}", network.spec());
        }
    }

    #[test]
    fn seeds_follow_each_other() {
        let tree = "xgft(3;2,2,2;1,2,1)";
        let all = spread(tree, "minhop(seed=1)", 12).unwrap();
        assert_eq!(all.loads[4..9], spread(tree, "minhop(seed=5)", 5).unwrap().loads);
        assert!(all.is_complete() && all.counts().len() > 1, "{all:?}");
        assert_eq!(all.counts().iter().map(|(_, count)| count).sum::<usize>(), 12);
    }

    #[test]
    fn what_has_no_spread_is_refused() {
        let error = spread("ft(4,2)", "dmodk", 2).unwrap_err().to_string();
        assert!(error.starts_with("`dmodk` takes no seed"), "{error}");
        let last = format!("random(seed={})", u64::MAX);
        assert!(matches!(spread("ft(4,2)", &last, 2), Err(SeedSpreadError::Seeds { .. })));
        assert_eq!(spread("ft(4,2)", &last, 1).unwrap().loads.len(), 1);
        let many = spread("ft(4,2)", "random(seed=1)", 1 << 17);
        assert!(matches!(many, Err(SeedSpreadError::TooLarge(_))));
    }

    #[test]
    fn a_stop_leaves_what_is_known() {
        let stop = Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let (tree, ten) = (generate("ft(4,2)").unwrap(), NonZeroU32::new(10).unwrap());
        let found = SeedSpread::of(&tree, "random(seed=1)", ten, &progress).unwrap();
        assert!(found.loads.is_empty() && !found.is_complete() && found.summary().is_none());
    }

    /// Whatever the moment of the stop, what is said of the unfinished seed is no more than its worst load.
    #[test]
    fn a_stop_within_a_seed_leaves_a_bound() {
        let tree = Arc::new(generate("ft(8,3)").unwrap());
        let spec = Spec::parse("random(seed=1)").unwrap();
        let worst = |progress| worst_load(&tree, &spec, 1, &progress).unwrap();
        let Worst::Exactly(exact) = worst(Progress::silent()) else { unreachable!() };
        let after = |links: u64| {
            let stop = Stop::default();
            let request = stop.clone();
            let stops = move |done| {
                if done >= links {
                    request.request();
                }
            };
            worst(Progress::silent().stopped_by(stop).watched_by(stops))
        };
        let mut bounded = 0;
        for links in [1, 50, 200, 400] {
            let load = match after(links) {
                Worst::AtLeast(load) => load,
                Worst::Exactly(load) => Some(load),
            };
            assert!(load.as_ref().is_none_or(|load| (&Rational::ONE..=&exact).contains(&load)));
            bounded += usize::from(load.is_some());
        }
        assert!(bounded > 0);
    }
}
