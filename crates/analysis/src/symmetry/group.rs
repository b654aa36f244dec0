//! Generators of the group of all automorphisms.
//!
//! Points are fixed one after another until all are told apart: a base. From the last one to the first, every
//! point that looks like the one to be fixed next, those before it fixed, is compared with it: what takes one to the
//! other, and is found, joins their orbits, so that there are few of them. All together generate the group (Sims,
//! Computational methods in the study of permutation groups, 1970), as far as the limits of the search allow.

use petgraph::unionfind::UnionFind;

use super::colours::Incidence;
use super::routed::RoutedPairs;
use super::search::Search;
use super::{MAX_IMAGES, MAX_POINTS, fits};
use crate::certificate::Automorphism;
use crate::progress::{Progress, Stopped};
use crate::routing::Routing;
use crate::topology::{Host, LinkId, NodeId, Topology, link_number};

/// Maximum number of generators.
const MAX_GENERATORS: usize = 256;

/// Number of searches without success after which the group is left as it is.
const MAX_FAILURES: usize = 32;

/// Where an automorphism takes nodes and links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// The image of every node.
    pub nodes: Vec<NodeId>,
    /// The image of every link.
    pub links: Vec<LinkId>,
}

impl Images {
    fn of(points: &[u32], nodes: usize) -> Self {
        let (nodes, links) = points.split_at(nodes);
        let first = link_number(nodes.len());
        Self { nodes: nodes.to_vec(), links: links.iter().map(|point| point - first).collect() }
    }

    /// Where it takes a pair.
    #[must_use]
    pub fn pair(&self, (s, d): (Host, Host)) -> (Host, Host) {
        (self.nodes[s as usize], self.nodes[d as usize])
    }

    /// The image of a path.
    #[must_use]
    pub fn path(&self, links: &[LinkId]) -> Vec<LinkId> {
        links.iter().map(|link| self.links[*link as usize]).collect()
    }

    /// Its record in a certificate.
    #[must_use]
    pub fn record(&self) -> Automorphism {
        Automorphism::of_images(&self.nodes, &self.links)
    }
}

/// Generators of the automorphisms of a network, or of those that a routing on it respects; those that join most come
/// first. What a stop or the limits leave is what was found. The result is the same for any number of threads.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{progress::Progress, symmetry::generators, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let found = generators(&tree, None, &Progress::silent());
/// // Some of them take host 0 to host 7, one after another.
/// let mut reached = vec![0];
/// for at in 0..8 {
///     let host = reached[at];
///     for next in found.iter().map(|one| one.nodes[host]) {
///         if !reached.contains(&(next as usize)) {
///             reached.push(next as usize);
///         }
///     }
/// }
/// assert_eq!(reached.len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn generators(
    topology: &Topology,
    routing: Option<&dyn Routing>,
    progress: &Progress,
) -> Vec<Images> {
    let mut found = Vec::new();
    if fits(topology) {
        let network = Incidence::of(topology);
        let pairs = RoutedPairs { topology, routing, network: &network, progress };
        // What was found before a stop is true.
        let _ = find(&network, &pairs, &mut found);
        found.reverse();
    }
    found
}

/// Finds generators, those that fix most points first.
fn find(
    network: &Incidence,
    pairs: &RoutedPairs<'_>,
    found: &mut Vec<Images>,
) -> Result<(), Stopped> {
    let mut colours = network.initial.clone();
    network.refine(&mut colours, None, pairs.progress)?;
    if pairs.routing.is_some() {
        colours = pairs.colours(&colours)?;
        network.refine(&mut colours, None, pairs.progress)?;
    }
    let mut search = Search::new(network, pairs, &colours);
    let (mut base, mut alike) = (Vec::new(), Vec::new());
    while base.len() * network.points() <= MAX_POINTS {
        let Some(points) = search.alike_beside(&base)? else { break };
        base.push(points[0]);
        alike.push(points);
    }
    let mut orbits = UnionFind::<u32>::new(network.points());
    let mut failures = 0;
    for (level, points) in alike.iter().enumerate().rev() {
        let mut images = base[..=level].to_vec();
        for &point in &points[1..] {
            if orbits.equiv(base[level], point) {
                continue;
            }
            images[level] = point;
            match search.automorphism(&base[..=level], &images)? {
                Some(points) => {
                    (0..).zip(&points).for_each(|(point, image)| {
                        orbits.union(point, *image);
                    });
                    found.push(Images::of(&points, network.nodes));
                }
                None => failures += 1,
            }
            let held = found.len() * network.points();
            let is_full = found.len() >= MAX_GENERATORS || held >= MAX_IMAGES;
            if failures > MAX_FAILURES || is_full || search.is_exhausted() {
                return Ok(());
            }
        }
    }
    Ok(())
}
