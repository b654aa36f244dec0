//! \[GL\] 5, before Theorem 9: fat-trees on which GREEDY finishes in λ delivery cycles.
//!
//! Both sentences are about messages "from the leaves out the root". Where capacities double, only a
//! processor's own channel is ever congested: it sends c messages in each cycle, which are delivered.
//! Where all channels have c wires, as many messages reach the root channel as are left, up to c, from
//! any one leaf. Among the processors neither holds, as messages that lose on their way down have kept
//! others back on their way up.
//!
//! λ counts as ⌈λ⌉ cycles.

use rand::RngExt as _;

use super::prelude::*;
use super::trees::sizes;
use crate::adversary::delivery::{cycles, for_each_set};
use crate::registry::Kind;

pub(super) const DOUBLE: Statement = Statement::new("gl-greedy-double", "[GL] 5, before Theorem 9")
    .about("On a fat-tree in which channel capacities double at every level GREEDY finishes in lambda \
            delivery cycles")
    .hypothesis("universal(n,growth=double); every registered admissible loss rule; every set on up to 4 processors, random ones on up to 64, out of the root; every set among 2 and 4 processors of load factor up to 2")
    .quote("on a fat-tree in which channel capacities double at every level, there is never any congestion in routing from the leaves to the root, so a greedy strategy is guaranteed to finish in λ delivery cycles.")
    .cases(|scope| check(scope, "double"))
    .remark(RemarkKind::OurReading, is_among_processors, AMONG_PROCESSORS)
    // Capacities that double every two levels.
    .planted(Planted::Check(|scope| out_of_root(scope, "double2", 8)));

pub(super) const CONSTANT: Statement = Statement::new("gl-greedy-constant", "[GL] 5, before Theorem 9")
    .about("On a fat-tree in which all channel capacities are the same GREEDY finishes in lambda delivery \
            cycles")
    .hypothesis("universal(n,growth=constant); every registered admissible loss rule; every set on up to 4 processors, random ones on up to 64, out of the root; every set among 2 and 4 processors of load factor up to 2")
    .quote("Similarly, a fat-tree in which all channel capacities are the same will also require only λ delivery cycles.")
    .cases(|scope| check(scope, "constant"))
    .remark(RemarkKind::OurReading, is_among_processors, AMONG_PROCESSORS)
    // Capacities that double every two levels.
    .planted(Planted::Check(|scope| out_of_root(scope, "double2", 8)));

const AMONG_PROCESSORS: &str = "true of messages out of the root, which the paragraph is about; if messages among the processors are meant too, among 4 of them there are sets of load factor 2 for which GREEDY takes 4 delivery cycles under some rules and more than 2 under all here";

fn is_among_processors(case: &Case) -> bool {
    matches!(case.numbers[..], [1, hosts] if hosts > 2)
}

/// Largest load factor of sets that are all tried, out of the root and among the processors.
const OUT: u64 = 4;
const AMONG: u64 = 2;

fn check(scope: &Scope, growth: &str) -> Findings {
    let mut findings = out_of_root(scope, growth, scope.hosts.clamp(4, 64))?;
    for hosts in [2, 4] {
        let spec = format!("universal({hosts},growth={growth})");
        let tree = tree(&spec)?;
        let all = 0..host_number(hosts);
        let pairs: Vec<(Host, Host)> = all
            .clone()
            .flat_map(|s| all.clone().map(move |d| (s, d)))
            .filter(|(s, d)| s != d)
            .collect();
        for rule in rules() {
            let seen = every_set(&tree, &pairs, rule, AMONG, scope)?;
            let case = format!("{}, sets among the processors of {spec}", rule.name);
            findings.push(seen.finding(case, Basis::Exhaustive).numbered([1, hosts as u64]));
        }
    }
    Ok(findings)
}

fn rules() -> impl Iterator<Item = &'static Kind<Loss>> {
    LOSSES.iter().filter(|kind| kind.build.is_admissible)
}

fn tree(spec: &str) -> Result<WireTree> {
    Ok(WireTree::universal(&trees::shape(spec)?))
}

fn out_of_root(scope: &Scope, growth: &str, most: usize) -> Findings {
    let mut cases = Vec::new();
    for hosts in sizes(most) {
        cases.extend(rules().map(|rule| (hosts, rule)));
    }
    let found = cases.into_par_iter().map(|(hosts, rule)| {
        let spec = format!("universal({hosts},growth={growth},root=open)");
        let tree = tree(&spec)?;
        let outside = host_number(hosts);
        let pairs: Vec<(Host, Host)> = (0..outside).map(|s| (s, outside)).collect();
        let case = |sets: &str| format!("{}, {sets} out of the root of {spec}", rule.name);
        scope.progress.inc(1);
        if hosts <= 4 {
            let seen = every_set(&tree, &pairs, rule, OUT, scope)?;
            return Ok(seen.finding(case("sets"), Basis::Exhaustive).numbered([0, hosts as u64]));
        }
        let seen = random_sets(&tree, outside, rule, scope)?;
        let basis = Basis::sampled(seen.sets, scope.seed);
        Ok(seen.finding(case("random sets"), basis).numbered([0, hosts as u64]))
    });
    found.collect()
}

/// What was seen.
#[derive(Default)]
struct Seen {
    sets: u64,
    /// Maximum number of cycles beyond λ, and the first set that took that number.
    worst: Option<(u64, String)>,
}

impl Seen {
    fn see(
        &mut self,
        tree: &WireTree,
        messages: &Messages,
        rule: &'static Kind<Loss>,
        scope: &Scope,
    ) -> Result<()> {
        let Some(found) = bottleneck(tree, messages)? else { return Ok(()) };
        let settings = Settings { loss: rule, seed: scope.seed.wrapping_add(self.sets) };
        let cycles = cycles(tree, messages, settings, &scope.progress.part(1.0))?;
        self.sets += 1;
        let least = ceil(&found.load_factor);
        let more = cycles.saturating_sub(least);
        if more > self.worst.as_ref().map_or(0, |(more, _)| *more) {
            let set: Vec<_> = messages.iter().collect();
            let text = format!("{cycles} cycles, load factor {}, M = {set:?}", found.load_factor);
            self.worst = Some((more, text));
        }
        Ok(())
    }

    fn finding(&self, case: String, basis: Basis) -> Finding {
        let worst = self.worst.as_ref().map(|(_, text)| text.clone());
        let found = format!("holds for {} sets", self.sets);
        Finding::unless(case, "ceil(lambda) cycles", found, worst, basis)
    }
}

/// ⌈λ⌉ of a load factor that fits.
pub(super) fn ceil(lambda: &Rational) -> u64 {
    let floor = u64::try_from(lambda.floor()).unwrap_or(u64::MAX - 1);
    floor + u64::from(*lambda > Rational::from(floor))
}

fn every_set(
    tree: &WireTree,
    pairs: &[(Host, Host)],
    rule: &'static Kind<Loss>,
    lambda: u64,
    scope: &Scope,
) -> Result<Seen> {
    let mut seen = Seen::default();
    for_each_set(tree, pairs, lambda, &mut |counts| {
        let messages =
            Messages::listed(pairs.iter().zip(counts).map(|((s, d), count)| (*s, *d, *count)))?;
        seen.see(tree, &messages, rule, scope)?;
        Ok::<_, TheoremError>(true)
    })?;
    Ok(seen)
}

/// Sets in which some of the hosts have up to five messages.
fn random_sets(
    tree: &WireTree,
    outside: Host,
    rule: &'static Kind<Loss>,
    scope: &Scope,
) -> Result<Seen> {
    let (mut seen, streams) = (Seen::default(), Streams::new(scope.seed));
    for index in 0..scope.trials.div_ceil(20) {
        scope.progress.check()?;
        let mut random = streams.at(index);
        let dense = random.random_range(1..=16_u32);
        let mut messages = Messages::new();
        for s in 0..outside {
            let count = random.random_range(1..=5);
            messages.push(
                s,
                outside,
                if random.random_range(0..16) < dense { count } else { 0 },
            )?;
        }
        seen.see(tree, &messages, rule, scope)?;
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_factors_are_rounded_up() {
        let ratio = |text: &str| text.parse::<Rational>().unwrap();
        assert_eq!(["0", "1/3", "2", "7/3"].map(|text| ceil(&ratio(text))), [0, 1, 2, 3]);
    }

    /// By hand: on four hosts that double, hosts 0 and 1 begin with host 2, and what host 1 has for host
    /// 0 waits behind.
    #[test]
    fn sets_among_processors_may_take_longer() {
        let progress = Progress::silent();
        let scope = Scope::new(4, &progress);
        let tree = tree("universal(4,growth=double)").unwrap();
        let messages = Messages::listed([(0, 2, 1), (0, 3, 1), (1, 2, 1), (1, 0, 1)]).unwrap();
        let left = rules().find(|rule| rule.name == "left").unwrap();
        let mut seen = Seen::default();
        seen.see(&tree, &messages, left, &scope).unwrap();
        assert!(seen.worst.unwrap().1.starts_with("3 cycles, load factor 2"));
    }
}
