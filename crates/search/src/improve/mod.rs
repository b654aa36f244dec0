//! Forwarding tables of lower worst load, for a fabric as it is: imported, irregular, with failed cables.
//!
//! What is minimised is the worst permutation load over all forwarding tables, with one path per pair and by
//! destination alone, as InfiniBand switches forward. Paths lead up, then down (`fabric.rs`), so that no tables that a
//! search finds have a credit loop. The load of every link is known exactly all the time: it is a maximum matching of
//! destinations and leaf switches, of which few change when the ways to one destination change. Both the tables that
//! were given and those that were found are then assessed as by `ratio`, and what is called proven is what the checker
//! accepted.
//!
//! # What no tables can avoid
//!
//! A switch forwards all traffic to a destination by the same link, whatever its source. Let a leaf switch have h
//! hosts, which have no other links, and u links to other nodes, and let D hosts be elsewhere. The D destinations are
//! divided among the u links, and some link is that of ⌈D/u⌉ of them or more. It carries the pairs of all h hosts with
//! all of these: min(h, ⌈D/u⌉) disjoint pairs are a part of a permutation, all of which are on this link.
//!
//! The same holds of a pod, or of any other set of switches. Let a of them be leaf switches, let b of them have links
//! that leave the set, u in all, and let D hosts be elsewhere. What a leaf switch sends to one of these leaves the set
//! first at one of the b switches, by the one link that this has for the destination. So for every destination there is
//! a link that carries the pairs of all hosts of ⌈a/b⌉ leaf switches or more; let k be the number of hosts of the ⌈a/b⌉
//! smallest. Some link is this one of ⌈D/u⌉ destinations or more, and min(k, ⌈D/u⌉) of its pairs are disjoint. Where a
//! pod has fewer switches with links to the top than leaf switches, this is more than any leaf switch shows.
//!
//! So *no* forwarding tables have less, minimal or not, with credit loops or without. Routings in which a source may
//! matter can, where leaf switches have as many hosts as links up: `osrm2` and `grid` do. What counting proves about
//! all single paths of whole trees is stated beside it.
//!
//! ```
//! # use routebound_search as routebound;
//! use routebound::improve::{Options, improve};
//! use routebound::{progress::Progress, routing::Instance};
//! let given = Instance::named("ft(8,3)", "dmodk")?;
//! let found = improve(&given, &Options::default(), &Progress::silent(), &mut |_| {})?;
//! assert_eq!(found.before.permutation_load.to_string(), "7 (proven)");
//! assert_eq!(found.after.permutation_load.to_string(), "4 (proven)");
//! assert_eq!(found.least.lower, 4.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bound;
mod fabric;
mod link_load;
mod owners;
mod search;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::bound::DestinationBound;
use self::fabric::{Fabric, NONE};
use self::search::{Found, Given, Search};
use crate::advice::Advice;
use crate::assessment::{Assess, Assessment, AssessmentError, assess_tables, unexamined};
use crate::certificate::{ByDestination, Quantity};
use crate::prelude::*;
use crate::routing::forwarding::{ForwardingError, NextLinks};
use crate::routing::{ByTables, InstanceError, Routing};
use crate::synth::counting;

/// Options of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seed of the search.
    pub seed: u64,
    /// The spec that the tables get, such as `lft:better.dump`.
    pub spec: Option<String>,
}

/// Tables that were given, and the best that were found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Improvement {
    /// The routing that was given.
    pub before: Assessment,
    /// The best one.
    pub after: Assessment,
    /// Network and best routing: the given one where none of lower worst permutation load was found.
    pub best: Instance,
    /// Whether the best routing is one that the search found.
    pub is_found: bool,
    /// Whether the given routing forwards by destination.
    pub is_by_destination: bool,
    /// Bounds on the lowest worst permutation load of all forwarding tables of the network.
    pub least: Bounds,
    /// The switches that show the lower bound: a leaf switch, or those of a pod.
    pub nodes: Vec<NodeId>,
    /// The lower bound on the worst permutation load of all single-path routings whose paths lead up, then down, as
    /// counting proves it ([`counting::least`]); only for whole trees.
    pub single_path: Option<u32>,
    /// Number of destinations that the search put into tables.
    pub steps: u64,
    /// What the search could not use, or did not find.
    pub notes: Vec<String>,
    /// Whether nothing was stopped.
    pub complete: bool,
}

/// Why tables could not be improved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ImproveError {
    #[error(
        "host {0} does not have exactly one cable, to a switch: tables are improved where every host \
         has one port"
    )]
    Ports(String),
    #[error(
        "links between switches of `{network}` have different capacities, which the search does not weigh: {advice}"
    )]
    Capacities {
        network: String,
        #[source]
        advice: Advice,
    },
    #[error("some hosts of `{0}` are not connected: improve tables of each part by itself")]
    Parts(String),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Assessment(#[from] AssessmentError),
    #[error("internal error: tables that were found are wrong: {0}; please report it")]
    Instance(#[from] InstanceError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// A load below which no forwarding tables of a network have their worst permutation load, and the switches that show
/// it, without a search: [`Improvement::least`] before anything is proven. `None` where there is only one switch with
/// hosts.
///
/// # Errors
/// [`ImproveError`] as [`improve`].
///
/// ```
/// # use routebound_search as routebound;
/// let tree = routebound::topology::generate("ft(8,3)")?;
/// assert_eq!(routebound::improve::least(&tree)?.unwrap().0, 4.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least(topology: &Topology) -> Result<Option<(Rational, Vec<NodeId>)>, ImproveError> {
    let bound = bound::bound(&Fabric::cabled(topology)?);
    Ok(bound.map(|bound| (per_link(topology, bound.pairs), bound.nodes)))
}

/// How a lower bound on all forwarding tables was found, as long as it is not proven.
#[must_use]
pub fn claimed() -> Evidence {
    Evidence::Claimed("destinations per link of a leaf switch or a pod".into())
}

/// Parts of the time, one after the other of what is then left: for the assessment of the given routing, for the count
/// of single paths, and for the search.
const BEFORE: f64 = 0.3;
const COUNT: f64 = 0.1;
const SEARCH: f64 = 0.6;

/// Searches for forwarding tables of lower worst permutation load than a routing. `keep` gets what is known
/// before each part of the work.
///
/// # Errors
/// [`ImproveError`] when hosts have several ports, links between switches differ, or the network is too large.
pub fn improve(
    given: &Instance,
    options: &Options,
    progress: &Progress,
    keep: &mut dyn FnMut(&Improvement),
) -> Result<Improvement, ImproveError> {
    let fabric = Fabric::of(&given.topology, progress)?;
    let bound = bound::bound(&fabric);
    let pairs = bound.as_ref().map_or(0, |bound| bound.pairs);
    let mut known = Improvement::unexamined(given, bound)?;
    keep(&known);
    known.before = assessed(given, &progress.part(BEFORE))?;
    known.after = known.before.clone();
    known.least.upper = known.before.permutation_load.upper.clone();
    keep(&known);
    let count = |tree| counting::least(tree, Quantity::PermutationLoad, &progress.part(COUNT)).0;
    known.single_path = given.topology.plain_tree().map(count);
    let next = match NextLinks::of(&given.topology, &*given.routing, &progress.part(SEARCH)) {
        Ok(next) => Some(next),
        Err(ForwardingError::Stopped(_)) => None,
        Err(error) => {
            known.notes.push(format!("the search does not begin with the given routing: {error}"));
            None
        }
    };
    known.is_by_destination = next.is_some();
    let link = |switch: u32, d| next.as_ref()?.get(index32(fabric.hosts) + switch, d);
    let start = next.as_ref().map(|_| &link as &Given<'_>);
    let search = Search::new(&fabric, pairs, options.seed, progress);
    let Some(found) = search.run(start, &progress.part(SEARCH)) else {
        known.complete = false;
        return Ok(known);
    };
    known.take(&fabric, &found, options, progress)?;
    known.complete &= !found.stopped;
    Ok(known)
}

/// The assessment of a routing; linear programs, which say nothing about permutations, are left out.
fn assessed(instance: &Instance, progress: &Progress) -> Result<Assessment, AssessmentError> {
    Assess::new().linear_programs(false).progress(progress).run(instance)
}

impl Improvement {
    /// What is known before anything was searched.
    fn unexamined(
        given: &Instance,
        bound: Option<DestinationBound>,
    ) -> Result<Self, AssessmentError> {
        let before = unexamined(given)?;
        let (lower, nodes) = match bound {
            Some(bound) => (per_link(&given.topology, bound.pairs), bound.nodes),
            None => (Rational::ZERO, Vec::new()),
        };
        let upper = before.permutation_load.upper.clone();
        let least = Bounds { lower, upper, evidence: claimed() };
        Ok(Self {
            after: before.clone(),
            before,
            best: given.clone(),
            is_found: false,
            is_by_destination: false,
            least,
            nodes,
            single_path: None,
            steps: 0,
            notes: Vec::new(),
            complete: false,
        })
    }

    /// Takes what a search found, if it is better, and proves what it can of the better one.
    fn take(
        &mut self,
        fabric: &Fabric,
        found: &Found,
        options: &Options,
        progress: &Progress,
    ) -> Result<(), ImproveError> {
        self.steps = found.steps;
        let load = per_link(&self.best.topology, found.score.worst);
        self.is_found = load < self.before.permutation_load.upper;
        if self.is_found {
            self.best = instance(&self.best, fabric, &found.next, options);
            self.best.check_paths(&progress.afterwards(CHECKING))?;
        }
        let lower = self.least.lower.clone();
        let by_destination = self.is_found || self.is_by_destination;
        if by_destination && !self.nodes.is_empty() {
            let bound = ByDestination { lower, nodes: self.nodes.clone() };
            let found = assess_tables(&self.best, bound, progress)?;
            (self.after, self.least) = (found.assessment, found.least);
        } else if self.is_found {
            self.after = assessed(&self.best, progress)?;
        }
        // What is given may be better than any tables.
        let upper = if by_destination { self.after.permutation_load.upper.clone() } else { load };
        self.least.upper = upper;
        self.complete = self.before.complete && self.after.complete;
        Ok(())
    }
}

/// Time after a stop to check the paths that were found.
const CHECKING: std::time::Duration = std::time::Duration::from_millis(200);

/// The load of a link between switches, which are all alike, that carries this many pairs.
fn per_link(topology: &Topology, pairs: u32) -> Rational {
    let hosts = topology.hosts();
    let is_between = |link: &LinkId| {
        topology.ends(*link).is_some_and(|(a, b)| a as usize >= hosts && b as usize >= hosts)
    };
    let pairs = Rational::from(u64::from(pairs));
    let link = topology.link_numbers().find(is_between);
    link.map_or(Rational::ZERO, |link| topology.load_of(link, &pairs))
}

/// Network and tables.
fn instance(given: &Instance, fabric: &Fabric, next: &[LinkId], options: &Options) -> Instance {
    let (hosts, switches) = (fabric.hosts, fabric.switches);
    let mut rows = vec![NONE; hosts * switches];
    for (d, leaf) in fabric.leaf_of.iter().enumerate() {
        for switch in 0..switches {
            rows[switch * hosts + d] = next[d * switches + switch];
        }
        rows[fabric.leaves[*leaf as usize].switch as usize * hosts + d] = fabric.last[d];
    }
    let nodes: Vec<NodeId> = (index32(hosts)..index32(hosts + switches)).collect();
    let spec = options.spec.clone().unwrap_or_else(|| "lft:-".to_string());
    let tables = ByTables::new(spec, &given.topology, &nodes, rows);
    Instance::trusted(Arc::clone(&given.topology), Box::new(tables) as Box<dyn Routing>)
}
