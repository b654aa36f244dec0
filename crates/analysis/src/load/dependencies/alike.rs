//! Dependencies where hosts are alike: those of one pair of every two classes, and what follows from them.

use rayon::prelude::*;

use super::{Collector, DependencyError};
use crate::load::HostClasses;
use crate::progress::Progress;
use crate::routing::Routing;
use crate::topology::{Host, LinkId, Topology};

impl Collector {
    /// The paths of the pairs that stand for all.
    pub(super) fn take_classes(
        &self,
        routing: &dyn Routing,
        classes: &HostClasses,
        progress: &Progress,
    ) -> Result<(), DependencyError> {
        let count = classes.hosts().len();
        (0..count).into_par_iter().try_for_each_init(Vec::new, |links, class| {
            for (s, d) in classes.pairs_to(class) {
                progress.check()?;
                self.take_pair(routing, (s, d), links)?;
            }
            progress.inc(1);
            Ok(())
        })
    }

    /// Gives the dependencies of the first host of each class to the others.
    pub(super) fn give_to_alike_hosts(&self, topology: &Topology, classes: &HostClasses) {
        for hosts in classes.hosts().iter().filter(|hosts| hosts.len() > 1) {
            self.give_ways_in(topology, hosts);
            self.give_ways_out(topology, hosts);
        }
    }

    /// A link that is followed by one into a host of a class is followed by those into all its hosts but the one
    /// that it comes from.
    fn give_ways_in(&self, topology: &Topology, hosts: &[Host]) {
        let ends = |link: LinkId| topology.ends(link);
        let Some((switch, _)) = topology.links_to(hosts[0]).find_map(ends) else { return };
        for before in topology.links_to(switch) {
            let is_into = |link| ends(link).is_some_and(|(_, head)| hosts.contains(&head));
            if self.after(before).any(is_into) {
                let from = ends(before).map(|(tail, _)| tail);
                let others = hosts.iter().filter(|host| Some(**host) != from);
                let into = others.flat_map(|host| topology.links_to(*host));
                into.for_each(|link| self.set(before, link));
            }
        }
    }

    /// The links out of a host of a class are followed by those that follow the links out of its first host, but
    /// for those into the two hosts.
    fn give_ways_out(&self, topology: &Topology, hosts: &[Host]) {
        let Some(known) = topology.links_from(hosts[0]).next() else { return };
        for host in &hosts[1..] {
            let own: Vec<LinkId> = topology.links_to(*host).collect();
            for out in topology.links_from(*host) {
                let after = self.after(known).filter(|link| !own.contains(link));
                let after = after.chain(topology.links_to(hosts[0]));
                after.for_each(|link| self.set(out, link));
            }
        }
    }
}
