//! \[GL\] Lemma 5, in exact arithmetic.
//!
//! Given that m is in the p-subset, channel c is congested when cap(c) others of its messages
//! are in it too, which are independent trials: the probability is a binomial tail.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::binomial::{power, tail};
use super::{messages, trees};
use crate::load::{ChannelTree, e_bounds};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError};
use crate::topology::Topology;
use crate::traffic::Demand;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "gl-lemma-5",
    usage: "gl-lemma-5",
    about: "A channel c through which a message of a p-subset of M must pass is congested with \
            probability at most (e p lambda(M))^cap(c)",
    reference: "[GL] Lemma 5",
    examples: &["gl-lemma-5"],
    build: Statement {
        hypothesis: "fat-trees based on complete binary trees, any set of messages, any p <= 1",
        subject: Subject::Cases { check },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Values of 1/(pλ) that are tried: beyond e the bound is below 1, 16 is near r of universal
/// fat-trees.
const SPREADS: [u64; 4] = [1, 3, 6, 16];

/// Most hosts of a tree; the tails are sums of long numbers.
const MAX_HOSTS: usize = 16;

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let [e, _] = e_bounds();
    let trees = trees::all(scope.hosts.min(MAX_HOSTS))?;
    let findings = trees.par_iter().map(|(topology, tree)| {
        scope.progress.check()?;
        let mut found = vec![of_random_sets(topology, tree, scope, &e)];
        if tree.hosts() <= 4 {
            found.push(of_all_sets(topology, tree, &e));
        }
        scope.progress.inc(1);
        Ok(found)
    });
    let findings: Vec<Vec<Finding>> = findings.collect::<Result<_, TheoremError>>()?;
    Ok(findings.into_iter().flatten().collect())
}

/// Probability ÷ bound, and where.
type Part = (Ratio, String);

fn larger(a: Part, b: Part) -> Part {
    if b.0 > a.0 { b } else { a }
}

/// The largest probability ÷ bound of a channel of one set, over all p.
fn worst(tree: &ChannelTree, set: &[Demand], e: &Ratio) -> Option<Part> {
    let lambda = tree.load_factor(set).value;
    let wires =
        |(channel, load): (_, Ratio)| Some((load.scaled(1)?, tree.capacity(channel).scaled(1)?));
    // Equal loads and capacities are equal cases.
    let channels: BTreeSet<(u64, u64)> =
        tree.loads(set).into_iter().filter_map(wires).filter(|(load, _)| *load > 0).collect();
    let probability = |spread: u64| Ratio::ONE.checked_div(&(&lambda * &Ratio::from(spread)));
    let some = SPREADS.into_iter().filter_map(probability).filter(|p| *p <= Ratio::ONE);
    let parts = some.flat_map(|p| {
        let (lambda, channels) = (&lambda, &channels);
        channels.iter().filter_map(move |(load, cap)| {
            let bound = power(&(&(e * &p) * lambda), *cap);
            let part = tail(*cap, load - 1, &p).checked_div(&bound)?;
            Some((part, format!("load {load}, cap {cap}, p = {p}, lambda = {lambda}")))
        })
    });
    parts.reduce(larger)
}

fn finding(case: String, worst: Option<Part>, basis: Basis) -> Finding {
    let (part, at) = worst.unwrap_or_default();
    let found = format!("at most {:.4} of the bound, {at}", part.to_f64());
    Finding::holds(case, "P <= (e p lambda)^cap", found, part <= Ratio::ONE, basis)
}

/// Every set with at most one message a pair.
fn of_all_sets(topology: &Topology, tree: &ChannelTree, e: &Ratio) -> Finding {
    let pairs: Vec<_> = messages::pairs(topology.hosts()).collect();
    let sets = 1_u32 << pairs.len();
    let of = |bits: u32| {
        let chosen = pairs.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let set: Vec<Demand> = chosen.map(|(_, pair)| messages::messages(*pair, 1)).collect();
        worst(tree, &set, e)
    };
    let parts: Vec<Part> = (0..sets).into_par_iter().filter_map(of).collect();
    let case = format!("all {sets} sets of messages, all channels of {}", topology.spec());
    finding(case, parts.into_iter().reduce(larger), Basis::Exhaustive)
}

fn of_random_sets(topology: &Topology, tree: &ChannelTree, scope: &Scope, e: &Ratio) -> Finding {
    let (hosts, seed, trials) = (topology.hosts(), scope.seed, scope.trials.div_ceil(100));
    let of = |index| worst(tree, &messages::random(hosts, 3, seed, index), e);
    let parts: Vec<Part> = (0..trials).into_par_iter().filter_map(of).collect();
    let case = format!("{trials} random sets of messages, all channels of {}", topology.spec());
    finding(case, parts.into_iter().reduce(larger), Basis::Sampled { trials, seed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theorem::Outcome;

    #[test]
    fn a_smaller_constant_does_not_do() {
        let (topology, tree) = trees::tree(4, "double2", 1).unwrap();
        let [e, _] = e_bounds();
        assert_eq!(of_all_sets(&topology, &tree, &e).outcome, Outcome::Holds);
        let half = Ratio::new(1, 2).unwrap();
        let wrong = of_all_sets(&topology, &tree, &half);
        assert!(matches!(wrong.outcome, Outcome::Fails(_)), "{wrong:?}");
    }

    /// Two messages over one wire, p = 1/6: the other one is in with probability 1/6.
    #[test]
    fn by_hand() {
        let (_, tree) = trees::tree(2, "double2", 1).unwrap();
        let (part, at) = worst(&tree, &[messages::messages((0, 1), 2)], &Ratio::ONE).unwrap();
        // P = p and bound = 2p for every p that is tried: 1/2, 1/6, 1/12, 1/32.
        assert_eq!(part.to_string(), "1/2", "{at}");
    }
}
