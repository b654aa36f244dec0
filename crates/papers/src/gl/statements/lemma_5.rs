//! \[GL\] Lemma 5, in exact arithmetic.
//!
//! Given that m is in the p-subset, channel c is congested when at least cap(c) others of its
//! messages are in it too. These are independent trials, so the probability is a binomial tail,
//! B(cap(c), load(M,c) − 1, p).
//!
//! load/cap ≤ λ(M), so B(cap, load − 1, p) ≤ (e·p·load/cap)^cap is enough. Both sides are compared
//! as polynomials in p, coefficient by coefficient, which settles **every** p, and with it every
//! set M whose channels carry no more than the loads examined. Beyond them it follows from Lemma 3
//! ([`super::lemma_3`]), by argument only.

use std::collections::BTreeSet;

use super::binomial::is_below_for_every_p;
use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-5", "[GL] 4, Lemma 5")
    .about("A channel c through which a message of a p-subset of M must pass is congested with \
            probability at most (e p lambda(M))^cap(c)")
    .hypothesis("fat-trees based on complete binary trees: sets with at most one message per pair on up to 4 hosts, random sets on up to 16, 1/(p lambda) = 3, 4, 6, 16; every p for loads up to 32")
    .quote("Then the probability is at most $(ep\\lambda(M))^{cap(c)}$ that channel c is congested")
    .cases(check)
    // 1/2 in place of e.
    .planted(Planted::Check(|scope| {
        let half = fraction(1, 2);
        let (topology, tree) = trees::tree(4, "double2", 1)?;
        Ok([on_tree(&topology, &tree, scope, &half), vec![of_every_p(8, &half)]].concat())
    }));

const CLAIM: &str = "P <= (e p lambda)^cap";

/// Values of 1/(pλ) that are tried: up to e the bound is 1 or more and says nothing, 16 is near r
/// of universal fat-trees.
const SPREADS: [u64; 4] = [3, 4, 6, 16];

/// Largest load of a channel for which all p are settled.
const MAX_LOAD: u64 = 32;

/// Maximum number of hosts of a tree; the tails are sums of long numbers.
const MAX_HOSTS: usize = 16;

fn check(scope: &Scope) -> Findings {
    let [e, _] = e_bounds();
    let trees = trees::all(scope.hosts.min(MAX_HOSTS))?;
    let findings = trees.par_iter().map(|(topology, tree)| {
        scope.progress.check()?;
        let found = on_tree(topology, tree, scope, &e);
        scope.progress.inc(1);
        Ok(found)
    });
    let mut findings: Vec<Finding> =
        findings.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    findings.push(of_every_p(MAX_LOAD, &e));
    Ok(findings)
}

/// Every p, for every load up to `most` on a channel with fewer wires.
fn of_every_p(most: u64, e: &Rational) -> Finding {
    let all = (2..=most).flat_map(|load| (1..load).map(move |cap| (load, cap)));
    let holds = |(load, cap): &(u64, u64)| {
        let base = Rational::new(*load, *cap).map(|quotient| power(&(e * &quotient), *cap));
        base.is_some_and(|factor| is_below_for_every_p(*cap, load - 1, &factor))
    };
    let points = most * (most - 1) / 2;
    let bad = all.clone().find(|sizes| !holds(sizes));
    let bad = bad.map(|(load, cap)| format!("a coefficient is larger for load {load}, cap {cap}"));
    let case = format!("every p, 1 <= cap < load <= {most}");
    let found = "B(cap,load-1,p) <= (e p load/cap)^cap by coefficients";
    Finding::unless(case, CLAIM, found, bad, Basis::Grid { points })
}

fn on_tree(topology: &Topology, tree: &ChannelTree, scope: &Scope, e: &Rational) -> Vec<Finding> {
    let mut found = vec![of_random_sets(topology, tree, scope, e)];
    if tree.hosts() <= 4 {
        found.push(of_all_sets(topology, tree, e));
    }
    found
}

/// The largest probability ÷ bound, where it occurs, and the number of those that are not zero.
#[derive(Clone, Default)]
struct Worst {
    part: Rational,
    at: String,
    points: u64,
}

impl Worst {
    fn or(self, other: Self) -> Self {
        let points = self.points + other.points;
        let worse = if other.part > self.part { other } else { self };
        Self { points, ..worse }
    }
}

/// The largest probability ÷ bound of a channel for one set, over all p that are tried. Channels
/// with a wire for each of their messages are never congested and do not count.
fn worst(tree: &ChannelTree, set: &[Demand], e: &Rational) -> Worst {
    let lambda = tree.load_factor(set).value;
    let wires =
        |(channel, load): (_, Rational)| Some((load.scaled(1)?, tree.capacity(channel).scaled(1)?));
    // Equal loads and capacities are equal cases.
    let channels: BTreeSet<(u64, u64)> =
        tree.loads(set).into_iter().filter_map(wires).filter(|(load, cap)| load > cap).collect();
    let probability = |spread: u64| Rational::ONE.checked_div(&(&lambda * &Rational::from(spread)));
    let some = SPREADS.into_iter().filter_map(probability).filter(|p| *p <= Rational::ONE);
    let parts = some.flat_map(|p| {
        let (lambda, channels) = (&lambda, &channels);
        channels.iter().filter_map(move |(load, cap)| {
            let bound = power(&(&(e * &p) * lambda), *cap);
            let part = tail(*cap, load - 1, &p).checked_div(&bound)?;
            let at = format!("load {load}, cap {cap}, p = {p}, lambda = {lambda}");
            Some(Worst { part, at, points: 1 })
        })
    });
    parts.fold(Worst::default(), Worst::or)
}

fn finding(case: String, worst: &Worst, basis: Basis) -> Finding {
    let Worst { part, at, points } = worst;
    if *points == 0 {
        return Finding::vacuous(case, "no channel can be congested");
    }
    let found = format!("at most {:.4} of the bound, {at}", part.to_f64());
    Finding::holds(case, CLAIM, found, *part <= Rational::ONE, basis)
}

/// Every set with at most one message per pair.
fn of_all_sets(topology: &Topology, tree: &ChannelTree, e: &Rational) -> Finding {
    let pairs: Vec<_> = sd_pairs(topology.hosts()).collect();
    let sets = 1_u32 << pairs.len();
    let of = |bits: u32| {
        let chosen = pairs.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let set: Vec<Demand> = chosen.map(|(_, pair)| messages::messages(*pair, 1)).collect();
        worst(tree, &set, e)
    };
    let parts: Vec<Worst> = (0..sets).into_par_iter().map(of).collect();
    let worst = parts.into_iter().fold(Worst::default(), Worst::or);
    let case = format!("all {sets} sets of messages, all channels of {}", topology.spec());
    finding(case, &worst, Basis::Grid { points: worst.points })
}

fn of_random_sets(topology: &Topology, tree: &ChannelTree, scope: &Scope, e: &Rational) -> Finding {
    let (hosts, seed, trials) = (topology.hosts(), scope.seed, scope.trials.div_ceil(100));
    let of = |index| worst(tree, &messages::random(hosts, 3, seed, index), e);
    let parts: Vec<Worst> = (0..trials).into_par_iter().map(of).collect();
    let worst = parts.into_iter().fold(Worst::default(), Worst::or);
    let case = format!("{trials} random sets of messages, all channels of {}", topology.spec());
    finding(case, &worst, Basis::sampled(trials, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_constant_does_not_do() {
        let (topology, tree) = trees::tree(4, "double2", 1).unwrap();
        let [e, _] = e_bounds();
        assert_eq!(of_all_sets(&topology, &tree, &e).outcome, Outcome::Holds);
        assert!(of_all_sets(&topology, &tree, &Rational::new(1, 2).unwrap()).fails());
        assert_eq!(of_every_p(8, &e).outcome, Outcome::Holds);
        // B(1,1,p) = p against p·2·e.
        assert!(of_every_p(2, &Rational::new(2, 5).unwrap()).fails());
        assert_eq!(of_every_p(2, &Rational::new(1, 2).unwrap()).outcome, Outcome::Holds);
    }

    /// Two messages over one wire, λ = 2: the other one is drawn with probability p.
    #[test]
    fn by_hand() {
        let (_, tree) = trees::tree(2, "double2", 1).unwrap();
        let worst_of = |count| worst(&tree, &[messages::messages((0, 1), count)], &Rational::ONE);
        // P = p and bound = 2p for every p that is tried: 1/6, 1/8, 1/12, 1/32. Up and down are
        // equal cases.
        let Worst { part, at, points } = worst_of(2);
        assert_eq!((part.to_string().as_str(), points), ("1/2", 4), "{at}");
        assert_eq!(worst_of(1).points, 0);
    }
}
