//! Loads of an order that changes by a few ranks at a time.

use super::bundles::Bundles;
use super::error::OrderError;
use super::pattern::Pattern;
use crate::integer::index32;
use crate::jobs::collectives::Rank;
use crate::limit::within;
use crate::load::Peak;

/// Maximum number of counters, one for every phase and link: 32 MiB for each thread.
const MAX_COUNTERS: u64 = 1 << 21;

/// The cost of an order in units; compared by time first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Sum over phases of size · maximum load.
    pub(super) time: u128,
    /// The maximum load of a phase.
    pub(super) most: u64,
}

/// An order with the loads of all links in every phase.
pub(super) struct State<'a> {
    bundles: &'a Bundles<'a>,
    pattern: &'a Pattern,
    /// Node of every rank.
    nodes: Vec<u32>,
    loads: Vec<Peak>,
    energy: u128,
    /// By send: the last change that touched it.
    stamps: Vec<u64>,
    change: u64,
    touched: Vec<u32>,
}

/// The fourth power of a load, in quarters; the quarters are capped so that sums fit.
#[inline]
fn fourth_power(load: u64, scale: u64) -> u128 {
    (u128::from(load) * 4 / u128::from(scale)).min(1 << 20).pow(4)
}

impl<'a> State<'a> {
    /// Refuses what needs too many counters.
    pub(super) fn check(bundles: &Bundles<'_>, pattern: &Pattern) -> Result<(), OrderError> {
        let links = bundles.links().len().next_power_of_two() as u128;
        let counters = pattern.sizes.len() as u128 * links;
        within(
            "number of phases times links",
            Some(counters),
            MAX_COUNTERS,
            "search with fewer nodes",
        )?;
        Ok(())
    }

    /// Starts with an order. O(sends · links of a send + phases · links).
    pub(super) fn new(bundles: &'a Bundles<'a>, pattern: &'a Pattern, nodes: &[u32]) -> Self {
        let mut state = Self {
            bundles,
            pattern,
            nodes: nodes.to_vec(),
            loads: vec![Peak::new(bundles.links().len()); pattern.sizes.len()],
            energy: 0,
            stamps: vec![0; pattern.sends.len()],
            change: 0,
            touched: Vec::new(),
        };
        (0..index32(pattern.sends.len())).for_each(|send| state.put(send));
        state
    }

    /// Replaces the order.
    pub(super) fn set(&mut self, nodes: &[u32]) {
        self.loads.iter_mut().for_each(Peak::clear);
        self.energy = 0;
        self.nodes.copy_from_slice(nodes);
        (0..index32(self.pattern.sends.len())).for_each(|send| self.put(send));
    }

    /// The node of every rank.
    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Cost in units. O(phases).
    pub(super) fn score(&self) -> Score {
        let mut score = Score::default();
        for (size, loads) in self.pattern.sizes.iter().zip(&self.loads) {
            score.time += u128::from(*size) * u128::from(loads.top());
            score.most = score.most.max(loads.top());
        }
        score
    }

    /// Sum over phases and links of size · load⁴, which the most loaded links dominate.
    pub(super) fn energy(&self) -> u128 {
        self.energy
    }

    /// Puts ranks on nodes: `nodes[i]` gets `ranks[i]`, no rank twice, and together the nodes are those that
    /// these ranks had. O(their sends · links of a send · log links).
    pub(super) fn place(&mut self, ranks: &[Rank], nodes: &[u32]) {
        self.change += 1;
        let mut touched = std::mem::take(&mut self.touched);
        let pattern = self.pattern;
        for send in ranks.iter().flat_map(|rank| pattern.of_rank(*rank)) {
            let stamp = &mut self.stamps[*send as usize];
            if *stamp != self.change {
                *stamp = self.change;
                touched.push(*send);
                self.take(*send);
            }
        }
        for (rank, node) in ranks.iter().zip(nodes) {
            self.nodes[*rank as usize] = *node;
        }
        touched.drain(..).for_each(|send| self.put(send));
        self.touched = touched;
    }

    /// Exchanges the nodes of two ranks.
    pub(super) fn swap(&mut self, a: Rank, b: Rank) {
        let [on_a, on_b] = [a, b].map(|rank| self.nodes[rank as usize]);
        self.place(&[a, b], &[on_b, on_a]);
    }

    fn put(&mut self, send: u32) {
        let (phase, s, d) = self.pattern.sends[send as usize];
        let (scale, size) = (self.bundles.scale(), u128::from(self.pattern.sizes[phase as usize]));
        let loads = &mut self.loads[phase as usize];
        for (link, units) in self.bundles.send(self.nodes[s as usize], self.nodes[d as usize]) {
            let load = loads.add(link, units);
            self.energy += size * (fourth_power(load, scale) - fourth_power(load - units, scale));
        }
    }

    fn take(&mut self, send: u32) {
        let (phase, s, d) = self.pattern.sends[send as usize];
        let (scale, size) = (self.bundles.scale(), u128::from(self.pattern.sizes[phase as usize]));
        let loads = &mut self.loads[phase as usize];
        for (link, units) in self.bundles.send(self.nodes[s as usize], self.nodes[d as usize]) {
            let load = loads.sub(link, units);
            self.energy -= size * (fourth_power(load + units, scale) - fourth_power(load, scale));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::collectives::{COLLECTIVES, generate};
    use crate::jobs::{Job, Nodes};
    use crate::progress::Progress;
    use crate::routing::Instance;
    use proptest::prelude::*;

    proptest! {
        /// Whatever came before, the loads are those of a new state with the same order.
        #[test]
        fn changes_leave_no_trace(
            instance in 0_usize..3,
            collective in 0..COLLECTIVES.len(),
            changes in prop::collection::vec(prop::collection::btree_set(0_u32..7, 2..6), 0..20),
        ) {
            let (topology, routing) =
                [("ft(4,2)", "dmodk"), ("xgft(2;4,2;1,3)", "kpath(k=2)"), ("ft(4,2)", "omrmn")][instance];
            let instance = Instance::named(topology, routing).unwrap();
            let nodes = Nodes::of(instance.topology()).nodes[1..].to_vec();
            let job = Job { name: "seven".into(), nodes };
            let bundles = Bundles::of(&instance, &job, &Progress::silent()).unwrap();
            let collective = generate(COLLECTIVES[collective].name, 7).unwrap();
            let pattern = Pattern::of(&collective, &job).unwrap();
            let mut state = State::new(&bundles, &pattern, &[3, 1, 4, 0, 5, 2, 6]);
            for ranks in changes {
                let ranks: Vec<Rank> = ranks.into_iter().collect();
                let mut nodes: Vec<u32> = ranks.iter().map(|rank| state.nodes()[*rank as usize]).collect();
                nodes.rotate_left(1);
                state.place(&ranks, &nodes);
                let fresh = State::new(&bundles, &pattern, state.nodes());
                prop_assert_eq!((state.score(), state.energy()), (fresh.score(), fresh.energy()));
            }
        }
    }
}
