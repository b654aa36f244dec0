//! Counting by blocks: routings that agree on the states of all open links are one entry.
//!
//! Leaf switches are the rows of a matrix of blocks, destinations its columns, the diagonal is
//! empty. Within a row the states of its up links, one per top switch, are open; those of the down
//! links stay open to the end. After a row, entries that differ by the names of top switches, of
//! the hosts of a leaf switch, or of leaf switches with the same rows to come are merged:
//! relabelling what is to come maps the completions of one to those of the other.

use std::collections::HashMap;

use super::Tree;
use super::automaton::{Automaton, DEAD, State, state, transposed};
use crate::prelude::*;
use crate::progress::Interrupted;

/// Maximum entries at once.
const MAX_ENTRIES: u64 = 1 << 21;

/// Maximum ways to spread the pairs of a block over the top switches.
const MAX_WAYS: u64 = 1 << 21;

/// A way to spread the pairs of a block over the top switches: for each of these the cells that
/// it carries, once with sources and once with destinations as rows.
type Way = Vec<(usize, usize)>;

/// States of the down links, leaf switch by leaf switch; after them, within a row, those of its up
/// links.
type Entry = Vec<State>;

/// The number of routings whose links all have mds ≤ `most`.
pub(super) fn at_most(tree: &Tree, most: usize, progress: &Progress) -> Result<u128, Interrupted> {
    let automaton = Automaton::new(tree.hosts, most);
    let ways = ways(tree, &automaton, progress)?;
    let steps = Steps { tree, automaton: &automaton, ways: &ways };
    if tree.leaves == 2 {
        // Each link carries pairs of one block, which its two links see alike.
        return Ok((ways.len() as u128).pow(2));
    }
    let names = Names::new(tree, &automaton);
    let mut entries = HashMap::from([(vec![0; tree.leaves * tree.tops], 1)]);
    for row in 0..tree.leaves {
        let open = |(mut entry, count): (Entry, u128)| {
            entry.resize((tree.leaves + 1) * tree.tops, 0);
            (entry, count)
        };
        let mut open: HashMap<Entry, u128> = entries.into_iter().map(open).collect();
        let columns: Vec<usize> = (0..tree.leaves).filter(|column| *column != row).collect();
        for column in &columns {
            let is_last = Some(column) == columns.last();
            let block = Block { column: *column, is_last };
            open = steps.add(&block, open, progress)?;
        }
        entries = HashMap::new();
        for (mut entry, count) in open {
            progress.check()?;
            // A tree of one leaf switch has no block.
            entry.truncate(tree.leaves * tree.tops);
            *entries.entry(names.canonical(&entry, row + 1)).or_insert(0) += count;
        }
    }
    Ok(entries.values().sum())
}

/// Every way that keeps mds within the bound by itself.
fn ways(tree: &Tree, automaton: &Automaton, progress: &Progress) -> Result<Vec<Way>, Interrupted> {
    let cells = tree.hosts * tree.hosts;
    let size = (tree.tops as u128).checked_pow(index32(cells));
    within("number of ways of a block", size, MAX_WAYS, "use fewer hosts or top switches")?;
    let spread = (0..cells).map(|_| 0..tree.tops).multi_cartesian_product();
    let way = |tops: Vec<usize>| -> Option<Way> {
        let carried = |top| {
            let cells = (0..cells).filter(|cell| tops[*cell] == top);
            let block: usize = cells.map(|cell| 1 << cell).sum();
            (automaton.after(0, block) != DEAD).then(|| (block, transposed(tree.hosts, block)))
        };
        (0..tree.tops).map(carried).collect()
    };
    let stopped = |tops| progress.check().map(|()| way(tops)).transpose();
    Ok(spread.filter_map(stopped).collect::<Result<_, _>>()?)
}

/// A block of the current row.
struct Block {
    column: usize,
    /// Whether it is the last one of the row, so that the up links close.
    is_last: bool,
}

/// The steps from block to block.
struct Steps<'a> {
    tree: &'a Tree,
    automaton: &'a Automaton,
    ways: &'a [Way],
}

impl Steps<'_> {
    /// Adds a block of the current row in every way.
    fn add(
        &self,
        block: &Block,
        open: HashMap<Entry, u128>,
        progress: &Progress,
    ) -> Result<HashMap<Entry, u128>, Interrupted> {
        let Self { tree, automaton, ways } = self;
        let (up, down) = (tree.leaves * tree.tops, block.column * tree.tops);
        let mut reached: HashMap<Entry, u128> = HashMap::new();
        for (entry, count) in open {
            progress.check()?;
            for way in *ways {
                let mut next = entry.clone();
                let alive = way.iter().enumerate().all(|(top, (cells, turned))| {
                    next[up + top] = automaton.after(entry[up + top], *cells);
                    next[down + top] = automaton.after(entry[down + top], *turned);
                    next[up + top] != DEAD && next[down + top] != DEAD
                });
                if alive {
                    if block.is_last {
                        next.truncate(up);
                    }
                    *reached.entry(next).or_insert(0) += count;
                }
            }
            let size = Some(reached.len() as u128);
            within("number of entries of the count", size, MAX_ENTRIES, "count a smaller tree")?;
        }
        Ok(reached)
    }
}

/// Relabelling of entries.
struct Names<'t> {
    tree: &'t Tree,
    /// All orders of the top switches.
    tops: Vec<Vec<usize>>,
    /// The renamed states, for every order of the hosts of a leaf switch.
    hosts: Vec<Vec<State>>,
}

impl<'t> Names<'t> {
    fn new(tree: &'t Tree, automaton: &Automaton) -> Self {
        let orders = |count: usize| (0..count).permutations(count);
        let renamed = |names: Vec<usize>| {
            let states = 0..state(automaton.len());
            states.map(|state| automaton.renamed(state, &names)).collect()
        };
        let hosts = orders(tree.hosts).map(renamed).collect();
        Self { tree, tops: orders(tree.tops).collect(), hosts }
    }

    /// The least entry among those that differ by names; the first `done` leaf switches have had
    /// their row.
    fn canonical(&self, entry: &[State], done: usize) -> Entry {
        let of_order = |tops: &Vec<usize>| {
            let column = |states: &[State]| -> Vec<State> {
                let ordered = tops.iter().map(|top| states[*top]);
                let ordered: Vec<State> = ordered.collect();
                let rename = |names: &Vec<State>| -> Vec<State> {
                    ordered.iter().map(|state| names[*state as usize]).collect()
                };
                self.hosts.iter().map(rename).min().unwrap_or_default()
            };
            let mut columns: Vec<Vec<State>> = entry.chunks(self.tree.tops).map(column).collect();
            columns[..done].sort_unstable();
            columns[done..].sort_unstable();
            columns.concat()
        };
        self.tops.iter().map(of_order).min().unwrap_or_default()
    }
}
