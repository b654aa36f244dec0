//! Certificates about local adaptive routing: the least number of top switches of an ftree(n,m,r)
//! with which some such routing is nonblocking.

use std::io::BufRead;

use super::NetworkForm;
use super::lines::{Lines, ReadError};
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
    /// Number of bottom switches, from the first, that are kept.
    pub switches: u32,
    /// Name of the file of the formula in the DIMACS format.
    pub formula: String,
    /// Name of the file of the proof in the LRAT format.
    pub proof: String,
}

impl<R: BufRead> Lines<R> {
    /// Everything behind the network, if the next record is a claim on the number of top switches;
    /// `is_bare` says that nothing stood between them.
    pub(super) fn local(
        &mut self,
        network: &NetworkForm,
        is_bare: bool,
    ) -> Result<Option<LocalCertificate>, ReadError> {
        let is_other = |line: &str| line.split_whitespace().nth(1) != Some(LOCAL_SWITCHES);
        if self.peek()?.is_none_or(is_other) {
            return Ok(None);
        }
        let Some([_, lower, upper]) = self.record("claim")? else { return Ok(None) };
        let (lower, upper) = (self.integer(&lower)?, self.integer(&upper)?);
        if !is_bare {
            return Err(self.not_expected(LOCAL_SWITCHES, "a claim about a routing"));
        }
        let mut rules = Vec::new();
        while let Some([switch, destinations, tops]) = self.record("rule")? {
            let commas = |list: &str| list.bytes().filter(|byte| *byte == b',').count();
            self.budget.take_path(commas(&destinations) + commas(&tops) + 2)?;
            let (destinations, tops) = (self.numbers(&destinations)?, self.numbers(&tops)?);
            rules.push(LocalRule { switch: self.integer(&switch)?, destinations, tops });
        }
        let fewer = match self.record("fewer")? {
            None => None,
            Some([switches, formula, proof]) => {
                Some(LocalRefutation { switches: self.integer(&switches)?, formula, proof })
            }
        };
        self.end("a `rule`, a `fewer` or the `end` line")?;
        Ok(Some(LocalCertificate { network: network.clone(), lower, upper, rules, fewer }))
    }
}
