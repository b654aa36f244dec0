//! \[OR\] Property 3.

use petgraph::Outgoing;

use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{Basis, Finding, Scope, Statement, Subject, TheoremError, shape};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-3",
    usage: "or-property-3",
    about: "Two nodes whose smallest common sub-fat-tree is a SUBFT(m,i) have (m/2)^(i-1) shortest paths, and (m/2)^(n-1) when they have no common one",
    reference: "[OR] Property 3",
    examples: &["or-property-3"],
    build: Statement {
        hypothesis: "FT(m,n)",
        subject: Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check },
        remark: None,
        ..Statement::UNREAD
    },
};

fn check(topology: &Topology, _: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let (Some((m, n)), Some(tree)) = (shape::ft(topology), Structure::of(topology)) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let components = tree.all_components();
    let from = tree.searches(Outgoing);
    let is_wrong = |(s, d): &(petgraph::graph::NodeIndex, petgraph::graph::NodeIndex)| {
        // Below the root the tree is all SUBFTs; "no common one" means height n.
        let i = tree.meeting_height(&components[..n as usize], *s, *d);
        let found = &from[s.index()];
        let paths = (m as usize / 2).pow(i as u32 - 1);
        found.paths[d.index()] != paths || found.distance[d.index()] != Some(2 * i)
    };
    let wrong = tree.pairs().find(is_wrong);
    let found = wrong.map_or_else(
        || "so for every pair".to_string(),
        |(s, d)| {
            format!(
                "{} paths from {} to {}",
                from[s.index()].paths[d.index()],
                s.index(),
                d.index()
            )
        },
    );
    let (case, claimed) = (topology.spec(), "(m/2)^(i-1) shortest paths of 2i links");
    Ok(vec![Finding::holds(case, claimed, found, wrong.is_none(), Basis::Exhaustive)])
}
