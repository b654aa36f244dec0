#![doc = include_str!("../COUNTING.md")]

mod nested;

use crate::limit::{TooLarge, within};

pub use nested::NestedStar;

/// Subtrees joined by one port: the part of a tree that the SD pairs through that port share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Star {
    /// n, hosts of a subtree; at least 1.
    pub hosts: u32,
    /// r, number of subtrees; at least 2.
    pub subtrees: u32,
}

impl Star {
    /// The most SD pairs between different subtrees of which every link of the star carries at
    /// most `most` node-disjoint ones: the T(X) of \[OR\] Lemma 8 and \[NB\] Lemma 2, X = `most`.
    ///
    /// It is (r−1)·X·max(rX,2n) with X ≤ n. O(1).
    ///
    /// # Errors
    /// [`TooLarge`] when that is above 64 bits.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::checker::Star;
    /// // FT(6,2): a root carries at most 30 pairs with X = 1; three roots cannot carry 270.
    /// assert_eq!(Star { hosts: 3, subtrees: 6 }.most_pairs(1)?, 30);
    /// # Ok::<(), routebound::limit::TooLarge>(())
    /// ```
    pub fn most_pairs(self, most: u32) -> Result<u64, TooLarge> {
        // Covers of all hosts of a subtree carry everything.
        let most = u128::from(most.min(self.hosts));
        let (hosts, subtrees) = (u128::from(self.hosts), u128::from(self.subtrees));
        let of_one = (subtrees * most).max(2 * hosts);
        let count = (subtrees.saturating_sub(1) * most).saturating_mul(of_one);
        within("number of pairs of a port", Some(count), u64::MAX, "choose a smaller tree")
    }

    /// Whether a given number of ports cannot carry every pair `times` times, each time through another
    /// port: that is more than they carry together, or exactly as much and cannot be shared out.
    ///
    /// # Errors
    /// As [`Self::most_pairs`].
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::checker::Star;
    /// // EFT2(18,4) with X = 2: 9 roots carry 108 of the 972 pairs each, but no two fit together.
    /// let star = Star { hosts: 9, subtrees: 4 };
    /// assert_eq!((star.most_pairs(2)?, star.pairs()), (108, 972));
    /// assert!(star.is_too_small(9, 2, 1)?);
    /// assert!(!star.is_too_small(10, 2, 1)?);
    /// # Ok::<(), routebound::limit::TooLarge>(())
    /// ```
    pub fn is_too_small(self, ports: u64, most: u32, times: u32) -> Result<bool, TooLarge> {
        let carried = u128::from(ports).saturating_mul(self.most_pairs(most)?.into());
        let wanted = self.pairs().saturating_mul(times.into());
        let reached = u64::from(self.subtrees) * u64::from(most);
        let centred = self.subtrees >= 3 && reached < 2 * u64::from(self.hosts);
        Ok(carried < wanted || (carried == wanted && centred && times % 2 == 1))
    }

    /// The least number of ports for which [`Self::is_too_small`] is false, at least 1; `most` is
    /// at least 1.
    ///
    /// # Errors
    /// As [`Self::most_pairs`], also when it is above 64 bits itself.
    ///
    /// ```
    /// # use routebound_proof as routebound;
    /// use routebound::checker::Star;
    /// // A nonblocking ftree(2,m,3) needs four top switches: three carry 8 of 24 pairs each, and
    /// // no three ways to carry eight make up all of them.
    /// assert_eq!(Star { hosts: 2, subtrees: 3 }.least_ports(1, 1)?, 4);
    /// # Ok::<(), routebound::limit::TooLarge>(())
    /// ```
    pub fn least_ports(self, most: u32, times: u32) -> Result<u64, TooLarge> {
        let carried = u128::from(self.most_pairs(most)?.max(1));
        let ports = self.pairs().saturating_mul(times.into()).div_ceil(carried).max(1);
        let ports = within("number of ports", Some(ports), u64::MAX, "choose a smaller tree")?;
        let more = u64::from(self.is_too_small(ports, most, times)?);
        Ok(ports.saturating_add(more))
    }

    /// Number of SD pairs between different subtrees.
    #[must_use]
    pub fn pairs(self) -> u128 {
        let (hosts, subtrees) = (u128::from(self.hosts), u128::from(self.subtrees));
        (subtrees * subtrees.saturating_sub(1)).saturating_mul(hosts * hosts)
    }
}

#[cfg(test)]
mod tests;
