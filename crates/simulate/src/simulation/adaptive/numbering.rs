//! The numbering of \[NB\] V, and how NONBLOCKINGADAPTIVE divides the SD pairs of a source switch
//! among configurations and partitions (\[NB\] Figure 4, lines 4 to 12).
//!
//! A destination is a number of c + 1 n-based digits s_{c−1} … s_0 p: its switch, and its place p
//! there. Its *coordinates* are p and (s_i − p) mod n for i = 0..c−1, one per partition: partition i
//! sends it through the top switch whose number within the partition is coordinate i (0 is the
//! paper's first partition). So the pairs that a partition can take are those with different
//! coordinates, and a largest set has as many as there are values. Two destinations with the same
//! coordinates are the same.
//!
//! What the paper leaves open is settled so: of several unused partitions that take equally many
//! pairs, the lowest is used, and of several pairs with the same coordinate the lowest destination is
//! taken. The number of configurations may depend on that.

use crate::integer::index32;

/// The numbers n and c of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    n: u32,
    c: u32,
}

/// Memory that is kept between switches, so that nothing is allocated; its contents mean nothing.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The coordinates of all pairs, c + 1 of each.
    coordinates: Vec<u32>,
    /// Pairs that are not yet routed, by destination.
    waiting: Vec<u32>,
    used: Vec<bool>,
    /// When a value of a coordinate was last seen.
    seen: Vec<u64>,
    now: u64,
    /// For a scheme, which looks the labels up here.
    pub(super) destinations: Vec<(u32, u32)>,
}

impl Numbering {
    /// The numbering of ftree(n,m,r), with the least c ≥ 1 such that r ≤ n^c; `None` for n = 1 and
    /// r > 1, where there is none.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::adaptive::Numbering;
    /// // The paper's: "in ftree(n,m,r=n^2), c = 2. In ftree(n,m,r=n^2+n), c = 3."
    /// assert_eq!(Numbering::of(4, 16).map(|it| it.c()), Some(2));
    /// assert_eq!(Numbering::of(4, 20).map(|it| it.c()), Some(3));
    /// assert_eq!(Numbering::of(1, 2), None);
    /// ```
    #[must_use]
    pub fn of(n: u32, r: u32) -> Option<Self> {
        let reaches = |c: &u32| u128::from(n).pow(*c) >= u128::from(r);
        // Any r is below 2^32.
        (n > 0).then(|| (1..=32).find(reaches))?.map(|c| Self { n, c })
    }

    /// The numbering of r = n^c; n and c are at least 1.
    #[must_use]
    pub fn with_digits(n: u32, c: u32) -> Self {
        Self { n: n.max(1), c: c.max(1) }
    }

    /// Hosts of a switch, and top switches of a partition.
    #[must_use]
    pub fn n(self) -> u32 {
        self.n
    }

    /// Digits of a switch number.
    #[must_use]
    pub fn c(self) -> u32 {
        self.c
    }

    /// Top switches of a configuration: (c + 1)·n.
    #[must_use]
    pub fn per_configuration(self) -> u64 {
        u64::from(self.n) * (u64::from(self.c) + 1)
    }

    /// The coordinates of host `p` of a switch: for every partition its top switch.
    pub fn coordinates(self, switch: u32, p: u32) -> impl Iterator<Item = u32> {
        let mut rest = switch;
        let digits = (0..self.c).map(move |_| {
            let digit = rest % self.n;
            rest /= self.n;
            (digit + self.n - p) % self.n
        });
        std::iter::once(p).chain(digits)
    }

    /// The switch and the place of the host with these c + 1 coordinates; the tree need not have it.
    #[must_use]
    pub fn host(self, coordinates: &[u32]) -> (u64, u32) {
        let (p, n) = (coordinates.first().copied().unwrap_or(0), u64::from(self.n));
        let digits = coordinates.iter().skip(1).rev().map(|value| u64::from((value + p) % self.n));
        (digits.fold(0, |switch, digit| switch * n + digit), p)
    }

    /// Routes the pairs of one source switch to `destinations`, each a switch and a place there, all
    /// different: `tops` gets the top switch of each. Returns the number of configurations.
    /// O(configurations · c² · pairs).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::adaptive::{Numbering, Scratch};
    /// let (numbering, mut tops) = (Numbering::with_digits(2, 1), Vec::new());
    /// // Hosts 0 and 1 of switch 0 have different places: both go through the first partition.
    /// let configurations = numbering.allot(&[(0, 0), (0, 1)], &mut Scratch::default(), &mut tops);
    /// assert_eq!((configurations, tops), (1, vec![0, 1]));
    /// ```
    pub fn allot(
        self,
        destinations: &[(u32, u32)],
        scratch: &mut Scratch,
        tops: &mut Vec<u32>,
    ) -> u64 {
        tops.clear();
        tops.resize(destinations.len(), 0);
        scratch.load(self, destinations);
        let (partitions, mut first, mut configurations) = (self.c + 1, 0_u32, 0);
        while !scratch.waiting.is_empty() {
            configurations += 1;
            scratch.used.clear();
            scratch.used.resize(partitions as usize, false);
            while !scratch.waiting.is_empty()
                && let Some(partition) = scratch.largest(partitions)
            {
                scratch.used[partition as usize] = true;
                let start = first.saturating_add(partition * self.n);
                scratch.route(partitions, partition, start, tops);
            }
            // More than any tree has: a count of configurations notices.
            first = first.saturating_add(partitions * self.n);
        }
        configurations
    }
}

impl Scratch {
    fn load(&mut self, numbering: Numbering, destinations: &[(u32, u32)]) {
        self.coordinates.clear();
        for (switch, p) in destinations {
            self.coordinates.extend(numbering.coordinates(*switch, *p));
        }
        self.waiting.clear();
        self.waiting.extend(0..index32(destinations.len()));
        self.waiting.sort_unstable_by_key(|pair| destinations[*pair as usize]);
        if self.seen.len() < numbering.n as usize {
            self.seen.resize(numbering.n as usize, 0);
        }
    }

    /// The lowest of the unused partitions that take most of the waiting pairs.
    fn largest(&mut self, partitions: u32) -> Option<u32> {
        let mut best = None;
        for partition in 0..partitions {
            if self.used[partition as usize] {
                continue;
            }
            let values = self.values(partitions, partition);
            if best.is_none_or(|(most, _)| values > most) {
                best = Some((values, partition));
            }
        }
        best.map(|(_, partition)| partition)
    }

    /// How many values a coordinate takes on the waiting pairs.
    fn values(&mut self, partitions: u32, partition: u32) -> usize {
        self.now += 1;
        let Self { coordinates, waiting, seen, now, .. } = self;
        let is_new = |pair: &&u32| {
            let at = &mut seen[coordinates[(**pair * partitions + partition) as usize] as usize];
            std::mem::replace(at, *now) != *now
        };
        waiting.iter().filter(is_new).count()
    }

    /// Sends the first waiting pair of every value through the top switch `first` + value.
    fn route(&mut self, partitions: u32, partition: u32, first: u32, tops: &mut [u32]) {
        self.now += 1;
        let Self { coordinates, waiting, seen, now, .. } = self;
        waiting.retain(|pair| {
            let value = coordinates[(*pair * partitions + partition) as usize];
            let at = &mut seen[value as usize];
            if std::mem::replace(at, *now) == *now {
                return true;
            }
            tops[*pair as usize] = first.saturating_add(value);
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tops(n: u32, c: u32, destinations: &[(u32, u32)]) -> (u64, Vec<u32>) {
        let mut tops = Vec::new();
        let count =
            Numbering::with_digits(n, c).allot(destinations, &mut Scratch::default(), &mut tops);
        (count, tops)
    }

    #[test]
    fn by_hand() {
        assert_eq!(tops(2, 2, &[]), (0, vec![]));
        // Same p; s_0 differs: the second partition, whose switches are 2 and 3.
        assert_eq!(tops(2, 2, &[(0, 0), (1, 0)]), (1, vec![2, 3]));
        // Only s_1 differs: the third partition, switches 4 and 5. s_1 - p = -1 = 1 and 0.
        assert_eq!(tops(2, 2, &[(0, 1), (2, 1)]), (1, vec![5, 4]));
        // Coordinates (0,0), (0,1), (1,0), (1,1): the first partition takes the lowest
        // destinations of p = 0 and 1, which are (0,0) and (1,0); both others have s_0 - p = 1.
        let square = [(0, 0), (1, 0), (1, 1), (2, 1)];
        assert_eq!(tops(4, 1, &square), (2, vec![0, 5, 1, 8 + 1]));
    }

    #[test]
    fn coordinates_and_hosts_are_inverse() {
        for (n, c) in [(1, 1), (2, 3), (3, 2), (5, 1)] {
            let numbering = Numbering::with_digits(n, c);
            for (switch, p) in (0..n.pow(c)).flat_map(|switch| (0..n).map(move |p| (switch, p))) {
                let coordinates: Vec<u32> = numbering.coordinates(switch, p).collect();
                assert!(coordinates.len() == c as usize + 1 && coordinates.iter().all(|x| *x < n));
                assert_eq!(numbering.host(&coordinates), (u64::from(switch), p));
            }
        }
    }

    #[test]
    fn digits_of_a_tree() {
        let c = |n, r| Numbering::of(n, r).map(Numbering::c);
        assert_eq!([c(2, 2), c(2, 3), c(2, 4), c(2, 5)], [Some(1), Some(2), Some(2), Some(3)]);
        assert_eq!([c(1, 1), c(1, 2), c(5, 1), c(2, u32::MAX)], [Some(1), None, Some(1), Some(32)]);
    }
}
