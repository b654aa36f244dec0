//! The traffic of an analysis by digits as a list of pairs.
//!
//! Units of traffic are given to hosts in an order in which consecutive ones are in different
//! subtrees as high up as possible. So all subtrees of a height get the same number of units,
//! rounded up or down, and where their capacity is an integer none exceeds it.

use super::{ByDigits, WorstByDigits};
use crate::certificate::LabelledLink;
use crate::integer::{as_size, index32};
use crate::limit::{TooLarge, within};
use crate::topology::Host;
use crate::traffic::Demand;

/// Maximum number of pairs that are listed.
pub const MAX_PAIRS: u64 = 1 << 16;

/// The values of the digits of hosts at every level: those listed, or all below a number.
struct Values(Vec<(Option<Vec<u32>>, u32)>);

impl Values {
    /// The host of this number, counted from the highest of these levels down.
    fn host(&self, mut number: u64, top: &[u32], sizes: &[u64]) -> u64 {
        let mut host = 0;
        for (level, (listed, all)) in self.0.iter().enumerate().rev() {
            let count = listed.as_ref().map_or(u64::from(*all), |listed| listed.len() as u64);
            let place = number % count;
            number /= count;
            let digit = listed.as_ref().map_or(place, |listed| listed[as_size(place)].into());
            host += digit * sizes[level];
        }
        let above = top.iter().zip(&sizes[self.0.len()..]);
        host + above.map(|(digit, size)| u64::from(*digit) * size).sum::<u64>()
    }
}

impl ByDigits {
    /// The traffic of a worst case, one demand per pair, all of the same amount. Each host sends at
    /// most once and receives at most once.
    ///
    /// # Errors
    /// [`TooLarge`] above [`MAX_PAIRS`] pairs, or where hosts have numbers of more than 32 bits.
    ///
    /// # Panics
    /// May panic for the worst case of another form, whose labels are of another tree.
    pub fn pairs(&self, worst: &WorstByDigits) -> Result<Vec<Demand>, TooLarge> {
        let remedy = "use what the certificate holds: amounts by level";
        within("number of pairs to list", Some(worst.pairs.into()), MAX_PAIRS, remedy)?;
        let hosts = Some(self.shape.hosts().into());
        within("number of hosts", hosts, u32::MAX.into(), remedy)?;
        let sizes: Vec<u64> =
            (0..=self.shape.height()).map(|level| self.shape.subtree_hosts(level)).collect();
        let (mut pairs, mut nth) = (Vec::new(), 0);
        for sent in &worst.witness.sent {
            let units = sent.amount.checked_div(&worst.unit).and_then(|units| units.scaled(1));
            let ends = self.ends(&worst.witness.link, sent.level);
            for unit in 0..units.expect("traffic comes in units") {
                let link = &worst.witness.link;
                let ends = match sent.digits {
                    Some(digits) => self.with_digits(link, digits, nth, &sizes),
                    None => self.with_level(link, sent.level, &ends, nth, unit, &sizes),
                };
                let (s, d) = if link.up { ends } else { (ends.1, ends.0) };
                let host = |host: u64| -> Host { index32(as_size(host)) };
                pairs.push(Demand { s: host(s), d: host(d), amount: worst.unit.clone() });
                nth += 1;
            }
        }
        Ok(pairs)
    }

    /// The digits below a link of its near hosts, and below a level of its far hosts. O(Σ m).
    fn ends(&self, link: &LabelledLink, level: usize) -> [Values; 2] {
        let values = |source: bool, levels: usize| {
            let allowed = |digit| self.allowed(source, digit, &link.ports);
            Values((1..=levels).map(|i| (allowed(i), self.shape.children(i))).collect())
        };
        [values(link.up, link.step() - 1), values(!link.up, level - 1)]
    }

    /// Near and far host of the unit of this number, that of this number at its level.
    fn with_level(
        &self,
        link: &LabelledLink,
        level: usize,
        [near, far]: &[Values; 2],
        nth: u64,
        unit: u64,
        sizes: &[u64],
    ) -> (u64, u64) {
        let step = link.step();
        let near = near.host(nth, &link.digits, sizes);
        let own = u64::from(link.digits[level - step]);
        let siblings = u64::from(self.shape.children(level)) - 1;
        let sibling = unit % siblings;
        let sibling = sibling + u64::from(sibling >= own);
        let above = &link.digits[level + 1 - step..];
        let inside = far.host(unit / siblings, &[], sizes);
        let above = above.iter().zip(&sizes[level..]);
        let above: u64 = above.map(|(digit, size)| u64::from(*digit) * size).sum();
        (near, inside + sibling * sizes[level - 1] + above)
    }

    /// The ends of pair `nth` where first digits are given: units of a far digit go to different leaves.
    fn with_digits(
        &self,
        link: &LabelledLink,
        (s, d): (u32, u32),
        nth: u64,
        sizes: &[u64],
    ) -> (u64, u64) {
        let own = u64::from(link.digits[0]);
        let others = u64::from(self.shape.children(2)) - 1;
        let leaf = nth % others;
        let leaf = leaf + u64::from(leaf >= own);
        let (near, far) = if link.up { (s, d) } else { (d, s) };
        (u64::from(near) + own * sizes[1], u64::from(far) + leaf * sizes[1])
    }
}
