//! Routing by registers against the routings, and the figures of \[GO\] as the text describes them.

use std::collections::BTreeSet;

use super::*;
use crate::routing::Instance;
use crate::simulation::registers::{Switch, adaptive, deterministic};
use crate::topology::{generate, sd_pairs};

type Paths = BTreeSet<Vec<LinkId>>;

fn by_registers(interpreter: &Interpreter, s: Host, d: Host) -> Paths {
    let mut paths = Paths::new();
    let visit = &mut |path: &[LinkId]| assert!(paths.insert(path.to_vec()), "{path:?} twice");
    interpreter.for_each_path(s, d, visit).unwrap();
    paths
}

fn by_routing(instance: &Instance, s: Host, d: Host) -> Paths {
    let mut paths = Paths::new();
    let Instance { routing, .. } = instance;
    routing.for_each_path(s, d, &mut Vec::new(), &mut |_, path| {
        paths.insert(path.to_vec());
    });
    paths
}

fn compare(network: &str, routing: &str, make: impl Fn(&Topology) -> Registers) {
    let instance = Instance::named(network, routing).unwrap();
    let registers = make(&instance.topology);
    let interpreter = Interpreter::new(&instance.topology, &registers);
    for (s, d) in sd_pairs(instance.topology.hosts()) {
        let (found, known) = (by_registers(&interpreter, s, d), by_routing(&instance, s, d));
        assert_eq!(found, known, "{routing} on {network}, {s} to {d}");
    }
}

/// Every pair of every small tree.
#[test]
fn flexible_intervals_are_d_mod_k() {
    let trees = ["kary(2,1)", "kary(2,2)", "kary(2,3)", "kary(2,4)", "kary(2,5)", "kary(4,1)"];
    let more = ["kary(4,2)", "kary(4,3)", "kary(4,4)", "kary(8,2)", "kary(16,2)"];
    for network in trees.into_iter().chain(more).chain(["xgft(2;4,4;1,4)"]) {
        compare(network, "dmodk", |tree| deterministic(tree).unwrap());
    }
}

#[test]
fn intervals_allow_every_shortest_path_and_no_other() {
    for k in 2..=4 {
        for n in 1..=3 {
            compare(&format!("kary({k},{n})"), "ecmp", |tree| adaptive(tree).unwrap());
        }
    }
    compare("kary(2,4)", "ecmp", |tree| adaptive(tree).unwrap());
}

fn labels(registers: &Registers, switch: usize, address: u32) -> Vec<u32> {
    registers.switches[switch].eligible(address).map(|port| port.label).collect()
}

/// [GO] Figure 1, as 3.1 walks through it from node 1 to node 4.
#[test]
fn the_walk_of_figure_1() {
    let tree = generate("kary(2,4)").unwrap();
    let registers = adaptive(&tree).unwrap();
    assert_eq!(registers.switches.len(), 32);
    let leads = |switch: usize, label: usize, to: usize| {
        let ends = tree.ends(registers.switches[switch].ports[label].link);
        assert_eq!(ends.unwrap().1, registers.switches[to].node, "{switch} by {label} to {to}");
    };
    // "Switch 0 can use both ascending links (links 2 and 3)"
    assert_eq!(
        tree.ends(tree.links_from(1).next().unwrap()).unwrap().1,
        registers.switches[0].node
    );
    assert_eq!(labels(&registers, 0, 4), [2, 3]);
    // "link 3, so switch 9 is reached", which "can route the packet through any of its ascending
    // links. Assume link 2 is selected, then the packet reaches switch 17."
    leads(0, 3, 9);
    assert_eq!(labels(&registers, 9, 4), [2, 3]);
    leads(9, 2, 17);
    // "only link 1 is allowed", "so the packet arrives to switch 11"
    assert_eq!(labels(&registers, 17, 4), [1]);
    leads(17, 1, 11);
    // "only link 0 is allowed"
    assert_eq!(labels(&registers, 11, 4), [0]);
    leads(11, 0, 2);
    assert_eq!(labels(&registers, 2, 4), [0]);
    assert_eq!(tree.ends(registers.switches[2].ports[0].link).unwrap().1, 4);
}

/// [GO] Figure 3, as section 4 describes it.
#[test]
fn the_registers_of_figure_3() {
    let registers = deterministic(&generate("kary(2,3)").unwrap()).unwrap();
    assert_eq!(registers.switches.len(), 12);
    for SwitchRegisters { switch, ports, .. } in &registers.switches {
        for port in ports {
            let expected = match (port.label, switch.stage) {
                (0 | 1, _) => (0b111, 0b0000),
                // "In the first stage, MR is set to 001", "in the ascending links (links 2 and 3) the
                // RRR stores 0011".
                (_, 0) => (0b001, 0b0011),
                // "At stage 1 ... MR is set to 010".
                _ => (0b010, 0b0011),
            };
            assert_eq!((port.rows[0].mask, port.restrictions), expected, "{switch:?}");
        }
    }
    let matching = |switch: usize, address| {
        let ports = registers.switches[switch].ports.iter();
        ports.filter(|port| port.matches(address)).map(|port| port.label).collect::<Vec<u32>>()
    };
    // "when routing a packet to destination 0 at switch 0, both output ports, 0 and 2, may be
    // allowed ... output port 2 is not finally returned".
    assert_eq!(matching(0, 0), [0, 2]);
    assert_eq!(labels(&registers, 0, 0), [0]);
    // "Packets destined to node 4 select the first up link, and packets destined to node 6 the
    // other one", at switch 4.
    assert_eq!((labels(&registers, 4, 4), labels(&registers, 4, 6)), (vec![2], vec![3]));
    // "packets destined to nodes 0, 1, 4 and 5 use the first up output port of the switches" of
    // stage 1, "2, 3, 6 and 7 use the second": those that are not below.
    let ascending = |label: u32| -> BTreeSet<u32> {
        let of_stage = |stage: u32| (0..4).map(move |place| Switch { stage, place });
        let taken = of_stage(1).flat_map(|switch| {
            let at = registers.number(switch) as usize;
            (0..8).filter(|d| labels(&registers, at, *d) == [label]).collect::<Vec<u32>>()
        });
        taken.collect()
    };
    assert_eq!(ascending(2), BTreeSet::from([0, 1, 4, 5]));
    assert_eq!(ascending(3), BTreeSet::from([2, 3, 6, 7]));
}

/// Registers that are wrong do not loop, and say where a packet is.
#[test]
fn packets_that_are_not_delivered_are_found() {
    let tree = generate("kary(2,3)").unwrap();
    let mut registers = deterministic(&tree).unwrap();
    let told = |registers: &Registers, s, d| {
        let found = Interpreter::new(&tree, registers).for_each_path(s, d, &mut |_| {});
        found.unwrap_err().to_string()
    };
    let right = registers.clone();
    registers.switches[0].ports[0].rows.clear();
    assert_eq!(told(&registers, 4, 0), "a packet from host 4 to host 0 takes more than 6 links");
    registers.switches[0].ports.truncate(1);
    assert_eq!(told(&registers, 4, 0), "at sw-1-0 no output port takes packets to host 0");
    registers = right;
    registers.switches[0].ports[1].rows[0].interval.first = 0;
    assert_eq!(told(&registers, 4, 0), "a packet to host 0 ends at host-1");
}
