//! Registers for any routing by destination, where there are any.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::cover::Set;
use super::fewest::{PortRows, Ports};
use super::fir::deterministic;
use super::interval::{adaptive, ports};
use super::{KaryTree, Masks, PortRegisters, Registers, RegistersError, Rows, Scheme, Switch};
use crate::prelude::*;
use crate::routing::forwarding::NextLinks;
use crate::routing::{Routing, built_from};

/// Maximum number of hosts of a tree whose rows are counted.
pub const MAX_FITTED_HOSTS: u64 = 64;

/// Registers of a routing, with several rows per port where one does not suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// Registers that route as the routing does. Ports that it does not use have none.
    pub registers: Registers,
    /// Rows that each switch needs, by ascending number.
    pub rows: Vec<Rows>,
}

impl Fitted {
    /// Number of ports in use.
    #[must_use]
    pub fn ports(&self) -> usize {
        self.registers.switches.iter().map(|switch| switch.ports.len()).sum()
    }

    /// The rows of all switches together.
    #[must_use]
    pub fn total(&self) -> Rows {
        self.rows.iter().fold(Rows::default(), |all, rows| all.plus(*rows))
    }

    /// Maximum number of rows of a port of [`Self::registers`].
    #[must_use]
    pub fn most_per_port(&self) -> usize {
        let ports = self.registers.switches.iter().flat_map(|switch| &switch.ports);
        ports.map(|port| port.rows.len()).max().unwrap_or(0)
    }

    /// The registers if each port has one row, as in FIR.
    ///
    /// # Errors
    /// [`RegistersError::TooFewRows`] with the first switch that needs more,
    /// [`RegistersError::Undecided`] where the bounds leave that open.
    pub fn held(
        self,
        topology: &Topology,
        routing: &dyn Routing,
    ) -> Result<Registers, RegistersError> {
        let switches = || self.registers.switches.iter().zip(&self.rows);
        let needs_more = switches().find(|(of, rows)| rows.lower > of.ports.len());
        let has_more = switches().find(|(of, rows)| rows.upper > of.ports.len());
        let Some((switch, rows)) = needs_more.or(has_more) else {
            return Ok(self.registers);
        };
        let (routing, rows, ports) = (routing.spec().to_string(), *rows, switch.ports.len());
        let node = topology.node(switch.node).name.clone();
        Err(if rows.lower > ports {
            RegistersError::TooFewRows { routing, node, rows, ports }
        } else {
            RegistersError::Undecided { routing, node, rows, ports }
        })
    }
}

/// Registers with the fewest rows for a single-path routing of a k-ary n-tree, for any k: only the
/// traffic that passes a switch must be distinguished there. With masks of any bits this decides
/// whether FIR holds the routing ([`Fitted::held`]). Exact, unless [`Rows`] are bounds: a search per port
/// and choice of preferences, exponential in the number of rows. `progress` is polled.
///
/// # Errors
/// [`RegistersError`]: no k-ary n-tree, more than [`MAX_FITTED_HOSTS`] hosts, several paths per pair,
/// paths that depend on the source (with a pair that shows it), or a stop.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::progress::Progress;
/// use routebound::routing::Instance;
/// use routebound::simulation::registers::{Masks, fitted};
/// let (tree, dmodk) = Instance::named("kary(2,3)", "dmodk")?.into_parts();
/// let progress = Progress::silent();
/// let found = fitted(&tree, &*dmodk, Masks::Any, &progress)?;
/// assert_eq!((found.ports(), found.total().to_string()), (40, "40".to_string()));
/// let (tree, smodk) = Instance::named("kary(2,3)", "smodk")?.into_parts();
/// let refused = fitted(&tree, &*smodk, Masks::Any, &progress).unwrap_err();
/// assert!(refused.to_string().contains("registers know only the destination"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fitted(
    topology: &Topology,
    routing: &dyn Routing,
    masks: Masks,
    progress: &Progress,
) -> Result<Fitted, RegistersError> {
    let tree = KaryTree::of(topology)?;
    if !routing.is_single_path() {
        return Err(RegistersError::ManyPaths(routing.spec().to_string()));
    }
    let hosts = Some(topology.hosts() as u128);
    let remedy = "choose a smaller tree, or dmodk, whose registers follow from rules";
    within("number of hosts of a tree whose rows are searched", hosts, MAX_FITTED_HOSTS, remedy)?;
    let next = NextLinks::of(topology, routing, progress)?;
    let mut all = Vec::new();
    let registers = Registers::of(tree, Scheme::Flexible, |switch| {
        let used = used(tree, &next, switch);
        let destinations: Vec<Set> = used.iter().map(|(_, _, set)| *set).collect();
        let hosts = index32(topology.hosts());
        let (rows, found) = Ports::new(hosts, masks, &destinations, progress).fewest()?;
        all.push(rows);
        Ok(registers(&used, found))
    })?;
    Ok(Fitted { registers, rows: all })
}

/// The registers of \[GO\] for a routing: IR for `ecmp`, which takes all shortest paths, FIR for
/// `dmodk`, and FIR for others where one row per port suffices. O(ports) for these two, as
/// [`fitted()`] for others.
///
/// # Errors
/// [`RegistersError`].
pub fn registers_of(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<Registers, RegistersError> {
    // The intervals of `ecmp` are those of all shortest paths by hops.
    let built = built_from(routing).filter(|_| !routing.has_detours()).map(|spec| spec.name);
    match built.as_deref() {
        Some("ecmp") => adaptive(topology),
        Some("dmodk") => deterministic(topology),
        _ => fitted(topology, routing, Masks::Any, progress)?.held(topology, routing),
    }
}

/// A port with the destinations that leave by it.
type Used = (u32, LinkId, Set);

/// The ports of a switch that some traffic leaves by.
fn used(tree: KaryTree<'_>, next: &NextLinks, switch: Switch) -> Vec<Used> {
    let mut sets: BTreeMap<LinkId, Set> = BTreeMap::new();
    for (node, host) in tree.node(switch).into_iter().cartesian_product(tree.hosts()) {
        if let Some(link) = next.get(node, host) {
            *sets.entry(link).or_default() |= 1 << tree.address(host);
        }
    }
    ports(tree, switch).filter_map(|(label, link)| Some((label, link, *sets.get(&link)?))).collect()
}

fn registers(used: &[Used], found: Vec<PortRows>) -> Vec<PortRegisters> {
    let labels = |yields: u64| {
        let to = used.iter().enumerate().filter(|(at, _)| yields >> at & 1 == 1);
        to.fold(0, |bits: u128, (_, (label, ..))| bits | 1 << label)
    };
    let port = |((label, link, _), (rows, yields)): (&Used, PortRows)| PortRegisters {
        label: *label,
        link: *link,
        rows,
        restrictions: labels(yields),
    };
    used.iter().zip(found).map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::Instance;
    use crate::simulation::registers::Interpreter;
    use crate::topology::sd_pairs;

    fn fit(network: &str, routing: &str, masks: Masks) -> Result<Fitted, RegistersError> {
        let instance = Instance::named(network, routing).unwrap();
        fitted(&instance.topology, &*instance.routing, masks, &Progress::silent())
    }

    /// Whatever the rows, packets take the paths of the routing.
    #[test]
    fn registers_route_as_the_routing_does() {
        let cases = ["dmodk", "rnca-d(seed=1)", "rnca-d(seed=2)"];
        for network in
            ["kary(2,3)", "kary(3,2)", "kary(3,3)", "kary(2,4)", "kary(4,2)", "kary(8,2)"]
        {
            for (routing, masks) in cases.iter().flat_map(|r| [(r, Masks::Any), (r, Masks::Full)]) {
                let instance = Instance::named(network, routing).unwrap();
                let found = fit(network, routing, masks).unwrap();
                let interpreter = Interpreter::new(&instance.topology, &found.registers);
                for (s, d) in sd_pairs(instance.topology.hosts()) {
                    let (mut taken, mut known) = (Vec::new(), Vec::new());
                    interpreter.for_each_path(s, d, &mut |path| taken.push(path.to_vec())).unwrap();
                    let links = &mut Vec::new();
                    instance.routing.for_each_path(s, d, links, &mut |_, p| known.push(p.to_vec()));
                    assert_eq!(taken, known, "{network} {routing} {masks:?} {s} {d}");
                }
            }
        }
    }

    /// [GO] 4.1: one row per port holds D-mod-k where k is a power of 2. For k = 3 ports of the
    /// first stage need several.
    #[test]
    fn d_mod_k_is_held_by_powers_of_two() {
        for network in
            ["kary(2,2)", "kary(2,3)", "kary(2,4)", "kary(4,2)", "kary(4,3)", "kary(8,2)"]
        {
            let found = fit(network, "dmodk", Masks::Any).unwrap();
            assert_eq!(found.total(), Rows { lower: found.ports(), upper: found.ports() });
        }
        let instance = Instance::named("kary(3,2)", "dmodk").unwrap();
        let found = fit("kary(3,2)", "dmodk", Masks::Any).unwrap();
        assert!(found.total().lower > found.ports());
        let refused = found.held(&instance.topology, &*instance.routing).unwrap_err().to_string();
        assert!(refused.starts_with("routing `dmodk` needs more registers than FIR has: sw-1-"));
    }

    #[test]
    fn what_registers_cannot_hold_is_refused() {
        let refused = |network, routing| fit(network, routing, Masks::Any).unwrap_err().to_string();
        // Host 2 has an even number and host 3 an odd one, and both are at one switch.
        let at = "at sw-1-1, traffic to host 0 leaves by sw-1-1[3] -> sw-2-0[2] from host 2 and by";
        assert!(refused("kary(2,3)", "smodk").contains(at), "{}", refused("kary(2,3)", "smodk"));
        assert!(refused("kary(2,3)", "ecmp").contains("routing `ecmp` has several per pair"));
        assert!(refused("ft(4,2)", "dmodk").contains("`ft(4,2)` is not a k-ary n-tree"));
        assert!(refused("kary(2,7)", "dmodk").contains("is 128, above the limit of 64"));
    }
}
