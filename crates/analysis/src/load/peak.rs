//! The maximum of many counters that change one at a time.
//!
//! A tournament tree: the counters are its leaves, and every inner node holds the greater of its
//! two children. A change propagates only as far as it matters, which for loads of permutations is
//! a step or two: most links are far below the maximum of their neighbours.

/// Counters that change one at a time, and their maximum.
#[derive(Clone, Debug)]
pub struct Peak {
    leaves: usize,
    /// Node 1 is the root, nodes 2i and 2i+1 are the children of node i; leaves come last.
    tree: Vec<u64>,
}

impl Peak {
    /// `count` counters at 0.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two();
        Self { leaves, tree: vec![0; 2 * leaves] }
    }

    /// Resets all counters to 0.
    pub fn clear(&mut self) {
        self.tree.fill(0);
    }

    /// The maximum counter.
    #[must_use]
    pub fn top(&self) -> u64 {
        self.tree[1]
    }

    /// Counter `index`.
    #[must_use]
    pub fn get(&self, index: u32) -> u64 {
        self.tree[self.leaves + index as usize]
    }

    /// Raises a counter and returns it. O(log counters) at most.
    #[inline]
    pub fn add(&mut self, index: u32, amount: u64) -> u64 {
        let mut at = self.leaves + index as usize;
        let value = self.tree[at] + amount;
        self.tree[at] = value;
        while at > 1 {
            at /= 2;
            if self.tree[at] >= value {
                break;
            }
            self.tree[at] = value;
        }
        value
    }

    /// Lowers a counter by no more than it holds and returns it. O(log counters) at most.
    #[inline]
    pub fn sub(&mut self, index: u32, amount: u64) -> u64 {
        let mut at = self.leaves + index as usize;
        let old = self.tree[at];
        let value = old - amount;
        self.tree[at] = value;
        while at > 1 {
            let parent = at / 2;
            if self.tree[parent] > old {
                break;
            }
            let most = self.tree[at].max(self.tree[at ^ 1]);
            if most == old {
                break;
            }
            self.tree[parent] = most;
            at = parent;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::index32;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_top_is_the_maximum(
            count in 1_usize..20,
            changes in prop::collection::vec((0_usize..20, 0_u64..5, any::<bool>()), 0..200),
        ) {
            let (mut peak, mut plain) = (Peak::new(count), vec![0_u64; count]);
            for (index, amount, up) in changes {
                let index = index % count;
                if up {
                    peak.add(index32(index), amount);
                    plain[index] += amount;
                } else {
                    let amount = amount.min(plain[index]);
                    peak.sub(index32(index), amount);
                    plain[index] -= amount;
                }
                prop_assert_eq!(Some(&peak.top()), plain.iter().max());
                prop_assert_eq!(peak.get(index32(index)), plain[index]);
            }
            peak.clear();
            prop_assert_eq!(peak.top(), 0);
        }
    }
}
