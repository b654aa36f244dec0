//! \[OR\] Property 3.

use petgraph::Outgoing;

use super::claims::NetworkCheck;
use crate::integer::index32;
use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{Basis, Finding, Statement, Subject, TheoremError, Whose, planted, shape};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-3",
    usage: "or-property-3",
    options: &[],
    about: "Two nodes whose smallest common sub-fat-tree is a SUBFT(m,i) have (m/2)^(i-1) shortest paths, and (m/2)^(n-1) when they have no common one",
    reference: "[OR] Property 3",
    examples: &["or-property-3"],
    build: Statement {
        hypothesis: "FT(m,n)",
        whose: Whose::Paper,
        quote: r"there exist $(\frac{m}{2})^{i-1}$ different shortest paths from a to b. If such a sub-tree does not exist, there are $(\frac{m}{2})^{n-1}$ different shortest paths",
        subject: subject(|topology, _| shortest_paths(topology, |i| i - 1)),
        remark: None,
        planted: |scope| {
            planted::on(subject(|topology, _| shortest_paths(topology, |i| i)), "ft(4,2)", scope)
        },
    },
};

const fn subject(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check }
}

/// The claim that pairs that meet in a SUBFT(m,i) have (m/2)^`exponent`(i) shortest paths.
fn shortest_paths(
    topology: &Topology,
    exponent: fn(u32) -> u32,
) -> Result<Vec<Finding>, TheoremError> {
    let (Some((m, n)), Some(tree)) = (shape::ft(topology), Structure::of(topology)) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let components = tree.all_components();
    let from = tree.searches(Outgoing);
    let is_wrong = |(s, d): &(petgraph::graph::NodeIndex, petgraph::graph::NodeIndex)| {
        // Below the roots the tree consists of SUBFTs; "no common one" means height n.
        let i = tree.meeting_height(&components[..n as usize], *s, *d);
        let found = &from[s.index()];
        let paths = (m as usize / 2).pow(exponent(index32(i)));
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
