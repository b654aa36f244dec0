//! All pairs of a host, one after another.

use crate::topology::{Host, LinkId};

use super::classes::Classes;
#[cfg(feature = "names")]
use super::names::NamedBuffers;
use super::network::Network;
use super::routes::Routes;
use super::uses::{Uses, has_repeats};
use super::{Refusal, Result};

/// Number of pairs whose paths are asked for together: they stay in the cache.
pub(super) const AT_A_TIME: usize = 256;

/// Scratch space.
#[derive(Default)]
pub(super) struct Buffers {
    #[cfg(feature = "names")]
    named: NamedBuffers,
    path: Vec<LinkId>,
}

impl Routes<'_> {
    /// Whether every pair is known to have one path, which carries all of its traffic.
    pub(super) fn is_single_path(&self) -> bool {
        match self {
            #[cfg(feature = "names")]
            Self::Named(routing) => routing.is_single_path(),
            Self::Next(_) => true,
            Self::Listed(_) | Self::Split(_) => false,
        }
    }

    /// Calls `take(d, links)` with the path from `s` to each of `destinations` but itself, in order,
    /// where each pair has one path; that it is one, [`check_path`] has to verify.
    pub(super) fn paths_from(
        &self,
        network: &Network,
        (s, destinations): (Host, &[Host]),
        buffers: &mut Buffers,
        mut take: impl FnMut(Host, &[LinkId]) -> Result<()>,
    ) -> Result<()> {
        #[cfg(feature = "names")]
        if let Self::Named(routing) = self {
            return routing.paths_from(network, (s, destinations), &mut buffers.named, take);
        }
        for some in destinations.chunks(AT_A_TIME) {
            network.go_on()?;
            for d in some.iter().filter(|d| **d != s) {
                match self {
                    Self::Next(tables) => tables.follow(network, (s, *d), &mut buffers.path)?,
                    _ => return Err(Refusal::MissingPair { s, d: *d }),
                }
                take(*d, &buffers.path)?;
            }
        }
        Ok(())
    }

    /// Calls `take` with the verified paths of all pairs with source `s` that stand for others, in order.
    pub(super) fn uses_from(
        &self,
        network: &Network,
        classes: &Classes,
        s: Host,
        uses: &mut Uses,
        mut take: impl FnMut(Host, &Uses) -> Result<()>,
    ) -> Result<()> {
        uses.split.by_destination = false;
        for d in classes.partners(s) {
            network.go_on()?;
            self.uses(network, (s, d), uses)?;
            take(d, uses)?;
        }
        Ok(())
    }

    /// Visits the paths of all pairs with destination `d`, which have been verified before.
    pub(super) fn uses_to(
        &self,
        network: &Network,
        classes: &Classes,
        d: Host,
        uses: &mut Uses,
        mut take: impl FnMut(&Uses) -> Result<()>,
    ) -> Result<()> {
        uses.split.by_destination = true;
        for s in classes.partners(d) {
            network.go_on()?;
            match self {
                #[cfg(feature = "names")]
                Self::Named(routing) => routing.known_uses(network, (s, d), uses)?,
                _ => self.uses(network, (s, d), uses)?,
            }
            take(uses)?;
        }
        Ok(())
    }
}

/// Verifies that the links lead from s to d and that none comes twice.
#[inline]
pub(super) fn check_path(network: &Network, (s, d): (Host, Host), links: &[LinkId]) -> Result<()> {
    if network.is_plain_path(s, d, links) { Ok(()) } else { look_closer(network, (s, d), links) }
}

/// Checks a path one link after another.
#[cold]
fn look_closer(network: &Network, (s, d): (Host, Host), links: &[LinkId]) -> Result<()> {
    network.check_path(s, d, links)?;
    if has_repeats(links) { Err(Refusal::Loop { s, d }) } else { Ok(()) }
}
