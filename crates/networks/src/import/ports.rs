//! The output of `ibnetdiscover -p` (infiniband-diags): one line per port.
//!
//! ```text
//! CA   139  1 0x0002c903004e26b1 4x QDR - SW   142 36 0x0008f10500108c9e ( 'a HCA-1' - 'b' )
//! SW   142 35 0x0008f10500108c9e 4x SDR                                    'b'
//! ```
//!
//! That is: type, LID, port, GUID, speed, and the same for the other end unless the port is not
//! connected. The GUID of a switch is its node GUID, that of a `CA` (or `RT`) is the port
//! GUID, so which ports belong to one adapter is not shown. The LMC is not shown either and is
//! taken as 0. Lines `DR path …` are the log of the discovery, mixed in by its option `-s`.

use winnow::ascii::{dec_uint, hex_uint, space0, space1};
use winnow::combinator::{alt, opt, preceded, terminated};
use winnow::token::{rest, take_until, take_while};
use winnow::{ModalResult, Parser};

use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "ibnetdiscover-p",
    usage: "ibnetdiscover -p output",
    about: "InfiniBand fabric, one line per port",
    reference: "ibnetdiscover(8)",
    examples: &["instances/fabrics/plafrim/ib-subnet-fe80_0000_0000_0000.txt"],
    build: Importer { detect, read },
};

const EXPECTED: &str = "a port such as `CA 139 1 0x0002c903004e26b1 4x QDR - SW 142 36 0x0008f10500108c9e ( 'a' - 'b' )`";

fn detect(head: &str) -> bool {
    let log = |line: &str| line.starts_with("DR path ") && line.contains("portnum");
    head.lines().any(|line| log(line) || parse(line).is_ok())
}

fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let mut fabric = Fabric::new(text.path());
    while let Some(line) = text.next_line()? {
        if line.trim().is_empty() || line.starts_with('#') || line.starts_with("DR path ") {
            continue;
        }
        let row = parse(line).map_err(|problem| text.fail(problem))?;
        add(&mut fabric, &row, text.line())?;
    }
    assemble::discovered(fabric, options)
}

/// One end of a cable.
struct End {
    switch: bool,
    lid: u32,
    port: u32,
    guid: u64,
    id: String,
    name: String,
}

struct PortRow {
    end: End,
    speed: String,
    peer: Option<End>,
}

fn add(fabric: &mut Fabric, row: &PortRow, line: u64) -> Result<()> {
    let end = &row.end;
    // An end port without a cable is not a host.
    if row.peer.is_none() && !end.switch {
        return Ok(());
    }
    let lids = Lids::new(end.lid, 0).map_err(|problem| fabric.error(line, problem))?;
    let node = record(fabric, end, lids, line)?;
    let Some(peer) = &row.peer else { return Ok(()) };
    let port = Port {
        peer: peer.id.clone(),
        peer_number: peer.port,
        speed: row.speed.clone(),
        lids,
        peer_lid: u16::try_from(peer.lid).ok(),
        line,
        ..Port::default()
    };
    fabric.add_port(node, end.port, port)
}

/// The record of an end: a new one, or the existing one of a switch that had an earlier line.
fn record(fabric: &mut Fabric, end: &End, lids: Lids, line: u64) -> Result<usize> {
    let Some(node) = fabric.index.get(&end.id).copied().filter(|_| end.switch) else {
        return fabric.add_record(Record {
            id: end.id.clone(),
            name: end.name.clone(),
            switch: end.switch,
            guid: Some(end.guid),
            lids,
            port_count: u32::from(u8::MAX),
            line,
            ..Record::default()
        });
    };
    let first = &fabric.records[node];
    if first.lids == lids {
        return Ok(node);
    }
    let here = format!("{} has LID {}", end.id, lids.lid);
    let there = format!("LID {}", first.lids.lid);
    Err(fabric.error(line, Problem::ends_disagree(&here, &there, first.line)))
}

fn parse(line: &str) -> Result<PortRow, Problem> {
    row.parse(line.trim_end()).map_err(|_| Problem::syntax(line, EXPECTED))
}

fn row(input: &mut &str) -> ModalResult<PortRow> {
    let mut end = end.parse_next(input)?;
    let (width, _, speed) = (word, space1, word).parse_next(input)?;
    space1.parse_next(input)?;
    let mut peer = opt(preceded(('-', space1), self::end)).parse_next(input)?;
    if let Some(peer) = &mut peer {
        (end.name, peer.name) = names.parse_next(input)?;
    } else {
        end.name = preceded('\'', rest).parse_next(input)?.trim_end_matches('\'').into();
    }
    Ok(PortRow { end, speed: format!("{width} {speed}"), peer })
}

fn end(input: &mut &str) -> ModalResult<End> {
    let kind = alt(("SW", "CA", "RT")).parse_next(input)?;
    let (lid, port, guid) = (
        preceded(space1, dec_uint::<_, u32, _>),
        preceded(space1, dec_uint::<_, u8, _>),
        preceded((space1, "0x"), hex_uint::<_, u64, _>),
    )
        .parse_next(input)?;
    space1.parse_next(input)?;
    let id = format!("{kind} {guid:#018x}");
    Ok(End { switch: kind == "SW", lid, port: port.into(), guid, id, name: String::new() })
}

/// `( 'a' - 'b' )`
fn names(input: &mut &str) -> ModalResult<(String, String)> {
    let first: &str =
        preceded("( '", terminated(take_until(0.., "' - '"), "' - '")).parse_next(input)?;
    let second: &str = terminated(take_until(0.., "' )"), ("' )", space0)).parse_next(input)?;
    Ok((first.into(), second.into()))
}

fn word<'s>(input: &mut &'s str) -> ModalResult<&'s str> {
    take_while(1.., |c: char| !c.is_whitespace()).parse_next(input)
}
