//! Linear forwarding tables in OpenSM's dump format, which its `file` engine loads.
//!
//! ```text
//! Unicast lids [0-14] of switch Lid 9 guid 0x0002c902000000f1 ('sw-1-0'):
//! 0x0001 001 # Channel Adapter portguid 0x0002c90300000001: 'host-0'
//! 14 lids dumped
//! ```
//!
//! LIDs are hexadecimal in the entries and decimal in the header; the last line has the top
//! LID, not a count. A host with 2^LMC LIDs is reached by the same route at each. Tables route to
//! hosts and to the switch itself; a routing says nothing about paths to other switches.

use std::io::Write;

use super::address::{self, Addresses};
use super::{ExportError, printable};
use crate::advice::Advice;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::routing::Routing;
use crate::routing::forwarding::NextLinks;
use crate::topology::{NodeId, Topology, node_number};

const NAME: &str = "lft";

pub(super) const KIND: Kind<super::RoutedExport> = Kind {
    name: NAME,
    usage: "route TOPOLOGY ROUTING --tables",
    about: "linear forwarding tables of every switch, as OpenSM dumps and loads them",
    reference: "opensm(8), engine file",
    examples: &["dmodk"],
    build: write,
};

fn write(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    refuse_unfit(topology)?;
    let addresses = address::of(topology, NAME)?;
    let next = NextLinks::of(topology, routing, progress)?;
    for switch in topology.hosts()..topology.nodes() {
        write_table(topology, &addresses, &next, node_number(switch), out)?;
    }
    Ok(())
}

/// Refuses networks that forwarding tables of InfiniBand switches cannot route.
pub(super) fn refuse_unfit(topology: &Topology) -> Result<(), ExportError> {
    refuse_merged(topology)?;
    refuse_wide(topology)
}

/// Refuses links that stand for several cables: tables would use only one of them.
fn refuse_merged(topology: &Topology) -> Result<(), ExportError> {
    if !topology.has_merged_cables() {
        return Ok(());
    }
    let problem = "its links stand for several cables each, but an entry names one port";
    Err(ExportError::does_not_fit(NAME, topology, problem).advising(Advice::SEPARATE_CABLES))
}

/// Refuses what InfiniBand LIDs and ports cannot express.
fn refuse_wide(topology: &Topology) -> Result<(), ExportError> {
    let refuse = |problem| Err(ExportError::does_not_fit(NAME, topology, problem));
    let hosts = topology.host_numbers();
    if let Some(host) = hosts.into_iter().find(|host| topology.links_to(*host).nth(1).is_some()) {
        let name = &topology.node(host).name;
        return refuse(format!(
            "{name} has several ports and each port has its own LID; use one-port hosts (w1 = 1)"
        ));
    }
    let ports = || topology.graph().edge_weights().map(|link| link.from_port);
    match ports().find(|port| !(1..=254).contains(port)) {
        Some(port) => refuse(format!("port {port} is outside 1..254, the range of InfiniBand")),
        None => Ok(()),
    }
}

fn write_table(
    topology: &Topology,
    addresses: &Addresses,
    next: &NextLinks,
    switch: NodeId,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let mut entries = Vec::new();
    for host in topology.host_numbers() {
        if let Some(link) = next.get(switch, host) {
            let port = topology.link(link).from_port;
            let lids = addresses.lids[host as usize].clone();
            entries.extend(lids.map(|lid| (lid, port, host)));
        }
    }
    write_entries(topology, addresses, switch, entries, out)
}

/// Writes the table of a switch with entries (LID, port, node), to which its own is added.
pub(super) fn write_entries(
    topology: &Topology,
    addresses: &Addresses,
    switch: NodeId,
    mut entries: Vec<(u32, u32, NodeId)>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let top = addresses.lids.iter().map(|lids| lids.end - 1).max().unwrap_or(0);
    let own = addresses.lids[switch as usize].start;
    let (guid, name) = (addresses.guid[switch as usize], &topology.node(switch).name);
    let name = printable(name);
    writeln!(out, "Unicast lids [0-{top}] of switch Lid {own} guid 0x{guid:016x} ('{name}'):")?;
    entries.push((own, 0, switch));
    entries.sort_unstable();
    for (lid, port, node) in entries {
        writeln!(out, "0x{lid:04x} {port:03} # {}", target(topology, addresses, node))?;
    }
    writeln!(out, "{top} lids dumped")?;
    Ok(())
}

/// The comment of an entry. OpenSM moves an entry to the current LID of the port GUID in its
/// comment, so the comment has a GUID only if that is known.
fn target(topology: &Topology, addresses: &Addresses, node: NodeId) -> String {
    let name = printable(&topology.node(node).name);
    let kind = if (node as usize) < topology.hosts() { "Channel Adapter" } else { "Switch" };
    match addresses.port_guid[node as usize] {
        Some(guid) => format!("{kind} portguid 0x{guid:016x}: '{name}'"),
        None => format!("'{name}'"),
    }
}

#[cfg(test)]
mod tests {

    use super::super::address::tests::addressed;
    use super::super::tests::routed;
    use super::*;
    use crate::routing::Instance;
    use crate::routing::forwarding::ForwardingError;
    use crate::topology::{Host, generate};

    #[test]
    fn a_single_switch() {
        let text = routed(NAME, &Instance::named("xgft(1;2;1)", "dmodk").unwrap()).unwrap();
        let expected = "\
Unicast lids [0-3] of switch Lid 3 guid 0x0002c902000000f1 ('sw-1-0'):
0x0001 001 # Channel Adapter portguid 0x0002c90300000001: 'host-0'
0x0002 002 # Channel Adapter portguid 0x0002c90300000101: 'host-1'
0x0003 000 # Switch portguid 0x0002c902000000f1: 'sw-1-0'
3 lids dumped
";
        assert_eq!(text, expected);
    }

    /// Routes to host d via the only switch of `ft(4,1)`.
    struct OneSwitch;
    impl Routing for OneSwitch {
        fn spec(&self) -> &'static str {
            "one-switch"
        }
        fn for_each_path(
            &self,
            s: Host,
            d: Host,
            _: &mut Vec<u32>,
            visit: &mut dyn FnMut(&crate::rational::Rational, &[u32]),
        ) {
            visit(&crate::rational::Rational::ONE, &[s, 4 + d]);
        }
    }

    #[test]
    fn a_fabric_keeps_all_its_lids() {
        let topology = addressed([(4, 1), (8, 0), (12, 0), (16, 0), (2, 0)]);
        let mut text = Vec::new();
        write(&topology, &OneSwitch, &Progress::silent(), &mut text).unwrap();
        let expected = "\
Unicast lids [0-16] of switch Lid 2 guid 0x0000000000000102 ('sw-1-0'):
0x0002 000 # 'sw-1-0'
0x0004 001 # 'host-0'
0x0005 001 # 'host-0'
0x0008 002 # 'host-1'
0x000c 003 # 'host-2'
0x0010 004 # 'host-3'
16 lids dumped
";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn refuses_what_has_no_tables() {
        let error = routed(NAME, &Instance::named("ft(4,2)", "smodk").unwrap()).unwrap_err();
        assert!(matches!(error, ExportError::Forwarding(ForwardingError::Conflict { .. })));
        let instance = Instance::named("xgft(2;2,3;2,2)", "dmodk").unwrap();
        let error = routed(NAME, &instance).unwrap_err();
        assert!(error.to_string().contains("host-0 has several ports"), "{error}");
        let wide = Instance::named("xgft(1;255;1)", "dmodk").unwrap();
        let error = routed(NAME, &wide).unwrap_err();
        assert!(error.to_string().contains("port 255 is outside"), "{error}");
        assert!(generate("xgft(1;254;1)").is_ok_and(|fits| refuse_wide(&fits).is_ok()));
    }
}
