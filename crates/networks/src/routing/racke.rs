//! Paths along sampled trees, on any network: `racke` (Räcke, Optimal hierarchical decompositions for congestion
//! minimization in networks, STOC 2008; as paths whose rates the sender chooses, Kumar et al., Semi-oblivious traffic
//! engineering: the road not taken, NSDI 2018).
//!
//! Every tree divides the nodes into clusters, these into smaller ones, and so on to single nodes ([`hierarchy`], as
//! Fakcharoenphol, Rao and Talwar do, Journal of Computer and System Sciences 69, 2004). Each cluster has a centre. The
//! path of a pair leads from the source to the centres of ever larger clusters around it up to the first that also
//! holds the destination, and down from there in the same way, each time by a shortest path; where it comes back to a
//! node, all since then is left out. A path has the share of the trees that have it.
//!
//! The first tree measures links as `ksp` does. Then, as in Räcke's multiplicative weights, a link grows with what the
//! last tree puts on it if every cluster sends what its links carry: the one with the highest load doubles in length,
//! others grow in proportion. Räcke shows that enough trees, with the weights that his program gives them, come within
//! a logarithm of the best routing. These trees have equal weights and are few, so that nothing follows from their
//! number: what they are worth is for an analysis to say.

mod hierarchy;

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use dashu_int::UBig;
use rayon::prelude::*;
use serde::Deserialize;

use self::hierarchy::{Hierarchy, Metric};
use super::lengths::Lengths;
use super::path_set::{Path, PathSet};
use super::{Routing, RoutingError};
use crate::limit::within;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::sampling::Streams;
use crate::spec::Spec;
use crate::topology::{Topology, host_number};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "racke",
    usage: "racke(trees=8,seed=1,weights=file|hops|inverse-capacity)",
    about: "paths along sampled trees of clusters, each of which avoids the links that trees before it load, with the \
            share of the trees that have them, on any network; lengths as for ksp",
    reference: "Räcke, STOC 2008; Kumar et al., NSDI 2018",
    // As that of `ksp`, not for trees.
    examples: &["racke(trees=4,weights=file)"],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths need not be shortest by hops"),
        defined: false,
    },
};

/// Maximum number of trees × nodes × links, which searches for shortest paths look at.
const MAX_WORK: u64 = 1 << 24;

/// Maximum number of trees × SD pairs.
const MAX_PATHS: u64 = 1 << 22;

/// Bits by which lengths are shifted, so that small growth counts.
const SHIFT: usize = 16;

#[derive(Deserialize)]
struct Options {
    trees: NonZeroU64,
    seed: u64,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Options { trees, seed } = spec.read()?;
    let own = Lengths::read(spec, topology)?;
    let spec = own.shown();
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    let all = u128::from(trees.get());
    let remedy = "use fewer trees, or `ecmp`";
    let work = all.saturating_mul(topology.nodes() as u128).saturating_mul(links);
    within("trees × nodes × links", Some(work), MAX_WORK, remedy)?;
    let paths = all.saturating_mul(hosts.saturating_mul(hosts));
    within("trees × SD pairs", Some(paths), MAX_PATHS, remedy)?;
    let streams = Streams::new(seed);
    let hosts = topology.hosts();
    let mut counts: Vec<BTreeMap<Path, u64>> = vec![BTreeMap::new(); hosts * hosts];
    let lengths = own.all(topology.links()).into_iter().map(|length| length << SHIFT);
    let mut lengths: Vec<UBig> = lengths.collect();
    for tree in 0..trees.get() {
        let metric = Metric::new(topology, &lengths);
        let hierarchy = Hierarchy::sample(&metric, &mut streams.at(tree));
        counts.par_iter_mut().enumerate().for_each(|(at, counts)| {
            let [s, d] = [at / hosts, at % hosts].map(host_number);
            let path = hierarchy.path(&metric, s, d).filter(|_| s != d);
            if let Some(path) = path {
                *counts.entry(path).or_default() += 1;
            }
        });
        let loads = hierarchy.loads(&metric);
        grow(&mut lengths, &loads);
    }
    let shares = counts.into_iter().map(|counts| counts.into_iter().map(|(path, n)| (n, path)));
    PathSet::weighted(&spec, topology, shares.map(Iterator::collect).collect())
}

/// Doubles the link of the highest load, and lengthens others in proportion to theirs.
fn grow(lengths: &mut [UBig], loads: &[Rational]) {
    let Some(most) = loads.iter().max().filter(|most| !most.is_zero()) else { return };
    for (length, load) in lengths.iter_mut().zip(loads) {
        let Some(part) = load.checked_div(most) else { continue };
        let more = &*length * part.numerator() / part.denominator();
        *length += more;
    }
}

#[cfg(test)]
mod tests;
