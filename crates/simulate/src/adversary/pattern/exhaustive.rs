//! All permutations, partial ones included.

use super::measure::Measurer;
use super::{Attacked, Best, Finding, Method, PatternAware, Target};
use crate::attack::{Adversary, Built, Work};
use crate::bounds::Evidence;
use crate::prelude::*;
use crate::simulation::adaptive::PatternError;
use crate::traffic::Permutation;

pub(super) const KIND: Kind<Method> = Kind {
    name: "exhaustive",
    usage: "exhaustive",
    about: "every permutation of up to 8 hosts, partial ones included",
    reference: "ours",
    examples: &["exhaustive"],
    build: Method { build: |spec| Ok(Built::new(spec, Exhaustive)), work: Work::TriesAll },
};

/// Maximum number of hosts: 693,840 partial permutations.
pub const MAX_HOSTS: u64 = 8;

struct Exhaustive;

impl Adversary<PatternAware> for Exhaustive {
    fn attack(&self, spec: &str, target: &Target<'_>, progress: &Progress) -> Attacked {
        let hosts = target.topology.hosts();
        let remedy = "use a smaller network, or the adversary climb";
        within("number of hosts", Some(hosts as u128), MAX_HOSTS, remedy)?;
        let (mut best, mut measurer) = (Best::default(), Measurer::new(*target));
        let mut stopped = false;
        for_each_partial(hosts, &mut |permutation| {
            stopped = progress.cancelled();
            if !stopped {
                best.see(Some(measurer.measure(permutation)?), || Some(permutation.clone()));
                progress.inc(1);
            }
            Ok::<_, PatternError>(!stopped)
        })?;
        let Best { value, traffic, evaluations, .. } = best;
        let evidence = Evidence::Claimed(format!("{evaluations} permutations"));
        let nothing = Finding::nothing(spec, evidence);
        Ok(Finding { worst: value.zip(traffic), evaluations, stopped, ..nothing })
    }
}

/// Calls `visit` for every permutation of `hosts` hosts, partial ones included, until it returns
/// `false`. No host sends to itself, so that each comes once.
///
/// # Errors
/// Those of `visit`.
pub fn for_each_partial<E>(
    hosts: usize,
    visit: &mut dyn FnMut(&Permutation) -> Result<bool, E>,
) -> Result<(), E> {
    let mut pairs = Vec::with_capacity(hosts);
    extend(hosts, 0, &mut pairs, visit).map(|_| ())
}

/// The permutations that add pairs of sources from `s` on; `false` to end.
fn extend<E>(
    hosts: usize,
    s: Host,
    pairs: &mut Vec<(Host, Host)>,
    visit: &mut dyn FnMut(&Permutation) -> Result<bool, E>,
) -> Result<bool, E> {
    let all = host_number(hosts);
    if s == all {
        let one = Permutation::new(hosts, pairs.iter().copied());
        return visit(&one.expect("no source and no destination comes twice"));
    }
    if !extend(hosts, s + 1, pairs, visit)? {
        return Ok(false);
    }
    for d in (0..all).filter(|d| *d != s) {
        if pairs.iter().any(|(_, taken)| *taken == d) {
            continue;
        }
        pairs.push((s, d));
        let continues = extend(hosts, s + 1, pairs, visit)?;
        pairs.pop();
        if !continues {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn partial_permutations_without_fixed_points_come_once() {
        // Of 3 hosts: none, 6 pairs, 9 pairs of pairs (15 of all, less 6 with a common end), 2 whole.
        let mut seen = HashSet::new();
        for_each_partial(3, &mut |one| {
            assert!(seen.insert(one.clone()));
            Ok::<_, ()>(true)
        })
        .unwrap();
        assert_eq!(seen.len(), 1 + 6 + 9 + 2);
        let mut calls = 0;
        for_each_partial(3, &mut |_| {
            calls += 1;
            Ok::<_, ()>(calls < 4)
        })
        .unwrap();
        assert_eq!(calls, 4);
    }
}
