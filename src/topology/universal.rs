//! The binary fat-tree of \[GL\]: hosts at the leaves of a complete binary tree, one channel up
//! and one down per edge, capacities that grow towards the root.
//!
//! Channel k is above a subtree of 2^k hosts: k = 0 is the channel of a host, k = lg n − 1
//! the topmost one here. \[GL\] also counts a channel from the root to the outside world; no
//! traffic between hosts uses it, and a link needs two ends, so it is left out: 4n − 4 channels
//! of the paper's 4n − 2. A channel is one link, and its capacity is the number of wires.
//!
//! \[GL\] 2 names two ways to grow, which are meant to be equivalent up to constants: by a
//! factor at every level, "rounding off to integer capacities where needed", or by powers of two
//! at some levels. It does not say which levels of a period grow. Here the lowest do, so that a
//! power-of-two capacity is the least one not below the exact growth: 1, 2, 2, 4, 4, … and
//! 1, 2, 4, 4, 8, 16, 16, …. The proof of \[GL\] Theorem 9 needs that: it fills the root's two
//! inputs from the channels of four subtrees of n/4 hosts, each of half the root's capacity, and
//! its message set has load factor λ only if each of these inputs has the root's capacity.

use super::{MAX_HEIGHT, Parameters, Topology, TopologyError, Xgft};
use crate::limit::within;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::spec::{Spec, SpecError};

const USAGE: &str = "universal(n,growth=double2,leaf=1)";

/// Most wires of a host channel, so that every capacity fits in 64 bits.
const MAX_LEAF: u64 = 1 << 20;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "universal",
    usage: USAGE,
    options: &["growth", "leaf"],
    about: "binary fat-tree of n = 2^h hosts, host channels of capacity leaf; growth upwards: \
            double2 (every two levels), quadruple3 (every three), sqrt2, \
            cbrt4 (per level, rounded), double, linear, constant",
    reference: "[GL] 2, 5",
    examples: &[
        "universal(2)",
        "universal(16)",
        "universal(8,growth=sqrt2)",
        "universal(16,growth=quadruple3)",
        "universal(16,growth=cbrt4)",
        "universal(8,growth=double)",
        "universal(8,growth=linear)",
        "universal(8,growth=constant,leaf=3)",
    ],
    // Statements about any tree are about links of capacity 1.
    build: super::Family { build, parameters: None, members: |_| Vec::new() },
};

/// A growth rule: its name, and the capacity of channel k above host channels of `leaf` wires.
type Growth = (&'static str, fn(leaf: u64, k: u32) -> u64);

const GROWTHS: &[Growth] = &[
    ("double2", |leaf, k| leaf << k.div_ceil(2)),
    ("quadruple3", |leaf, k| leaf << (2 * k).div_ceil(3)),
    ("sqrt2", |leaf, k| rounded_root(u128::from(leaf).pow(2) << k, 2)),
    ("cbrt4", |leaf, k| rounded_root(u128::from(leaf).pow(3) << (2 * k), 3)),
    ("double", |leaf, k| leaf << k),
    ("linear", |leaf, k| leaf * u64::from(k + 1)),
    ("constant", |leaf, _| leaf),
];

/// The integer nearest to the `degree`-th root of `radicand`; the root is at most 2^30 and never
/// halfway between two integers.
fn rounded_root(radicand: u128, degree: u32) -> u64 {
    let target = radicand << degree;
    let is_below = |c: u64| u128::from(2 * c + 1).pow(degree) <= target;
    // The answer is the first integer that is not below.
    let (mut low, mut high) = (0, 1_u64 << 31);
    while low < high {
        let middle = low.midpoint(high);
        if is_below(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

fn build(spec: &Spec) -> Result<Topology, TopologyError> {
    let hosts = spec.arguments(1, &["growth", "leaf"], USAGE)?[0];
    if hosts < 2 || !hosts.is_power_of_two() {
        let problem = format!("n = {hosts} must be a power of two, at least 2");
        return Err(spec.bad(USAGE, problem).into());
    }
    let most = 1 << MAX_HEIGHT;
    within("number of hosts", Some(hosts.into()), most, "choose a smaller tree")?;
    let capacity = growth(spec)?;
    let leaf = spec.integer_option("leaf", 1, USAGE)?;
    if leaf == 0 || leaf > MAX_LEAF {
        return Err(spec.bad(USAGE, format!("leaf = {leaf} must be in 1..={MAX_LEAF}")).into());
    }
    let height = hosts.ilog2() as usize;
    // The binary tree is that of an XGFT, but without its labels: those stand for equal links.
    let parameters = Parameters { children: vec![2; height], parents: vec![1; height] };
    let mut graph = Xgft::new(spec, USAGE, &parameters)?.graph();
    for link in graph.edge_weights_mut() {
        link.capacity = Ratio::from(capacity(leaf, u32::from(link.level) - 1));
    }
    Topology::new(spec.to_string(), graph)
}

fn growth(spec: &Spec) -> Result<fn(u64, u32) -> u64, SpecError> {
    let name = spec.option("growth").unwrap_or(GROWTHS[0].0);
    let found = GROWTHS.iter().find(|(known, _)| *known == name);
    found.map(|(_, rule)| *rule).ok_or_else(|| {
        let known: Vec<&str> = GROWTHS.iter().map(|(name, _)| *name).collect();
        spec.bad(USAGE, format!("growth is one of {}", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Direction, generate, link_number, node_number};

    fn capacities(spec: &str) -> Vec<u64> {
        let network = generate(spec).unwrap();
        let height = network.node(node_number(network.nodes()) - 1).level;
        (1..=height)
            .map(|level| {
                let links = network.graph().edge_weights().filter(|link| link.level == level);
                let of_level: Vec<&Ratio> = links.map(|link| &link.capacity).collect();
                assert_eq!(of_level.len(), 4 << (height - level), "{spec}");
                assert!(of_level.iter().all(|capacity| *capacity == of_level[0]), "{spec}");
                of_level[0].scaled(1).unwrap()
            })
            .collect()
    }

    #[test]
    fn capacities_grow_as_requested() {
        for (spec, expected) in [
            ("universal(64)", vec![1, 2, 2, 4, 4, 8]),
            ("universal(64,growth=double2,leaf=3)", vec![3, 6, 6, 12, 12, 24]),
            ("universal(128,growth=quadruple3)", vec![1, 2, 4, 4, 8, 16, 16]),
            // 1, 1.41, 2, 2.83, 4, 5.66, 8, 11.3 and 1, 1.59, 2.52, 4, 6.35, 10.1.
            ("universal(256,growth=sqrt2)", vec![1, 1, 2, 3, 4, 6, 8, 11]),
            ("universal(64,growth=cbrt4)", vec![1, 2, 3, 4, 6, 10]),
            ("universal(16,growth=sqrt2,leaf=10)", vec![10, 14, 20, 28]),
            ("universal(16,growth=double)", vec![1, 2, 4, 8]),
            ("universal(16,growth=linear,leaf=2)", vec![2, 4, 6, 8]),
            ("universal(16,growth=constant,leaf=2)", vec![2, 2, 2, 2]),
        ] {
            assert_eq!(capacities(spec), expected, "{spec}");
        }
    }

    /// [GL] 2 and 5: the root of a standard fat-tree of n hosts, n a power of 4, would have √n
    /// wires, like the topmost channels here; that of a volume-universal one Θ(n^{2/3}).
    #[test]
    fn root_capacities_are_those_of_the_paper() {
        for h in 1..=16 {
            let top = |growth: &str| {
                let spec = format!("universal({},growth={growth})", 1_u64 << h);
                u128::from(*capacities(&spec).last().unwrap())
            };
            let hosts = 1_u128 << h;
            assert!(h % 2 != 0 || top("double2").pow(2) == hosts, "h = {h}");
            for growth in ["double2", "sqrt2"] {
                assert!((hosts / 4..=2 * hosts).contains(&top(growth).pow(2)), "{growth} {h}");
            }
            for growth in ["quadruple3", "cbrt4"] {
                let volume = 8 * top(growth).pow(3);
                assert!((hosts * hosts / 8..=64 * hosts * hosts).contains(&volume), "{growth} {h}");
            }
        }
    }

    #[test]
    fn roots_are_rounded_to_the_nearest() {
        for value in [0_u128, 1, 2, 3, 5, 6, 7, 12, 13, 1 << 40, (1 << 60) - 1, 1 << 90] {
            for degree in [2, 3].into_iter().filter(|degree| *degree == 3 || value <= 1 << 60) {
                let root = u128::from(rounded_root(value, degree));
                // value^(1/degree) is within 1/2 of the root: compare powers of twice each.
                let doubled = value << degree;
                assert!((2 * root + 1).pow(degree) > doubled, "{value} {degree}");
                assert!(root == 0 || (2 * root - 1).pow(degree) <= doubled, "{value} {degree}");
            }
        }
        let largest = generate("universal(65536,growth=cbrt4,leaf=1048576)").unwrap();
        assert_eq!(largest.link(link_number(largest.links()) - 1).capacity, Ratio::from(1 << 30));
    }

    #[test]
    fn is_a_binary_tree_without_labels() {
        let network = generate("universal(8)").unwrap();
        assert!(network.tree().is_none());
        assert_eq!((network.hosts(), network.nodes(), network.links()), (8, 15, 28));
        for link in 0..28 {
            let (from, to) = network.ends(link).unwrap();
            let step = i16::from(network.node(to).level) - i16::from(network.node(from).level);
            let expected = if network.link(link).direction == Direction::Up { 1 } else { -1 };
            assert_eq!(step, expected);
        }
    }

    #[test]
    fn refuses_specs_of_no_such_tree() {
        for (spec, says) in [
            ("universal", "0 numbers given, 1 wanted"),
            ("universal(0)", "power of two"),
            ("universal(1)", "power of two"),
            ("universal(12)", "power of two"),
            ("universal(131072)", "limit of 65536"),
            ("universal(18446744073709551615)", "power of two"),
            ("universal(8,growth=3)", "growth is one of double2, quadruple3"),
            ("universal(8,leaf=0)", "leaf = 0 must be in 1..=1048576"),
            ("universal(8,leaf=1048577)", "must be in"),
            ("universal(8,root=4)", "unknown option `root`"),
        ] {
            let error = generate(spec).unwrap_err().to_string();
            assert!(error.contains(says), "{spec}: {error}");
        }
    }
}
