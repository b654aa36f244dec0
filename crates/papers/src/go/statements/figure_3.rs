//! \[GO\] Figure 3, as the text describes it.

use std::collections::BTreeSet;

use super::is_deterministic;
use crate::simulation::registers::{KaryTree, Registers, Switch, deterministic};
use crate::theorem::prelude::*;

pub(super) const MASKS: Statement = Statement::new("go-figure-3-masks", "[GO] 4.1, Figure 3")
    .about("On a 2-ary 3-tree MR is 001 in the first stage and 010 in the second, RRR 0011 in the ascending \
            links")
    .hypothesis("the registers of the 2-ary 3-tree; the figure is known by the text alone")
    .quote("In the first stage, MR is set to 001 ... At stage 1, the next bit or component is considered (MR is set to 010) ... in the ascending links (links 2 and 3) the RRR stores 0011")
    .networks(is_figure_3, |topology, scope| on_registers(topology, scope, masks))
    .planted(Planted::Check(|_| {
        let (tree, mut registers) = registers()?;
        registers.switches[4].ports[2].rows[0].mask = 0b001;
        Ok(masks(&tree, &registers))
    }));

pub(super) const PREFERENCE: Statement = Statement::new("go-figure-3-preference", "[GO] 4.1, Figure 3")
    .about("At switch 0 both output ports 0 and 2 match destination 0, and only port 0 is returned, as the RRR \
            of port 2 gives it preference")
    .hypothesis("the registers of the 2-ary 3-tree")
    .quote("when routing a packet to destination 0 at switch 0, both output ports, 0 and 2, may be allowed ... as output port 2 gives preference to output port 0, output port 2 is not finally returned")
    .networks(is_figure_3, |topology, scope| on_registers(topology, scope, preference))
    .planted(Planted::Check(|_| {
        let (tree, mut registers) = registers()?;
        registers.switches[0].ports[2].restrictions = 0;
        Ok(preference(&tree, &registers))
    }));

pub(super) const SWITCH: Statement = Statement::new("go-switch-4", "[GO] 4, below Figure 2")
    .about("Packets to nodes 0, 2, 4 and 6 alone reach switch 4; those to node 4 go up by its first link, \
            those to node 6 by the other one")
    .hypothesis("D-mod-k on the 2-ary 3-tree")
    .quote("at switch 4, only packets destined to nodes 0, 2, 4 and 6 reach that switch and only packets destined to nodes 4 and 6 must be forwarded upwards. Packets destined to node 4 select the first up link, and packets destined to node 6 the other one.")
    .instances(is_figure_3, is_deterministic, switch_4)
    .planted(Planted::FirstPorts("kary(2,3)"));

pub(super) const STAGE: Statement = Statement::new("go-second-stage", "[GO] 4, below Figure 2")
    .about("At stage 1 packets to nodes 0, 1, 4 and 5 use the first ascending port of the switches, those to 2, \
            3, 6 and 7 the second")
    .hypothesis("D-mod-k on the 2-ary 3-tree")
    .quote("Considering all the switches of stage 1, packets destined to nodes 0, 1, 4 and 5 use the first up output port of the switches and those packets destined to nodes 2, 3, 6 and 7 use the second output port.")
    .instances(is_figure_3, is_deterministic, stage_1)
    .planted(Planted::FirstPorts("kary(2,3)"));

fn switch_4(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let tree = KaryTree::of(&instance.topology)?;
    let switch = Switch { stage: 1, place: 0 };
    let node = tree.node(switch);
    let into = |link: LinkId| instance.topology.ends(link).is_some_and(|(_, to)| Some(to) == node);
    let by = |label| move |link| tree.link(switch, label) == Some(link);
    let found = [
        destinations(instance, into),
        destinations(instance, by(2)),
        destinations(instance, by(3)),
    ];
    let printed = [BTreeSet::from([0, 2, 4, 6]), BTreeSet::from([4]), BTreeSet::from([6])];
    Ok(vec![compared(instance, &printed, &found)])
}

fn stage_1(instance: &Instance, scope: &Scope) -> Findings {
    scope.progress.check()?;
    let tree = KaryTree::of(&instance.topology)?;
    let by = |label| {
        move |link| (0..4).any(|place| tree.link(Switch { stage: 1, place }, label) == Some(link))
    };
    let found = [destinations(instance, by(2)), destinations(instance, by(3))];
    let printed = [BTreeSet::from([0, 1, 4, 5]), BTreeSet::from([2, 3, 6, 7])];
    Ok(vec![compared(instance, &printed, &found)])
}

/// The destinations of the paths over some of the links that `is_meant` selects.
fn destinations(instance: &Instance, is_meant: impl Fn(LinkId) -> bool) -> BTreeSet<Host> {
    let Instance { topology, routing, .. } = instance;
    let passes = |s, d| path(&**routing, s, d).into_iter().any(&is_meant);
    let pairs = sd_pairs(topology.hosts()).filter(|(s, d)| passes(*s, *d));
    pairs.map(|(_, d)| d).collect()
}

fn compared(instance: &Instance, printed: &[BTreeSet<Host>], found: &[BTreeSet<Host>]) -> Finding {
    let (claimed, shown) = (format!("{printed:?}"), format!("{found:?}"));
    let case = oblivious::case(instance);
    Finding::holds(case, claimed, shown, printed == found, Basis::Exhaustive)
}

type OnRegisters = fn(&Topology, &Registers) -> Vec<Finding>;

fn is_figure_3(topology: &Topology) -> bool {
    kary(topology) == Some((2, 3))
}

fn registers() -> Result<(Topology, Registers)> {
    let tree = generate("kary(2,3)")?;
    let registers = deterministic(&tree)?;
    Ok((tree, registers))
}

fn on_registers(topology: &Topology, scope: &Scope, check: OnRegisters) -> Findings {
    scope.progress.check()?;
    Ok(check(topology, &deterministic(topology)?))
}

/// MR and RRR of every ascending link.
fn masks(topology: &Topology, registers: &Registers) -> Vec<Finding> {
    let mut found = BTreeSet::new();
    for switch in &registers.switches {
        for port in switch.ports.iter().filter(|port| port.label >= 2) {
            let masks = port.rows.iter().map(|row| row.mask);
            found.extend(masks.map(|mask| (switch.switch.stage, mask, port.restrictions)));
        }
    }
    let printed = BTreeSet::from([(0, 0b001, 0b0011), (1, 0b010, 0b0011)]);
    let show = |all: &BTreeSet<(u32, u32, u128)>| {
        let one = |(stage, mask, rrr): &(u32, u32, u128)| {
            format!("stage {stage}: MR {mask:03b}, RRR {rrr:04b}")
        };
        all.iter().map(one).collect::<Vec<String>>().join("; ")
    };
    let is_right = found == printed;
    let (claimed, found) = (show(&printed), show(&found));
    vec![Finding::holds(topology.spec(), claimed, found, is_right, Basis::Exhaustive)]
}

fn preference(topology: &Topology, registers: &Registers) -> Vec<Finding> {
    let switch = &registers.switches[0];
    let matching = switch.ports.iter().filter(|port| port.matches(0)).map(|port| port.label);
    let matching: Vec<u32> = matching.collect();
    let returned: Vec<u32> = switch.eligible(0).map(|port| port.label).collect();
    let is_right = matching == [0, 2] && returned == [0];
    let found = format!("{matching:?} match, {returned:?} returned");
    let claimed = "[0, 2] match, [0] returned";
    vec![Finding::holds(topology.spec(), claimed, found, is_right, Basis::Exhaustive)]
}
