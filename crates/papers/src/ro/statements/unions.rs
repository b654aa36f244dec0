//! \[RO\] VII.C: the contention of several permutations at once.

use super::inverse_patterns::most;
use crate::theorem::prelude::*;
use crate::traffic::{Permutation, TrafficMatrix};

pub(super) const KIND: Statement = Statement::new("ro-unions", "[RO] VII.C")
    .about("A pattern decomposed into permutations of contention c_i has contention max c_i: sources \
            that are in several of them add none")
    .hypothesis("S-mod-k, unions of two permutations")
    .quote("In the union of permutations, that source will not ... increase network contention over cmax")
    .cases(check)
    .remark(
        RemarkKind::Wrong,
        |_| true,
        "Different sources in different permutations also meet on a link: the contention of \
                   the union is at least max c_i, and above it for most pairs of permutations. The \
                   conclusion, that S-mod-k and D-mod-k are equal over all patterns, does not need \
                   this, see ro-inverse-patterns",
    )
    // Claims max c_i minus one, on one switch, where nothing exceeds max c_i.
    .planted(Planted::Check(|scope| Ok(vec![on("kary(8,1)", 8, scope, 1)?])));

const NETWORKS: &[(usize, &str)] =
    &[(8, "kary(2,3)"), (16, "kary(4,2)"), (16, "xgft(2;4,4;1,2)"), (64, "kary(8,2)")];

fn check(scope: &Scope) -> Findings {
    let networks = NETWORKS.iter().filter(|(hosts, _)| *hosts <= scope.hosts);
    networks.map(|(hosts, network)| on(network, *hosts, scope, 0)).collect()
}

/// The claim that the contention of the union is at most max c_i − `less`.
fn on(network: &str, hosts: usize, scope: &Scope, less: u64) -> Result<Finding> {
    let instance = scope.instance(network, "smodk")?;
    let (trials, seed) = (scope.trials.div_ceil(100), scope.seed);
    let (mut more, mut example) = (0_u64, None);
    for index in 0..trials {
        let two = [2 * index, 2 * index + 1].map(|i| Permutation::random(hosts, seed, i));
        let alone = [most_of(&two[..1], &instance, scope)?, most_of(&two[1..], &instance, scope)?];
        let (largest, together) = (alone.into_iter().max(), most_of(&two, &instance, scope)?);
        let largest = largest.and_then(|largest| largest.checked_sub(&less.into()));
        let largest = largest.unwrap_or_default();
        if together > largest {
            more += 1;
            example.get_or_insert((largest, together, two));
        }
    }
    let case = oblivious::case(&instance);
    let found = match &example {
        None => "holds for every pair of permutations".to_string(),
        Some((largest, together, _)) => {
            format!("{together} for two of at most {largest}; more for {more} of {trials}")
        }
    };
    let basis = Basis::sampled(trials, seed);
    let claimed = if less == 0 { "max c_i".to_string() } else { format!("max c_i - {less}") };
    let finding = Finding::holds(case, claimed, found, example.is_none(), basis);
    Ok(finding.because(|| {
        let lines = example.iter().flat_map(|(_, _, two)| two).map(|permutation| {
            let pairs = permutation.pairs().map(|(s, d)| format!("{s}->{d}"));
            format!("permutation {}\n", pairs.collect::<Vec<_>>().join(", "))
        });
        lines.collect()
    }))
}

/// The contention of all the given permutations at once.
fn most_of(permutations: &[Permutation], instance: &Instance, scope: &Scope) -> Result<Rational> {
    let mut demands = Vec::new();
    for permutation in permutations {
        demands.extend_from_slice(permutation.to_matrix()?.demands());
    }
    let union = TrafficMatrix::new(instance.topology.hosts(), demands)?;
    most(instance, union.demands(), scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_switch_has_no_contention_whatever_the_pattern() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let outcome = |network, hosts| on(network, hosts, &scope, 0).unwrap().outcome;
        assert_eq!(outcome("kary(8,1)", 8), Outcome::Holds);
        assert!(matches!(outcome("kary(4,2)", 16), Outcome::Fails(_)));
    }
}
