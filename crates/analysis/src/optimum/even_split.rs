//! Traffic split evenly over all shortest paths (OMRMN of \[OR\] III on trees).

use std::collections::BTreeMap;

use super::cuts::optimal_cut;
use super::gates::{Gates, Walk};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::sums::Sums;
use crate::topology::{LinkId, Topology, Xgft};
use crate::traffic::Demand;

/// The loads of traffic that is split evenly over all shortest paths of its pairs.
pub struct EvenSplit<'t> {
    topology: &'t Topology,
    load: Sums,
}

/// The max load of `demands` when they are split evenly over all shortest paths, an upper bound on
/// their optu. On trees, where the split loads all links out of a subtree equally, it is optu
/// itself, computed from the sums of what leaves and enters the subtrees. `None` in the same cases
/// as [`EvenSplit::route`].
///
/// # Errors
/// [`Stopped`] when `progress` was cancelled.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{optimum::even_load, progress::Progress, rational::Rational, topology, traffic::Demand};
/// let tree = topology::generate("ft(4,2)")?;
/// let both = [0, 1].map(|s| Demand { s, d: 3, amount: Rational::ONE });
/// assert_eq!(even_load(&tree, &both, &Progress::silent())?, Some(Rational::from(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn even_load(
    topology: &Topology,
    demands: &[Demand],
    progress: &Progress,
) -> Result<Option<Rational>, Stopped> {
    if let Some(cut) = optimal_cut(topology, demands) {
        return Ok(Some(cut.load));
    }
    Ok(EvenSplit::route_while(topology, demands, progress)?.map(|split| split.max_load()))
}

impl<'t> EvenSplit<'t> {
    /// Splits `demands` this way; `None` when a pair has no path, or 2^128 − 1 or more shortest
    /// paths. O(demands · links used) on trees; elsewhere O(demands + links) plus, for every pair
    /// of switches that hosts with traffic are attached to, the links between them.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{optimum::EvenSplit, rational::Rational, topology, traffic::Demand};
    /// let tree = topology::generate("ft(4,2)")?;
    /// let shift: Vec<_> = (0..8).map(|s| Demand { s, d: (s + 4) % 8, amount: Rational::ONE }).collect();
    /// let split = EvenSplit::route(&tree, &shift).ok_or("no path")?;
    /// assert_eq!(split.max_load(), Rational::ONE);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn route(topology: &'t Topology, demands: &[Demand]) -> Option<Self> {
        Self::route_while(topology, demands, &Progress::silent()).ok().flatten()
    }

    /// Splits traffic evenly until `progress` is cancelled.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was cancelled.
    fn route_while(
        topology: &'t Topology,
        demands: &[Demand],
        progress: &Progress,
    ) -> Result<Option<Self>, Stopped> {
        let mut split = Self { topology, load: Sums::new(topology.links()) };
        let routed = if let Some(tree) = topology.tree() {
            for demand in demands {
                progress.check()?;
                split.add_on_tree(tree, demand);
            }
            Some(())
        } else {
            split.add_all(demands, progress)?
        };
        Ok(routed.map(|()| split))
    }

    /// Load of a link: traffic ÷ capacity.
    #[must_use]
    pub fn load(&self, link: LinkId) -> Rational {
        self.topology.load_of(link, &self.load.get(link))
    }

    /// The largest load of a link; 0 if there are no links.
    #[must_use]
    pub fn max_load(&self) -> Rational {
        let links = self.topology.link_numbers();
        links.fold(Rational::ZERO, |most, link| most.max(self.load(link)))
    }

    /// Every link of step l on a shortest path of the pair carries 1/(w1⋯wl) of the demand.
    fn add_on_tree(&mut self, tree: &Xgft, demand: &Demand) {
        for level in 0..tree.nca_level(demand.s, demand.d) {
            let paths = Rational::from(u64::from(tree.shortest_paths(level + 1)));
            let part = demand.amount.checked_div(&paths);
            let part = part.expect("every node of a tree below the top has a parent");
            let ends = (tree.subtree(demand.s, level), tree.subtree(demand.d, level));
            for b in 0..tree.shortest_paths(level) {
                for port in 0..tree.parents(level + 1) {
                    let up = tree.link_id(level, ends.0, b, port).0;
                    let down = tree.link_id(level, ends.1, b, port).1;
                    self.load.add([up, down], &part);
                }
            }
        }
    }

    /// Splits all demands; those between the same two gates are merged.
    fn add_all(&mut self, demands: &[Demand], progress: &Progress) -> Result<Option<()>, Stopped> {
        let gates = Gates::new(self.topology);
        let mut between: BTreeMap<u32, BTreeMap<u32, Rational>> = BTreeMap::new();
        for Demand { s, d, amount } in demands {
            self.share(gates.to_gate(*s), amount);
            self.share(gates.from_gate(*d), amount);
            let to = between.entry(gates.of(*d)).or_default();
            *to.entry(gates.of(*s)).or_default() += amount;
        }
        let mut walk = Walk::default();
        for (to, sources) in between {
            let ways = gates.ways(to);
            for (from, amount) in sources {
                progress.check()?;
                let Some(paths) = gates.paths(from, &ways) else { return Ok(None) };
                let mut last = (paths, amount.clone());
                gates.for_each_link(from, &ways, &mut walk, |link, through| {
                    if last.0 != through {
                        let share = Rational::from_big(through.into(), paths.into());
                        let share = share.expect("gates count at least one path");
                        last = (through, &amount * &share);
                    }
                    self.load.add([link], &last.1);
                });
            }
        }
        Ok(Some(()))
    }

    /// Divides traffic evenly over parallel links.
    fn share(&mut self, links: &[LinkId], amount: &Rational) {
        if links.is_empty() {
            return;
        }
        let part = amount.checked_div(&Rational::from(links.len() as u64));
        let part = part.expect("there are links to divide by");
        self.load.add(links.iter().copied(), &part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{generate, host_number};

    #[test]
    fn tree_arithmetic_equals_the_search() {
        for spec in ["ft(4,3)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)", "ftree(2,5,4)"] {
            let tree = generate(spec).unwrap();
            let plain = Topology::new(spec.into(), tree.graph().clone()).unwrap();
            let hosts = host_number(tree.hosts());
            let amount = |s: u32| Rational::new(u64::from(s) + 1, 3).unwrap();
            let demands: Vec<_> = (0..hosts)
                .flat_map(|s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d)))
                .map(|(s, d)| Demand { s, d, amount: amount(s) })
                .collect();
            let (fast, slow) =
                (EvenSplit::route(&tree, &demands), EvenSplit::route(&plain, &demands));
            let (fast, slow) = (fast.unwrap(), slow.unwrap());
            for link in tree.link_numbers() {
                assert_eq!(fast.load(link), slow.load(link), "{spec}");
            }
        }
    }
}
