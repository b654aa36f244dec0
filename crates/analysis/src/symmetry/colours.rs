//! Colours of points, refined by the colours around them.
//!
//! A colour is a hash of what distinguishes points, so that colours of two copies of a network compare.
//! Two things may have the same hash by accident: then points look alike that are not, which the check of the
//! automorphism finds.

use std::hash::{DefaultHasher, Hasher as _};

use crate::progress::{Progress, Stopped};
use crate::topology::{NodeId, Topology};

/// A colour of a point.
pub(super) type Colour = u64;

/// The network as points: nodes, then links.
pub(super) struct Incidence {
    pub(super) nodes: usize,
    pub(super) hosts: usize,
    /// The ends of every link.
    pub(super) ends: Vec<(NodeId, NodeId)>,
    /// Colours by what the points are.
    pub(super) initial: Vec<Colour>,
}

/// The meaning of a colour, so that the same numbers in other roles differ.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Host = 1,
    Switch,
    Link,
    Out,
    In,
    Source,
    Destination,
    Chosen,
}

/// A colour from three others.
#[inline]
pub(super) fn mixed(role: Role, a: Colour, b: Colour) -> Colour {
    // The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    let finished = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let first = finished(a.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(role as u64 | 1));
    finished(first.wrapping_add(role as u64) ^ b.rotate_left(32))
}

/// The colour of anything else.
pub(super) fn hashed(value: &impl std::hash::Hash) -> Colour {
    // Without keys: the same in every run.
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Incidence {
    pub(super) fn of(topology: &Topology) -> Self {
        let (nodes, hosts) = (topology.nodes(), topology.hosts());
        let role = |node| if node < hosts { Role::Host } else { Role::Switch };
        let mut initial: Vec<Colour> = (0..nodes).map(|node| mixed(role(node), 0, 0)).collect();
        let capacities = topology.graph().edge_weights().map(|link| &link.capacity);
        initial.extend(capacities.map(|capacity| mixed(Role::Link, hashed(capacity), 0)));
        let ends = topology.link_numbers().filter_map(|link| topology.ends(link)).collect();
        Self { nodes, hosts, ends, initial }
    }

    pub(super) fn links(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn points(&self) -> usize {
        self.initial.len()
    }

    /// Refines colours by what is around the points, `rounds` times or until that tells no more
    /// points apart. Returns how often. O(points·log points) each time.
    pub(super) fn refine(
        &self,
        colours: &mut Vec<Colour>,
        rounds: Option<usize>,
        progress: &Progress,
    ) -> Result<usize, Stopped> {
        let (mut done, mut different) = (0, distinct(colours));
        while rounds.is_none_or(|rounds| done < rounds) {
            progress.check()?;
            *colours = self.refined(colours);
            done += 1;
            if rounds.is_none() {
                let now = distinct(colours);
                if now <= different || now == colours.len() {
                    break;
                }
                different = now;
            }
        }
        Ok(done)
    }

    fn refined(&self, colours: &[Colour]) -> Vec<Colour> {
        let mut next: Vec<Colour> = colours.iter().map(|own| mixed(Role::Link, *own, 0)).collect();
        let links = &colours[self.nodes..];
        for (at, ((tail, head), link)) in self.ends.iter().zip(links).enumerate() {
            let (from, to) = (colours[*tail as usize], colours[*head as usize]);
            next[self.nodes + at] = mixed(Role::Link, *link, mixed(Role::Out, from, to));
            for (node, role, other) in [(*tail, Role::Out, to), (*head, Role::In, from)] {
                let sum = &mut next[node as usize];
                *sum = sum.wrapping_add(mixed(role, *link, other));
            }
        }
        next
    }

    /// Whether two links have the same colour.
    pub(super) fn has_equal_links(&self, colours: &[Colour]) -> bool {
        distinct(&colours[self.nodes..]) < self.links()
    }
}

/// Number of different colours.
pub(super) fn distinct(colours: &[Colour]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
