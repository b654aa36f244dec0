//! Rectangle covers: the least oblivious ratio on two-level trees, for any number of hosts.
//!
//! Let every leaf switch have n hosts under w top switches, and let top switch t carry
//! exactly the SD pairs of two leaves whose source index is in A_t and destination index in
//! B_t. Its up links carry at most |A_t| sources, its down links at most |B_t| destinations,
//! so the oblivious ratio is at most X when all sets have at most X elements (\[OR\] Lemma 9).
//! Every pair has a path when the rectangles A_t × B_t cover the n × n grid. OSRM2 covers it
//! with a grid of rectangles, which for w = n reaches ⌈√n⌉ for few n other than squares.
//!
//! **Cyclic covers.** Split the indices into g ≤ min(n,w) classes of at most ⌈n/g⌉, use
//! p = ⌊w/g⌋ layers of g top switches, and let K = ⌈g/p⌉ and x = ⌈√K⌉. Going from class i to
//! class j, write r = (j − i) mod g as r = qK + bx + a with 0 ≤ bx + a < K and 0 ≤ a < x; the
//! top switch is (i + a) mod g of layer q. Then switch t of layer q has the source classes
//! t − a, of which there are x, and the destination classes i + r = t + qK + bx, of which
//! there are ⌈K/x⌉ ≤ x. So X = ⌈n/g⌉·x, and the g with the least X is chosen. With w = n and
//! g = n that is ⌈√n⌉ for every n; with g = p = ⌊√w⌋ it is the grid of OSRM2, so X is never
//! above OSRM2's.
//!
//! **Bound.** A source index meets n destination indices, at most X in each rectangle that
//! contains it, so it is in at least ⌈n/X⌉ rectangles; all rectangles together have at most wX
//! source indices. Hence n·⌈n/X⌉ ≤ wX for every cover, in particular X ≥ n/√w. This is a bound on
//! rectangle covers. That *no single-path routing* is below √n is \[OR\] Theorem 2, only for
//! w = n and r ≥ 2√n leaf switches.
//!
//! **Prior art.** Nienaber, Mahapatra and Yuan, *Improving performance of deterministic single-path routing on
//! 2-level generalized fat-trees* (IPDPSW 2011, doi 10.1109/IPDPS.2011.213), claim a single-path routing that is
//! optimal for worst-case permutations on two-level trees. This one is less: the best that cyclic rectangle covers
//! give, optimal on FT(m,2) and wherever it attains a lower bound. No rectangle cover is optimal on all
//! two-level trees: on XGFT(2;9,6;1,6), where n = 9 and w = 6, the bound above excludes X = 4 (9·3 > 6·4), and
//! a single-path routing of ratio 4 exists (`results/optimal-single-path`). So the claim cannot be one about
//! rectangle covers.
//!
//! ```
//! # use routebound_networks as routebound;
//! let tree = routebound::topology::generate("ft(16,2)")?; // n = w = 8
//! let routing = routebound::routing::build("grid", &tree)?;
//! assert!(routing.notes()[0].ends_with("oblivious ratio at most 3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::digits::{DigitRules, Digits, both};
use super::osrm2::{by_both, two_level};
use super::tree::{TreeRouting, UpDigits};
use super::{Routing, RoutingError};
use crate::integer::{as_size, ceil_sqrt, index32};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, Topology, TreeShape, Xgft};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "grid",
    usage: "grid",
    about: "two-level trees: rectangle covers, ratio at most ceil(sqrt(m/2)) on every FT(m,2)",
    reference: "this project; bound: [OR] Theorems 2 and 3",
    examples: &["grid"],
    build: super::Family { build, digits: Digits::Rules(rules), defined: true },
};

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let tree = two_level(spec, topology)?;
    Ok(Box::new(TreeRouting::new(spec, tree, Grid::new(tree))))
}

fn rules(spec: &Spec, shape: &TreeShape) -> Result<DigitRules, RoutingError> {
    by_both(spec, shape, || {
        let n = shape.children(1);
        let cover = Cover::least(n, shape.parents(2));
        let class: Vec<u32> = (0..n).map(|index| cover.class(index, n)).collect();
        let rule = both(n, |s, d| cover.switch(class[s as usize], class[d as usize]));
        let most = u64::from(cover.size).into();
        Ok((rule, notes(shape, cover.size, &most, true)))
    })
}

/// A cyclic cover as described above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cover {
    /// X.
    size: u32,
    /// g.
    classes: u32,
    /// K, the number of differences r per layer.
    differences: u32,
    /// x.
    step: u32,
}

impl Cover {
    fn new(n: u32, w: u32, classes: u32) -> Self {
        let differences = classes.div_ceil(w / classes);
        let step = index32(as_size(ceil_sqrt(u64::from(differences))));
        Self { size: n.div_ceil(classes) * step, classes, differences, step }
    }

    /// The cover with the least X; among several, the one with the most classes. O(min(n,w)).
    fn least(n: u32, w: u32) -> Self {
        let start = Self::new(n, w, 1);
        let covers = (2..=n.min(w)).map(|classes| Self::new(n, w, classes));
        covers.fold(start, |best, cover| if cover.size <= best.size { cover } else { best })
    }

    /// The class of an index.
    fn class(&self, index: u32, n: u32) -> u32 {
        index32(as_size(u64::from(index) * u64::from(self.classes) / u64::from(n)))
    }

    /// The top switch between two classes.
    fn switch(&self, from: u32, to: u32) -> u32 {
        let r = if to >= from { to - from } else { to + self.classes - from };
        let (layer, shift) = self.layer_and_shift(r);
        layer + (from + shift) % self.classes
    }

    /// The layer's first top switch and the shift a, for class difference `r`.
    fn layer_and_shift(&self, r: u32) -> (u32, u32) {
        (r / self.differences * self.classes, r % self.differences % self.step)
    }
}

/// The least X with n·⌈n/X⌉ ≤ wX. O(n).
fn counting_bound(n: u32, w: u32) -> u32 {
    let allowed =
        |x: &u32| u64::from(n) * u64::from(n.div_ceil(*x)) <= u64::from(w) * u64::from(*x);
    (1..n).find(allowed).unwrap_or(n)
}

struct Grid {
    cover: Cover,
    /// Class of every host.
    class: Vec<u32>,
    /// The layer's first top switch and the shift a, by class difference.
    switch: Vec<(u32, u32)>,
    notes: Vec<String>,
}

impl Grid {
    fn new(tree: &Xgft) -> Self {
        let n = tree.children(1);
        let cover = Cover::least(n, tree.parents(2));
        let class = |host| cover.class(tree.digit(host, 1), n);
        Self {
            cover,
            class: tree.host_numbers().map(class).collect(),
            switch: (0..cover.classes).map(|r| cover.layer_and_shift(r)).collect(),
            notes: notes(
                &tree.tree_shape(),
                cover.size,
                &tree.ratio_by_hosts(cover.size),
                tree.cables_to_top() == 1 && tree.has_unit_capacities(),
            ),
        }
    }
}

impl UpDigits for Grid {
    fn up_digits(&self, _tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        up.fill(0);
        let Some(root) = up.get_mut(1) else { return };
        let classes = self.cover.classes;
        let (from, to) = (self.class[s as usize], self.class[d as usize]);
        let r = if to >= from { to - from } else { to + classes - from };
        let (layer, shift) = self.switch[r as usize];
        let shifted = from + shift;
        *root = layer + if shifted >= classes { shifted - classes } else { shifted };
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

/// Rectangles of `size` by `size` indices give a ratio of at most `most`.
fn notes(tree: &TreeShape, size: u32, most: &Rational, is_plain: bool) -> Vec<String> {
    let (n, w, leaves) = (tree.children(1), tree.parents(2), u64::from(tree.children(2)));
    let cover = format!(
        "top switches carry rectangles of at most X = {size} source by {size} destination \
         indices: oblivious ratio at most {most}"
    );
    let bound = counting_bound(n, w);
    let least = if bound == size {
        format!("X = {size} is proven least for rectangle covers (n = {n}, w = {w}) by counting")
    } else {
        format!("X = {size} is not proven least: counting excludes only X < {bound}")
    };
    let mut notes = vec![cover, least];
    if n == w && leaves * leaves >= 4 * u64::from(n) && is_plain {
        let least = "no single-path routing of this tree has a lower ratio ([OR] Theorem 2)";
        notes.push(least.to_string());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_top_switches_as_hosts_reach_the_root() {
        for n in 1..=64 {
            let cover = Cover::least(n, n);
            assert_eq!(u64::from(cover.size), ceil_sqrt(n.into()), "{n}");
            assert_eq!(u64::from(counting_bound(n, n)), ceil_sqrt(n.into()), "{n}");
        }
    }

    #[test]
    fn bounds_by_hand() {
        // One switch must carry everything; two rectangles smaller than the grid miss a cell.
        assert_eq!((Cover::least(5, 1).size, counting_bound(5, 1)), (5, 5));
        assert_eq!((Cover::least(5, 2).size, counting_bound(5, 2)), (5, 5));
        // n² switches: one cell each; 2n: half the differences each.
        assert_eq!((Cover::least(6, 36).size, counting_bound(6, 36)), (1, 1));
        assert_eq!((Cover::least(8, 16).size, counting_bound(8, 16)), (2, 2));
        // At four cells per rectangle, 25 cells need seven rectangles, by rows eight: 5·3 > 7·2.
        assert_eq!((Cover::least(5, 7).size, counting_bound(5, 7)), (3, 3));
        assert_eq!((Cover::least(4, 3).size, counting_bound(4, 3)), (4, 3));
    }
}
