//! \[NB\] Lemma 6.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-lemma-6",
    usage: "nb-lemma-6",
    about: "Among k different numbers of c+1 n-based digits, for some i at least k^(1/(2(c+1))) have different d_0 or different (d_i-d_0)%n",
    reference: "[NB] Lemma 6",
    examples: &["nb-lemma-6"],
    build: Statement {
        hypothesis: "all sets of numbers for small n and c, random sets for larger",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// (n, c) all of whose sets are examined, by the number of sets.
const SMALL: &[(u32, u32)] = &[(2, 1), (3, 1), (4, 1), (2, 2), (2, 3)];

/// (n, c) of random sets.
const LARGE: &[(u32, u32)] = &[(5, 1), (8, 1), (3, 2), (5, 2), (8, 2), (3, 4), (10, 3)];

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    let larger: &[(u32, u32)] = if scope.full { &[(5, 1)] } else { &[] };
    for (n, c) in SMALL.iter().chain(larger).copied() {
        scope.progress.check()?;
        let sets = 1_u64 << n.pow(c + 1);
        let members = |bits: u64| (0..n.pow(c + 1)).filter(move |number| bits >> number & 1 == 1);
        let wrong = (1..sets).into_par_iter().find_first(|bits| !holds(&members(*bits), n, c));
        let wrong = wrong.map(|bits| members(bits).collect());
        let case = format!("all {} sets, n = {n}, c = {c}", sets - 1);
        findings.push(finding(case, wrong.as_ref(), Basis::Exhaustive));
    }
    for (n, c) in LARGE.iter().copied() {
        scope.progress.check()?;
        let (trials, seed) = (scope.trials, scope.seed);
        let draw = |index| random(n, c, seed, index);
        let wrong = (0..trials).into_par_iter().map(draw);
        let wrong = wrong.find_first(|set: &Vec<u32>| !holds(&set.iter().copied(), n, c));
        let case = format!("{trials} random sets, n = {n}, c = {c}");
        findings.push(finding(case, wrong.as_ref(), Basis::Sampled { trials, seed }));
    }
    Ok(findings)
}

fn finding(case: String, wrong: Option<&Vec<u32>>, basis: Basis) -> Finding {
    let found = wrong.map_or_else(|| "so for every set".to_string(), |set| format!("{set:?}"));
    Finding::holds(case, "k^(1/(2(c+1))) numbers", found, wrong.is_none(), basis)
}

/// Whether the largest number of different values has a 2(c+1)-th power of at least k.
fn holds(set: &(impl Iterator<Item = u32> + Clone), n: u32, c: u32) -> bool {
    let k = set.clone().count() as u128;
    let values = |i: u32| {
        let value = |number: u32| {
            let (first, digit) = (number % n, number / n.pow(i) % n);
            if i == 0 { first } else { (digit + n - first) % n }
        };
        let seen = set.clone().fold(0_u128, |seen, number| seen | 1 << value(number));
        u128::from(seen.count_ones())
    };
    let most = (0..=c).map(values).max().unwrap_or(0);
    most.pow(2 * (c + 1)) >= k
}

/// A set of random size; sizes are cut at 4096.
fn random(n: u32, c: u32, seed: u64, index: u64) -> Vec<u32> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(index);
    let mut all: Vec<u32> = (0..n.pow(c + 1)).collect();
    all.shuffle(&mut generator);
    let size = 1 + (index as usize * 37) % all.len().min(4096);
    all.truncate(size);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // 00, 01, 10, 11 in base 2: two values of d_0, 2^4 >= 4.
        assert!(holds(&[0, 1, 2, 3].into_iter(), 2, 1));
        // A power of one value is 1: only sets of one number may have it.
        assert!(holds(&std::iter::once(5), 3, 1));
    }
}
