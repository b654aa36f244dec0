//! \[AC\]: rings and cliques.

use crate::theorem::bounded;
use crate::theorem::direct::least;
use crate::theorem::prelude::*;

pub(super) const RINGS: Statement = Statement::new("lit-rings", "[AC]")
    .about("The least oblivious ratio of a ring of n nodes is 2 - 2/n")
    .hypothesis("rings of 3 to 10 nodes")
    .recalled()
    .cases(|scope| check(scope, &rings(10), 2))
    // As of a ring of 2n nodes.
    .planted(Planted::Check(|scope| check(scope, &rings(3), 1)));

pub(super) const CLIQUES: Statement = Statement::new("lit-cliques", "[AC]")
    .about("The least oblivious ratio of the complete graph of n nodes is 2 - 2/n")
    .hypothesis("complete graphs of 3 to 7 nodes")
    .recalled()
    .cases(|scope| check(scope, &cliques(7), 2))
    // As of 2n nodes.
    .planted(Planted::Check(|scope| check(scope, &cliques(3), 1)));

/// Numbers of nodes, and their networks.
type Networks = Vec<(u64, String)>;

fn rings(most: u64) -> Networks {
    (3..=most).map(|n| (n, format!("torus({n})"))).collect()
}

fn cliques(most: u64) -> Networks {
    (3..=most).map(|n| (n, format!("hyperx({n},p=0)"))).collect()
}

/// The claim that the least ratio is 2 - `part`/n.
fn check(scope: &Scope, networks: &[(u64, String)], part: u64) -> Findings {
    let small = networks.iter().filter(|(n, _)| as_size(*n) <= scope.hosts);
    let finding = |(n, spec): &(u64, String)| {
        let known = least(generate(spec)?, false, scope.progress)?;
        scope.progress.inc(1);
        Ok(bounded::equals(spec.clone(), &fraction(2 * n - part, *n), known))
    };
    small.map(finding).collect()
}
