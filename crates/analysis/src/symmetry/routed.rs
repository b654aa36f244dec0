//! What the pairs of a routing say about points: colours by the pairs that pass them, and whether
//! the routing respects an automorphism.

use rayon::prelude::*;

use super::colours::{Colour, Incidence, Role, hashed, mixed};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Routing, UseScratch};
use crate::topology::{Host, LinkId, Topology, link_number, node_number};

/// Parts of the sources that are looked at in parallel; sums of colours do not depend on them.
const PARTS: usize = 16;

/// The pairs of a routing; without one they say nothing about points.
pub(super) struct RoutedPairs<'a> {
    pub(super) topology: &'a Topology,
    pub(super) routing: Option<&'a dyn Routing>,
    pub(super) network: &'a Incidence,
    pub(super) progress: &'a Progress,
}

/// Sums by point of what pairs add to their colours.
struct Sums<'a> {
    colours: &'a [Colour],
    added: Vec<Colour>,
    uses: u64,
    scratch: UseScratch,
}

impl<'a> Sums<'a> {
    fn new(colours: &'a [Colour]) -> Self {
        let added = vec![0; colours.len()];
        Self { colours, added, uses: 0, scratch: UseScratch::default() }
    }

    /// Adds the colours of the ends of a pair to its links, and those of its links to its ends.
    fn add(&mut self, pairs: &RoutedPairs<'_>, (s, d): (Host, Host)) {
        let Some(routing) = pairs.routing else { return };
        let Self { colours, added, uses, scratch } = self;
        let own = mixed(Role::Source, colours[s as usize], colours[d as usize]);
        let (mut passed, nodes) = (0_u64, pairs.network.nodes);
        routing.for_each_use(s, d, scratch, &mut |share, links| {
            let share = if *share == Rational::ONE { 1 } else { hashed(share) };
            for link in links {
                let at = nodes + *link as usize;
                added[at] = added[at].wrapping_add(mixed(Role::Link, share, own));
                passed = passed.wrapping_add(mixed(Role::Link, share, colours[at]));
            }
            *uses += links.len() as u64;
        });
        for (host, other, role) in [(s, d, Role::Source), (d, s, Role::Destination)] {
            let sum = &mut added[host as usize];
            *sum = sum.wrapping_add(mixed(role, passed, colours[other as usize]));
        }
    }

    fn finish(self) -> Vec<Colour> {
        let both = self.colours.iter().zip(&self.added);
        both.map(|(own, sum)| mixed(Role::Link, *own, *sum)).collect()
    }
}

impl RoutedPairs<'_> {
    /// Colours by all pairs. O(N²·path length).
    pub(super) fn colours(&self, colours: &[Colour]) -> Result<Vec<Colour>, Stopped> {
        let hosts: Vec<Host> = self.topology.host_numbers().collect();
        let size = hosts.len().div_ceil(PARTS).max(1);
        let parts = hosts.par_chunks(size).map(|sources| {
            let mut sums = Sums::new(colours);
            for s in sources {
                self.progress.check()?;
                hosts.iter().filter(|d| *d != s).for_each(|d| sums.add(self, (*s, *d)));
            }
            Ok(sums)
        });
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let mut all = Sums::new(colours);
        for part in parts {
            all.added
                .iter_mut()
                .zip(part.added)
                .for_each(|(sum, more)| *sum = sum.wrapping_add(more));
        }
        Ok(all.finish())
    }

    /// Colours by the pairs of one host, and how many links these pass. O(N·path length).
    pub(super) fn colours_from(
        &self,
        host: Host,
        colours: &[Colour],
    ) -> Result<(Vec<Colour>, u64), Stopped> {
        self.progress.check()?;
        let mut sums = Sums::new(colours);
        for other in self.topology.host_numbers().filter(|other| *other != host) {
            sums.add(self, (host, other));
            sums.add(self, (other, host));
        }
        let uses = sums.uses;
        Ok((sums.finish(), uses))
    }

    /// Whether points go to points of the same kind, ends and capacities are kept, and the routing
    /// respects it. `images` is a permutation of the points. O(N²·path length).
    pub(super) fn are_kept_by(&self, images: &[u32]) -> Result<bool, Stopped> {
        let topology = self.topology;
        let Incidence { nodes, hosts, ends, .. } = self.network;
        let (of_nodes, of_links) = images.split_at(*nodes);
        let keeps_hosts = |(node, image): (usize, &u32)| {
            (*image as usize) < *nodes && (node < *hosts) == ((*image as usize) < *hosts)
        };
        let keeps_link = |(link, image): (LinkId, &u32)| {
            let Some(at) = (*image as usize).checked_sub(*nodes) else { return false };
            let (tail, head) = ends[link as usize];
            ends[at] == (of_nodes[tail as usize], of_nodes[head as usize])
                && topology.link(link).capacity == topology.link(link_number(at)).capacity
        };
        if !of_nodes.iter().enumerate().all(keeps_hosts) || !(0..).zip(of_links).all(keeps_link) {
            return Ok(false);
        }
        let hosts: Vec<Host> = topology.host_numbers().collect();
        let kept: Result<Vec<bool>, Stopped> =
            hosts.par_iter().map(|s| self.keeps_pairs_of(*s, images)).collect();
        Ok(kept?.into_iter().all(|kept| kept))
    }

    /// Whether the pairs of a source have the shares of their images.
    fn keeps_pairs_of(&self, s: Host, images: &[u32]) -> Result<bool, Stopped> {
        self.progress.check()?;
        let Some(routing) = self.routing else { return Ok(true) };
        let (of_nodes, of_links) = images.split_at(self.network.nodes);
        let first = node_number(self.network.nodes);
        let mut scratch = UseScratch::default();
        let mut shares = |(s, d): (Host, Host), moved: bool| {
            let mut found: Vec<(u32, Rational)> = Vec::new();
            routing.for_each_use(s, d, &mut scratch, &mut |share, links| {
                let point = |link: &LinkId| first + link;
                let image =
                    |link: &LinkId| if moved { of_links[*link as usize] } else { point(link) };
                found.extend(links.iter().map(|link| (image(link), share.clone())));
            });
            found.sort_unstable_by_key(|(link, _)| *link);
            found
        };
        let hosts = self.topology.host_numbers();
        Ok(hosts.filter(|d| *d != s).all(|d| {
            let image = (of_nodes[s as usize], of_nodes[d as usize]);
            shares((s, d), true) == shares(image, false)
        }))
    }
}
