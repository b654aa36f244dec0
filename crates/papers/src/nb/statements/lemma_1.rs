//! \[NB\] Lemma 1, both directions.

use crate::load::PermutationLoads;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-lemma-1", "[NB] IV.A, Lemma 1")
    .about("For any single-path deterministic routing, ftree(n,m,r) is nonblocking if and only if each directed link carries traffic either from one source or to one destination")
    .hypothesis("any single-path routing on ftree(n,m,r); all permutations up to 8 hosts, the exact worst permutation load above")
    .quote("is nonblocking if and only if each directed link carries traffics either from one source or to one destination.")
    .instances(
        |tree| shape::ftree(tree).is_some(),
        is_single_path,
        |instance, scope| check(instance, scope, one_end),
    )
    // "From one source" alone: the links down to a switch of Theorem 3's routing have several.
    .planted(Planted::Instance(
        "ftree(2,4,3)",
        |instance, scope| check(instance, scope, |sources, _| sources <= 1),
    ));

/// Maximum number of hosts for which all permutations are routed.
const MAX_HOSTS: usize = 8;

/// The condition on the numbers of sources and destinations of a link.
fn one_end(sources: usize, destinations: usize) -> bool {
    sources.min(destinations) <= 1
}

fn check(instance: &Instance, scope: &Scope, condition: fn(usize, usize) -> bool) -> Findings {
    let case = oblivious::case(instance);
    if shape::ftree(&instance.topology).is_some_and(|(n, ..)| n == 1) {
        let why = "one host per switch: every link has one source or one destination";
        return Ok(vec![Finding::vacuous(case, why)]);
    }
    let links = uses::pairs_by_link(instance, scope)?;
    let broken = links.iter().map(|pairs| uses::ends(pairs)).find(|(s, d)| !condition(*s, *d));
    let claimed = broken.map_or_else(
        || "nonblocking: every link meets the condition".to_string(),
        |(s, d)| format!("blocking: a link has {s} sources, {d} destinations"),
    );
    let (load, basis) = match worst_load(instance, scope)? {
        Ok(found) => found,
        Err(bounds) => {
            let basis = Basis::claimed(bounds.clone());
            let open = Outcome::Open(bounds.clone());
            return Ok(vec![Finding::new(case, claimed, bounds, open, basis)]);
        }
    };
    let holds = broken.is_none() == (load <= Rational::ONE);
    let found = format!("worst permutation load {load}");
    Ok(vec![Finding::holds(case, claimed, found, holds, basis)])
}

/// The largest max load of all permutations, or, in words, what is known about it.
fn worst_load(instance: &Instance, scope: &Scope) -> Result<Result<(Rational, Basis), String>> {
    if instance.topology.hosts() <= MAX_HOSTS {
        return Ok(Ok((by_enumeration(instance)?, Basis::Exhaustive)));
    }
    let bounds = scope.assess(instance)?.permutation_load;
    let exact = bounds.exact().cloned();
    Ok(exact.map(|load| (load, Basis::of(&bounds))).ok_or_else(|| bounds.to_string()))
}

/// The largest max load of all permutations. Links have capacity 1, so it is the number of SD pairs
/// that contend.
fn by_enumeration(instance: &Instance) -> Result<Rational> {
    let hosts = instance.topology.hosts();
    let hypothesis = || defect(instance.routing.spec());
    let mut loads = PermutationLoads::new(instance).ok_or_else(hypothesis)?;
    let images = (0..host_number(hosts)).permutations(hosts);
    let most = images.filter_map(|image| loads.flows(&image).iter().copied().max()).max();
    Ok(u64::from(most.unwrap_or(0)).into())
}
