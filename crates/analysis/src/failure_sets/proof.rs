//! The certificate of all sets.
//!
//! A cover of a link before anything fails, the largest shares of its sources and those of its destinations are what
//! the bounds that settle sets begin with (`bound.rs`). As covers they settle the same sets for the checker, which adds
//! what comes to a link as these bounds do, or less. Sets that were analysed have covers of their own.

use std::collections::{BTreeMap, HashSet};

use itertools::Itertools;
use rayon::prelude::*;

use super::family::Family;
use super::{FailureSet, FailureSetError, FailureSets, Ground, Peak};
use crate::assessment::{AssessmentError, NoCertificate, forms};
use crate::bounds::Evidence;
use crate::certificate::{Automorphism, Certificate, Cover, FailuresCertificate};
use crate::generators::Made;
use crate::generators::checker::{Check, Refusal};
use crate::integer::index32;
use crate::progress::{Progress, Told};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};
use crate::traffic::Demand;
use crate::worst_case::{BadPermutationError, WorstCase};

/// A set with covers of links in it.
type CoversOfSet = (Vec<u32>, Vec<Cover>);

/// Why there is no certificate.
enum Missing {
    Why(NoCertificate),
    Failed(FailureSetError),
}

impl From<NoCertificate> for Missing {
    fn from(why: NoCertificate) -> Self {
        Self::Why(why)
    }
}

impl From<FailureSetError> for Missing {
    fn from(error: FailureSetError) -> Self {
        match error {
            FailureSetError::Link(BadPermutationError::Stopped(_)) => {
                Self::Why(NoCertificate::Unfinished)
            }
            error => Self::Failed(error),
        }
    }
}

/// What a proof is about.
pub(super) struct Searched<'a> {
    pub(super) family: &'a Family<'a>,
    pub(super) worst: &'a WorstCase,
    pub(super) sets: &'a [FailureSet],
    /// Automorphisms that take every element to another.
    pub(super) automorphisms: Vec<Automorphism>,
    /// How many fail at most.
    pub(super) most: u8,
}

impl Searched<'_> {
    /// Makes the bounds on all sets proven, where the checker accepts a certificate.
    ///
    /// # Errors
    /// [`FailureSetError`] when the checker refuses it.
    pub(super) fn prove(
        &self,
        found: &mut FailureSets,
        embedded: bool,
        progress: &Progress,
    ) -> Result<(), FailureSetError> {
        progress.tell(Told::Step("certificate"));
        let made = Made::of(self.family.base.instance);
        let certificate = match self.certificate(found, embedded, progress) {
            Ok(certificate) => Ok(Certificate::Failures(certificate)),
            Err(Missing::Why(why)) => Err(why),
            Err(Missing::Failed(error)) => return Err(error),
        };
        let checked = certificate
            .as_ref()
            .map(|certificate| Check::new(&made).progress(progress).run(certificate));
        found.certificate = match checked {
            Err(_) | Ok(Ok(_)) => certificate,
            Ok(Err(Refusal::Stopped(_))) => Err(NoCertificate::Unfinished),
            Ok(Err(Refusal::TooLarge(limit))) => Err(limit.into()),
            Ok(Err(refusal)) => return Err(AssessmentError::Refused(refusal).into()),
        };
        found.load.evidence = match &found.certificate {
            Ok(_) => Evidence::Proven,
            Err(why) => Evidence::Claimed(why.to_string()),
        };
        Ok(())
    }

    /// The certificate, or why there is none.
    fn certificate(
        &self,
        found: &FailureSets,
        embedded: bool,
        progress: &Progress,
    ) -> Result<FailuresCertificate, Missing> {
        let (family, instance) = (self.family, self.family.base.instance);
        if found.verdicts.len() < self.sets.len() || found.load.lower.is_zero() {
            return Err(NoCertificate::Unfinished.into());
        }
        let repair = family.rule.in_certificates(instance).ok_or(NoCertificate::OtherRepair)?;
        let (network, routing) =
            forms(instance, embedded, progress).map_err(|why| NoCertificate::from(&why))?;
        let (elements, number) = elements(&family.links);
        if elements.is_empty() {
            return Err(NoCertificate::OtherRepair.into());
        }
        let (loaded, set, demands) = match &found.peak {
            None => (self.worst.worst, &[][..], self.worst.demands.clone()),
            Some(Peak { set, link, pairs, .. }) => {
                let pairs = pairs.iter().copied();
                let demands = pairs.map(|(s, d)| Demand { s, d, amount: Rational::ONE });
                (*link, &set[..], demands.collect())
            }
        };
        let number_of = |element: &u32| {
            let own = &family.links[*element as usize];
            elements.iter().position(|links| links == own).map(index32)
        };
        let set = set.iter().filter_map(number_of).sorted().dedup().collect();
        Ok(FailuresCertificate {
            network,
            routing,
            repair,
            most: u32::from(self.most),
            lower: found.load.lower.clone(),
            upper: found.load.upper.clone(),
            loaded,
            set,
            demands,
            automorphisms: self.automorphisms.clone(),
            covers: self.covers(&found.load.upper, progress),
            failed: self.own_covers(found, &number, progress)?,
            elements,
        })
    }

    /// The covers of all links before anything fails that are light enough; not of all when stopped.
    fn covers(&self, upper: &Rational, progress: &Progress) -> Vec<Cover> {
        let base = self.family.base;
        let topology = &base.instance.topology;
        let links: Vec<LinkId> = topology.link_numbers().collect();
        let covers = links.par_iter().take_any_while(|_| !progress.cancelled()).map(|link| {
            let ends = |end: fn((Host, Host)) -> Host| {
                let mut largest: BTreeMap<Host, Rational> = BTreeMap::new();
                for pair in base.shared(*link) {
                    let known = largest.entry(end((pair.s, pair.d))).or_default();
                    if pair.share > known {
                        known.clone_from(pair.share);
                    }
                }
                largest.into_iter().collect::<Vec<_>>()
            };
            let bound = self.worst.links.get(*link as usize).into_iter().flatten();
            let mut all: Vec<Cover> = bound.map(|bound| (*bound.cover).clone()).collect();
            all.push(Cover { link: *link, sources: ends(|(s, _)| s), ..Cover::default() });
            all.push(Cover { link: *link, destinations: ends(|(_, d)| d), ..Cover::default() });
            let most = upper * &topology.link(*link).capacity;
            let mut known = HashSet::new();
            all.retain(|cover| {
                let is_useful = !cover.is_empty() && total(cover) <= most;
                is_useful && known.insert((cover.sources.clone(), cover.destinations.clone()))
            });
            all
        });
        covers.flatten_iter().collect()
    }

    /// The covers of the sets that were analysed, by the numbers of their elements in the certificate.
    fn own_covers(
        &self,
        found: &FailureSets,
        number: &[Option<u32>],
        progress: &Progress,
    ) -> Result<Vec<CoversOfSet>, FailureSetError> {
        let analysed = |by: Ground| matches!(by, Ground::Analysis | Ground::Unsolved);
        let sets = self.sets.iter().zip(&found.verdicts);
        let sets = sets.filter(|(_, verdict)| analysed(verdict.by));
        let sets: Vec<(&FailureSet, Vec<u32>)> =
            sets.filter_map(|(set, _)| Some((set, numbers(set, number)?))).collect();
        let covers = sets.into_par_iter().map(|(set, numbers)| {
            let covers = self.family.covers(set, &found.load.upper, progress)?;
            Ok((numbers, covers))
        });
        let covers: Vec<Result<CoversOfSet, FailureSetError>> = covers.collect();
        let covers = covers.into_iter().filter_ok(|(_, covers)| !covers.is_empty());
        covers.collect()
    }
}

/// What all hosts of a cover weigh.
fn total(cover: &Cover) -> Rational {
    let weights = cover.sources.iter().chain(&cover.destinations).map(|(_, weight)| weight);
    weights.fold(Rational::ZERO, |total, weight| &total + weight)
}

/// The different elements that have links, and the number of each among them; `None` for those that are left out,
/// without which every set is the same as another.
fn elements(links: &[Vec<LinkId>]) -> (Vec<Vec<LinkId>>, Vec<Option<u32>>) {
    let (mut elements, mut known, mut number) = (Vec::new(), HashSet::new(), Vec::new());
    for links in links {
        let is_new = !links.is_empty() && known.insert(links);
        number.push(is_new.then(|| index32(elements.len())));
        if is_new {
            elements.push(links.clone());
        }
    }
    (elements, number)
}

/// The numbers of elements in the certificate; `None` where one is left out.
fn numbers(set: &[u32], number: &[Option<u32>]) -> Option<Vec<u32>> {
    set.iter().map(|element| number[*element as usize]).collect()
}
