//! The file `ibdiagnet2.net_dump` of ibdiagnet: the ports of every switch, and what is behind them.
//!
//! ```text
//! "leaf-1", Mellanox, 0xb8599f0300fc6de4, LID 32
//!   #      : IB# : Sta : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid     : N#    : NLID : Neighbor Description
//!   1/1/1  : 1   : ACT : LINK UP : 5   : 4x  : 100 : NO-FEC   : NO-RTR : 0x2c5eab0300b87b4 : 1     : 7    : "host-1 mlx5_0"
//!   1/1/2  : 2   : DOWN : POLLING : N/A : N/A : N/A : N/A     : N/A    :                   :       :      :
//! ```
//!
//! Columns are found by their names, since versions add some. `#` and `N#` are what is printed at the port; the number
//! of the port is `IB#`, so that the far end of a cable is found in the rows of the switch there. Hosts have no rows: a
//! GUID and port that no switch has is one. The LMC is not shown and is taken as 0. The vendor does not document the
//! file: what is read is what public programs around ibdiagnet 2.x read.

use std::collections::HashMap;

use super::ImportError;
use super::guid_tables::{decimal, hex};
use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "ibdiagnet-net-dump",
    usage: "ibdiagnet2.net_dump",
    about: "InfiniBand fabric as ibdiagnet found it: the ports of every switch with their neighbours",
    reference: "ibdiagnet 2.x (MLNX_OFED, UFM)",
    examples: &["instances/fabrics/ft8x2/formats/ibdiagnet2.net_dump"],
    build: Importer { detect, read },
};

const EXPECTED: &str = "a switch such as `\"leaf-1\", Mellanox, 0x2c902000300f1, LID 32`, the names of columns, or a port";
/// The columns that are read.
const COLUMNS: [&str; 9] =
    ["#", "IB#", "Sta", "LWA", "LSA", "Neighbor Guid", "N#", "NLID", "Neighbor Description"];
/// Lanes by what the column LSA has.
const SPEEDS: &[(&str, &str)] = &[
    ("2.5", "SDR"),
    ("5", "DDR"),
    ("10", "QDR"),
    ("FDR10", "FDR10"),
    ("14", "FDR"),
    ("25", "EDR"),
    ("50", "HDR"),
    ("100", "NDR"),
    ("200", "XDR"),
];
/// Maximum number of ports of a switch.
const MAX_PORTS: u32 = 254;

fn detect(head: &str) -> bool {
    head.lines().any(|line| switch(line).is_some())
}

/// The first line of a switch.
struct Switch<'l> {
    name: &'l str,
    guid: u64,
    lid: u32,
}

fn switch(line: &str) -> Option<Switch<'_>> {
    let (name, rest) = line.trim().strip_prefix('"')?.rsplit_once("\", ")?;
    let mut words = rest.split(", ");
    let (_vendor, guid, lid) = (words.next()?, words.next()?, words.next()?);
    let lid = lid.strip_prefix("LID ")?.trim().parse().ok()?;
    words.next().is_none().then_some(Switch { name: name.trim(), guid: hex(guid).ok()?, lid })
}

/// A port with a cable.
struct Row {
    line: u64,
    /// The switch, by its place among the records.
    record: usize,
    number: u32,
    speed: String,
    peer: u64,
    /// What is printed at the port of the other end.
    peer_label: String,
    peer_lid: u32,
    name: String,
}

/// The columns of a switch.
struct Columns {
    /// The places of those that are read.
    places: [usize; 9],
    /// Number of all columns.
    width: usize,
}

/// The file as far as it was read.
struct Reader {
    fabric: Fabric,
    /// The switch whose rows follow.
    current: Option<usize>,
    columns: Option<Columns>,
    /// Ports by switch and label.
    labels: HashMap<(u64, String), u32>,
    rows: Vec<Row>,
}

fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let fabric = Fabric::new(text.path());
    let mut reader =
        Reader { fabric, current: None, columns: None, labels: HashMap::new(), rows: Vec::new() };
    while let Some(line) = text.next_line()? {
        let line = line.trim().to_string();
        reader.take(&line, text.line())?;
    }
    assemble::discovered(reader.into_fabric()?, options)
}

impl Reader {
    fn take(&mut self, line: &str, number: u64) -> Result<()> {
        let values: Vec<&str> = match &self.columns {
            // A description may contain colons.
            Some(columns) => line.splitn(columns.width, ':').map(str::trim).collect(),
            None => line.split(':').map(str::trim).collect(),
        };
        if line.is_empty() {
            Ok(())
        } else if let Some(switch) = switch(line) {
            self.begin(&switch, number)
        } else if values.len() > 1 && values[0] == "#" {
            self.columns = Some(self.columns(line, number)?);
            Ok(())
        } else if line.starts_with('#') {
            Ok(())
        } else {
            self.row(&values, line, number)
        }
    }

    fn begin(&mut self, switch: &Switch, line: u64) -> Result<()> {
        let Switch { name, guid, lid } = *switch;
        let lids = Lids::new(lid, 0).map_err(|problem| self.fabric.error(line, problem))?;
        self.current = Some(self.fabric.add_record(Record {
            id: format!("S-{guid:016x}"),
            name: name.into(),
            switch: true,
            guid: Some(guid),
            lids,
            port_count: MAX_PORTS,
            line,
            ..Record::default()
        })?);
        self.columns = None;
        Ok(())
    }

    fn columns(&self, line: &str, number: u64) -> Result<Columns> {
        let names: Vec<&str> = line.split(':').map(str::trim).collect();
        let mut places = [0; 9];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            let found = names.iter().position(|name| name.eq_ignore_ascii_case(column));
            let missing = Problem::MissingColumn { what: "the list of ports".into(), column };
            *place = found.ok_or_else(|| self.fabric.error(number, missing))?;
        }
        Ok(Columns { places, width: names.len() })
    }

    fn row(&mut self, values: &[&str], line: &str, number: u64) -> Result<()> {
        let fail = |problem| self.fabric.error(number, problem);
        let (Some(record), Some(Columns { places, width })) = (self.current, &self.columns) else {
            return Err(fail(Problem::syntax(line, EXPECTED)));
        };
        if values.len() == 1 {
            return Err(fail(Problem::syntax(line, EXPECTED)));
        }
        if values.len() != *width {
            return Err(fail(Problem::ColumnCount { columns: *width, found: values.len() }));
        }
        let values = places.map(|place| match values[place] {
            "N/A" => "",
            value => value,
        });
        let port = decimal(values[1]).map_err(fail)?;
        let own = self.fabric.records[record].guid.unwrap_or_default();
        if self.labels.insert((own, values[0].to_string()), port).is_some() {
            let problem = Problem::syntax(values[0], "each port of a switch once");
            return Err(self.fabric.error(number, problem));
        }
        self.fabric.count_entry()?;
        let row = cabled(values, number, record, port);
        self.rows.extend(row.map_err(|problem| self.fabric.error(number, problem))?);
        Ok(())
    }

    /// Joins both ends of the cables, and adds the hosts.
    fn into_fabric(self) -> Result<Fabric> {
        let Self { mut fabric, labels, rows, .. } = self;
        let switches: HashMap<u64, usize> = (0..)
            .zip(&fabric.records)
            .filter_map(|(at, record)| Some((record.guid?, at)))
            .collect();
        let mut hosts = 0;
        for row in rows {
            let own = fabric.records[row.record].id.clone();
            let (peer, peer_number) = if let Some(peer) = switches.get(&row.peer) {
                let known = labels.get(&(row.peer, row.peer_label.clone()));
                let id = fabric.records[*peer].id.clone();
                (id, *known.ok_or_else(|| no_port(&fabric, &row, *peer))?)
            } else {
                hosts += 1;
                add_host(&mut fabric, &row, &own)?
            };
            let Row { line, record, number, speed, peer_lid, .. } = row;
            let peer_lid = u16::try_from(peer_lid).ok();
            let port = Port { peer, peer_number, speed, peer_lid, line, ..Port::default() };
            fabric.add_port(record, number, port)?;
        }
        fabric.note_hosts(hosts, "lines");
        Ok(fabric)
    }
}

/// The port of a row, unless nothing is behind it.
fn cabled(
    values: [&str; 9],
    line: u64,
    record: usize,
    number: u32,
) -> Result<Option<Row>, Problem> {
    let [_, _, state, lanes, speed, guid, peer_label, peer_lid, name] = values;
    if guid.is_empty() && ["DOWN", ""].contains(&state) {
        return Ok(None);
    }
    if guid.is_empty() {
        let what = "a port with a link and without its neighbour";
        return Err(Problem::Unsupported { what, remedy: "discover the fabric again" });
    }
    let peer = hex(guid)?;
    Ok(Some(Row {
        line,
        record,
        number,
        speed: rate(lanes, speed),
        peer,
        peer_label: peer_label.into(),
        peer_lid: decimal(peer_lid)?,
        name: name.trim_matches('"').trim().into(),
    }))
}

/// The error that a port of a switch is not among its rows.
fn no_port(fabric: &Fabric, row: &Row, peer: usize) -> ImportError {
    let (own, peer) = (&fabric.records[row.record], &fabric.records[peer]);
    let here = format!("{}[{}] to port {} of {}", own.id, row.number, row.peer_label, peer.id);
    fabric.error(row.line, Problem::ends_disagree(&here, "no such port", peer.line))
}

/// Adds the end port behind a port; returns its id and number.
fn add_host(fabric: &mut Fabric, row: &Row, switch: &str) -> Result<(String, u32)> {
    let Row { line, peer, peer_label, .. } = row;
    let lids = Lids::new(row.peer_lid, 0).map_err(|problem| fabric.error(*line, problem))?;
    let number = peer_label.parse().unwrap_or(1);
    let id = format!("H-{peer:016x} port {peer_label}");
    let at = fabric.add_record(Record {
        id: id.clone(),
        name: row.name.clone(),
        guid: Some(*peer),
        port_count: MAX_PORTS,
        line: *line,
        ..Record::default()
    })?;
    let back = Port {
        peer: switch.into(),
        peer_number: row.number,
        speed: row.speed.clone(),
        lids,
        line: *line,
        ..Port::default()
    };
    fabric.add_port(at, number, back)?;
    Ok((id, number))
}

/// `4x` and `100` as `4xNDR`; as written where they are unknown, empty where there are none.
pub(super) fn rate(lanes: &str, speed: &str) -> String {
    let known = SPEEDS.iter().find(|(written, _)| *written == speed);
    let speed = known.map_or(speed, |(_, name)| *name);
    if lanes.is_empty() || speed.is_empty() { String::new() } else { format!("{lanes}{speed}") }
}
