//! Certificates about trees of any size: the pairs of a link are products of sets of digits, and
//! nothing is listed per host or link.

use std::io::BufRead;

use super::budget::Listed;
use super::lines::{Lines, ReadError};
use super::{Claim, NetworkForm, Quantity, RoutingForm};
use crate::rational::Rational;
use crate::topology::{Host, NodeId};

/// Claims about a named routing of a named tree whose up-digits single digits decide, and the
/// evidence that cannot be computed from the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductCertificate {
    /// The tree, by its spec.
    pub network: NetworkForm,
    /// Routing of the instance, by its spec.
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
    pub amount: Rational,
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

impl<R: BufRead> Lines<R> {
    /// Everything behind the claims; `None` where the next record is no `busiest` one.
    pub(in crate::certificate) fn product(
        &mut self,
        (network, routing): (&NetworkForm, &RoutingForm),
        (classes, cuts): (&[Vec<Host>], &[Vec<NodeId>]),
        claims: &[Claim],
    ) -> Result<Option<ProductCertificate>, ReadError> {
        let witnesses = self.product_witnesses()?;
        if witnesses.is_empty() {
            return Ok(None);
        }
        if !cuts.is_empty() || !classes.is_empty() {
            return Err(self.unexpected("a `witness` line, where there are cuts or classes"));
        }
        self.end("a `sent`, a `busiest` or the `end` line")?;
        let (network, routing, claims) = (network.clone(), routing.clone(), claims.to_vec());
        Ok(Some(ProductCertificate { network, routing, claims, witnesses }))
    }

    /// The `busiest` records with their traffic; none where the next record is another.
    fn product_witnesses(&mut self) -> Result<Vec<ProductWitness>, ReadError> {
        let mut witnesses = Vec::new();
        while let Some([quantity, direction, ports, digits]) = self.record("busiest")? {
            let expected = "oblivious-ratio or permutation-load";
            let quantity = self.named(&quantity, &Quantity::NAMES, expected)?;
            let up = self.named(&direction, &[("up", true), ("down", false)], "`up` or `down`")?;
            let (ports, digits) = (self.numbers(&ports)?, self.numbers(&digits)?);
            let link = LabelledLink { up, ports, digits };
            witnesses.push(ProductWitness { quantity, link, sent: self.all_sent()? });
        }
        Ok(witnesses)
    }

    /// A height, or another small number that the library uses as a count.
    pub(super) fn small(&self, word: &str) -> Result<usize, ReadError> {
        Ok(self.integer::<u32>(word)? as usize)
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
