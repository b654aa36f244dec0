//! Claims about a value that is known within bounds.

use super::{Basis, Finding, Outcome};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::Certificate;
use crate::rational::Rational;

/// A value within bounds, and the certificate that proves them, if there is one.
pub(crate) type Known = (Bounds, Option<Certificate>);

/// The claim that the value is `claimed`.
pub(crate) fn equals(case: String, claimed: &Rational, known: Known) -> Finding {
    finding(case, "=", claimed, known, |bounds| {
        let holds = bounds.exact() == Some(claimed);
        (holds || bounds.lower > *claimed || bounds.upper < *claimed)
            .then_some(holds.then_some(Rational::ZERO))
    })
}

/// The claim that it is at least `claimed`.
pub(crate) fn at_least(case: String, claimed: &Rational, known: Known) -> Finding {
    finding(case, ">=", claimed, known, |bounds| {
        let slack = bounds.lower.checked_sub(claimed);
        (slack.is_some() || bounds.upper < *claimed).then_some(slack)
    })
}

/// The claim that it is at most `claimed`.
pub(crate) fn at_most(case: String, claimed: &Rational, known: Known) -> Finding {
    finding(case, "<=", claimed, known, |bounds| {
        let slack = claimed.checked_sub(&bounds.upper);
        (slack.is_some() || bounds.lower > *claimed).then_some(slack)
    })
}

/// `compare` returns `None` when the bounds do not decide, `Some(None)` when the claim is wrong,
/// and otherwise by how much it is loose.
fn finding(
    case: String,
    relation: &str,
    claimed: &Rational,
    (bounds, certificate): Known,
    compare: impl Fn(&Bounds) -> Option<Option<Rational>>,
) -> Finding {
    let found = bounds.exact().map_or_else(|| bounds.to_string(), ToString::to_string);
    let (claimed, basis) = (format!("{relation} {claimed}"), Basis::of(&bounds));
    let outcome = match compare(&bounds) {
        None => Outcome::Open(format!("the value is {bounds}")),
        Some(None) => {
            let finding = Finding::holds(case, claimed, found, false, basis);
            return finding.certified_by(certificate);
        }
        Some(Some(slack)) if slack.is_zero() => Outcome::Holds,
        Some(Some(slack)) => Outcome::Loose(slack),
    };
    Finding::new(case, claimed, found, outcome, basis)
}

/// The quotient of two values above 0; none where one may be 0.
pub(crate) fn quotient(above: &Bounds, below: &Bounds) -> Option<Bounds> {
    let lower = above.lower.checked_div(&below.upper)?;
    let upper = above.upper.checked_div(&below.lower)?;
    let less_sure = if above.evidence == Evidence::Proven { below } else { above };
    Some(Bounds { lower, upper, evidence: less_sure.evidence.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(lower: u64, upper: u64, evidence: Evidence) -> Bounds {
        Bounds { lower: lower.into(), upper: upper.into(), evidence }
    }

    #[test]
    fn bounds_decide_where_they_can() {
        let claim = |relation: fn(String, &Rational, Known) -> Finding, claimed: u64| {
            let known = (within(2, 3, Evidence::Proven), None);
            relation("x".into(), &claimed.into(), known).outcome
        };
        let is_open = |outcome| matches!(outcome, Outcome::Open(_));
        let fails = |outcome| matches!(outcome, Outcome::Fails(_));
        assert!(is_open(claim(equals, 2)) && fails(claim(equals, 1)) && fails(claim(equals, 4)));
        assert!(is_open(claim(at_least, 3)) && fails(claim(at_least, 4)));
        assert_eq!(
            (claim(at_least, 2), claim(at_least, 1)),
            (Outcome::Holds, Outcome::Loose(1.into()))
        );
        assert!(is_open(claim(at_most, 2)) && fails(claim(at_most, 1)));
        assert_eq!(
            (claim(at_most, 3), claim(at_most, 5)),
            (Outcome::Holds, Outcome::Loose(2.into()))
        );
    }

    #[test]
    fn quotients_are_as_sure_as_both() {
        let claimed = Evidence::Claimed("a solver".into());
        let found = quotient(&within(4, 6, Evidence::Proven), &within(1, 2, claimed.clone()));
        assert_eq!(found, Some(within(2, 6, claimed.clone())));
        let other = quotient(&within(4, 6, claimed.clone()), &within(1, 2, Evidence::Proven));
        assert_eq!(other, found);
        assert_eq!(quotient(&within(1, 1, Evidence::Proven), &within(0, 2, claimed)), None);
    }
}
