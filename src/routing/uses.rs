//! Which links carry which share of a pair, without listing paths.
//!
//! Loads and SD pairs per link do not depend on how a pair's traffic continues after a link. A
//! multi-path routing has far fewer links per pair than paths times links, so bulk work requests
//! the uses, and paths are merged only where a routing has nothing better.

use super::shortest::Layer;
use crate::ratio::Ratio;
use crate::topology::LinkId;

/// Buffers for [`Routing::for_each_use`](super::Routing::for_each_use), reused from pair to
/// pair: their contents are meaningless between calls.
#[derive(Debug, Default)]
pub struct UseScratch {
    /// Links of a path, or of a group with equal shares.
    pub links: Vec<LinkId>,
    /// Links with the share that crosses each.
    pub shares: Vec<(LinkId, Ratio)>,
    /// Numbers of nearest common ancestors.
    pub(super) ancestors: Vec<u32>,
    /// State of a search in a network without labels.
    pub(super) layer: Layer,
}

/// Sorts by link and adds up the shares of each.
pub(super) fn merge(shares: &mut Vec<(LinkId, Ratio)>) {
    shares.sort_by_key(|(id, _)| *id);
    shares.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += &next.1;
        }
        same
    });
}
