//! Classes of paths to one destination, of which each fits one LID.

use super::tails::Tails;
use super::{MAX_LIDS, NONE};
use crate::topology::{LinkId, NodeId};

/// Paths of a class that meet at a switch leave it by the same link.
pub(super) struct Classes {
    /// By path.
    pub of: Vec<u8>,
    /// Number of classes, at least 1.
    pub count: usize,
}

/// Puts every path into the first class that it fits; `None` if that takes more classes than a port has LIDs.
/// O(links of all paths · classes).
pub(super) fn first_fit(tails: &Tails, from: &[NodeId], nodes: usize) -> Option<Classes> {
    // By class, the link by which each node is left.
    let mut next: Vec<Vec<LinkId>> = vec![vec![NONE; nodes]];
    let mut of = Vec::with_capacity(tails.links.len());
    let leaves = |link: LinkId| from[link as usize] as usize;
    for links in &tails.links {
        let fits = |next: &Vec<LinkId>| {
            links.iter().all(|link| [NONE, *link].contains(&next[leaves(*link)]))
        };
        let class = next.iter().position(fits).unwrap_or(next.len());
        if class == MAX_LIDS {
            return None;
        }
        if class == next.len() {
            next.push(vec![NONE; nodes]);
        }
        for link in links {
            next[class][leaves(*link)] = *link;
        }
        of.push(u8::try_from(class).ok()?);
    }
    Some(Classes { of, count: next.len() })
}
