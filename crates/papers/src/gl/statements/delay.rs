//! Switching delay of a delivery cycle.
//!
//! \[GL\] 2: concentrators of "logarithmic depth" make a cycle take "O(lg² n) bit times". Counted here
//! is the depth alone, as the number of levels that a butterfly has for the messages at hand: ⌈lg m⌉
//! for a concentrator of m inputs. A path through the root leads through one concentrator in each of
//! 2·lg n − 1 switches: on its way up those of the channels above both children, on its way down those
//! of the channels from above and beside.

/// Depth of all concentrators of a path from leaf to leaf through the root, where channels above 2^k
/// processors have `wires[k]` wires.
pub(super) fn delay(wires: &[u64]) -> u64 {
    let depth = |inputs: u64| u64::from(inputs.max(1).next_power_of_two().ilog2());
    let Some((top, below)) = wires.split_last() else { return 0 };
    let up: u64 = below.iter().map(|wires| depth(2 * wires)).sum();
    let down: u64 = wires.windows(2).map(|two| depth(two[0] + two[1])).sum();
    // In the root the channel of one child leads to that of the other: as many inputs as wires.
    up + depth(*top) + down
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On universal(4) 1 + 1 inputs into the 2 wires of a child, its 2 in the root, and 2 + 1 down.
    #[test]
    fn delays_by_hand() {
        assert_eq!(delay(&[1, 2]), 1 + 1 + 2);
        assert_eq!(delay(&[1]), 0);
        assert_eq!(delay(&[4, 8, 8]), 3 + 4 + 3 + 4 + 4);
    }
}
