//! \[NB\] Definition 1 and Property 1.
//!
//! The property is the definition in other words, so there is nothing to find out about it. What is
//! examined is which sets this program takes for a permutation: all statements about permutations
//! rest on it.

use crate::theorem::prelude::*;
use crate::traffic::Permutation;

pub(super) const KIND: Statement = Statement::new("nb-property-1", "[NB] III, Definition 1 and Property 1")
    .about("A definition: this program takes a set of SD pairs for a permutation exactly when any two of them have s1 != s2 and d1 != d2")
    .hypothesis("all sets of SD pairs among up to 4 hosts")
    .ours()
    .quote("be two SD pairs in a permutation. $s_1 \\neq s_2$ and $d_1 \\neq d_2$.")
    .cases(|scope| check(scope, apart))
    // Two messages to one host.
    .planted(Planted::Check(|scope| check(scope, |a, b| a.0 != b.0)));

type Pair = (Host, Host);

fn apart(a: Pair, b: Pair) -> bool {
    a.0 != b.0 && a.1 != b.1
}

fn check(scope: &Scope, apart: fn(Pair, Pair) -> bool) -> Findings {
    scope.each(2..=4_usize, |hosts| {
        let pairs: Vec<Pair> = sd_pairs(hosts).collect();
        let set = |bits: u64| -> Vec<Pair> {
            let chosen = (0..pairs.len()).filter(|at| bits >> at & 1 == 1);
            chosen.map(|at| pairs[at]).collect()
        };
        let property = |set: &[Pair]| set.iter().array_combinations().all(|[a, b]| apart(*a, *b));
        let sets = 1_u64 << pairs.len();
        let is_wrong =
            |set: &Vec<Pair>| Permutation::new(hosts, set.iter().copied()).is_ok() != property(set);
        let wrong = (0..sets).map(set).find(is_wrong);
        let wrong = wrong.as_ref().map(|set| format!("{set:?}"));
        let case = format!("all {sets} sets among {hosts} hosts");
        let claimed = "a permutation iff sources and destinations are distinct";
        Ok(Finding::unless(case, claimed, "holds for every set", wrong, Basis::Exhaustive))
    })
}
