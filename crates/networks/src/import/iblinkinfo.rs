//! The output of `iblinkinfo` (infiniband-diags), also that of `iblinkinfo --line`.
//!
//! ```text
//! CA: host-1 HCA-1:
//!       0xe41d2d0300309251      8    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>      22    1[  ] "leaf" ( )
//! Switch: 0x0002c902000300f1 leaf:
//!           22    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>       8    1[  ] "host-1 HCA-1" ( )
//!           22    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//! ```
//!
//! That is: LID, port, width and signalling rate of a lane, and LID, port and name of the other end.
//! With `--line` every line begins with GUID and name instead, and the GUID of the other end is
//! given too. Ends are matched by LID and port, so the subnet manager must have assigned LIDs; the
//! LMC is not shown and is taken as 0, and of adapters the GUID is that of the port.
//!
//! `--line` does not tell switches from adapters: a LID with several ports is a switch, because
//! every port of an adapter has a LID of its own. With `--switches-only`, and in versions that show
//! switches only, hosts are known from their switches; a note says so. If any adapter is listed,
//! all must be.

use std::collections::{BTreeMap, HashMap, HashSet};

use winnow::ascii::{dec_uint, hex_uint, space0, space1};
use winnow::combinator::{delimited, opt, preceded, terminated};
use winnow::token::{rest, take_until};
use winnow::{ModalResult, Parser};

use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "iblinkinfo",
    usage: "iblinkinfo output",
    about: "InfiniBand fabric, the links of one node after the other, or one line per link",
    reference: "iblinkinfo(8)",
    examples: &[
        "instances/fabrics/ft8x2/formats/iblinkinfo.out",
        "instances/fabrics/ft8x2/formats/iblinkinfo-line.out",
    ],
    build: Importer { detect, read },
};

const EXPECTED: &str = "`Switch: 0x… name:`, `CA: name:`, or a port such as `22 1[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 8 1[  ] \"name\" ( )`";

/// Signalling rates of a lane in Gbit/s, as iblinkinfo writes them.
const RATES: &[(&str, &str)] = &[
    ("10.0 Gbps (FDR10)", "FDR10"),
    ("2.5 Gbps", "SDR"),
    ("5.0 Gbps", "DDR"),
    ("10.0 Gbps", "QDR"),
    ("14.0625 Gbps", "FDR"),
    ("25.78125 Gbps", "EDR"),
    ("53.125 Gbps", "HDR"),
    ("106.25 Gbps", "NDR"),
    ("212.5 Gbps", "XDR"),
];

fn detect(head: &str) -> bool {
    head.lines().any(|line| line.contains("==(") && line.contains(")==>"))
}

/// What a line says of the node of a port: its GUID and its name.
type Named = (u64, String);

/// A port and what lies behind it.
struct PortLine {
    /// GUID and name of the port's node, if the line gives them.
    own: (Option<u64>, Option<String>),
    lid: u32,
    port: u32,
    speed: String,
    peer: Option<Peer>,
}

struct Peer {
    guid: Option<u64>,
    lid: u32,
    port: u32,
    name: String,
}

enum Line {
    Nothing,
    Switch(Named),
    Adapter(String),
    Port(Box<PortLine>),
}

/// A node as collected from its lines.
struct Node {
    /// Whether a header says that it is a switch; unknown with `--line`.
    switch: Option<bool>,
    guid: Option<u64>,
    name: String,
    line: u64,
    /// Its ports, also those without a cable.
    ports: BTreeMap<u32, (u64, String, Option<Peer>)>,
}

/// Nodes by LID, in the order of the file.
struct Listing {
    fabric: Fabric,
    nodes: Vec<(u32, Node)>,
    index: HashMap<u32, usize>,
}

fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let fabric = Fabric::new(text.path());
    let mut listing = Listing { fabric, nodes: Vec::new(), index: HashMap::new() };
    // The header above: whether it is a switch, its GUID and its name.
    let mut header: Option<(bool, Option<u64>, String)> = None;
    while let Some(line) = text.next_line()? {
        match parse(line).map_err(|problem| text.fail(problem))? {
            Line::Nothing => {}
            Line::Switch((guid, name)) => header = Some((true, Some(guid), name)),
            Line::Adapter(name) => header = Some((false, None, name)),
            Line::Port(port) => listing.take(*port, header.as_ref(), text.line())?,
        }
    }
    assemble::discovered(listing.into_fabric()?, options)
}

impl Listing {
    fn take(
        &mut self,
        line: PortLine,
        header: Option<&(bool, Option<u64>, String)>,
        number: u64,
    ) -> Result<()> {
        let fail = |fabric: &Fabric, problem| Err(fabric.error(number, problem));
        let (switch, guid, name) = match (header, line.own) {
            // With `--line` there are no headers.
            (None, (guid, Some(name))) => (None, guid, name),
            (Some((switch, guid, name)), (own, None)) => {
                (Some(*switch), guid.or(own), name.clone())
            }
            _ => {
                let expected = "`Switch: 0x… name:` or `CA: name:` before the ports of a node";
                return fail(&self.fabric, Problem::syntax("a port", expected));
            }
        };
        // An end port without a cable is not a host.
        if line.lid == 0 && line.peer.is_none() {
            return Ok(());
        }
        if line.lid == 0 || line.peer.as_ref().is_some_and(|peer| peer.lid == 0) {
            return fail(&self.fabric, Problem::NoLid);
        }
        self.fabric.count_entry()?;
        let at = *self.index.entry(line.lid).or_insert_with(|| {
            let node = Node { switch, guid, name, line: number, ports: BTreeMap::new() };
            self.nodes.push((line.lid, node));
            self.nodes.len() - 1
        });
        let port = (number, line.speed, line.peer);
        match self.nodes[at].1.ports.insert(line.port, port) {
            None => Ok(()),
            Some((first, ..)) => {
                let node = id(line.lid);
                fail(
                    &self.fabric,
                    Problem::DuplicatePort { node: node.into(), port: line.port, first },
                )
            }
        }
    }

    fn into_fabric(mut self) -> Result<Fabric> {
        let is_switch = |node: &Node| node.switch.unwrap_or(node.ports.len() > 1);
        if self.nodes.iter().all(|(_, node)| is_switch(node)) {
            self.add_hosts_behind_switches();
        }
        let Self { mut fabric, nodes, .. } = self;
        for (lid, node) in nodes {
            let switch = is_switch(&node);
            let lids = Lids::new(lid, 0).map_err(|problem| fabric.error(node.line, problem))?;
            if !switch && node.ports.values().all(|(_, _, peer)| peer.is_none()) {
                continue;
            }
            let at = fabric.add_record(Record {
                id: id(lid),
                name: node.name,
                switch,
                guid: node.guid,
                lids: if switch { lids } else { Lids::default() },
                port_count: u32::from(u8::MAX),
                line: node.line,
                ..Record::default()
            })?;
            for (number, (line, speed, peer)) in node.ports {
                let Some(peer) = peer else { continue };
                let (peer, peer_number, peer_lid) =
                    (id(peer.lid), peer.port, u16::try_from(peer.lid).ok());
                let lids = if switch { Lids::default() } else { lids };
                let port = Port { peer, peer_number, speed, guid: None, lids, peer_lid, line };
                fabric.add_port(at, number, port)?;
            }
        }
        Ok(fabric)
    }

    /// Adds what only switches list: every LID with one cable is a host.
    fn add_hosts_behind_switches(&mut self) {
        let (mut behind, mut several) = (BTreeMap::new(), HashSet::new());
        for (lid, node) in &self.nodes {
            for (number, (line, speed, peer)) in &node.ports {
                let Some(peer) = peer else { continue };
                if !self.index.contains_key(&peer.lid) {
                    let back =
                        Peer { guid: node.guid, lid: *lid, port: *number, name: node.name.clone() };
                    let host = Node {
                        switch: Some(false),
                        guid: peer.guid,
                        name: peer.name.clone(),
                        line: *line,
                        ports: [(peer.port, (*line, speed.clone(), Some(back)))].into(),
                    };
                    if behind.insert(peer.lid, host).is_some() {
                        several.insert(peer.lid);
                    }
                }
            }
        }
        // A LID with several cables is a switch whose own lines are missing.
        behind.retain(|lid, _| !several.contains(lid));
        self.fabric.note_hosts(behind.len(), "lines");
        self.nodes.extend(behind);
    }
}

/// How messages name the node of a LID.
fn id(lid: u32) -> String {
    format!("LID {lid}")
}

fn parse(line: &str) -> Result<Line, Problem> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Line::Nothing);
    }
    // The last is written in place of a neighbour that did not answer.
    if line.contains(".c:") || line.starts_with("ib") || line.ends_with("\"Port not available\"") {
        return Err(Problem::Diagnostic { found: line.into() });
    }
    let header = |name: &str| name.trim_end_matches(':').trim().to_string();
    if let Some(switch) = line.strip_prefix("Switch: ") {
        let parsed: Result<(u64, &str), _> = (terminated(guid, space1), rest)
            .parse(switch)
            .map_err(|_| Problem::syntax(line, EXPECTED));
        return parsed.map(|(guid, name)| Line::Switch((guid, header(name))));
    }
    if let Some(name) =
        ["CA: ", "RT: ", "Router: "].iter().find_map(|start| line.strip_prefix(start))
    {
        return Ok(Line::Adapter(header(name)));
    }
    let parsed = port_line.parse(line).map_err(|_| Problem::syntax(line, EXPECTED))?;
    Ok(Line::Port(Box::new(parsed)))
}

fn guid(input: &mut &str) -> ModalResult<u64> {
    preceded("0x", hex_uint).parse_next(input)
}

fn quoted<'s>(input: &mut &'s str) -> ModalResult<&'s str> {
    delimited('"', take_until(0.., '"'), '"').parse_next(input)
}

/// `22    1[  ]`: LID and port, with the number on the outside of a chassis.
fn place(input: &mut &str) -> ModalResult<(u32, u32)> {
    let place = (dec_uint, preceded(space1, dec_uint)).parse_next(input)?;
    delimited('[', take_until(0.., ']'), ']').void().parse_next(input)?;
    Ok(place)
}

fn port_line(input: &mut &str) -> ModalResult<PortLine> {
    let guid = opt(terminated(guid, space1)).parse_next(input)?;
    let name: Option<&str> = opt(terminated(quoted, space1)).parse_next(input)?;
    let (lid, port) = place.parse_next(input)?;
    let state: &str = preceded((space0, "==("), take_until(0.., ")==>")).parse_next(input)?;
    (")==>", space0).void().parse_next(input)?;
    let peer = opt(peer).parse_next(input)?;
    // What follows are remarks such as `(Could be 10.0 Gbps)`, or `[  ] "" ( )` without a cable.
    let after = rest.parse_next(input)?;
    if peer.is_none() && !after.trim_start().starts_with('[') {
        return Err(winnow::error::ErrMode::Backtrack(winnow::error::ContextError::new()));
    }
    let own = (guid, name.map(|name| name.trim().to_string()));
    Ok(PortLine { own, lid, port, speed: speed(state), peer })
}

/// `0x0002c903000e0b72      5    1[  ] "host HCA-1"`
fn peer(input: &mut &str) -> ModalResult<Peer> {
    let guid = opt(terminated(guid, space1)).parse_next(input)?;
    let (lid, port) = place.parse_next(input)?;
    let quoted_name = preceded((space1, '"'), rest).parse_next(input)?;
    // A name may contain quotation marks: the last one ends it.
    let name = quoted_name.rsplit_once('"').map_or(quoted_name, |(name, _)| name);
    Ok(Peer { guid, lid, port, name: name.trim().into() })
}

/// `4X 10.0 Gbps Active/ LinkUp` as `4xQDR`; empty where there is no rate.
fn speed(state: &str) -> String {
    let Some((width, rest)) = state.trim().split_once(char::is_whitespace) else {
        return String::new();
    };
    let rate = rest.trim_start();
    let Some((_, name)) = RATES.iter().find(|(known, _)| rate.starts_with(known)) else {
        let words: Vec<&str> = state.split_whitespace().take(3).collect();
        return if rate.contains("Gbps") { words.join(" ") } else { String::new() };
    };
    format!("{}{name}", width.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_speeds() {
        for (state, found) in [
            (" 4X          10.0 Gbps Active/  LinkUp", "4xQDR"),
            (" 4X  10.0 Gbps (FDR10) Active/  LinkUp", "4xFDR10"),
            (" 4X        106.25 Gbps Active/  LinkUp", "4xNDR"),
            (" 12X  2.5 Gbps Initialize/ LinkUp", "12xSDR"),
            (" 4X 7.0 Gbps Active/ LinkUp", "4X 7.0 Gbps"),
            ("                Down/ Polling", ""),
        ] {
            assert_eq!(speed(state), found, "{state}");
        }
    }
}
