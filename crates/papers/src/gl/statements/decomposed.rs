//! Networks with decomposition trees, as the proof of \[GL\] Theorem 10 maps them to fat-trees: hypercubes, butterflies
//! and trees of meshes, every node a processor.
//!
//! A *place* is the way of a processor from the root of its decomposition tree, a bit a level, the first on top. So
//! the processors of a region are those whose places agree in their first bits, and the leaves of the fat-tree below a
//! channel are a region: processor p is at leaf p·2^(lg N − bits). A wire leaves a region if its ends are in two.
//!
//! - *Hypercube* of 2^h: place = number. Of 2^k processors k wires each stay inside.
//! - *Butterfly* of k + 1 levels of 2^k: the rows, whose first bit changes first, are halved, then the levels.
//! - *Tree of meshes* of a square of side 2^b: the complete binary tree of 2b + 1 levels, every node of which is a
//!   mesh. Below the square, each mesh is half the one above; the first halves divide the columns, the second ones the
//!   rows, and so on. A mesh has wires from its ends in that direction to its children: as many as the side has nodes.
//!   With node (x, y) of a level at (x, y, level) all wires are between neighbours of a grid of 2^b × 2^b × (2b + 1), of
//!   which the longest side is halved first, its height rounded up to a power of 2.

use crate::theorem::prelude::*;

/// A network with a decomposition tree.
#[derive(Clone, Debug)]
pub(super) struct Decomposed {
    /// Its name.
    pub(super) name: String,
    /// Bits of a place.
    bits: u32,
    /// Number of processors.
    processors: u64,
    /// The places of both ends of every link, which is a wire each way.
    links: Vec<[u64; 2]>,
    /// The square of its volume, up to a constant.
    square: u128,
}

impl Decomposed {
    /// The hypercube of 2^height processors, whose volume is of order n^(3/2).
    pub(super) fn hypercube(height: u32) -> Self {
        let processors = 1_u64 << height;
        let links = (0..processors)
            .flat_map(|p| (0..height).map(move |bit| [p, p ^ 1 << bit]))
            .filter(|[a, b]| a < b);
        Self {
            name: format!("hypercube of {processors}"),
            bits: height,
            processors,
            links: links.collect(),
            square: 1 << (3 * height),
        }
    }

    /// The butterfly of 2^height rows, whose volume is of order rows^(3/2).
    pub(super) fn butterfly(height: u32) -> Self {
        let (rows, last) = (1_u64 << height, u64::from(height));
        let levels = height.ilog2() + 1;
        let place = move |row: u64, level: u64| row << levels | level;
        let links = (0..rows).flat_map(|row| {
            (0..last).flat_map(move |level| {
                let crossed = row ^ 1 << (last - 1 - level);
                [row, crossed].map(|to| [place(row, level), place(to, level + 1)])
            })
        });
        Self {
            name: format!("butterfly of {rows} rows"),
            bits: height + levels,
            processors: rows * (last + 1),
            links: links.collect(),
            square: 1 << (3 * height),
        }
    }

    /// The tree of meshes whose root has side 2^height, in a volume of its number of processors.
    pub(super) fn tree_of_meshes(height: u32) -> Self {
        let (side, last) = (1_u64 << height, 2 * height);
        let mut links = Vec::new();
        for (level, x, y) in iproduct!(0..=last, 0..side, 0..side) {
            // The sides of a mesh of this level.
            let [wide, high] = [level.div_ceil(2), level / 2].map(|halvings| side >> halvings);
            let here = grid_place(height, [level.into(), x, y]);
            let mut link = |to: [u64; 3]| links.push([here, grid_place(height, to)]);
            if (x + 1) % wide != 0 {
                link([level.into(), x + 1, y]);
            }
            if (y + 1) % high != 0 {
                link([level.into(), x, y + 1]);
            }
            // What is halved next: columns on even levels, rows on odd ones.
            let (at, length) = if level % 2 == 0 { (x, wide) } else { (y, high) };
            let is_end = at % length == 0 || (at + 1) % length == 0;
            if level < last && is_end {
                link([u64::from(level) + 1, x, y]);
            }
        }
        let processors = u64::from(last + 1) * side * side;
        Self {
            name: format!("tree of meshes of side {side}"),
            bits: last + last.ilog2() + 1,
            processors,
            links,
            square: u128::from(processors).pow(2),
        }
    }

    /// lg N of the least universal fat-tree of N leaves that has a place for every processor, and in N·lg^(3/2) N the
    /// volume of the network.
    pub(super) fn fat_tree(&self) -> u32 {
        let has_volume = |lg: &u32| u128::from(*lg).pow(3) << (2 * lg) >= self.square;
        (self.bits.max(1)..42).find(has_volume).unwrap_or(42)
    }

    /// For every level k of its decomposition tree, the maximum number of wires that leave a region of 2^k places.
    pub(super) fn crossings(&self) -> Vec<u64> {
        let of_level = |k: u32| {
            let mut counts = vec![0_u64; 1 << (self.bits - k)];
            for ends in &self.links {
                let [a, b] = ends.map(|place| as_size(place >> k));
                if a != b {
                    counts[a] += 1;
                    counts[b] += 1;
                }
            }
            counts.into_iter().max().unwrap_or_default()
        };
        (0..self.bits).map(of_level).collect()
    }

    /// λ of a step on a fat-tree whose channels above 2^k leaves have `wires[k]` wires. Below the places of the
    /// decomposition tree a channel serves one processor.
    pub(super) fn step_load_factor(&self, wires: &[u64]) -> Rational {
        let crossings = self.crossings();
        let below = wires.len().saturating_sub(crossings.len());
        let of_one = crossings.first().copied().unwrap_or_default();
        let loads = std::iter::repeat_n(of_one, below).chain(crossings);
        let factors = loads.zip(wires).filter_map(|(load, wires)| Rational::new(load, *wires));
        factors.max().unwrap_or_default()
    }

    /// Number of processors.
    pub(super) fn processors(&self) -> u64 {
        self.processors
    }
}

/// The place of a node of the grid of a tree of meshes: the longest side is halved, of sides that are alike that of
/// the levels, then the columns.
fn grid_place(height: u32, [level, x, y]: [u64; 3]) -> u64 {
    let mut left = [(y, height), (x, height), (level, (2 * height).ilog2() + 1)];
    let mut place = 0;
    while let Some((at, bits)) = left.iter_mut().max_by_key(|(_, bits)| *bits) {
        if *bits == 0 {
            break;
        }
        *bits -= 1;
        place = place << 1 | (*at >> *bits & 1);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn degrees(network: &Decomposed) -> (usize, usize) {
        let ends: Vec<u64> = network.links.iter().flatten().copied().collect();
        let places: BTreeSet<u64> = ends.iter().copied().collect();
        assert_eq!(places.len() as u64, network.processors, "{}", network.name);
        let most = places.iter().map(|p| ends.iter().filter(|end| *end == p).count()).max();
        (network.links.len(), most.unwrap())
    }

    #[test]
    fn networks_by_hand() {
        assert_eq!(degrees(&Decomposed::hypercube(4)), (32, 4));
        assert_eq!(degrees(&Decomposed::butterfly(3)), (48, 4));
        // A square of 2 × 2, two meshes of 2 and four of 1: 4 links and 2, 2·2 and 2·2 between levels.
        assert_eq!(degrees(&Decomposed::tree_of_meshes(1)), (14, 3));
        assert_eq!(degrees(&Decomposed::tree_of_meshes(2)), (116, 4));
    }

    /// From a region of 2^k processors of a hypercube h − k wires each leave; from 2^j rows of a butterfly two of every
    /// row for each bit that all share; halves of the square of a tree of meshes are linked by its side.
    #[test]
    fn crossings_are_those_of_closed_forms() {
        for height in 1..=8_u32 {
            let crossings = Decomposed::hypercube(height).crossings();
            let closed: Vec<u64> = (0..height).map(|k| u64::from(height - k) << k).collect();
            assert_eq!(crossings, closed, "{height}");
            let butterfly = Decomposed::butterfly(height);
            let levels = height.ilog2() + 1;
            let closed = (0..height).map(|j| u64::from(height - j) << (j + 1));
            let rows = &butterfly.crossings()[as_size(levels.into())..];
            assert_eq!(rows, closed.collect::<Vec<_>>(), "{height}");
        }
        // Levels count as 16 where there are 9: at a side of 16 the last is cut off, of all nodes, at 32 the columns are
        // halved, which cuts the square alone.
        let topmost = |height| Decomposed::tree_of_meshes(height).crossings().last().copied();
        assert_eq!([4, 5].map(topmost), [Some(256), Some(32)]);
    }

    /// Load factors and lg N by an independent program.
    #[test]
    fn load_factors_are_those_of_another_program() {
        let found = |network: Decomposed| {
            let height = network.fat_tree();
            // 1, 2, 4, 4, 8, 16, 16.
            let wires: Vec<u64> = (0..height).map(|k| 1 << (2 * k).div_ceil(3)).collect();
            (height, network.step_load_factor(&wires).to_string())
        };
        let known = |height, factor: &str| (height, factor.to_string());
        assert_eq!(found(Decomposed::hypercube(7)), known(7, "8"));
        assert_eq!(found(Decomposed::hypercube(9)), known(9, "12"));
        assert_eq!(found(Decomposed::hypercube(10)), known(11, "10"));
        assert_eq!(found(Decomposed::hypercube(12)), known(13, "16"));
        assert_eq!(found(Decomposed::butterfly(2)), known(4, "4"));
        assert_eq!(found(Decomposed::butterfly(10)), known(14, "5"));
        assert_eq!(found(Decomposed::tree_of_meshes(1)), known(4, "3"));
        assert_eq!(found(Decomposed::tree_of_meshes(3)), known(9, "4"));
    }
}
