//! \[OR\] Property 4.

use std::collections::BTreeMap;

use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, shape};
use crate::topology::{Direction, Topology};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-4",
    usage: "or-property-4",
    about: "Where (m/2)^x shortest paths join s and d, each level n-1-i link that carries their traffic is on (m/2)^(x-i) of them",
    reference: "[OR] Property 4",
    examples: &["or-property-4"],
    build: Statement {
        hypothesis: "FT(m,n)",
        subject: Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check },
        erratum: None,
    },
};

/// So (m/2)^i links up and as many down carry the pair, which is checked too.
fn check(topology: &Topology, _: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let (Some((m, n)), Some(tree)) = (shape::ft(topology), Structure::of(topology)) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let half = |x: usize| (m as usize / 2).pow(x as u32);
    let components = tree.all_components();
    let mut carriers: BTreeMap<(usize, usize, usize, bool), usize> = BTreeMap::new();
    let mut problem = None;
    tree.every_use(|s, d, link, paths| {
        let x = tree.meeting_height(&components[..n as usize], s, d) - 1;
        let link = &tree.graph[link];
        let i = usize::from(link.level) - 1;
        let up = link.direction == Direction::Up;
        if i > x || paths != half(x - i) {
            problem = Some(format!("{paths} paths of {} to {} at i = {i}", s.index(), d.index()));
        }
        *carriers.entry((s.index(), d.index(), i, up)).or_default() += 1;
    });
    let wrong = carriers.into_iter().find(|((_, _, i, _), links)| *links != half(*i));
    let problem =
        problem
            .or(wrong
                .map(|((s, d, i, _), links)| format!("{links} links carry {s} to {d} at i = {i}")));
    let found = problem.clone().unwrap_or_else(|| "so for every pair and link".to_string());
    let (case, claimed) = (topology.spec(), "(m/2)^(x-i) paths through a link");
    Ok(vec![Finding::holds(case, claimed, found, problem.is_none(), Basis::Exhaustive)])
}
