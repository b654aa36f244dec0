//! Ways of packets: by paths that a routing gives, or from switch to switch.

use super::climb::Adaptive;
use super::paths::PacketPaths;
use crate::topology::{Host, LinkId};

/// The ways of the packets of a run.
pub(super) enum Way<'a> {
    /// Every packet has its path when it enters the network.
    Fixed(Box<dyn PacketPaths + 'a>),
    /// Every switch chooses.
    Adaptive(Box<Adaptive<'a>>),
}

impl Way<'_> {
    /// Whether packets of a pair may overtake each other.
    pub(super) fn may_differ(&self) -> bool {
        match self {
            Self::Fixed(paths) => paths.may_differ(),
            Self::Adaptive(_) => true,
        }
    }

    /// Writes the path of the next packet from `s` to `d`, where it is fixed.
    pub(super) fn path(&mut self, s: Host, d: Host, links: &mut Vec<LinkId>) {
        links.clear();
        if let Self::Fixed(paths) = self {
            paths.path(s, d, links);
        }
    }
}
