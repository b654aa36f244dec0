//! Layouts of fat-trees in the plane and in space, of the area and the volume that \[GL\] 2 and 6 state.
//!
//! Every level has an axis, one after the other in turn. The region of a node has those of its two children side by
//! side along the axis of its level, and between them a *slab*, the node itself, over the whole cross-section. The
//! slab of a child reaches from one end of the child's region to the other in every other axis, so it touches that of
//! its parent: there the channel between them passes, with wires in both directions.
//!
//! Let m be the number of wires that enter a node: those of its children and from above. In the plane a slab is m
//! thick and has room for a crossbar, with a row for every wire that enters and a column for every one that leaves.
//! In space it is m ÷ S thick, S being the shorter side of the cross-section, so that m wires pass it along either
//! side.
//!
//! In units of n^(1/D) the sides f so grow by a constant from one D levels to the next in the plane, and by a
//! constant ÷ f in space, where f² grows by a constant: the area is Θ(n lg² n), the volume Θ(n lg^(3/2) n).

use crate::theorem::prelude::*;

/// Sides, the third of which is 1 in the plane.
type Sides = [u64; 3];

/// The sides of all regions of a fat-tree.
pub(super) struct TreeLayout {
    dimensions: usize,
    /// Wires up from, and down to, a node of every level; those of the root lead to the outside world.
    wires: Vec<u64>,
    /// Sides of the region of a node of every level.
    regions: Vec<Sides>,
}

impl TreeLayout {
    /// The layout of a tree with these wires, around processors with sides of `processor` units.
    pub(super) fn of(dimensions: usize, wires: &[u64], processor: u64) -> Self {
        let mut region = [processor, processor, if dimensions == 2 { 1 } else { processor }];
        let mut regions = vec![region];
        for level in 1..wires.len() {
            let axis = (level - 1) % dimensions;
            let entering = wires[level] + 2 * wires[level - 1];
            let thickness = if dimensions == 2 {
                entering
            } else {
                let others = (0..3).filter(|other| *other != axis).map(|other| region[other]);
                entering.div_ceil(others.min().unwrap_or(1))
            };
            region[axis] = 2 * region[axis] + thickness;
            regions.push(region);
        }
        Self { dimensions, wires: wires.to_vec(), regions }
    }

    /// Area or volume of the region of a node of a level.
    pub(super) fn size(&self, level: usize) -> Rational {
        self.regions[level].iter().fold(Rational::ONE, |size, side| &size * &Rational::from(*side))
    }

    /// Wires that enter a node of a level, from 1 on.
    pub(super) fn entering(&self, level: usize) -> u64 {
        self.wires[level] + 2 * self.wires[level - 1]
    }

    /// The axis across which the slab of a level lies, and its sides.
    fn slab(&self, level: usize) -> (usize, Sides) {
        let axis = (level - 1) % self.dimensions;
        let mut sides = self.regions[level];
        sides[axis] -= 2 * self.regions[level - 1][axis];
        (axis, sides)
    }

    /// Whether every slab has room for a crossbar in the plane, in space for the volume m^(3/2).
    pub(super) fn has_room(&self) -> bool {
        (1..self.wires.len()).all(|level| {
            let (_, sides) = self.slab(level);
            let entering = self.entering(level);
            if self.dimensions == 2 {
                return sides[0].min(sides[1]) >= entering;
            }
            let [volume, cube] = [sides.iter().product::<u64>(), entering].map(u128::from);
            volume.pow(2) >= cube.pow(3)
        })
    }

    /// The whole tree, unit by unit.
    pub(super) fn painted(&self) -> Painted {
        let sides = self.regions[self.wires.len() - 1];
        let mut painted = Painted {
            sides,
            units: vec![0; as_size(sides.iter().product())],
            twice: 0,
            nodes: vec![],
        };
        self.paint(self.wires.len() - 1, [0; 3], 0, &mut painted);
        painted
    }

    /// Paints the region of a node of `level` from `from` on. Node 0 is above the root.
    fn paint(&self, level: usize, from: Sides, parent: usize, painted: &mut Painted) {
        painted.nodes.push((parent, self.wires[level]));
        let number = painted.nodes.len();
        if level == 0 {
            return painted.fill(number, from, self.regions[0]);
        }
        let (axis, sides) = self.slab(level);
        let (mut place, below) = (from, self.regions[level - 1][axis]);
        self.paint(level - 1, place, number, painted);
        place[axis] += below;
        painted.fill(number, place, sides);
        place[axis] += sides[axis];
        self.paint(level - 1, place, number, painted);
    }
}

/// A layout, unit by unit.
pub(super) struct Painted {
    sides: Sides,
    /// The number of the node in every unit, from 1 on.
    units: Vec<u32>,
    /// Units that were painted again.
    twice: u64,
    /// Parent and wires up of every node.
    nodes: Vec<(usize, u64)>,
}

impl Painted {
    fn place(&self, [x, y, z]: Sides) -> usize {
        as_size((x * self.sides[1] + y) * self.sides[2] + z)
    }

    fn fill(&mut self, number: usize, from: Sides, sides: Sides) {
        let ranges = [0, 1, 2].map(|axis| from[axis]..from[axis] + sides[axis]);
        let [x, y, z] = ranges;
        for (x, y, z) in iproduct!(x, y, z) {
            let at = self.place([x, y, z]);
            self.twice += u64::from(self.units[at] != 0);
            self.units[at] = index32(number);
        }
    }

    /// Units of two nodes that touch each other, by the numbers of both, the lower first.
    fn contacts(&self) -> BTreeMap<(u32, u32), u64> {
        let mut contacts = BTreeMap::new();
        let [x, y, z] = self.sides.map(|side| 0..side);
        for (x, y, z) in iproduct!(x, y, z) {
            for axis in 0..3 {
                let mut next = [x, y, z];
                next[axis] += 1;
                if next[axis] < self.sides[axis] {
                    let [one, other] = [[x, y, z], next].map(|place| self.units[self.place(place)]);
                    if one != other {
                        *contacts.entry((one.min(other), one.max(other))).or_default() += 1;
                    }
                }
            }
        }
        contacts
    }

    /// How far the layout is as it has to be: whether every unit belongs to one node, and the smallest contact of a
    /// node with its parent ÷ the wires of the channel between them, in both directions.
    pub(super) fn examined(&self) -> (bool, Rational) {
        let contacts = self.contacts();
        let of_node = |(number, (parent, wires)): (usize, &(usize, u64))| {
            let [one, other] = [*parent, number + 1].map(index32);
            let units = contacts.get(&(one.min(other), one.max(other))).copied().unwrap_or(0);
            (*parent > 0).then(|| fraction(units, 2 * wires))
        };
        let least = self.nodes.iter().enumerate().filter_map(of_node).min();
        let is_tiled = self.twice == 0 && self.units.iter().all(|number| *number != 0);
        (is_tiled, least.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 and 1 wires around processors of side 3: a slab of 3 by 3 between two of them.
    #[test]
    fn two_processors_by_hand() {
        let layout = TreeLayout::of(2, &[1, 1], 3);
        assert_eq!((layout.regions[1], layout.slab(1)), ([9, 3, 1], (0, [3, 3, 1])));
        assert!(layout.has_room());
        let (is_tiled, least) = layout.painted().examined();
        assert!(is_tiled);
        // Three units of contact for a wire up and one down.
        assert_eq!(least, fraction(3, 2));
        assert!(!TreeLayout::of(2, &[1, 1], 2).has_room());
    }

    /// In the plane, where capacities double every two levels, n(4 + lg n)(4 + (3/2)lg n) for n = 4^j.
    #[test]
    fn the_area_has_a_closed_form() {
        let wires: Vec<u64> = (0..=20_u32).map(|level| 1 << level.div_ceil(2)).collect();
        let layout = TreeLayout::of(2, &wires, 4);
        for j in 0..=10_u64 {
            let closed = (1 << (2 * j)) * (4 + 2 * j) * (4 + 3 * j);
            assert_eq!(layout.size(as_size(2 * j)), closed.into());
        }
    }

    /// A unit that two nodes share is seen, and a node away from its parent.
    #[test]
    fn overlaps_are_seen() {
        let mut painted = TreeLayout::of(3, &[1, 1, 2], 2).painted();
        assert!(painted.examined().0);
        painted.fill(1, [0; 3], [1; 3]);
        assert!(!painted.examined().0);
        let apart = Painted {
            sides: [3, 1, 1],
            units: vec![1, 3, 2],
            twice: 0,
            nodes: vec![(0, 1), (1, 1)],
        };
        assert_eq!(apart.examined(), (true, Rational::ZERO));
    }
}
