//! What is known of the hosts at one end of a link's pairs: the largest share of each, and what they
//! weigh together.

use std::collections::HashMap;
use std::num::NonZeroU32;

use crate::rational::Rational;
use crate::topology::LinkId;

use super::{Result, sum};

/// Counts of hosts or demands by link and weight.
pub(super) struct Count {
    /// Distinct weights.
    pub(super) weights: Numbered,
    /// By link, the numbers of each of the first weights.
    few: Vec<[u32; FEW]>,
    /// Those of other weights.
    pub(super) parts: HashMap<(LinkId, u32), u32>,
}

impl Count {
    pub(super) fn new(links: usize) -> Self {
        Self { weights: Numbered::default(), few: vec![[0; FEW]; links], parts: HashMap::new() }
    }

    /// Counts hosts of the weight with this number.
    #[inline]
    pub(super) fn add(&mut self, link: LinkId, weight: u32, hosts: u32) {
        match self.few[link as usize].get_mut(weight as usize) {
            Some(known) => *known += hosts,
            None if hosts == 0 => {}
            None => *self.parts.entry((link, weight)).or_default() += hosts,
        }
    }

    /// What was counted, by link and the number of the weight.
    fn counted(self) -> (Numbered, impl Iterator<Item = ((LinkId, u32), u32)>) {
        let few = (0..).zip(self.few).flat_map(|(link, few)| {
            (0..).zip(few).map(move |(weight, hosts)| ((link, weight), hosts))
        });
        let mut parts: Vec<_> = self.parts.into_iter().collect();
        parts.sort_unstable();
        (self.weights, few.filter(|(_, hosts)| *hosts > 0).chain(parts))
    }

    /// Adds what was counted for other hosts.
    pub(super) fn take(&mut self, other: Self) {
        let (weights, counted) = other.counted();
        let numbers: Vec<u32> = weights.known.iter().map(|w| self.weights.number(w)).collect();
        for ((link, weight), hosts) in counted {
            self.add(link, numbers[weight as usize], hosts);
        }
    }

    /// What all hosts weigh together, by link.
    pub(super) fn totals(self) -> Result<Vec<Rational>> {
        let mut totals = vec![Rational::ZERO; self.few.len()];
        self.add_to(&mut totals)?;
        Ok(totals)
    }

    /// Adds what all hosts weigh together, by link.
    pub(super) fn add_to(self, totals: &mut [Rational]) -> Result<()> {
        let (weights, counted) = self.counted();
        for ((link, weight), hosts) in counted {
            let weight = &weights.known[weight as usize] * &Rational::from(u64::from(hosts));
            sum::add(&mut totals[link as usize], &weight)?;
        }
        Ok(())
    }
}

/// The largest share of one host's pairs on every link.
pub(super) struct Known {
    /// The number of the share, or [`NONE`].
    share: Vec<u32>,
    /// Links that have one.
    links: Vec<LinkId>,
}

const NONE: u32 = u32::MAX;

impl Known {
    pub(super) fn new(slot: &[Option<NonZeroU32>]) -> Self {
        // Of the other links nothing is asked: as if 1 were known.
        let share = slot.iter().map(|open| if open.is_some() { NONE } else { WHOLE }).collect();
        Self { share, links: Vec::new() }
    }

    /// Takes the links of a pair into account, each with the number of its share.
    pub(super) fn raise_parts(&mut self, parts: &[(LinkId, u32)], shares: &Numbered) {
        for (link, number) in parts {
            let slot = &mut self.share[*link as usize];
            if *slot == NONE {
                self.links.push(*link);
                *slot = *number;
            } else if *slot != *number && shares.is_less(*slot, *number) {
                *slot = *number;
            }
        }
    }

    /// Takes a link into account that carries a whole pair. Its share may be above 1 already: a listed
    /// path may pass a link more than once.
    #[inline]
    pub(super) fn raise_to_one(&mut self, link: LinkId, shares: &Numbered) {
        let slot = &mut self.share[link as usize];
        if *slot == NONE {
            self.links.push(link);
            *slot = WHOLE;
        } else if *slot != WHOLE && shares.is_less(*slot, WHOLE) {
            *slot = WHOLE;
        }
    }

    /// Counts the host on all its links, where it may stand for others.
    pub(super) fn add_to(
        &self,
        count: &mut Count,
        capacity: &Rational,
        shares: &Numbered,
        hosts: impl Fn(LinkId) -> u32,
    ) {
        let mut weights: HashMap<u32, u32> = HashMap::new();
        let mut last = (NONE, WHOLE);
        for link in &self.links {
            let number = self.share[*link as usize];
            if number != last.0 {
                let weigh = || count.weights.number(&(&shares.known[number as usize] * capacity));
                last = (number, *weights.entry(number).or_insert_with(weigh));
            }
            count.add(*link, last.1, hosts(*link));
        }
    }

    /// Forgets the host.
    pub(super) fn clear(&mut self) {
        for link in self.links.drain(..) {
            self.share[link as usize] = NONE;
        }
    }
}

/// Rationals and their numbers, in order of first use; the first is 1.
pub(super) struct Numbered {
    known: Vec<Rational>,
    numbers: HashMap<Rational, u32>,
}

impl Default for Numbered {
    fn default() -> Self {
        Self { known: vec![Rational::ONE], numbers: HashMap::from([(Rational::ONE, WHOLE)]) }
    }
}

/// The number of 1.
pub(super) const WHOLE: u32 = 0;

/// Number of rationals that are compared before others are looked up.
const FEW: usize = 4;

impl Numbered {
    #[inline]
    pub(super) fn number(&mut self, ratio: &Rational) -> u32 {
        let mut few = (0..).zip(self.known.iter().take(FEW));
        if let Some((number, _)) = few.find(|(_, known)| *known == ratio) {
            return number;
        }
        let next = self.known.len().try_into().expect("fewer rationals than 2^32 fit into memory");
        let number = *self.numbers.entry(ratio.clone()).or_insert(next);
        if number == next {
            self.known.push(ratio.clone());
        }
        number
    }

    /// All of them, by number.
    pub(super) fn known(&self) -> &[Rational] {
        &self.known
    }

    #[inline]
    fn is_less(&self, a: u32, b: u32) -> bool {
        self.known[a as usize] < self.known[b as usize]
    }
}
