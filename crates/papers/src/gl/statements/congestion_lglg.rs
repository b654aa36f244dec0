//! \[GL\] 4: the congestion parameter where all channels have capacity Ω(lg lg n).
//!
//! Let every channel have at least a·lg lg n wires, and let x = 2^(−k) with ak ≥ 3. A path has at
//! most 2 lg n channels, so it weighs at most 2 lg n · x^(a lg lg n) = 2 (lg n)^(1−ak) ≤ 2/(lg n)²
//! ≤ 1/2 from n = 4 on; for n = 2 it has two channels of at least one wire, which weigh 2x ≤ 1/2.
//! So r ≤ e·2^k for every n: a constant. More wires make a path lighter.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-congestion-lglg", "[GL] 4, after the definition of r")
    .about("The congestion parameter is a constant for any fat-tree based on a complete binary tree \
            if all the channels have capacity Omega(lg lg n): r <= 8e for lg lg n wires")
    .hypothesis("channels of a lg lg n wires, rounded up, a = 1/2, 1, 2: n up to 2^12, every n by argument")
    .quote("The congestion parameter is also constant for any fat-tree based on a complete binary tree if all the channels have capacity $\\Omega(\\lg \\lg n)$.")
    .cases(|scope| check(scope, wires))
    // Channels of one wire.
    .planted(Planted::Check(|scope| check(scope, |_, _| 1)));

/// Largest lg n.
const MOST: u32 = 12;

/// The factor a as numerator and denominator, with the k of the module docs.
const FACTORS: [([u32; 2], u32); 3] = [([1, 2], 6), ([1, 1], 3), ([2, 1], 2)];

/// The least positive integer that is at least a·lg `height`: 2^w ≥ height^a.
fn wires(height: u32, [numerator, denominator]: [u32; 2]) -> u64 {
    let reaches =
        |wires: &u32| u128::from(height).pow(numerator) <= 1_u128 << (wires * denominator).min(127);
    (1..=64).find(reaches).unwrap_or(64).into()
}

fn check(scope: &Scope, wires: fn(u32, [u32; 2]) -> u64) -> Findings {
    scope.each(FACTORS, |(factor, k)| on_factor(factor, k, wires))
}

fn on_factor(factor: [u32; 2], k: u32, wires: fn(u32, [u32; 2]) -> u64) -> Result<[Finding; 2]> {
    let x = fraction(1, 1 << k);
    let (half, mut heavy) = (fraction(1, 2), None);
    for height in 1..=MOST {
        let (topology, tree) = trees::tree(1 << height, "constant", wires(height, factor))?;
        let weight = tree.heaviest_path(&x);
        let weight = weight.ok_or_else(|| defect(topology.spec()))?;
        heavy = heavy.or((weight > half).then(|| topology.spec().to_string()));
    }
    let [numerator, denominator] = factor;
    let (name, claimed) = (format!("a = {numerator}/{denominator}"), format!("r <= {} e", 1 << k));
    let heavy = heavy.map(|spec| format!("not {spec}"));
    let small = format!("{name}, n = 2..2^{MOST}");
    let computed = Basis::Grid { points: MOST.into() };
    // The argument needs ak >= 3, and channels of a lg lg n wires.
    let fits = numerator * k >= 3 * denominator;
    let argued = Basis::Argued("the docs of crates/papers/src/gl/statements/congestion_lglg.rs");
    let weight = "a path weighs at most 2/(lg n)^2";
    Ok([
        Finding::unless(small, &claimed, "holds for all", heavy, computed),
        Finding::holds(format!("{name}, every n"), &claimed, weight, fits, argued),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// lg 2 = 1, lg 5 = 2.3, lg 16 = 4.
    #[test]
    fn wires_by_hand() {
        let of = |factor| [1, 2, 4, 5, 16].map(|height| wires(height, factor));
        assert_eq!(of([1, 1]), [1, 1, 2, 3, 4]);
        assert_eq!(of([1, 2]), [1, 1, 1, 2, 2]);
        assert_eq!(of([2, 1]), [1, 2, 4, 5, 8]);
    }
}
