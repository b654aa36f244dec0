//! \[OR\] Property 5.

use std::collections::BTreeSet;

use super::claims::NetworkCheck;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape,
};
use crate::topology::{Direction, Topology};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-5",
    usage: "or-property-5",
    options: &[],
    about: "A level i up link carries traffic from at most (m/2)^(n-1-i) source nodes, a level i down link to at most as many nodes",
    reference: "[OR] Property 5",
    examples: &["or-property-5"],
    build: Statement {
        hypothesis: "FT(m,n), every shortest path",
        whose: Whose::Paper,
        quote: r"up link carries traffic from at most $(\frac{m}{2})^{n-1-i}$ source nodes. A level i down link carries traffic to at most $(\frac{m}{2})^{n-1-i}$ nodes.",
        subject: subject(|topology, scope| users_of_links(topology, scope, 0)),
        remark: None,
        planted: |scope| {
            planted::on(
                subject(|topology, scope| users_of_links(topology, scope, 1)),
                "ft(4,2)",
                scope,
            )
        },
    },
};

const fn subject(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check }
}

/// One finding per level: the most hosts on any of its links, against the printed bound minus
/// `fewer`.
fn users_of_links(
    topology: &Topology,
    scope: &Scope,
    fewer: u64,
) -> Result<Vec<Finding>, TheoremError> {
    let (Some((m, n)), Some(tree)) = (shape::ft(topology), Structure::of(topology)) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let mut users = vec![BTreeSet::new(); tree.graph.edge_count()];
    tree.every_use(scope.progress, |s, d, link, _| {
        let up = tree.graph[link].direction == Direction::Up;
        users[link.index()].insert(if up { s } else { d });
    })?;
    let finding = |i: u32| {
        let of_level = tree.graph.edge_weights().zip(&users);
        let of_level = of_level.filter(|(link, _)| n - u32::from(link.level) == i);
        let most = of_level.map(|(_, users)| users.len() as u64).max().unwrap_or(0);
        let claimed = u64::from(m / 2).pow(n - 1 - i) - fewer;
        let case = format!("level {i} of {}", topology.spec());
        Finding::at_most(case, Rational::from(claimed), Rational::from(most), Basis::Exhaustive)
    };
    Ok((0..n).map(finding).collect())
}
