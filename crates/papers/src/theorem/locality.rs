//! The fewest hops that a routing of the k-ary 2-cube has on average if no permutation loads a link more than is
//! inevitable: a linear program, as Towles, Dally and Boyd make it (SPAA 2003).
//!
//! Some best routing is its own image under all automorphisms that take a torus to itself: translations, so that what
//! counts is the way from node 0 to every other, and the eight that keep node 0. Of pairs and links that these take to
//! each other, one has columns. The load of one link is then that of all, and it is at most W for every permutation
//! where amounts of sources and destinations that sum to W are, for every pair, at least its share on the link
//! (Birkhoff and Kőnig). What is inevitable is W = k/4 for even k (`lit-optimal`); numbers are fractions where k is a power of two.

use std::collections::{BTreeMap, BTreeSet};

use super::{TheoremError, defect, exact_program};
use crate::bounds::Bounds;
use crate::lp;
use crate::lp::program::{Column, ColumnId, LinearProgram, Relation, Settings, Solver};
use crate::progress::{Progress, Stopped};
use crate::routing::Instance;
use crate::topology::{LinkId, host_number};

/// The share of a pair on a link: a sum over columns.
type Terms = Vec<(ColumnId, f64)>;

/// The k-ary 2-cube: node x + k·y, of which link 4·node + 0 leads to x + 1, + 1 to x − 1, + 2 to y + 1, + 3 to y − 1.
#[derive(Clone, Copy)]
struct Cube {
    k: usize,
}

/// The eight automorphisms that keep node 0: bit 0 turns x round, bit 1 turns y round, then bit 2 exchanges both.
const TURNS: std::ops::Range<usize> = 0..8;

/// That which keeps the link from node 0 to x + 1.
const REFLECTED: usize = 2;

impl Cube {
    fn nodes(self) -> usize {
        self.k * self.k
    }

    fn node(self, [x, y]: [usize; 2]) -> usize {
        x % self.k + self.k * (y % self.k)
    }

    fn place(self, node: usize) -> [usize; 2] {
        [node % self.k, node / self.k]
    }

    /// The node that is as far from node 0 as `to` is from `from`.
    fn difference(self, from: usize, to: usize) -> usize {
        let ([a, b], [x, y]) = (self.place(from), self.place(to));
        self.node([x + self.k - a, y + self.k - b])
    }

    fn head(self, link: usize) -> usize {
        let ([x, y], k) = (self.place(link / 4), self.k);
        self.node([[x + 1, y], [x + k - 1, y], [x, y + 1], [x, y + k - 1]][link % 4])
    }

    fn turned(self, turn: usize, node: usize) -> usize {
        let mut place = self.place(node);
        for (axis, at) in place.iter_mut().enumerate() {
            if (turn >> axis) & 1 == 1 {
                *at = self.k - *at;
            }
        }
        if turn & 4 != 0 {
            place.reverse();
        }
        self.node(place)
    }

    fn turned_link(self, turn: usize, link: usize) -> usize {
        let direction = link % 4;
        let direction = if (turn >> (direction / 2)) & 1 == 1 { direction ^ 1 } else { direction };
        let direction = if turn & 4 != 0 { direction ^ 2 } else { direction };
        4 * self.turned(turn, link / 4) + direction
    }

    /// The least node that automorphisms take a node to, and one that does.
    fn least(self, node: usize) -> (usize, usize) {
        TURNS.map(|turn| (self.turned(turn, node), turn)).min().unwrap_or((node, 0))
    }

    /// The automorphisms that keep a node.
    fn keepers(self, node: usize) -> impl Iterator<Item = usize> {
        TURNS.filter(move |turn| self.turned(*turn, node) == node)
    }
}

/// The program while it is made.
struct Building {
    cube: Cube,
    program: LinearProgram,
    /// For every least destination, the shares on all links.
    shares: BTreeMap<usize, Vec<Terms>>,
}

/// The fewest hops on average over all pairs of nodes, each also with itself, for even k. With `among`, only the paths
/// of that routing are allowed.
pub(crate) fn fewest_hops(
    k: usize,
    among: Option<&str>,
    progress: &Progress,
) -> Result<Bounds, TheoremError> {
    let cube = Cube { k };
    let listed =
        among.map(|routing| Instance::named(&format!("torus({k},2)"), routing)).transpose()?;
    let (program, shares) = (LinearProgram::default(), BTreeMap::new());
    let mut building = Building { cube, program, shares };
    let destinations: BTreeSet<usize> = (1..cube.nodes()).map(|node| cube.least(node).0).collect();
    for d in destinations {
        match &listed {
            Some(instance) => building.paths(d, instance),
            None => building.flow(d),
        }
    }
    building.cover();
    let Building { program, .. } = building;
    let settings = Settings { solver: Solver::InteriorPoint, ..Settings::default() };
    let solved = lp::interruptible(program.clone(), settings, progress).map_err(defect)?;
    let solved = solved.ok_or(Stopped)?;
    let undecided = || TheoremError::Hypothesis(format!("fractions of the {k}-ary 2-cube"));
    exact_program::bounds(&program, &solved).ok_or_else(undecided)
}

impl Building {
    fn column(&mut self, upper: f64) -> ColumnId {
        self.program.add_column(Column { upper, ..Column::positive(0.0) })
    }

    /// The part that all pairs like that of node 0 and a least destination have in the average.
    fn weight(&self, d: usize) -> f64 {
        let cube = self.cube;
        let alike = (1..cube.nodes()).filter(|node| cube.least(*node).0 == d).count();
        alike as f64 / cube.nodes() as f64
    }

    /// The columns and rows of a flow from node 0 to a destination.
    fn flow(&mut self, d: usize) {
        let (cube, weight) = (self.cube, self.weight(d));
        let (mut by_link, mut shares) = (BTreeMap::new(), Vec::new());
        for link in 0..4 * cube.nodes() {
            let least = cube.keepers(d).map(|turn| cube.turned_link(turn, link)).min();
            let column = *by_link.entry(least).or_insert_with(|| self.column(1.0));
            self.program.columns[column].cost += weight;
            shares.push(vec![(column, 1.0)]);
        }
        let mut sums: Vec<BTreeMap<ColumnId, f64>> = vec![BTreeMap::new(); cube.nodes()];
        for (link, terms) in shares.iter().enumerate() {
            for (column, _) in terms {
                *sums[link / 4].entry(*column).or_default() += 1.0;
                *sums[cube.head(link)].entry(*column).or_default() -= 1.0;
            }
        }
        for (node, terms) in sums.into_iter().enumerate().filter(|(node, _)| *node != d) {
            let right = if node == 0 { 1.0 } else { 0.0 };
            self.program.add_row(terms.into_iter().collect(), Relation::Equal, right);
        }
        self.shares.insert(d, shares);
    }

    /// The columns and the row of the paths that a routing has from node 0 to a destination.
    fn paths(&mut self, d: usize, instance: &Instance) {
        let (cube, weight) = (self.cube, self.weight(d));
        let mut paths: Vec<Vec<usize>> = Vec::new();
        let (from, to) = (host_number(0), host_number(d));
        instance.routing().for_each_path(from, to, &mut Vec::new(), &mut |_, path| {
            paths.push(path.iter().map(|link| self.link(instance, *link)).collect());
        });
        let images = |path: &Vec<usize>| -> BTreeSet<Vec<usize>> {
            let image = |turn| path.iter().map(|link| cube.turned_link(turn, *link)).collect();
            cube.keepers(d).map(image).collect()
        };
        let classes: BTreeSet<BTreeSet<Vec<usize>>> = paths.iter().map(images).collect();
        let (mut shares, mut total) = (vec![Terms::new(); 4 * cube.nodes()], Terms::new());
        for class in classes {
            let column = self.column(1.0);
            let hops = class.first().map_or(0, Vec::len);
            self.program.columns[column].cost = weight * hops as f64;
            total.push((column, 1.0));
            for link in class.iter().flatten() {
                shares[*link].push((column, 1.0 / class.len() as f64));
            }
        }
        self.program.add_row(total, Relation::Equal, 1.0);
        self.shares.insert(d, shares);
    }

    /// The number here of a link of the network.
    fn link(&self, instance: &Instance, link: LinkId) -> usize {
        let (tail, head) = instance.topology().ends(link).unwrap_or_default();
        let links = 4 * tail as usize..4 * tail as usize + 4;
        links.clone().find(|link| self.cube.head(*link) == head as usize).unwrap_or(links.start)
    }

    /// The columns and rows that bound what permutations put on the link from node 0 to x + 1.
    fn cover(&mut self) {
        let cube = self.cube;
        let most = cube.k as f64 / 4.0;
        let mut total = Terms::new();
        let mut sides = || {
            let mut amounts: BTreeMap<usize, ColumnId> = BTreeMap::new();
            let of_node = |node: usize| {
                let least = node.min(cube.turned(REFLECTED, node));
                let column = *amounts.entry(least).or_insert_with(|| self.column(most));
                total.push((column, 1.0));
                column
            };
            (0..cube.nodes()).map(of_node).collect::<Vec<ColumnId>>()
        };
        let [sources, destinations] = [sides(), sides()];
        self.program.add_row(total, Relation::AtMost, most);
        for (s, source) in sources.iter().enumerate() {
            for d in (0..cube.nodes()).filter(|d| *d != s) {
                if (s, d) > (cube.turned(REFLECTED, s), cube.turned(REFLECTED, d)) {
                    continue;
                }
                let (least, turn) = cube.least(cube.difference(s, d));
                let link = cube.turned_link(turn, 4 * cube.difference(s, 0));
                let shares = self.shares.get(&least).map_or(&[][..], |shares| &shares[link][..]);
                let share = shares.iter().map(|(column, part)| (*column, -part));
                let terms = [(*source, 1.0), (destinations[d], 1.0)].into_iter().chain(share);
                let terms = terms.collect();
                self.program.add_row(terms, Relation::AtLeast, 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;

    /// On the 4-ary 2-cube the paths with two turns are enough for the least, 27/10; a link is taken to a link.
    #[test]
    fn two_turns_are_enough_in_small_cubes() {
        let cube = Cube { k: 4 };
        for (turn, link) in TURNS.flat_map(|turn| (0..64).map(move |link| (turn, link))) {
            let image = cube.turned_link(turn, link);
            assert_eq!(image / 4, cube.turned(turn, link / 4));
            assert_eq!(cube.head(image), cube.turned(turn, cube.head(link)));
        }
        for among in [None, Some("2turn")] {
            let found = fewest_hops(4, among, &Progress::silent()).unwrap();
            let least = Rational::new(27, 10).unwrap();
            assert_eq!(found.upper, least, "{among:?}");
            assert!(found.lower.to_f64() > 2.6999, "{among:?}");
        }
    }
}
