//! Routings up to automorphisms of the tree, by Burnside's lemma.
//!
//! An automorphism permutes the top switches, the leaf switches, and the hosts of each of these. It
//! leaves a routing unchanged when the top switch of every pair's image is the image of the pair's
//! top switch: then the top switch of one pair of a cycle decides all. Automorphisms with equal
//! cycles are conjugate and leave equally many routings unchanged, so one per class is examined:
//! the class of a permutation of hosts is, for every cycle of leaf switches, its length and the
//! cycles of its hosts' permutation once around.

use std::collections::BTreeMap;

use super::Tree;
use super::automaton::transposed;
use crate::prelude::*;
use crate::progress::Interrupted;

/// Maximum steps of all searches of a count.
const MAX_STEPS: u64 = 1 << 27;

/// A pair of different leaf switches and a cell of its block: (source leaf, destination leaf,
/// source host · n + destination host).
type Pair = (usize, usize, usize);

/// An automorphism.
#[derive(Clone)]
struct Automorphism {
    tops: Vec<usize>,
    leaves: Vec<usize>,
    /// Leaf by leaf, where its hosts go in the leaf's image.
    hosts: Vec<Vec<usize>>,
}

/// Class of conjugate automorphisms: cycle lengths of the top switches, then those of
/// leaf switches with those of their hosts.
type Class = (Vec<usize>, Vec<(usize, Vec<usize>)>);

impl Automorphism {
    fn is_identity(&self) -> bool {
        let same = |names: &[usize]| names.iter().enumerate().all(|(old, new)| old == *new);
        same(&self.tops) && same(&self.leaves) && self.hosts.iter().all(|hosts| same(hosts))
    }

    fn image(&self, (i, j, cell): Pair) -> Pair {
        let count = self.hosts[i].len();
        let (source, destination) = (self.hosts[i][cell / count], self.hosts[j][cell % count]);
        (self.leaves[i], self.leaves[j], source * count + destination)
    }

    fn class(&self) -> Class {
        let around = cycles(&self.leaves).into_iter().map(|leaves| {
            let once = |host: usize| leaves.iter().fold(host, |host, i| self.hosts[*i][host]);
            let hosts: Vec<usize> = (0..self.hosts[0].len()).map(once).collect();
            (leaves.len(), lengths(&hosts))
        });
        (lengths(&self.tops), around.sorted().collect())
    }

    /// The cycles of the pairs of different leaf switches.
    fn pair_cycles(&self, tree: &Tree) -> Vec<Vec<Pair>> {
        let leaves = (0..tree.leaves).cartesian_product(0..tree.leaves).filter(|(i, j)| i != j);
        let cells = 0..tree.hosts * tree.hosts;
        let pairs = leaves.cartesian_product(cells).map(|((i, j), cell)| (i, j, cell));
        let mut seen = std::collections::HashSet::new();
        let mut found = Vec::new();
        for pair in pairs {
            if !seen.contains(&pair) {
                let rest = std::iter::successors(Some(self.image(pair)), |p| Some(self.image(*p)));
                let cycle: Vec<Pair> =
                    std::iter::once(pair).chain(rest.take_while(|next| *next != pair)).collect();
                seen.extend(cycle.iter().copied());
                found.push(cycle);
            }
        }
        found
    }

    /// The top switch after `steps` applications.
    fn top_after(&self, top: usize, steps: usize) -> usize {
        (0..steps).fold(top, |top, _| self.tops[top])
    }

    /// The top switches that a cycle of `length` pairs may begin with.
    fn tops_of_cycle(&self, length: usize) -> Vec<usize> {
        (0..self.tops.len()).filter(|top| self.top_after(*top, length) == *top).collect()
    }
}

fn cycles(names: &[usize]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; names.len()];
    let mut found = Vec::new();
    for start in 0..names.len() {
        let (mut cycle, mut at) = (Vec::new(), start);
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(at);
            at = names[at];
        }
        if !cycle.is_empty() {
            found.push(cycle);
        }
    }
    found
}

fn lengths(names: &[usize]) -> Vec<usize> {
    cycles(names).iter().map(Vec::len).sorted().collect()
}

/// Every class of automorphisms, with one of them and their number.
fn classes(tree: &Tree, progress: &Progress) -> Result<Vec<(Automorphism, u128)>, Stopped> {
    let orders = |count: usize| (0..count).permutations(count);
    let hosts = (0..tree.leaves).map(|_| orders(tree.hosts)).multi_cartesian_product();
    let hosts: Vec<Vec<Vec<usize>>> = hosts.collect();
    let mut found: BTreeMap<Class, (Automorphism, u128)> = BTreeMap::new();
    for leaves in orders(tree.leaves) {
        for hosts in &hosts {
            progress.check()?;
            let tops = (0..tree.tops).collect();
            let one = Automorphism { tops, leaves: leaves.clone(), hosts: hosts.clone() };
            found.entry(one.class()).or_insert((one, 0)).1 += 1;
        }
    }
    // The top switches are permuted independently.
    let mut all: BTreeMap<Class, (Automorphism, u128)> = BTreeMap::new();
    for (tops, (one, count)) in orders(tree.tops).cartesian_product(found.values()) {
        let one = Automorphism { tops, ..one.clone() };
        all.entry(one.class()).or_insert((one, 0)).1 += count;
    }
    Ok(all.into_values().collect())
}

/// The number of all routings up to automorphisms.
pub(super) fn all_classes(tree: &Tree, progress: &Progress) -> Result<u128, Stopped> {
    let unchanged = |one: &Automorphism| -> u128 {
        let cycles = one.pair_cycles(tree);
        cycles.iter().map(|cycle| one.tops_of_cycle(cycle.len()).len() as u128).product()
    };
    let classes = classes(tree, progress)?;
    let sum: u128 = classes.iter().map(|(one, count)| count * unchanged(one)).sum();
    Ok(sum / classes.iter().map(|(_, count)| count).sum::<u128>())
}

/// The number, up to automorphisms, of the `total` routings with mds ≤ `most` on all links; `None`
/// when that takes too many steps.
pub(super) fn classes_at_most(
    tree: &Tree,
    most: usize,
    total: u128,
    progress: &Progress,
) -> Result<Option<u128>, Interrupted> {
    if total == 0 {
        return Ok(Some(0));
    }
    let classes = classes(tree, progress)?;
    let mut search = SymmetrySearch::new(tree, most);
    let mut sum = 0;
    for (one, count) in &classes {
        let unchanged = if one.is_identity() {
            total
        } else {
            progress.check()?;
            let Some(found) = search.unchanged(one, progress) else {
                progress.check()?;
                return Ok(None);
            };
            found
        };
        sum += count * unchanged;
    }
    Ok(Some(sum / classes.iter().map(|(_, count)| count).sum::<u128>()))
}

/// Counts routings that an automorphism leaves unchanged, cycle by cycle of pairs.
struct SymmetrySearch<'t> {
    tree: &'t Tree,
    most: usize,
    /// For every block and set of rows, the columns with a pair outside the set.
    outside: Vec<Vec<usize>>,
    /// The cells of the block (i,j) that top switch t carries, at (i·r + j)·m + t.
    carried: Vec<usize>,
    steps: u64,
}

impl<'t> SymmetrySearch<'t> {
    fn new(tree: &'t Tree, most: usize) -> Self {
        let n = tree.hosts;
        let columns = |block: usize, rows: usize| {
            let has = |column: &usize| {
                (0..n).any(|row| rows >> row & 1 == 0 && block >> (row * n + column) & 1 == 1)
            };
            (0..n).filter(has).count()
        };
        let of_block = |block| (0..1 << n).map(|rows| columns(block, rows)).collect();
        let outside = (0..1 << (n * n)).map(of_block).collect();
        let carried = vec![0; tree.leaves * tree.leaves * tree.tops];
        Self { tree, most, outside, carried, steps: 0 }
    }

    fn unchanged(&mut self, one: &Automorphism, progress: &Progress) -> Option<u128> {
        let cycles = one.pair_cycles(self.tree);
        self.carried.fill(0);
        self.extend(one, &cycles, progress)
    }

    /// The number of ways to spread the cycles; `None` when that takes too many steps.
    fn extend(
        &mut self,
        one: &Automorphism,
        cycles: &[Vec<Pair>],
        progress: &Progress,
    ) -> Option<u128> {
        let Some((cycle, rest)) = cycles.split_first() else { return Some(1) };
        self.steps += 1;
        if self.steps > MAX_STEPS || (self.steps.is_multiple_of(4096) && progress.cancelled()) {
            return None;
        }
        let mut found = 0;
        for top in one.tops_of_cycle(cycle.len()) {
            let tops = std::iter::successors(Some(top), |top| Some(one.tops[*top]));
            let chosen: Vec<(Pair, usize)> = cycle.iter().copied().zip(tops).collect();
            self.toggle(&chosen);
            if chosen.iter().all(|((i, j, _), top)| self.fits(*i, *j, *top)) {
                found += self.extend(one, rest, progress)?;
            }
            self.toggle(&chosen);
        }
        Some(found)
    }

    fn toggle(&mut self, chosen: &[(Pair, usize)]) {
        for ((i, j, cell), top) in chosen {
            self.carried[(i * self.tree.leaves + j) * self.tree.tops + top] ^= 1 << cell;
        }
    }

    /// Whether mds is within the bound on the up link of leaf i and the down link of leaf j.
    fn fits(&self, i: usize, j: usize, top: usize) -> bool {
        let Tree { hosts, tops, leaves } = *self.tree;
        let block = |i: usize, j: usize| self.carried[(i * leaves + j) * tops + top];
        let covered = |blocks: &[usize]| {
            (0..1_usize << hosts).any(|rows| {
                let partners: usize = blocks.iter().map(|block| self.outside[*block][rows]).sum();
                rows.count_ones() as usize + partners <= self.most
            })
        };
        let up: Vec<usize> = (0..leaves).map(|other| block(i, other)).collect();
        let down: Vec<usize> =
            (0..leaves).map(|other| transposed(hosts, block(other, j))).collect();
        covered(&up) && covered(&down)
    }
}
