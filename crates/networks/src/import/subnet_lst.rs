//! The file `opensm-subnet.lst` of OpenSM, also `ibdiagnet2.lst`: one cable per line, with the node at either end.
//!
//! ```text
//! { CA Ports:01 SystemGUID:… NodeGUID:0002c90300000000 PortGUID:… VenID:… DevID:… Rev:… {host-1} LID:0007 PN:01 } \
//! { SW-SM Ports:24 … {leaf-1} LID:0009 PN:1F } PHY=4x LOG=ACT SPD=10
//! ```
//!
//! Numbers are hexadecimal, but for the speed in Gbit/s per lane. A cable is a line, or two with the ends exchanged. The
//! LMC is not shown and is taken as 0.

use std::collections::{BTreeMap, HashMap};

use super::net_dump::rate;
use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "opensm-subnet-lst",
    usage: "opensm-subnet.lst, ibdiagnet2.lst",
    about: "InfiniBand fabric, one line per cable with the nodes at its ends",
    reference: "OpenSM, osm_dump.c",
    examples: &["instances/fabrics/ft8x2/formats/opensm-subnet.lst"],
    build: Importer { detect, read },
};

const EXPECTED: &str = "a cable such as `{ CA Ports:01 … NodeGUID:0002c90300000000 … {host-1} LID:0007 PN:01 } { SW … } PHY=4x LOG=ACT SPD=10`";

fn detect(head: &str) -> bool {
    head.lines().any(|line| cable(line).is_some())
}

/// An end of a cable.
struct End {
    /// `SW`, `CA` or `Rt`.
    kind: String,
    ports: u32,
    guid: u64,
    port_guid: Option<u64>,
    name: String,
    lid: u32,
    port: u32,
}

impl End {
    fn is_switch(&self) -> bool {
        self.kind == "SW"
    }

    fn id(&self) -> String {
        let letter = match self.kind.as_str() {
            "SW" => 'S',
            "CA" => 'H',
            _ => 'R',
        };
        format!("{letter}-{:016x}", self.guid)
    }
}

/// A line.
struct Cable {
    ends: [End; 2],
    speed: String,
}

fn cable(line: &str) -> Option<Cable> {
    let (first, rest) = end(line)?;
    let (second, rest) = end(rest)?;
    let words: HashMap<&str, &str> =
        rest.split_whitespace().filter_map(|word| word.split_once('=')).collect();
    let known = |name| words.get(name).copied().map(|word| if word == "??" { "" } else { word });
    Some(Cable { ends: [first, second], speed: rate(known("PHY")?, known("SPD")?) })
}

fn end(text: &str) -> Option<(End, &str)> {
    let (kind, rest) = text.trim_start().strip_prefix("{ ")?.split_once(" Ports:")?;
    let (fields, rest) = rest.split_once(" {")?;
    // A description may contain braces.
    let (name, rest) = rest.split_once("} LID:")?;
    let (lid, rest) = rest.split_once(" PN:")?;
    let (port, rest) = rest.split_once(" }")?;
    let field = |key| fields.split_whitespace().find_map(|field| field.strip_prefix(key));
    let ports = fields.split_whitespace().next()?;
    let end = End {
        kind: kind.trim_end_matches("-SM").into(),
        ports: number(ports)?,
        guid: u64::from_str_radix(field("NodeGUID:")?, 16).ok()?,
        port_guid: field("PortGUID:").and_then(|guid| u64::from_str_radix(guid, 16).ok()),
        name: name.trim().into(),
        lid: number(lid)?,
        port: number(port)?,
    };
    ["SW", "CA", "Rt"].contains(&end.kind.as_str()).then_some((end, rest))
}

fn number(text: &str) -> Option<u32> {
    u32::from_str_radix(text, 16).ok()
}

fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let mut fabric = Fabric::new(text.path());
    let mut cables = Vec::new();
    while let Some(line) = text.next_line()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parsed = cable(line).ok_or_else(|| Problem::syntax(line, EXPECTED));
        let cable = parsed.map_err(|problem| text.fail(problem))?;
        for end in &cable.ends {
            add_node(&mut fabric, end, text.line())?;
        }
        fabric.count_entry()?;
        cables.push((text.line(), cable));
    }
    add_cables(&mut fabric, &cables)?;
    assemble::discovered(fabric, options)
}

fn add_node(fabric: &mut Fabric, end: &End, line: u64) -> Result<()> {
    let id = end.id();
    let lids = Lids::new(end.lid, 0).map_err(|problem| fabric.error(line, problem))?;
    let lids = if end.is_switch() { lids } else { Lids::default() };
    if let Some(known) = fabric.index.get(&id) {
        let first = &fabric.records[*known];
        if first.lids == lids {
            return Ok(());
        }
        let (here, there) =
            (format!("{id} has LID {}", lids.lid), format!("LID {}", first.lids.lid));
        return Err(fabric.error(line, Problem::ends_disagree(&here, &there, first.line)));
    }
    fabric.add_record(Record {
        id,
        name: end.name.clone(),
        switch: end.is_switch(),
        guid: Some(end.guid),
        lids,
        port_count: end.ports,
        line,
        ports: BTreeMap::new(),
    })?;
    Ok(())
}

/// Adds both ends of every cable, the second one unless the cable is listed from there.
fn add_cables(fabric: &mut Fabric, cables: &[(u64, Cable)]) -> Result<()> {
    let place = |end: &End| (end.guid, end.port);
    let places = |(_, Cable { ends: [from, to], .. }): &(u64, Cable)| (place(from), place(to));
    let listed: HashMap<(u64, u32), (u64, u32)> = cables.iter().map(places).collect();
    for (line, Cable { ends: [first, second], speed }) in cables {
        let is_listed = listed.get(&place(second)) == Some(&place(first));
        let ends = [(first, second), (second, first)];
        for (from, to) in ends.into_iter().take(if is_listed { 1 } else { 2 }) {
            let node = fabric.index.get(&from.id()).copied().unwrap_or_default();
            let lids = Lids::new(from.lid, 0).map_err(|problem| fabric.error(*line, problem))?;
            let port = Port {
                peer: to.id(),
                peer_number: to.port,
                speed: speed.clone(),
                guid: from.port_guid,
                lids: if from.is_switch() { Lids::default() } else { lids },
                peer_lid: u16::try_from(to.lid).ok(),
                line: *line,
            };
            fabric.add_port(node, from.port, port)?;
        }
    }
    Ok(())
}
