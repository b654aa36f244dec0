//! What the order of LIDs does: exact worst loads of a routing that follows it, over random orders.
//!
//! A subnet manager gives LIDs to adapters as it finds them, or by their GUIDs, so where which adapter sits
//! decides their order, and with it what most engines compute. One measured order is one draw.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::certificate::Quantity;
use crate::limit::{TooLarge, within};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{self, Instance, RoutingError};
use crate::sampling::Summary;
use crate::spec::Spec;
use crate::topology::Topology;
use crate::worst_case::{Analyse, WorstCaseError};

/// Maximum number of orders.
const MAX_ORDERS: u64 = 1 << 16;
/// The routings that take destinations in the order of their LIDs, and a random order by `seed=`.
const BY_LID: &[&str] = &["minhop"];

/// Exact worst loads over orders of LIDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LidSpread {
    /// The name of the routing.
    pub routing: String,
    /// The seed of the first order; the others follow it by ones.
    pub first_seed: u64,
    /// Number of orders asked for.
    pub orders: u32,
    /// The maximum load that a permutation can put on a link, order by order, as far as known.
    pub loads: Vec<Rational>,
}

/// Why there is no spread over orders of LIDs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LidSpreadError {
    #[error("`{routing}` {reason}")]
    NotByLid { routing: String, reason: &'static str },
    #[error("{orders} orders from seed {first} on need seeds above 2^64: take a lower seed")]
    Seeds { first: u64, orders: u32 },
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Routing(#[from] RoutingError),
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
}

impl LidSpread {
    /// Whether a routing has a spread.
    ///
    /// # Errors
    /// [`LidSpreadError::NotByLid`] with the reason and the remedy.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::fabric::LidSpread;
    /// assert!(LidSpread::check("minhop").is_ok());
    /// let error = LidSpread::check("osrm2").unwrap_err().to_string();
    /// assert!(error.starts_with("`osrm2` does not depend on the order of LIDs"));
    /// ```
    pub fn check(routing: &str) -> Result<(), LidSpreadError> {
        let spec = Spec::parse(routing).map_err(RoutingError::from)?;
        if BY_LID.contains(&&*spec.name) {
            return Ok(());
        }
        let reason = if spec.path.is_some() {
            "has the tables or paths of one order of LIDs, and those of another only the engine knows that \
             made it: compare it with `minhop`"
        } else {
            "does not depend on the order of LIDs: `minhop` does"
        };
        Err(LidSpreadError::NotByLid { routing: spec.to_string(), reason })
    }

    /// The spread of a routing of a network over the orders of seeds `first`, `first` + 1, …; options of the
    /// routing do not count. After a stop it holds the orders that are known. `progress` advances by
    /// 1 an order, each O(hosts · links + analysis).
    ///
    /// # Errors
    /// [`LidSpreadError`].
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use std::num::NonZeroU32;
    /// use routebound::{fabric::LidSpread, progress::Progress, topology::generate};
    /// let five = NonZeroU32::new(5).ok_or("zero")?;
    /// let found = LidSpread::of(&generate("ft(4,3)")?, "minhop", 1, five, &Progress::silent())?;
    /// assert_eq!(found.loads.len(), 5);
    /// let spread = found.summary().ok_or("none")?;
    /// assert!(spread.least() <= spread.median() && spread.median() <= spread.most());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &Topology,
        routing: &str,
        first: u64,
        orders: NonZeroU32,
        progress: &Progress,
    ) -> Result<Self, LidSpreadError> {
        Self::check(routing)?;
        let orders = orders.get();
        within("number of LID orders", Some(orders.into()), MAX_ORDERS, "take fewer")?;
        let last = first.checked_add(u64::from(orders) - 1);
        let last = last.ok_or(LidSpreadError::Seeds { first, orders })?;
        let name = Spec::parse(routing).map_err(RoutingError::from)?.name;
        let mut found = Self { routing: name, first_seed: first, orders, loads: Vec::new() };
        for seed in first..=last {
            if progress.cancelled() {
                break;
            }
            let Some(load) = worst_load(topology, &found.routing, seed, progress)? else { break };
            found.loads.push(load);
            progress.inc(1);
        }
        Ok(found)
    }

    /// Whether all orders are known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.loads.len() as u64 == u64::from(self.orders)
    }

    /// Least, median and maximum load; `None` where no order is known.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        Summary::of(self.loads.iter().map(|load| (load.clone(), 1)))
    }

    /// The loads, ascending, and how many orders have each.
    #[must_use]
    pub fn counts(&self) -> Vec<(Rational, usize)> {
        let mut counts: BTreeMap<&Rational, usize> = BTreeMap::new();
        for load in &self.loads {
            *counts.entry(load).or_default() += 1;
        }
        counts.into_iter().map(|(load, count)| (load.clone(), count)).collect()
    }
}

/// The worst permutation load with the order of a seed; `None` after a stop.
fn worst_load(
    topology: &Topology,
    name: &str,
    seed: u64,
    progress: &Progress,
) -> Result<Option<Rational>, LidSpreadError> {
    let routing = routing::build(&format!("{name}(seed={seed})"), topology)?;
    let instance = Instance::trusted(topology.clone(), routing);
    let quiet = Progress::silent().stopped_by(progress.stop());
    let worst = Analyse::of(Quantity::PermutationLoad).progress(&quiet).run(&instance)?;
    if !worst.is_exact_by_link() {
        return worst.unsolved.map_or(Ok(None), |error| Err(error.into()));
    }
    Ok(worst.links.into_iter().flatten().map(|bound| bound.load).max())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::topology::{generate, host_number};

    fn spread(tree: &str, first: u64, orders: u32) -> Result<LidSpread, LidSpreadError> {
        let orders = NonZeroU32::new(orders).unwrap();
        LidSpread::of(
            &generate(tree).unwrap(),
            "minhop(seed=99)",
            first,
            orders,
            &Progress::silent(),
        )
    }

    /// The maximum load of any link over all permutations, tried one by one.
    fn by_trying(tree: &str, seed: u64) -> Rational {
        let instance = Instance::named(tree, &format!("minhop(seed={seed})")).unwrap();
        let hosts = instance.topology().hosts();
        let mut image: Vec<u32> = (0..host_number(hosts)).collect();
        let mut most = 0_u64;
        permute(&mut image, 0, &mut |image| {
            let mut loads = vec![0_u64; instance.topology().links()];
            for (s, d) in (0..).zip(image).filter(|(s, d)| s != *d) {
                instance.routing().for_each_path(s, *d, &mut Vec::new(), &mut |_, links| {
                    for link in links {
                        loads[*link as usize] += 1;
                    }
                });
            }
            most = most.max(loads.into_iter().max().unwrap_or(0));
        });
        most.into()
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

    #[test]
    fn loads_are_those_of_the_worst_permutation() {
        let found = spread("xgft(2;3,2;1,2)", 5, 8).unwrap();
        let expected: Vec<Rational> =
            (5..13).map(|seed| by_trying("xgft(2;3,2;1,2)", seed)).collect();
        assert_eq!(found.loads, expected);
        assert_eq!(found.routing, "minhop");
        // The order matters: both loads occur.
        let (tree, seeds) = ("xgft(3;2,2,2;1,2,1)", 1..6);
        let expected: Vec<Rational> = seeds.map(|seed| by_trying(tree, seed)).collect();
        let deep = spread(tree, 1, 5).unwrap();
        assert_eq!(deep.loads, expected);
        assert_eq!(deep.counts().len(), 2, "{deep:?}");
    }

    #[test]
    fn orders_follow_the_seeds() {
        let tree = "xgft(3;2,2,2;1,2,1)";
        let all = spread(tree, 1, 12).unwrap();
        assert_eq!(all.loads[4..9], spread(tree, 5, 5).unwrap().loads);
        assert!(all.is_complete() && all.counts().len() > 1, "{all:?}");
        assert_eq!(all.counts().iter().map(|(_, count)| count).sum::<usize>(), 12);
    }

    #[test]
    fn what_has_no_spread_is_refused() {
        for (routing, expected) in [
            ("smodk", "`smodk` does not depend on the order of LIDs: `minhop` does"),
            ("lft:x.dump", "`lft:x.dump` has the tables or paths of one order of LIDs"),
        ] {
            let error = LidSpread::check(routing).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(matches!(spread("ft(4,2)", u64::MAX, 2), Err(LidSpreadError::Seeds { .. })));
        assert_eq!(spread("ft(4,2)", u64::MAX, 1).unwrap().loads.len(), 1);
        assert!(matches!(spread("ft(4,2)", 1, 1 << 17), Err(LidSpreadError::TooLarge(_))));
    }

    #[test]
    fn a_stop_leaves_what_is_known() {
        let stop = Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let ten = NonZeroU32::new(10).unwrap();
        let found =
            LidSpread::of(&generate("ft(4,2)").unwrap(), "minhop", 1, ten, &progress).unwrap();
        assert!(found.loads.is_empty() && !found.is_complete() && found.summary().is_none());
    }
}
