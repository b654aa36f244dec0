//! Networks laid out in the plane or in space, as \[GL\] 2 and 6 simulate them on fat-trees.
//!
//! A [`Layout`] has n processors in a square of side n^(1/2) or a cube of side n^(1/3), and links, each
//! with as many wires in either direction. A *step* sends a message over every wire in both directions:
//! the heaviest step there is, since a load factor only grows with the messages.
//!
//! Processors are numbered "in the natural geometric fashion": the 2^k processors i·2^k, … below a
//! switch of a fat-tree are those of one *region*, the result of halving square or cube again and
//! again, the dimensions in turn. On grids this interleaves the bits of the coordinates; of points in
//! general position half are on either side of every cut. No wire leaves a region but through its
//! surface: that is what makes channels which grow as surfaces do enough.
//!
//! [`carry()`] delivers messages on a layout, store-and-forward.

mod carry;
mod error;
mod geometric;
mod mesh;
mod regions;
mod routes;

pub use carry::{Carried, carry};
pub use error::LayoutError;
pub use mesh::mesh_crossing;

use crate::prelude::*;

/// Maximum number of processors of a layout.
pub const MAX_HOSTS: u64 = 1 << 20;

/// Maximum number of wires of a link.
pub const MAX_WIRES: u64 = 1 << 20;

/// Units of length of coordinates between neighbours on a grid.
const UNIT: u32 = 1 << 12;

/// A network of a name, with the dimension that it is laid out in, and what makes it: from the name, the
/// dimension, the logarithm of its side, and a seed.
type Known = (&'static str, u32, fn(&str, u32, u32, u64) -> Layout);

/// Networks by name.
const NETWORKS: [Known; 4] = [
    ("mesh2", 2, mesh::mesh),
    ("mesh3", 3, mesh::mesh),
    ("geometric2", 2, geometric::geometric),
    ("geometric3", 3, geometric::geometric),
];

/// A network that lies in the plane or in space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    name: String,
    dimensions: u32,
    hosts: usize,
    is_grid: bool,
    wires: u64,
    /// Both ends of every link, the lower first; ascending, each pair once.
    links: Vec<[Host; 2]>,
    /// Surface of every region, by level k and then by number: lengths in units of [`UNIT`], areas in
    /// its square.
    surfaces: Vec<Vec<u64>>,
}

impl Layout {
    /// The network of a name with `hosts` processors, one wire a link:
    ///
    /// - `mesh2`, `mesh3`: a processor at every point of the grid, linked to its neighbours;
    /// - `geometric2`, `geometric3`: points uniformly at random from `seed`, the links of a minimum
    ///   spanning tree, and then, shortest first, links up to 3/2 long between processors that have
    ///   fewer than 4 or 6. The unit is the side of a square or cube for each processor. So each has
    ///   about as many links as the surface of its share has sides.
    ///
    /// O(n log n).
    ///
    /// # Errors
    /// [`LayoutError`] for an unknown name, or where the number of processors is not a power of 4 or 8.
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::simulation::layout::Layout;
    /// let mesh = Layout::named("mesh2", 16, 1)?;
    /// assert_eq!((mesh.hosts(), mesh.links().len()), (16, 24));
    /// assert!(Layout::named("mesh3", 16, 1).is_err());
    /// # Ok::<(), routebound::simulation::layout::LayoutError>(())
    /// ```
    pub fn named(name: &str, hosts: usize, seed: u64) -> Result<Self, LayoutError> {
        let known = NETWORKS.iter().find(|(known, ..)| *known == name);
        let unknown = || LayoutError::Unknown { name: name.to_string() };
        let (name, dimensions, make) = *known.ok_or_else(unknown)?;
        let most = "choose fewer processors";
        within("number of processors", Some(hosts as u128), MAX_HOSTS, most)?;
        let is_power = hosts.is_power_of_two() && hosts.ilog2().is_multiple_of(dimensions);
        if !is_power || hosts < 2 {
            let base = 1 << dimensions;
            return Err(LayoutError::NoPower { name: name.to_string(), hosts, base });
        }
        Ok(make(name, dimensions, hosts.ilog2() / dimensions, seed))
    }

    /// This network with `wires` wires a link, in either direction.
    ///
    /// # Errors
    /// [`LayoutError::Wires`] without wires, or with more than [`MAX_WIRES`].
    pub fn with_wires(self, wires: u64) -> Result<Self, LayoutError> {
        if (1..=MAX_WIRES).contains(&wires) {
            return Ok(Self { wires, ..self });
        }
        Err(LayoutError::Wires { wires })
    }

    /// Name of the layout.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 2 for the plane, 3 for space.
    #[must_use]
    pub fn dimensions(&self) -> u32 {
        self.dimensions
    }

    /// Number n of processors.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// lg n.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.hosts.ilog2()
    }

    /// Wires of a link in either direction.
    #[must_use]
    pub fn wires(&self) -> u64 {
        self.wires
    }

    /// Both ends of every link, the lower first; ascending.
    #[must_use]
    pub fn links(&self) -> &[[Host; 2]] {
        &self.links
    }

    /// The messages of a step, with their numbers: one for every wire, in both directions.
    pub fn step(&self) -> impl Iterator<Item = (Host, Host, u64)> + '_ {
        self.links.iter().flat_map(|[a, b]| [(*a, *b, self.wires), (*b, *a, self.wires)])
    }

    /// For every level k < lg n and every region of 2^k processors, the number of wires that leave it: as
    /// many messages of a step pass the channel above it, each way. O(links·lg n).
    #[must_use]
    pub fn crossings(&self) -> Vec<Vec<u64>> {
        regions::crossings(self)
    }

    /// The largest number of wires that leave a region ÷ its surface, over all regions.
    #[must_use]
    pub fn wires_per_surface(&self) -> Rational {
        regions::wires_per_surface(self)
    }

    /// λ of a step on a fat-tree whose channels above 2^k processors have `wires[k]` wires, k < lg n;
    /// `None` where that is another number of levels or a channel has no wire. O(links·lg n).
    ///
    /// ```
    /// # use routebound_simulate as routebound;
    /// use routebound::{rational::Rational, simulation::layout::Layout, topology::UniversalShape};
    /// // A processor inside has four neighbours, and its host channel one wire.
    /// let shape = UniversalShape::named("universal(16)")?.ok_or("another family")?;
    /// let mesh = Layout::named("mesh2", 16, 1)?;
    /// assert_eq!(mesh.step_load_factor(shape.wires()), Some(Rational::from(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn step_load_factor(&self, wires: &[u64]) -> Option<Rational> {
        regions::step_load_factor(self, wires)
    }
}

#[cfg(test)]
mod tests;
