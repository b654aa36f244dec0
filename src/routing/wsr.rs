//! Widest shortest routing as \[OR\] VI runs it: one SD pair after another, by the lightest path.
//!
//! Pairs come in the order (0,1),(0,2),…,(N−1,N−2). All links start with weight 0; each pair
//! takes the one of its shortest paths with the least *sum* of link weights, on a tie the one with
//! the lexicographically smallest up-digits (W1,…,WL), and adds 1 to the weight of its every link.
//! With the sum and this tie-breaking the routes are those of D-mod-k on every FT(m,2) and FT(m,3)
//! that was tried, as the paper says; with the largest weight instead of the sum they are not. On
//! slimmed trees they may differ from D-mod-k.
//!
//! The weights of the links of step l+1 that a subtree of height l can use on the way up are
//! stored contiguously, in the order of their ancestors' numbers, and so are those on the way down.
//! The path weights of a pair therefore come level by level from two plain slices: w1⋯wL
//! additions per pair, without consulting the graph.

use super::pair_table::PairTable;
use super::tree::{TreeRouting, labels};
use super::{Routing, RoutingError};
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, Xgft, host_number};

const USAGE: &str = "wsr";

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "wsr",
    usage: USAGE,
    options: &[],
    about: "pair by pair, the shortest path with the least sum of link weights",
    reference: "[OR] VI",
    examples: &["wsr"],
    build: super::Family {
        build,
        digits: super::Digits::None("the path of a pair depends on those of the pairs before it"),
    },
};

/// Most host pairs × shortest paths, at about 2 ns each. FT(24,3) has 0.4 times this many.
const MAX_PATHS: u64 = 1 << 32;

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    spec.arguments(0, &[], USAGE)?;
    let tree = labels(spec, topology)?;
    check_size(tree)?;
    let hosts = host_number(tree.hosts());
    let mut weights = Weights::new(tree);
    let table = PairTable::in_order(tree, |s, row| {
        for d in (0..hosts).filter(|d| *d != s) {
            let ancestor = weights.lightest(tree, s, d);
            weights.add_path(tree, s, d, ancestor);
            row[d as usize] = ancestor;
        }
    })?;
    Ok(Box::new(TreeRouting::new(spec, tree, table)))
}

fn check_size(tree: &Xgft) -> Result<(), TooLarge> {
    let pairs = (tree.hosts() as u128).pow(2);
    let paths = u128::from(tree.shortest_paths(tree.height()));
    let remedy = "choose a smaller tree, or dmodk";
    within("number of shortest paths that wsr weighs", Some(pairs * paths), MAX_PATHS, remedy)?;
    PairTable::fits(tree)
}

/// Weights of all links. Each is at most N² ≤ 2^26, so sums over 2·16 links fit in 32 bits.
struct Weights {
    /// `up[l]`: up links of step l + 1, by offset within the step.
    up: Vec<Vec<u32>>,
    /// The same for down links.
    down: Vec<Vec<u32>>,
    /// Scratch space: path weights to the ancestors of one level and of the next.
    sums: (Vec<u32>, Vec<u32>),
}

impl Weights {
    fn new(tree: &Xgft) -> Self {
        let links = |l| tree.level_nodes(l) * tree.parents(l + 1) as usize;
        let up: Vec<Vec<u32>> = (0..tree.height()).map(|l| vec![0; links(l)]).collect();
        Self { down: up.clone(), up, sums: (Vec::new(), Vec::new()) }
    }

    /// Number of the ancestor on the lightest path of (s,d); on a tie, the least.
    fn lightest(&mut self, tree: &Xgft, s: Host, d: Host) -> u32 {
        let (sums, next) = (&mut self.sums.0, &mut self.sums.1);
        sums.clear();
        sums.push(0);
        for l in 0..tree.nca_level(s, d) {
            let ports = tree.parents(l + 1) as usize;
            let up = links_of(tree, &self.up[l], l, s).chunks_exact(ports);
            let down = links_of(tree, &self.down[l], l, d).chunks_exact(ports);
            next.clear();
            for (sum, (up, down)) in sums.iter().zip(up.zip(down)) {
                next.extend(up.iter().zip(down).map(|(up, down)| sum + up + down));
            }
            std::mem::swap(sums, next);
        }
        let least = sums.iter().min();
        index32(sums.iter().position(|sum| Some(sum) == least).expect("a pair has a path"))
    }

    /// Adds 1 to the weight of every link on the path of (s,d) through `ancestor`.
    fn add_path(&mut self, tree: &Xgft, s: Host, d: Host, mut ancestor: u32) {
        for l in (0..tree.nca_level(s, d)).rev() {
            let offset = |host| first_link(tree, l, host) + ancestor as usize;
            self.up[l][offset(s)] += 1;
            self.down[l][offset(d)] += 1;
            ancestor /= tree.parents(l + 1);
        }
    }
}

/// Offset within step l + 1 of the first link at the host's subtree of height l.
fn first_link(tree: &Xgft, l: usize, host: Host) -> usize {
    tree.subtree(host, l) as usize * tree.shortest_paths(l + 1) as usize
}

/// Weights of the links of step l + 1 at the host's subtree of height l.
fn links_of<'w>(tree: &Xgft, step: &'w [u32], l: usize, host: Host) -> &'w [u32] {
    let first = first_link(tree, l, host);
    &step[first..first + tree.shortest_paths(l + 1) as usize]
}
