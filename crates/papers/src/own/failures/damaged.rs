//! What remains of an instance without some cables.

use std::sync::Arc;

use crate::failure::{Cable, Damage, damage, remaining};
use crate::failure_sets::Repair;
use crate::routing::{Routing, UseScratch, build};
use crate::study::prelude::*;
use crate::topology::{Host, LinkId, host_number};

/// An instance without some cables, with the numbers that its hosts and links had.
pub(super) struct Damaged {
    pub(super) instance: Instance,
    /// Number of hosts that are cut off.
    pub(super) cut_off: usize,
    /// Number of SD pairs of the other hosts that have no path.
    pub(super) lost: u64,
    hosts: Vec<Host>,
    /// By new number.
    links: Vec<LinkId>,
}

impl Damaged {
    /// Takes cables out. Broken paths are split over the shortest ones with [`Repair::Ecmp`], and else replaced as the
    /// routing does by itself.
    pub(super) fn of(whole: &Instance, cables: &[Cable], repair: &Repair) -> Result<Self> {
        let left = damage(&whole.topology, cables)?;
        let hosts = left.hosts().to_vec();
        let mut links = vec![0; left.topology.links()];
        left.new_links().for_each(|(new, old)| links[new as usize] = old);
        let cut_off = left.cut_off.len();
        let (instance, lost) = if *repair == Repair::Ecmp {
            (Mended::instance(whole, left)?, 0)
        } else {
            let left = remaining(&whole.topology, Arc::clone(&whole.routing), cables)?;
            (left.instance, left.lost.count)
        };
        Ok(Self { instance, cut_off, lost, hosts, links })
    }

    /// Calls `visit` with the share of a pair on links of the whole network, all by the numbers there; never for one
    /// of a host that is cut off.
    pub(super) fn each_use(
        &self,
        (s, d): (Host, Host),
        scratch: &mut UseScratch,
        visit: &mut dyn FnMut(&Rational, LinkId),
    ) {
        let number = |host: Host| self.hosts.binary_search(&host).ok().map(host_number);
        let Some((s, d)) = number(s).zip(number(d)) else { return };
        self.instance.routing.for_each_use(s, d, scratch, &mut |share, links| {
            for link in links {
                visit(share, self.links[*link as usize]);
            }
        });
    }
}

/// A routing whose broken paths are split over the shortest ones of what remains, hop by hop.
struct Mended {
    whole: Arc<dyn Routing>,
    split: Box<dyn Routing>,
    damage: Damage,
}

impl Mended {
    fn instance(whole: &Instance, damage: Damage) -> Result<Instance> {
        let topology = damage.topology.clone();
        let split = build("ecmp", &topology)?;
        let mended = Self { whole: Arc::clone(&whole.routing), split, damage };
        Ok(Instance::trusted(topology, Box::new(mended) as Box<dyn Routing>))
    }

    /// The pair by the numbers before the damage, if no path of it is broken.
    fn whole_pair(&self, s: Host, d: Host, links: &mut Vec<LinkId>) -> Option<(Host, Host)> {
        let [from, to] = [s, d].map(|host| self.damage.hosts()[host as usize]);
        let mut survives = true;
        self.whole.for_each_path(from, to, links, &mut |_, path| {
            survives &= path.iter().all(|link| self.damage.link(*link).is_some());
        });
        survives.then_some((from, to))
    }

    fn renumbered(&self, links: &[LinkId]) -> Vec<LinkId> {
        links.iter().filter_map(|link| self.damage.link(*link)).collect()
    }
}

impl Routing for Mended {
    fn spec(&self) -> &str {
        self.whole.spec()
    }

    fn is_single_path(&self) -> bool {
        false
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        match self.whole_pair(s, d, links) {
            None => self.split.for_each_path(s, d, links, visit),
            Some((s, d)) => self.whole.for_each_path(s, d, links, &mut |share, path| {
                visit(share, &self.renumbered(path));
            }),
        }
    }

    /// Without a list of the paths of a pair that is split, of which there may be many.
    fn for_each_use(
        &self,
        s: Host,
        d: Host,
        scratch: &mut UseScratch,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    ) {
        match self.whole_pair(s, d, &mut Vec::new()) {
            None => self.split.for_each_use(s, d, scratch, visit),
            Some((s, d)) => self.whole.for_each_use(s, d, scratch, &mut |share, links| {
                visit(share, &self.renumbered(links));
            }),
        }
    }

    fn may_revisit(&self) -> bool {
        self.whole.may_revisit()
    }
}
