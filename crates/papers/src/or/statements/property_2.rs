//! \[OR\] Property 2.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::NetworkCheck;
use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{Basis, Finding, Statement, Subject, TheoremError, Whose, planted, shape};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-2",
    usage: "or-property-2",
    options: &[],
    about: "Through the upper level switches, up-link port j of a SUBFT(m,i) is connected to up-link port j of every other SUBFT(m,i) and to no other port",
    reference: "[OR] Property 2",
    examples: &["or-property-2"],
    build: Statement {
        hypothesis: "FT(m,n) with n >= 2",
        whose: Whose::Paper,
        quote: "an up-link port in a SUBFT(m, i) is only connected to an up-link port of the same port number in any other SUBFT(m, i)",
        subject: subject(|topology, _| ports_meet(topology, 0)),
        remark: None,
        planted: |scope| {
            planted::on(subject(|topology, _| ports_meet(topology, 1)), "ft(4,3)", scope)
        },
    },
};

const fn subject(check: NetworkCheck) -> Subject {
    Subject::Networks { applies: |tree| matches!(shape::ft(tree), Some((_, 2..))), check }
}

/// The claim that up-link port j of SUBFT number c meets port j − `shift`·(c' − c) of SUBFT
/// number c', and no other; as printed where `shift` is 0.
fn ports_meet(topology: &Topology, shift: usize) -> Result<Vec<Finding>, TheoremError> {
    let Some(tree) = Structure::of(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    if tree.children[0] == 1 {
        return Ok(vec![Finding::vacuous(topology.spec(), "every SUBFT has one up-link port")]);
    }
    let problem = (1..tree.height()).try_for_each(|i| equal_ports_meet(&tree, i, shift)).err();
    let found = problem.clone().unwrap_or_else(|| "equal ports meet, and no others".to_string());
    let (case, claimed) = (topology.spec(), "equal ports meet, and no others");
    Ok(vec![Finding::holds(case, claimed, found, problem.is_none(), Basis::Exhaustive)])
}

/// Checks that each component of the graph above height `i` holds one port of every subtree, and
/// that the numbers of these ports agree up to `shift`.
fn equal_ports_meet(tree: &Structure, i: usize, shift: usize) -> Result<(), String> {
    let above = tree.components(|level| level > i);
    let subtrees = tree.subtrees(i)?;
    let mut met: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, subtree) in subtrees.iter().enumerate() {
        let ports = subtree.up_links.len();
        for (port, link) in subtree.up_links.iter().enumerate() {
            let met = met.entry(above[tree.head(*link).index()]).or_default();
            met.push(((port + shift * number) % ports, subtree.component));
        }
    }
    for met in met.values() {
        let different: BTreeSet<_> = met.iter().map(|(_, subtree)| subtree).collect();
        let once = (met.len(), different.len()) == (subtrees.len(), subtrees.len());
        if !once || met.iter().any(|(port, _)| *port != met[0].0) {
            return Err(format!("port {} of height {i} meets others", met[0].0));
        }
    }
    Ok(())
}
