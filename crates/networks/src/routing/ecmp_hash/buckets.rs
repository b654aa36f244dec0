//! Which next hop the hash of a flow chooses.
//!
//! Of next hops with the weights w1, w2, … (1 each, their capacities, or those of a file, in lowest terms; W together),
//! hash h chooses by bucket h mod N. The first next hops up to i own the buckets below N·(w1 + … + wi) ÷ W, rounded to
//! the nearest integer, halves up: as in the resilient groups of Linux (`nh_res_group_rebalance` in
//! `net/ipv4/nexthop.c`). Without
//! the option, N is W: with equal weights that is h modulo the number of next hops, in the order of link numbers.

use std::path::Path;

use dashu_int::UBig;
use rayon::prelude::*;
use serde::Deserialize;

use super::super::RoutingError;
use super::super::lengths::integers;
use super::super::next_hops::NextHops;
use super::results::Results;
use super::weights::{self, MAX_WEIGHT, Weights};
use crate::integer::Gcd as _;
use crate::limit::within;
use crate::quote::quote;
use crate::spec::{Spec, looks_like_path};
use crate::topology::{Host, NodeId, Topology};

/// Maximum number of buckets of a switch, as in Linux and in the tables of switches.
const MAX_BUCKETS: u64 = 1 << 16;

/// How buckets are given to next hops.
#[derive(Deserialize)]
#[serde(from = "String")]
pub(super) enum Split {
    Equal,
    Capacity,
    /// By the weights in a file.
    File(String),
}

impl From<String> for Split {
    fn from(text: String) -> Self {
        match text.as_str() {
            "equal" => Self::Equal,
            "capacity" => Self::Capacity,
            _ => Self::File(text),
        }
    }
}

impl Split {
    /// The weights of links, where next hops are not alike.
    fn weights(
        &self,
        spec: &Spec,
        topology: &Topology,
        hops: &NextHops,
        answers: Option<&Results>,
    ) -> Result<Option<Weights>, RoutingError> {
        Ok(match self {
            Self::Equal => None,
            Self::Capacity => Some(Weights { by_link: capacities(topology)?, note: None }),
            Self::File(path) if !looks_like_path(path) && !Path::new(path).exists() => {
                let problem = "is neither equal, nor capacity, nor a file";
                return Err(spec.refused(format!("`split={}` {problem}", quote(path))).into());
            }
            Self::File(path) => Some(weights::read(path, topology, hops, answers)?),
        })
    }
}

/// The buckets of all switches.
pub(super) struct Buckets {
    /// Their number, where it is given.
    number: Option<u64>,
    /// The weights of links; `None` where next hops are alike.
    weights: Option<Weights>,
}

impl Buckets {
    /// The buckets of a network, `number` of them for each switch.
    ///
    /// # Errors
    /// [`RoutingError`] where there are too many, a next hop gets none, or a file is refused.
    pub(super) fn new(
        spec: &Spec,
        topology: &Topology,
        number: Option<u64>,
        split: &Split,
        (hops, answers): (&NextHops, Option<&Results>),
    ) -> Result<Self, RoutingError> {
        if let Some(number) = number {
            within("buckets of a switch", Some(number.into()), MAX_BUCKETS, "use fewer buckets")?;
        }
        let buckets = Self { number, weights: split.weights(spec, topology, hops, answers)? };
        if buckets.number.is_some() || buckets.weights.is_some() {
            buckets.check(spec, topology, hops)?;
        }
        Ok(buckets)
    }

    /// What readers of results should know of weights.
    pub(super) fn note(&self) -> Option<String> {
        self.weights.as_ref()?.note.clone()
    }

    /// Whether every next hop with a weight has a bucket. O(hosts · links).
    fn check(&self, spec: &Spec, topology: &Topology, hops: &NextHops) -> Result<(), RoutingError> {
        let hosts: Vec<Host> = topology.host_numbers().collect();
        let each = hosts.par_iter().map(|d| {
            let mut nodes = topology.node_numbers().filter(|node| node != d);
            nodes.try_for_each(|node| self.check_at(spec, topology, hops, (node, *d)))
        });
        // The first one, whatever the threads.
        each.collect::<Vec<_>>().into_iter().collect()
    }

    fn check_at(
        &self,
        spec: &Spec,
        topology: &Topology,
        hops: &NextHops,
        (node, d): (NodeId, Host),
    ) -> Result<(), RoutingError> {
        let among = hops.number(node, d);
        if among < 2 {
            return Ok(());
        }
        let weights = self.weights(hops, (node, d), among);
        let (number, ends) = self.ends(&weights);
        let remedy = "give a number of buckets, or use split=equal";
        within("buckets of a switch, by weights", Some(number), MAX_BUCKETS, remedy)?;
        let mut below = 0;
        for (weight, end) in weights.into_iter().zip(ends) {
            if weight > 0 && end == below {
                let name = quote(&topology.node(node).name);
                let reason = format!(
                    "one of the {among} next hops of `{name}` to host {d} gets none of the {number} \
                     buckets: use more buckets"
                );
                return Err(RoutingError::does_not_fit(spec, topology, reason));
            }
            below = end;
        }
        Ok(())
    }

    /// The weights of the next hops of a node.
    fn weights(&self, hops: &NextHops, at: (NodeId, Host), among: u32) -> Vec<u64> {
        let weight = |place| {
            let (link, _) = hops.at(at.0, at.1, place);
            self.weights.as_ref().map_or(1, |weights| weights.by_link[link as usize])
        };
        (0..among).map(weight).collect()
    }

    /// The number of buckets of a node, and where those of each of its next hops end. One of the weights is not 0.
    fn ends(&self, weights: &[u64]) -> (u128, Vec<u128>) {
        let used = weights.iter().copied().filter(|weight| *weight > 0);
        let common = used.reduce(u64::gcd).unwrap_or(1);
        let whole: u128 = weights.iter().map(|weight| u128::from(weight / common)).sum();
        let number = self.number.map_or(whole, u128::from);
        let mut sum = 0;
        let ends = weights.iter().map(|weight| {
            sum += u128::from(weight / common);
            (2 * number * sum + whole) / (2 * whole)
        });
        (number, ends.collect())
    }

    /// The place of the next hop that a hash chooses, of `among` of a node on its way to a host.
    pub(super) fn choose(&self, hops: &NextHops, at: (NodeId, Host), among: u32, hash: u32) -> u32 {
        if self.number.is_none() && self.weights.is_none() {
            return hash % among;
        }
        let (number, ends) = self.ends(&self.weights(hops, at, among));
        let bucket = u128::from(hash) % number;
        let owner = (0..among).zip(ends).find(|(_, end)| bucket < *end);
        owner.map(|(place, _)| place).expect("a next hop owns the last bucket")
    }
}

/// Integers in proportion to the capacities of all links.
fn capacities(topology: &Topology) -> Result<Vec<u64>, RoutingError> {
    let all = topology.graph().edge_weights().map(|link| link.capacity.clone());
    let integers = integers(&all.collect::<Vec<_>>())?;
    let common = integers.iter().cloned().reduce(UBig::gcd).unwrap_or(UBig::ONE);
    let weights = integers.iter().map(|weight| {
        let weight = u128::try_from(weight / &common).ok();
        let remedy = "round capacities to fewer digits, or use split=equal";
        Ok(within("capacity of a link in lowest terms", weight, MAX_WEIGHT, remedy)?)
    });
    weights.collect()
}
