//! Random geometric networks: points at random, linked to those near them.

use itertools::Itertools;

use super::regions::surface;
use super::{Layout, UNIT};
use crate::prelude::*;

/// Coordinates; those beyond the dimension are 0.
type Point = [u32; 3];

/// Links that are not part of the spanning tree have at most 3/2 the unit.
const RADIUS: u64 = 3 * UNIT as u64 / 2;

/// Where links of the spanning tree are first looked for.
const NEAR: u64 = 2 * UNIT as u64;

/// 2^(dimensions·bits) points in a square or cube of side 2^bits.
pub(super) fn geometric(name: &str, dimensions: u32, bits: u32, seed: u64) -> Layout {
    let hosts = 1_usize << (dimensions * bits);
    let side = UNIT << bits;
    let mut random = Streams::new(seed).at(0);
    let mut coordinate =
        |axis: u32| if axis < dimensions { random.random_range(0..side) } else { 0 };
    let mut points: Vec<Point> = (0..hosts).map(|_| [0, 1, 2].map(&mut coordinate)).collect();
    let mut surfaces = vec![Vec::new(); as_size((dimensions * bits).into())];
    let ends = [side; 3].map(|side| [0, side]);
    Halving { dimensions, surfaces: &mut surfaces }.order(&mut points, ends);
    let links = links(&points, dimensions);
    let name = name.to_string();
    Layout { name, dimensions, hosts, is_grid: false, wires: 1, links, surfaces }
}

/// Halving points again and again.
struct Halving<'s> {
    dimensions: u32,
    surfaces: &'s mut [Vec<u64>],
}

impl Halving<'_> {
    /// Puts points in the order of their regions, the first of which has these ends.
    fn order(&mut self, points: &mut [Point], ends: [[u32; 2]; 3]) {
        let height = points.len().ilog2();
        if let Some(surfaces) = self.surfaces.get_mut(height as usize) {
            let extents = ends.map(|[from, to]| u64::from(to - from));
            surfaces.push(surface(&extents[..self.dimensions as usize]));
        }
        if height == 0 {
            return;
        }
        let axis = ((height - 1) % self.dimensions) as usize;
        let half = points.len() / 2;
        // Ties are broken by the other coordinates; equal points are alike.
        points.select_nth_unstable_by_key(half, |point| {
            [axis, (axis + 1) % 3, (axis + 2) % 3].map(|axis| point[axis])
        });
        let cut = points[half][axis];
        let (low, high) = points.split_at_mut(half);
        let (mut below, mut above) = (ends, ends);
        (below[axis][1], above[axis][0]) = (cut, cut);
        self.order(low, below);
        self.order(high, above);
    }
}

/// The links between points in their final order.
fn links(points: &[Point], dimensions: u32) -> Vec<[Host; 2]> {
    let mut reach = NEAR;
    let (tree, others) = loop {
        let mut forest = Forest::new(points.len());
        let pairs = near(points, reach).into_iter();
        let (tree, others): (Vec<_>, Vec<_>) = pairs.partition(|(_, [a, b])| forest.join(*a, *b));
        if forest.trees == 1 {
            break (tree, others);
        }
        reach *= 2;
    };
    let mut degree = vec![0_u32; points.len()];
    let mut links: Vec<[Host; 2]> = tree.into_iter().map(|(_, ends)| ends).collect();
    for end in links.iter().flatten() {
        degree[*end as usize] += 1;
    }
    for (_, ends) in others.into_iter().take_while(|(square, _)| *square <= RADIUS * RADIUS) {
        if ends.iter().all(|end| degree[*end as usize] < 2 * dimensions) {
            for end in ends {
                degree[end as usize] += 1;
            }
            links.push(ends);
        }
    }
    links.sort_unstable();
    links
}

/// All pairs of points up to `reach` apart with the squares of their distances, ascending.
fn near(points: &[Point], reach: u64) -> Vec<(u64, [Host; 2])> {
    let cell = |point: &Point| point.map(|x| u64::from(x) / reach);
    let sorted = |at: &Host| cell(&points[*at as usize]);
    let mut order: Vec<Host> = (0..host_number(points.len())).collect();
    order.sort_by_key(sorted);
    let cells: Vec<[u64; 3]> = order.iter().map(sorted).collect();
    let mut pairs = Vec::new();
    for (a, point) in (0..).zip(points) {
        let [x, y, z] = cell(point).map(|at| at.saturating_sub(1)..=at + 1);
        for (x, y) in x.cartesian_product(y) {
            // Cells of a column follow one another.
            let from = cells.partition_point(|cell| *cell < [x, y, *z.start()]);
            let to = cells.partition_point(|cell| *cell <= [x, y, *z.end()]);
            let later = order[from..to].iter().filter(|b| **b > a);
            let measured = later.map(|b| (square(point, &points[*b as usize]), [a, *b]));
            pairs.extend(measured.filter(|(square, _)| *square <= reach * reach));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The square of the distance between two points.
fn square(a: &Point, b: &Point) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum()
}

/// Trees that grow together.
struct Forest {
    parent: Vec<u32>,
    trees: usize,
}

impl Forest {
    fn new(points: usize) -> Self {
        Self { parent: (0..index32(points)).collect(), trees: points }
    }

    /// Joins two trees; whether they were two.
    fn join(&mut self, a: Host, b: Host) -> bool {
        let [a, b] = [a, b].map(|point| self.root(point));
        self.parent[a as usize] = b;
        self.trees -= usize::from(a != b);
        a != b
    }

    fn root(&mut self, mut point: u32) -> u32 {
        while self.parent[point as usize] != point {
            // Halves the way for the next time.
            let above = self.parent[point as usize];
            self.parent[point as usize] = self.parent[above as usize];
            point = above;
        }
        point
    }
}
