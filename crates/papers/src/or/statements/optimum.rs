//! \[OR\] Theorems 3 to 5 for all routings of a tree, by certificates: the best single-path routing.
//!
//! [`crate::synth`] refutes every ratio below the bound, by counting or by an unsatisfiable formula
//! whose proof the checker verifies, for all single-path routings whose paths lead up, then down.

use super::lower_bounds::QUOTE_5;
use crate::synth::{OptimalAssessment, Options, least_ratio};
use crate::theorem::prelude::*;

pub(super) const THEOREM_3: Statement = Statement::new("or-theorem-3-optimum", "[OR] Theorem 3, with the routing grid")
    .about("The least PERF of any single path routing of FT(m,2) is ceil(sqrt(m/2))")
    .hypothesis("all single-path routings of FT(m,2)")
    .ours()
    .quote(r"making the lower bounds of the oblivious performance ratio for FT(m, 2) and FT(m, 3) (Theorem 3 and Theorem 4) tight bounds")
    .networks(
        |tree| matches!(shape::ft(tree), Some((_, 2))),
        |tree, scope| optimum(tree, scope, shape::ceil_sqrt),
    )
    .planted(Planted::Network(
        "ft(4,2)",
        |tree, scope| optimum(tree, scope, |half| shape::ceil_sqrt(half) + 1),
    ));

pub(super) const THEOREM_4: Statement = Statement::new("or-theorem-4-optimum", "[OR] Theorems 4 and 7")
    .about("The least PERF of any single path routing of FT(m,3) is m/2")
    .hypothesis("all single-path routings of FT(m,3)")
    .quote(r"making the lower bounds of the oblivious performance ratio for FT(m, 2) and FT(m, 3) (Theorem 3 and Theorem 4) tight bounds")
    .networks(
        |tree| matches!(shape::ft(tree), Some((_, 3))),
        |tree, scope| optimum(tree, scope, |half| half),
    )
    .planted(Planted::Network("ft(4,3)", |tree, scope| optimum(tree, scope, |half| half + 1)));

pub(super) const THEOREM_5: Statement = Statement::new("or-theorem-5-all", "[OR] Theorem 5")
    .about("No single path routing of FT(m,n), implemented or not, has PERF < (m/2)^floor((n-1)/3)")
    .hypothesis("all single-path routings of FT(m,n), m >= 4, n >= 4 (the bound is 1 below)")
    .quote(QUOTE_5)
    .networks(
        |tree| matches!(shape::ft(tree), Some((4.., 4..))),
        |tree, scope| at_least(tree, scope, |half, n| half.pow((n - 1) / 3)),
    )
    .remark(
        RemarkKind::CanBeSharpened,
        |_| true,
        "no single-path routing of FT(4,4) has ratio 2, its optimum is 3; counting excludes more on every FT(m,n) here",
    )
    // D-mod-k has ratio 4 on FT(4,4), not 8.
    .planted(Planted::Network(
        "ft(4,4)",
        |tree, scope| at_least(tree, scope, |half, n| half.pow(n - 1)),
    ));

/// Searches for a routing of the given ratio, or refutes it.
fn search(topology: &Topology, scope: &Scope, ratio: u64) -> Result<OptimalAssessment> {
    let options = Options { ratio: Some(index32(as_size(ratio))), ..Options::default() };
    let found = least_ratio(topology, &options, scope.progress);
    scope.progress.check()?;
    Ok(found?)
}

fn case(topology: &Topology) -> String {
    format!("all single-path routings of {}", topology.spec())
}

/// The claim that the best routing has ratio `claimed`(m/2).
fn optimum(topology: &Topology, scope: &Scope, claimed: fn(u64) -> u64) -> Findings {
    let (m, _) = fits(topology, shape::ft)?;
    if !shape::has_choice(topology) {
        return Ok(vec![Finding::vacuous(case(topology), ONE_PATH)]);
    }
    let claimed = claimed(u64::from(m / 2));
    let found = search(topology, scope, claimed.saturating_sub(1).max(1))?;
    let value = Rational::from(claimed);
    let holds = found.bounds.exact() == Some(&value);
    let wrong = found.bounds.lower > value || found.bounds.upper < value;
    Ok(vec![compare(topology, found, format!("= {claimed}"), holds, wrong, Outcome::Holds)])
}

/// The claim that no routing has a ratio below `claimed`(m/2,n). It is open where the search does
/// not exclude a smaller ratio; a better routing refutes it.
fn at_least(topology: &Topology, scope: &Scope, claimed: fn(u64, u32) -> u64) -> Findings {
    let (m, n) = fits(topology, shape::ft)?;
    let claimed = claimed(u64::from(m / 2), n);
    if claimed <= 1 {
        return Ok(vec![Finding::vacuous(case(topology), NO_RATIO_BELOW_1)]);
    }
    let found = search(topology, scope, claimed - 1)?;
    let value = Rational::from(claimed);
    let slack = found.bounds.lower.checked_sub(&value);
    let (holds, wrong) = (slack.is_some(), found.bounds.upper < value);
    let outcome = slack.filter(|s| !s.is_zero()).map_or(Outcome::Holds, Outcome::Loose);
    Ok(vec![compare(topology, found, format!(">= {claimed}"), holds, wrong, outcome)])
}

/// `outcome` where the claim holds, a counterexample where it is wrong, open otherwise.
fn compare(
    topology: &Topology,
    found: OptimalAssessment,
    claimed: String,
    holds: bool,
    wrong: bool,
    outcome: Outcome,
) -> Finding {
    let (text, basis) = (found.bounds.to_string(), Basis::of(&found.bounds));
    if wrong {
        let finding = Finding::holds(case(topology), claimed, text, false, basis);
        return finding.certified_by(found.certificate);
    }
    let outcome = if holds { outcome } else { Outcome::Open(text.clone()) };
    Finding::new(case(topology), claimed, text, outcome, basis)
}
