//! \[GL\] 5, after Theorem 9: GREEDY on messages that only go up the tree.
//!
//! For every set: let m be a message and t a cycle in which it is lost. Among the lg n + 1 channels
//! above its source some are congested then; let c be the topmost of them. The cap(c) messages that pass
//! c are delivered, as no channel above is congested. With load factor λ this can be the case in at most
//! ⌈λ⌉ − 1 cycles, as in each of them more than cap(c) messages must be left. So m is lost in at most
//! (⌈λ⌉ − 1)(lg n + 1) cycles, and GREEDY takes at most one more.
//!
//! The printed observation is another one. Out of the root it is right: what reaches a channel never
//! grows, so the highest congested channel never rises. But messages to processors inside the tree may
//! keep others back for a while, and then congestion rises again.

use rand::RngExt as _;

use super::observed::{Observed, observe, with_processors_inside};
use super::prelude::*;
use super::trees::{OTHER, UNIVERSAL, sizes};
use crate::adversary::delivery::for_each_set;
use crate::registry::Kind;

pub(super) const KIND: Statement = Statement::new("gl-greedy-upward", "[GL] 5, after Theorem 9")
    .about("GREEDY delivers messages that only go up the tree in (ceil(lambda) - 1)(lg n + 1) + 1 delivery \
            cycles, which is O(lambda lg n)")
    .hypothesis("every growth, every registered admissible loss rule; messages out of the root, and to processors inside the tree: every set of load factor up to 3 on up to 4 leaves, random ones on up to 64")
    .sharpened()
    .quote("routing of messages out the root or, more generally, up the tree only, can be accomplished by GREEDY in $O(\\lambda \\lg n)$ delivery cycles.")
    .cases(|scope| check(scope, 2, within, CLAIM))
    // λ cycles.
    .planted(Planted::Check(|scope| check(scope, 2, |run| run.cycles <= run.lambda, CLAIM)));

pub(super) const DROP: Statement = Statement::new("gl-greedy-upward-drop", "[GL] 5, after Theorem 9")
    .about("Where messages only go up the tree, the highest congested channel drops at least one level \
            every lambda delivery cycles")
    .hypothesis("every growth, every registered admissible loss rule; messages out of the root, and to processors inside the tree: every set of load factor up to 3 on up to 4 leaves, random ones on up to 64")
    .quote("This can be seen by observing that the highest congested channel (closest to the root) must drop at least one level every λ delivery cycles.")
    .cases(|scope| check(scope, 4, |run| run.drops_every(run.lambda), DROPS))
    .remark(
        RemarkKind::Imprecise,
        |case| case.numbers == [1],
        "true of messages out of the root; with messages to processors inside the tree congestion can rise again. The bound holds for these too, by the topmost congested channel above each message: see gl-greedy-upward",
    )
    // Every cycle.
    .planted(Planted::Check(|scope| check(scope, 4, |run| run.drops_every(1), DROPS)));

const CLAIM: &str = "cycles <= (ceil(lambda) - 1)(lg n + 1) + 1";
const DROPS: &str = "never rises, no level for more than ceil(lambda) cycles";

/// Largest load factor of sets that are all tried, and largest number of leaves with processors inside.
const LAMBDA: u64 = 3;
const INSIDE: usize = 16;

/// Maximum number of sets of one tree that are all tried.
const SETS: u64 = 4000;

/// What is asked of a run.
type Asked = fn(&Observed) -> bool;

/// The bound.
fn within(run: &Observed) -> bool {
    run.cycles <= run.lambda.saturating_sub(1) * run.levels + 1
}

/// A tree and the pairs whose messages rise; whether there are processors inside.
struct Site {
    name: String,
    tree: WireTree,
    pairs: Vec<(Host, Host)>,
    inside: bool,
}

impl Site {
    fn of(hosts: usize, growth: &str, inside: bool) -> Result<Self> {
        let spec = format!("universal({hosts},growth={growth},root=open)");
        let shape = trees::shape(&spec)?;
        let (tree, pairs) = if inside {
            with_processors_inside(&shape)?
        } else {
            let outside = host_number(hosts);
            (WireTree::universal(&shape), (0..outside).map(|s| (s, outside)).collect())
        };
        let to = if inside { "to any node above" } else { "out of the root" };
        Ok(Self { name: format!("{to}, {spec}"), tree, pairs, inside })
    }
}

/// With processors inside trees of `least` leaves and more.
fn check(scope: &Scope, least: usize, asked: Asked, claim: &str) -> Findings {
    let mut sites = Vec::new();
    for hosts in sizes(scope.hosts.clamp(4, 64)) {
        for growth in UNIVERSAL.iter().chain(&OTHER) {
            sites.push(Site::of(hosts, growth, false)?);
        }
        for growth in ["double2", "constant"].iter().filter(|_| (least..=INSIDE).contains(&hosts)) {
            sites.push(Site::of(hosts, growth, true)?);
        }
    }
    let found = sites.par_iter().map(|site| {
        let rules = LOSSES.iter().filter(|kind| kind.build.is_admissible);
        let found = rules.map(|rule| of_rule(site, rule, asked, claim, scope));
        scope.progress.inc(1);
        found.collect::<Result<Vec<_>>>()
    });
    Ok(found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn of_rule(
    site: &Site,
    rule: &'static Kind<Loss>,
    asked: Asked,
    claim: &str,
    scope: &Scope,
) -> Result<Finding> {
    let (mut sets, mut wrong, mut all) = (0_u64, None, false);
    let mut see = |messages: &Messages| {
        sets += 1;
        let seed = scope.seed.wrapping_add(sets);
        let observed = observe(&site.tree, messages, &rule.build, seed, scope.progress)?;
        if !asked(&observed) {
            let set: Vec<_> = messages.iter().collect();
            wrong.get_or_insert(format!("{}, M = {set:?}", observed.text()));
        }
        Ok::<_, TheoremError>(())
    };
    if site.pairs.len() <= 5 {
        let mut count = 0;
        all = for_each_set(&site.tree, &site.pairs, LAMBDA, &mut |counts| {
            count += 1;
            see(&set(&site.pairs, counts.iter().copied())?)?;
            Ok::<_, TheoremError>(count < SETS)
        })?;
    }
    if !all {
        for index in 0..scope.trials.div_ceil(if site.inside { 4 } else { 20 }) {
            see(&random_set(&site.pairs, scope.seed, index)?)?;
        }
    }
    let basis = if all { Basis::Exhaustive } else { Basis::sampled(sets, scope.seed) };
    let case = format!("{}, messages {}", rule.name, site.name);
    Ok(Finding::unless(case, claim, format!("holds for {sets} sets"), wrong, basis)
        .numbered([u64::from(site.inside)]))
}

fn set(pairs: &[(Host, Host)], counts: impl Iterator<Item = u64>) -> Result<Messages> {
    Ok(Messages::listed(pairs.iter().zip(counts).map(|((s, d), count)| (*s, *d, count)))?)
}

/// A set in which some of the pairs have up to six messages, and a few up to 24.
fn random_set(pairs: &[(Host, Host)], seed: u64, index: u64) -> Result<Messages> {
    let mut random = Streams::new(seed).at(index);
    let dense = random.random_range(1..=16_u32);
    let counts: Vec<u64> = pairs
        .iter()
        .map(|_| {
            let is_some = random.random_range(0..16) < dense;
            let most = if random.random_range(0..8_u32) == 0 { 24 } else { 6 };
            let count = random.random_range(1..=most);
            if is_some { count } else { 0 }
        })
        .collect();
    set(pairs, counts.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The planted falsehood of either statement shows on the smallest standard fat-tree, and the flaw of
    /// the observation on every tree with processors inside.
    #[test]
    fn what_is_asked_matters() {
        let progress = Progress::silent();
        let scope = Scope::new(4, &progress);
        let site = Site::of(4, "double2", false).unwrap();
        let rule = loss::find("left").unwrap();
        let of = |asked: Asked| of_rule(&site, rule, asked, "", &scope).unwrap();
        assert!(!of(within).fails() && !of(|run| run.drops_every(run.lambda)).fails());
        assert!(of(|run| run.cycles <= run.lambda).fails());
        assert!(of(|run| run.drops_every(1)).fails());
        let inside = Site::of(2, "constant", true).unwrap();
        assert!(
            of_rule(&inside, rule, |run| run.drops_every(run.lambda), "", &scope).unwrap().fails()
        );
    }
}
