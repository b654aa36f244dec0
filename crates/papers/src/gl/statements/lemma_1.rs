//! \[GL\] Lemma 1.
//!
//! For every set of messages: a cut that separates A from B leads out of a set of nodes, A and some
//! switches, and has all wires of each channel that leaves this set. A message from A to B passes
//! through one of these channels, so load(M,S) ≤ Σ load(M,c) ≤ max λ(M,c) · Σ cap(c) = max λ(M,c) ·
//! cap(S); and a channel of a tree is itself a cut.
//!
//! On a given tree the argument is computed: for every A, the channels of a minimum cut, their
//! wires and that every path from A to B meets one of them; for every channel, that it is a cut.
//! This settles **every** set of messages there. For larger trees the argument is all there is.
//!
//! Both readings of "must cross S" are tested. Messages from A to B cross the cut that separates A
//! from B: all A and B are enumerated, each with its minimum cut. On the smallest trees S also runs
//! over all sets of channels, and a message must cross S when its path does, wherever it ends:
//! this counts more messages, and leaves the load factor unchanged.

use super::cuts::Cuts;
use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-1", "[GL] 2, Lemma 1")
    .about("The load factor of a set of messages on a fat-tree, a maximum over all cuts, is that over its channels alone")
    .hypothesis("fat-trees based on complete binary trees: every set with at most one message per pair on up to 4 hosts, random sets on more, and any set on up to 8 (16 in a run above 16 hosts), cut by cut")
    .quote("The load factor of a set M of messages on a fat-tree is ... where c ranges over all channels of the fat-tree.")
    .cases(check)
    // The channels of a tree that does not grow, the cuts of one that does.
    .planted(Planted::Check(|scope| {
        let (topology, tree) = trees::tree(8, "double2", 1)?;
        let (_, other) = trees::tree(8, "constant", 1)?;
        on_tree(&topology, &tree, &other, scope)
    }));

const CLAIM: &str = "max over cuts = max over channels";

fn check(scope: &Scope) -> Findings {
    // Trees of 16 hosts have 2^16 cuts: not in the smallest runs.
    let most = if scope.hosts <= Cuts::MAX_HOSTS { 8 } else { Cuts::MAX_HOSTS };
    let trees = trees::all(scope.hosts.min(most))?;
    let findings = trees.par_iter().map(|(topology, tree)| {
        scope.progress.check()?;
        let found = on_tree(topology, tree, tree, scope);
        scope.progress.inc(1);
        found
    });
    Ok(findings.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The cuts of `tree` against the channels of `other`, which is the same tree.
fn on_tree(
    topology: &Topology,
    tree: &ChannelTree,
    other: &ChannelTree,
    scope: &Scope,
) -> Findings {
    let cuts = Cuts::of(tree);
    let cuts = cuts.ok_or_else(|| defect(topology.spec()))?;
    let compare = |messages: &[Demand]| differs(&cuts, other, messages);
    let any = of_any_set(topology, tree, other, &cuts);
    let mut found = vec![any, of_random_sets(topology, scope, compare)];
    if tree.hosts() <= 4 {
        found.push(of_all_sets(topology, compare));
        found.push(of_all_channel_sets(topology, tree, scope));
    }
    Ok(found)
}

/// Both sides, where they differ.
fn differs(cuts: &Cuts, tree: &ChannelTree, messages: &[Demand]) -> Option<String> {
    let (by_cuts, a) = cuts.load_factor(messages)?;
    let by_channels = tree.load_factor(messages).value;
    (by_cuts != by_channels)
        .then(|| format!("cut of A = {a:b}: {by_cuts}, channels: {by_channels}, M = {messages:?}"))
}

fn finding(case: String, difference: Option<String>, basis: Basis) -> Finding {
    Finding::unless(case, CLAIM, "holds for every set of messages", difference, basis)
}

/// Any set of messages: load(M,S) ≤ Σ load(M,c) and cap(S) = Σ cap(c) over the channels c of every
/// cut S, and every channel is the cut that separates the hosts on one side of it from the others.
fn of_any_set(
    topology: &Topology,
    tree: &ChannelTree,
    other: &ChannelTree,
    cuts: &Cuts,
) -> Finding {
    let channels: Vec<Channel> = other.channels().collect();
    let hosts = host_number(tree.hosts());
    let path = |s: u32, d: u32| if s == d { 0 } else { bits(&other.path(s, d), &channels) };
    let paths: Vec<Vec<u64>> =
        (0..hosts).map(|s| (0..hosts).map(|d| path(s, d)).collect()).collect();
    let parted = |a: u32| sd_pairs(hosts as usize).filter(move |(s, d)| a >> s & 1 > a >> d & 1);
    let on_path = |(s, d): (u32, u32)| paths[s as usize][d as usize];
    let is_bounded = |a: &u32| {
        let cut = cuts.channels(tree, *a);
        let wires: Rational = cut.iter().map(|channel| other.capacity(*channel)).sum();
        let cut = bits(&cut, &channels);
        wires == cuts.wires(*a).into() && parted(*a).all(|pair| on_path(pair) & cut != 0)
    };
    let is_cut = |at: usize| {
        let through = |pair: (u32, u32)| on_path(pair) >> at & 1 == 1;
        let a = sd_pairs(hosts as usize).filter(|pair| through(*pair));
        let a = a.fold(0, |a: u32, (s, _)| a | 1 << s);
        let same =
            sd_pairs(hosts as usize).all(|(s, d)| through((s, d)) == (a >> s & 1 > a >> d & 1));
        same && *other.capacity(channels[at]) >= cuts.wires(a).into()
    };
    let sets = 0..1_u32 << hosts;
    let bad = sets.into_par_iter().find_first(|a| !is_bounded(a));
    let no_cut = (0..channels.len()).find(|at| !is_cut(*at));
    let difference = bad.map(|a| format!("the cut of A = {a:b} is not its channels"));
    let no_cut = no_cut.map(|at| {
        let Channel { below, direction } = channels[at];
        format!("the channel {direction} between node {below} and the one above is not a cut")
    });
    let difference = difference.or(no_cut);
    let case = format!("any set of messages, all cuts of {}", topology.spec());
    finding(case, difference, Basis::Exhaustive)
}

/// Every set with at most one message per pair.
fn of_all_sets(
    topology: &Topology,
    compare: impl Fn(&[Demand]) -> Option<String> + Sync,
) -> Finding {
    let pairs: Vec<_> = sd_pairs(topology.hosts()).collect();
    let sets = 1_u32 << pairs.len();
    let difference = (0..sets).into_par_iter().find_map_first(|bits| {
        let chosen = pairs.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let set: Vec<Demand> = chosen.map(|(_, pair)| messages::messages(*pair, 1)).collect();
        compare(&set)
    });
    let case = format!("all {sets} sets of messages, all cuts of {}", topology.spec());
    finding(case, difference, Basis::Grid { points: sets.into() })
}

fn of_random_sets(
    topology: &Topology,
    scope: &Scope,
    compare: impl Fn(&[Demand]) -> Option<String> + Sync,
) -> Finding {
    let (hosts, seed) = (topology.hosts(), scope.seed);
    // One set of messages on 16 hosts takes 2^16 cuts.
    let trials = if hosts > 8 { scope.trials.div_ceil(20) } else { scope.trials };
    let difference = (0..trials)
        .into_par_iter()
        .find_map_first(|index| compare(&messages::random(hosts, 5, seed, index)));
    let case = format!("{trials} random sets of messages, all cuts of {}", topology.spec());
    finding(case, difference, Basis::sampled(trials, seed))
}

/// S runs over all sets of channels; load(M,S) counts the messages whose path meets S.
fn of_all_channel_sets(topology: &Topology, tree: &ChannelTree, scope: &Scope) -> Finding {
    let channels: Vec<Channel> = tree.channels().collect();
    let sets = 1_u32 << channels.len();
    let (trials, seed) = (scope.trials.div_ceil(20), scope.seed);
    let wires = |set: u32| -> Rational {
        let chosen = channels.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        chosen.map(|(_, channel)| tree.capacity(*channel)).sum()
    };
    let wires: Vec<u64> = (0..sets).map(|set| whole(&wires(set))).collect();
    let difference = (0..trials).into_par_iter().find_map_first(|index| {
        let set = messages::random(tree.hosts(), 5, seed, index);
        let path = |m: &Demand| (bits(&tree.path(m.s, m.d), &channels), m.amount.scaled(1));
        let paths: Vec<(u64, Option<u64>)> = set.iter().map(path).collect();
        let load = |chosen: u32| {
            let met = paths.iter().filter(|(path, _)| path & u64::from(chosen) != 0);
            met.filter_map(|(_, amount)| *amount).sum::<u64>()
        };
        let factors =
            (1..sets).filter_map(|chosen| Rational::new(load(chosen), wires[chosen as usize]));
        let (all, one) = (factors.max().unwrap_or_default(), tree.load_factor(&set).value);
        (all != one).then(|| format!("channel sets: {all}, channels: {one}, M = {set:?}"))
    });
    let case = format!(
        "{trials} random sets of messages, all {sets} sets of channels of {}",
        topology.spec()
    );
    finding(case, difference, Basis::sampled(trials, seed))
}

/// Which of `all` are on the path, as bits.
fn bits(path: &[Channel], all: &[Channel]) -> u64 {
    let on_path = all.iter().enumerate().filter(|(_, channel)| path.contains(channel));
    on_path.map(|(at, _)| 1 << at).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_agrees_with_its_own_cuts() {
        let progress = Progress::silent();
        let scope = Scope::new(8, &progress);
        let (topology, tree) = trees::tree(4, "double2", 1).unwrap();
        let right = on_tree(&topology, &tree, &tree, &scope).unwrap();
        assert_eq!(right.len(), 4);
        assert!(right.iter().all(|finding| finding.outcome == Outcome::Holds));
    }

    /// More wires, or fewer, in the channels than in the cuts.
    #[test]
    fn other_channels_are_no_cuts() {
        let (topology, tree) = trees::tree(8, "double2", 1).unwrap();
        let cuts = Cuts::of(&tree).unwrap();
        assert_eq!(of_any_set(&topology, &tree, &tree, &cuts).outcome, Outcome::Holds);
        for growth in ["constant", "linear"] {
            let (_, other) = trees::tree(8, growth, 1).unwrap();
            assert!(of_any_set(&topology, &tree, &other, &cuts).fails(), "{growth}");
        }
    }

    #[test]
    fn a_path_meets_its_channels_only() {
        let (_, tree) = trees::tree(4, "double2", 1).unwrap();
        let channels: Vec<Channel> = tree.channels().collect();
        assert_eq!(bits(&tree.path(0, 3), &channels).count_ones(), 4);
        assert_eq!(bits(&tree.path(0, 3), &channels[2..]).count_ones(), 3);
    }
}
