//! \[OR\] Property 4.

use super::claims::NetworkCheck;
use crate::integer::index32;
use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape,
};
use crate::topology::{Direction, Topology};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-4",
    usage: "or-property-4",
    options: &[],
    about: "Where (m/2)^x shortest paths join s and d, each level n-1-i link that carries their traffic is on (m/2)^(x-i) of them",
    reference: "[OR] Property 4",
    examples: &["or-property-4"],
    build: Statement {
        hypothesis: "FT(m,n)",
        whose: Whose::Paper,
        quote: r"Each of the level n - 1 - i up/down links that carry traffic from s to d is used by $(\frac{m}{2})^{x-i}$ shortest paths",
        subject: subject(|topology, scope| paths_of_links(topology, scope, |x, i| x - i)),
        remark: None,
        planted: |scope| {
            planted::on(
                subject(|topology, scope| paths_of_links(topology, scope, |x, _| x)),
                "ft(4,2)",
                scope,
            )
        },
    },
};

const fn subject(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check }
}

/// The claim that (m/2)^`exponent`(x,i) paths use each link: (m/2)^(x−i) as printed. Then (m/2)^i
/// links up and as many down carry the pair, which is also checked.
fn paths_of_links(
    topology: &Topology,
    scope: &Scope,
    exponent: fn(usize, usize) -> usize,
) -> Result<Vec<Finding>, TheoremError> {
    let (Some((m, n)), Some(tree)) = (shape::ft(topology), Structure::of(topology)) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let half = |x: usize| (m as usize / 2).pow(index32(x));
    let components = tree.all_components();
    let mut problem = None;
    // x of one pair, and its number of links up and down per i: uses come pair by pair.
    let (mut pair, mut carriers) = (None, vec![[0; 2]; n as usize]);
    let are_as_claimed = |x: usize, carriers: &[[usize; 2]]| {
        let claimed = |i: usize| if i <= x { half(i) } else { 0 };
        carriers.iter().enumerate().all(|(i, links)| *links == [claimed(i); 2])
    };
    tree.every_use(scope.progress, |s, d, link, paths| {
        let x = tree.meeting_height(&components[..n as usize], s, d) - 1;
        if pair.is_none_or(|(last, _)| last != (s, d)) {
            if pair.is_some_and(|(_, x)| !are_as_claimed(x, &carriers)) {
                problem = Some(format!("{carriers:?} links of the pair before {s:?}, {d:?}"));
            }
            pair = Some(((s, d), x));
            carriers.fill([0; 2]);
        }
        let link = &tree.graph[link];
        let i = usize::from(link.level) - 1;
        if i > x || paths != half(exponent(x, i)) {
            problem = Some(format!("{paths} paths of {} to {} at i = {i}", s.index(), d.index()));
        }
        carriers[i][usize::from(link.direction == Direction::Up)] += 1;
    })?;
    if pair.is_some_and(|(_, x)| !are_as_claimed(x, &carriers)) {
        problem = Some(format!("{carriers:?} links of the last pair"));
    }
    let found = problem.clone().unwrap_or_else(|| "so for every pair and link".to_string());
    let (case, claimed) = (topology.spec(), "(m/2)^(x-i) paths through a link");
    Ok(vec![Finding::holds(case, claimed, found, problem.is_none(), Basis::Exhaustive)])
}
