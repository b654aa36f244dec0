//! \[GL\] 6, another universal network: single wires take the place of channels.
//!
//! For all numbers: at least one of t messages takes the wire with probability
//! B(1,t,p/cap) ≤ t·p/cap ≤ pλ(M), by the union bound, so e is not needed.

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-wire", "[GL] 6, Another universal network")
    .about("Where every message takes a random wire of a channel, a wire w of channel c is congested \
            by a p-subset with probability B(1,load(M,c),p/cap(c)) <= e p lambda(M) at most")
    .hypothesis("lambda = load/cap, load up to 16, up to 8 wires, p a multiple of 1/32 where the bound is below 1; all numbers by the union bound")
    .quote("the probability that w is congested is at most $B(1, load(M, c), p/cap(c)) \\leq ep\\lambda(M)$")
    .cases(|scope| check(scope, &e_bounds()[0]))
    // 1/2 in place of e.
    .planted(Planted::Check(|scope| check(scope, &fraction(1, 2))));

/// Probabilities are the multiples of 1/PARTS.
const PARTS: u64 = 32;

const CLAIM: &str = "B(1,load,p/cap) <= e p load/cap";

fn check(scope: &Scope, e: &Rational) -> Findings {
    let mut findings = scope.each(1..=8, |cap| Ok(on_wires(cap, e)))?;
    // The argument needs a factor of at least 1.
    if *e >= Rational::ONE {
        let docs = "the docs of crates/papers/src/gl/statements/wire.rs";
        findings.push(Finding::argued("all numbers", CLAIM, "B(1,t,x) <= tx", docs));
    }
    Ok(findings)
}

/// All loads and p for a channel of `cap` wires, with a lower bound on e in its place.
fn on_wires(cap: u64, e: &Rational) -> Finding {
    let all = (1..=16_u64).flat_map(|load| (1..=PARTS).map(move |part| (load, part)));
    let points = all.filter_map(|(load, part)| {
        let share = Rational::new(part, PARTS * cap)?;
        let bound = &(e * &share) * &Rational::from(load);
        (bound < Rational::ONE).then(|| (load, part, tail(1, load, &share) <= bound))
    });
    let points: Vec<(u64, u64, bool)> = points.collect();
    let bad = points.iter().find(|(_, _, holds)| !holds);
    let bad = bad.map(|(load, part, _)| format!("load {load}, p = {part}/{PARTS}"));
    let case = format!("{} values of load and p, {cap} wires", points.len());
    let basis = Basis::Grid { points: points.len() as u64 };
    Finding::unless(case, CLAIM, "holds for all", bad, basis)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For one message the probability is p/cap itself: the constant 1 is attained.
    #[test]
    fn one_is_the_least_constant() {
        let less = Rational::new(99, 100).unwrap();
        assert_eq!(on_wires(2, &Rational::ONE).outcome, Outcome::Holds);
        assert!(on_wires(2, &less).fails());
    }
}
