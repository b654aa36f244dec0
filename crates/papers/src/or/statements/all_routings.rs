//! \[OR\] Theorems 2 to 4 for all routings of a small tree at once.
//!
//! Contract every SUBFT below the top links to a switch: this gives k switches with n hosts each
//! under t top switches. Every single-path routing distributes the k(k−1)n² SD pairs between
//! different ones over the t top switches, and one that keeps mds ≤ X puts at most T(X) on each.
//! T(X) is computed exactly ([`crate::theorem::root_capacity`]), so t·T(X) < k(k−1)n² excludes X
//! for all routings, including those that are not implemented here.
//!
//! Counting may exclude less than a theorem states. The case then stays open; it fails only where
//! D-mod-k is better than the theorem allows.

use super::lemma_8::work;
use super::lower_bounds::is_wide;
use crate::theorem::prelude::*;
use crate::theorem::root_capacity::most_pairs;

pub(super) const THEOREM_2: Statement = Statement::new("or-theorem-2-all", "[OR] Theorems 2, 3")
    .about("No single path routing of EFT2(m,k), k >= sqrt(2m), implemented or not, has PERF < sqrt(m/2): by exact T(X)")
    .hypothesis("all single-path routings of EFT2(m,k), k >= sqrt(2m), where T(X) can be searched")
    .quote(r"Let r be a single path routing algorithm on EFT2(m,k). If $k \ge \sqrt{2m}$, $PERF(r) \ge \sqrt{\frac{m}{2}}$.")
    .networks(is_wide, |topology, scope| of_two_levels(topology, scope, 0))
    .planted(Planted::Network("ft(4,2)", |topology, scope| of_two_levels(topology, scope, 1)));

pub(super) const THEOREM_4: Statement = Statement::new("or-theorem-4-all", "[OR] Theorem 4")
    .about("No single path routing of FT(m,3), implemented or not, has PERF < m/2: by exact T(X)")
    .hypothesis("all single-path routings of FT(m,3), where T(X) can be searched")
    .quote(r"Let r be a single path routing algorithm for FT(m,3), $PERF(r) \geq \frac{m}{2}$.")
    .networks(
        |tree| matches!(shape::ft(tree), Some((_, 3))),
        |topology, scope| of_three_levels(topology, scope, 0),
    )
    // Every routing has ratio 1 on FT(2,3).
    .planted(Planted::Network("ft(2,3)", |topology, scope| of_three_levels(topology, scope, 2)));

/// The claim that no routing has a ratio below ⌈√(m/2)⌉ + `more`.
fn of_two_levels(topology: &Topology, scope: &Scope, more: u64) -> Findings {
    let (m, k) = fits(topology, shape::eft2)?;
    let n = m as usize / 2;
    check(topology, scope, [n, k as usize, n], shape::ceil_sqrt(n as u64) + more)
}

/// The claim that no routing has a ratio below m/2 + `more`.
fn of_three_levels(topology: &Topology, scope: &Scope, more: u64) -> Findings {
    let (m, _) = fits(topology, shape::ft)?;
    let half = m as usize / 2;
    check(topology, scope, [half * half, m as usize, half * half], half as u64 + more)
}

/// The least X that counting does not exclude, for k switches of n hosts under t top switches.
fn check(topology: &Topology, scope: &Scope, [n, k, t]: [usize; 3], claimed: u64) -> Findings {
    let case = format!("all single-path routings of {}", topology.spec());
    if claimed <= 1 {
        return Ok(vec![Finding::vacuous(case, NO_RATIO_BELOW_1)]);
    }
    let pairs = (k * (k - 1) * n * n) as u64;
    let mut least: u64 = 1;
    loop {
        scope.progress.check()?;
        match most_pairs(n, k, as_size(least), work(scope), scope.progress)? {
            Some(most) if t as u64 * most < pairs => least += 1,
            // Too large to search before the bound is reached: no finding for this tree.
            None if least < claimed => return Ok(Vec::new()),
            _ => break,
        }
    }
    if least < claimed {
        return Ok(vec![by_counterexample(topology, scope, case, least, claimed)?]);
    }
    let basis =
        Basis::Argued("counting with T(X), crates/papers/src/or/statements/all_routings.rs");
    Ok(vec![Finding::at_least(case, claimed, least, basis)])
}

/// Tests a claim that counting does not reach against D-mod-k.
fn by_counterexample(
    topology: &Topology,
    scope: &Scope,
    case: String,
    least: u64,
    claimed: u64,
) -> Result<Finding> {
    let instance = scope.instance(topology.spec(), "dmodk")?;
    let finding = oblivious::at_least(&instance, scope, &claimed.into())?;
    if finding.fails() {
        return Ok(Finding { case: case.into(), ..finding });
    }
    let outcome = Outcome::Open(format!("counting does not exclude {least}"));
    Ok(Finding { case: case.into(), outcome, ..finding })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Check = fn(&Topology, &Scope, u64) -> Findings;

    fn outcome(check: Check, tree: &str, more: u64) -> Outcome {
        let progress = Progress::silent();
        let scope = Scope::new(Scope::HOSTS, &progress);
        let found = check(&generate(tree).unwrap(), &scope, more).unwrap();
        found.into_iter().next().unwrap().outcome
    }

    /// On FT(4,2) and EFT2(6,4) counting excludes ratios below 2 and no more; D-mod-k has 2 and 3.
    #[test]
    fn a_count_that_is_too_weak_is_no_counterexample() {
        assert_eq!(outcome(of_two_levels, "ft(4,2)", 0), Outcome::Holds);
        assert!(matches!(outcome(of_two_levels, "ft(4,2)", 1), Outcome::Fails(_)));
        assert!(matches!(outcome(of_two_levels, "eft2(6,4)", 1), Outcome::Open(_)));
    }

    #[test]
    fn a_bound_of_1_says_nothing() {
        assert!(matches!(outcome(of_three_levels, "ft(2,3)", 0), Outcome::Vacuous(_)));
    }
}
