//! Named networks and routings: what generators say of them is verified as if it were written out.

use std::path::{Path, PathBuf};

use crate::certificate::EmbeddedNetwork;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::named::{self, Generators, NamedNetwork, NamedRouting, Scratch};
use super::network::{Network, limit_hosts};
use super::routes::take_path;
use super::unit_flow::UnitFlow;
use super::uses::Uses;
use super::walk::AT_A_TIME;
use super::{Refuted, Result};

/// The parts of a named network beside its links.
pub(in crate::checker) struct Named {
    pub(in crate::checker) network: Box<dyn NamedNetwork>,
    /// Where the files are that its certificate names.
    pub(in crate::checker) folder: PathBuf,
    /// A refutation that is known to be accepted.
    pub(in crate::checker) known: Option<Refuted>,
}

impl Network {
    pub(in crate::checker) fn named(
        spec: &str,
        generators: &dyn Generators,
        (folder, known): (&Path, Option<&Refuted>),
    ) -> Result<Self> {
        let named = generators.network(spec)?;
        limit_hosts(named.hosts())?;
        let (hosts, nodes, links) = (named.hosts(), named.nodes(), named.links());
        let mut network = Self::of(EmbeddedNetwork { hosts, nodes, links })?;
        let (folder, known) = (folder.to_path_buf(), known.cloned());
        network.named = Some(Named { network: named, folder, known });
        Ok(network)
    }

    /// What work polls that has no network.
    pub(in crate::checker) fn progress(&self) -> Progress {
        Progress::silent().stopped_by(self.stop.clone())
    }
}

/// A named routing.
pub(in crate::checker) struct NamedRoutes(Box<dyn NamedRouting>);

/// Buffers of a named routing.
#[derive(Default)]
pub(in crate::checker) struct NamedBuffers {
    scratch: Scratch,
    flow: UnitFlow,
    /// Links of a path that is visited.
    path: Vec<LinkId>,
}

impl NamedRoutes {
    pub(in crate::checker) fn open(spec: &str, named: &Named) -> Result<Self> {
        Ok(Self(named::routing(spec, named.network.as_ref())?))
    }

    pub(in crate::checker) fn is_single_path(&self) -> bool {
        self.0.is_single_path()
    }

    /// Writes the numbers of ancestors, where the routing has such.
    pub(in crate::checker) fn ancestors_from(
        &self,
        s: Host,
        destinations: &[Host],
        ancestors: &mut [u32],
    ) -> bool {
        self.0.ancestors_from(s, destinations, ancestors)
    }

    /// Fills `uses`, which is empty, with the links that carry the pair, after verifying its paths.
    pub(in crate::checker) fn uses(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        uses: &mut Uses,
    ) -> Result<()> {
        if self.0.uses_in_order() && uses.take_in_order(network, self.0.as_ref(), (s, d)) {
            return Ok(());
        }
        let mut path = std::mem::take(&mut uses.named.path);
        let mut refused = Ok(());
        self.0.for_each_path((s, d), &mut path, &mut |share, links| {
            if refused.is_ok() {
                refused = take_path(network, (s, d), (share, links), uses);
            }
        });
        uses.named.path = path;
        refused?;
        uses.finish(s, d)
    }

    /// Visits paths that have been verified before.
    pub(in crate::checker) fn known_uses(
        &self,
        network: &Network,
        pair: (Host, Host),
        uses: &mut Uses,
    ) -> Result<()> {
        if self.0.uses_in_order() {
            uses.take_uses(self.0.as_ref(), pair);
            return Ok(());
        }
        uses.clear();
        self.uses(network, pair, uses)
    }

    /// Whether all paths of a pair have a property.
    pub(in crate::checker) fn all_paths(
        &self,
        pair: (Host, Host),
        property: impl Fn(&[LinkId]) -> bool,
    ) -> bool {
        let mut all = true;
        let mut visit = |_: &Rational, links: &[LinkId]| all &= property(links);
        self.0.for_each_path(pair, &mut Vec::new(), &mut visit);
        all
    }

    /// Calls `take(d, links)` with the path from `s` to each of `destinations` but itself, in order.
    pub(in crate::checker) fn paths_from(
        &self,
        network: &Network,
        (s, destinations): (Host, &[Host]),
        buffers: &mut NamedBuffers,
        mut take: impl FnMut(Host, &[LinkId]) -> Result<()>,
    ) -> Result<()> {
        for some in destinations.chunks(AT_A_TIME) {
            network.go_on()?;
            let mut paths = self.0.paths_from(s, some, &mut buffers.scratch).iter();
            for d in some {
                // A path that was left out is empty, which no path may be.
                let links = paths.next().unwrap_or_default();
                if *d != s {
                    take(*d, links)?;
                }
            }
        }
        Ok(())
    }
}

impl Uses {
    /// Takes the links of a pair, and returns whether they carry paths of it, in order.
    fn take_in_order(
        &mut self,
        network: &Network,
        routing: &dyn NamedRouting,
        pair: (Host, Host),
    ) -> bool {
        self.take_uses(routing, pair);
        let joins = self.named.flow.joins(network, pair, (&self.parts, &self.shares));
        if !joins {
            self.clear();
        }
        joins
    }

    /// Takes the links of a pair as they are given.
    fn take_uses(&mut self, routing: &dyn NamedRouting, pair: (Host, Host)) {
        let Self { parts, shares, named, .. } = self;
        parts.clear();
        routing.for_each_use(pair, &mut named.scratch, &mut |share, links| {
            let number = shares.number(share);
            parts.extend(links.iter().map(|link| (*link, number)));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::LinkRecord;
    use crate::checker::{Decides, Levels, MAX_HOSTS, Refusal, Tree, Ungenerated};

    /// The network of every name.
    #[derive(Clone)]
    struct Told(EmbeddedNetwork);

    impl Generators for Told {
        fn network(&self, _: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated> {
            Ok(Box::new(self.clone()))
        }

        fn levels(&self, _: &str) -> Result<Option<Levels>, Ungenerated> {
            Ok(None)
        }

        fn digits(&self, _: &str, _: &str) -> Result<Option<Vec<Decides>>, Ungenerated> {
            Ok(None)
        }
    }

    impl NamedNetwork for Told {
        fn hosts(&self) -> usize {
            self.0.hosts
        }

        fn nodes(&self) -> usize {
            self.0.nodes
        }

        fn links(&self) -> Vec<LinkRecord> {
            self.0.links.clone()
        }

        fn tree(&self) -> Option<Tree> {
            None
        }

        fn routing(&self, _: &str) -> Result<Box<dyn NamedRouting>, Ungenerated> {
            Err(Ungenerated::Meaningless("no routing".into()))
        }
    }

    /// Generators are trusted to give the network that is meant, not to give one.
    #[test]
    fn what_a_name_stands_for_has_to_be_a_network() {
        let open = |hosts, nodes, links: &[LinkRecord]| {
            let told = Told(EmbeddedNetwork { hosts, nodes, links: links.to_vec() });
            let network = Network::named("any", &told, (Path::new(""), None));
            network.map(|network| network.links)
        };
        let both = [(0, 1), (1, 0)].map(|(from, to)| LinkRecord::new(from, to, Rational::ONE));
        assert_eq!(open(2, 2, &both), Ok(both.to_vec()));
        assert_eq!(open(2, 1, &[]), Err(Refusal::NodeCount { hosts: 2, nodes: 1 }));
        for (from, to, capacity) in
            [(0, 2, Rational::ONE), (2, 0, Rational::ONE), (0, 1, Rational::ZERO)]
        {
            let bad = LinkRecord::new(from, to, capacity);
            assert_eq!(open(2, 2, &[both[0].clone(), bad]), Err(Refusal::BadLink(1)));
        }
        let many = usize::try_from(MAX_HOSTS).unwrap() + 1;
        assert!(matches!(open(many, many, &[]), Err(Refusal::TooLarge(_))));
    }
}
