//! \[RO\] Table I: nodes, labels and links of every level.

use crate::theorem::prelude::*;

pub(super) const COUNTS: Statement = Statement::new("ro-table-1", "[RO] Table I")
    .about("Level i has N^i = m_{i+1}..m_h w_1..w_i nodes, N^i w_{i+1} links up and N^i m_i links down; \
            links up from a level are as many as links down from the next")
    .hypothesis("every XGFT")
    .quote("The number of links at level i simply equals the number of nodes")
    .networks(|tree| tree.plain_tree().is_some(), |topology, scope| counts(topology, scope, 0))
    .planted(Planted::Check(|scope| counts(&generate("xgft(2;4,4;1,3)")?, scope, 1)));

pub(super) const INTERVALS: Statement =
    Statement::new("ro-table-1-intervals", "[RO] Table I, last line")
        .about(
            "The labels of level i with M_j in [0,m_j] and W_j in [0,w_j] are as many as its nodes",
        )
        .hypothesis("every XGFT")
        .quote("Mi ∈ [0, mi], Wi ∈ [0, wi]")
        .networks(
            |tree| tree.plain_tree().is_some(),
            |topology, scope| intervals(topology, scope, 1),
        )
        .remark(
            RemarkKind::Wrong,
            |_| true,
            "The intervals are half open: M_j in [0,m_j), W_j in [0,w_j)",
        )
        .planted(Planted::Check(|scope| intervals(&generate("xgft(2;4,4;1,3)")?, scope, 2)));

/// Nodes, links up and links down of a level.
type Row = [u64; 3];

/// The rows of the table.
fn claimed(tree: &Xgft) -> Vec<Row> {
    let h = tree.height();
    let row = |i: usize| {
        let m: u64 = (i + 1..=h).map(|j| u64::from(tree.children(j))).product();
        let w: u64 = (1..=i).map(|j| u64::from(tree.parents(j))).product();
        let up = if i < h { u64::from(tree.parents(i + 1)) } else { 0 };
        let down = if i > 0 { u64::from(tree.children(i)) } else { 0 };
        [m * w, m * w * up, m * w * down]
    };
    (0..=h).map(row).collect()
}

/// The rows of the table, counted in the graph.
fn counted(topology: &Topology) -> Vec<Row> {
    let mut rows: BTreeMap<u8, Row> = BTreeMap::new();
    for node in topology.node_numbers() {
        let row = rows.entry(topology.node(node).level).or_default();
        row[0] += 1;
        for link in topology.links_from(node) {
            let column = if topology.link(link).direction == Direction::Up { 1 } else { 2 };
            row[column] += 1;
        }
    }
    rows.into_values().collect()
}

/// The rows against the table, with `more` nodes at level 0.
fn counts(topology: &Topology, scope: &Scope, more: u64) -> Findings {
    scope.progress.check()?;
    let Some(tree) = topology.plain_tree() else { return Ok(Vec::new()) };
    let (mut claimed, found) = (claimed(tree), counted(topology));
    claimed[0][0] += more;
    let holds = claimed == found && found.windows(2).all(|rows| rows[0][1] == rows[1][2]);
    let [claimed, found] = [claimed, found].map(|rows| format!("{rows:?}"));
    Ok(vec![Finding::holds(topology.spec(), claimed, found, holds, Basis::Exhaustive)])
}

/// Labels of the processing nodes, where a digit of base m has `more` values above m - 1.
fn intervals(topology: &Topology, scope: &Scope, more: u64) -> Findings {
    scope.progress.check()?;
    let Some(tree) = topology.plain_tree() else { return Ok(Vec::new()) };
    let labels: u64 = (1..=tree.height()).map(|j| u64::from(tree.children(j)) + more).product();
    let hosts = topology.hosts() as u64;
    Ok(vec![Finding::equal(topology.spec(), labels, hosts, Basis::Exhaustive)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_another_tree_differs() {
        let tree = generate("xgft(2;4,4;1,3)").unwrap();
        let rows = claimed(tree.tree().unwrap());
        assert_eq!(rows, [[16, 16, 0], [4, 12, 16], [3, 0, 12]]);
        assert_eq!(rows, counted(&tree));
        assert_ne!(rows, counted(&generate("kary(4,2)").unwrap()));
    }
}
