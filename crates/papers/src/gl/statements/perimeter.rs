//! \[GL\] Lemma 2: the arithmetic of its proof.
//!
//! Processors stand in a square of side √n; a subtree of 2^k of them is a square of side 2^(k/2),
//! or two squares side by side. Its perimeter is 2·(2^⌈k/2⌉ + 2^⌊k/2⌋) and its channel has about
//! 2^(k/2) wires per wire of a host channel. The lemma itself, with constants, is in [`super::lemma_2`].

use super::prelude::*;

pub(super) const KIND: Statement = Statement::new("gl-lemma-2-perimeter", "[GL] 2, proof of Lemma 2")
    .about("The capacity of any channel of an area-universal fat-tree is proportional to the perimeter \
            of its region of a square layout, so a step of a network laid out there has load factor 1 at most")
    .hypothesis("perimeter / capacity from 3 to 6 per wire of a host channel, n = 4..4096; the step in which all neighbours of a square mesh exchange messages, host channels of 4 wires, growth double2")
    .quote("the capacity of any channel of the fat-tree is proportional to the perimeter of the corresponding region of the layout of network R. Therefore, any communication step performed by R induces at most a load factor of 1 on the fat-tree")
    .cases(|scope| check(scope, "double2", 4))
    // Channels that do not grow.
    .planted(Planted::Check(|scope| check(scope, "constant", 4)));

/// Largest sides of the square and of the mesh, as powers of two.
const SIDES: u32 = 6;
const MESH: u32 = 5;

/// The trees that are universal for area, with `doubling` as the one without rounding.
fn check(scope: &Scope, doubling: &'static str, leaf: u64) -> Findings {
    let mut findings =
        scope.each(iproduct!(1..=SIDES, [doubling, "sqrt2"]), |(side, growth)| {
            let (topology, tree) = trees::tree(1 << (2 * side), growth, 1)?;
            Ok(proportional(topology.spec(), &tree))
        })?;
    findings.extend(scope.each(1..=MESH, |side| {
        let (topology, tree) = trees::tree(1 << (2 * side), doubling, leaf)?;
        let mesh = Layout::named("mesh2", 1 << (2 * side), 1)?;
        let step = mesh.step().map(|(s, d, count)| messages::messages((s, d), count));
        let factor = tree.load_factor(&step.collect::<Vec<_>>()).value;
        let case = format!("a mesh of side {} on {}", 1 << side, topology.spec());
        Ok(Finding::at_most(case, 1, factor, Basis::Exhaustive))
    })?);
    Ok(findings)
}

fn proportional(spec: &str, tree: &ChannelTree) -> Finding {
    let above = |node: &u32| Some(tree.parent(*node)).filter(|parent| parent != node);
    let below = std::iter::successors(Some(0), above).take_while(|node| above(node).is_some());
    let parts = below.enumerate().filter_map(|(k, below)| {
        let capacity = tree.capacity(Channel { below, direction: Direction::Up });
        let perimeter = 2 * ((1_u64 << k.div_ceil(2)) + (1 << (k / 2)));
        Rational::from(perimeter).checked_div(capacity)
    });
    let parts: Vec<Rational> = parts.collect();
    let holds = parts.iter().all(|part| (3.into()..=6.into()).contains(part));
    let ends = |most: Option<&Rational>| most.map_or_else(String::new, ToString::to_string);
    let found = format!("{} to {}", ends(parts.iter().min()), ends(parts.iter().max()));
    Finding::holds(format!("regions of {spec}"), "3 to 6", found, holds, Basis::Exhaustive)
}
