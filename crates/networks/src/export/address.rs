//! InfiniBand addresses of nodes: those of the fabric, or suitably chosen ones.
//!
//! OpenSM assigns LIDs in the order of byte-swapped GUIDs. The GUIDs of a generated network
//! ([`Topology::guids`]) are chosen so that this order is the natural one: host i gets LID i+1,
//! then come the switches, lowest level first. So forwarding tables written without a subnet
//! manager use the LIDs that OpenSM will assign.

use std::ops::Range;

use crate::advice::Advice;
use crate::integer::index32;
use crate::limit::within;
use crate::quote::quote;
use crate::topology::{Address, NodeId, Topology};

use super::ExportError;

const REMEDY: &str = "export a smaller network";

/// GUIDs and LIDs of all nodes.
#[derive(Debug)]
pub(super) struct Addresses {
    /// Node GUIDs.
    pub guid: Vec<u64>,
    /// GUIDs of ports that have LIDs, where they are known.
    pub port_guid: Vec<Option<u64>>,
    /// LIDs: one for a switch, 2^LMC for a host.
    pub lids: Vec<Range<u32>>,
    /// Whether they come from a fabric.
    pub imported: bool,
}

/// The addresses of a network: its own if every node has a GUID and a LID, else chosen ones.
/// Two nodes with the same address are refused, with an error that names `format`.
pub(super) fn of(topology: &Topology, format: &'static str) -> Result<Addresses, ExportError> {
    let guid = guids(topology, format)?;
    let own: Vec<Option<Range<u32>>> = topology.graph().node_weights().map(own_lids).collect();
    let own: Option<Vec<Range<u32>>> = own.into_iter().collect();
    let imported = own.is_some();
    let lids = match own {
        Some(lids) => lids,
        None => natural_lids(topology)?,
    };
    refuse_shared(topology, format, "LIDs", lids.iter().map(|l| (l.start.into(), l.end.into())))?;
    let port_guid = port_guids(topology, &guid, imported);
    Ok(Addresses { guid, port_guid, lids, imported })
}

/// Like [`of`] with 2^LMC LIDs for every host: those of the fabric if all its hosts have an LMC that is at least `lmc`,
/// and the same one, else new ones in the order of the hosts. Also returns the LMC.
pub(super) fn with_lmc(
    topology: &Topology,
    format: &'static str,
    lmc: u8,
) -> Result<(Addresses, u8), ExportError> {
    let mut addresses = of(topology, format)?;
    let (hosts, nodes) = (topology.hosts(), topology.nodes());
    if let Some(own) = common_lmc(&addresses.lids[..hosts]).filter(|own| *own >= lmc)
        && addresses.imported
    {
        return Ok((addresses, own));
    }
    let unknown =
        topology.node_numbers().find(|node| addresses.port_guid[*node as usize].is_none());
    if let Some(node) = unknown {
        let advice = Advice::from("give the output of ibnetdiscover");
        let name = quote(&topology.node(node).name);
        let problem = format!(
            "its LIDs change, as hosts get LMC {lmc}, but the GUID of the port of `{name}` is not known"
        );
        return Err(ExportError::does_not_fit(format, topology, problem).advising(advice));
    }
    let last = ((hosts + 1) << lmc) + (nodes - hosts) - 1;
    within("last LID", Some(last as u128), Address::MAX_LID.into(), REMEDY)?;
    let of_host = |host: u32| (host + 1) << lmc..(host + 2) << lmc;
    let first = (index32(hosts) + 1) << lmc;
    let of_switches = (first..first + index32(nodes - hosts)).map(|lid| lid..lid + 1);
    addresses.lids = topology.host_numbers().map(of_host).chain(of_switches).collect();
    Ok((addresses, lmc))
}

/// The LMC of all hosts, if it is the same and their LIDs begin at multiples of 2^LMC.
fn common_lmc(hosts: &[Range<u32>]) -> Option<u8> {
    let count = hosts.first()?.len();
    let fits =
        |lids: &Range<u32>| lids.len() == count && (lids.start as usize).is_multiple_of(count);
    hosts.iter().all(fits).then(|| u8::try_from(count.ilog2()).ok())?
}

/// The GUIDs of ports: ibsim gives a host's port the node GUID plus the port number.
fn port_guids(topology: &Topology, guid: &[u64], imported: bool) -> Vec<Option<u64>> {
    let port = |node: NodeId| {
        let known = topology.node(node).address.and_then(|address| address.port_guid);
        if known.is_some() || imported {
            return known;
        }
        let own = guid[node as usize];
        if node as usize >= topology.hosts() {
            return Some(own);
        }
        let port = topology.links_from(node).next().map(|link| topology.link(link).from_port);
        own.checked_add(port.unwrap_or(1).into())
    };
    topology.node_numbers().map(port).collect()
}

/// Only the GUIDs, for formats without LIDs.
pub(super) fn guids(topology: &Topology, format: &'static str) -> Result<Vec<u64>, ExportError> {
    let guids = topology.guids()?;
    refuse_shared(
        topology,
        format,
        "GUIDs",
        guids.iter().map(|guid| (*guid).into()).map(|guid: u128| (guid, guid + 1)),
    )?;
    Ok(guids)
}

fn own_lids(node: &crate::topology::Node) -> Option<Range<u32>> {
    let lids = node.address?.lids().filter(|lids| !lids.is_empty())?;
    Some(lids.start.into()..lids.end.into())
}

fn natural_lids(topology: &Topology) -> Result<Vec<Range<u32>>, ExportError> {
    let nodes = topology.nodes();
    let most = Address::MAX_LID.into();
    within("number of LIDs (hosts and switches)", Some(nodes as u128), most, REMEDY)?;
    Ok((1..=index32(nodes)).map(|lid| lid..lid + 1).collect())
}

/// Refuses overlapping address ranges, naming two of the nodes.
fn refuse_shared(
    topology: &Topology,
    format: &'static str,
    what: &str,
    ranges: impl Iterator<Item = (u128, u128)>,
) -> Result<(), ExportError> {
    let mut sorted: Vec<(u128, u128, NodeId)> =
        ranges.zip(0..).map(|((start, end), node)| (start, end, node)).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        None => Ok(()),
        Some(pair) => {
            let names = [pair[0].2, pair[1].2].map(|node| &topology.node(node).name);
            let problem = format!("{} and {} have the same {what}", names[0], names[1]);
            Err(ExportError::does_not_fit(format, topology, problem))
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::topology::generate;

    /// `ft(4,1)`, four hosts under one switch, with the given base LID and LMC per node.
    pub(in super::super) fn addressed(lids: [(u16, u8); 5]) -> Topology {
        let mut graph = generate("ft(4,1)").unwrap().graph().clone();
        for (node, (lid, lmc)) in graph.node_weights_mut().zip(lids) {
            node.address =
                Some(Address { guid: 0x100 + u64::from(lid), port_guid: None, lid, lmc });
        }
        Topology::new("a fabric".into(), graph).unwrap()
    }

    #[test]
    fn chosen_guids_sort_naturally_by_swapped_bytes() {
        let topology = generate("kary(2,10)").unwrap();
        let guids = guids(&topology, "ibsim").unwrap();
        assert!(guids.is_sorted_by(|a, b| a.swap_bytes() < b.swap_bytes()));
        // Host 300 = 256 + 44: low bytes 0x2c, then twice 1.
        assert_eq!(guids[300], 0x0002_c903_0000_2c02);
        assert_eq!(guids[1024], 0x0002_c902_0000_00f1);
    }

    #[test]
    fn a_fabric_keeps_its_addresses() {
        let lids = [(4, 2), (8, 2), (12, 2), (16, 2), (20, 0)];
        let addresses = of(&addressed(lids), "lft").unwrap();
        assert!(addresses.imported);
        assert_eq!(addresses.lids, [4..8, 8..12, 12..16, 16..20, 20..21]);
        assert_eq!(addresses.guid[1], 0x108);
    }

    /// The end of a range of one GUID is a number beyond all GUIDs here.
    #[test]
    fn the_largest_guid_is_one() {
        let with_greatest = |nodes: &[usize]| {
            let mut graph = addressed([1, 2, 3, 4, 5].map(|lid| (lid, 0))).graph().clone();
            for node in nodes {
                let node = &mut graph[petgraph::graph::NodeIndex::new(*node)];
                node.address = Some(Address { guid: u64::MAX, port_guid: None, lid: 0, lmc: 0 });
            }
            guids(&Topology::new("a fabric".into(), graph).unwrap(), "ibsim")
        };
        assert_eq!(with_greatest(&[2]).unwrap()[2], u64::MAX);
        let error = with_greatest(&[1, 2]).unwrap_err().to_string();
        assert!(error.contains("host-1 and host-2 have the same GUIDs"), "{error}");
    }

    #[test]
    fn refuses_shared_and_too_many_addresses() {
        let error = of(&addressed([(4, 2), (6, 0), (12, 0), (16, 0), (20, 0)]), "lft").err();
        assert!(error.unwrap().to_string().contains("host-0 and host-1 have the same LIDs"));
        let large = generate("xgft(1;40000;1)").unwrap();
        assert!(matches!(of(&large, "lft"), Err(ExportError::TooLarge(_))));
        let many_switches = generate("kary(2,14)").unwrap();
        assert!(matches!(of(&many_switches, "lft"), Err(ExportError::TooLarge(_))));
    }
}
