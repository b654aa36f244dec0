//! \[NB\] Lemmas 4 and 5: the partitions of NONBLOCKINGADAPTIVE.
//!
//! Whatever the source, partition i sends a destination through the top switch that is its
//! coordinate i ([`Numbering::coordinates`]): the first digit p, or (s_{i−2} − p) mod n. Within a
//! switch the s are fixed, so hosts with different p have different coordinates: that is Lemma 4, for
//! all n and c.

use crate::simulation::adaptive::Numbering;
use crate::theorem::prelude::*;

pub(super) const DIFF: Statement = Statement::new("nb-lemma-4", "[NB] V, Lemma 4")
    .about("Every partition of NONBLOCKINGADAPTIVE is in Class DIFF: it sends different destinations of one switch through different top switches")
    .hypothesis("every partition of some n and c, all destinations; every n and c by arithmetic")
    .quote("The routing in each partition belongs to Class DIFF.")
    .cases(|scope| diff(scope, top))
    // Without the difference: by the digit of the switch alone.
    .planted(Planted::Check(|scope| { diff(scope, |of, host, partition| (top(of, host, partition) + host.1) % of.n()) }));

pub(super) const SETS: Statement = Statement::new("nb-lemma-5", "[NB] V, Lemma 5")
    .about("SD pairs from one switch whose destinations have different first digits can be routed through the first partition without contention, those with different (s_i-p)%n through partition i+2")
    .hypothesis("all sets of pairs from one switch of small ftree(n,m,r), over the links of the tree")
    .quote("each has a different first digit p^j , $1 \\leq j \\leq k$, then all of the k SD pairs can be routed through the first partition without contention. If $(s_i^j - p^j)\\%n$, $1 \\leq j \\leq k$, are different, then all of the k SD pairs can be routed through the $i+2$ -th partition without contention.")
    .cases(|scope| sets(scope, Itertools::all_unique))
    // Any set.
    .planted(Planted::Check(|scope| sets(scope, |_| true)));

/// A host by its switch and its place there.
type Destination = (u32, u32);

/// Its top switch within a partition.
fn top(numbering: Numbering, (switch, p): Destination, partition: usize) -> u32 {
    numbering
        .coordinates(switch, p)
        .nth(partition)
        .expect("there are as many partitions as coordinates")
}

type Top = fn(Numbering, Destination, usize) -> u32;

fn diff(scope: &Scope, top: Top) -> Findings {
    let mut findings = Vec::new();
    for (n, c) in [(2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (4, 3), (5, 2), (8, 1), (64, 1)] {
        scope.progress.check()?;
        let numbering = Numbering::with_digits(n, c);
        for partition in 0..=c as usize {
            let is_diff =
                |switch: u32| (0..n).map(|p| top(numbering, (switch, p), partition)).all_unique();
            let wrong = (0..n.pow(c)).filter(|switch| !is_diff(*switch)).count();
            let case = format!("n = {n}, c = {c}, partition {}", partition + 1);
            let found = format!("{wrong} switches with two hosts through one top switch");
            findings.push(Finding::holds(case, "none", found, wrong == 0, Basis::Exhaustive));
        }
    }
    let by = "s - p takes n values for n values of p";
    let docs = "the docs of crates/papers/src/nb/statements/lemma_4.rs";
    findings.push(Finding::argued("every n and c", "different", by, docs));
    Ok(findings)
}

/// Whether the values of a set of pairs satisfy the hypothesis.
type Condition = fn(&mut std::vec::IntoIter<u32>) -> bool;

fn sets(scope: &Scope, condition: Condition) -> Findings {
    scope.each([(2_u32, 3_u32), (2, 4), (2, 5), (3, 3), (3, 4), (3, 9)], |(n, r)| {
        let Some(numbering) = Numbering::of(n, r) else { return Ok(Vec::new()) };
        let (m, partitions) = (numbering.per_configuration(), numbering.c() as usize + 1);
        let tree = Xgft::from_parameters(&[n.into(), r.into()], &[1, m])?;
        let found = (0..partitions).map(|at| sets_of(&tree, numbering, at, condition));
        Ok(found.collect())
    })
}

/// All sets of pairs from switch 0 through one partition.
fn sets_of(tree: &Xgft, numbering: Numbering, partition: usize, condition: Condition) -> Finding {
    let (n, r) = (numbering.n(), tree.children(2));
    let (mut sets, mut meeting) = (0_u64, 0_u64);
    for size in 1..=n as usize {
        for set in (n..n * r).combinations(size) {
            let value = |d: &u32| top(numbering, (d / n, d % n), partition);
            let values: Vec<u32> = set.iter().map(value).collect();
            if !condition(&mut values.clone().into_iter()) {
                continue;
            }
            sets += 1;
            let mut links = Vec::new();
            for (s, (d, value)) in set.iter().zip(values).enumerate() {
                let top = host_number(partition) * n + value;
                tree.push_path(host_number(s), *d, &[0, top], &mut links);
            }
            meeting += u64::from(!links.into_iter().all_unique());
        }
    }
    let case = format!("{}, partition {}, {sets} sets", tree.shape(), partition + 1);
    let found = format!("{meeting} sets share a link");
    Finding::holds(case, "none", found, meeting == 0, Basis::Exhaustive)
}
