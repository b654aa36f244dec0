//! \[GL\] Theorem 10, proof: the bound on the load factor where there are few processors.
//!
//! The theorem is about n = O(v/lg^(3/2) v) processors, so n may be small. For n ≤ v^(2/3) the
//! logarithm in O(t lg(n/v^(2/3))) is not positive, but a single message has a positive load factor.
//! With as many processors as there may be, n/v^(2/3) is v^(1/3)/lg^(3/2) v, and the logarithm Θ(lg n).

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-theorem-10-volume", "[GL] 6, proof of Theorem 10")
    .about("The bound t lg(n/v^(2/3)) on the load factor of what is delivered in t >= 1 steps is above 0, \
            as load factors of messages are")
    .hypothesis("v = 8^j, j = 6..20, powers of two n up to v/lg^(3/2) v")
    .quote("puts a load factor of at most $O(t \\lg(n/v^{2/3}))$ on FT.")
    .cases(|scope| check(scope, 2))
    .remark(
        RemarkKind::Imprecise,
        |case| matches!(case.numbers[..], [height, side] if height <= 2 * side),
        "for n <= v^(2/3), which n = O(v/lg^(3/2) v) allows, the logarithm is 0 or less; max{1, lg(n/v^(2/3))} is meant, and it is Theta(lg n) for n = Theta(v/lg^(3/2) v)",
    )
    // With v in place of v^(2/3).
    .planted(Planted::Check(|scope| check(scope, 3)));

/// lg(n/v^(power/3)) for v = 8^side and n = 2^height.
fn check(scope: &Scope, power: u64) -> Findings {
    let mut findings = Vec::new();
    for side in 6..=20_u64 {
        scope.progress.check()?;
        // lg v ≥ 2^lg_lg.
        let lg_lg = u64::from((3 * side).ilog2());
        let most = 3 * side - 3 * lg_lg / 2;
        for height in [side, 2 * side, most.min(2 * side + 1), most] {
            let name = format!("v = 2^{}, n = 2^{height}", 3 * side);
            if findings.iter().any(|finding: &Finding| finding.case.name == name) {
                continue;
            }
            let found = format!("lg n - lg v^({power}/3) = {height} - {}", power * side);
            let (case, holds) = (Case::of(name, [height, side]), height > power * side);
            findings.push(Finding::holds(case, "> 0", found, holds, Basis::Grid { points: 1 }));
        }
    }
    Ok(findings)
}
