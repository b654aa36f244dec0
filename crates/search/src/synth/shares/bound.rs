//! A bound that no routing with k paths per pair is below, whatever the shares.
//!
//! Let a two-level tree have r ≥ 4 leaf switches of n hosts each, n ≤ r/2, one link per host, and n top switches, the
//! *roots*: FT(m,2) is one, with n = m/2 and r = m. Every pair of hosts of different leaves has at most k paths, which
//! lead up, then down, each through another root: any roots and any shares, which may differ from pair to pair and from
//! leaf to leaf.
//!
//! **Every such routing has a permutation that puts √(n/k) = √(kn)/k or more on a link.** The optu of a permutation is
//! at most 1 here, so the oblivious ratio is at least √(n/k) too. It is at least 1 in any case.
//!
//! *Proof.* Let x_ρ(s,d) be the share of the pair (s,d) through root ρ, and X the most that a permutation puts on any
//! link between leaves and roots. A permutation that maximises the load of one link is a matching of maximum weight,
//! so by duality X bounds the sum of weights a ≥ 0 of hosts that *cover* the link. On the link from leaf u up to ρ let
//! a_u(s) be the weights of its hosts s as sources and b_u(d) those of hosts d elsewhere as destinations; on the link
//! from ρ down to leaf v let e_v(d) be those of its hosts d as destinations and c_v(s) those of hosts s elsewhere as
//! sources. For s in u and d in v, u ≠ v,
//!
//!  x ≤ a_u(s) + b_u(d)  and  x ≤ c_v(s) + e_v(d),  so  x² ≤ (a_u(s) + b_u(d))·(c_v(s) + e_v(d)).
//!
//! *What a root carries.* Summed over all pairs between different leaves, the right side is at most r(r−1)X². It is
//! linear in the weights of each link while those of the others stay, no coefficient is negative, and the weights of a
//! link sum to at most X: some maximum value has all the weight of each link, X, on one host, its *pick*. Let P be the
//! leaves u whose pick, up, is the destination in another leaf, and Q the leaves v whose pick, down, is the source in
//! another leaf; p, q their numbers; p₁ of the former pick a host of a leaf outside Q, q₁ of the latter one of a leaf
//! outside P. Divided by X², the sum of
//!
//! - a·e is the number of (u,v), u outside P, v outside Q, u ≠ v: (r−p)(r−q) less the number D of leaves outside both;
//! - b·e is at most n·p₁, as u in P has a product with the pick d of u only, if that is the pick of its leaf, with n
//!   sources s; likewise a·c is at most n·q₁;
//! - b·c is at most min(p−p₁, q−q₁), as u in P has a product for one v only, and v in Q for one u.
//!
//! If p = r, no leaf is outside P, so q₁ = 0 and the first part is 0; the others are at most n·p₁ + (r−p₁) ≤ n·r ≤
//! r(r−1). Likewise if q = r. Otherwise let α = r−p and β = r−q, both at least 1. The last three parts are at most
//! n(p+q), so with n ≤ r/2 the sum exceeds r(r−1) by at most
//!
//!  φ = αβ − (r/2)(α+β) + r − D,  D ≥ max(0, α+β−r).
//!
//! If α + β ≤ r, drop D: for given β, φ is linear in α. At α = r−β it is β(r−β) − r²/2 + r ≤ r − r²/4 ≤ 0; at α = 1 it
//! is r/2 − β(r/2−1), not above 0 from β = 2 on; and for β = 1 the same holds from α = 2 on, by symmetry. If α + β ≥
//! r, φ ≤ αβ − (r/2+1)(α+β) + 2r is linear in α as well, no more than 0 at α = r−β as before, and (β−r)(r/2−1) ≤ 0 at
//! α = r. There remains α = β = 1, one leaf u outside P and one leaf v outside Q. If u = v, the first part is 0 and
//! the rest at most 2n(r−1) ≤ r(r−1). If not, the first part is 1; leaf u, in Q, picks no host of its own, so q₁ ≤
//! r−2, likewise p₁ ≤ r−2; each that is not among those adds at most 1/2 in place of n ≥ 1: at most 1 + 2n(r−2) + 1 ≤
//! r(r−2) + 2 ≤ r(r−1).
//!
//! *All roots.* The shares of a pair sum to 1 and at most k of them are not 0, so by Cauchy their squares sum to at
//! least 1/k. All n roots and r(r−1)n² pairs: r(r−1)n²/k ≤ n·r(r−1)X², X² ≥ n/k. ∎
//!
//! Where kn is a square, k paths of equal share reach it (`kpath(k=K,choice=grid)`, whose ratio is ⌈√(kn)⌉/k): no
//! shares are better. Where it is not, the bound is irrational and so not attained by rational shares; how close they
//! come is open. That no *equal* shares have less than ⌈√(kn)⌉/k is another theorem (`crates/proof/src/checker/COUNTING.md`,
//! Several paths).
//!
//! *Designs by index.* If roots and shares of a pair depend only on the places of its hosts below their leaves, i and
//! j, as in what [`super::find`] finds, the proof is one line. For every index j there are r − 1 ≥ n other leaves, so
//! the sources of a leaf can all send to the same j, and the worst permutation puts Σ_i max_j x_ρ(i,j) on a link up to
//! ρ and Σ_j max_i x_ρ(i,j) on one down: X bounds both. x² ≤ max_j x(i,j) · max_i x(i,j), so Σ_ij x_ρ(i,j)² ≤ X² for
//! each of the n roots, while every one of the n² cells has squares that sum to 1/k at least.

use crate::integer::as_size;
use crate::rational::Rational;
use crate::topology::Xgft;

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
