//! \[OR\] Property 1, with the counts of II.B.

use crate::integer::index32;
use crate::registry::Kind;
use crate::theorem::structure::Structure;
use crate::theorem::{
    Basis, Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape,
};
use crate::topology::Topology;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "or-property-1",
    usage: "or-property-1",
    options: &[],
    about: "FT(m,n) contains m(m/2)^(n-1-i) SUBFT(m,i)'s of (m/2)^i nodes and up-link ports each, (2n-1)(m/2)^(n-1) switches of m ports, and m(m/2)^(n-1) nodes",
    reference: "[OR] II.B, Property 1",
    examples: &["or-property-1"],
    build: Statement {
        hypothesis: "FT(m,n)",
        whose: Whose::Paper,
        quote: r"FT(m, n) contains m SUBFT(m, n-1)'s, $m \times \frac{m}{2}$ SUBFT(m, n-2)'s ... the total number of switches in FT(m, n) is $(2n-1) \times (\frac{m}{2})^{n-1}$",
        subject: Subject::Networks { applies: |tree| shape::ft(tree).is_some(), check },
        remark: None,
        // A tree with three roots passed off as FT(8,2), which has four.
        planted: |scope| {
            let check: super::claims::NetworkCheck = |topology, _| counted(topology, 8, 2);
            planted::on(Subject::Networks { applies: |_| true, check }, "xgft(2;4,8;1,3)", scope)
        },
    },
};

fn check(topology: &Topology, _: &Scope) -> Result<Vec<Finding>, TheoremError> {
    match shape::ft(topology) {
        Some((m, n)) => counted(topology, m as usize, n as usize),
        None => Err(TheoremError::Hypothesis(topology.spec().to_string())),
    }
}

/// The claim that a network has the counts of FT(m,n).
fn counted(topology: &Topology, m: usize, n: usize) -> Result<Vec<Finding>, TheoremError> {
    let Some(tree) = Structure::of(topology) else {
        return Err(TheoremError::Hypothesis(topology.spec().to_string()));
    };
    let problem = counts(&tree, m, n).and_then(|()| subtrees(&tree, m, n)).err();
    let found = problem.clone().unwrap_or_else(|| "as claimed".to_string());
    let case = topology.spec();
    Ok(vec![Finding::holds(case, "the counts", found, problem.is_none(), Basis::Exhaustive)])
}

fn equal(what: &str, claimed: usize, found: usize) -> Result<(), String> {
    if claimed == found { Ok(()) } else { Err(format!("{what}: {found}, not {claimed}")) }
}

fn counts(tree: &Structure, m: usize, n: usize) -> Result<(), String> {
    let half = (m / 2).pow(index32(n) - 1);
    equal("processing nodes", m * half, tree.hosts)?;
    equal("switches", (2 * n - 1) * half, tree.graph.node_count() - tree.hosts)?;
    for level in 1..=n {
        let claimed = if level == n { half } else { 2 * half };
        equal(&format!("switches of level {}", n - level), claimed, tree.level_nodes(level))?;
    }
    let switches = tree.graph.node_indices().skip(tree.hosts);
    switches.into_iter().try_for_each(|switch| equal("ports", m, tree.graph.edges(switch).count()))
}

fn subtrees(tree: &Structure, m: usize, n: usize) -> Result<(), String> {
    for i in 1..n {
        let claimed = m * (m / 2).pow(index32(n - 1 - i));
        equal(&format!("SUBFT({m},{i})'s"), claimed, tree.subtree_labels(i).len())?;
        let components = tree.components(|level| level <= i);
        for subtree in tree.subtrees(i)? {
            let inside = tree.hosts().filter(|host| components[host.index()] == subtree.component);
            let ports = (m / 2).pow(index32(i));
            equal(&format!("up-link ports of SUBFT({m},{i})"), ports, subtree.up_links.len())?;
            equal(&format!("nodes of SUBFT({m},{i})"), ports, inside.count())?;
        }
    }
    Ok(())
}
