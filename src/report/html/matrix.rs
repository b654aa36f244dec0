//! The worst permutation as a picture: sources down, destinations across, hosts of a leaf together.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use askama::Template;

use super::drawn::DrawnNetwork;
use super::fold::Fold;
use super::picture::{TablesPicture, WorstPermutation};
use super::table::{Column, Table};
use crate::report::shown;

/// Maximum number of cells per side.
const CELLS: usize = 256;

/// Maximum number of groups of hosts between which lines are drawn.
const GROUPS: usize = 64;

/// Maximum number of pairs that are listed.
const ROWS: usize = 256;

/// The picture of a permutation.
#[derive(Clone, Debug, Template)]
#[template(path = "matrix.html")]
pub(super) struct Matrix {
    id: String,
    link: String,
    load: String,
    pairs: usize,
    crossing: usize,
    hosts: usize,
    /// Cells of a side, and hosts of a cell.
    cells: usize,
    of_cell: usize,
    /// Ends of the groups of hosts.
    lines: Vec<usize>,
    /// Meaning of the groups.
    groups: String,
    /// Pairs that leave out the worst link, and those that cross it.
    others: String,
    crossers: String,
    table: Table,
}

impl Matrix {
    /// The worst permutation with hosts in the order of the drawing.
    pub(super) fn of(
        id: String,
        picture: &TablesPicture,
        worst: &WorstPermutation,
        network: &DrawnNetwork,
        fold: &Fold,
    ) -> Self {
        let mut rank = vec![0; fold.subtrees.order.len()];
        fold.subtrees.order.iter().enumerate().for_each(|(at, node)| rank[*node] = at);
        let hosts = network.of_host.len();
        let mut sorted: Vec<usize> = (0..hosts).collect();
        sorted.sort_by_key(|host| (rank[network.of_host[*host]], *host));
        let mut place = vec![0; hosts];
        sorted.iter().enumerate().for_each(|(at, host)| place[*host] = at);
        let of_cell = hosts.div_ceil(CELLS).max(1);
        let mut cells: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        for pair in &worst.pairs {
            let [s, d] = [pair.s, pair.d].map(|host| place[host as usize] / of_cell);
            *cells.entry((s, d)).or_default() |= !pair.crossing.is_zero();
        }
        let marks = |crosses: bool| {
            let of = cells.iter().filter(|(_, found)| **found == crosses);
            // A String takes every write.
            of.fold(String::new(), |mut path, ((s, d), _)| {
                let _ = write!(path, "M{d} {s}h1v1h-1z");
                path
            })
        };
        let nodes: Vec<usize> = sorted.iter().map(|host| network.of_host[*host]).collect();
        let has_leaves = network.nodes.iter().any(|node| node.hosts > 0);
        let leaf = if has_leaves { "leaf switches" } else { "routers" };
        let (groups, lines) = lines(&nodes, leaf, fold, of_cell);
        Self {
            link: picture.topology.link_name(worst.link),
            load: shown(&worst.load),
            pairs: worst.pairs.len(),
            crossing: worst.pairs.iter().filter(|pair| !pair.crossing.is_zero()).count(),
            hosts,
            cells: hosts.div_ceil(of_cell),
            of_cell,
            lines,
            groups,
            others: marks(false),
            crossers: marks(true),
            table: table(format!("{id}-pairs"), picture, worst, network),
            id,
        }
    }
}

/// The cells at which another leaf begins, or another of the lowest subtrees that are few enough to be
/// distinguished, and what it is. `nodes` has the drawn node of every host in order, and `leaf` is what these are.
fn lines(nodes: &[usize], leaf: &str, fold: &Fold, of_cell: usize) -> (String, Vec<usize>) {
    let begins = |group: &dyn Fn(usize) -> usize| -> Vec<usize> {
        let begins = (1..nodes.len()).filter(|at| group(nodes[*at]) != group(nodes[at - 1]));
        begins.map(|at| at / of_cell).collect()
    };
    let leaves = begins(&|node| node);
    if leaves.len() < GROUPS {
        return (leaf.to_string(), leaves);
    }
    for (height, labels) in &fold.subtrees.by_height {
        let lines = begins(&|node| labels[node]);
        if lines.len() < GROUPS {
            return (format!("subtrees of height {height}"), lines);
        }
    }
    (String::new(), Vec::new())
}

fn table(
    id: String,
    picture: &TablesPicture,
    worst: &WorstPermutation,
    network: &DrawnNetwork,
) -> Table {
    let topology = &picture.topology;
    let mut pairs: Vec<_> = worst.pairs.iter().collect();
    pairs.sort_by_key(|pair| pair.crossing.is_zero());
    let leaf = |host: u32| network.nodes[network.of_host[host as usize]].name.clone();
    let rows = pairs.into_iter().map(|pair| {
        let [s, d] = [pair.s, pair.d].map(|host| topology.node(host).name.clone());
        vec![s, leaf(pair.s), d, leaf(pair.d), pair.crossing.to_string()]
    });
    let columns = [
        Column::text("source"),
        Column::text("its switch"),
        Column::text("destination"),
        Column::text("its switch"),
        Column::number("over the worst link"),
    ];
    Table::of(
        id,
        "Pairs of the worst permutation, those over the worst link first",
        &columns,
        rows,
        ROWS,
    )
}
