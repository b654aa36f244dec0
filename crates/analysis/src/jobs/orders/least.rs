//! Bounds that no order of the ranks falls short of.
//!
//! A node that sends loads some link by at least as much as the send to the destination that is best for it
//! does. In a phase in which k ranks send, k nodes do, whichever they are; so the maximum load is at least
//! the k-th least of these. The same holds for nodes that receive. And a rank that sends to several others
//! at once, or receives from several, shares the links of its adapter among them.

use std::collections::BTreeMap;

use super::bundles::Bundles;
use super::error::OrderError;
use super::loads::{Cost, check_sizes};
use crate::integer::index32;
use crate::jobs::collectives::{Collective, Phase, Rank};
use crate::rational::Rational;

/// A cost that no order falls short of, in time or in the maximum load; an order that costs no more is
/// proven best. In a ring every node sends, so that the load is at least the maximum over nodes of the lowest load of
/// any send of theirs. O(nodes² · links of a send + sends · log).
///
/// # Errors
/// [`OrderError::OtherSize`] where the collective is not for the job's number of nodes.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, collectives, orders::{Bundles, least_cost}};
/// use routebound::{progress::Progress, rational::Rational, routing::Instance};
/// let instance = Instance::named("ft(4,2)", "dmodk")?;
/// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
/// let bundles = Bundles::of(&instance, &job, &Progress::silent())?;
/// assert_eq!(least_cost(&bundles, &collectives::generate("ring", 8)?)?.most, Rational::ONE);
/// // A rank with two children receives twice.
/// assert_eq!(least_cost(&bundles, &collectives::generate("tree", 8)?)?.most, Rational::from(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least_cost(bundles: &Bundles<'_>, collective: &Collective) -> Result<Cost, OrderError> {
    check_sizes(bundles.job(), collective)?;
    let bounds = Bounds::of(bundles);
    let loads: Vec<Rational> =
        collective.phases.iter().map(|phase| bounds.of_phase(phase)).collect();
    Ok(Cost::of(collective.phases.iter().map(|phase| &phase.size).zip(&loads)))
}

/// What every node has to bear, ascending: for sending, and for receiving.
struct Bounds {
    /// The least peak of a send.
    peaks: [Vec<Rational>; 2],
    /// The lowest load that one send per unit puts on the links of any node's adapter, of a rail that all
    /// nodes have.
    ends: [Rational; 2],
}

impl Bounds {
    fn of(bundles: &Bundles<'_>) -> Self {
        let nodes = 0..index32(bundles.nodes());
        let least = |node: u32, sends: bool| {
            let others = nodes.clone().filter(|other| *other != node);
            let peak =
                |other| if sends { bundles.peak(node, other) } else { bundles.peak(other, node) };
            others.map(peak).min().unwrap_or(Rational::ZERO)
        };
        let sorted = |sends| {
            let mut peaks: Vec<Rational> = nodes.clone().map(|node| least(node, sends)).collect();
            peaks.sort_unstable();
            peaks
        };
        Self {
            peaks: [true, false].map(sorted),
            ends: [true, false].map(|sends| end(bundles, sends)),
        }
    }

    /// The load that a phase has in any order.
    fn of_phase(&self, phase: &Phase) -> Rational {
        let from = phase.sends.iter().map(|(s, _)| *s);
        let to = phase.sends.iter().map(|(_, d)| *d);
        self.of_side(0, &counts(from)).max(self.of_side(1, &counts(to)))
    }

    /// `counts` are the sends of every rank that has any.
    fn of_side(&self, side: usize, counts: &BTreeMap<Rank, u64>) -> Rational {
        let peak = counts.len().checked_sub(1).and_then(|last| self.peaks[side].get(last));
        let most = counts.values().copied().max().unwrap_or(0);
        let shared = &Rational::from(most) * &self.ends[side];
        peak.map_or(Rational::ZERO, Rational::clone).max(shared)
    }
}

fn counts(ranks: impl Iterator<Item = Rank>) -> BTreeMap<Rank, u64> {
    let mut counts = BTreeMap::new();
    ranks.for_each(|rank| *counts.entry(rank).or_default() += 1);
    counts
}

/// The least over the nodes of what one send puts on the links of its adapters: every send of a node uses an
/// adapter whose rail all nodes have.
fn end(bundles: &Bundles<'_>, outgoing: bool) -> Rational {
    let nodes = &bundles.job().nodes;
    let rails = nodes.iter().map(|node| node.adapters.len()).min().unwrap_or(0);
    let is_common = |rail: &usize| nodes.iter().all(|node| node.adapters[*rail].is_some());
    let common: Vec<usize> = (0..rails).filter(is_common).collect();
    let topology = bundles.instance().topology();
    let of_node = |adapters: &[Option<u32>]| {
        let hosts = common.iter().filter_map(|rail| adapters[*rail]);
        let loads = hosts
            .filter_map(|host| Rational::ONE.checked_div(&topology.host_capacity(host, outgoing)));
        loads.max().unwrap_or(Rational::ZERO)
    };
    nodes.iter().map(|node| of_node(&node.adapters)).min().unwrap_or(Rational::ZERO)
}
