//! Shifts of labels: automorphisms of a tree that a rule by numbers may respect, also where a cable fails.
//!
//! A shift moves a digit of all hosts on by one, and with it a digit of the ports upwards or none; digits wrap around.
//! Of these candidates those count that prove right pair by pair: the routing respects them, and what replaces the
//! paths that a cable breaks is taken to what replaces those of its image ([`Replacement`]). The failures of such a
//! cable and of its image then leave the same instance but for names.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use itertools::Itertools;
use petgraph::unionfind::UnionFind;
use rayon::prelude::*;

use crate::failure::{Cable, Replacement};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, LinkId, Topology, Xgft};

/// Paths with their shares, in a fixed order.
type Paths = Vec<(Vec<LinkId>, Rational)>;

/// The image of every host and every link.
struct Shift {
    hosts: Vec<Host>,
    links: Vec<LinkId>,
}

/// Digits of a number, the most significant first: the size of each, and whether it moves on.
type Digits = Vec<(u32, bool)>;

/// Joins the classes of cables whose failures are equally bad. A stop leaves what is proven.
pub(super) fn join(
    instance: &Instance,
    cables: &[Cable],
    classes: &mut UnionFind<usize>,
    progress: &Progress,
) {
    let topology = &*instance.topology;
    let Some(replacement) = Replacement::of(topology, &*instance.routing) else { return };
    let Some(tree) = topology.tree() else { return };
    let number: HashMap<&[LinkId], usize> =
        cables.iter().zip(0..).map(|(cable, at)| (cable.links.as_slice(), at)).collect();
    let digits = (1..=tree.height()).cartesian_product(0..=tree.height());
    let candidates = digits.filter_map(|(host, port)| Shift::of(topology, tree, host, port));
    for shift in candidates {
        let image = |cable: &Cable| {
            let links: Vec<LinkId> =
                cable.links.iter().map(|link| shift.link(*link)).sorted().collect();
            number.get(links.as_slice()).copied()
        };
        let images: Vec<Option<usize>> = cables.iter().map(image).collect();
        let is_new =
            |(at, image): (usize, &Option<usize>)| image.is_some_and(|to| !classes.equiv(at, to));
        let asked: Vec<AtomicBool> =
            images.iter().enumerate().map(is_new).map(AtomicBool::new).collect();
        if !asked.iter().any(|asked| asked.load(Ordering::Relaxed)) {
            continue;
        }
        let proof = Proof { instance, cables, replacement, shift, images, holds: asked };
        match proof.of_all_pairs(progress) {
            Ok(()) => proof.joined().for_each(|(at, to)| {
                classes.union(at, to);
            }),
            Err(Ends::NotRespected) => {}
            Err(Ends::Stopped) => return,
        }
    }
}

impl Shift {
    /// The shift of digit `host` of hosts, and of digit `port` of ports unless that is 0; `None` where there is nothing
    /// to move, or it is not an automorphism.
    fn of(topology: &Topology, tree: &Xgft, host: usize, port: usize) -> Option<Self> {
        if tree.children(host) == 1 || port > 0 && tree.parents(port) == 1 {
            return None;
        }
        let hosts = host_images(tree, host);
        let mut links = vec![0; topology.links()];
        for level in 0..tree.height() {
            let digits = tree_digits(tree, level, host, port);
            let (up, down) = tree.link_id(level, 0, 0, 0);
            for link in 0..digits.iter().map(|(size, _)| size).product::<u32>() {
                let image = if level == 0 {
                    // By the number of the host.
                    let (ports, last) = (tree.parents(1), digits.len() - 1);
                    hosts[(link / ports) as usize] * ports + moved(link % ports, &digits[last..])
                } else {
                    moved(link, &digits)
                };
                *links.get_mut((up + link) as usize)? = up + image;
                *links.get_mut((down + link) as usize)? = down + image;
            }
        }
        Some(Self { hosts, links }).filter(|shift| shift.is_automorphism(topology))
    }

    fn link(&self, link: LinkId) -> LinkId {
        self.links[link as usize]
    }

    /// Whether every link is taken to another of the same capacity, and nodes follow.
    fn is_automorphism(&self, topology: &Topology) -> bool {
        let mut nodes = vec![None; topology.nodes()];
        nodes.iter_mut().zip(&self.hosts).for_each(|(node, host)| *node = Some(*host));
        let mut follows =
            |node: u32, image: u32| *nodes[node as usize].get_or_insert(image) == image;
        self.links.iter().all_unique()
            && topology.link_numbers().all(|link| {
                let image = self.link(link);
                let ends = topology.ends(link).zip(topology.ends(image));
                let capacity = |link| &topology.link(link).capacity;
                capacity(link) == capacity(image)
                    && ends
                        .is_some_and(|((a, b), (to_a, to_b))| follows(a, to_a) && follows(b, to_b))
            })
    }

    /// The images of paths.
    fn paths(&self, paths: Paths) -> Paths {
        let image = |(links, share): (Vec<LinkId>, Rational)| {
            (links.into_iter().map(|link| self.link(link)).collect_vec(), share)
        };
        paths.into_iter().map(image).sorted().collect()
    }
}

/// The hosts whose digit `moves` has moved on by one.
fn host_images(tree: &Xgft, moves: usize) -> Vec<Host> {
    let labels: Digits = child_digits(tree, 1, moves).collect();
    let position = |host: Host| {
        let digits = (1..=tree.height()).rev().map(|i| (tree.children(i), tree.digit(host, i)));
        digits.fold(0, |position, (size, digit)| position * size + digit)
    };
    let mut at = vec![0; tree.hosts()];
    tree.host_numbers().for_each(|host| at[position(host) as usize] = host);
    tree.host_numbers().map(|host| at[moved(position(host), &labels) as usize]).collect()
}

/// Digits of hosts from the highest down to `lowest`.
fn child_digits(tree: &Xgft, lowest: usize, moves: usize) -> impl Iterator<Item = (u32, bool)> {
    (lowest..=tree.height()).rev().map(move |i| (tree.children(i), i == moves))
}

/// Digits of the links upwards from nodes of a level: those of the subtree, of the node in it, and of the port.
fn tree_digits(tree: &Xgft, level: usize, host: usize, port: usize) -> Digits {
    let ports = (1..=level + 1).map(|j| (tree.parents(j), j == port));
    child_digits(tree, level + 1, host).chain(ports).collect()
}

/// The number whose digits that move have moved on by one.
fn moved(mut number: u32, digits: &[(u32, bool)]) -> u32 {
    let (mut place, mut image) = (1, 0);
    for (size, moves) in digits.iter().rev() {
        image += (number % size + u32::from(*moves)) % size * place;
        (number, place) = (number / size, place * size);
    }
    image
}

/// Why a shift is not proven.
enum Ends {
    NotRespected,
    Stopped,
}

impl From<Stopped> for Ends {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The proof of a shift, pair by pair.
struct Proof<'a> {
    instance: &'a Instance,
    cables: &'a [Cable],
    replacement: Replacement<'a>,
    shift: Shift,
    /// The image of every cable.
    images: Vec<Option<usize>>,
    /// Whether the failure of a cable is to be compared with that of its image, and was the same for all pairs so far.
    holds: Vec<AtomicBool>,
}

impl Proof<'_> {
    /// Shows that the routing respects the shift; cables whose images are not as bad no longer hold then.
    /// O(pairs · cables of their paths · length).
    fn of_all_pairs(&self, progress: &Progress) -> Result<(), Ends> {
        let mut cable_of = vec![None; self.instance.topology.links()];
        for (cable, at) in self.cables.iter().zip(0..) {
            cable.links.iter().for_each(|link| cable_of[*link as usize] = Some(at));
        }
        let hosts = self.instance.topology.host_numbers();
        hosts.clone().into_par_iter().try_for_each(|s| {
            hosts.clone().filter(|d| *d != s).try_for_each(|d| {
                progress.check()?;
                if self.holds_for((s, d), &cable_of) { Ok(()) } else { Err(Ends::NotRespected) }
            })
        })
    }

    /// Whether the paths of a pair are taken to those of its image.
    fn holds_for(&self, (s, d): (Host, Host), cable_of: &[Option<usize>]) -> bool {
        let Self { cables, replacement, shift, images, holds, .. } = self;
        let to = (shift.hosts[s as usize], shift.hosts[d as usize]);
        let whole = |_: LinkId| false;
        let paths = replacement.paths((s, d), &whole);
        let on_way: Vec<usize> = paths
            .iter()
            .flat_map(|(links, _)| links.iter().filter_map(|link| cable_of[*link as usize]))
            .sorted()
            .dedup()
            .collect();
        if shift.paths(paths) != sorted(replacement.paths(to, &whole)) {
            return false;
        }
        for at in on_way {
            let Some(image) = images[at].filter(|_| holds[at].load(Ordering::Relaxed)) else {
                continue;
            };
            let left = replacement.paths((s, d), &|link| cables[at].links.contains(&link));
            let image = replacement.paths(to, &|link| cables[image].links.contains(&link));
            if shift.paths(left) != sorted(image) {
                holds[at].store(false, Ordering::Relaxed);
            }
        }
        true
    }

    /// The cables that are as bad as their images.
    fn joined(&self) -> impl Iterator<Item = (usize, usize)> {
        let holds = |at: usize| self.holds[at].load(Ordering::Relaxed);
        self.images
            .iter()
            .enumerate()
            .filter_map(move |(at, to)| Some((at, (*to)?)).filter(|_| holds(at)))
    }
}

fn sorted(paths: Paths) -> Paths {
    paths.into_iter().sorted().collect()
}
