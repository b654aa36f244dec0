//! Certificates about trees of any size: the pairs of a link are products of sets of digits, and
//! nothing is listed per host or link.

use std::io::{self, BufRead, Write};

use super::budget::{Budget, Listed};
use super::commas::Commas;
use super::lines::{Lines, ReadError};
use super::{Claim, NetworkForm, Quantity, RoutingForm};
use crate::limit::TooLarge;
use crate::ratio::Ratio;

/// Claims about a named routing of a named tree whose up-digits single digits decide, and the
/// evidence that cannot be computed from the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductCertificate {
    /// The tree, by its spec.
    pub network: NetworkForm,
    /// Its routing, by its spec.
    pub routing: RoutingForm,
    /// At least one, on [`Quantity::ObliviousRatio`] or [`Quantity::PermutationLoad`].
    pub claims: Vec<Claim>,
    /// Evidence for the lower sides, one for each claim; the upper sides follow from the names.
    pub witnesses: Vec<ProductWitness>,
}

/// Traffic that loads a link, spread evenly over the pairs of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductWitness {
    /// The quantity whose claim it proves.
    pub quantity: Quantity,
    /// The loaded link.
    pub link: LabelledLink,
    /// At least one.
    pub sent: Vec<Sent>,
}

/// A link of a tree by its labels: it joins the node (W1..W_{l−1}; M_l..M_h) to its parent through
/// port W_l.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledLink {
    /// Whether it leads up.
    pub up: bool,
    /// W1..Wl, l being the step.
    pub ports: Vec<u32>,
    /// M_l..M_h.
    pub digits: Vec<u32>,
}

/// An amount of traffic, spread evenly over the pairs of a link whose nearest common ancestors are
/// at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The level.
    pub level: usize,
    /// The sum over all these pairs.
    pub amount: Ratio,
    /// M1 of the sources and of the destinations, where both decide the port of the link.
    pub digits: Option<(u32, u32)>,
}

impl LabelledLink {
    /// The step l of the link.
    #[must_use]
    pub fn step(&self) -> usize {
        self.ports.len()
    }
}

fn direction(up: bool) -> &'static str {
    if up { "up" } else { "down" }
}

impl ProductCertificate {
    /// Everything behind the network.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for ProductWitness { quantity, link, sent } in &self.witnesses {
            let (ports, digits) = (Commas(&link.ports), Commas(&link.digits));
            writeln!(out, "busiest {} {} {ports} {digits}", quantity.name(), direction(link.up))?;
            for Sent { level, amount, digits } in sent {
                write!(out, "sent {level} {amount}")?;
                if let Some((s, d)) = digits {
                    write!(out, " {s} {d}")?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }

    /// Counts what a reader counts before holding it in memory.
    pub(super) fn count(&self, budget: &mut Budget) -> Result<(), TooLarge> {
        for witness in &self.witnesses {
            budget.take(Listed::Amounts, witness.sent.len())?;
        }
        Ok(())
    }
}

impl<R: BufRead> Lines<R> {
    /// The `busiest` records with their traffic; none where the next record is another.
    pub(super) fn product_witnesses(&mut self) -> Result<Vec<ProductWitness>, ReadError> {
        let mut witnesses = Vec::new();
        while let Some([quantity, direction, ports, digits]) = self.record("busiest")? {
            let quantity = self.quantity(&quantity)?;
            let up = self.is_up(&direction)?;
            let (ports, digits) = (self.numbers(&ports)?, self.numbers(&digits)?);
            let link = LabelledLink { up, ports, digits };
            witnesses.push(ProductWitness { quantity, link, sent: self.all_sent()? });
        }
        Ok(witnesses)
    }

    fn quantity(&self, word: &str) -> Result<Quantity, ReadError> {
        let known = Quantity::NAMES.iter().find(|(known, _)| *known == word);
        let (_, quantity) =
            known.ok_or_else(|| self.not_expected(word, "oblivious-ratio or permutation-load"))?;
        Ok(*quantity)
    }

    fn is_up(&self, word: &str) -> Result<bool, ReadError> {
        match word {
            "up" => Ok(true),
            "down" => Ok(false),
            _ => Err(self.not_expected(word, "`up` or `down`")),
        }
    }

    pub(super) fn numbers(&self, list: &str) -> Result<Vec<u32>, ReadError> {
        list.split(',').map(|number| self.integer(number)).collect()
    }

    fn all_sent(&mut self) -> Result<Vec<Sent>, ReadError> {
        let mut all = Vec::new();
        while let Some(words) = self.words("sent")? {
            self.budget.take(Listed::Amounts, 1)?;
            let (level, amount, digits) = match &words[..] {
                [level, amount] => (level, amount, None),
                [level, amount, s, d] => {
                    (level, amount, Some((self.integer(s)?, self.integer(d)?)))
                }
                _ => return Err(self.word_count("sent")),
            };
            let (level, amount) = (self.small(level)?, self.rational(amount)?);
            all.push(Sent { level, amount, digits });
        }
        if all.is_empty() { Err(self.unexpected("a `sent` line")) } else { Ok(all) }
    }
}
