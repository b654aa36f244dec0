//! What hypotheses require of a network: whether its shape is that of one of the papers' families.

use crate::integer::index32;
use crate::topology::{Topology, Xgft};

/// Every digit's m and w.
fn digits(tree: &Xgft) -> (Vec<u32>, Vec<u32>) {
    let levels = 1..=tree.height();
    levels.map(|i| (tree.children(i), tree.parents(i))).unzip()
}

/// (m,n) of an m-port n-tree FT(m,n), whatever its spec.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::{theorem::shape, topology::generate};
/// assert_eq!(shape::ft(&generate("xgft(2;4,8;1,4)")?), Some((8, 2)));
/// assert_eq!(shape::ft(&generate("kary(4,2)")?), None);
/// # Ok::<(), routebound::topology::TopologyError>(())
/// ```
#[must_use]
pub fn ft(topology: &Topology) -> Option<(u32, u32)> {
    let (children, parents) = digits(topology.plain_tree()?);
    let (root, below) = children.split_last()?;
    let half = root / 2;
    let fits = root % 2 == 0
        && below.iter().all(|m| *m == half)
        && parents[0] == 1
        && parents[1..].iter().all(|w| *w == half);
    fits.then_some((*root, index32(children.len())))
}

/// (m,k) of an extended 2-layer fat-tree EFT2(m,k), including FT(m,2) = EFT2(m,m).
#[must_use]
pub fn eft2(topology: &Topology) -> Option<(u32, u32)> {
    match digits(topology.plain_tree()?) {
        (children, parents) if children.len() == 2 && parents == [1, children[0]] => {
            Some((2 * children[0], children[1]))
        }
        _ => None,
    }
}

/// (n,m,r) of a folded Clos network ftree(n,m,r).
#[must_use]
pub fn ftree(topology: &Topology) -> Option<(u32, u32, u32)> {
    match digits(topology.plain_tree()?) {
        (children, parents) if children.len() == 2 && parents[0] == 1 => {
            Some((children[0], parents[1], children[1]))
        }
        _ => None,
    }
}

/// (k,n) of a k-ary n-tree, whatever its spec.
#[must_use]
pub fn kary(topology: &Topology) -> Option<(u32, u32)> {
    let tree = topology.plain_tree()?;
    let (k, n) = (tree.children(1), tree.height());
    let level = |l| tree.children(l) == k && tree.parents(l) == if l == 1 { 1 } else { k };
    (k > 1 && (1..=n).all(level)).then_some((k, index32(n)))
}

/// Whether some pairs of hosts of a tree have more than one shortest path: those of FT(m,n) with m > 2, n > 1.
#[must_use]
pub fn has_choice(topology: &Topology) -> bool {
    topology.plain_tree().is_none_or(|tree| (2..=tree.height()).any(|l| tree.parents(l) > 1))
}

/// m/2 of FT(m,`n`).
#[must_use]
pub fn half(topology: &Topology, n: u32) -> Option<u64> {
    ft(topology).filter(|shape| shape.1 == n).map(|(m, _)| u64::from(m / 2))
}

/// √(m/2) of FT(m,2), when that is an integer.
#[must_use]
pub fn root(topology: &Topology) -> Option<u64> {
    let half = half(topology, 2)?;
    Some(half.isqrt()).filter(|root| root * root == half)
}

/// ⌈√x⌉.
#[must_use]
pub fn ceil_sqrt(x: u64) -> u64 {
    let root = x.isqrt();
    root + u64::from(root * root < x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn shapes() {
        let tree = |spec| generate(spec).unwrap();
        assert_eq!(ft(&tree("ft(6,3)")), Some((6, 3)));
        assert_eq!(ft(&tree("ft(4,1)")), Some((4, 1)));
        assert_eq!(ft(&tree("xgft(1;3;1)")), None);
        assert_eq!(ft(&tree("xgft(2;4,8;1,3)")), None);
        assert_eq!(eft2(&tree("ft(6,2)")), Some((6, 6)));
        assert_eq!(eft2(&tree("eft2(6,4)")), Some((6, 4)));
        assert_eq!(eft2(&tree("ftree(3,2,4)")), None);
        assert_eq!(ftree(&tree("ftree(3,2,4)")), Some((3, 2, 4)));
        assert_eq!(ftree(&tree("xgft(2;2,3;2,2)")), None);
        assert_eq!([1, 2, 4, 5].map(ceil_sqrt), [1, 2, 2, 3]);
    }
}
