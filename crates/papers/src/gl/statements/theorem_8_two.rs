//! \[GL\] Theorem 8, proof: load factors from 1 to 2.
//!
//! "We need add only the k2 lg n cycles executed when we call TRY-GUESS(2)": after line 1 of RANDOM,
//! these, and the cycle with which TRY-GUESS ends, 2 + k2·lg n cycles have been made. But line 4 calls
//! TRY-GUESS(2) only if 2·k1 < k2·lg n. Otherwise the first guess is g = (k2/k1)·lg n lg lg n:
//!
//! - g < 2: it is tried in vain, and a later one has λ ≥ 2, which takes ⌊2·k1⌋ cycles or more.
//! - g ≥ 2: λ = g takes ⌊k2·lg n⌋ cycles, and if g > 2, λ = g/2 as many again.
//!
//! That makes more than 2 + k2·lg n, unless g = 2, for n = 4 and 2·k1 = k2·lg n. For constant k1 and k2
//! it concerns finitely many n, so the bound O(lg n) of Figure 4 stands; [`super::figure_4`] has
//! constants for it. With those of the proof, k1 = 4r/q and k2 = 36r, it concerns every n with lg n ≤
//! 2/(9q) = (2/9)e^4 r ln r, which is 314.8 for r = 4e.

use super::figure_4::{CONSTANTS, Counted, HEIGHT};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-theorem-8-up-to-2", "[GL] 4, proof of Theorem 8")
    .about("For 1 < lambda(M) <= 2, RANDOM has tried its first guess of at least lambda(M) after the k2 lg n cycles of TRY-GUESS(2) and two that send everything")
    .hypothesis("lg n = 2..24, eight pairs k1, k2, and those of the proof among them")
    .quote("we need add only the $k_2 \\lg n$ cycles executed when we call *TRY-GUESS*(2).")
    .cases(|scope| check(scope, 2))
    .remark(
        RemarkKind::Imprecise,
        |case| match case.numbers[..] { [twice, least, height] => twice > least || twice == least && height > 2, _ => false, },
        "TRY-GUESS(2) is called only if 2 k1 < k2 lg n, with the constants of the proof and r = 4e only for n > 2^314; otherwise the first guess is (k2/k1) lg n lg lg n, and there are more cycles unless it is 2. For constant k1 and k2 that are finitely many n: the bound O(lg n) stands",
    )
    // Without the cycles that send everything.
    .planted(Planted::Check(|scope| check(scope, 0)));

/// With `more` cycles besides k2 lg n.
fn check(scope: &Scope, more: u64) -> Findings {
    scope.each(CONSTANTS, |constants| {
        let findings = (2..=HEIGHT).map(|height| finding(height, constants, more));
        Ok(findings.collect::<Vec<_>>())
    })
}

fn finding(height: u64, [k1, k2]: [u64; 2], more: u64) -> Finding {
    let name = format!("k1 = {k1}, k2 = {k2}, lg n = {height}");
    let case = Case::of(name, [2 * k1, k2 * height, height]);
    let basis = Basis::Grid { points: 1 };
    let counted = Counted::of(height, [k1, k2]);
    let two = counted.and_then(|c| c.tried.into_iter().find(|(guess, _)| *guess >= 2.into()));
    let Some((_, cycles)) = two else {
        let open = Outcome::Open("the count is not certain".to_string());
        return Finding::new(case, "a count", "", open, basis);
    };
    let most = k2 * height + more;
    Finding::holds(case, format!("<= {most}"), cycles.to_string(), cycles <= most, basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// k1 = 4, k2 = 1: for lg n = 9 the guess 2 takes 9 cycles. For lg n = 8 the first guess is 6, with λ
    /// = 6, 3, 1.5 and 24, 12, 8 cycles. For lg n = 2 it is 1/2, then 1, then 2, with 8 cycles.
    #[test]
    fn by_hand() {
        let of = |height| {
            let found = finding(height, [4, 1], 2);
            (found.found.clone(), found.fails())
        };
        assert_eq!(of(9), ("11".to_string(), false));
        assert_eq!(of(8), (46.to_string(), true));
        assert_eq!(of(2), (12.to_string(), true));
    }
}
