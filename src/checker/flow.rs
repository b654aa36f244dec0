//! How given traffic is routed, and the resulting load on every link.

use rayon::prelude::*;

use crate::certificate::{Demand, Flow, PathRecord};
use crate::limit::TooLarge;
use crate::ratio::Ratio;
use crate::topology::{Host, NodeId};

use super::network::Network;
use super::routes::listed;
use super::{Refusal, sum};

/// Verifies demands and flow; returns the traffic on every link.
pub(super) fn traffic(
    network: &Network,
    demands: &[Demand],
    flow: &Flow,
) -> Result<Vec<Ratio>, Refusal> {
    check_demands(network, demands)?;
    let demands = by_pair(network, demands)?;
    match flow {
        Flow::Even => even_split(network, &demands),
        Flow::Paths(records) => over_paths(network, &demands, records),
    }
}

/// The demands added up per pair, sorted by pair.
pub(super) fn by_pair(network: &Network, demands: &[Demand]) -> Result<Vec<Demand>, Refusal> {
    let pair = |demand: &Demand| (demand.s, demand.d);
    let mut sorted: Vec<&Demand> = demands.iter().collect();
    sorted.sort_by_key(|demand| pair(demand));
    let one = |same: &[&Demand]| {
        network.go_on()?;
        let amount = sum::total(same.iter().map(|demand| &demand.amount))?;
        Ok(Demand { amount, ..*same[0] })
    };
    sorted.chunk_by(|a, b| pair(a) == pair(b)).map(one).collect()
}

/// Verifies that there are demands, all positive and between different hosts.
pub(super) fn check_demands(network: &Network, demands: &[Demand]) -> Result<(), Refusal> {
    if demands.is_empty() {
        return Err(Refusal::NoDemand);
    }
    for demand in demands {
        let (s, d) = (demand.s, demand.d);
        let known = |host: Host| (host as usize) < network.hosts;
        if !known(s) || !known(d) || s == d || demand.amount.is_zero() {
            return Err(Refusal::BadDemand { s, d });
        }
    }
    Ok(())
}

/// Verifies that no link's load is above `most`.
pub(super) fn check_most(
    network: &Network,
    traffic: &[Ratio],
    most: &Ratio,
) -> Result<(), Refusal> {
    for (link, traffic) in (0..).zip(traffic) {
        if *traffic > most * &network.links[link as usize].2 {
            let load = network.load(link as usize, traffic);
            return Err(Refusal::OptuExceeded { link, load, optu: most.clone() });
        }
    }
    Ok(())
}

/// Traffic on every link when the demands, one per pair, take the listed paths.
fn over_paths(
    network: &Network,
    demands: &[Demand],
    records: &[PathRecord],
) -> Result<Vec<Ratio>, Refusal> {
    let records = listed(records, network.hosts)?;
    for record in &records {
        network.go_on()?;
        network.check_path(record.s, record.d, &record.links)?;
    }
    let mut total = vec![Ratio::ZERO; network.links.len()];
    for demand in demands {
        let (s, d) = (demand.s, demand.d);
        let first = records.partition_point(|record| (record.s, record.d) < (s, d));
        let mut sum = Ratio::ZERO;
        for record in records[first..].iter().take_while(|r| (r.s, r.d) == (s, d)) {
            network.go_on()?;
            sum::add(&mut sum, &record.share)?;
            let part = &record.share * &demand.amount;
            for link in &record.links {
                sum::add(&mut total[*link as usize], &part)?;
            }
        }
        if sum != Ratio::ONE {
            return Err(Refusal::ShareSum { s, d, sum });
        }
    }
    Ok(total)
}

/// Traffic on every link when each demand is split evenly over all its shortest paths.
fn even_split(network: &Network, demands: &[Demand]) -> Result<Vec<Ratio>, Refusal> {
    let parts: Vec<_> = demands
        .par_chunks(demands.len().div_ceil(BLOCKS))
        .map(|demands| {
            let mut search = MinCutSearch::new(network);
            for demand in demands {
                network.go_on()?;
                let (s, d) = (demand.s, demand.d);
                search.search(s, d)?;
                search.add(demand)?;
            }
            Ok::<_, Refusal>(search.traffic)
        })
        .collect();
    let mut total = vec![Ratio::ZERO; network.links.len()];
    for part in parts {
        for (sum, traffic) in total.iter_mut().zip(&part?) {
            sum::add(sum, traffic)?;
        }
    }
    Ok(total)
}

/// The refusal to count more than 2^128 shortest paths.
fn too_many_paths(s: Host, d: Host) -> Refusal {
    Refusal::TooLarge(TooLarge {
        what: format!("length in bits of the number of shortest paths from {s} to {d}"),
        size: "more than 128".into(),
        limit: u128::BITS.into(),
        remedy: "route the demands by `route paths`",
    })
}

/// Shortest-path search with its buffers, and the traffic that it has put on links.
struct MinCutSearch<'n> {
    network: &'n Network,
    /// Distance from the source of the current demand, [`UNSEEN`] where not reached.
    distance: Vec<u32>,
    /// Reached nodes, nearest first.
    reached: Vec<NodeId>,
    /// Nodes on shortest paths to the current destination, farthest from the source first.
    onward: Vec<NodeId>,
    /// Number of shortest paths from the source, and onward to the destination.
    from_source: Vec<u128>,
    to_destination: Vec<u128>,
    traffic: Vec<Ratio>,
}

const UNSEEN: u32 = u32::MAX;
const BLOCKS: usize = 16;

impl<'n> MinCutSearch<'n> {
    fn new(network: &'n Network) -> Self {
        Self {
            network,
            distance: vec![UNSEEN; network.nodes],
            reached: Vec::new(),
            onward: Vec::new(),
            from_source: vec![0; network.nodes],
            to_destination: vec![0; network.nodes],
            traffic: vec![Ratio::ZERO; network.links.len()],
        }
    }

    /// Splits a demand that [`Self::search`] was called for: a link carries (paths from s to its
    /// tail)·(paths from its head to d) ÷ (all paths) of it, if it lies on a shortest path. Refused
    /// when there are more than 2^128.
    fn add(&mut self, demand: &Demand) -> Result<(), Refusal> {
        let network = self.network;
        let too_many = || too_many_paths(demand.s, demand.d);
        let all = self.from_source[demand.d as usize];
        // In layered networks the links of a layer carry the same part, so it is reused.
        let (mut known, mut part) = (0, Ratio::ZERO);
        // Nodes on shortest paths, farthest from s first: all paths onward from a node are counted
        // before the node is visited.
        self.onward.clear();
        self.onward.push(demand.d);
        self.to_destination[demand.d as usize] = 1;
        let mut at = 0;
        while at < self.onward.len() {
            let head = self.onward[at] as usize;
            at += 1;
            let paths = self.to_destination[head];
            for link in &network.entering[head] {
                let before = network.links[*link as usize].0;
                let tail = before as usize;
                if self.distance[head].checked_sub(1) != Some(self.distance[tail]) {
                    continue;
                }
                if self.to_destination[tail] == 0 {
                    self.onward.push(before);
                }
                self.to_destination[tail] =
                    self.to_destination[tail].checked_add(paths).ok_or_else(too_many)?;
                let through = self.from_source[tail].checked_mul(paths).ok_or_else(too_many)?;
                if through != known {
                    known = through;
                    let share = Ratio::from_big(through.into(), all.into()).ok_or_else(too_many)?;
                    part = &share * &demand.amount;
                }
                sum::add(&mut self.traffic[*link as usize], &part)?;
            }
        }
        Ok(())
    }

    /// Distances and path counts from s, up to the distance of d.
    fn search(&mut self, s: Host, d: Host) -> Result<(), Refusal> {
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
            for link in &self.network.leaving[node as usize] {
                let after = self.network.links[*link as usize].1;
                let head = after as usize;
                if self.distance[head] == UNSEEN {
                    self.distance[head] = here + 1;
                    self.reached.push(after);
                }
                if self.distance[head] == here + 1 {
                    let sum = self.from_source[head].checked_add(paths);
                    self.from_source[head] = sum.ok_or_else(|| too_many_paths(s, d))?;
                }
            }
        }
        if self.distance[d as usize] == UNSEEN {
            return Err(Refusal::Unroutable { s, d });
        }
        Ok(())
    }
}
