//! \[GO\] 3 and 4.1: what routing by registers alone amounts to.

use std::collections::BTreeSet;

use super::is_deterministic;
use crate::simulation::registers::{
    Interpreter, Interval, MAX_FITTED_HOSTS, Masks, Registers, Row, Scheme, SwitchRegisters,
    adaptive, deterministic, fitted,
};
use crate::theorem::prelude::*;

pub(super) const ADAPTIVE: Statement = Statement::new("go-adaptive", "[GO] 3, 3.1")
    .about("By the intervals a packet may take every minimal path and no other: any ascending link up to a \
            nearest common ancestor, then a single path")
    .hypothesis("k-ary n-trees, all pairs; minimal paths as ecmp has them")
    .quote("each switch can select any of its up output ports. ... the packet is turned around and sent downwards to its destination and just a single path is available ... This routing algorithm can be easily implemented using Interval Routing (IR)")
    .instances(
        |tree| kary(tree).is_some(),
        |routing| is_kind(routing, "ecmp"),
        |instance, scope| compare(instance, scope, &adaptive(&instance.topology)?),
    )
    .planted(Planted::RoutedAs("kary(2,3)", &["ecmp"], "dmodk"));

pub(super) const FLEXIBLE: Statement = Statement::new("go-fir", "[GO] 4.1, Figure 4")
    .about("By the registers of Figure 4 every packet takes the path of the deterministic routing")
    .hypothesis("D-mod-k on k-ary n-trees, k a power of 2, all pairs")
    .quote("the proposed deterministic routing strategy for fat-trees can be easily implemented using the Flexible Interval Routing (FIR) ... At each switch, the ascending link to use is obtained from the packet destination component corresponding to the stage at which the switch is located.")
    .instances(
        |tree| kary(tree).is_some_and(|(k, _)| k.is_power_of_two()),
        is_deterministic,
        |instance, scope| compare(instance, scope, &deterministic(&instance.topology)?),
    )
    .planted(Planted::FirstPorts("kary(2,3)"));

pub(super) const FLEXIBLE_ADAPTIVE: Statement = Statement::new("go-fir-adaptive", "[GO] 4.1")
    .about("By FI, LI, MR and RRR, with FI and LI as in 3.1, every MR all 1s and every RRR all 0s, a packet may take every minimal path and no other")
    .hypothesis("k-ary n-trees, any k, all pairs; FI and LI from the printed formulas, minimal paths as ecmp has them")
    .quote("Notice that the adaptive routing algorithm described in section 3 can be also implemented with FIR, since IR is a subset of FIR.")
    .instances(
        |tree| kary(tree).is_some(),
        |routing| is_kind(routing, "ecmp"),
        |instance, scope| compare(instance, scope, &printed(&instance.topology)?),
    )
    // An MR that selects the last component alone, as at stage 0 of the deterministic routing.
    .planted(Planted::Instance("kary(2,3)", |instance, scope| {
        let mut registers = printed(&instance.topology)?;
        let ports = registers.switches.iter_mut().flat_map(|switch| &mut switch.ports);
        ports.filter(|port| port.label >= 2).for_each(|port| port.rows[0].mask = 1);
        compare(instance, scope, &registers)
    }));

/// The registers of FIR with the intervals of 3.1: FI_desc = ⟨o_{n−2},…,o_s,L,0…0⟩ and LI_desc with k−1 in place of
/// 0, FI_asc = (LI of link k−1 + 1) mod k^n, LI_asc = (FI of link 0 − 1 + k^n) mod k^n.
fn printed(topology: &Topology) -> Result<Registers> {
    let mut registers = Registers { scheme: Scheme::Flexible, ..adaptive(topology)? };
    let (k, nodes) = (registers.arity, index32(registers.addresses.len()));
    let mask = (1 << registers.address_bits()) - 1;
    for SwitchRegisters { switch, ports, .. } in &mut registers.switches {
        let components = k.pow(switch.stage);
        // o_{n−2},…,o_s are the digits of o from s on.
        let first = |l: u32| (switch.place / components * k + l) * components;
        let last = |l: u32| first(l) + (components - 1);
        for port in ports {
            let (first, last) = if port.label < k {
                (first(port.label), last(port.label))
            } else {
                ((last(k - 1) + 1) % nodes, (first(0) + nodes - 1) % nodes)
            };
            port.rows = vec![Row { interval: Interval { first, last }, mask }];
            port.restrictions = 0;
        }
    }
    Ok(registers)
}

pub(super) const OTHER_ARITY: Statement = Statement::new("go-fir-other-k", "[GO] 4.1, Figure 4")
    .about("Where k is not a power of 2, no FI, LI, MR and RRR of the output ports route as the \
            deterministic routing does")
    .hypothesis("D-mod-k on k-ary n-trees, n >= 2, up to 64 hosts; destinations as binary numbers; any \
                     masks, intervals and preferences")
    .ours()
    .quote("the MRs will have as many bits set to 1 as the bits needed to represent a component in the destination address, that is log(k)")
    .instances(
        |tree| {
            let is_meant = |(k, n): (u32, u32)| !k.is_power_of_two() && n >= 2;
            kary(tree).is_some_and(is_meant) && tree.hosts() as u64 <= MAX_FITTED_HOSTS
        },
        is_deterministic,
        not_held,
    )
    .planted(Planted::Check(|scope| {
        let instance = Instance::named("kary(4,2)", "dmodk")?;
        not_held(&instance, scope)
    }));

type Paths = BTreeSet<Vec<LinkId>>;

/// Whether packets by these registers take the paths of the instance, all of them.
fn compare(instance: &Instance, scope: &Scope, registers: &Registers) -> Findings {
    let Instance { topology, routing, .. } = instance;
    let interpreter = Interpreter::new(topology, registers);
    let (mut wrong, mut count, mut links) = (None, 0, Vec::new());
    for (s, d) in sd_pairs(topology.hosts()) {
        scope.progress.check()?;
        let (mut taken, mut known) = (Paths::new(), Paths::new());
        let sent = interpreter.for_each_path(s, d, &mut |path| {
            taken.insert(path.to_vec());
        });
        routing.for_each_path(s, d, &mut links, &mut |_, path| {
            known.insert(path.to_vec());
        });
        count += taken.len();
        if sent.is_err() || taken != known {
            wrong = wrong.or(Some((s, d, taken.len(), known.len())));
        }
    }
    let wrong = wrong.map(|(s, d, taken, known)| {
        format!("from {s} to {d} {taken} paths, and {known} of the routing")
    });
    let case = oblivious::case(instance);
    let found = format!("the same {count} paths");
    Ok(vec![Finding::unless(case, "the same paths", found, wrong, Basis::Exhaustive)])
}

/// Whether the fewest rows are more than one per port.
fn not_held(instance: &Instance, scope: &Scope) -> Findings {
    let Instance { topology, routing, .. } = instance;
    let fitted = fitted(topology, &**routing, Masks::Any, scope.progress)?;
    let (rows, ports) = (fitted.total(), fitted.ports());
    let found = format!("{rows} rows for {ports} ports");
    let claimed = "more rows than ports";
    let case = oblivious::case(instance);
    if rows.lower <= ports && rows.upper > ports {
        let open = Outcome::Open("the least number of rows is not known".into());
        return Ok(vec![Finding::new(case, claimed, found, open, Basis::Exhaustive)]);
    }
    Ok(vec![Finding::holds(case, claimed, found, rows.lower > ports, Basis::Exhaustive)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where k is a power of 2 the statement about others fails.
    #[test]
    fn powers_of_two_are_held() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let found = not_held(&Instance::named("kary(2,3)", "dmodk").unwrap(), &scope).unwrap();
        assert!(found[0].fails());
    }
}
