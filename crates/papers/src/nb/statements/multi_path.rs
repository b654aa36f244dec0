//! \[NB\] IV.B: traffic oblivious multi-path routing.
//!
//! Contention is what \[NB\] III says: packets of two SD pairs of a permutation "are routed through
//! one network link". A routing that splits pairs then blocks as soon as some path of one pair
//! meets some path of the other, so keeping one path per pair of a nonblocking routing leaves a
//! nonblocking single-path routing: Theorem 2 carries over to all routings.

use super::constructed::spread;
use super::nonblocking::{Contention, by_packets, ftree, may_be_nonblocking, tops_by_load};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-multi-path", "[NB] IV.B")
    .about("Splitting SD pairs over paths does not improve the nonblocking condition: Lemma 1 still needs to hold for all their paths, which leads to m >= n^2 if r >= 2n+1")
    .hypothesis("any implemented routing that splits pairs, on ftree(n,m,r): all of them block from n = 2 on; one that does not is in nb-multi-path-nonblocking")
    .quote("does not improve the nonblocking condition ... Lemma 1 still needs to hold, which leads to the same bound in Theorem 2 ($m \\geq n^2$)")
    .instances(applies, splits, |instance, scope| check(instance, scope, 1))
    // Two sources or two destinations per link.
    .planted(Planted::Instance("ftree(2,4,2)", |instance, scope| check(instance, scope, 2)));

pub(super) const NONBLOCKING: Statement = Statement::new(
    "nb-multi-path-nonblocking",
    "[NB] IV.B, an example with n >= 2",
)
    .about("A routing that splits every pair over k paths is nonblocking on ftree(n,kn^2,r) when each of Theorem 3's n^2 classes of pairs has k top switches of its own")
    .hypothesis("k = 2, 3 on ftree(n,kn^2,r), n = 2, 3")
    .ours()
    .quote("to achieve nonblocking communication for any permutation, Lemma 1 still needs to hold")
    .cases(|scope| own_tops(scope, |n, i, j| i * n + j))
    // Classes by destination alone: two sources share a link.
    .planted(Planted::Check(|scope| own_tops(scope, |_, _, j| j)));

pub(super) const LOAD: Statement = Statement::new(
    "nb-multi-path-load",
    "[NB] IV.B, with contention read as load instead of the words of III",
)
    .about("Were contention a load above 1 instead of packets that meet, the bound of Theorem 2 would still hold for multi-path routing: permutation load 1 takes m >= n^2 if r >= 2n+1")
    .hypothesis("any implemented routing that splits pairs, on ftree(n,m,r), n >= 2, r >= 2n+1: its permutation load is above 1, or the bound holds")
    .ours()
    .quote("when packets in two SD pairs in a communication pattern are routed through one network link, we say that the communication pattern causes network *contention*.")
    .instances(
        |tree: &Topology| shape::ftree(tree).is_some_and(|(n, _, r)| n > 1 && r > 2 * n),
        splits,
        |instance, scope| tops_by_load(instance, scope, |n| n * n),
    )
    .remark(
        RemarkKind::OurReading,
        few_top_switches,
        "an even split over m = n top switches already has permutation load 1 ([OR] Theorem 1): the paper's bound is about packets that meet, as it says, not about loads",
    )
    .planted(Planted::Instance(
        "ftree(2,4,5)",
        |instance, scope| tops_by_load(instance, scope, |n| n * n + 1),
    ));

fn applies(topology: &Topology) -> bool {
    shape::ftree(topology).is_some()
}

fn splits(routing: &dyn Routing) -> bool {
    !routing.is_single_path()
}

/// Lemma 1 with at most `ends` sources or destinations per link, and the bound of Theorem 2.
fn check(instance: &Instance, scope: &Scope, ends: usize) -> Findings {
    let [n, m, r] = match ftree(instance)? {
        Ok(shape) => shape,
        Err(vacuous) => return Ok(vec![vacuous]),
    };
    let contention = by_packets(instance, scope)?;
    let mut findings = vec![lemma_1(instance, scope, &contention, ends)?];
    if r > 2 * n {
        let compare = |case, basis| Finding::at_least(case, n * n, m, basis);
        findings.push(contention.implies(instance, m >= n * n, compare));
    }
    Ok(findings)
}

fn lemma_1(
    instance: &Instance,
    scope: &Scope,
    contention: &Contention,
    most: usize,
) -> Result<Finding> {
    let links = uses::pairs_by_link(instance, scope)?;
    let condition = links.iter().all(|pairs| {
        let (sources, destinations) = uses::ends(pairs);
        sources.min(destinations) <= most
    });
    let say = |nonblocking| if nonblocking { "nonblocking" } else { "blocking" };
    let claimed = format!("{} by Lemma 1", say(condition));
    let found = say(contention.nonblocking == Some(true));
    let holds = contention.nonblocking == Some(condition);
    let case = format!("{}, Lemma 1", oblivious::case(instance));
    Ok(Finding::holds(case, claimed, found, holds, Basis::Exhaustive))
}

/// (k, n, r).
const SPREAD: &[(u32, u32, u32)] = &[(2, 2, 2), (2, 2, 5), (3, 2, 3), (2, 3, 3)];

fn own_tops(scope: &Scope, class: fn(u32, u32, u32) -> u32) -> Findings {
    scope.each(SPREAD, |(k, n, r)| {
        let instance = spread(*k, *n, *r, class)?;
        let contention = by_packets(&instance, scope)?;
        let case = format!("k = {k} on {}", instance.topology.spec());
        let holds = contention.nonblocking == Some(true);
        let (claimed, found) = ("nonblocking", contention.text);
        Ok(Finding::holds(case, claimed, found, holds, contention.basis))
    })
}

/// Whether the tree of a case has fewer than n² top switches, and its routing does not block.
fn few_top_switches(case: &Case) -> bool {
    may_be_nonblocking(case) && matches!(case.numbers[..], [n, m, _] if m < n * n)
}
