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

/// Maximum number of entries of a table, which has N² of 2 or 4 bytes each: FT(32,3) with its 8192 hosts just fits.
const MAX_ENTRIES: u64 = 1 << 26;

/// The number of the nearest common ancestor that each SD pair uses.
pub(super) struct PairTable {
    hosts: usize,
    /// Entry `s·N + d`; 0 where s = d.
    ancestor: Entries,
    /// By level from 1, the up-digits of its ancestors in the order of their numbers; nothing where they are many.
    digits: Vec<Vec<u32>>,
}

/// The entries of a table, which takes half the memory where all ancestors have numbers of 16 bits.
enum Entries {
    Short(Vec<u16>),
    Long(Vec<u32>),
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

    /// The table in which `row(s, entries)` fills the row of source s, all zeros, with rows filled in order.
    ///
    /// # Errors
    /// [`TooLarge`], see [`Self::fits`].
    pub fn in_order(tree: &Xgft, mut row: impl FnMut(Host, &mut [u32])) -> Result<Self, TooLarge> {
        let mut table = Self::zero(tree)?;
        match &mut table.ancestor {
            Entries::Long(all) => {
                let rows = all.chunks_mut(table.hosts).enumerate();
                rows.for_each(|(s, entries)| row(host_number(s), entries));
            }
            Entries::Short(all) => {
                let mut long = vec![0; table.hosts];
                for (s, entries) in all.chunks_mut(table.hosts).enumerate() {
                    long.fill(0);
                    row(host_number(s), &mut long);
                    shorten(&long, entries);
                }
            }
        }
        Ok(table)
    }

    /// The table in which `row(s, entries)` fills the row of source s, all zeros, with rows filled in parallel.
    ///
    /// # Errors
    /// [`TooLarge`], see [`Self::fits`].
    pub fn in_parallel(
        tree: &Xgft,
        row: impl Fn(Host, &mut [u32]) + Sync,
    ) -> Result<Self, TooLarge> {
        let mut table = Self::zero(tree)?;
        match &mut table.ancestor {
            Entries::Long(all) => {
                let rows = all.par_chunks_mut(table.hosts).enumerate();
                rows.for_each(|(s, entries)| row(host_number(s), entries));
            }
            Entries::Short(all) => {
                let rows = all.par_chunks_mut(table.hosts).enumerate();
                rows.for_each_init(Vec::new, |long, (s, entries)| {
                    long.clear();
                    long.resize(entries.len(), 0);
                    row(host_number(s), long);
                    shorten(long, entries);
                });
            }
        }
        Ok(table)
    }

    /// The entry of a pair.
    #[inline]
    fn entry(&self, s: Host, d: Host) -> u32 {
        let at = s as usize * self.hosts + d as usize;
        match &self.ancestor {
            Entries::Short(all) => all[at].into(),
            Entries::Long(all) => all[at],
        }
    }

    fn zero(tree: &Xgft) -> Result<Self, TooLarge> {
        Self::fits(tree)?;
        let hosts = tree.hosts();
        let digits = (1..=tree.height()).map(|level| digits(tree, level)).collect();
        let last = tree.shortest_paths(tree.height()) - 1;
        let ancestor = match u16::try_from(last) {
            Ok(_) => Entries::Short(vec![0; hosts * hosts]),
            Err(_) => Entries::Long(vec![0; hosts * hosts]),
        };
        Ok(Self { hosts, ancestor, digits })
    }
}

/// Writes numbers of 16 bits.
fn shorten(long: &[u32], short: &mut [u16]) {
    debug_assert!(
        long.iter().all(|number| *number <= u16::MAX.into()),
        "all ancestors have such numbers"
    );
    for (short, long) in short.iter_mut().zip(long) {
        let [low, high, ..] = long.to_le_bytes();
        *short = u16::from_le_bytes([low, high]);
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
        write_digits(tree, self.entry(s, d), up);
    }

    fn for_each_up_from(
        &self,
        tree: &Xgft,
        s: Host,
        paths: &FromSource<'_>,
        destinations: &[Host],
        mut visit: impl FnMut(usize, &[u32]),
    ) {
        let mut up = [0; MAX_HEIGHT];
        for (place, d) in destinations.iter().enumerate().filter(|(_, d)| **d != s) {
            let (ancestor, level) = (self.entry(s, *d), paths.nca_level(*d));
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
        let (hosts, of_source) = ((destinations, is_run(destinations)), s as usize * self.hosts..);
        match &self.ancestor {
            Entries::Short(all) => write_entries(&all[of_source], hosts, ancestors),
            Entries::Long(all) => write_entries(&all[of_source], hosts, ancestors),
        }
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

    /// Numbers of 90,000 ancestors take more than 16 bits.
    #[test]
    fn rows_belong_to_sources() {
        for (spec, last) in [("ft(4,2)", 1), ("xgft(2;2,2;300,300)", 89_999)] {
            let topology = generate(spec).unwrap();
            let tree = topology.tree().unwrap();
            let row = |s: Host, entries: &mut [u32]| entries[2] = last * (s % 2);
            let tables = [PairTable::in_order(tree, row), PairTable::in_parallel(tree, row)];
            for table in tables.map(Result::unwrap) {
                let (mut up, mut digits, mut all) = ([9; 2], [9; 2], [9; 2]);
                table.up_digits(tree, 1, 2, &mut up);
                write_digits(tree, last, &mut digits);
                assert_eq!(up, digits, "{spec}");
                table.ancestors_from(tree, 1, &[2, 3], &mut all);
                assert_eq!(all, [last, 0], "{spec}");
                table.up_digits(tree, 0, 2, &mut up);
                assert_eq!(up, [0, 0], "{spec}");
            }
        }
    }

    #[test]
    fn refuses_more_than_the_limit() {
        let topology = generate("xgft(2;4096,3;1,1)").unwrap();
        let refused = PairTable::fits(topology.tree().unwrap()).unwrap_err();
        assert_eq!(refused.size, (12_288_u64 * 12_288).to_string());
    }
}
