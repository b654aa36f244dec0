//! Designs by index: roots and shares of a pair by the places of its hosts below their leaf switches.

use crate::prelude::*;
use crate::routing::{Routing, RoutingError, Visit};

use super::caps::{Cell, Goal};

/// The paths and shares of every pair, the same for every two leaf switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    indices: usize,
    units: u32,
    /// At i·n + j, for sources of index i and destinations of index j.
    cells: Vec<Cell>,
}

impl Design {
    /// The shares of cells, of which every one has all units.
    pub(super) fn new(goal: Goal, cells: Vec<Cell>) -> Self {
        Self { indices: goal.indices, units: goal.units, cells }
    }

    /// Units on the worst link: Σ_i max_j of a root upwards, Σ_j max_i downwards.
    pub(super) fn most_units(&self) -> u32 {
        let n = self.indices;
        let mut largest = [0; 2].map(|_| vec![0; n * n]);
        for (at, cell) in self.cells.iter().enumerate() {
            for (root, share) in cell {
                for (side, index) in largest.iter_mut().zip([at / n, at % n]) {
                    let largest = &mut side[*root as usize * n + index];
                    *largest = share.max(largest).to_owned();
                }
            }
        }
        let links = largest.iter().flat_map(|side| side.chunks(n));
        links.map(|link| link.iter().sum()).max().unwrap_or(0)
    }

    /// The maximum load that a permutation puts on a link.
    #[must_use]
    pub fn load(&self) -> Rational {
        self.ratio(self.most_units())
    }

    fn ratio(&self, units: u32) -> Rational {
        // Shares have units.
        Rational::new(units.into(), self.units.into()).unwrap_or(Rational::ONE)
    }

    /// Maximum number of paths of a pair.
    #[must_use]
    pub fn paths(&self) -> usize {
        self.cells.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The routing of a tree that it was found for, called `table:STEM.csv`.
    ///
    /// # Errors
    /// [`RoutingError`] when `stem` cannot be in the name of a file.
    pub fn instance(
        &self,
        topology: &Topology,
        tree: &Xgft,
        stem: &str,
    ) -> Result<Instance, RoutingError> {
        let spec = Spec::parse(&format!("table:{stem}.csv"))?.to_string();
        let share = |(root, units): &(u32, u32)| (*root, self.ratio(*units));
        let cells = self.cells.iter().map(|cell| cell.iter().map(share).collect()).collect();
        let routing: Box<dyn Routing> = Box::new(ByShares { spec, tree: tree.clone(), cells });
        Ok(Instance::trusted(topology.clone(), routing))
    }
}

impl std::fmt::Display for Design {
    /// Rows by source, cells by destination: `1:5/8 4:3/8 | 0:1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let part = |(root, units): &(u32, u32)| format!("{root}:{}", self.ratio(*units));
        let cell = |cell: &Cell| cell.iter().map(part).join(" ");
        self.cells
            .chunks(self.indices)
            .try_for_each(|row| writeln!(f, "{}", row.iter().map(cell).join(" | ")))
    }
}

/// The routing by a design.
struct ByShares {
    spec: String,
    tree: Xgft,
    cells: Vec<Vec<(u32, Rational)>>,
}

impl Routing for ByShares {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.cells.iter().all(|cell| cell.len() == 1)
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.tree.hosts())
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let tree = &self.tree;
        let mut path = |up: &[u32], share: &Rational| {
            links.clear();
            tree.push_path(s, d, up, links);
            visit(share, links);
        };
        if tree.nca_level(s, d) < 2 {
            path(&[0], &Rational::ONE);
            return;
        }
        let (i, j) = (tree.digit(s, 1), tree.digit(d, 1));
        for (root, share) in &self.cells[(i * tree.children(1) + j) as usize] {
            path(&[0, *root], share);
        }
    }
}
