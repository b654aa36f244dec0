//! \[GL\] 5, proof of Theorem 9, mended: how many of the m messages of a subtree can be left without
//! filling its root channel, whichever were removed.
//!
//! Greedy switches let as many messages out of a tree as a maximum flow, so the most that can be left
//! with less than √N of them on the √N wires follows level by level: of the two subtrees below a channel
//! of c wires, that number of messages can be left with flows f and g, f + g < c. Where all divides, that is a
//! fourth of m in one of the four quarters, a sixteenth in a quarter of another, and so on: below m/3.

use crate::adversary::delivery::Quarter;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-theorem-9-mended", "[GL] 5, proof of Theorem 9, mended")
    .about("A subtree of m messages evenly divided among its processors has at most 3m/8 of them left when \
            its root channel is not full, whichever were removed, which is enough for the induction: \
            computed for up to 4^5 processors (in a full run 4^6) and lambda up to 120")
    .hypothesis("standard fat-trees of N processors, powers of 4, lambda = 12, 24, ..., 120, m = lambda sqrt(N)/3; every set that can be left")
    .ours()
    .quote("The root channel of each other subtree is also full since it is the source of at most m messages during the first t delivery cycles, and the subtree's message set consists of m messages")
    .cases(|scope| Ok(check(scope, (3, 8))))
    // A fourth of m, which one quarter has alone.
    .planted(Planted::Check(|scope| Ok(check(scope, (1, 4)))));

fn check(scope: &Scope, part: (u64, u64)) -> Vec<Finding> {
    // Trees of up to 4^6 hosts take no time.
    let most = if scope.full { 6 } else { 5 };
    (0..=most).map(|height| finding(height, part)).collect()
}

fn finding(height: u32, (numerator, denominator): (u64, u64)) -> Finding {
    let (mut worst, mut holds) = ((0, 1), true);
    let lambdas = (1..=10).map(|twelfth| 12 * twelfth);
    for lambda in lambdas {
        let messages = lambda * (1 << height) / 3;
        let left = most_left(Quarter { first: 0, height }, messages);
        holds &= denominator * left <= numerator * messages;
        if left * worst.1 > worst.0 * messages {
            worst = (left, messages);
        }
    }
    let case = format!("{} processors, lambda = 12, 24, ..., 120", 1_u64 << (2 * height));
    let claimed = format!("at most {numerator}m/{denominator} left");
    let found = format!("{} of {} at most", worst.0, worst.1);
    Finding::holds(case, claimed, found, holds, Basis::Grid { points: 10 })
}

/// The most messages that can be left of `messages`, evenly divided, with less than √N of them on the
/// wires of the root channel. O(N·√N).
fn most_left(tree: Quarter, messages: u64) -> u64 {
    let mut counts = vec![0; as_size(tree.hosts())];
    tree.spread(messages, &mut counts);
    // Entry f of a subtree: the most that can be left with a flow of f at most.
    let of_host = |count: &u64| if *count == 0 { vec![0] } else { vec![0, *count] };
    let mut subtrees: Vec<Vec<u64>> = counts.iter().map(of_host).collect();
    for k in 1..=2 * tree.height {
        let wires = 1_usize << k.div_ceil(2);
        subtrees = subtrees.chunks(2).map(|pair| joined(&pair[0], &pair[1], wires)).collect();
    }
    let full = 1_usize << tree.height;
    subtrees[0].get(full - 1).or(subtrees[0].last()).copied().unwrap_or(0)
}

/// The entries of two subtrees below a channel.
fn joined(left: &[u64], right: &[u64], wires: usize) -> Vec<u64> {
    let most = left.len() + right.len() - 2;
    let mut joined = vec![0; most.min(wires) + 1];
    for (f, of_left) in left.iter().enumerate() {
        for (g, of_right) in right.iter().enumerate() {
            let entry = &mut joined[(f + g).min(wires)];
            *entry = (*entry).max(of_left + of_right);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flow out of a tree of 16 hosts by definition, for every set that can be left of 16 or 32
    /// messages when all in a host or none are.
    #[test]
    fn the_most_is_that_over_all_sets() {
        let flow = |left: &[u64]| {
            let mut flows: Vec<u64> = left.iter().map(|count| (*count).min(1)).collect();
            for wires in [2, 2, 4, 4] {
                flows = flows.chunks(2).map(|pair| (pair[0] + pair[1]).min(wires)).collect();
            }
            flows[0]
        };
        let tree = Quarter { first: 0, height: 2 };
        for messages in [16, 32, 20, 9] {
            let mut counts = vec![0; 16];
            tree.spread(messages, &mut counts);
            let mut most = 0;
            for set in 0_u32..1 << 16 {
                let of = |host: usize| if set >> host & 1 == 1 { counts[host] } else { 0 };
                let left: Vec<u64> = (0..16).map(of).collect();
                if flow(&left) < 4 {
                    most = most.max(left.iter().sum());
                }
            }
            assert_eq!(most_left(tree, messages), most, "{messages}");
        }
        // A quarter and a host: 1/4 + 1/16.
        assert_eq!(most_left(tree, 32), 10);
    }
}
