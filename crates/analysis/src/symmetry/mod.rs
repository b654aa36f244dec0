//! Symmetry of an instance: links that are equally bad, found before any of them is analysed.
//!
//! An *automorphism* of a network takes nodes to nodes and links to links such that hosts stay
//! hosts and the ends and capacities of links are kept. The routing *respects* it if the share of
//! every SD pair on every link is that of the pair's image on the link's image. Traffic that is moved
//! along has the same optu, and loads the image of a link as it loaded the link: so links that
//! automorphisms take to each other, a *class*, have the same worst case over all traffic, and over
//! permutations. One of them is analysed.
//!
//! Points, which are nodes and links, are *coloured* such that automorphisms keep colours: by what
//! they are, then by the colours around them (`colours.rs`) and by the pairs that pass
//! them (`routed.rs`), as in colour refinement (McKay and Piperno, Practical graph isomorphism II,
//! J. Symb. Comput. 60, 2014, <https://doi.org/10.1016/j.jsc.2013.09.003>). Where two links have the
//! same colour, `search.rs` gives each a colour of its own in a copy of the network, refines both
//! copies and continues with other points until all are distinguished; what has the same colour in both
//! is taken to each other. Every automorphism is verified exactly for all pairs, and again by the
//! checker. The search has a limit of steps, which is small against the analysis that it may save; what
//! it does not find costs time, and no result depends on it.
//!
//! Programs for canonical labelling know graphs only. A routing is a relation of pairs and links,
//! and mostly respects few automorphisms of its network: it has to take part in the refinement.
//!
//! Symmetry saves work, never evidence: the certificate lists an automorphism in place of covers. Colours are hashes,
//! and the limit counts steps, not time, so that every process of a shared run finds the same classes. Links of trees
//! are not solved one by one: there nothing is searched unless linear programs are needed, nor on other networks where
//! every pair has a single path, of which matchings make short work, or where hosts are alike.

mod colours;
mod group;
mod routed;
mod search;

use std::collections::HashMap;

use petgraph::unionfind::UnionFind;

use crate::certificate::Automorphism;
use crate::limit::within;
use crate::progress::{Progress, Stopped};
use crate::routing::Instance;
use crate::topology::{LinkId, Topology, link_number};
use colours::{Colour, Incidence};
pub use group::{Images, generators};
use routed::RoutedPairs;
use search::Search;

/// Maximum number of SD pairs of an instance that is searched, and of hosts × links.
const MAX_PAIRS: u64 = 1 << 22;
const MAX_SEARCH: u64 = 1 << 24;

/// Maximum number of nodes and links, so that an automorphism fits a line of a certificate; of
/// automorphisms; and of both together, so that all fit a certificate.
const MAX_POINTS: usize = 1 << 20;
const MAX_AUTOMORPHISMS: usize = 64;
const MAX_IMAGES: usize = 1 << 23;

/// Number of times that all pairs colour the points.
const ROUNDS: usize = 2;

/// Number of searches without success after which classes are left as they are.
const MAX_FAILURES: usize = 32;

/// Automorphisms that a routing respects, and the classes of links that they form.
#[derive(Clone, Debug)]
pub struct Symmetry {
    automorphisms: Vec<Automorphism>,
    /// The lowest link of the class of every link.
    representative: Vec<LinkId>,
}

impl Symmetry {
    /// Finds automorphisms of an instance; `None` where there are none, where none was found within
    /// the limits, or where the instance is too large for the linear programs that they save. What a stop
    /// leaves is what was found. The result is the same for any number of threads.
    /// O(N²·path length·automorphisms), and a number of steps within a limit.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{progress::Progress, rational::Rational, symmetry::Symmetry};
    /// use routebound::{routing::{self, Instance}, topology::NetworkBuilder};
    /// let mut ring = NetworkBuilder::new();
    /// let hosts: Vec<_> = (0..4).map(|host| ring.host(format!("h{host}"))).collect();
    /// for at in 0..4 {
    ///     ring.cable(hosts[at], hosts[(at + 1) % 4], Rational::ONE);
    /// }
    /// let ring = ring.build("ring")?;
    /// let routing = routing::build("ecmp", &ring)?;
    /// let instance = Instance::new(ring, routing)?;
    /// let symmetry = Symmetry::of(&instance, &Progress::silent()).ok_or("none found")?;
    /// assert_eq!((symmetry.links(), symmetry.classes()), (8, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(instance: &Instance, progress: &Progress) -> Option<Self> {
        let topology = &instance.topology;
        if !fits(topology) {
            return None;
        }
        let network = Incidence::of(topology);
        let routing = Some(instance.routing());
        let pairs = RoutedPairs { topology, routing, network: &network, progress };
        let colours = coloured(&network, &pairs).ok()??;
        let mut classes = Classes::new(&network);
        // What was found before a stop is true.
        let _ = classes.join_alike(&mut Search::new(&network, &pairs, &colours));
        classes.finish()
    }

    /// The classes of links that automorphisms form; `None` without any.
    #[must_use]
    pub fn generated_by(images: &[Images]) -> Option<Self> {
        let links = images.first()?.links.len();
        let mut classes = UnionFind::new(links);
        for (link, image) in images.iter().flat_map(|one| (0..).zip(&one.links)) {
            classes.union(link, *image);
        }
        let automorphisms = images.iter().map(Images::record).collect();
        Some(Self { automorphisms, representative: lowest(&classes.into_labeling()) })
    }

    /// The lowest link of the class of a link.
    #[must_use]
    pub fn representative(&self, link: LinkId) -> LinkId {
        self.representative[link as usize]
    }

    /// Number of links.
    #[must_use]
    pub fn links(&self) -> usize {
        self.representative.len()
    }

    /// Number of classes of links.
    #[must_use]
    pub fn classes(&self) -> usize {
        (0..).zip(&self.representative).filter(|(link, lowest)| link == *lowest).count()
    }

    /// The automorphisms.
    #[must_use]
    pub fn automorphisms(&self) -> &[Automorphism] {
        &self.automorphisms
    }
}

/// The colours of all points as far as they follow without a choice; `None` where they tell all
/// links apart.
fn coloured(network: &Incidence, pairs: &RoutedPairs<'_>) -> Result<Option<Vec<Colour>>, Stopped> {
    let mut colours = network.initial.clone();
    network.refine(&mut colours, None, pairs.progress)?;
    for _ in 0..ROUNDS {
        if !network.has_equal_links(&colours) {
            return Ok(None);
        }
        colours = pairs.colours(&colours)?;
        network.refine(&mut colours, None, pairs.progress)?;
    }
    Ok(network.has_equal_links(&colours).then_some(colours))
}

/// Classes of links while they grow.
struct Classes {
    /// Numbers of nodes and of links.
    nodes: usize,
    count: usize,
    links: UnionFind<LinkId>,
    automorphisms: Vec<Automorphism>,
}

impl Classes {
    fn new(network: &Incidence) -> Self {
        let (nodes, count) = (network.nodes, network.links());
        Self { nodes, count, links: UnionFind::new(count), automorphisms: Vec::new() }
    }

    /// Joins the classes of links of the same colour where an automorphism is found.
    fn join_alike(&mut self, search: &mut Search<'_>) -> Result<(), Stopped> {
        let (first, mut failures) = (link_number(self.nodes), 0);
        for alike in search.alike_links() {
            let mut lowest: Vec<LinkId> = Vec::new();
            for link in alike {
                for other in lowest.clone() {
                    if self.links.equiv(other, link) {
                        break;
                    }
                    match search.automorphism(&[first + other], &[first + link])? {
                        Some(images) => self.take(&images),
                        None => failures += 1,
                    }
                    if failures > MAX_FAILURES || self.is_full() || search.is_exhausted() {
                        return Ok(());
                    }
                }
                if !lowest.iter().any(|other| self.links.equiv(*other, link)) {
                    lowest.push(link);
                }
            }
        }
        Ok(())
    }

    /// Whether there is no room for another automorphism.
    fn is_full(&self) -> bool {
        let images = self.automorphisms.len() * (self.nodes + self.count);
        self.automorphisms.len() >= MAX_AUTOMORPHISMS || images >= MAX_IMAGES
    }

    /// Takes an automorphism, given by the images of all points.
    fn take(&mut self, images: &[u32]) {
        let (nodes, links) = images.split_at(self.nodes);
        let first = link_number(self.nodes);
        let links: Vec<LinkId> = links.iter().map(|point| point - first).collect();
        for (link, image) in (0..).zip(&links) {
            self.links.union(link, *image);
        }
        self.automorphisms.push(Automorphism::of_images(nodes, &links));
    }

    fn finish(self) -> Option<Symmetry> {
        if self.automorphisms.is_empty() {
            return None;
        }
        let representative = lowest(&self.links.into_labeling());
        Some(Symmetry { automorphisms: self.automorphisms, representative })
    }
}

/// For each of `automorphisms` of a network with this many links, the image of every set of links, each ascending;
/// `None` where it is not one of the sets.
pub(crate) fn images_of_sets<'s>(
    automorphisms: &'s [Automorphism],
    links: usize,
    sets: &'s [Vec<LinkId>],
) -> impl Iterator<Item = Vec<Option<usize>>> + 's {
    let number: HashMap<&[LinkId], usize> = sets.iter().map(Vec::as_slice).zip(0..).collect();
    automorphisms.iter().map(move |automorphism| {
        let mut image: Vec<LinkId> = (0..link_number(links)).collect();
        for cycle in &automorphism.links {
            for (link, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                image[*link as usize] = *next;
            }
        }
        let image_of = |set: &Vec<LinkId>| {
            let mut links: Vec<LinkId> = set.iter().map(|link| image[*link as usize]).collect();
            links.sort_unstable();
            number.get(links.as_slice()).copied()
        };
        sets.iter().map(image_of).collect()
    })
}

/// For every number the lowest one with the same label.
pub(crate) fn lowest(labels: &[u32]) -> Vec<u32> {
    let mut first = vec![None; labels.len()];
    (0..).zip(labels).map(|(at, label)| *first[*label as usize].get_or_insert(at)).collect()
}

/// Whether a network is within the limits of the search.
fn fits(topology: &Topology) -> bool {
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    let is_within = |what, size, limit| within(what, Some(size), limit, "").is_ok();
    is_within("SD pairs", hosts * hosts, MAX_PAIRS)
        && is_within("hosts times links", hosts * links, MAX_SEARCH)
        && topology.nodes() + topology.links() <= MAX_POINTS
}
