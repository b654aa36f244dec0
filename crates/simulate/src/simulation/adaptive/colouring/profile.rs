//! Distribution of values over links, kept while they change one by one.

use std::collections::BTreeMap;

/// Measure of a distribution; the greater the worse, by its fields in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Measure {
    /// The maximum value.
    pub most: u64,
    /// Number of links that have it.
    pub links: u64,
    /// The sum of the squares of all.
    pub squares: u128,
}

/// The values of all links; zeros are not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    links: BTreeMap<u64, u64>,
    squares: u128,
}

impl Profile {
    /// Takes into account that the value of one link changes.
    pub fn change(&mut self, from: u64, to: u64) {
        if from == to {
            return;
        }
        let square = |value: u64| u128::from(value).pow(2);
        self.squares = self.squares + square(to) - square(from);
        if to > 0 {
            *self.links.entry(to).or_default() += 1;
        }
        if let Some(links) = self.links.get_mut(&from) {
            *links -= 1;
            if *links == 0 {
                self.links.remove(&from);
            }
        }
    }

    pub fn measure(&self) -> Measure {
        let (most, links) = self.links.last_key_value().unwrap_or((&0, &0));
        Measure { most: *most, links: *links, squares: self.squares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut profile = Profile::default();
        for (from, to) in [(0, 3), (0, 2), (2, 3), (0, 1), (3, 3)] {
            profile.change(from, to);
        }
        assert_eq!(profile.measure(), Measure { most: 3, links: 2, squares: 19 });
        profile.change(3, 0);
        profile.change(3, 1);
        assert_eq!(profile.measure(), Measure { most: 1, links: 2, squares: 2 });
    }
}
