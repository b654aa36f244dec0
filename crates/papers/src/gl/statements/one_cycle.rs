//! \[GL\] 2 and 3: which sets of messages take one delivery cycle, and why none takes fewer than its
//! load factor.
//!
//! For every set of messages: where λ(M) ≤ 1, no more messages reach a channel than it has wires,
//! and ideal concentrators lose none. In t cycles at most t·cap(c) messages pass a channel, so
//! λ(M) ≤ t; in particular λ(M) ≤ 1 where one cycle is enough.
//!
//! The simulator of delivery cycles is run on random sets of messages and, as these rarely have a
//! load factor of at most 1, on a part of each that is as large as such a set can be, and on that
//! with one message more.

use super::prelude::*;
use crate::simulation::delivery::plain::{Rule, deliver};

pub(super) const KIND: Statement = Statement::new("gl-one-cycle", "[GL] 2, before Lemma 1; 3, after Figure 4")
    .about("Ideal concentrators deliver a set of messages in one delivery cycle if its load factor is \
            at most 1, and in no fewer cycles than its load factor")
    .hypothesis("fat-trees based on complete binary trees with ideal concentrators, all undelivered messages sent in every cycle: every set with at most one message per pair on up to 4 hosts, random sets and their largest parts of load factor 1")
    .quote("The load factor of a set of messages on a given network provides a simple lower bound on the time required to deliver all messages in the set. ... we have $\\lambda(U) \\leq 1$, and all the remaining messages can be delivered in one cycle.")
    .cases(check)
    // Load factors of a tree that grows, deliveries on one that does not.
    .planted(Planted::Check(|scope| {
        let (topology, tree) = trees::tree(8, "double2", 1)?;
        let (_, other) = trees::tree(8, "constant", 1)?;
        on_tree(&topology, Trees { counted: &tree, sent: &other }, scope)
    }));

const CLAIM: &str = "cycles >= load factor, and 1 cycle where that is at most 1";

/// Maximum number of hosts of a tree: messages are sent one by one.
const MAX_HOSTS: usize = 32;

fn check(scope: &Scope) -> Findings {
    let trees = trees::all(scope.hosts.min(MAX_HOSTS))?;
    let findings = trees.par_iter().map(|(topology, tree)| {
        let found = on_tree(topology, Trees { counted: tree, sent: tree }, scope);
        scope.progress.inc(1);
        found
    });
    Ok(findings.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The tree of load factors, and that of deliveries: the same one, except in tests.
#[derive(Clone, Copy)]
struct Trees<'t> {
    counted: &'t ChannelTree,
    sent: &'t ChannelTree,
}

fn on_tree(topology: &Topology, trees: Trees<'_>, scope: &Scope) -> Findings {
    let tree = trees.counted;
    let (seed, trials) = (scope.seed, scope.trials.div_ceil(20));
    let mut random = Sets::default();
    for index in 0..trials {
        scope.progress.check()?;
        let set = messages::random(tree.hosts(), 3, seed, index);
        let largest = within_wires(tree, &set);
        let more = largest.1.clone().into_iter().chain(largest.0.iter().cloned()).collect();
        for set in [set, largest.0, more] {
            for rule in [Rule::Lowest, Rule::Random { seed }] {
                random.see(trees, &set, rule, scope)?;
            }
        }
    }
    let case = format!("{trials} random sets of messages on {}", topology.spec());
    let mut findings = vec![random.finding(case, Basis::sampled(trials, seed))];
    if tree.hosts() <= 4 {
        findings.push(of_all_sets(topology, trees, scope)?);
    }
    Ok(findings)
}

/// Every set with at most one message per pair.
fn of_all_sets(topology: &Topology, trees: Trees<'_>, scope: &Scope) -> Result<Finding> {
    let pairs: Vec<_> = sd_pairs(trees.counted.hosts()).collect();
    let count = 1_u32 << pairs.len();
    let mut all = Sets::default();
    for bits in 0..count {
        scope.progress.check()?;
        let chosen = pairs.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let set: Vec<Demand> = chosen.map(|(_, pair)| messages::messages(*pair, 1)).collect();
        all.see(trees, &set, Rule::Lowest, scope)?;
    }
    let case = format!("all {count} sets of messages on {}", topology.spec());
    Ok(all.finding(case, Basis::Grid { points: count.into() }))
}

/// Messages of the set, one by one as far as every channel has a wire for each, and the first that
/// is left out.
fn within_wires(tree: &ChannelTree, set: &[Demand]) -> (Vec<Demand>, Option<Demand>) {
    let mut used: BTreeMap<Channel, u64> = BTreeMap::new();
    let (mut kept, mut left_out) = (Vec::new(), None);
    let count = |m: &Demand| m.amount.scaled(1).expect("messages are whole");
    let single = |m: &Demand| (0..count(m)).map(|_| (m.s, m.d)).collect();
    for (s, d) in set.iter().flat_map(|m| -> Vec<_> { single(m) }) {
        let (path, message) = (tree.path(s, d), messages::messages((s, d), 1));
        let more = |channel: &Channel| used.get(channel).copied().unwrap_or(0) + 1;
        if path.iter().all(|channel| Rational::from(more(channel)) <= *tree.capacity(*channel)) {
            for channel in path {
                *used.entry(channel).or_default() += 1;
            }
            kept.push(message);
        } else {
            left_out = left_out.or(Some(message));
        }
    }
    (kept, left_out)
}

/// What was found on sets of messages.
#[derive(Default)]
struct Sets {
    /// Delivered in one cycle and in more.
    one: u64,
    more: u64,
    /// The first set that contradicts the statement.
    wrong: Option<String>,
}

impl Sets {
    /// Delivers a set, unless it is empty.
    fn see(&mut self, trees: Trees<'_>, set: &[Demand], rule: Rule, scope: &Scope) -> Result<()> {
        if set.is_empty() {
            return Ok(());
        }
        let quiet = scope.progress.part(1.0);
        let cycles = deliver(trees.sent, set, rule, &quiet)?.ledger.cycles();
        let factor = trees.counted.load_factor(set).value;
        *(if cycles == 1 { &mut self.one } else { &mut self.more }) += 1;
        if (cycles == 1) != (factor <= Rational::ONE) || Rational::from(cycles) < factor {
            let set = set.iter().map(|Demand { s, d, amount }| format!("{s}->{d} ({amount})"));
            let set = set.collect::<Vec<_>>().join(" ");
            let text = || format!("{cycles} cycles, load factor {factor}, M = {set}");
            self.wrong.get_or_insert_with(text);
        }
        Ok(())
    }

    fn finding(self, case: String, basis: Basis) -> Finding {
        let Self { one, more, wrong } = self;
        let found = format!("holds for {one} sets in one cycle and {more} in more");
        Finding::unless(case, CLAIM, found, wrong, basis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_both_kinds_are_tried() {
        let progress = Progress::silent();
        let scope = Scope::new(4, &progress);
        let (topology, tree) = trees::tree(4, "double2", 1).unwrap();
        let found = on_tree(&topology, Trees { counted: &tree, sent: &tree }, &scope).unwrap();
        assert!(found.len() == 2 && found.iter().all(|finding| !finding.fails()));
        // Of the 4096 sets, those that are empty or leave no message out are known: a host sends
        // and receives one message at most, which no other wire can hold up with 1 and 2 wires. So
        // partial permutations without fixed points on 4 hosts: Σ over k of those with k messages,
        // 1 + 12 + 42 + 44 + 9, without the empty one.
        assert_eq!(found[1].found, "holds for 107 sets in one cycle and 3988 in more");
    }

    /// Either half of the claim fails on another tree: fewer wires than counted take more cycles,
    /// more wires fewer.
    #[test]
    fn other_wires_are_noticed() {
        let progress = Progress::silent();
        let scope = Scope::new(8, &progress);
        let (topology, narrow) = trees::tree(8, "constant", 1).unwrap();
        let (_, wide) = trees::tree(8, "double", 1).unwrap();
        for (tree, other) in [(&narrow, &wide), (&wide, &narrow)] {
            let found = on_tree(&topology, Trees { counted: tree, sent: other }, &scope).unwrap();
            assert!(found.iter().any(Finding::fails));
        }
    }

    #[test]
    fn parts_are_as_large_as_the_wires_allow() {
        let (_, tree) = trees::tree(4, "constant", 1).unwrap();
        let set = [messages::messages((0, 2), 2), messages::messages((1, 0), 1)];
        let (kept, left_out) = within_wires(&tree, &set);
        assert_eq!(kept, [messages::messages((0, 2), 1), messages::messages((1, 0), 1)]);
        assert_eq!(left_out, Some(messages::messages((0, 2), 1)));
        assert_eq!(tree.load_factor(&kept).value, Rational::ONE);
    }
}
