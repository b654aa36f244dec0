//! Fabrics as tables of nodes, ports and links that refer to each other by node GUID and port
//! number: what ibdiagnet and OpenSM write in their section files.
//!
//! | section | columns that must be there | columns that may be there |
//! |---|---|---|
//! | `NODES` | `NodeGUID`, `NodeType` (1 adapter, 2 switch, 3 router) | `NumPorts`, `NodeDesc` |
//! | `PORTS` | `NodeGuid`, `PortNum` | `LID`, `LMC`, `LinkSpeedActv`, `LinkWidthActv`, `PortPhyState`, or `LinkSpeed`, `LinkWidth` |
//! | `LINKS` | `NodeGuid1`, `PortNum1`, `NodeGuid2`, `PortNum2` | |
//!
//! A cable is a row of `LINKS`, or two with the ends exchanged. What reveals damage is that `PORTS`
//! knows of the cables too: a port in physical state 5 (link up) without a cable is refused.
//!
//! Speeds are bits: 1, 2, 4 SDR, DDR, QDR; from 2^8 on FDR, EDR, HDR, NDR; 2^16 FDR10; 2^24 XDR. The
//! lowest three stay set beside a later one. Widths are bits too: 1, 2, 4, 8, 16 for 1x, 4x, 8x, 12x
//! and 2x. Names of speeds (`NDR`) and widths (`4x`) are read as well.

use std::collections::HashMap;

use super::assemble;
use super::fabric::{Fabric, Lids, Port, Record};
use super::sections::{self, Row, Wanted};
use super::text::TextFile;
use super::{ImportError, ImportOptions, Problem, Result};
use crate::quote::quote;
use crate::topology::Topology;

const WANTED: &[Wanted] = &[
    Wanted {
        name: "NODES",
        needed: &["NodeGUID", "NodeType"],
        optional: &["NumPorts", "NodeDesc"],
    },
    Wanted {
        name: "PORTS",
        needed: &["NodeGUID", "PortNum"],
        optional: &[
            "LID",
            "LMC",
            "LinkSpeedActv",
            "LinkWidthActv",
            "LinkSpeed",
            "LinkWidth",
            "PortPhyState",
        ],
    },
    Wanted {
        name: "LINKS",
        needed: &["NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"],
        optional: &[],
    },
];

/// Speeds by their bits, the later ones first.
const SPEEDS: &[(u32, &str)] = &[
    (1 << 24, "XDR"),
    (1 << 11, "NDR"),
    (1 << 10, "HDR"),
    (1 << 9, "EDR"),
    (1 << 8, "FDR"),
    (1 << 16, "FDR10"),
    (4, "QDR"),
    (2, "DDR"),
    (1, "SDR"),
];
/// The bits that stay set beside those of later speeds.
const FIRST_SPEEDS: u32 = 7;
const WIDTHS: &[(u32, &str)] = &[(1, "1x"), (2, "4x"), (4, "8x"), (8, "12x"), (16, "2x")];
/// Physical state of a port with a link.
const LINK_UP: &str = "5";
/// Maximum number of ports of a node, whatever its `NumPorts`.
const MAX_PORTS: u32 = 254;

/// What is known of a port.
struct PortRow {
    line: u64,
    lids: Lids,
    speed: String,
    is_up: bool,
}

/// Reads a network from the sections of a file.
///
/// # Errors
/// Those of [`sections::read`]; [`ImportError::Content`] where rows contradict each other; those of
/// [`assemble::topology`].
pub(super) fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let tables = sections::read(&mut text, WANTED)?;
    let end = text.line().saturating_sub(1).max(1);
    let mut fabric = Fabric::new(text.path());
    let needed = |section| {
        let what = fabric.path.clone();
        fabric.error(end, Problem::Missing { what: what.into(), missing: section })
    };
    let [Some(nodes), ports, Some(links)] = <[_; 3]>::try_from(tables).unwrap_or_default() else {
        return Err(needed("sections NODES and LINKS: dump the whole fabric"));
    };
    let ports = read_ports(&fabric, &ports.unwrap_or_default())?;
    add_nodes(&mut fabric, &nodes, &ports)?;
    add_links(&mut fabric, &links, &ports)?;
    check_up(&fabric, &ports)?;
    if nodes.iter().all(|row| row.values[3].is_empty()) {
        let note = "nodes have no descriptions, so SHARP aggregation nodes count as hosts";
        fabric.notes.push(note.into());
    }
    assemble::discovered(fabric, options)
}

/// A node GUID and a port number.
type PortKey = (u64, u32);

fn read_ports(fabric: &Fabric, rows: &[Row]) -> Result<HashMap<PortKey, PortRow>> {
    let mut ports = HashMap::new();
    for Row { line, values } in rows {
        let fail = |problem| fabric.error(*line, problem);
        let [guid, number, lid, lmc, speed, width, other_speed, other_width, state] = &values[..]
        else {
            return Err(fail(Problem::syntax("a row", "the columns of PORTS")));
        };
        let key = (hex(guid).map_err(fail)?, decimal(number).map_err(fail)?);
        let lids = Lids::new(or_zero(lid).map_err(fail)?, or_zero(lmc).map_err(fail)?);
        let first = |a: &String, b: &String| if a.is_empty() { b.clone() } else { a.clone() };
        let speed = rate(&first(width, other_width), &first(speed, other_speed));
        let row =
            PortRow { line: *line, lids: lids.map_err(fail)?, speed, is_up: state == LINK_UP };
        if let Some(PortRow { line: first, .. }) = ports.insert(key, row) {
            let node = format!("{:#018x}", key.0);
            return Err(fail(Problem::DuplicatePort { node: node.into(), port: key.1, first }));
        }
    }
    Ok(ports)
}

fn add_nodes(fabric: &mut Fabric, rows: &[Row], ports: &HashMap<PortKey, PortRow>) -> Result<()> {
    for Row { line, values } in rows {
        let fail = |problem| fabric.error(*line, problem);
        let [guid, kind, count, name] = &values[..] else {
            return Err(fail(Problem::syntax("a row", "the columns of NODES")));
        };
        let guid = hex(guid).map_err(fail)?;
        let letter = match kind.as_str() {
            "1" => 'H',
            "2" => 'S',
            "3" => 'R',
            other => return Err(fail(Problem::syntax(other, "NodeType 1, 2 or 3"))),
        };
        let count = if count.is_empty() { MAX_PORTS } else { decimal(count).map_err(fail)? };
        let switch = letter == 'S';
        let own = ports.get(&(guid, 0)).filter(|_| switch);
        fabric.add_record(Record {
            id: format!("{letter}-{guid:016x}"),
            name: name.clone(),
            switch,
            guid: Some(guid),
            lids: own.map(|port| port.lids).unwrap_or_default(),
            port_count: count.min(MAX_PORTS),
            line: *line,
            ..Record::default()
        })?;
    }
    Ok(())
}

fn add_links(fabric: &mut Fabric, rows: &[Row], ports: &HashMap<PortKey, PortRow>) -> Result<()> {
    let index: HashMap<u64, usize> =
        (0..).zip(&fabric.records).filter_map(|(at, record)| Some((record.guid?, at))).collect();
    if index.len() < fabric.records.len() {
        return Err(same_guid(fabric));
    }
    let path = fabric.path.clone();
    let mut seen: HashMap<(PortKey, PortKey), u64> = HashMap::new();
    for Row { line, values } in rows {
        let fail = |problem| ImportError::Content { path: path.clone(), line: *line, problem };
        let [guid, number, other, other_number] = &values[..] else {
            return Err(fail(Problem::syntax("a row", "the columns of LINKS")));
        };
        let from = (hex(guid).map_err(fail)?, decimal(number).map_err(fail)?);
        let to = (hex(other).map_err(fail)?, decimal(other_number).map_err(fail)?);
        let again = seen.insert((from, to), *line).is_some();
        if !again && from != to && seen.contains_key(&(to, from)) {
            continue;
        }
        let ends = if from == to { vec![(from, to)] } else { vec![(from, to), (to, from)] };
        for (from, to) in ends {
            let (Some(node), Some(peer)) = (index.get(&from.0), index.get(&to.0)) else {
                let (known, missing) =
                    if index.contains_key(&from.0) { (from, to) } else { (to, from) };
                let (node, peer) = (format!("{:#018x}", known.0), format!("{:#018x}", missing.0));
                return Err(fail(Problem::UnknownNode {
                    node: node.into(),
                    port: known.1,
                    peer: peer.into(),
                }));
            };
            let own = ports.get(&from);
            let port = Port {
                peer: fabric.records[*peer].id.clone(),
                peer_number: to.1,
                speed: own.map(|own| own.speed.clone()).unwrap_or_default(),
                lids: own.map(|own| own.lids).unwrap_or_default(),
                line: *line,
                ..Port::default()
            };
            fabric.add_port(*node, from.1, port)?;
        }
    }
    Ok(())
}

/// The error that two nodes of different types have the same GUID.
fn same_guid(fabric: &Fabric) -> ImportError {
    let mut first: HashMap<Option<u64>, u64> = HashMap::new();
    for record in &fabric.records {
        if let Some(first) = first.insert(record.guid, record.line) {
            let node = record.id.clone();
            return fabric.error(record.line, Problem::DuplicateNode { node: node.into(), first });
        }
    }
    fabric.error(1, Problem::Missing { what: "a node".into(), missing: "GUID of its own" })
}

/// Checks that every port with a link has a cable.
fn check_up(fabric: &Fabric, ports: &HashMap<PortKey, PortRow>) -> Result<()> {
    let cabled = |record: &Record, number: u32| number == 0 || record.ports.contains_key(&number);
    let index: HashMap<Option<u64>, &Record> =
        fabric.records.iter().map(|record| (record.guid, record)).collect();
    let lost = ports.iter().filter(|((guid, number), port)| {
        let record = index.get(&Some(*guid));
        port.is_up && record.is_some_and(|record| !cabled(record, *number))
    });
    let Some(((guid, number), port)) = lost.min_by_key(|(_, port)| port.line) else {
        return Ok(());
    };
    let here = format!("port {number} of {guid:#018x} has a link");
    let line = index.get(&Some(*guid)).map_or(port.line, |record| record.line);
    let there = "no cable in section LINKS";
    Err(fabric.error(port.line, Problem::ends_disagree(&here, there, line)))
}

/// Width and speed as `4xNDR`; as written where they are unknown, empty where there are none.
fn rate(width: &str, speed: &str) -> String {
    if ["", "0"].contains(&width) || ["", "0"].contains(&speed) {
        return String::new();
    }
    let width_name = code(width).and_then(|bits| WIDTHS.iter().find(|known| known.0 == bits));
    let speed_name = code(speed).and_then(|bits| {
        let later = bits & !FIRST_SPEEDS;
        let bits = if later == 0 { bits } else { later };
        SPEEDS.iter().find(|known| known.0 == bits)
    });
    let width = width_name.map_or_else(|| width.to_lowercase(), |known| known.1.into());
    let speed = speed_name.map_or_else(|| speed.to_string(), |known| known.1.into());
    quote(&format!("{width}{speed}"))
}

fn code(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// A GUID with `0x`.
pub(super) fn hex(text: &str) -> Result<u64, Problem> {
    let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
    let guid = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    guid.ok_or_else(|| Problem::syntax(text, "a GUID such as 0x2c902000300f1"))
}

/// A number of ports or of one.
pub(super) fn decimal(text: &str) -> Result<u32, Problem> {
    text.parse().map_err(|_| Problem::syntax(text, "a number such as 17"))
}

fn or_zero(text: &str) -> Result<u32, Problem> {
    if text.is_empty() { Ok(0) } else { decimal(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_speeds() {
        for (width, speed, found) in [
            ("2", "2052", "4xNDR"),
            ("2", "2048", "4xNDR"),
            ("1", "1", "1xSDR"),
            ("8", "2", "12xDDR"),
            ("16", "1028", "2xHDR"),
            ("2", "4", "4xQDR"),
            ("2", "65540", "4xFDR10"),
            ("2", "16777220", "4xXDR"),
            ("4X", "EDR", "4xEDR"),
            ("2", "0", ""),
            ("", "4", ""),
            ("3", "4", "3QDR"),
            ("2", "5", "4x5"),
        ] {
            assert_eq!(rate(width, speed), found, "{width} {speed}");
        }
    }
}
