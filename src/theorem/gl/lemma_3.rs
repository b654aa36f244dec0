//! \[GL\] Lemma 3, the Chernoff bound, and with it the constant e of what follows.

use super::binomial::{power, tail};
use crate::load::e_bounds;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "gl-lemma-3",
    usage: "gl-lemma-3",
    about: "At least s successes in t independent trials of probability p have probability \
            B(s,t,p) <= (ept/s)^s",
    reference: "[GL] Lemma 3",
    examples: &["gl-lemma-3"],
    build: Statement {
        hypothesis: "1 <= s <= t, 0 <= p <= 1",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Probabilities are the multiples of this part.
const PARTS: u64 = 32;

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let most = if scope.full { 40 } else { 16 };
    let [e, _] = e_bounds();
    let mut findings = Vec::new();
    for t in 1..=most {
        scope.progress.check()?;
        findings.push(on_trials(t, &e));
        scope.progress.inc(1);
    }
    Ok(findings)
}

/// All s and p for t trials, with a lower bound of e in its place.
fn on_trials(t: u64, e: &Ratio) -> Finding {
    let cases = (1..=t).flat_map(|s| (0..=PARTS).map(move |part| (s, part)));
    let bad = cases.clone().find(|(s, part)| {
        let p = Ratio::new(*part, PARTS).unwrap_or(Ratio::ZERO);
        let base = &(e * &p) * &Ratio::new(t, *s).unwrap_or(Ratio::ZERO);
        tail(*s, t, &p) > power(&base, *s)
    });
    let case = format!("{} values of s and p, t = {t}", cases.count());
    let found =
        bad.map_or_else(|| "so for all".into(), |(s, part)| format!("s = {s}, p = {part}/{PARTS}"));
    Finding::holds(case, "B(s,t,p) <= (ept/s)^s", found, bad.is_none(), Basis::Exhaustive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theorem::Outcome;

    #[test]
    fn a_smaller_constant_does_not_do() {
        let [e, _] = e_bounds();
        assert_eq!(on_trials(8, &e).outcome, Outcome::Holds);
        assert!(matches!(on_trials(8, &Ratio::ONE).outcome, Outcome::Fails(_)));
    }
}
