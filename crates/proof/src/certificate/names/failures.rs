//! Certificates about a routing where parts of its network fail.

use std::io::BufRead;

use super::budget::Listed;
use super::lines::{Lines, ReadError};
use super::{Cover, Demand, NetworkForm, RoutingForm, Split};
use crate::certificate::Automorphism;
use crate::rational::Rational;
use crate::topology::LinkId;

/// Name of the bounded quantity in certificates.
pub const FAILURE_LOAD: &str = "failure-load";

/// Bounds on the worst permutation load over all sets of failures, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailuresCertificate {
    /// The network before anything fails.
    pub network: NetworkForm,
    /// The routing before anything fails.
    pub routing: RoutingForm,
    /// What becomes of pairs with a broken path.
    pub repair: PairRepair,
    /// How many elements fail at most: 1 or 2.
    pub most: u32,
    /// The links that fail together, ascending; at least one element.
    pub elements: Vec<Vec<LinkId>>,
    /// In some set of failures a permutation has this load.
    pub lower: Rational,
    /// In no set of failures a permutation has a higher load.
    pub upper: Rational,
    /// Evidence for the lower side: the link that is loaded.
    pub loaded: LinkId,
    /// The elements that fail there, ascending.
    pub set: Vec<u32>,
    /// A permutation that loads it.
    pub demands: Vec<Demand>,
    /// Automorphisms that the routing respects and that take elements to elements: one set stands for its class.
    pub automorphisms: Vec<Automorphism>,
    /// Evidence for the upper side: covers of links before anything fails, any number for each link.
    pub covers: Vec<Cover>,
    /// Covers of links in single sets, in the order of the sets.
    pub failed: Vec<(Vec<u32>, Vec<Cover>)>,
}

/// What becomes of the pairs with a path that failures break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairRepair {
    /// They send nothing.
    None,
    /// Each broken path is replaced by the next shortest path of the whole network.
    Next,
    /// They are split over the shortest paths of what is left.
    Split(Split),
}

impl PairRepair {
    /// Every repair with its name in certificates.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("none", Self::None),
        ("next", Self::Next),
        ("paths", Self::Split(Split::Paths)),
        ("hops", Self::Split(Split::Hops)),
    ];

    /// The name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Next => "next",
            Self::Split(split) => split.name(),
        }
    }
}

impl<R: BufRead> Lines<R> {
    /// Everything behind network and routing, if the next record says how pairs are repaired.
    pub(super) fn failures(
        &mut self,
        network: &NetworkForm,
        routing: &RoutingForm,
    ) -> Result<Option<FailuresCertificate>, ReadError> {
        let Some([repair, most]) = self.record("repair")? else { return Ok(None) };
        let repair = self.named(&repair, &PairRepair::NAMES, "none, next, paths or hops")?;
        let most = self.integer(&most)?;
        let mut elements = Vec::new();
        while let Some([links]) = self.record("element")? {
            elements.push(self.counted(&links)?);
        }
        let [name, lower, upper] = self.wanted("claim", "an `element` or the `claim` line")?;
        self.named(&name, &[(FAILURE_LOAD, ())], FAILURE_LOAD)?;
        let (lower, upper) = (self.rational(&lower)?, self.rational(&upper)?);
        let Some(words) = self.words("loaded")? else {
            return Err(self.unexpected("the `loaded` line"));
        };
        let (loaded, set) = match &words[..] {
            [link] => (self.integer(link)?, Vec::new()),
            [link, set] => (self.integer(link)?, self.counted(set)?),
            _ => return Err(self.word_count("loaded")),
        };
        let demands = self.demands()?;
        let (automorphisms, covers) = (self.automorphisms()?, self.covers()?);
        let mut failed = Vec::new();
        while let Some([set]) = self.record("failed")? {
            let (set, covers) = (self.counted(&set)?, self.covers()?);
            if covers.is_empty() {
                return Err(self.unexpected("a `cover` line"));
            }
            failed.push((set, covers));
        }
        self.end("a `demand`, an `automorphism`, a `cover`, a `failed` or the `end` line")?;
        let (network, routing) = (network.clone(), routing.clone());
        Ok(Some(FailuresCertificate {
            network,
            routing,
            repair,
            most,
            elements,
            lower,
            upper,
            loaded,
            set,
            demands,
            automorphisms,
            covers,
            failed,
        }))
    }

    /// Numbers that are counted before they are held in memory.
    fn counted(&mut self, list: &str) -> Result<Vec<u32>, ReadError> {
        let count = list.bytes().filter(|byte| *byte == b',').count() + 1;
        self.budget.take(Listed::Amounts, count)?;
        self.numbers(list)
    }
}
