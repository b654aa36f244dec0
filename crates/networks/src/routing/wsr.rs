//! Widest shortest routing as \[OR\] VI runs it: one SD pair after another, by the lightest path.
//!
//! Pairs come in the order (0,1),(0,2),…,(N−1,N−2). All links start with weight 0; each pair
//! takes the one of its shortest paths with the least *sum* of link weights, on a tie the one with
//! the lexicographically smallest up-digits (W1,…,WL), and adds 1 to the weight of its every link.
//! With the sum and this tie-breaking the routes are those of D-mod-k on every FT(m,n), as the paper
//! says; with the largest weight instead of the sum they are not. On slimmed trees they may differ
//! from D-mod-k.
//!
//! # Why D-mod-k
//!
//! Let w_1 = 1, and w_{l+1} = m_l at all other steps, with hosts numbered in the order of the labels;
//! let v_l(x) be the lowest l digits of x as one number. Suppose that all pairs before (s,d) took the
//! paths of D-mod-k, which goes through the ancestor whose up-digits W_2,…,W_{l+1} are the digits
//! M_1,…,M_l of d. Look at the links of step l + 1 that (s,d) may use, one for each value W of these
//! up-digits.
//!
//! - Up, out of the subtree of height l of s: an earlier source in there has sent to all hosts outside,
//!   of which every other subtree of this height has exactly one with v_l = W. So it weighs all these
//!   links alike. So does s itself, except that it has sent to the one in the subtree of d if W < v_l(d).
//! - Down, into the subtree of d: every earlier source outside has sent to the one host in there with
//!   v_l = W, and s has if W < v_l(d).
//!
//! So a path weighs as much as all others, and 2 more for each l ≥ 1 below the ancestors with
//! v_l(W) < v_l(d), where v_l(W) is formed as from digits. None is lighter than that of D-mod-k, for
//! which these are equal. Of those that weigh no more, it has the least up-digits: W_2 ≥ M_1 by l = 1;
//! where W_2,…,W_l are the digits of d, W_{l+1} ≥ M_l. So (s,d) takes it too.
//!
//! Trees too large to be weighed are routed by that; all others are weighed, so that what is said
//! here is tested.
//!
//! # Weights
//!
//! The weights of the links of step l+1 that a subtree of height l can use on the way up are
//! stored contiguously, in the order of their ancestors' numbers, and so are those on the way down.
//! The path weights of a pair therefore come level by level from two plain slices: w1⋯wL
//! additions per pair, without consulting the graph.

use super::dmodk::mod_k_digit;
use super::pair_table::PairTable;
use super::tree::{HostDigits, TreeRouting, labels};
use super::{Routing, RoutingError};
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, Xgft, host_number};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "wsr",
    usage: "wsr",
    about: "pair by pair, the shortest path with the least sum of link weights",
    reference: "[OR] VI",
    examples: &["wsr"],
    build: super::Family {
        build,
        digits: super::Digits::None("the path of a pair depends on those of the pairs before it"),
        defined: true,
    },
};

/// Maximum number of host pairs × shortest paths, at about 2 ns each. FT(24,3) has 0.4 times this many.
const MAX_PATHS: u64 = 1 << 32;

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = labels(spec, topology)?;
    if let Err(refused) = check_size(tree) {
        if !is_dmodk(tree) {
            return Err(refused.into());
        }
        let rule = HostDigits::tabulate(tree, false, |host, l| mod_k_digit(tree, host, l));
        return Ok(Box::new(TreeRouting::new(spec, tree, rule)));
    }
    weighed(spec, tree)
}

/// Whether the routes are those of D-mod-k: see above.
fn is_dmodk(tree: &Xgft) -> bool {
    let mut steps = 1..tree.height();
    let is_full = steps.all(|l| tree.parents(l + 1) == tree.children(l));
    tree.parents(1) == 1 && is_full && tree.hosts_in_order().is_sorted()
}

/// The routing, pair by pair.
fn weighed(spec: &Spec, tree: &Xgft) -> Result<Box<dyn Routing>, RoutingError> {
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
    let remedy = "choose a smaller tree, one with w1 = 1 and every w(i+1) = m(i), or dmodk";
    within("number of shortest paths that wsr weighs", Some(pairs * paths), MAX_PATHS, remedy)?;
    PairTable::fits(tree)
}

/// Weights of all links. Each is at most N² ≤ 2^26, so sums over 2·16 links fit in 32 bits.
struct Weights {
    /// `up[l]`: up links of step l + 1, by offset within the step.
    up: Vec<Vec<u32>>,
    /// Weights of the down links.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{Paths, build};
    use crate::topology::generate;

    /// The paths of a routing, source by source.
    fn paths(routing: &dyn Routing, topology: &Topology) -> Vec<Vec<Vec<u32>>> {
        let hosts: Vec<Host> = topology.host_numbers().collect();
        let mut paths = Paths::default();
        let from = |s: &Host| {
            routing.paths_from(*s, &hosts, &mut paths);
            paths.iter().map(<[u32]>::to_vec).collect()
        };
        hosts.iter().map(from).collect()
    }

    #[test]
    fn full_trees_have_the_routes_of_dmodk() {
        let spec = Spec::parse("wsr").unwrap();
        for (topology, same) in [
            ("ft(2,3)", true),
            ("ft(4,4)", true),
            ("ft(6,3)", true),
            ("kary(2,5)", true),
            ("kary(3,3)", true),
            ("xgft(1;5;1)", true),
            ("xgft(3;2,3,4;1,2,3)", true),
            ("xgft(3;4,2,5;1,4,2)", true),
            ("xgft(3;3,2,3;1,2,2)", false),
            ("xgft(2;2,3;2,2)", false),
        ] {
            let topology = generate(topology).unwrap();
            let tree = topology.tree().unwrap();
            assert_eq!(is_dmodk(tree), same, "{}", tree.shape());
            let weighed = weighed(&spec, tree).unwrap();
            let dmodk = build("dmodk", &topology).unwrap();
            let are_equal = paths(&*weighed, &topology) == paths(&*dmodk, &topology);
            // Others may agree by chance.
            assert!(are_equal || !same, "{}", tree.shape());
        }
    }

    #[test]
    fn large_trees_are_routed_where_they_are_full() {
        let topology = generate("ft(36,3)").unwrap();
        let wsr = build("wsr", &topology).unwrap();
        let dmodk = build("dmodk", &topology).unwrap();
        let (hosts, mut found) = ([0, 17, 5000, 11_663], [Paths::default(), Paths::default()]);
        for s in hosts {
            wsr.paths_from(s, &hosts, &mut found[0]);
            dmodk.paths_from(s, &hosts, &mut found[1]);
            assert!(found[0].iter().eq(found[1].iter()));
        }
        let slimmed = generate("xgft(2;91,91;1,90)").unwrap();
        assert!(matches!(build("wsr", &slimmed), Err(RoutingError::TooLarge(_))));
    }
}
