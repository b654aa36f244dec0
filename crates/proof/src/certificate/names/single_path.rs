//! The record stating that no single-path routing of a tree is better.

use std::io::BufRead;

use super::Quantity;
use super::lines::{Lines, ReadError};

/// A bound for every single-path routing of a tree whose paths lead up, then down, and the
/// evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinglePath {
    /// The bounded quantity, [`Quantity::ObliviousRatio`] or [`Quantity::PermutationLoad`]; one of the
    /// certificate's claims is about it.
    pub quantity: Quantity,
    /// No such routing has less.
    pub lower: u32,
    /// Why none reaches `lower` − 1.
    pub refutation: Refutation,
}

/// Why no single-path routing reaches some ratio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// The ratio is below what a cover of one host proves: then nothing covers, and a link that
    /// carries a pair needs a cover.
    Trivial,
    /// The ports of the subtrees of this height cannot carry all pairs between them.
    Count {
        /// Height of the subtrees.
        height: usize,
    },
    /// The ports of the smaller subtrees, split among those of the larger ones, cannot.
    Nested {
        /// Height of the smaller subtrees.
        low: usize,
        /// Height of the larger subtrees.
        high: usize,
    },
    /// The formula of the cover encoding has no model.
    Lrat(Box<LratRefutation>),
}

/// A refuted formula. Its files lie beside the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LratRefutation {
    /// m1..mh of the part of the tree that the formula is about.
    pub kept: Vec<u32>,
    /// First step of links that the formula looks at.
    pub first_step: usize,
    /// Number of pairs that order the ports.
    pub ordered: usize,
    /// Name of the file of the formula in the DIMACS format.
    pub formula: String,
    /// Name of the file of the proof in the LRAT format.
    pub proof: String,
}

impl SinglePath {
    /// Name of the bounded quantity, for all single-path routings.
    #[must_use]
    pub fn name(quantity: Quantity) -> &'static str {
        match quantity {
            Quantity::ObliviousRatio => "least single-path oblivious-ratio",
            Quantity::PermutationLoad => "least single-path permutation-load",
            Quantity::HoseLoad => "least single-path hose-load",
        }
    }
}

impl<R: BufRead> Lines<R> {
    pub(in crate::certificate) fn single_path(&mut self) -> Result<Option<SinglePath>, ReadError> {
        let Some(words) = self.words("single-path")? else { return Ok(None) };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [quantity, lower, refutation @ ..] = &words[..] else {
            return Err(self.word_count("single-path"));
        };
        let expected = "oblivious-ratio or permutation-load";
        let quantity = self.named(quantity, &Quantity::NAMES, expected)?;
        let (lower, refutation) = (self.integer(lower)?, self.refutation(refutation)?);
        Ok(Some(SinglePath { quantity, lower, refutation }))
    }

    fn refutation(&self, words: &[&str]) -> Result<Refutation, ReadError> {
        match words {
            ["trivial"] => Ok(Refutation::Trivial),
            ["count", height] => Ok(Refutation::Count { height: self.small(height)? }),
            ["nested", low, high] => {
                Ok(Refutation::Nested { low: self.small(low)?, high: self.small(high)? })
            }
            ["lrat", kept, first_step, ordered, formula, proof] => {
                Ok(Refutation::Lrat(Box::new(LratRefutation {
                    kept: self.numbers(kept)?,
                    first_step: self.small(first_step)?,
                    ordered: self.small(ordered)?,
                    formula: (*formula).to_string(),
                    proof: (*proof).to_string(),
                })))
            }
            _ => Err(self.word_count("single-path")),
        }
    }
}
