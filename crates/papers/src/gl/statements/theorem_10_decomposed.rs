//! \[GL\] Theorem 10 for networks that are not laid out as their processors are numbered.
//!
//! The proof maps the processors of a network R to the leaves of the fat-tree in the order of a decomposition tree of R
//! ([`super::decomposed`]). Of a message set that R delivers in t steps every message that leaves a region has taken a
//! wire out of it, and each wire takes t at most, so that **λ(M) ≤ t·λ₁** with λ₁ the load factor of a step.
//!
//! A universal fat-tree of volume v as \[GL\] 2 has it, with host channels of one wire, has N leaves for v =
//! N·lg^(3/2) N and N^(2/3) = v^(2/3)/lg N wires at its root: lg N less than the surface of that volume. So regions that
//! fill their surface with wires have λ₁ of order lg N, whatever the number n of processors: O(t·lg v).
//!
//! The proof has O(t·lg(n/v^(2/3))) instead. For n = Θ(v/lg^(3/2) v) that is the same. For fewer it is less, and not
//! true of these fat-trees: the hypercube of n processors has volume Θ(n^(3/2)), so that n/v^(2/3) is constant. Wherever
//! its processors are mapped, some channel has n/3 to 2n/3 of them below: the heavier child of the root has half of them
//! at least, the heavier child of that half of these, and so on. Of m ≤ n/2 processors of a hypercube m·lg(n/m) ≥ m
//! wires lead to the others. So that channel, of no more wires than the topmost, has n/3 messages of a step, and λ₁ is
//! n/(3·N^(2/3)) at least, up to the rounding of capacities: Θ(lg N). Larger constants of the volumes take a larger n.
//! A root of v^(2/3)/lg(n/v^(2/3)) wires would be enough where processors have O(1) wires each; those of a hypercube have
//! lg n, which the host channel of a leaf with one wire takes in lg n cycles.
//!
//! The time of Theorem 10 does not suffer from it while lg v = O(lg n).

use super::decomposed::Decomposed;
use super::lemma_2::shape;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new(
    "gl-theorem-10-decomposed",
    "[GL] 6, proof of Theorem 10, for hypercubes, butterflies and trees of meshes",
)
    .about("A message set that a hypercube, a butterfly or a tree of meshes delivers in t steps has load \
            factor at most 2 t lg N on the universal fat-tree of N leaves and of its volume N lg^(3/2) N, \
            with processors mapped to leaves in the order of a decomposition tree")
    .hypothesis("hypercubes of 4 to 4096 processors, of volume n^(3/2); butterflies of 4 to 512 rows, of volume rows^(3/2); trees of meshes of side 2 to 16, of volume n; a step, growth=quadruple3, the least N with a place for every processor")
    .ours()
    .quote("The routing network R of volume v is mapped to FT in such a way that any message set M that can be delivered in time t by R puts a load factor of at most $O(t \\lg(n/v^{2/3}))$ on FT.")
    .cases(|scope| check(scope, 2))
    // With lg N, which hypercubes exceed.
    .planted(Planted::Check(|scope| check(scope, 1)));

pub(super) const ROOT: Statement = Statement::new("gl-theorem-10-root", "[GL] 6, proof of Theorem 10")
    .about("A step of a network of volume v on n processors has load factor C max{1, lg(n/v^(2/3))} at most \
            on a universal fat-tree of volume v, for some C and some map of processors to leaves")
    .hypothesis("the hypercube of n = 2^h processors, v = n^(3/2), universal(N,growth=quadruple3) with N lg^(3/2) N >= v, C = 1, 10, 100, 1000: the least load factor of any map")
    .quote("puts a load factor of at most $O(t \\lg(n/v^{2/3}))$ on FT.")
    .cases(check_root)
    .remark(
        RemarkKind::Imprecise,
        |case| !case.numbers.is_empty(),
        "the root of a universal fat-tree as [GL] 2 has it has Theta(v^(2/3)/lg v) wires, whatever n: O(t lg v) is meant, which is O(t lg n) where n is not less than a power of v; a hypercube has n/v^(2/3) = O(1) and load factors of order lg n",
    )
    // Of order lg^2 N.
    .planted(Planted::Check(|_| Ok(vec![mended(2)])));

/// C.
const CONSTANTS: [u64; 4] = [1, 10, 100, 1000];

/// Maximum lg n.
const MOST: u64 = 1 << 16;

/// Load factors of steps, at most `times`·lg N.
fn check(scope: &Scope, times: u64) -> Findings {
    let hypercubes = (2..=12).map(Decomposed::hypercube);
    let butterflies = (2..=9).map(Decomposed::butterfly);
    let trees = (1..=4).map(Decomposed::tree_of_meshes);
    let mut findings = scope.each(hypercubes.chain(butterflies).chain(trees), |network| {
        let height = network.fat_tree();
        let fat_tree = shape(1 << height, "quadruple3", 1)?;
        let factor = network.step_load_factor(fat_tree.wires());
        let bound = Rational::from(times * u64::from(height));
        let case = format!("{}, {} processors", network.name, network.processors());
        let (claimed, found) = (format!("<= {bound} for lg N = {height}"), factor.to_string());
        let basis = Basis::Grid { points: 1 };
        Ok(Finding::holds(case, claimed, found, factor <= bound, basis))
    })?;
    findings.push(Finding::argued(
        "every M and t",
        "load factor <= t times that of a step",
        "by the wires that leave a region",
        "the docs of crates/papers/src/gl/statements/theorem_10_decomposed.rs",
    ));
    Ok(findings)
}

/// As printed, and with lg N.
fn check_root(scope: &Scope) -> Findings {
    let mut findings = scope.each(CONSTANTS, |constant| Ok(printed(constant)))?;
    findings.push(mended(1));
    Ok(findings)
}

/// For the hypercube of 2^height processors, lg N and lg of three times the least load factor of a step.
fn least(height: u64) -> (u64, u64) {
    // With lg lg N rounded down, N is not too small for the volume.
    let has_volume = |lg: &u64| 2 * lg + 3 * u64::from(lg.ilog2()) >= 3 * height;
    let leaves = (height..=2 * height).find(has_volume).unwrap_or(2 * height);
    let topmost = (2 * (leaves - 1)).div_ceil(3);
    (leaves, height - topmost)
}

/// 4, 8, 16, …, up to `MOST`.
fn heights() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(4), |height| Some(2 * height)).take_while(|height| *height <= MOST)
}

/// The first n for which the bound does not hold.
fn printed(constant: u64) -> Finding {
    let exceeds = |height: &u64| 1_u64 << least(*height).1 > 3 * constant;
    let wrong = heights().find(exceeds);
    let claimed = format!("<= {constant}");
    let wrong =
        wrong.map(|height| format!("at least {}/3 for lg n = {height}", 1_u64 << least(height).1));
    let case = Case::of(format!("C = {constant}"), [constant]);
    let found = format!("so up to lg n = {MOST}");
    Finding::unless(case, claimed, found, wrong, Basis::Grid { points: 1 })
}

/// The least load factors over lg^power N.
fn mended(power: u32) -> Finding {
    let parts: Vec<Rational> = heights()
        .filter_map(|height| {
            let (leaves, triple) = least(height);
            Rational::new(1 << triple, 3 * leaves.pow(power))
        })
        .collect();
    let [least, most] =
        [parts.iter().min(), parts.iter().max()].map(|part| part.cloned().unwrap_or_default());
    let found = format!("{:.3} to {:.3} of it", least.to_f64(), most.to_f64());
    let claimed = format!("an eighth of lg^{power} N to lg^{power} N");
    let holds = least >= fraction(1, 8) && most <= Rational::ONE;
    let basis = Basis::Grid { points: parts.len() as u64 };
    Finding::holds(format!("lg^{power} N"), claimed, found, holds, basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No map does better: not the decomposition tree, whose load factor is at least this.
    #[test]
    fn least_load_factors_are_below_those_of_steps() {
        for height in 4..=12 {
            let (leaves, triple) = least(height);
            let wires = shape(1 << leaves, "quadruple3", 1).unwrap().wires().to_vec();
            assert_eq!(1_u64 << (height - triple), *wires.last().unwrap());
            let network = Decomposed::hypercube(height.try_into().unwrap());
            assert!(fraction(1 << triple, 3) <= network.step_load_factor(&wires), "{height}");
            assert!(leaves >= u64::from(network.fat_tree()), "{height}");
        }
    }
}
