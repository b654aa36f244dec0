//! Forwarding tables as OpenSM's `opensm.fdbs`, the input of ibutils.
//!
//! ```text
//! dump_ucast_routes: Switch 0x0002c902000000f1
//! LID    : Port : Hops : Optimal
//! 0x0001 : 001  : 01   : yes
//! 0x0002 : 005  : 03   : No 2 hop path possible via port 6!
//! 0x0003 : 005  : HOPS UNKNOWN
//! 0x0029 : UNREACHABLE
//! ```
//!
//! OpenSM 3.1 and older, and ibdiagnet (`ibdiagnet2.fdbs`), write `osm_ucast_mgr_dump_ucast_routes`.
//! Only the port is used; hops and remarks are OpenSM's own view and are not checked here.

use winnow::ascii::{digit1, hex_uint, space1};
use winnow::combinator::{alt, delimited, opt, preceded, terminated};
use winnow::{ModalResult, Parser};

use super::collector::{Collector, ReadTables};
use super::text::TextFile;
use super::{ImportError, Importer, Problem};
use crate::registry::Kind;

pub(super) const KIND: Kind<Importer<ReadTables>> = Kind {
    name: "fdbs",
    usage: "opensm.fdbs",
    about: "linear forwarding tables with hop counts, also as ibdiagnet2.fdbs",
    reference: "opensm(8)",
    examples: &["instances/fabrics/ft8x3/ftree/opensm.fdbs.gz"],
    build: Importer { detect, read },
};

const SWITCHES: [&str; 2] =
    ["dump_ucast_routes: Switch 0x", "osm_ucast_mgr_dump_ucast_routes: Switch 0x"];
const EXPECTED: &str =
    "`dump_ucast_routes: Switch 0x…`, or an entry such as `0x0001 : 001 : 01 : yes`";

fn detect(head: &str) -> bool {
    head.lines().any(|line| SWITCHES.iter().any(|start| line.starts_with(start)))
}

fn read(text: &mut TextFile, tables: &mut Collector) -> Result<(), ImportError> {
    let mut begun = false;
    while let Some(line) = text.next_line()? {
        let parsed = parse(line).map_err(|problem| text.fail(problem))?;
        match (parsed, begun) {
            (Line::Nothing, _) => {}
            (Line::Switch(guid), _) => {
                tables.begin(guid, text)?;
                begun = true;
            }
            (Line::Entry(lid, port), true) => tables.add(lid, port, text)?,
            (Line::Entry(..), false) => {
                let expected = "`dump_ucast_routes: Switch 0x…` before its entries";
                return Err(text.fail(Problem::syntax("an entry without a switch", expected)));
            }
        }
    }
    Ok(())
}

enum Line {
    Nothing,
    Switch(u64),
    Entry(u16, u8),
}

fn parse(line: &str) -> Result<Line, Problem> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') || line.starts_with("LID ") {
        return Ok(Line::Nothing);
    }
    // Nearly all lines are entries: they are parsed as bytes, not as characters.
    let parsed = if line.starts_with("0x") {
        entry.parse(line.as_bytes()).ok()
    } else {
        switch.parse(line).ok()
    };
    parsed.ok_or_else(|| Problem::syntax(line, EXPECTED))
}

fn switch(input: &mut &str) -> ModalResult<Line> {
    preceded(alt(SWITCHES), hex_uint::<_, u64, _>).map(Line::Switch).parse_next(input)
}

fn entry(input: &mut &[u8]) -> ModalResult<Line> {
    let colon = || (opt(space1), ':', opt(space1));
    let lid = terminated(preceded("0x", hex_uint::<_, u16, _>), colon()).parse_next(input)?;
    let remark = (digit1, colon(), alt(("yes", impossible))).void();
    let port = terminated(digit1.parse_to::<u8>(), (colon(), alt(("HOPS UNKNOWN".void(), remark))));
    alt(("UNREACHABLE".map(|_| Line::Nothing), port.map(|port| Line::Entry(lid, port))))
        .parse_next(input)
}

/// `No 2 hop path possible via port 6!`
fn impossible<'s>(input: &mut &'s [u8]) -> ModalResult<&'s [u8]> {
    delimited("No ", digit1, (" hop path possible via port ", digit1, '!')).parse_next(input)
}
