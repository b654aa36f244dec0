//! \[GL\] Lemma 3, the Chernoff bound, and with it the constant e of what follows.
//!
//! For all s, t and p: at least s successes are successes of some s of the trials, so B(s,t,p) ≤
//! C(t,s)·p^s ≤ (tp)^s/s!, and e^s > s^s/s!, one term of its series, makes that at most (ept/s)^s.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-3", "[GL] 4, Lemma 3")
    .about("At least s successes in t independent trials of probability p have probability \
            B(s,t,p) <= (ept/s)^s")
    .hypothesis("1 <= s <= t: t up to 16 and p a multiple of 1/32 where the bound is below 1; every s, t and p by the union bound")
    .quote("B(s,t,p) \\leq \\left(\\frac{ept}{s}\\right)^s")
    .cases(|scope| check(scope, most(scope), &e_bounds()[0]))
    // 1 in place of e.
    .planted(Planted::Check(|scope| check(scope, 8, &Rational::ONE)));

/// Probabilities are the multiples of 1/PARTS.
const PARTS: u64 = 32;

fn most(scope: &Scope) -> u64 {
    if scope.full { 40 } else { 16 }
}

fn check(scope: &Scope, most: u64, e: &Rational) -> Findings {
    let mut findings = scope.each(1..=most, |t| Ok(on_trials(t, e)))?;
    findings.push(by_union(most, e));
    Ok(findings)
}

/// All s and p for t trials where the bound is below 1, with a lower bound on e in its place.
fn on_trials(t: u64, e: &Rational) -> Finding {
    let all = (1..=t).flat_map(|s| (1..PARTS).map(move |part| (s, part)));
    let base = |s: u64, p: &Rational| &(e * p) * &fraction(t, s);
    let cases = all.map(|(s, part)| (s, fraction(part, PARTS)));
    let cases: Vec<(u64, Rational)> = cases.filter(|(s, p)| base(*s, p) < Rational::ONE).collect();
    let bad = cases.iter().find(|(s, p)| tail(*s, t, p) > power(&base(*s, p), *s));
    let bad = bad.map(|(s, p)| format!("s = {s}, p = {p}"));
    let points = cases.len() as u64;
    let case = format!("{points} values of s and p, t = {t}");
    let basis = Basis::Grid { points };
    Finding::unless(case, "B(s,t,p) <= (ept/s)^s", "holds for all", bad, basis)
}

/// Every s, t and p, by the argument; its inequality s^s/s! ≤ e^s is checked up to `most`.
fn by_union(most: u64, e: &Rational) -> Finding {
    let term = |s: u64| {
        let factors = (1..=s).filter_map(|factor| Rational::new(s, factor));
        factors.fold(Rational::ONE, |product, factor| &product * &factor)
    };
    let holds = (1..=most).all(|s| term(s) <= power(e, s));
    let basis = Basis::Argued("the docs of crates/papers/src/gl/statements/lemma_3.rs");
    let (claimed, found) = ("B(s,t,p) <= (ept/s)^s", "C(t,s) p^s <= (ept/s)^s");
    Finding::holds("every s, t and p", claimed, found, holds, basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_constant_does_not_do() {
        let [e, _] = e_bounds();
        assert_eq!(on_trials(8, &e).outcome, Outcome::Holds);
        assert!(on_trials(8, &Rational::ONE).fails());
        // 2^2/2! = 2 is not above 2^2, 7^7/7! = 163.4 is above 2^7.
        let two = Rational::from(2);
        assert_eq!(by_union(2, &two).outcome, Outcome::Holds);
        assert!(by_union(7, &two).fails());
    }

    /// s = 1 and p = 1/32, 2/32, … for one trial: ep < 1 for p = 1/32..11/32.
    #[test]
    fn only_bounds_below_1_are_counted() {
        assert_eq!(on_trials(1, &e_bounds()[0]).basis, Basis::Grid { points: 11 });
    }
}
