//! The next hops of shortest paths on any network, of which a switch that hashes chooses one.

use dashu_int::UBig;

use super::shortest::{ShortestPaths, ShortestSplit};
use super::weighted::WeightedPaths;
use super::{Routing as _, RoutingError};
use crate::integer::index32;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology};

/// The next hops of all nodes to all destinations, by link number.
pub(super) enum NextHops {
    ByCount(ShortestPaths),
    ByLength(WeightedPaths),
}

impl NextHops {
    /// Those of paths that are shortest by these lengths, or by hops where there are none.
    ///
    /// # Errors
    /// As [`ShortestPaths::new`] and [`WeightedPaths::new`].
    pub(super) fn of(
        spec: &Spec,
        topology: &Topology,
        by_link: Option<&[UBig]>,
    ) -> Result<Self, RoutingError> {
        Ok(match by_link {
            Some(lengths) => Self::ByLength(WeightedPaths::new(spec, topology, lengths)?),
            None => Self::ByCount(ShortestPaths::new(spec, topology, ShortestSplit::PerHop)?),
        })
    }

    /// The number of next hops of a node on its way to `d`.
    pub(super) fn number(&self, node: NodeId, d: Host) -> u32 {
        match self {
            Self::ByCount(paths) => paths.to(d).total(node),
            Self::ByLength(paths) => index32(paths.hops(node, d).len()),
        }
    }

    /// The link at this place among them, with the node behind it.
    pub(super) fn at(&self, node: NodeId, d: Host, place: u32) -> (LinkId, NodeId) {
        let next = match self {
            Self::ByCount(paths) => {
                let mut hops = paths.to(d).hops(node);
                hops.nth(place as usize).map(|hop| (hop.link, hop.head))
            }
            Self::ByLength(paths) => paths.hops(node, d).get(place as usize).copied(),
        };
        next.expect("a link leads towards d")
    }

    /// Whether every pair has one shortest path.
    pub(super) fn is_single_path(&self) -> bool {
        match self {
            Self::ByCount(paths) => paths.is_single_path(),
            Self::ByLength(paths) => paths.is_single_path(),
        }
    }

    /// Whether paths may have more links than the shortest by hops.
    pub(super) fn has_detours(&self) -> bool {
        matches!(self, Self::ByLength(_))
    }
}
