//! The elements that fail and the sets of them.

use std::collections::{HashMap, HashSet};

use crate::certificate::{Cover, FailuresCertificate, PairRepair};
use crate::limit::within;
use crate::topology::LinkId;

use super::Result;
use super::bad::BadFailures;
use super::left::Left;
use super::limits::{ELEMENTS, IMAGES, LINKS, REMEDY, SETS};
use super::network::Network;
use super::symmetry::{Symmetry, join};
use super::whole::Whole;

/// All sets of at most two elements: the empty one, each alone, then pairs in lexicographic order.
pub(super) struct Sets<'c> {
    elements: &'c [Vec<LinkId>],
    most: u32,
    /// By element, the place of the first pair of which it is the first one.
    pairs_from: Vec<usize>,
    count: usize,
}

impl<'c> Sets<'c> {
    /// Verifies the elements of a certificate.
    pub(super) fn open(network: &Network, certificate: &'c FailuresCertificate) -> Result<Self> {
        let FailuresCertificate { most, elements, .. } = certificate;
        if !(1..=2).contains(most) {
            return Err(BadFailures::Most(*most).into());
        }
        if elements.is_empty() {
            return Err(BadFailures::NoElement.into());
        }
        let count = elements.len() as u128;
        within("number of elements that may fail", Some(count), ELEMENTS, REMEDY)?;
        let links = elements.iter().map(|element| element.len() as u128).sum();
        within("number of links of all elements", Some(links), LINKS, REMEDY)?;
        let pairs = if *most == 2 { count * (count - 1) / 2 } else { 0 };
        within("number of sets of failures", Some(1 + count + pairs), SETS, REMEDY)?;
        let mut known = HashSet::new();
        for (at, links) in elements.iter().enumerate() {
            network.go_on()?;
            let exist = links.iter().all(|link| (*link as usize) < network.links.len());
            if !exist || !links.is_sorted_by(|a, b| a < b) {
                return Err(BadFailures::Links(at).into());
            }
            if !known.insert(links) {
                return Err(BadFailures::Repeated(at).into());
            }
        }
        let mut next = 1 + elements.len();
        let mut pairs_from = Vec::new();
        for at in 0..elements.len() {
            pairs_from.push(next);
            next += if *most == 2 { elements.len() - at - 1 } else { 0 };
        }
        Ok(Self { elements, most: *most, pairs_from, count: next })
    }

    /// Number of sets, the empty one among them.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The set at a place that exists.
    pub(super) fn at(&self, place: usize) -> Vec<u32> {
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        match place {
            0 => Vec::new(),
            place if place <= self.elements.len() => vec![number(place - 1)],
            place => {
                let one = self.pairs_from.partition_point(|from| *from <= place) - 1;
                vec![number(one), number(one + 1 + place - self.pairs_from[one])]
            }
        }
    }

    /// The place of a set; `None` where it is none.
    pub(super) fn place(&self, set: &[u32]) -> Option<usize> {
        let exists = set.iter().all(|element| (*element as usize) < self.elements.len());
        match set {
            _ if !exists || set.len() > self.most as usize => None,
            [] => Some(0),
            [one] => Some(1 + *one as usize),
            [one, other, ..] if one < other => {
                Some(self.pairs_from[*one as usize] + (*other - *one) as usize - 1)
            }
            _ => None,
        }
    }

    /// The first set of the class of every set.
    pub(super) fn first_of_classes(
        &self,
        network: &Network,
        symmetry: &Symmetry,
        certificate: &FailuresCertificate,
    ) -> Result<Vec<u32>> {
        if self.place(&certificate.set).is_none() {
            return Err(BadFailures::Set(certificate.set.clone()).into());
        }
        let records = certificate.automorphisms.len();
        if records > 0 && certificate.repair == PairRepair::Next {
            return Err(BadFailures::Symmetry.into());
        }
        let images = Some(records as u128 * self.count as u128);
        within("automorphisms times sets of failures", images, IMAGES, REMEDY)?;
        let mut class: Vec<u32> = (0..).take(self.count).collect();
        let places: HashMap<&[LinkId], u32> =
            self.elements.iter().map(Vec::as_slice).zip(0..).collect();
        for (number, images) in symmetry.images_of_links().enumerate() {
            let mut image = Vec::new();
            for (element, links) in self.elements.iter().enumerate() {
                network.go_on()?;
                let mut taken: Vec<LinkId> = links.iter().map(|l| images[*l as usize]).collect();
                taken.sort_unstable();
                let known = places.get(&taken[..]).copied();
                image.push(known.ok_or(BadFailures::Image { number, element })?);
            }
            for (place, own) in (0..).take(self.count).zip(0..) {
                network.go_on()?;
                let mut set: Vec<u32> =
                    self.at(place).iter().map(|element| image[*element as usize]).collect();
                set.sort_unstable();
                // Different elements are taken to different ones.
                let taken = self.place(&set).and_then(|place| u32::try_from(place).ok());
                join(&mut class, own, taken.unwrap_or(own));
            }
        }
        for place in 0..self.count {
            // The root is lower, and has its own number.
            class[place] = class[class[place] as usize];
        }
        Ok(class)
    }

    /// Whether every set has to be verified: the first of its class, and those that cut hosts off. What an automorphism
    /// takes to a set that does so does so too, so that it is enough to look at the first.
    pub(super) fn needed(&self, whole: &Whole<'_>, first: &[u32]) -> Result<Vec<bool>> {
        let (mut cuts, mut left) = (vec![None; self.count], Left::of(whole.network)?);
        let mut needed = Vec::new();
        for (place, first) in first.iter().map(|first| *first as usize).enumerate() {
            whole.network.go_on()?;
            if first != place && cuts[first].is_none() {
                left.remove(whole.network, &whole.gone(&self.at(first)));
                cuts[first] = Some(left.cut_off(whole.network)?.contains(&true));
            }
            needed.push(first == place || cuts[first] == Some(true));
        }
        Ok(needed)
    }

    /// The covers of single sets, by place.
    pub(super) fn own_covers(
        &self,
        needed: &[bool],
        certificate: &'c FailuresCertificate,
    ) -> Result<HashMap<usize, &'c [Cover]>> {
        let (mut own, mut last) = (HashMap::new(), 0);
        for (set, covers) in &certificate.failed {
            let place = self.place(set).filter(|place| *place > last && needed[*place]);
            last = place.ok_or_else(|| BadFailures::Record(set.clone()))?;
            own.insert(last, covers.as_slice());
        }
        Ok(own)
    }
}
