//! A folder with all that OpenSM needs to load a routing, also one that is not destination-based.
//!
//! | file | content |
//! |---|---|
//! | `opensm-lfts.dump` | forwarding tables, for `opensm -R file -U` |
//! | `guid2lid` | the LIDs of every port by its GUID: OpenSM reads it at its start from its cache folder |
//! | `lids.csv` | the LID that every source uses for every destination, if hosts have several |
//! | `network.json` | the network with these LIDs, by which the tables can be read back |
//! | `README.txt` | how to load and check them |
//!
//! ```text
//! source,destination,offset
//! host-0,host-1,0                 host-0 sends to the base LID of host-1
//! host-0,host-9,1                 and to base LID + 1 of host-9
//! ```
//!
//! [`LidTables`] finds the offsets. Hosts are numbers in `lids.csv` where names do not serve. Tables also lead to the
//! LIDs of switches, along shortest paths. A fabric keeps its LIDs if its LMC is large enough.

use std::io::Write;

use super::address::{self, Addresses};
use super::{ExportError, json, lft};
use crate::progress::Progress;
use crate::quote::printable;
use crate::routing::Routing;
use crate::routing::lid_tables::{LidTables, OFFSETS_HEADER};
use crate::topology::{Address, NodeId, Topology, node_number};

/// The remark by which files show who wrote them.
const MARK: &str = "# written by routebound";
const NAME: &str = "opensm";

/// What OpenSM needs to load a routing.
#[derive(Debug)]
pub struct OpensmFiles<'t> {
    topology: &'t Topology,
    routing: String,
    tables: LidTables,
    addresses: Addresses,
    lmc: u8,
}

/// The name of a file and what writes it.
pub type OpensmFile =
    (&'static str, fn(&OpensmFiles<'_>, &mut dyn Write) -> Result<(), ExportError>);

/// Every file of the folder, the page that shows who wrote them last.
pub const FILES: &[OpensmFile] = &[
    ("opensm-lfts.dump", |files, out| files.write_tables(out)),
    ("guid2lid", |files, out| files.write_guids(out)),
    ("lids.csv", |files, out| files.write_lids(out)),
    ("network.json", |files, out| files.write_network(out)),
    ("README.txt", |files, out| files.write_page(out)),
];

impl<'t> OpensmFiles<'t> {
    /// Tables and LIDs of a routing of `topology`. The progress counts [`LidTables::work`].
    ///
    /// # Errors
    /// [`ExportError`] where InfiniBand cannot express the network, the routing has several paths per pair or needs
    /// more LIDs than a port has, or the fabric's port GUIDs are not known although its LIDs change.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::{export::opensm::{FILES, OpensmFiles}, progress::Progress, routing::Instance};
    /// let (topology, routing) = Instance::named("ft(8,2)", "osrm2")?.into_parts();
    /// let files = OpensmFiles::of(&topology, &*routing, &Progress::silent())?;
    /// assert_eq!(files.lmc(), 1);
    /// let (mut guids, (name, write)) = (Vec::new(), FILES[1]);
    /// write(&files, &mut guids)?;
    /// let guids = String::from_utf8(guids)?;
    /// assert!(name == "guid2lid" && guids.starts_with("0x0002c90300000001 0x0002 0x0003\n\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        topology: &'t Topology,
        routing: &dyn Routing,
        progress: &Progress,
    ) -> Result<Self, ExportError> {
        lft::refuse_unfit(topology)?;
        let tables = LidTables::of(topology, routing, progress)?;
        let (addresses, lmc) = address::with_lmc(topology, NAME, tables.lmc())?;
        Ok(Self { topology, routing: routing.spec().into(), tables, addresses, lmc })
    }

    /// The LMC: the least that was found, or that of the fabric if it keeps its LIDs.
    #[must_use]
    pub fn lmc(&self) -> u8 {
        self.lmc
    }

    /// The tables behind the files.
    #[must_use]
    pub fn tables(&self) -> &LidTables {
        &self.tables
    }

    /// Whether `lids.csv` says something: sources use different LIDs of a destination.
    #[must_use]
    pub fn needs_choice(&self) -> bool {
        self.tables.lmc() > 0
    }

    /// The files of this routing: all, or those without `lids.csv`.
    pub fn files(&self) -> impl Iterator<Item = OpensmFile> {
        FILES.iter().copied().filter(move |(name, _)| *name != "lids.csv" || self.needs_choice())
    }

    fn write_tables(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        writeln!(out, "{MARK}")?;
        let topology = self.topology;
        for switch in (topology.hosts()..topology.nodes()).map(node_number) {
            let mut entries = Vec::new();
            for (node, lids) in topology.node_numbers().zip(&self.addresses.lids) {
                for (lid, offset) in lids.clone().zip(0..) {
                    if let Some(link) = self.tables.next(switch, node, offset) {
                        entries.push((lid, topology.link(link).from_port, node));
                    }
                }
            }
            lft::write_entries(topology, &self.addresses, switch, entries, out)?;
        }
        Ok(())
    }

    /// Ports whose GUID is not known keep their LIDs: they are in the cache of the subnet manager that gave them.
    fn write_guids(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        let Addresses { port_guid, lids, .. } = &self.addresses;
        for (guid, lids) in port_guid.iter().zip(lids).filter_map(|(guid, l)| Some(((*guid)?, l))) {
            writeln!(out, "0x{guid:016x} 0x{:04x} 0x{:04x}\n", lids.start, lids.end - 1)?;
        }
        Ok(())
    }

    fn write_lids(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        writeln!(out, "{MARK}")?;
        writeln!(out, "# the LID that a source uses: base LID of the destination + offset")?;
        writeln!(out, "{OFFSETS_HEADER}")?;
        let hosts = self.topology.host_numbers();
        let name = |host: NodeId| self.topology.node(host).name.clone();
        let names: Vec<String> = match self.topology.plain_host_names() {
            Some(names) => names.into_iter().map(String::from).collect(),
            None if self.topology.is_read() => hosts.clone().map(|h| h.to_string()).collect(),
            None => hosts.clone().map(name).collect(),
        };
        for (s, source) in hosts.clone().zip(&names) {
            for (d, destination) in hosts.clone().zip(&names).filter(|(d, _)| *d != s) {
                writeln!(out, "{source},{destination},{}", self.tables.offset(s, d))?;
            }
        }
        Ok(())
    }

    fn write_network(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        json::write_with(self.topology, &|node| self.address(node), out)
    }

    fn address(&self, node: NodeId) -> Option<Address> {
        let Addresses { guid, port_guid, lids, .. } = &self.addresses;
        let (node, lids) = (node as usize, &lids[node as usize]);
        let lmc = u8::try_from(lids.len().ilog2()).ok()?;
        let lid = u16::try_from(lids.start).ok()?;
        Some(Address { guid: guid[node], port_guid: port_guid[node], lid, lmc })
    }

    fn write_page(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        let (topology, lmc) = (self.topology, self.lmc);
        let (spec, routing) = (printable(topology.spec()), printable(&self.routing));
        writeln!(out, "{MARK}\n\n{routing} on {spec}, for OpenSM: LMC {lmc}")?;
        writeln!(out, "\n  {:18}forwarding tables, for `-R file -U`", "opensm-lfts.dump")?;
        writeln!(out, "  {:18}LIDs of all ports, for the cache folder of OpenSM", "guid2lid")?;
        if self.needs_choice() {
            let what = "what each source adds to the base LID of each destination";
            writeln!(out, "  {:18}{what}", "lids.csv")?;
        }
        writeln!(
            out,
            "  {:18}the network with these LIDs, to read the tables back",
            "network.json"
        )?;
        writeln!(
            out,
            "\nLoad the tables, where /var/cache/opensm is the cache folder ($OSM_CACHE_DIR):\n"
        )?;
        writeln!(out, "  cp guid2lid /var/cache/opensm/guid2lid")?;
        writeln!(out, "  opensm -R file -U \"$PWD/opensm-lfts.dump\" -l {lmc}")?;
        let spec = if self.needs_choice() { "lft(lid=lids.csv)" } else { "lft" };
        writeln!(out, "\nCheck what is here, and what the switches hold then:\n")?;
        writeln!(out, "  routebound ratio network.json '{spec}:opensm-lfts.dump'")?;
        writeln!(out, "  ibnetdiscover > fabric.txt && dump_fts > tables.txt")?;
        writeln!(out, "  routebound ratio fabric.txt '{spec}:tables.txt'")?;
        if self.needs_choice() && !self.tables.is_least() {
            writeln!(out, "\nWhether a smaller LMC suffices is not known.")?;
        }
        if !topology.left_out_lids().is_empty() {
            writeln!(
                out,
                "\nPorts that were left out of the network have no entries in these tables."
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
