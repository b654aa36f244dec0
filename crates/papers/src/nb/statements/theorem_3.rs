//! \[NB\] Theorem 3.

use super::nonblocking::ftree;
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-theorem-3", "[NB] IV.A, Theorem 3")
    .about("There is a single-path deterministic routing with which ftree(n,n^2,r) is nonblocking: (v,i) to (w,j) through top switch (i,j)")
    .hypothesis("yuan on ftree(n,n^2,r)")
    .quote("$ftree(n, m = n^2, r)$ is nonblocking using that routing algorithm.")
    .instances(
        |tree| matches!(shape::ftree(tree), Some((n, m, _)) if m == n * n),
        |routing| is_kind(routing, "yuan"),
        check,
    )
    .publishes(Side::Equals, |tree, routing| {
        let (n, m, _) = shape::ftree(tree).filter(|_| is_kind(routing, "yuan"))?;
        (m == n * n).then_some(1)
    })
    .planted(Planted::FirstPorts("ftree(2,4,3)"));

/// A network is nonblocking when no permutation loads a link twice: permutation load 1, which here
/// is the oblivious ratio (hosts have one link of capacity 1).
fn check(instance: &Instance, scope: &Scope) -> Findings {
    Ok(vec![match ftree(instance)? {
        Ok(_) => oblivious::equals(instance, scope, &Rational::ONE)?,
        Err(vacuous) => vacuous,
    }])
}
