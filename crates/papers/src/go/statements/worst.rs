//! \[GO\] 5.2.1: "the worst traffic pattern that we can conceive" leaves 1/k of the bandwidth.
//!
//! Between levels l and l + 1 of a k-ary n-tree an ascending link of D-mod-k has k^l sources and
//! the k^(n−l) − 1 destinations outside that share l digits, so the exact value is the largest
//! min(k^l, k^(n−l) − 1). For n = 3 that is k, for n = 4 it is k² − 1.

use super::is_deterministic;
use crate::theorem::prelude::*;

pub(super) const LAST_COMPONENT: Statement = Statement::new("go-worst", "[GO] 5.2.1, below Figure 7")
    .about("No traffic is worse for the deterministic routing than a loss of k: PERF = k")
    .hypothesis("D-mod-k on k-ary n-trees, n >= 2")
    .ours()
    .quote("the worst traffic pattern that we can conceive for our proposed routing algorithm")
    .instances(
        |tree| matches!(kary(tree), Some((_, 2..))),
        is_deterministic,
        |instance, scope| check(instance, scope, 0),
    )
    .publishes(Side::Equals, of_last_component)
    .remark(
        RemarkKind::OurReading,
        |case| matches!(case.numbers[..], [_, n] if n != 3),
        "The paper prints 1/k of the bandwidth for the worst pattern that its authors can \
                   conceive, and no PERF. PERF = k is true for n = 3. For n = 2 it is k - 1, so that the example of the paper, the \
                   2-ary 2-tree, loses nothing; for n >= 4 destinations that share more components \
                   are worse: k^2 - 1 on a k-ary 4-tree, 8 on a 2-ary 7-tree",
    )
    .planted(Planted::Check(|scope| check(&scope.instance("kary(2,3)", "dmodk")?, scope, 1)));

pub(super) const EXACT: Statement = Statement::new("go-worst-exact", "[GO] 5.2.1, below Figure 7")
    .about("PERF of the deterministic routing is the largest min(k^l, k^(n-l) - 1), 0 <= l < n")
    .hypothesis("D-mod-k on k-ary n-trees")
    .ours()
    .quote("the worst traffic pattern that we can conceive for our proposed routing algorithm")
    .instances(
        |tree| kary(tree).is_some(),
        is_deterministic,
        |instance, scope| {
            let claimed = fits(&instance.topology, |tree| largest(tree, &*instance.routing))?;
            Ok(vec![oblivious::equals(instance, scope, &claimed.into())?])
        },
    )
    .publishes(Side::Equals, largest)
    .planted(Planted::FirstPorts("kary(2,3)"));

/// The largest min(k^l, k^(n−l) − 1).
fn largest(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (k, n) = kary(topology).filter(|_| is_deterministic(routing))?;
    let k = u64::from(k);
    (0..n).map(|l| Some(k.checked_pow(l)?.min(k.checked_pow(n - l)? - 1))).max()?
}

/// k of a tree of at least two levels.
fn of_last_component(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (k, n) = kary(topology).filter(|_| is_deterministic(routing))?;
    (n >= 2).then_some(k.into())
}

/// PERF against k + `more`.
fn check(instance: &Instance, scope: &Scope, more: u64) -> Findings {
    let (k, n) = fits(&instance.topology, kary)?;
    let claimed = Rational::from(u64::from(k) + more);
    Ok(vec![oblivious::equals(instance, scope, &claimed)?.numbered([k.into(), n.into()])])
}
