//! Routings without a formula: the nearest common ancestor of every SD pair, tabulated.
//!
//! The nearest common ancestors of a pair at level L are numbered 0..w1⋯wL by their up-digits
//! read as one number, W1 most significant, so the order of the numbers is the lexicographic
//! order of the paths. One number per pair is all that a single-path routing of a tree has to
//! store.

use rayon::prelude::*;

use super::tree::{UpDigits, is_run, write_entries};
use crate::limit::{TooLarge, within};
use crate::topology::{FromSource, Host, MAX_HEIGHT, Xgft, host_number};

/// Maximum number of entries of a table, which has N² of 4 bytes each: FT(32,3) with its 8192 hosts just fits.
const MAX_ENTRIES: u64 = 1 << 26;

/// The number of the nearest common ancestor that each SD pair uses.
pub(super) struct PairTable {
    hosts: usize,
    /// Entry `s·N + d`; 0 where s = d.
    ancestor: Vec<u32>,
    /// By level from 1, the up-digits of its ancestors in the order of their numbers; nothing where they are many.
    digits: Vec<Vec<u32>>,
}

/// Maximum number of ancestors of a pair whose up-digits are tabulated.
const MAX_TABULATED: u32 = 1 << 12;

impl PairTable {
    /// Whether the tree is small enough for a table.
    ///
    /// # Errors
    /// [`TooLarge`] when N² is above the limit.
    pub fn fits(tree: &Xgft) -> Result<(), TooLarge> {
        let entries = (tree.hosts() as u128).pow(2);
        let remedy = "choose a smaller tree, or a routing that has a formula such as dmodk";
        within("table of host pairs", Some(entries), MAX_ENTRIES, remedy).map(|_| ())
    }

    /// The table in which `row(s, entries)` fills the row of source s, with rows filled in order.
    ///
    /// # Errors
    /// [`TooLarge`], see [`Self::fits`].
    pub fn in_order(tree: &Xgft, mut row: impl FnMut(Host, &mut [u32])) -> Result<Self, TooLarge> {
        let mut table = Self::zero(tree)?;
        for (s, entries) in table.ancestor.chunks_mut(table.hosts).enumerate() {
            row(host_number(s), entries);
        }
        Ok(table)
    }

    /// The table in which `row(s, entries)` fills the row of source s, with rows filled in parallel.
    ///
    /// # Errors
    /// [`TooLarge`], see [`Self::fits`].
    pub fn in_parallel(
        tree: &Xgft,
        row: impl Fn(Host, &mut [u32]) + Sync,
    ) -> Result<Self, TooLarge> {
        let mut table = Self::zero(tree)?;
        let rows = table.ancestor.par_chunks_mut(table.hosts).enumerate();
        rows.for_each(|(s, entries)| row(host_number(s), entries));
        Ok(table)
    }

    /// The entries of a source.
    #[inline]
    fn row(&self, s: Host) -> &[u32] {
        &self.ancestor[s as usize * self.hosts..][..self.hosts]
    }

    fn zero(tree: &Xgft) -> Result<Self, TooLarge> {
        Self::fits(tree)?;
        let hosts = tree.hosts();
        let digits = (1..=tree.height()).map(|level| digits(tree, level)).collect();
        Ok(Self { hosts, ancestor: vec![0; hosts * hosts], digits })
    }
}

/// The up-digits of all ancestors at a level, if they are few.
fn digits(tree: &Xgft, level: usize) -> Vec<u32> {
    let count = Some(tree.shortest_paths(level)).filter(|count| *count <= MAX_TABULATED);
    let mut all = vec![0; count.unwrap_or(0) as usize * level];
    for (number, up) in (0..).zip(all.chunks_exact_mut(level)) {
        write_digits(tree, number, up);
    }
    all
}

impl UpDigits for PairTable {
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        write_digits(tree, self.row(s)[d as usize], up);
    }

    /// The row of the source is looked up once.
    fn for_each_up_from(
        &self,
        tree: &Xgft,
        s: Host,
        paths: &FromSource<'_>,
        destinations: &[Host],
        mut visit: impl FnMut(usize, &[u32]),
    ) {
        let (row, mut up) = (self.row(s), [0; MAX_HEIGHT]);
        for (place, d) in destinations.iter().enumerate().filter(|(_, d)| **d != s) {
            let (ancestor, level) = (row[*d as usize], paths.nca_level(*d));
            let first = ancestor as usize * level;
            if let Some(up) = self.digits[level - 1].get(first..first + level) {
                visit(place, up);
            } else {
                write_digits(tree, ancestor, &mut up[..level]);
                visit(place, &up[..level]);
            }
        }
    }

    fn ancestors_from(&self, _tree: &Xgft, s: Host, destinations: &[Host], ancestors: &mut [u32]) {
        write_entries(self.row(s), (destinations, is_run(destinations)), ancestors);
    }
}

/// Writes the up-digits of ancestor number `ancestor` at level `up.len()`.
#[inline]
pub(super) fn write_digits(tree: &Xgft, mut ancestor: u32, up: &mut [u32]) {
    for (level, port) in up.iter_mut().enumerate().rev() {
        if tree.shortest_paths(level) == 1 {
            // All digits before it are 0.
            *port = std::mem::take(&mut ancestor);
            continue;
        }
        let ports = tree.parents(level + 1);
        *port = ancestor % ports;
        ancestor /= ports;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::generate;

    #[test]
    fn numbers_follow_the_lexicographic_order_of_up_digits() {
        let topology = generate("xgft(3;2,2,2;2,3,4)").unwrap();
        let tree = topology.tree().unwrap();
        let digits = |number| {
            let mut up = [9; 3];
            write_digits(tree, number, &mut up);
            up
        };
        assert_eq!(digits(0), [0, 0, 0]);
        assert_eq!(digits(5), [0, 1, 1]);
        assert_eq!(digits(23), [1, 2, 3]);
        assert!((0..23).all(|number| digits(number) < digits(number + 1)));
    }

    #[test]
    fn rows_belong_to_sources() {
        let topology = generate("ft(4,2)").unwrap();
        let tree = topology.tree().unwrap();
        let row = |s: Host, entries: &mut [u32]| entries.fill(s % 2);
        let tables = [PairTable::in_order(tree, row), PairTable::in_parallel(tree, row)];
        for table in tables.map(Result::unwrap) {
            let mut up = [9; 2];
            table.up_digits(tree, 3, 6, &mut up);
            assert_eq!(up, [0, 1]);
            table.up_digits(tree, 6, 3, &mut up);
            assert_eq!(up, [0, 0]);
        }
    }

    #[test]
    fn refuses_more_than_the_limit() {
        let topology = generate("xgft(2;4096,3;1,1)").unwrap();
        let refused = PairTable::fits(topology.tree().unwrap()).unwrap_err();
        assert_eq!(refused.size, (12_288_u64 * 12_288).to_string());
    }
}
