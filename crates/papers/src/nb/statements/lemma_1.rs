//! \[NB\] Lemma 1, both directions.

use std::mem;

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
    let Instance { topology, routing, .. } = instance;
    if !routing.is_single_path() {
        return Err(defect(routing.spec()));
    }
    let mut scratch = Vec::new();
    let mut path = |s, d| {
        let mut path = Vec::new();
        if s != d {
            routing
                .for_each_path(s, d, &mut scratch, &mut |_, links| path.extend_from_slice(links));
        }
        path
    };
    let hosts = || topology.host_numbers();
    let paths = hosts().map(|s| hosts().map(|d| path(s, d)).collect()).collect();
    let flows = vec![0; topology.links()];
    let most = Permutations { paths, flows, taken: vec![false; topology.hosts()] }.most_flows(0, 0);
    Ok(u64::from(most).into())
}

/// All permutations, one source after the other.
struct Permutations {
    /// The links from a source to a destination.
    paths: Vec<Vec<Vec<LinkId>>>,
    /// The pairs on every link, of the sources so far.
    flows: Vec<u32>,
    /// The destinations of these.
    taken: Vec<bool>,
}

impl Permutations {
    /// The most pairs on a link in any permutation that goes on from here; `so_far` of the sources before `source`.
    fn most_flows(&mut self, source: usize, so_far: u32) -> u32 {
        let mut most = so_far;
        if source == self.paths.len() {
            return most;
        }
        for destination in 0..self.taken.len() {
            if mem::replace(&mut self.taken[destination], true) {
                continue;
            }
            let path = mem::take(&mut self.paths[source][destination]);
            let mut here = so_far;
            for link in &path {
                let flows = &mut self.flows[*link as usize];
                *flows += 1;
                here = here.max(*flows);
            }
            most = most.max(self.most_flows(source + 1, here));
            for link in &path {
                self.flows[*link as usize] -= 1;
            }
            self.paths[source][destination] = path;
            self.taken[destination] = false;
        }
        most
    }
}
