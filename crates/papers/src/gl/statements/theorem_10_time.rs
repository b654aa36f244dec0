//! \[GL\] Theorem 10: the total time as printed.
//!
//! The proof has O(t lg(n/v^(2/3)) + lg n lg lg n) delivery cycles of O(lg² n) time each. That is O((t + lg
//! lg n) lg³ n), with one factor lg n more than is printed; \[GL\] 6, "Another universal network", counts
//! in the same way, with (λ(M) + lg n lg lg n) lg² n here and lg⁴ n there.
//!
//! With the concentrators of \[GL\] 2, less does not do. Let n = 8^j, and R be the cubic mesh of n
//! processors with lg n wires a link, of volume O(n lg^(3/2) n), and M its step: t = 1. Of M n^(2/3)·lg n
//! messages go from one half to the other, and the channel that quadruples every three levels has
//! n^(2/3) wires there. So lg n delivery cycles or more take messages through the root, whatever the
//! algorithm, and in each of these the concentrators on the way have a depth of ([`super::delay`]):
//! lg 2^(e+1) = e + 1 on the way up from channels of 2^e wires, e_h in the root, and e + 1 on the way down
//! to where those above have 2^e. With e_k = ⌈2k/3⌉ that is (2/3)·lg² n at least. So all of it takes
//! (2/3)·lg³ n, which is not a constant times (1 + lg lg n) lg² n.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-theorem-10-time", "[GL] 6, Theorem 10")
    .about("A universal fat-tree delivers what a network of the same volume delivers in t steps in time \
            C (t + lg lg n) lg^2 n, for some C")
    .hypothesis("one step of cubic meshes of 2^h processors, 3 | h, with lg n wires a link, universal(n,growth=quadruple3), C = 1, 10, 100, 1000: least time of any algorithm, the depth of a concentrator of m inputs counted as ceil(lg m)")
    .quote("any message set M that can be delivered in time t by R can be delivered by FT in time $O((t + \\lg \\lg n) \\lg^2 n)$ with probability 1 - O(1/n).")
    .cases(|scope| check(scope, 3))
    .remark(
        RemarkKind::Wrong,
        |case| !case.numbers.is_empty(),
        "the proof has O((t + lg lg n) lg n) delivery cycles of O(lg^2 n) time each, so O((t + lg lg n) lg^3 n) in all, which [GL] 6 also counts with; lg n cycles of (2/3) lg^2 n switching delay cannot be avoided for one step of a cubic mesh with lg n wires a link",
    )
    // What the remark calls true, with lg^2 n.
    .planted(Planted::Check(|scope| check(scope, 2)));

/// C.
const CONSTANTS: [u64; 4] = [1, 10, 100, 1000];

/// Maximum lg n.
const MOST: u64 = 1 << 16;

/// As printed, and with lg^power n.
fn check(scope: &Scope, power: u32) -> Findings {
    let mut findings = scope.each(CONSTANTS, |constant| Ok(printed(constant)))?;
    findings.push(mended(power));
    Ok(findings)
}

/// The least time of any algorithm for one step of the mesh of 2^height processors.
fn least(height: u64) -> u64 {
    let log_wires = |k: u64| (2 * k).div_ceil(3);
    let up: u64 = (0..height - 1).map(|k| log_wires(k) + 1).sum();
    let down: u64 = (1..height).map(|k| log_wires(k) + 1).sum();
    height * (up + log_wires(height - 1) + down)
}

/// An upper bound on t + lg lg n for t = 1.
fn steps(height: u64) -> u64 {
    1 + u64::from(height.next_power_of_two().ilog2())
}

/// 3, 6, 12, …, up to `most`.
fn heights(most: u64) -> impl Iterator<Item = u64> {
    let heights = std::iter::successors(Some(3), |height| Some(2 * height));
    heights.take_while(move |height| *height <= most)
}

/// The first n for which the bound does not hold.
fn printed(constant: u64) -> Finding {
    let bound = |height: u64| constant * steps(height) * height.pow(2);
    let wrong = heights(MOST).find(|height| least(*height) > bound(*height));
    let claimed = format!("{constant} (t + lg lg n) lg^2 n is enough");
    let wrong = wrong.map(|height| {
        format!("{} needed, not {}, for lg n = {height}", least(height), bound(height))
    });
    let case = Case::of(format!("C = {constant}"), [constant]);
    let found = format!("so up to lg n = {MOST}");
    Finding::unless(case, claimed, found, wrong, Basis::Grid { points: 1 })
}

/// What is needed, against (t + lg lg n)·lg^power n.
fn mended(power: u32) -> Finding {
    let parts: Vec<Rational> = heights(MOST)
        .filter_map(|height| Rational::new(least(height), steps(height) * height.pow(power)))
        .collect();
    let most = parts.iter().max().cloned().unwrap_or_default();
    let found = format!("at most {:.3} of it", most.to_f64());
    let claimed = format!("(t + lg lg n) lg^{power} n is enough for the way through the root");
    let basis = Basis::Grid { points: parts.len() as u64 };
    Finding::holds(format!("lg^{power} n"), claimed, found, most <= Rational::ONE, basis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gl::statements::delay::delay;
    use crate::gl::statements::lemma_2::shape;
    use crate::simulation::layout::mesh_crossing;

    /// Against the wires of the trees and the wires of the meshes.
    #[test]
    fn least_times_are_those_of_trees() {
        for bits in 1..=8 {
            let height = 3 * bits;
            let shape = shape(1 << height, "quadruple3", 1).unwrap();
            let top = *shape.wires().last().unwrap();
            let messages = mesh_crossing(3, bits, height - 1) * u64::from(height);
            let cycles = messages.div_ceil(top);
            assert_eq!(cycles, u64::from(height));
            assert_eq!(cycles * delay(shape.wires()), least(height.into()), "{height}");
            // (2/3)·lg³ n at least.
            assert!(3 * least(height.into()) >= 2 * u64::from(height).pow(3));
        }
    }
}
