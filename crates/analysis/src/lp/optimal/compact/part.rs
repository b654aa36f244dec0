//! The rows of one link in the whole linear program, and the traffic against the link that their duals are.
//!
//! Where only hosts limit the traffic, a pair pays the prices of its two ends, which are links of a star. The mean of
//! prices under all symmetries that leave the link where it is serves as well: ends that these take to each other have
//! one price, and pairs one row. In turn traffic against the link may be the same for such pairs.

use std::collections::{BTreeMap, HashMap};

use super::{Building, Terms};
use crate::bounds::{DualDemand, RoutedTraffic};
use crate::lp::optimal::demands::{Demands, ends};
use crate::lp::optimal::exact::is_simple;
use crate::lp::optimal::separation::Separation;
use crate::lp::optimal::streams::{NOISE, take_paths};
use crate::lp::program::{Column, ColumnId, Relation, RowId};
use crate::lp::worst_demand::exact::{Routed, routable, routable_in_units};
use crate::lp::worst_demand::packing::PairPath;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

/// The rows of a link.
pub(super) struct Part {
    link: LinkId,
    total: RowId,
    /// By pairs that load the link alike.
    shares: Vec<(Vec<(Host, Host)>, RowId)>,
    /// By source and link of the demands; none where only hosts limit the traffic.
    distances: Vec<(Host, LinkId, RowId)>,
}

impl Part {
    /// The traffic against the link, and its weight.
    pub(super) fn traffic(
        &self,
        separation: &Separation<'_>,
        duals: &[f64],
    ) -> Option<(DualDemand, f64)> {
        let weight = -duals[self.total];
        if weight < NOISE {
            return None;
        }
        let Demands { topology, hose, .. } = separation.demands;
        let amount = |row: RowId| (-duals[row] / weight).max(0.0);
        let paths = if *hose { self.spread(amount) } else { self.routed(separation, amount) };
        let (demands, paths) = short(topology, &paths)?;
        let flow = (!hose).then_some(RoutedTraffic::Paths(paths));
        Some((DualDemand { link: self.link, demands, flow }, weight))
    }

    /// Traffic that only hosts limit: what a row says is that of all its pairs.
    fn spread(&self, amount: impl Fn(RowId) -> f64) -> Vec<(PairPath, f64)> {
        let mut paths = Vec::new();
        for (pairs, row) in &self.shares {
            let each = amount(*row) / pairs.len() as f64;
            let path =
                |(s, d): &(Host, Host)| PairPath { s: *s, d: *d, links: ends((*s, *d)).into() };
            paths.extend(pairs.iter().filter(|_| each > NOISE).map(|pair| (path(pair), each)));
        }
        paths
    }

    /// Traffic with its paths.
    fn routed(
        &self,
        separation: &Separation<'_>,
        amount: impl Fn(RowId) -> f64,
    ) -> Vec<(PairPath, f64)> {
        let network = &separation.demands.network;
        let mut flows: BTreeMap<Host, Vec<f64>> = BTreeMap::new();
        for (s, link, row) in &self.distances {
            let flow = flows.entry(*s).or_insert_with(|| vec![0.0; network.links()]);
            flow[*link as usize] = amount(*row);
        }
        let mut paths = Vec::new();
        for (pairs, row) in &self.shares {
            for (s, d) in pairs.iter().copied() {
                let Some(flow) = flows.get_mut(&s) else { continue };
                let found = take_paths(network, (s, d), flow, amount(*row));
                paths.extend(
                    found.into_iter().map(|(links, amount)| (PairPath { s, d, links }, amount)),
                );
            }
        }
        paths
    }
}

/// The traffic in exact amounts: fractions of small denominators, or multiples of one unit, since sums over the traffic
/// against many links have to stay short.
fn short(topology: &Topology, traffic: &[(PairPath, f64)]) -> Option<Routed> {
    let found = routable(topology, traffic)?;
    let is_simple = found.0.iter().all(|demand| is_simple(&demand.amount));
    if is_simple { Some(found) } else { routable_in_units(topology, traffic) }
}

impl Building<'_> {
    /// The columns and rows of a link, where some pair can load it.
    pub(super) fn link(
        &mut self,
        link: LinkId,
        terms: &HashMap<usize, Terms>,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let Separation { topology, reduction, demands, .. } = self.separation;
        let orbits = &reduction.orbits;
        let pairs = (0..).zip(orbits.pairs());
        let pairs = pairs.map(|(number, pair)| (*pair, orbits.of(number, link)));
        let loading: Vec<_> = pairs.filter(|(_, orbit)| terms.contains_key(orbit)).collect();
        if loading.is_empty() {
            return Some(());
        }
        let prices = self.prices(link);
        let scale = topology.link(link).capacity.to_f64() / demands.largest;
        let mut costs = BTreeMap::from([(0, -scale)]);
        for (near, price) in &prices {
            *costs.entry(*price).or_default() += demands.capacity[*near as usize];
        }
        let total = self.row(costs.into_iter().collect(), Relation::AtMost, 0.0)?;
        let mut part = Part { link, total, shares: Vec::new(), distances: Vec::new() };
        if demands.hose {
            self.ends(&loading, terms, &prices, &mut part)?;
        } else {
            for of_source in loading.chunk_by(|a, b| a.0.0 == b.0.0) {
                self.source(of_source, terms, &prices, &mut part)?;
            }
        }
        parts.push(part);
        Some(())
    }

    /// The prices of links of the demands for a link: ends that symmetries of the link take to each other have the same.
    fn prices(&mut self, link: LinkId) -> Vec<(LinkId, ColumnId)> {
        let Separation { reduction, demands, network, .. } = self.separation;
        let mut known: HashMap<u32, ColumnId> = HashMap::new();
        let mut prices = Vec::new();
        for near in 0..link_number(demands.network.links()) {
            let mut new = || self.program.add_column(Column::positive(0.0));
            if demands.hose {
                let orbit = self.ends[near as usize * network.links() + link as usize];
                prices.push((near, *known.entry(orbit).or_insert_with(new)));
            } else if reduction.is_same_block(link, near) {
                prices.push((near, new()));
            }
        }
        prices
    }

    /// The rows of pairs on a link that pay for their ends.
    fn ends(
        &mut self,
        loading: &[((Host, Host), usize)],
        terms: &HashMap<usize, Terms>,
        prices: &[(LinkId, ColumnId)],
        part: &mut Part,
    ) -> Option<()> {
        let mut alike: BTreeMap<usize, Vec<(Host, Host)>> = BTreeMap::new();
        for (pair, orbit) in loading {
            alike.entry(*orbit).or_default().push(*pair);
        }
        for (orbit, pairs) in alike {
            let paid = ends(pairs[0]).map(|near| (prices[near as usize].1, -1.0));
            let mut row: BTreeMap<ColumnId, f64> = BTreeMap::new();
            for (column, term) in terms[&orbit].iter().copied().chain(paid) {
                *row.entry(column).or_default() += term;
            }
            let row = self.row(row.into_iter().collect(), Relation::AtMost, 0.0)?;
            part.shares.push((pairs, row));
        }
        Some(())
    }

    /// The columns and rows of the distances of nodes from a source under the prices of a link, and of the shares of
    /// its pairs on that.
    fn source(
        &mut self,
        loading: &[((Host, Host), usize)],
        terms: &HashMap<usize, Terms>,
        prices: &[(LinkId, ColumnId)],
        part: &mut Part,
    ) -> Option<()> {
        let network = &self.separation.demands.network;
        let s = loading.first()?.0.0;
        let mut distance: HashMap<NodeId, ColumnId> = HashMap::new();
        for (link, price) in prices {
            let (tail, head) = network.ends(*link);
            if head == s {
                continue;
            }
            let mut column = |node| {
                let new = || self.program.add_column(Column::positive(0.0));
                *distance.entry(node).or_insert_with(new)
            };
            let mut row = vec![(column(head), 1.0), (*price, -1.0)];
            if tail != s {
                row.push((column(tail), -1.0));
            }
            part.distances.push((s, *link, self.row(row, Relation::AtMost, 0.0)?));
        }
        for (pair, orbit) in loading {
            let Some(column) = distance.get(&pair.1) else { continue };
            let row = terms[orbit].iter().copied().chain([(*column, -1.0)]).collect();
            part.shares.push((vec![*pair], self.row(row, Relation::AtMost, 0.0)?));
        }
        Some(())
    }
}
