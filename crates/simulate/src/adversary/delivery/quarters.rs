//! The standard fat-trees that a standard fat-tree of n = 4^h hosts is made of: one of n/4 hosts for
//! each of its quarters, and so on down to a single host (\[GL\] 5, Figure 6).

use std::ops::Range;

use super::AttackError;
use crate::prelude::*;
use crate::topology::UniversalShape;

/// A standard fat-tree, possibly embedded within a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarter {
    /// First host of the subtree.
    pub first: Host,
    /// lg n ÷ 2 for its number n of hosts.
    pub height: u32,
}

impl Quarter {
    /// The whole of a standard fat-tree with a root channel.
    ///
    /// # Errors
    /// [`AttackError::NotStandard`] for another shape.
    pub fn whole(shape: &UniversalShape) -> Result<Self, AttackError> {
        let wires = |k: usize| 1_u64 << k.div_ceil(2);
        let (lg, known) = (as_size(shape.height().into()), shape.wires().iter().copied());
        let is_standard =
            lg.is_multiple_of(2) && known.eq((0..lg).map(wires)) && shape.root() == Some(wires(lg));
        if !is_standard {
            return Err(AttackError::NotStandard { spec: Some(shape.spec().to_string()) });
        }
        Ok(Self { first: 0, height: shape.height() / 2 })
    }

    /// Number n of its hosts.
    #[must_use]
    pub fn hosts(self) -> u64 {
        1 << (2 * self.height)
    }

    /// √n, the wires of its root channel.
    #[must_use]
    pub fn wires(self) -> u64 {
        1 << self.height
    }

    /// Hosts of the subtree, as indices.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let first = self.first as usize;
        first..first + as_size(self.hosts())
    }

    /// The four subtrees, from left to right; none for a single host.
    #[must_use]
    pub fn quarters(self) -> Option<[Self; 4]> {
        let height = self.height.checked_sub(1)?;
        let hosts = index32(as_size(self.hosts() / 4));
        Some([0, 1, 2, 3].map(|at| Self { first: self.first + at * hosts, height }))
    }

    /// Gives each host its part of `messages`: host i of n the messages from ⌊i·m/n⌋ up to
    /// ⌊(i+1)·m/n⌋ of m. So every subtree of k hosts has ⌊k·m/n⌋ or ⌈k·m/n⌉.
    pub fn spread(self, messages: u64, counts: &mut [u64]) {
        let before = |at: u64| u128::from(at) * u128::from(messages) / u128::from(self.hosts());
        for (at, count) in (0..).zip(&mut counts[self.range()]) {
            // The difference is at most `messages`.
            *count = u64::try_from(before(at + 1) - before(at)).unwrap_or(messages);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(spec: &str) -> UniversalShape {
        UniversalShape::named(spec).unwrap().unwrap()
    }

    #[test]
    fn only_standard_trees_are_accepted() {
        let whole = Quarter::whole(&shape("universal(64,root=open)")).unwrap();
        assert_eq!((whole.hosts(), whole.wires(), whole.range()), (64, 8, 0..64));
        let third = whole.quarters().unwrap()[2];
        assert_eq!((third.hosts(), third.wires(), third.range()), (16, 4, 32..48));
        assert_eq!(Quarter { first: 5, height: 0 }.quarters(), None);
        for other in [
            "universal(64)",
            "universal(32,root=open)",
            "universal(64,leaf=2,root=open)",
            "universal(64,growth=sqrt2,root=open)",
        ] {
            assert!(Quarter::whole(&shape(other)).is_err(), "{other}");
        }
        // These have the same capacities.
        assert!(Quarter::whole(&shape("universal(4,growth=double2,root=open)")).is_ok());
    }

    /// Whatever the number of messages, aligned subtrees have equal parts, up to one message.
    #[test]
    fn messages_are_spread_evenly_over_all_subtrees() {
        let quarter = Quarter { first: 16, height: 2 };
        for messages in [0, 1, 4, 5, 16, 21, 160] {
            let mut counts = vec![7; 48];
            quarter.spread(messages, &mut counts);
            assert!(counts[..16].iter().chain(&counts[32..]).all(|count| *count == 7));
            for hosts in [1, 2, 4, 8, 16] {
                let part = messages * hosts / 16;
                for subtree in counts[16..32].chunks(as_size(hosts)) {
                    let sum: u64 = subtree.iter().sum();
                    assert!(sum == part || sum == (messages * hosts).div_ceil(16));
                }
            }
        }
    }
}
