//! Traffic split evenly over all shortest paths (OMRMN of \[OR\] III on trees).

use std::collections::VecDeque;

use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId, Topology, Xgft};
use crate::traffic::Demand;

/// The loads of traffic that is split evenly over all shortest paths of its pairs.
pub struct EvenSplit<'t> {
    topology: &'t Topology,
    load: Vec<Ratio>,
}

impl<'t> EvenSplit<'t> {
    /// Routes `demands` this way; `None` when a pair has no path, or more than 2^128 shortest
    /// paths. O(demands · links used) on trees, O(demands · links) elsewhere.
    ///
    /// ```
    /// use routebound::{optimum::EvenSplit, ratio::Ratio, topology, traffic::Demand};
    /// let tree = topology::generate("ft(4,2)")?;
    /// let shift: Vec<_> = (0..8).map(|s| Demand { s, d: (s + 4) % 8, amount: Ratio::ONE }).collect();
    /// let split = EvenSplit::route(&tree, &shift).ok_or("no path")?;
    /// assert_eq!(split.max_load(), Ratio::ONE);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn route(topology: &'t Topology, demands: &[Demand]) -> Option<Self> {
        let mut split = Self { topology, load: vec![Ratio::ZERO; topology.links()] };
        if let Some(tree) = topology.tree() {
            for demand in demands {
                split.add_on_tree(tree, demand);
            }
        } else {
            demands.iter().try_for_each(|demand| split.add(demand))?;
        }
        Some(split)
    }

    /// Load of a link: traffic ÷ capacity.
    #[must_use]
    pub fn load(&self, link: LinkId) -> Ratio {
        let capacity = &self.topology.link(link).capacity;
        self.load[link as usize].checked_div(capacity).unwrap_or(Ratio::ZERO)
    }

    /// The largest load of a link.
    #[must_use]
    pub fn max_load(&self) -> Ratio {
        (0..self.load.len() as LinkId).map(|link| self.load(link)).max().unwrap_or(Ratio::ZERO)
    }

    /// Every link of step l on a shortest path of the pair carries 1/(w1⋯wl) of it.
    fn add_on_tree(&mut self, tree: &Xgft, demand: &Demand) {
        for level in 0..tree.nca_level(demand.s, demand.d) {
            let paths = Ratio::from(u64::from(tree.shortest_paths(level + 1)));
            let part = demand.amount.checked_div(&paths).unwrap_or(Ratio::ZERO);
            let ends = (tree.subtree(demand.s, level), tree.subtree(demand.d, level));
            for b in 0..tree.shortest_paths(level) {
                for port in 0..tree.parents(level + 1) {
                    self.load[tree.link_id(level, ends.0, b, port).0 as usize] += &part;
                    self.load[tree.link_id(level, ends.1, b, port).1 as usize] += &part;
                }
            }
        }
    }

    fn add(&mut self, demand: &Demand) -> Option<()> {
        let from = ShortestPaths::search(self.topology, demand.s, true)?;
        let to = ShortestPaths::search(self.topology, demand.d, false)?;
        let length = from.distance[demand.d as usize]?;
        let total = from.count[demand.d as usize];
        for link in 0..self.load.len() as LinkId {
            let (tail, head) = self.topology.ends(link)?;
            let (Some(before), Some(after)) =
                (from.distance[tail as usize], to.distance[head as usize])
            else {
                continue;
            };
            if before + 1 + after == length {
                let through = from.count[tail as usize].checked_mul(to.count[head as usize])?;
                let share = Ratio::from_big(through.into(), total.into())?;
                self.load[link as usize] += &(&demand.amount * &share);
            }
        }
        Some(())
    }
}

/// Distance from (or to) one host of every node, and how many shortest paths there are.
struct ShortestPaths {
    distance: Vec<Option<u32>>,
    count: Vec<u128>,
}

impl ShortestPaths {
    fn search(topology: &Topology, root: Host, forward: bool) -> Option<Self> {
        let nodes = topology.nodes();
        let mut found = Self { distance: vec![None; nodes], count: vec![0; nodes] };
        found.distance[root as usize] = Some(0);
        found.count[root as usize] = 1;
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            let links: &mut dyn Iterator<Item = LinkId> =
                if forward { &mut topology.links_from(node) } else { &mut topology.links_to(node) };
            for link in links {
                let (tail, head) = topology.ends(link)?;
                found.reach(node, if forward { head } else { tail }, &mut queue)?;
            }
        }
        Some(found)
    }

    fn reach(&mut self, node: NodeId, next: NodeId, queue: &mut VecDeque<NodeId>) -> Option<()> {
        let here = self.distance[node as usize]?;
        let there = &mut self.distance[next as usize];
        if there.is_none() {
            *there = Some(here + 1);
            queue.push_back(next);
        }
        if *there == Some(here + 1) {
            let paths = self.count[node as usize];
            let count = &mut self.count[next as usize];
            *count = count.checked_add(paths)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn tree_arithmetic_equals_the_search() {
        for spec in ["ft(4,3)", "xgft(3;2,2,2;1,2,1)", "xgft(2;2,3;2,2)", "ftree(2,5,4)"] {
            let tree = generate(spec).unwrap();
            let plain = Topology::new(spec.into(), tree.graph().clone()).unwrap();
            let hosts = tree.hosts() as u32;
            let amount = |s: u32| Ratio::new(u64::from(s) + 1, 3).unwrap();
            let demands: Vec<_> = (0..hosts)
                .flat_map(|s| (0..hosts).filter(move |d| *d != s).map(move |d| (s, d)))
                .map(|(s, d)| Demand { s, d, amount: amount(s) })
                .collect();
            let (fast, slow) =
                (EvenSplit::route(&tree, &demands), EvenSplit::route(&plain, &demands));
            assert_eq!(fast.unwrap().load, slow.unwrap().load, "{spec}");
        }
    }
}
