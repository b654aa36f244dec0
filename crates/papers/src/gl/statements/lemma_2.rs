//! \[GL\] Lemma 2, with the constants that it leaves open, in the plane and in space.
//!
//! A network lies in a square where every processor has a unit square and one wire at most passes each
//! side of it, or in a cube likewise. The region of 2^k processors then has no more wires than sides on
//! its surface, except for those on the surface of the whole. A mesh has exactly this number. So **no
//! network that is laid out there has a step of a larger load factor than the mesh**, whatever its
//! wires, and for meshes there is a closed form ([`mesh_crossing`]).
//!
//! # Every n
//! A region of 2^k processors inside has 4·2^j sides for k = 2j and 6·2^j for k = 2j + 1, and in space
//! 6·4^j, 10·4^j and 16·4^j squares for k = 3j, 3j + 1 and 3j + 2; others have fewer. Where capacities
//! double every two levels, 4·2^j and 8·2^j wires are enough, and where they quadruple every three,
//! 6·4^j, 12·4^j and 24·4^j. Where they are rounded, 5·√2^k − 1/2 is more than 3√2·√2^k from k = 0 on,
//! the larger of both needs, and 7·∛4^k − 1/2 more than 16/∛16·∛4^k.
//!
//! # Switching delay
//! Of the time of a cycle only the depth of its concentrators is counted: [`super::delay`].

use super::delay::delay;
use super::prelude::*;
use crate::simulation::delivery::algorithm::{Facts, build};
use crate::simulation::delivery::{Concentrators, deliver};
use crate::simulation::layout::mesh_crossing;

pub(super) const KIND: Statement = Statement::new("gl-lemma-2", "[GL] 2, Lemma 2")
    .about("Every step of a network in a square of area n, or a cube of volume n, with one wire through \
            a unit of surface has load factor 1 at most and takes one delivery cycle of switching delay \
            4 lg^2 n at most on the fat-tree with host channels of 4 wires that doubles its capacities \
            every two levels, of 5 that grow by sqrt(2), of 6 that quadruple every three, of 7 that grow \
            by cbrt(4); a square and a cubic mesh need as many where nothing is rounded")
    .hypothesis("meshes of 4 to 1024 processors in the plane and 8 to 4096 in space; levels up to 2^24 processors, every n by argument; random geometric networks of up to 256 and 512 processors, host channels of 8 and 12 wires; the depth of a concentrator of m inputs counted as ceil(lg m)")
    .sharpened()
    .quote("Then an area-universal fat-tree of area $O(n \\lg^2 n)$ can simulate every step of network R with at most $O(\\lg^2 n)$ switching delay. ... any communication step performed by R induces at most a load factor of 1 on the fat-tree and thus can be routed in one delivery cycle")
    .cases(|scope| check(scope, 0))
    // A wire less for every host.
    .planted(Planted::Check(|scope| check(scope, 1)));

/// A way to grow, with the wires of host channels: for networks with one wire a unit of surface, and
/// for geometric ones.
struct Tree {
    growth: &'static str,
    dimensions: u32,
    leaf: u64,
    geometric: u64,
}

const fn tree(growth: &'static str, dimensions: u32, leaf: u64, geometric: u64) -> Tree {
    Tree { growth, dimensions, leaf, geometric }
}

const TREES: [Tree; 4] = [
    tree("double2", 2, 4, 8),
    tree("sqrt2", 2, 5, 8),
    tree("quadruple3", 3, 6, 12),
    tree("cbrt4", 3, 7, 12),
];

/// Largest lg n of meshes, of geometric networks, and of levels.
const MESH: [u32; 2] = [10, 12];
const GEOMETRIC: [u32; 2] = [8, 9];
const LEVELS: u32 = 24;

/// Geometric networks of every size.
const SEEDS: u64 = 5;

/// Switching delay ÷ lg² n.
const DELAY: u64 = 4;

/// With `fewer` wires less in host channels.
fn check(scope: &Scope, fewer: u64) -> Findings {
    let mut findings = Vec::new();
    for tree in &TREES {
        let (leaf, dimensions) = (tree.leaf - fewer, tree.dimensions);
        let at = (dimensions - 2) as usize;
        for height in (dimensions..=MESH[at]).step_by(dimensions as usize) {
            scope.progress.check()?;
            let mesh = Layout::named(&format!("mesh{dimensions}"), 1 << height, 1)?;
            findings.push(one_cycle(&mesh, &shape(1 << height, tree.growth, leaf)?)?);
        }
        findings.extend(every_level(tree, leaf)?);
        for height in (dimensions..=GEOMETRIC[at]).step_by(dimensions as usize) {
            scope.progress.check()?;
            let shape = shape(1 << height, tree.growth, tree.geometric - fewer)?;
            findings.push(geometric(&shape, dimensions, scope)?);
        }
        findings.push(delays(tree.growth, leaf)?);
        scope.progress.inc(1);
    }
    Ok(findings)
}

/// The fat-tree of a way to grow.
pub(super) fn shape(hosts: u64, growth: &str, leaf: u64) -> Result<UniversalShape> {
    trees::shape(&format!("universal({hosts},growth={growth},leaf={leaf})"))
}

/// λ of a step, and the cycles in which GREEDY delivers it.
fn delivered(layout: &Layout, shape: &UniversalShape) -> Result<(Rational, u64)> {
    let factor = layout.step_load_factor(shape.wires()).unwrap_or_default();
    let step = Messages::listed(layout.step())?;
    let facts = Facts { processors: layout.hosts(), messages: step.total(), congestion: None };
    let greedy = build("greedy", &facts).map_err(|_| defect(shape.spec()))?;
    let settings =
        Settings { loss: loss::find("left").map_err(|_| defect(shape.spec()))?, seed: 1 };
    let tree = WireTree::universal(shape);
    let mut network = Concentrators::new(&tree);
    let found = deliver(&mut network, &*greedy, &step, settings, &Progress::silent())?;
    Ok((factor, found.cycles))
}

fn one_cycle(layout: &Layout, shape: &UniversalShape) -> Result<Finding> {
    let (factor, cycles) = delivered(layout, shape)?;
    let bits = layout.height() / layout.dimensions();
    let closed = (0..layout.height()).zip(shape.wires()).filter_map(|(k, wires)| {
        Rational::new(mesh_crossing(layout.dimensions(), bits, k), *wires)
    });
    let same = closed.max().is_some_and(|closed| closed == factor);
    let holds = same && factor <= Rational::ONE && cycles == 1;
    let found = format!("{factor}, {cycles} cycles");
    let case = format!("a step of {} on {}", layout.name(), shape.spec());
    Ok(Finding::holds(case, "load factor <= 1, 1 cycle", found, holds, Basis::Exhaustive))
}

/// The sides on the surface of regions inside, against the wires of their channels.
fn every_level(tree: &Tree, leaf: u64) -> Findings {
    let shape = shape(1 << LEVELS, tree.growth, leaf)?;
    // Every region of these levels has others all around it somewhere in a whole of that side.
    let bits = LEVELS / tree.dimensions + 2;
    let parts = (0..LEVELS)
        .zip(shape.wires())
        .filter_map(|(k, wires)| Rational::new(mesh_crossing(tree.dimensions, bits, k), *wires));
    let parts: Vec<Rational> = parts.collect();
    let most = parts.iter().max().cloned().unwrap_or_default();
    let holds = most <= Rational::ONE;
    let case = |n: &str| format!("any network, {n}, growth {}, leaf = {leaf}", tree.growth);
    let basis = Basis::Grid { points: LEVELS.into() };
    let claimed = "sides of a region <= wires of its channel";
    let found = format!("at most {most} of them");
    let mut findings =
        vec![Finding::holds(case("regions of up to 2^23"), claimed, found, holds, basis)];
    // The argument needs as many wires.
    if leaf >= tree.leaf {
        let docs = "the docs of crates/papers/src/gl/statements/lemma_2.rs";
        findings.push(Finding::argued(case("every n"), claimed, "by the growth", docs));
    }
    Ok(findings)
}

fn geometric(shape: &UniversalShape, dimensions: u32, scope: &Scope) -> Result<Finding> {
    let (mut worst, mut most) = (Rational::ZERO, 0);
    for seed in 0..SEEDS {
        let seed = scope.seed.wrapping_add(seed);
        let hosts = as_size(shape.hosts());
        let layout = Layout::named(&format!("geometric{dimensions}"), hosts, seed)?;
        let (factor, cycles) = delivered(&layout, shape)?;
        (worst, most) = (worst.max(factor), most.max(cycles));
    }
    let holds = worst <= Rational::ONE && most == 1;
    let found = format!("at most {worst}, {most} cycles");
    let case = format!("steps of geometric{dimensions} on {}", shape.spec());
    let basis = Basis::sampled(SEEDS, scope.seed);
    Ok(Finding::holds(case, "load factor <= 1, 1 cycle", found, holds, basis))
}

fn delays(growth: &str, leaf: u64) -> Result<Finding> {
    let mut worst = Rational::ZERO;
    for height in 2..=LEVELS {
        let shape = shape(1 << height, growth, leaf)?;
        let part = fraction(delay(shape.wires()), u64::from(height).pow(2));
        worst = worst.max(part);
    }
    let case = format!("switching delay, growth {growth}, leaf = {leaf}, n = 4..2^{LEVELS}");
    let (claimed, found) = (format!("<= {DELAY} lg^2 n"), format!("at most {worst} lg^2 n"));
    let basis = Basis::Grid { points: u64::from(LEVELS) - 1 };
    Ok(Finding::holds(case, claimed, found, worst <= DELAY.into(), basis))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The load factor of the layout is that of the messages on the tree of channels.
    #[test]
    fn load_factors_are_those_of_messages() {
        for (name, hosts, growth) in
            [("mesh2", 64, "sqrt2"), ("mesh3", 64, "cbrt4"), ("geometric2", 64, "double2")]
        {
            let layout = Layout::named(name, hosts, 3).unwrap();
            let (_, tree) = trees::tree(hosts, growth, 1).unwrap();
            let step: Vec<_> =
                layout.step().map(|(s, d, count)| messages::messages((s, d), count)).collect();
            let shape = shape(hosts as u64, growth, 1).unwrap();
            let found = layout.step_load_factor(shape.wires());
            assert_eq!(found, Some(tree.load_factor(&step).value), "{name}");
        }
    }
}
