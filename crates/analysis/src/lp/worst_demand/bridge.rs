//! Bridges, links without a detour: their own length covers their pairs.
//!
//! In a network that is a tree every link is a bridge. What it carries is what every routing puts
//! on it, so no linear program is needed, and no cover can be lighter.

use super::exact::LengthCover;
use crate::load::SharedPair;
use crate::optimum::shortest::Adjacency;
use crate::rational::Rational;
use crate::topology::{LinkId, NodeId};

/// The cover of `pairs` by the length of `link` alone, when none of these pairs has a path without
/// the link. O(links + pairs).
#[must_use]
pub fn cover(
    network: &Adjacency,
    link: LinkId,
    pairs: &[SharedPair<'_>],
    capacity: &Rational,
) -> Option<LengthCover> {
    let before = nodes_before(network, link)?;
    // Only the link leads out of these nodes.
    let crosses = |pair: &SharedPair<'_>| before[pair.s as usize] && !before[pair.d as usize];
    let share = pairs.iter().map(|pair| pair.share).max()?;
    pairs
        .iter()
        .all(crosses)
        .then(|| LengthCover { traffic: share * capacity, lengths: vec![(link, share.clone())] })
}

/// The nodes reachable from the tail of `link` without it; `None` if its head is one of them.
fn nodes_before(network: &Adjacency, link: LinkId) -> Option<Vec<bool>> {
    let (tail, head) = network.ends(link);
    let mut reached = vec![false; network.nodes()];
    reached[tail as usize] = true;
    let mut next: Vec<NodeId> = vec![tail];
    while let Some(node) = next.pop() {
        for &(to, by) in network.out(node) {
            if by == link || std::mem::replace(&mut reached[to as usize], true) {
                continue;
            }
            if to == head {
                return None;
            }
            next.push(to);
        }
    }
    Some(reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{LinkPairs, PairCounts};
    use crate::progress::Progress;
    use crate::routing::Instance;
    use crate::topology::link_number;

    /// The links that their pairs cannot avoid.
    fn covered(topology: &str, routing: &str) -> Vec<LinkId> {
        let instance = Instance::named(topology, routing).unwrap();
        let quiet = Progress::silent();
        let links = link_number(instance.topology.links());
        let counts = PairCounts::collect(&instance, vec![true; links as usize], &quiet).unwrap();
        let all = LinkPairs::collect(&instance, &counts, 0..links, &quiet).unwrap();
        let network = Adjacency::new(&instance.topology);
        let is_covered = |link: &LinkId| {
            let pairs: Vec<_> = all.of(*link).collect();
            let capacity = &instance.topology.link(*link).capacity;
            let cover = cover(&network, *link, &pairs, capacity);
            assert!(cover.iter().all(|cover| cover.traffic == *capacity));
            cover.is_some()
        };
        (0..links).filter(is_covered).collect()
    }

    #[test]
    fn only_links_without_a_detour() {
        assert_eq!(covered("universal(8)", "ecmp").len(), 28);
        assert_eq!(covered("xgft(2;4,2;1,1)", "dmodk").len(), 20);
        // Two roots: only the host links, which come first.
        assert_eq!(covered("ft(4,2)", "dmodk"), (0..16).collect::<Vec<LinkId>>());
        assert!(covered("xgft(1;3;2)", "dmodk").is_empty());
    }
}
