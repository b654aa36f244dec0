//! Bounds on the optimal load of traffic, with the evidence for both sides.

use super::NoCertificate;
use super::optimum_search::even_load;
use crate::bounds::{Evidence, RoutedTraffic};
use crate::certificate::{Certificate, NetworkForm, OptimumCertificate};
use crate::embed;
use crate::optimum::optu::{OptuBounds, OptuStats};
use crate::optimum::{Cut, baseload_lengths};
use crate::progress::Interrupted;
use crate::rational::Rational;
use crate::topology::{Direction, LinkId, Topology, Xgft, link_number};
use crate::traffic::Demand;

/// Bounds with their evidence.
pub(super) struct Found {
    /// Lower bound.
    pub(super) lower: Rational,
    /// Max load of the routing.
    pub(super) upper: Rational,
    /// The routing, or why it is not known path by path: then there is no certificate.
    pub(super) flow: Result<RoutedTraffic, Interrupted>,
    /// Lengths of links that prove the lower bound.
    pub(super) lengths: Vec<(LinkId, u64)>,
    /// How it was found.
    pub(super) method: &'static str,
    /// Size and time of the search, unless it was the closed form.
    pub(super) stats: Option<OptuStats>,
}

impl Found {
    /// All links of the cut get length 1; the even split attains it.
    pub(super) fn closed_form(tree: &Xgft, cut: Cut) -> Self {
        let mut lengths = Vec::new();
        for b in 0..tree.shortest_paths(cut.height) {
            for port in 0..tree.parents(cut.height + 1) {
                let (up, down) = tree.link_id(cut.height, cut.subtree, b, port);
                let link = if cut.direction == Direction::Up { up } else { down };
                lengths.push((link, 1));
            }
        }
        let (lower, upper) = (cut.load.clone(), cut.load);
        Self {
            lower,
            upper,
            flow: Ok(RoutedTraffic::Even),
            lengths,
            method: "closed form on trees",
            stats: None,
        }
    }

    /// The evidence without a check.
    pub(super) fn unchecked(&self) -> Evidence {
        Evidence::Claimed(match &self.flow {
            Ok(_) => self.method.to_string(),
            Err(error) => format!("{}; not checked: {error}", self.method),
        })
    }

    /// Bounds of a search; the even split replaces its routing where it is as good, because it
    /// needs no list of paths.
    pub(super) fn of(topology: &Topology, demands: &[Demand], bounds: OptuBounds) -> Self {
        let OptuBounds { lower, upper, lengths, paths, stats } = bounds;
        let even = even_load(topology, demands);
        let (upper, flow) = match even {
            Some(even) if even <= upper => (even, RoutedTraffic::Even),
            _ => (upper, RoutedTraffic::Paths(paths)),
        };
        let lengths = lengths.into_iter().enumerate().filter(|(_, length)| *length > 0);
        let mut found =
            (lower, lengths.map(|(link, length)| (link_number(link), length)).collect());
        // A search that was stopped early may know less than the hosts' own links say.
        let of_hosts = baseload_lengths(topology, demands);
        if of_hosts.0 > found.0 {
            found = of_hosts;
        }
        let (lower, lengths) = found;
        let (flow, method) = (Ok(flow), stats.method);
        Self { lower, upper, flow, lengths, method, stats: Some(stats) }
    }

    /// The certificate of the bounds, unless the routing is not known path by path.
    pub(super) fn certificate(
        &self,
        topology: &Topology,
        demands: &[Demand],
    ) -> Result<Certificate, NoCertificate> {
        let flow = self.flow.as_ref().map_err(NoCertificate::from)?.clone();
        let network = if topology.is_named_tree() {
            NetworkForm::Named(topology.spec().to_string())
        } else {
            embed::network(topology)
        };
        Ok(Certificate::Optimum(OptimumCertificate {
            network,
            lower: self.lower.clone(),
            upper: self.upper.clone(),
            demands: demands.to_vec(),
            flow,
            lengths: self.lengths.clone(),
        }))
    }

    /// The better bound on either side, each with its evidence; the method is that of `other`.
    pub(super) fn joined(self, mut other: Self) -> Self {
        if self.lower > other.lower {
            (other.lower, other.lengths) = (self.lower, self.lengths);
        }
        if self.upper < other.upper {
            (other.upper, other.flow) = (self.upper, self.flow);
        }
        other
    }
}
