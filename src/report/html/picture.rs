//! Data for the pictures of a page about one set of tables, beyond the report that is printed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fabric::Examined;
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId, NodeId, Topology};
use crate::worst_case::{BadPermutation, Bin};

/// One set of tables as it is drawn.
#[derive(Clone, Debug)]
pub struct TablesPicture {
    /// The network of the tables.
    pub topology: Arc<Topology>,
    /// By link, the most that a permutation puts on it; `None` where that is not known.
    pub loads: Option<Vec<Rational>>,
    /// By link, the SD pairs of which some path uses it; `None` where that is not known.
    pub pairs: Option<Vec<u64>>,
    /// Links by worst load; empty where that is not known.
    pub histogram: Vec<Bin>,
    /// The permutation that loads a link most; `None` where that is not known.
    pub permutation: Option<WorstPermutation>,
}

/// A permutation that loads a link as much as any permutation loads any link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstPermutation {
    /// The link.
    pub link: LinkId,
    /// Load of the permutation.
    pub load: Rational,
    /// The pairs, by source.
    pub pairs: Vec<SentPair>,
}

/// A pair of a permutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentPair {
    /// The source.
    pub s: Host,
    /// The destination.
    pub d: Host,
    /// The fraction of its traffic that crosses the link, in units of a host link.
    pub crossing: Rational,
}

impl TablesPicture {
    /// The picture of tables of which nothing but the network is known.
    #[must_use]
    pub fn unexamined(topology: Arc<Topology>) -> Self {
        Self { topology, loads: None, pairs: None, histogram: Vec::new(), permutation: None }
    }

    /// Adds the results of the examination. O(links).
    #[must_use]
    pub fn examined(self, found: &Examined) -> Self {
        let loads = loads(&self.topology, found);
        let pairs = found.usage.as_ref().map(|usage| usage.pairs.clone());
        let histogram =
            found.assessment.as_ref().map_or_else(Vec::new, |found| found.histogram.clone());
        Self { loads, pairs, histogram, ..self }
    }

    /// Adds the worst permutation. O(hosts · paths of a pair).
    #[must_use]
    pub fn with_permutation(self, instance: &Instance, bad: &BadPermutation) -> Self {
        let link = bad.witness.link;
        let mut scratch = UseScratch::default();
        let mut pairs: Vec<SentPair> = Vec::new();
        for demand in &bad.witness.demands {
            let mut crossing = Rational::ZERO;
            let mut count = |share: &Rational, links: &[LinkId]| {
                if links.contains(&link) {
                    crossing = &crossing + &(share * &demand.amount);
                }
            };
            instance.routing.for_each_use(demand.s, demand.d, &mut scratch, &mut count);
            pairs.push(SentPair { s: demand.s, d: demand.d, crossing });
        }
        pairs.sort_by_key(|pair| (pair.s, pair.d));
        let permutation = Some(WorstPermutation { link, load: bad.load.clone(), pairs });
        Self { permutation, ..self }
    }
}

/// The load of every link. What [`Examined::worst_links`] leaves out is not used by any pair, or is the only link
/// of a host that way, on which a permutation puts what that host sends or receives.
fn loads(topology: &Topology, found: &Examined) -> Option<Vec<Rational>> {
    let worst = found.worst_links.as_ref()?;
    let mut loads = vec![Rational::ZERO; topology.links()];
    for link in topology.host_numbers().flat_map(|host| only_links(topology, host)) {
        let pairs = found.usage.as_ref().map(|usage| usage.pairs[link as usize]);
        if pairs != Some(0) {
            let capacity = &topology.link(link).capacity;
            loads[link as usize] = Rational::ONE.checked_div(capacity).unwrap_or_default();
        }
    }
    for (link, load) in worst {
        loads[*link as usize] = load.clone();
    }
    Some(loads)
}

/// The link out of a host and the one into it, each where it is the only one, of a host with one neighbour.
fn only_links(topology: &Topology, host: Host) -> Vec<LinkId> {
    let (out, into): (Vec<LinkId>, Vec<LinkId>) =
        (topology.links_from(host).collect(), topology.links_to(host).collect());
    let heads = out.iter().filter_map(|link| Some(topology.ends(*link)?.1));
    let tails = into.iter().filter_map(|link| Some(topology.ends(*link)?.0));
    if heads.chain(tails).collect::<BTreeSet<NodeId>>().len() != 1 {
        return Vec::new();
    }
    [out, into].into_iter().filter(|links| links.len() == 1).flatten().collect()
}
