//! The numbers of a binary fat-tree alone: hosts, and wires of the channels of every level.

use serde::Deserialize;

use super::KIND;
use crate::limit::within;
use crate::spec::Spec;
use crate::topology::TopologyError;

#[derive(Deserialize)]
struct Options {
    n: u64,
    growth: Growth,
    leaf: u64,
    root: Root,
}

/// Whether the root has a channel to the outside world.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Root {
    Closed,
    Open,
}

/// Maximum number of wires of a host channel, so that every capacity fits in 64 bits.
const MAX_LEAF: u64 = 1 << 20;

/// How the capacity of channels grows towards the root.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Growth {
    Double2,
    Quadruple3,
    Sqrt2,
    Cbrt4,
    Double,
    Linear,
    Constant,
}

impl Growth {
    /// The capacity of channel k above host channels of `leaf` wires.
    fn capacity(self, leaf: u64, k: u32) -> u64 {
        match self {
            Self::Double2 => leaf << k.div_ceil(2),
            Self::Quadruple3 => leaf << (2 * k).div_ceil(3),
            Self::Sqrt2 => rounded_root(u128::from(leaf).pow(2) << k, 2),
            Self::Cbrt4 => rounded_root(u128::from(leaf).pow(3) << (2 * k), 3),
            Self::Double => leaf << k,
            Self::Linear => leaf * u64::from(k + 1),
            Self::Constant => leaf,
        }
    }
}

/// The fat-tree that a spec of the family `universal` names, as numbers alone: neither a node nor a
/// link is generated, so it may be larger than a [`Topology`](crate::topology::Topology).
///
/// Channel k is above a subtree of 2^k hosts, 0 ≤ k < lg n, and has as many wires up as down; there
/// are n/2^k of them. The root channel, where there is one, is channel lg n.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::topology::UniversalShape;
/// let shape = UniversalShape::named("universal(16,root=open)")?.ok_or("another family")?;
/// assert_eq!((shape.hosts(), shape.height()), (16, 4));
/// assert_eq!((shape.wires(), shape.root()), (&[1, 2, 2, 4][..], Some(4)));
/// // [GL] 5: the root channel of a standard fat-tree of 4^h hosts has √n wires.
/// let large = UniversalShape::named("universal(1048576,root=open)")?.ok_or("another family")?;
/// assert_eq!(large.root(), Some(1024));
/// assert!(UniversalShape::named("ft(4,2)")?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniversalShape {
    spec: String,
    hosts: u64,
    wires: Vec<u64>,
    root: Option<u64>,
}

impl UniversalShape {
    /// The largest number of hosts.
    pub const MAX_HOSTS: u64 = 1 << 24;

    /// The shape that a spec names; `None` for another family. O(lg n).
    ///
    /// # Errors
    /// [`TopologyError`] when the text is not a spec, or as [`Self::of`].
    pub fn named(spec: &str) -> Result<Option<Self>, TopologyError> {
        let spec = Spec::parse(spec)?;
        (spec.name == KIND.name).then(|| Self::of(&spec)).transpose()
    }

    /// The shape of a spec of the family `universal`, whose name is not looked at. O(lg n).
    ///
    /// # Errors
    /// [`TopologyError::Spec`] when n is not a power of two from 2 on or an option is unknown,
    /// [`TopologyError::TooLarge`] above [`Self::MAX_HOSTS`] hosts.
    pub fn of(spec: &Spec) -> Result<Self, TopologyError> {
        Self::within(&spec.clone().checked(KIND.usage)?, Self::MAX_HOSTS)
    }

    /// As [`Self::of`] a checked spec, with at most `most` hosts, which is at most [`Self::MAX_HOSTS`].
    pub(super) fn within(spec: &Spec, most: u64) -> Result<Self, TopologyError> {
        let Options { n: hosts, growth, leaf, root } = spec.read()?;
        if hosts < 2 || !hosts.is_power_of_two() {
            let problem = format!("n = {hosts} must be a power of two, at least 2");
            return Err(spec.refused(problem).into());
        }
        within("number of hosts", Some(hosts.into()), most, "choose a smaller tree")?;
        if leaf == 0 || leaf > MAX_LEAF {
            return Err(spec.refused(format!("leaf = {leaf} must be in 1..={MAX_LEAF}")).into());
        }
        let height = hosts.ilog2();
        let root = (root == Root::Open).then(|| growth.capacity(leaf, height));
        let wires = (0..height).map(|k| growth.capacity(leaf, k)).collect();
        Ok(Self { spec: spec.to_string(), hosts, wires, root })
    }

    /// The canonical spec.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Number n of hosts at the leaves, without the outside world.
    #[must_use]
    pub fn hosts(&self) -> u64 {
        self.hosts
    }

    /// lg n, the number of levels of switches.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.hosts.ilog2()
    }

    /// Wires of channel k, in either direction, for k = 0, …, lg n − 1.
    #[must_use]
    pub fn wires(&self) -> &[u64] {
        &self.wires
    }

    /// Wires of the channel between the root and the outside world, in either direction; `None`
    /// where it is left out (`root=closed`).
    #[must_use]
    pub fn root(&self) -> Option<u64> {
        self.root
    }
}

/// The integer nearest to the `degree`-th root of `radicand`; the root is at most 2^36 and never
/// halfway between two integers.
fn rounded_root(radicand: u128, degree: u32) -> u64 {
    let target = radicand << degree;
    let is_below = |c: u64| u128::from(2 * c + 1).pow(degree) <= target;
    // The answer is the first integer that is not below.
    let (mut low, mut high) = (0, 1_u64 << 37);
    while low < high {
        let middle = low.midpoint(high);
        if is_below(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(spec: &str) -> UniversalShape {
        UniversalShape::named(spec).unwrap().unwrap()
    }

    #[test]
    fn roots_are_rounded_to_the_nearest() {
        for value in
            [0_u128, 1, 2, 3, 5, 6, 7, 12, 13, 1 << 40, (1 << 60) - 1, 1 << 64, 1 << 90, 1 << 108]
        {
            for degree in [2, 3].into_iter().filter(|degree| *degree == 3 || value <= 1 << 64) {
                let root = u128::from(rounded_root(value, degree));
                // value^(1/degree) is within 1/2 of the root: compare powers of twice each.
                let doubled = value << degree;
                assert!((2 * root + 1).pow(degree) > doubled, "{value} {degree}");
                assert!(root == 0 || (2 * root - 1).pow(degree) <= doubled, "{value} {degree}");
            }
        }
    }

    /// [GL] 5: a standard fat-tree of n = 4^h hosts has a root channel of √n wires; the other rules
    /// have the capacity that comes next.
    #[test]
    fn the_root_channel_follows_the_rule() {
        for h in 1..=12 {
            let root = shape(&format!("universal({},root=open)", 1_u64 << (2 * h))).root();
            assert_eq!(root, Some(1 << h));
        }
        for (spec, root) in [
            ("universal(2,root=open)", Some(2)),
            ("universal(8,root=open)", Some(4)),
            ("universal(8,growth=quadruple3,root=open)", Some(4)),
            ("universal(8,growth=sqrt2,root=open)", Some(3)),
            ("universal(8,growth=cbrt4,root=open)", Some(4)),
            ("universal(8,growth=double,root=open,leaf=3)", Some(24)),
            ("universal(8,root=open,growth=linear)", Some(4)),
            ("universal(8,growth=constant,root=open)", Some(1)),
            ("universal(8,root=closed)", None),
            ("universal(8)", None),
        ] {
            assert_eq!(shape(spec).root(), root, "{spec}");
        }
    }

    /// The widest tree of all: leaf^3·2^(2k) under a cube root.
    #[test]
    fn the_largest_shapes_fit_in_64_bits() {
        for growth in ["double2", "quadruple3", "sqrt2", "cbrt4", "double", "linear", "constant"] {
            let spec = format!("universal(16777216,growth={growth},leaf=1048576,root=open)");
            let largest = shape(&spec);
            assert_eq!(
                (largest.hosts(), largest.height(), largest.wires().len()),
                (1 << 24, 24, 24)
            );
            assert!(largest.wires().windows(2).all(|pair| pair[0] <= pair[1]), "{spec}");
            let root = largest.root().unwrap();
            let expected = match growth {
                "double2" | "sqrt2" => 1 << 32,
                "quadruple3" | "cbrt4" => 1 << 36,
                "double" => 1 << 44,
                "linear" => 25 << 20,
                _ => 1 << 20,
            };
            assert_eq!(root, expected, "{spec}");
        }
    }

    #[test]
    fn refuses_what_is_no_shape() {
        for (spec, says) in [
            ("universal(33554432)", "limit of 16777216"),
            ("universal(12)", "power of two"),
            ("universal(8,root=4)", "`root=4` is not one of closed, open"),
            ("universal(8,root=open,root=open)", "option `root` is given twice"),
            ("universal(8", "cannot read"),
        ] {
            let error = UniversalShape::named(spec).unwrap_err().to_string();
            assert!(error.contains(says), "{spec}: {error}");
        }
    }
}
