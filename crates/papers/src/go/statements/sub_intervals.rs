//! \[GO\] 4: the interval of the ascending links of a switch divided into k sub-intervals of the same size.
//!
//! That interval (3.1) begins behind the last node below the switch and ends, after the last node of all and node 0,
//! before the first one below: at stage s it has k^n − k^{s+1} nodes, a multiple of k. The sub-intervals are counted
//! from its beginning, or from node 0 on, where one of them may have the nodes below the switch in its middle, which
//! descending links then take. All of the interval is divided, also the destinations that never come to the switch.

use crate::simulation::registers::{Interpreter, Interval, Registers, adaptive};
use crate::theorem::prelude::*;

pub(super) const UP: Statement = Statement::new("go-sub-intervals-up", "[GO] 4")
    .about("With k sub-intervals of the same size in place of the interval of its ascending links, the ascending links of a stage are all used by the same number of paths")
    .hypothesis("k-ary n-trees, n >= 2, sub-intervals counted from the beginning of the interval and from node 0; paths of all pairs by the registers")
    .quote("All the links of a given stage should be used by a similar number of paths. This is easy to achieve in the ascending phase. A simple idea is to divide the adaptive up interval of a switch into k sub-intervals of the same size")
    .networks(is_meant, |tree, scope| check(tree, scope, Direction::Up, true))
    .remark(
        RemarkKind::OurReading,
        |case| matches!(case.numbers[..], [_, n, _] if n > 2),
        "so at the first stage. A switch above it gets some of the destinations of its interval only, more of one \
                 sub-interval than of another: the links of a stage of the 2-ary 3-tree have 2 to 6 paths. That the \
                 division balances ascending links is how we read the sentences together",
    )
    .planted(Planted::Network("kary(3,2)", |tree, scope| check(tree, scope, Direction::Down, true)));

pub(super) const DOWN: Statement = Statement::new("go-sub-intervals-down", "[GO] 4")
    .about("With k sub-intervals of the same size in place of the interval of the ascending links, the descending links of some stage are not used by the same number of paths")
    .hypothesis("k-ary n-trees, n >= 2, as in go-sub-intervals-up; descending links between switches")
    .quote("but by using this mechanism the descending links are not balanced.")
    .networks(is_meant, |tree, scope| check(tree, scope, Direction::Down, false))
    .remark(
        RemarkKind::OurReading,
        |case| matches!(case.numbers[..], [2, 2, _] | [_, 2, 0]),
        "with n = 2 they are balanced, like the ascending ones: seen from each switch a link down is in another part of \
                 the interval. Counted from node 0 they are not balanced, unless k = 2. The paper has no example",
    )
    .planted(Planted::Network("kary(3,2)", |tree, scope| check(tree, scope, Direction::Up, false)));

fn is_meant(tree: &Topology) -> bool {
    matches!(kary(tree), Some((_, 2..)))
}

/// Where sub-intervals are counted from.
const STARTS: [&str; 2] = ["from behind the switch", "from node 0"];

/// The registers of adaptive routing with a sub-interval for every ascending link.
fn divided(topology: &Topology, from_0: bool) -> Result<Registers> {
    let mut registers = adaptive(topology)?;
    let (k, hosts) = (registers.arity, index32(registers.addresses.len()));
    for port in registers.switches.iter_mut().flat_map(|switch| &mut switch.ports) {
        let (Some(part), [row]) = (port.label.checked_sub(k), &mut port.rows[..]) else { continue };
        let first = if from_0 { 0 } else { row.interval.first };
        let nodes = (0..hosts).map(|node| (first + node) % hosts);
        let nodes: Vec<u32> = nodes.filter(|node| row.interval.contains(*node)).collect();
        let own = nodes.chunks(nodes.len() / k as usize).nth(part as usize);
        if let Some([first, .., last] | [first @ last]) = own {
            row.interval = Interval { first: *first, last: *last };
        }
        port.restrictions = (1 << k) - 1;
    }
    Ok(registers)
}

/// The least and the highest number of paths on a link between switches, by stage.
type Stages = BTreeMap<u8, (u64, u64)>;

/// The paths of all pairs on the links of a direction, or the first pair whose packets go astray.
fn paths(
    topology: &Topology,
    registers: &Registers,
    direction: Direction,
    scope: &Scope,
) -> Result<Result<Stages, String>> {
    let interpreter = Interpreter::new(topology, registers);
    let mut uses = vec![0_u64; topology.links()];
    for (s, d) in sd_pairs(topology.hosts()) {
        scope.progress.check()?;
        let mut count = 0;
        let sent = interpreter.for_each_path(s, d, &mut |path| {
            count += 1;
            for link in path {
                uses[*link as usize] += 1;
            }
        });
        if sent.is_err() || count != 1 {
            return Ok(Err(format!("{count} paths from {s} to {d}")));
        }
    }
    let mut stages = Stages::new();
    for (link, uses) in topology.graph().edge_weights().zip(uses) {
        // The links of nodes are those of level 1.
        if link.direction == direction && link.level > 1 {
            let (least, most) = stages.entry(link.level).or_insert((uses, uses));
            (*least, *most) = (uses.min(*least), uses.max(*most));
        }
    }
    Ok(Ok(stages))
}

/// The claim that the links of a direction are balanced at all stages, or that they are not.
fn check(topology: &Topology, scope: &Scope, direction: Direction, balanced: bool) -> Findings {
    let (k, n) = fits(topology, kary)?;
    let mut findings = Vec::new();
    for (reading, start) in STARTS.into_iter().enumerate() {
        let found = paths(topology, &divided(topology, reading == 1)?, direction, scope)?;
        let stage = |(least, most): &(u64, u64)| {
            if least == most { most.to_string() } else { format!("{least} to {most}") }
        };
        let (holds, found) = match found {
            Err(astray) => (false, astray),
            Ok(stages) => {
                let is_balanced = stages.values().all(|(least, most)| least == most);
                let stages: Vec<String> = stages.values().map(stage).collect();
                let found = format!("paths per link, from the hosts up: {}", stages.join(", "));
                (is_balanced == balanced, found)
            }
        };
        let case =
            Case::of(format!("{}, {start}", topology.spec()), [k.into(), n.into(), reading as u64]);
        let claimed = if balanced { "equal in every stage" } else { "unequal in some stage" };
        findings.push(Finding::holds(case, claimed, found, holds, Basis::Exhaustive));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 2-ary 3-tree by hand: switch 0 has nodes 0 and 1 below, switch 1 nodes 2 and 3.
    #[test]
    fn sub_intervals_by_hand() {
        let tree = generate("kary(2,3)").unwrap();
        let of = |from_0| {
            let registers = divided(&tree, from_0).unwrap();
            let ports =
                registers.switches[..2].iter().flat_map(|switch| switch.ports[2..].to_vec());
            ports.map(|port| (port.rows[0].interval.first, port.rows[0].interval.last)).collect()
        };
        let (behind, zero): (Vec<_>, Vec<_>) = (of(false), of(true));
        assert_eq!(behind, [(2, 4), (5, 7), (4, 6), (7, 1)]);
        assert_eq!(zero, [(2, 4), (5, 7), (0, 4), (5, 7)]);
    }

    /// Numbers of paths that were counted independently of this crate.
    #[test]
    fn known_paths() {
        let progress = Progress::silent();
        let scope = Scope::new(64, &progress);
        for (spec, from_0, up, down) in [
            ("kary(2,3)", false, &[(6, 6), (2, 6)][..], &[(6, 6), (2, 6)][..]),
            ("kary(2,3)", true, &[(6, 6), (0, 8)], &[(0, 12), (0, 8)]),
            ("kary(3,2)", false, &[(6, 6)], &[(6, 6)]),
            ("kary(3,2)", true, &[(6, 6)], &[(0, 12)]),
            ("kary(4,3)", false, &[(60, 60), (0, 148)], &[(60, 60), (0, 148)]),
            ("kary(4,3)", true, &[(60, 60), (0, 192)], &[(0, 240), (0, 576)]),
        ] {
            let tree = generate(spec).unwrap();
            let registers = divided(&tree, from_0).unwrap();
            let of = |direction| {
                let stages = paths(&tree, &registers, direction, &scope).unwrap().unwrap();
                stages.into_values().collect::<Vec<_>>()
            };
            assert_eq!([of(Direction::Up), of(Direction::Down)], [up, down], "{spec} {from_0}");
        }
    }
}
