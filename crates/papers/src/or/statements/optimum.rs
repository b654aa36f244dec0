//! \[OR\] Theorems 3 to 5 for all routings of a tree, by certificates: the best single-path routing.
//!
//! [`crate::synth`] refutes every ratio below the bound, by counting or by an unsatisfiable formula
//! whose proof the checker verifies, for all single-path routings whose paths lead up, then down.

use super::claims::{NO_RATIO_BELOW_1, NetworkCheck, ONE_PATH, has_choice};
use super::theorem_5;
use crate::integer::{as_size, index32};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::synth::{OptimalAssessment, Options, least_ratio};
use crate::theorem::{
    Basis, Finding, Outcome, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose,
    planted, shape,
};
use crate::topology::Topology;

pub(super) const THEOREM_3: Kind<Statement> = Kind {
    name: "or-theorem-3-optimum",
    usage: "or-theorem-3-optimum",
    options: &[],
    about: "The least PERF of any single path routing of FT(m,2) is ceil(sqrt(m/2))",
    reference: "[OR] Theorem 3, with the routing grid",
    examples: &["or-theorem-3-optimum"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,2)",
        whose: Whose::Ours,
        quote: r"making the lower bounds of the oblivious performance ratio for FT(m, 2) and FT(m, 3) (Theorem 3 and Theorem 4) tight bounds",
        subject: two_levels(|tree, scope| optimum(tree, scope, shape::ceil_sqrt)),
        remark: None,
        planted: |scope| {
            let more: NetworkCheck =
                |tree, scope| optimum(tree, scope, |half| shape::ceil_sqrt(half) + 1);
            planted::on(two_levels(more), "ft(4,2)", scope)
        },
    },
};

pub(super) const THEOREM_4: Kind<Statement> = Kind {
    name: "or-theorem-4-optimum",
    usage: "or-theorem-4-optimum",
    options: &[],
    about: "The least PERF of any single path routing of FT(m,3) is m/2",
    reference: "[OR] Theorems 4 and 7",
    examples: &["or-theorem-4-optimum"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,3)",
        whose: Whose::Paper,
        quote: r"making the lower bounds of the oblivious performance ratio for FT(m, 2) and FT(m, 3) (Theorem 3 and Theorem 4) tight bounds",
        subject: three_levels(|tree, scope| optimum(tree, scope, |half| half)),
        remark: None,
        planted: |scope| {
            planted::on(
                three_levels(|tree, scope| optimum(tree, scope, |half| half + 1)),
                "ft(4,3)",
                scope,
            )
        },
    },
};

pub(super) const THEOREM_5: Kind<Statement> = Kind {
    name: "or-theorem-5-all",
    usage: "or-theorem-5-all",
    options: &[],
    about: "No single path routing of FT(m,n), implemented or not, has PERF < (m/2)^floor((n-1)/3)",
    reference: "[OR] Theorem 5",
    examples: &["or-theorem-5-all"],
    build: Statement {
        hypothesis: "all single-path routings of FT(m,n), m >= 4, n >= 4 (the bound is 1 below)",
        whose: Whose::Paper,
        quote: theorem_5::QUOTE,
        subject: higher(|tree, scope| at_least(tree, scope, |half, n| half.pow((n - 1) / 3))),
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "no single-path routing of FT(4,4) has ratio 2, its optimum is 3; counting excludes more on every FT(m,n) here",
            on: |_| true,
        }),
        // D-mod-k has ratio 4 on FT(4,4), not 8.
        planted: |scope| {
            let more: NetworkCheck = |tree, scope| at_least(tree, scope, |half, n| half.pow(n - 1));
            planted::on(higher(more), "ft(4,4)", scope)
        },
    },
};

const fn two_levels(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| matches!(shape::ft(tree), Some((_, 2))), check }
}

const fn three_levels(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| matches!(shape::ft(tree), Some((_, 3))), check }
}

const fn higher(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| matches!(shape::ft(tree), Some((4.., 4..))), check }
}

/// Searches for a routing of the given ratio, or refutes it.
fn search(
    topology: &Topology,
    scope: &Scope,
    ratio: u64,
) -> Result<OptimalAssessment, TheoremError> {
    let options = Options { ratio: Some(index32(as_size(ratio))), ..Options::default() };
    let found = least_ratio(topology, &options, scope.progress);
    scope.progress.check()?;
    Ok(found?)
}

fn case(topology: &Topology) -> String {
    format!("all single-path routings of {}", topology.spec())
}

/// The claim that the best routing has ratio `claimed`(m/2).
fn optimum(
    topology: &Topology,
    scope: &Scope,
    claimed: fn(u64) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    if !has_choice(m, n) {
        return Ok(vec![Finding::vacuous(case(topology), ONE_PATH)]);
    }
    let claimed = claimed(u64::from(m / 2));
    let found = search(topology, scope, claimed.saturating_sub(1).max(1))?;
    let value = Rational::from(claimed);
    let holds = found.bounds.exact() == Some(&value);
    let wrong = found.bounds.lower > value || found.bounds.upper < value;
    Ok(vec![compare(topology, found, format!("= {claimed}"), (holds, wrong), Outcome::Holds)])
}

/// The claim that no routing has a ratio below `claimed`(m/2,n). It is open where the search does
/// not exclude a smaller ratio; a better routing refutes it.
fn at_least(
    topology: &Topology,
    scope: &Scope,
    claimed: fn(u64, u32) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    let Some((m, n)) = shape::ft(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let claimed = claimed(u64::from(m / 2), n);
    if claimed <= 1 {
        return Ok(vec![Finding::vacuous(case(topology), NO_RATIO_BELOW_1)]);
    }
    let found = search(topology, scope, claimed - 1)?;
    let value = Rational::from(claimed);
    let slack = found.bounds.lower.checked_sub(&value);
    let decided = (slack.is_some(), found.bounds.upper < value);
    let outcome = slack.filter(|s| !s.is_zero()).map_or(Outcome::Holds, Outcome::Loose);
    Ok(vec![compare(topology, found, format!(">= {claimed}"), decided, outcome)])
}

/// `outcome` where the claim holds, a counterexample where it is wrong, open otherwise.
fn compare(
    topology: &Topology,
    found: OptimalAssessment,
    claimed: String,
    (holds, wrong): (bool, bool),
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
