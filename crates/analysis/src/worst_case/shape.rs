//! What the shape of a tree implies about the worst case before any SD pair is examined.
//!
//! Let a subtree of height k have n_k hosts and c_k = w1⋯w_{k+1} links up. Traffic with optu ≤ 1
//! has at most c_k out of it and at most c_k in, and no more than its m_k parts of height k−1
//! together: I_k = min(c_k, m_k·I_{k−1}), I_0 = w1. The rest of the network takes at most O_k: the
//! m_{k+1} − 1 siblings take I_k each, and everything outside their common parent O_{k+1}. Shortest
//! paths use a link up from a subtree only to leave it, and one down to it only to enter it; so
//! those links have load at most min(I_k, O_k), and a c_k-th of it where all paths have equal shares.
//! Where only hosts limit traffic, I_k = n_k and O_k = N − n_k, times what a host sends.
//!
//! From below, where every pair has one path: the p = c_k ports of height k share the r(r−1)n²
//! pairs between the r = N/n_k subtrees, n = n_k, and a pair uses the same port up and down
//! (`crates/proof/src/checker/COUNTING.md`, whose A, B, C and E these are). If no link has more than X
//! node-disjoint pairs, a port carries at most n·Σb_i pairs with d ∈ B, n·Σe_j with s ∈ E, and
//! A·C others. With A + Σb_i ≤ rX and C + Σe_j ≤ rX that is at most rX·max(rX, 2n), as a bilinear
//! function is largest at a corner. So p·X·max(rX, 2n) ≥ (r−1)n²: for two and three levels this is
//! \[OR\] Theorems 3 and 4. X node-disjoint pairs on a link have optu at most B, the largest
//! min(n_k, N − n_k)/c_k, so the ratio is at least X/B.
//!
//! The exact analysis of a tree begins with these bounds, so that something is always known: a claim, with no
//! certificate. They hold for every routing that `build` made for a tree without reading a file, unless it has detours
//! ([`Routing::has_detours`](crate::routing::Routing::has_detours)).

use crate::certificate::Quantity;
use crate::rational::Rational;
use crate::routing::{DigitRule, DigitRules, Instance, digit_rules};
use crate::topology::{Topology, TreeShape};

/// Bounds on the worst case of a tree's links.
#[derive(Clone, Debug)]
pub(crate) struct ShapeBounds {
    /// No link of level l has a worst load above `most[l − 1]`.
    most: Vec<Rational>,
    /// Some link has at least this.
    pub(crate) least: Rational,
    /// Whether `least` comes from counting rather than being trivial.
    pub(crate) counted: bool,
}

/// The known shape of the paths of a routing of a tree, all of which are shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathsOfPair {
    /// Every pair has one, and uses the same port up and down.
    One,
    /// Every pair has one, but where top switches are folded its ports up and down may differ.
    OneFolded,
    /// There may be several.
    Several,
    /// Every pair has all shortest ones, with equal shares.
    AllEvenly,
}

impl PathsOfPair {
    /// The paths of a routing with digit rules, on a tree without parallel cables to its top switches.
    pub(crate) fn by_rules(rules: &DigitRules) -> Self {
        let is_even = |rule: &DigitRule| *rule == DigitRule::Even;
        match rules.steps() {
            steps if steps.iter().all(is_even) => Self::AllEvenly,
            steps if steps.iter().any(is_even) => Self::Several,
            _ => Self::One,
        }
    }
}

impl ShapeBounds {
    /// `None` where paths may not be shortest, or the network is not a tree with equal links.
    /// O(height + links).
    pub(super) fn of(instance: &Instance, quantity: Quantity) -> Option<Self> {
        let Instance { topology, routing, .. } = instance;
        // On trees, all routings that do not read a file use shortest paths.
        let tree = topology.tree().filter(|_| is_plain(topology) && instance.is_by_spec())?;
        let shape = tree.tree_shape();
        let paths = match (routing.is_single_path(), tree.cables_to_top()) {
            (true, 1) => PathsOfPair::One,
            (true, _) => PathsOfPair::OneFolded,
            (false, 1) => {
                let rules = digit_rules(routing.spec(), &shape);
                rules.map_or(PathsOfPair::Several, |rules| PathsOfPair::by_rules(&rules))
            }
            (false, _) => PathsOfPair::Several,
        };
        Self::of_tree(&shape, paths, quantity)
    }

    /// The shape from the m and w of a tree whose links have capacity 1; `None` for a tree of one
    /// host. O(height).
    pub(crate) fn of_tree(
        tree: &TreeShape,
        paths: PathsOfPair,
        quantity: Quantity,
    ) -> Option<Self> {
        let mut most = match quantity {
            Quantity::ObliviousRatio => most_by_cuts(tree),
            Quantity::PermutationLoad => most_by_hosts(tree, 1),
            Quantity::HoseLoad => most_by_hosts(tree, tree.parents(1).into()),
        };
        if paths == PathsOfPair::AllEvenly {
            for (k, most) in most.iter_mut().enumerate() {
                *most = most.checked_div(&Rational::from(tree.shortest_paths(k + 1)))?;
            }
        }
        let disjoint = match paths {
            PathsOfPair::One => least_disjoint(tree),
            PathsOfPair::OneFolded => 1,
            PathsOfPair::Several | PathsOfPair::AllEvenly => 0,
        };
        let least = match quantity {
            Quantity::ObliviousRatio => Rational::from(disjoint).checked_div(&most_optu(tree)?)?,
            Quantity::PermutationLoad | Quantity::HoseLoad => Rational::from(disjoint),
        };
        Some(Self { most, least, counted: disjoint > 1 })
    }

    /// An upper bound for the links of a level; host links have level 1.
    pub(crate) fn most_of_level(&self, level: u8) -> Option<&Rational> {
        self.most.get(usize::from(level).checked_sub(1)?)
    }
}

fn is_plain(topology: &Topology) -> bool {
    topology.graph().edge_weights().all(|link| link.capacity == Rational::ONE)
}

/// min(I_k, O_k) for every k.
fn most_by_cuts(tree: &TreeShape) -> Vec<Rational> {
    let height = tree.height();
    let capacity = |k: usize| tree.shortest_paths(k + 1);
    let mut inside = vec![capacity(0)];
    for k in 1..height {
        let parts = u64::from(tree.children(k)).saturating_mul(inside[k - 1]);
        inside.push(parts.min(capacity(k)));
    }
    let mut most = vec![Rational::ZERO; height];
    let mut outside = 0_u64;
    for k in (0..height).rev() {
        let siblings = u64::from(tree.children(k + 1) - 1).saturating_mul(inside[k]);
        outside = siblings.saturating_add(outside);
        most[k] = Rational::from(inside[k].min(outside));
    }
    most
}

/// min(n_k, N − n_k) for every k, times what a host sends.
fn most_by_hosts(tree: &TreeShape, each: u64) -> Vec<Rational> {
    (0..tree.height()).map(|k| Rational::from(busy(tree, k).saturating_mul(each))).collect()
}

/// min(n_k, N − n_k): pairs of a permutation that leave or enter a subtree.
fn busy(tree: &TreeShape, k: usize) -> u64 {
    let inside = tree.subtree_hosts(k);
    inside.min(tree.hosts() - inside)
}

/// B: no permutation has a larger optu.
fn most_optu(tree: &TreeShape) -> Option<Rational> {
    let cuts = 0..tree.height();
    cuts.filter_map(|k| Rational::new(busy(tree, k), tree.shortest_paths(k + 1))).max()
}

/// X: in every single-path routing some link has at least this many node-disjoint pairs.
fn least_disjoint(tree: &TreeShape) -> u64 {
    let of_height = |k: usize| {
        let (n, ports) =
            (u128::from(tree.subtree_hosts(k)), u128::from(tree.shortest_paths(k + 1)));
        let r = u128::from(tree.hosts()) / n;
        let pairs = (r - 1) * n * n;
        // The least X with p·r·X² ≥ (r−1)n², and the least with 2·p·n·X ≥ (r−1)n².
        let root = pairs.div_ceil(ports * r);
        let root = root.isqrt() + u128::from(root.isqrt().pow(2) < root);
        let least = root.min(pairs.div_ceil(2 * ports * n));
        u64::try_from(least).expect("at most the number of hosts of a subtree")
    };
    (1..tree.height()).map(of_height).max().unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::routing;
    use crate::topology::generate;
    use crate::topology::link_number;
    use crate::worst_case::{Analyse, prove};

    /// XGFTs of all shapes up to a size, including slimmed ones and hosts with several links.
    fn small_trees() -> Vec<String> {
        let spec = |digits: &[(u32, u32)]| {
            let list = |of: fn(&(u32, u32)) -> u32| digits.iter().map(of).join(",");
            format!("xgft({};{};{})", digits.len(), list(|d| d.0), list(|d| d.1))
        };
        let flat = (1..=5).cartesian_product(1..=3).collect_vec();
        let high = (1..=3).cartesian_product(1..=2).collect_vec();
        let flat =
            (1..=2).flat_map(|h| std::iter::repeat_n(flat.clone(), h).multi_cartesian_product());
        let high = std::iter::repeat_n(high, 3).multi_cartesian_product();
        let hosts = |digits: &Vec<(u32, u32)>| digits.iter().map(|d| d.0).product::<u32>();
        let all = flat.chain(high).filter(|digits| (2..=9).contains(&hosts(digits)));
        all.map(|digits| spec(&digits)).collect()
    }

    /// Every routing that does not read a file, on a tree.
    fn instances(tree: &str) -> Vec<Instance> {
        let examples = routing::KINDS.iter().flat_map(|kind| kind.examples);
        let examples = examples.filter(|example| !example.contains(':'));
        examples.filter_map(|example| Instance::named(tree, example).ok()).collect()
    }

    #[test]
    fn bounds_are_on_the_two_sides_of_the_exact_value() {
        let quantities = [Quantity::ObliviousRatio, Quantity::PermutationLoad, Quantity::HoseLoad];
        let (mut met, mut counted) = (0, 0);
        let step = if cfg!(feature = "slow-tests") { 1 } else { 5 };
        let trees = small_trees();
        for instance in trees.iter().step_by(step).flat_map(|tree| instances(tree)) {
            let name = format!("{} {}", instance.routing.spec(), instance.topology.spec());
            for quantity in quantities {
                let bounds = ShapeBounds::of(&instance, quantity).unwrap();
                let worst = Analyse::of(quantity).run(&instance).unwrap();
                for (link, bound) in worst.links.iter().enumerate() {
                    let most =
                        bounds.most_of_level(instance.topology.link(link_number(link)).level);
                    let load = &bound.as_ref().unwrap().load;
                    assert!(load <= most.unwrap(), "{name} {quantity:?} link {link}: {load}");
                }
                let exact = prove(&instance, &worst).bounds;
                let exact = exact.exact().unwrap();
                assert!(bounds.least <= *exact, "{name} {quantity:?}: {} {exact}", bounds.least);
                counted += usize::from(bounds.counted);
                met += usize::from(bounds.most.iter().max() == Some(exact));
            }
        }
        assert!(met > 100 / step && counted > 100 / step, "{met} {counted}");
    }

    /// Where all paths have equal shares the bound is the value.
    #[test]
    fn even_splits_are_known_from_the_shape() {
        for tree in ["ft(8,2)", "ft(4,3)", "xgft(2;4,6;1,2)", "xgft(3;2,3,2;2,1,3)"] {
            let instance = Instance::named(tree, "ecmp").unwrap();
            for quantity in [Quantity::ObliviousRatio, Quantity::PermutationLoad] {
                let bounds = ShapeBounds::of(&instance, quantity).unwrap();
                let worst = Analyse::of(quantity).run(&instance).unwrap();
                assert_eq!(bounds.most.iter().max(), Some(worst.lower()), "{tree} {quantity:?}");
            }
        }
    }

    fn least(tree: &str, routing: &str) -> Rational {
        let instance = Instance::named(tree, routing).unwrap();
        ShapeBounds::of(&instance, Quantity::ObliviousRatio).unwrap().least
    }

    /// \[OR\] Theorems 3 and 4, and Theorem 5 with i = ⌊2n/3⌋.
    #[test]
    fn counting_agrees_with_the_theorems() {
        for half in 2..=8_u64 {
            let ceil_sqrt = |x: u64| (0..=x).find(|root: &u64| root * root >= x).unwrap();
            assert_eq!(least(&format!("ft({},2)", 2 * half), "dmodk"), ceil_sqrt(half).into());
            assert_eq!(least(&format!("ft({},3)", 2 * half), "dmodk"), half.into());
            assert_eq!(least(&format!("ft({},2)", 2 * half), "omrmn"), Rational::ZERO);
        }
        assert_eq!(least("ft(4,4)", "smodk"), 2.into());
        assert_eq!(least("ft(4,5)", "smodk"), 3.into());
        assert_eq!(least("ft(4,6)", "smodk"), 4.into());
    }

    /// 4 hosts below one link: the permutation load is 4, though optu is then 4 too.
    #[test]
    fn cuts_are_in_the_bounds_of_slimmed_trees() {
        let instance = Instance::named("xgft(2;4,2;1,1)", "dmodk").unwrap();
        let most = |quantity| ShapeBounds::of(&instance, quantity).unwrap().most;
        assert_eq!(most(Quantity::ObliviousRatio), [Rational::ONE, Rational::ONE]);
        assert_eq!(most(Quantity::PermutationLoad), [Rational::ONE, Rational::from(4)]);
    }

    #[test]
    fn paths_from_files_may_be_long_and_links_may_be_wide() {
        let table = "table:instances/tables/ft-4-2-all-shortest-paths.csv";
        let ratio = Quantity::ObliviousRatio;
        let read = Instance::named("ft(4,2)", table).unwrap();
        assert!(ShapeBounds::of(&read, ratio).is_none());
        let tree = generate("ft(4,2)").unwrap();
        assert!(is_plain(&tree));
        let mut known = Instance::named("ft(4,2)", "wsr").unwrap();
        assert!(ShapeBounds::of(&known, ratio).is_some());
        // A routing built for another tree, under the same name.
        known.routing = routing::build("wsr", &generate("ft(4,3)").unwrap()).unwrap().into();
        assert!(ShapeBounds::of(&known, ratio).is_none());
    }
}
