//! A bound that no routing with k paths per pair is below, whatever the shares.
//!
//! On FT(m,2), with n = m/2 and m leaf switches, and on other trees with n hosts on each of at least max(4, 2n) leaf
//! switches and n top switches, the *roots*, some permutation puts √(n/k) = √(kn)/k or more on a link, and its optu is
//! at most 1, so that the oblivious ratio is no less either; it is at least 1 in any case. The proof, for all trees of
//! two levels, is in `crates/proof/src/checker/FEW_PATHS.md` ([`FewPaths`](crate::certificate::FewPaths)).
//!
//! Where kn is a square, k paths of equal share reach it (`kpath(k=K,choice=grid)`, whose ratio is ⌈√(kn)⌉/k): no
//! shares are better. Where it is not, the bound is irrational and so not attained by rational shares; how close they
//! come is open. That no *equal* shares have less than ⌈√(kn)⌉/k is another theorem
//! (`crates/proof/src/checker/COUNTING.md`, Several paths).
//!
//! *Designs by index.* If roots and shares of a pair depend only on the places of its hosts below their leaves, i and
//! j, as in what [`super::find`] finds, the proof is one line. For every index j there are r − 1 ≥ n other leaves, so
//! the sources of a leaf can all send to the same j, and the worst permutation puts Σ_i max_j x_ρ(i,j) on a link up to
//! ρ and Σ_j max_i x_ρ(i,j) on one down: X bounds both. x² ≤ max_j x(i,j) · max_i x(i,j), so Σ_ij x_ρ(i,j)² ≤ X² for
//! each of the n roots, while every one of the n² cells has squares that sum to 1/k at least.

use crate::prelude::*;

/// Parts of 1 that a bound is rounded down to.
const PARTS: u64 = 10_000;

/// √(n/k), or 1 where that is more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeastLoad {
    /// n, hosts of a leaf switch.
    hosts: u64,
    /// k, at most n.
    paths: u64,
}

impl LeastLoad {
    /// The bound for `paths` paths per pair; `None` for none, and on trees that the theorem is not about.
    ///
    /// ```
    /// # use routebound_search as routebound;
    /// use routebound::{rational::Rational, synth::shares::LeastLoad, topology};
    /// let tree = topology::generate("ft(10,2)")?;
    /// let least = LeastLoad::of(tree.tree().ok_or("no labels")?, 2).ok_or("not about it")?;
    /// assert_eq!(least.to_string(), "sqrt(5/2), at least 1.5811");
    /// assert_eq!(least.rounded_down(), Rational::from_decimal("1.5811")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(tree: &Xgft, paths: u32) -> Option<Self> {
        let is_about = tree.height() == 2
            && tree.parents(1) == 1
            && tree.parents(2) == tree.children(1)
            && tree.children(2) >= 4.max(2 * tree.children(1));
        let hosts = tree.children(1).into();
        (is_about && paths > 0).then(|| Self { hosts, paths: hosts.min(paths.into()) })
    }

    /// Hosts of a leaf switch.
    pub(super) fn indices(&self) -> usize {
        as_size(self.hosts)
    }

    /// The value of the bound where that is rational.
    #[must_use]
    pub fn exact(&self) -> Option<Rational> {
        let square = self.hosts * self.paths;
        let root = square.isqrt();
        Rational::new(root, self.paths).filter(|_| root * root == square)
    }

    /// The value of the bound, or the next number below it with four decimals.
    #[must_use]
    pub fn rounded_down(&self) -> Rational {
        let rounded = || Rational::new(self.parts(), PARTS);
        // No denominator is 0.
        self.exact().or_else(rounded).unwrap_or(Rational::ONE)
    }

    /// The whole ten thousandths in it: those in √y are those in √⌊y⌋.
    fn parts(&self) -> u64 {
        (self.hosts * PARTS * PARTS / self.paths).isqrt()
    }

    /// Whether it is above `numerator / denominator`.
    #[must_use]
    pub fn exceeds(&self, numerator: u64, denominator: u64) -> bool {
        let square = |number: u64| u128::from(number).pow(2);
        square(numerator) * u128::from(self.paths) < square(denominator) * u128::from(self.hosts)
    }
}

impl std::fmt::Display for LeastLoad {
    /// `2`, or `sqrt(5/2), at least 1.5811`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(exact) = self.exact() {
            return exact.fmt(f);
        }
        let square = Rational::new(self.hosts, self.paths).unwrap_or(Rational::ONE);
        let parts = self.parts();
        write!(f, "sqrt({square}), at least {}.{:04}", parts / PARTS, parts % PARTS)
    }
}
