//! The lower side: the witness can be routed with max load OPTU, and loads its link.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::certificate::{Claim, Demand, Quantity, Witness};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId, NodeId};

use super::Refusal;
use super::network::{Network, Uses};

/// Verifies that the even split of the witness exceeds OPTU on no link, and returns the load
/// that the routing puts on the witness link.
pub(super) fn check_optu(network: &Network, witness: &Witness) -> Result<Ratio, Refusal> {
    let link = witness.link;
    if link as usize >= network.links.len() {
        return Err(Refusal::NoWitnessLink(link));
    }
    if witness.demands.is_empty() {
        return Err(Refusal::EmptyWitness);
    }
    for demand in &witness.demands {
        let (s, d) = (demand.s, demand.d);
        let known = |host: Host| (host as usize) < network.hosts;
        if !known(s) || !known(d) || s == d || demand.amount.is_zero() {
            return Err(Refusal::BadDemand { s, d });
        }
    }
    for (link, traffic) in even_split(network, &witness.demands)?.iter().enumerate() {
        let capacity = &network.links[link].2;
        if *traffic > &witness.optu * capacity {
            let load = traffic.checked_div(capacity).unwrap_or(Ratio::ZERO);
            let optu = witness.optu.clone();
            return Err(Refusal::OptuExceeded { link: link as LinkId, load, optu });
        }
    }
    routed_load(network, witness)
}

/// Traffic on every link when each demand is split evenly over all its shortest paths.
fn even_split(network: &Network, demands: &[Demand]) -> Result<Vec<Ratio>, Refusal> {
    let leaving = links_by_node(network);
    let parts: Vec<_> = demands
        .par_chunks(demands.len().div_ceil(BLOCKS))
        .map(|demands| {
            let mut search = Search::new(network, &leaving);
            for demand in demands {
                let (s, d) = (demand.s, demand.d);
                search.add(demand).ok_or(Refusal::Unroutable { s, d })?;
            }
            Ok::<_, Refusal>(search.traffic)
        })
        .collect();
    let mut total = vec![Ratio::ZERO; network.links.len()];
    for part in parts {
        for (sum, traffic) in total.iter_mut().zip(&part?) {
            *sum += traffic;
        }
    }
    Ok(total)
}

fn links_by_node(network: &Network) -> Vec<Vec<LinkId>> {
    let mut leaving = vec![Vec::new(); network.nodes];
    for (id, (from, _, _)) in network.links.iter().enumerate() {
        leaving[*from as usize].push(id as LinkId);
    }
    leaving
}

fn routed_load(network: &Network, witness: &Witness) -> Result<Ratio, Refusal> {
    let (mut traffic, mut uses) = (Ratio::ZERO, Uses::default());
    for demand in &witness.demands {
        network.uses(demand.s, demand.d, &mut uses)?;
        traffic += &(&uses.share(witness.link) * &demand.amount);
    }
    let capacity = &network.links[witness.link as usize].2;
    Ok(traffic.checked_div(capacity).unwrap_or(Ratio::ZERO))
}

/// Verifies the lower side of a claim, `load` being what the routing puts on the witness link.
pub(super) fn check_lower(witness: &Witness, claim: &Claim, load: &Ratio) -> Result<(), Refusal> {
    let needed = match claim.quantity {
        Quantity::ObliviousRatio => &claim.lower * &witness.optu,
        Quantity::PermutationLoad => {
            check_permutation(witness)?;
            claim.lower.clone()
        }
    };
    if *load < needed {
        let (quantity, load) = (claim.quantity, load.clone());
        return Err(Refusal::WitnessTooLight { quantity, load, needed });
    }
    Ok(())
}

fn check_permutation(witness: &Witness) -> Result<(), Refusal> {
    let (mut sources, mut destinations) = (HashSet::new(), HashSet::new());
    for demand in &witness.demands {
        if !sources.insert(demand.s) || demand.amount > Ratio::ONE {
            return Err(Refusal::NotNodeDisjoint(demand.s));
        }
        if !destinations.insert(demand.d) {
            return Err(Refusal::NotNodeDisjoint(demand.d));
        }
    }
    Ok(())
}

/// Shortest-path search with its buffers, and the traffic that it has put on links.
struct Search<'n> {
    network: &'n Network,
    leaving: &'n [Vec<LinkId>],
    /// Distance from the source of the current demand, [`UNSEEN`] where not reached.
    distance: Vec<u32>,
    /// Reached nodes, nearest first.
    reached: Vec<NodeId>,
    /// Number of shortest paths from the source, and onward to the destination.
    from_source: Vec<u128>,
    to_destination: Vec<u128>,
    traffic: Vec<Ratio>,
}

const UNSEEN: u32 = u32::MAX;
const BLOCKS: usize = 16;

impl<'n> Search<'n> {
    fn new(network: &'n Network, leaving: &'n [Vec<LinkId>]) -> Self {
        Self {
            network,
            leaving,
            distance: vec![UNSEEN; network.nodes],
            reached: Vec::new(),
            from_source: vec![0; network.nodes],
            to_destination: vec![0; network.nodes],
            traffic: vec![Ratio::ZERO; network.links.len()],
        }
    }

    /// Splits a demand: a link carries (paths from s to its tail)·(paths from its head to d) ÷
    /// (all paths) of it, if it lies on a shortest path. `None` when there is no path or more
    /// than 2^128.
    fn add(&mut self, demand: &Demand) -> Option<()> {
        self.search(demand.s, demand.d)?;
        self.to_destination[demand.d as usize] = 1;
        for at in (0..self.reached.len()).rev() {
            let node = self.reached[at];
            for link in &self.leaving[node as usize] {
                let onward = self.onward(node, *link);
                let paths = &mut self.to_destination[node as usize];
                *paths = paths.checked_add(onward)?;
            }
        }
        let all = self.to_destination[demand.s as usize];
        for at in 0..self.reached.len() {
            let node = self.reached[at];
            for link in &self.leaving[node as usize] {
                let onward = self.onward(node, *link);
                if onward > 0 {
                    let paths = self.from_source[node as usize].checked_mul(onward)?;
                    let share = Ratio::from_big(paths.into(), all.into())?;
                    self.traffic[*link as usize] += &(&share * &demand.amount);
                }
            }
        }
        Some(())
    }

    fn head(&self, link: LinkId) -> usize {
        self.network.links[link as usize].1 as usize
    }

    /// Shortest paths that go on from `node` over `link`; 0 if it leads no farther from s.
    fn onward(&self, node: NodeId, link: LinkId) -> u128 {
        let head = self.head(link);
        let farther = self.distance[head] == self.distance[node as usize] + 1;
        if farther { self.to_destination[head] } else { 0 }
    }

    /// Distances and path counts from s, up to the distance of d.
    fn search(&mut self, s: Host, d: Host) -> Option<()> {
        for node in self.reached.drain(..) {
            self.distance[node as usize] = UNSEEN;
            self.from_source[node as usize] = 0;
            self.to_destination[node as usize] = 0;
        }
        self.distance[s as usize] = 0;
        self.from_source[s as usize] = 1;
        self.reached.push(s);
        let mut at = 0;
        while at < self.reached.len() {
            let node = self.reached[at];
            at += 1;
            let (here, paths) = (self.distance[node as usize], self.from_source[node as usize]);
            if here >= self.distance[d as usize] {
                break;
            }
            for link in &self.leaving[node as usize] {
                let head = self.head(*link);
                if self.distance[head] == UNSEEN {
                    self.distance[head] = here + 1;
                    self.reached.push(head as NodeId);
                }
                if self.distance[head] == here + 1 {
                    self.from_source[head] = self.from_source[head].checked_add(paths)?;
                }
            }
        }
        (self.distance[d as usize] != UNSEEN).then_some(())
    }
}
