//! The worst link of a tree, the traffic that loads it, and how many links have which load; before
//! that, what the numbers m and w bound by themselves.

use std::collections::BTreeMap;

use super::classes::{Classes, grown};
use super::table::Table;
use super::{ByDigits, ByDigitsError, labels};
use crate::certificate::{LabelledLink, ProductWitness, Quantity, Sent};
use crate::integer::as_size;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::DigitRule;
use crate::topology::Direction;
use crate::worst_case::{Bin, PathsOfPair, ShapeBounds};

/// The worst case of an analysis by digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstByDigits {
    /// The maximum load of a link over traffic with optu 1, or over permutations.
    pub load: Rational,
    /// Upper bound that cuts, and hosts at the ends of links, prove on it. Equal to the lower,
    /// except perhaps where both first digits decide a port.
    pub most: Rational,
    /// The first link that has it, and the traffic.
    pub witness: ProductWitness,
    /// Number of that link.
    pub link: u64,
    /// Name of the link.
    pub name: String,
    /// Number of its pairs that have traffic, if each has `unit`.
    pub pairs: u64,
    /// Amount that a host sends, if it sends.
    pub unit: Rational,
    /// All links by level, direction and load.
    pub bins: Vec<Bin>,
}

/// A link that has the maximum load so far.
struct Best {
    load: Rational,
    units: u64,
    link: LabelledLink,
}

impl ByDigits {
    /// The worst case over the traffic of a quantity, [`Quantity::ObliviousRatio`] or another for
    /// permutations. O(h²·classes²), whatever the size of the tree, which is not worth a stop; where
    /// both first digits decide a port, O(m1²·log m1) and two flows per port whose pairs are no
    /// product, once for both quantities.
    ///
    /// # Errors
    /// [`ByDigitsError::TooLarge`] where links fall into more than 2^16 classes;
    /// [`ByDigitsError::Stopped`] where both first digits decide a port.
    #[expect(clippy::missing_panics_doc, reason = "a tree has links")]
    pub fn worst(
        &self,
        quantity: Quantity,
        progress: &Progress,
    ) -> Result<WorstByDigits, ByDigitsError> {
        let (capacities, unit) = (self.capacities(quantity), self.unit(quantity));
        let (mut bins, mut most) = (Vec::new(), Rational::ZERO);
        let mut best: Option<Best> = None;
        for step in 1..=self.shape.height() {
            for up in [true, false] {
                let (classes, bound) = self.links(up, step, &capacities, progress)?;
                let share = &unit * &self.share(step);
                most = most.max(&Rational::from(bound) * &share);
                bins.extend(self.bins(up, step, &classes, &share));
                let Some((units, class)) = classes.last_key_value() else { continue };
                let load = &Rational::from(*units) * &share;
                if best.as_ref().is_none_or(|best| load > best.load) {
                    let link = self.first_link(up, step, class.first);
                    best = Some(Best { load, units: *units, link });
                }
            }
        }
        let best = best.expect("a tree has links");
        let sent = self.sent(&best.link, best.units, &capacities, progress)?;
        Ok(self.loaded(quantity, best, sent, most, bins))
    }

    /// What is known of the worst case before any link is looked at: what the hosts and cuts of the
    /// tree let through, and a link that the traffic of one host loads. O(h).
    #[must_use]
    #[expect(
        clippy::missing_panics_doc,
        reason = "a tree has two hosts or more, and 16 steps or fewer"
    )]
    pub fn unexamined(&self, quantity: Quantity) -> WorstByDigits {
        let shape = self.shape_bounds(quantity);
        let of_step = |step| {
            let level = u8::try_from(step).expect("a tree has at most 16 steps");
            let most = shape.most_of_level(level).expect("there is a bound for every level");
            (level, most.clone(), as_size(self.shape.links_up(step)))
        };
        let levels: Vec<_> = (1..=self.shape.height()).map(of_step).collect();
        let bins = levels.iter().flat_map(|(level, most, links)| {
            [Direction::Up, Direction::Down].map(|direction| Bin {
                level: *level,
                direction,
                load: None,
                at_most: Some(most.clone()),
                links: *links,
            })
        });
        let most = levels.iter().map(|(_, most, _)| most).max().expect("a tree has links");
        let load = &self.unit(quantity) * &self.share(1);
        let best = Best { load, units: 1, link: self.first_link(true, 1, 0) };
        let level = (1..=self.shape.height()).find(|level| self.shape.children(*level) > 1);
        let level = level.expect("a tree has two hosts or more");
        let sent = vec![Sent { level, amount: Rational::ONE, digits: None }];
        self.loaded(quantity, best, sent, most.clone(), bins.collect())
    }

    /// Bounds on both sides from the m and w of the tree alone.
    pub(crate) fn shape_bounds(&self, quantity: Quantity) -> ShapeBounds {
        let paths = PathsOfPair::by_rules(&self.rules);
        let bounds = ShapeBounds::of_tree(&self.shape, paths, quantity);
        bounds.expect("a tree has two hosts or more")
    }

    /// Amount that a host sends, if it sends.
    fn unit(&self, quantity: Quantity) -> Rational {
        match quantity {
            Quantity::ObliviousRatio => Rational::from(self.shape.shortest_paths(1)),
            _ => Rational::ONE,
        }
    }

    /// A worst case in which a link has traffic, in units.
    fn loaded(
        &self,
        quantity: Quantity,
        Best { load, units, link }: Best,
        sent: Vec<Sent>,
        most: Rational,
        bins: Vec<Bin>,
    ) -> WorstByDigits {
        let unit = self.unit(quantity);
        let amount = |sent: Sent| Sent { amount: &sent.amount * &unit, ..sent };
        let sent = sent.into_iter().map(amount).collect();
        let (number, name) = (labels::number(&self.shape, &link), labels::name(&self.shape, &link));
        let witness = ProductWitness { quantity, link, sent };
        WorstByDigits { load, most, witness, link: number, name, pairs: units, unit, bins }
    }

    /// The classes of the links of a step, and a bound on all.
    fn links(
        &self,
        up: bool,
        step: usize,
        capacities: &[u64],
        progress: &Progress,
    ) -> Result<(Classes, u64), ByDigitsError> {
        if let Some(table) = self.table(step, progress)? {
            return Ok(table.classes(up, capacities[1]));
        }
        let classes = self.classes(up, step, capacities)?;
        let most = classes.last_key_value().map_or(0, |(units, _)| *units);
        Ok((classes, most))
    }

    /// The table of a step where both first digits decide the port.
    fn table(&self, step: usize, progress: &Progress) -> Result<Option<&Table>, Stopped> {
        let DigitRule::Both { ports } = &self.rules.steps()[step - 1] else { return Ok(None) };
        if let Some(table) = self.table.get() {
            return Ok(Some(table));
        }
        let table = Table::new(&self.shape, ports, progress)?;
        Ok(Some(self.table.get_or_init(|| table)))
    }

    /// The share of its pairs on a link.
    fn share(&self, step: usize) -> Rational {
        let even = (1..=step).zip(self.rules.steps());
        let even = even.filter(|(_, rule)| **rule == DigitRule::Even);
        let ways = even.map(|(at, _)| u64::from(self.shape.parents(at))).product();
        Rational::new(1, ways).expect("every w is at least 1")
    }

    fn bins(&self, up: bool, step: usize, classes: &Classes, share: &Rational) -> Vec<Bin> {
        let mut loads: BTreeMap<Rational, u64> = BTreeMap::new();
        for (units, class) in classes {
            let links = class.ways * self.shape.subtrees(step - 1);
            *loads.entry(&Rational::from(*units) * share).or_default() += links;
        }
        let bin = |(load, links)| Bin {
            level: u8::try_from(step).expect("a tree has at most 16 steps"),
            direction: if up { Direction::Up } else { Direction::Down },
            load: Some(load),
            at_most: None,
            links: as_size(links),
        };
        loads.into_iter().rev().map(bin).collect()
    }

    /// Traffic of a given number of units over the pairs of a link, as near as possible.
    fn sent(
        &self,
        link: &LabelledLink,
        units: u64,
        capacities: &[u64],
        progress: &Progress,
    ) -> Result<Vec<Sent>, ByDigitsError> {
        let step = link.step();
        if let Some(table) = self.table(step, progress)? {
            return Ok(table.sent(link.up, link.ports[step - 1], units, progress)?);
        }
        let inside = (1..step).fold(1, |inside, digit| {
            let all = u64::from(self.shape.children(digit));
            let allowed = self.allowed(!link.up, digit, &link.ports);
            grown(allowed.map_or(all, |digits| digits.len() as u64), inside, capacities[digit])
        });
        let (_, beside) = self.outside(step, inside, capacities);
        let (mut left, mut sent) = (units, Vec::new());
        for (level, most) in (step..).zip(beside) {
            let amount = left.min(most);
            left -= amount;
            if amount > 0 {
                sent.push(Sent { level, amount: Rational::from(amount), digits: None });
            }
        }
        Ok(sent)
    }
}
