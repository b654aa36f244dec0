//! The record stating that no routing with few paths per pair is better.

use std::io::BufRead;

use super::Quantity;
use super::lines::{Lines, ReadError};
use crate::rational::Rational;

/// A bound for every routing of a tree of two levels that gives each pair of hosts of different leaf switches at most a
/// given number of paths, up, then down, with any shares. It needs no evidence: the network and a theorem prove it.
///
#[doc = include_str!("../../checker/FEW_PATHS.md")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FewPaths {
    /// The bounded quantity, [`Quantity::ObliviousRatio`] or [`Quantity::PermutationLoad`]; one of the
    /// certificate's claims is about it.
    pub quantity: Quantity,
    /// No such routing has less.
    pub lower: Rational,
    /// Maximum number of paths of a pair; those of the certificate's routing are no more.
    pub paths: u32,
}

impl FewPaths {
    /// Name of the bounded quantity, for all routings with at most the given number of paths per pair.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::certificate::{FewPaths, Quantity};
    /// let name = FewPaths::name(Quantity::ObliviousRatio, 2);
    /// assert_eq!(name, "least oblivious-ratio with 2 paths per pair");
    /// ```
    #[must_use]
    pub fn name(quantity: Quantity, paths: u32) -> String {
        let plural = if paths == 1 { "" } else { "s" };
        format!("least {} with {paths} path{plural} per pair", quantity.name())
    }
}

impl<R: BufRead> Lines<R> {
    pub(super) fn few_paths(&mut self) -> Result<Option<FewPaths>, ReadError> {
        let Some([quantity, lower, paths]) = self.record("few-paths")? else { return Ok(None) };
        let expected = "oblivious-ratio or permutation-load";
        let quantity = self.named(&quantity, &Quantity::NAMES, expected)?;
        Ok(Some(FewPaths { quantity, lower: self.rational(&lower)?, paths: self.integer(&paths)? }))
    }
}
