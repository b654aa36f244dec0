//! Certificates about local adaptive routing: the least number of top switches of an ftree(n,m,r)
//! with which some such routing is nonblocking.

use std::io::{self, BufRead, Write};

use super::NetworkForm;
use super::budget::{Budget, Listed};
use super::commas::Commas;
use super::lines::{Lines, ReadError};
use crate::limit::TooLarge;
use crate::topology::Host;

/// Name of that number in certificates.
pub const LOCAL_SWITCHES: &str = "local-adaptive-switches";

/// Bounds on the least number of top switches, and the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalCertificate {
    /// ftree(n,m,r), by its spec; m = `upper`.
    pub network: NetworkForm,
    /// No local adaptive routing is nonblocking with fewer.
    pub lower: u32,
    /// One is with this many.
    pub upper: u32,
    /// Evidence for the upper side: the top switches for every set of destinations of a switch.
    pub rules: Vec<LocalRule>,
    /// Evidence for the lower side; none is needed up to n.
    pub fewer: Option<LocalRefutation>,
}

/// The top switches that a source switch takes for a set of destinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRule {
    /// The source switch.
    pub switch: u32,
    /// The destinations, ascending.
    pub destinations: Vec<Host>,
    /// The top switch of each.
    pub tops: Vec<u32>,
}

/// A refuted formula of the local encoding for one top switch less than `lower`. Its files lie beside
/// the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRefutation {
    /// The first so many bottom switches are kept.
    pub switches: u32,
    /// Name of the file of the formula in the DIMACS format.
    pub formula: String,
    /// Name of the file of the proof in the LRAT format.
    pub proof: String,
}

impl LocalCertificate {
    /// Everything behind the network.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "claim {LOCAL_SWITCHES} {} {}", self.lower, self.upper)?;
        for LocalRule { switch, destinations, tops } in &self.rules {
            let (destinations, tops) = (Commas(destinations), Commas(tops));
            writeln!(out, "rule {switch} {destinations} {tops}")?;
        }
        if let Some(LocalRefutation { switches, formula, proof }) = &self.fewer {
            writeln!(out, "fewer {switches} {formula} {proof}")?;
        }
        Ok(())
    }

    /// Counts what a reader counts before holding it in memory.
    pub(super) fn count(&self, budget: &mut Budget) -> Result<(), TooLarge> {
        let mut rules = self.rules.iter();
        rules.try_for_each(|rule| take(rule.destinations.len() + rule.tops.len(), budget))
    }
}

/// Counts a rule as a path with so many numbers.
fn take(numbers: usize, budget: &mut Budget) -> Result<(), TooLarge> {
    budget.take(Listed::Paths, 1)?;
    budget.take(Listed::PathLinks, numbers)
}

impl<R: BufRead> Lines<R> {
    /// LOWER and UPPER, if the next record is a claim on the number of top switches.
    pub(super) fn local_claim(&mut self) -> Result<Option<(u32, u32)>, ReadError> {
        let is_other = |line: &str| line.split_whitespace().nth(1) != Some(LOCAL_SWITCHES);
        if self.peek()?.is_none_or(is_other) {
            return Ok(None);
        }
        let Some([_, lower, upper]) = self.record("claim")? else { return Ok(None) };
        Ok(Some((self.integer(&lower)?, self.integer(&upper)?)))
    }

    /// Everything behind the claim.
    pub(super) fn local(
        &mut self,
        network: NetworkForm,
        (lower, upper): (u32, u32),
    ) -> Result<LocalCertificate, ReadError> {
        let mut rules = Vec::new();
        while let Some([switch, destinations, tops]) = self.record("rule")? {
            let commas = |list: &str| list.bytes().filter(|byte| *byte == b',').count();
            take(commas(&destinations) + commas(&tops) + 2, &mut self.budget)?;
            let (destinations, tops) = (self.numbers(&destinations)?, self.numbers(&tops)?);
            rules.push(LocalRule { switch: self.integer(&switch)?, destinations, tops });
        }
        let fewer = match self.record("fewer")? {
            None => None,
            Some([switches, formula, proof]) => {
                Some(LocalRefutation { switches: self.integer(&switches)?, formula, proof })
            }
        };
        Ok(LocalCertificate { network, lower, upper, rules, fewer })
    }
}
