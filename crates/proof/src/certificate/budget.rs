//! How much a certificate lists: a short record takes much more memory than its text.

use crate::limit::{TooLarge, within};

/// A quantity that is counted over a whole certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// `path`, `allowed` and `rule` records: 120 bytes each, without their links.
    Paths,
    /// Links in them, a link counted as often as it is listed, or the numbers of a rule: 4 bytes each.
    PathLinks,
    /// `demand` and `length` records and weights in covers: 56 bytes each.
    Amounts,
    /// Entries of `next` records: 4 bytes each.
    NextLinks,
    /// `automorphism` records and the numbers in them: up to 48 bytes each.
    Images,
    /// Hosts in `class` records: up to 28 bytes each. No network that is checked has more.
    ClassHosts,
    /// Nodes in `cut` records: ranges are short as text but long in memory.
    CutNodes,
}

impl Listed {
    /// Everything that is counted, in discriminant order, with its description and its limit.
    const ALL: [(Self, &'static str, u64); 7] = [
        (Self::Paths, "number of listed paths", 1 << 24),
        (Self::PathLinks, "number of links of all listed paths", 1 << 26),
        (Self::Amounts, "number of demands, lengths and weights in covers", 1 << 25),
        (Self::NextLinks, "number of entries of `next` records", 1 << 28),
        (Self::Images, "number of `automorphism` records and of numbers in them", 1 << 24),
        (Self::ClassHosts, "number of hosts in `class` records", 1 << 16),
        (Self::CutNodes, "number of nodes in `cut` records", 1 << 26),
    ];
}

/// Counts of what has been listed so far, with their limits.
#[derive(Clone, Debug)]
pub struct Budget {
    listed: [u64; Listed::ALL.len()],
    most: [u64; Listed::ALL.len()],
}

impl Default for Budget {
    fn default() -> Self {
        Self { listed: [0; Listed::ALL.len()], most: Listed::ALL.map(|(_, _, most)| most) }
    }
}

impl Budget {
    /// The budget with another limit on one count.
    #[must_use]
    pub fn with(mut self, what: Listed, most: u64) -> Self {
        self.most[what as usize] = most;
        self
    }

    /// How much was counted.
    #[cfg(test)]
    pub(super) fn listed(&self, what: Listed) -> u64 {
        self.listed[what as usize]
    }

    /// Counts items before they are held in memory.
    pub(super) fn take(&mut self, what: Listed, count: usize) -> Result<(), TooLarge> {
        let place = what as usize;
        self.listed[place] += count as u64;
        let remedy = "name the network and the routing by specs, or use a smaller instance";
        let (_, words, _) = Listed::ALL[place];
        within(words, Some(self.listed[place].into()), self.most[place], remedy)?;
        Ok(())
    }

    /// Counts a path of `links` links before it is held in memory.
    ///
    /// # Errors
    /// [`TooLarge`] above a limit.
    pub fn take_path(&mut self, links: usize) -> Result<(), TooLarge> {
        self.take(Listed::Paths, 1)?;
        self.take(Listed::PathLinks, links)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_stands_at_its_place() {
        for (place, (what, ..)) in Listed::ALL.into_iter().enumerate() {
            assert_eq!(what as usize, place);
        }
    }
}
