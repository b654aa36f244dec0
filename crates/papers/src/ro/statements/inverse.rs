//! \[RO\] VII.B: S-mod-k and D-mod-k route as many permutations with each level of contention.
//!
//! The argument: D-mod-k does with (D → S) what S-mod-k does with (S → D). So the distributions
//! over all permutations are equal, which is enumerated on small trees. More strongly, every path
//! of S-mod-k is one of D-mod-k reversed, over the same cables, which proves the claim for all
//! permutations of any size.

use crate::load::PermutationLoads;
use crate::theorem::prelude::*;
use crate::theorem::walk::opposite;
use crate::traffic::Permutation;

pub(super) const PATHS: Statement = Statement::new("ro-inverse-paths", "[RO] VII.B")
    .about("The path of S-mod-k from s to d is that of D-mod-k from d to s, reversed")
    .hypothesis("every XGFT; printed for the NCAs")
    .sharpened()
    .quote("the NCAs that were previously assigned by S-mod-k are now the ones assigned by D-mod-k, and vice versa")
    .networks(|tree| tree.plain_tree().is_some(), paths)
    .planted(AT_RANDOM);

pub(super) const PERMUTATIONS: Statement = Statement::new("ro-inverse-permutations", "[RO] VII.B")
    .about("S-mod-k and D-mod-k route the same number of permutations with contention C, for every C")
    .hypothesis("every XGFT")
    .quote("We analyzed how many permutations can be routed by either algorithm with a certain level of contention C, and concluded that they are exactly the same")
    .networks(|tree| tree.plain_tree().is_some(), permutations)
    .planted(AT_RANDOM);

/// Random paths in place of those of D-mod-k.
const AT_RANDOM: Planted = Planted::RoutedAs("kary(2,3)", &["dmodk"], "random(seed=3)");

/// S-mod-k and D-mod-k on a network.
pub(super) fn both(topology: &Topology, scope: &Scope) -> Result<[Instance; 2]> {
    let named = |routing| scope.instance(topology.spec(), routing);
    Ok([named("smodk")?, named("dmodk")?])
}

fn paths(topology: &Topology, scope: &Scope) -> Findings {
    let both = both(topology, scope)?;
    let back: Vec<Option<LinkId>> =
        topology.link_numbers().map(|link| opposite(topology, link)).collect();
    let [from_source, from_destination] = both.each_ref().map(|instance| &*instance.routing);
    let differs = |(s, d): &(Host, Host)| {
        let there = path(from_source, *s, *d);
        let again = path(from_destination, *d, *s);
        !again.iter().rev().map(|link| back[*link as usize]).eq(there.into_iter().map(Some))
    };
    let bad = sd_pairs(topology.hosts()).find(differs);
    let bad = bad.map(|pair| format!("not for {pair:?}"));
    let found = "holds for every pair";
    Ok(vec![Finding::unless(topology.spec(), "reversed", found, bad, Basis::Exhaustive)])
}

/// How many permutations have each max load.
type Distribution = BTreeMap<Rational, u64>;

/// Maximum number of hosts for which all permutations are routed.
pub(super) fn enumerable(scope: &Scope) -> usize {
    match (scope.full, scope.hosts) {
        (true, _) => 9,
        (false, 0..=16) => 6,
        (false, _) => 8,
    }
}

fn permutations(topology: &Topology, scope: &Scope) -> Findings {
    let [source, destination] = both(topology, scope)?;
    let hosts = topology.hosts();
    let (distributions, basis, all) = if hosts <= enumerable(scope) {
        let both = [distribution(&source, all(hosts)), distribution(&destination, all(hosts))];
        (both, Basis::Exhaustive, "all permutations".to_string())
    } else {
        let (trials, seed) = (scope.trials.div_ceil(10), scope.seed);
        let drawn = || Permutation::random_sequence(hosts, seed).take(as_size(trials));
        let inverse = drawn().map(|permutation| images(&permutation.inverse()));
        let drawn = drawn().map(|permutation| images(&permutation));
        let both = [distribution(&source, drawn), distribution(&destination, inverse)];
        (both, Basis::sampled(trials, seed), format!("{trials} permutations and their inverses"))
    };
    scope.progress.check()?;
    let [claimed, found] = distributions.each_ref().map(text);
    let holds = distributions[0] == distributions[1] && !distributions[0].is_empty();
    let case = format!("{all} of {}", topology.spec());
    let (claimed, found) = (format!("as S-mod-k, {claimed}"), format!("D-mod-k, {found}"));
    Ok(vec![Finding::holds(case, claimed, found, holds, basis)])
}

/// All permutations; hosts that send to themselves are idle.
fn all(hosts: usize) -> impl Iterator<Item = Vec<Host>> {
    (0..host_number(hosts)).permutations(hosts)
}

fn images(permutation: &Permutation) -> Vec<Host> {
    let hosts = 0..host_number(permutation.hosts());
    hosts.map(|s| permutation.image(s).unwrap_or(s)).collect()
}

fn distribution(instance: &Instance, images: impl Iterator<Item = Vec<Host>>) -> Distribution {
    let mut distribution = Distribution::new();
    let Some(mut loads) = PermutationLoads::new(instance) else { return distribution };
    for image in images {
        *distribution.entry(loads.max_load(&image)).or_default() += 1;
    }
    distribution
}

fn text(distribution: &Distribution) -> String {
    distribution.iter().map(|(load, count)| format!("contention {load}: {count}")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_permutations_are_counted() {
        let instance = Instance::named("xgft(2;2,3;1,1)", "smodk").unwrap();
        let distribution = distribution(&instance, all(6));
        assert_eq!(distribution.values().sum::<u64>(), 720);
        // Only the identity sends nothing; a leaf of two hosts has one link up.
        assert_eq!(distribution.keys().min(), Some(&Rational::ZERO));
        assert_eq!(distribution.keys().max(), Some(&Rational::from(2)));
    }
}
