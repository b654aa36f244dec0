//! The contention that no single paths can do without, by counting over subtrees.
//!
//! All flows that leave a subtree of height k take one of its c_k = w1⋯w_{k+1} up links. A largest
//! set of them without a common source or destination, v flows, is divided among these, so one link has
//! at least ⌈v/c_k⌉ of them; and the same downwards. One subtree by itself reaches this bound: a
//! least cover has v hosts (Kőnig), every link takes the flows of at most ⌈v/c_k⌉ of them. What
//! remains open is whether all subtrees can at once.

use super::problem::{Counter, Problem};
use crate::progress::{Progress, Stopped};

/// A lower bound on the maximum contention of a link, whatever single shortest paths are taken; 0
/// without traffic. O(height · flows · √flows).
pub(super) fn least_contention(problem: &Problem<'_>, progress: &Progress) -> Result<u64, Stopped> {
    let (mut most, mut counter) = (0, Counter::default());
    for height in 0..problem.tree.height() {
        let links = u64::from(problem.tree.shortest_paths(height + 1));
        for leaves in [true, false] {
            for flows in across(problem, height, leaves) {
                progress.check()?;
                let apart = counter.contention(problem, &flows);
                most = most.max(u64::from(apart).div_ceil(links));
            }
        }
    }
    Ok(most)
}

/// The flows that leave, or enter, every subtree of this height, ascending.
fn across(problem: &Problem<'_>, height: usize, leaves: bool) -> Vec<Vec<u32>> {
    let tree = problem.tree;
    let mut flows = vec![Vec::new(); tree.hosts() / tree.subtree_hosts(height) as usize];
    for number in problem.numbers() {
        let flow = problem.flow(number);
        if flow.level > height {
            let host = if leaves { flow.s } else { flow.d };
            flows[tree.subtree(host, height) as usize].push(number);
        }
    }
    flows
}
