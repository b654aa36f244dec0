//! The output of `ibnetdiscover` (infiniband-diags), and the netlists of `ibsim`, which are a
//! relaxed form of it: node ids may be any text and comments (names, LIDs, speeds) may be absent.
//!
//! ```text
//! switchguid=0x2c902000300f1(2c902000300f1)                    GUID of the next node
//! Switch 4 "S-0002c902000300f1" # "sw-1-3" base port 0 lid 12 lmc 0
//! [1] "H-0002c90300000600"[1](2c90300000601) # "host-6" lid 7 4xQDR       other end's LID
//! Ca 1 "H-0002c90300000500" # "host-5"
//! [1](2c90300000501) "S-0002c902000100f1"[2] # lid 12 lmc 1 "sw-1-1" lid 67 4xQDR
//! ```
//!
//! An empty line ends a node. `Rt` (a router) is read like `Ca`: its ports are end ports. `Hca` is
//! an old name for `Ca` that ibsim netlists still use.
//! A message that `ibnetdiscover` wrote into its output is rejected, not skipped: it means that a
//! port did not answer, so whatever lies behind it would be missing without a trace. Lines about its
//! progress (`ibnetdiscover -s`) are left out, with a note. Tabs may be lost, as on the way through a
//! web page. LID 65535 means that a port was not given one.

use winnow::ascii::{dec_uint, space0, space1};
use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::token::{rest, take_until, take_while};
use winnow::{ModalResult, Parser};

use super::prelude::*;

pub(super) const KIND: Kind<Importer<ReadTopology>> = Kind {
    name: "ibnetdiscover",
    usage: "ibnetdiscover output or ibsim netlist",
    about: "InfiniBand fabric: switches, adapters and the cable at every port",
    reference: "ibnetdiscover(8), ibsim(8)",
    examples: &[
        "instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out",
        "instances/fabrics/pgft2_8-4_1-4_1-2/ftree/ibnetdiscover.out",
    ],
    build: Importer { detect, read },
};

/// Line beginnings that no other format has.
const STARTS: &[&str] = &[
    "# Topology file:",
    "vendid=",
    "switchguid=",
    "caguid=",
    "Switch\t",
    "Switch ",
    "Ca\t",
    "Ca ",
    "Hca\t",
    "Hca ",
];
/// How a line begins that `ibnetdiscover -s` prints about its progress.
const PROGRESS: &str = "DR path slid ";
const EXPECTED: &str =
    "a node such as `Switch 36 \"id\"`, a port such as `[1] \"id\"[2]`, `key=value` or `#`";

fn detect(head: &str) -> bool {
    head.lines().any(|line| STARTS.iter().any(|start| line.starts_with(start)))
}

fn read(mut text: TextFile, options: &ImportOptions) -> Result<Topology> {
    let mut reader = Reader { fabric: Fabric::new(text.path()), guid: None, current: None };
    let (mut progress, mut unset) = (0, 0);
    while let Some(line) = text.next_line()? {
        if line.starts_with(PROGRESS) {
            progress += 1;
            continue;
        }
        unset += u64::from(line.contains("lid 65535"));
        let parsed = parse(line);
        reader.take(parsed.map_err(|problem| text.fail(problem))?, text.line())?;
    }
    reader.fabric.note_count(progress, "line about the progress of the discovery", "left out");
    reader.fabric.note_count(unset, "line with LID 65535", "read as ports without LID:");
    assemble::discovered(reader.fabric, options)
}

/// A parsed line.
enum Line {
    Nothing,
    End,
    Guid(u64),
    Node(Record),
    Cable(u32, Port),
}

struct Reader {
    fabric: Fabric,
    /// GUID of the node that follows.
    guid: Option<u64>,
    /// The node whose ports follow.
    current: Option<usize>,
}

impl Reader {
    fn take(&mut self, parsed: Line, line: u64) -> Result<()> {
        match parsed {
            Line::Nothing => {}
            Line::End => self.current = None,
            Line::Guid(guid) => self.guid = Some(guid),
            Line::Node(record) => {
                let guid = guid_of_id(&record.id).or(self.guid.take());
                self.current = Some(self.fabric.add_record(Record { guid, line, ..record })?);
            }
            Line::Cable(number, port) => {
                let Some(node) = self.current else {
                    let expected = "a node such as `Switch 36 \"id\"` before its ports";
                    let problem = Problem::syntax(&format!("[{number}]"), expected);
                    return Err(self.fabric.error(line, problem));
                };
                self.fabric.add_port(node, number, Port { line, ..port })?;
            }
        }
        Ok(())
    }
}

/// The node GUID in an id such as `S-0002c902000300f1`.
fn guid_of_id(id: &str) -> Option<u64> {
    let digits = id.strip_prefix(['S', 'H', 'R'])?.strip_prefix('-')?;
    u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16)
}

fn parse(line: &str) -> Result<Line, Problem> {
    let line = line.trim_end();
    let skipped = ["#", "Non-Chassis Nodes", "Chassis "];
    if line.is_empty() {
        Ok(Line::End)
    } else if skipped.iter().any(|start| line.starts_with(start)) {
        Ok(Line::Nothing)
    } else if let Ok(line) = alt((node_line, attribute_line)).parse(line) {
        line
    } else if let Ok(line) = port_line.parse(line) {
        line
    } else if line.contains(".c:") || line.starts_with("ib") {
        Err(Problem::Diagnostic { found: line.into() })
    } else {
        Err(Problem::syntax(line, EXPECTED))
    }
}

/// `key=value`; only `switchguid`, `caguid` and `rtguid` are of interest.
fn attribute_line(input: &mut &str) -> ModalResult<Result<Line, Problem>> {
    let key = take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_');
    let (key, _, value) = (key, '=', rest).parse_next(input)?;
    if !key.ends_with("guid") || key == "sysimgguid" {
        return Ok(Ok(Line::Nothing));
    }
    let digits = value.strip_prefix("0x").unwrap_or(value);
    let digits = digits.split(|c: char| !c.is_ascii_hexdigit()).next().unwrap_or("");
    let guid = u64::from_str_radix(digits, 16).map(Line::Guid);
    Ok(guid.map_err(|_| Problem::syntax(value, "a GUID such as 0x2c902000300f1")))
}

/// `Switch 4 "id" # "name" base port 0 lid 12 lmc 0`
fn node_line(input: &mut &str) -> ModalResult<Result<Line, Problem>> {
    let kind = alt(("Switch", "Ca", "Hca", "Rt"));
    let (kind, _, ports, _, id) =
        (kind, space0, dec_uint::<_, u8, _>, space0, quoted).parse_next(input)?;
    let (before, name, after) = comment.parse_next(input)?;
    let switch = kind == "Switch";
    Ok(lids(if switch { after } else { before }).map(|lids| {
        Line::Node(Record {
            id: id.into(),
            name: name.into(),
            switch,
            lids: if switch { lids } else { Lids::default() },
            port_count: ports.into(),
            ..Record::default()
        })
    }))
}

/// `[1](guid) "id"[2](guid) # lid 12 lmc 1 "name" lid 67 4xQDR`
fn port_line(input: &mut &str) -> ModalResult<Result<Line, Problem>> {
    let end = |input: &mut &str| -> ModalResult<(u32, Option<u64>)> {
        let number = delimited('[', dec_uint::<_, u32, _>, ']').parse_next(input)?;
        // The port number printed on the outside of a chassis, and the port GUID.
        let _: Option<&str> =
            opt(delimited("[ext ", take_until(0.., ']'), ']')).parse_next(input)?;
        let guid: Option<&str> =
            opt(delimited((space0, '('), take_until(0.., ')'), ')')).parse_next(input)?;
        space0.parse_next(input)?;
        Ok((number, guid.and_then(|guid| u64::from_str_radix(guid, 16).ok())))
    };
    let ((number, guid), peer, (peer_number, _)) = (end, quoted, end).parse_next(input)?;
    let (own, _, other) = comment.parse_next(input)?;
    let peer_lid = lid_after(other).map(|lid| if lid == Lids::UNSET { 0 } else { lid });
    let peer_lid = peer_lid.and_then(|lid| u16::try_from(lid).ok());
    let speed = if peer_lid.is_some() { other.split_whitespace().nth(2) } else { None };
    let port = |lids| Port {
        peer: peer.into(),
        peer_number,
        speed: speed.unwrap_or("").into(),
        guid,
        lids,
        peer_lid,
        line: 0,
    };
    Ok(lids(own).map(|lids| Line::Cable(number, port(lids))))
}

fn quoted<'s>(input: &mut &'s str) -> ModalResult<&'s str> {
    delimited('"', take_until(1.., '"'), '"').parse_next(input)
}

/// The parts of `# before "name" after`; a name may itself contain quotes.
fn comment<'s>(input: &mut &'s str) -> ModalResult<(&'s str, &'s str, &'s str)> {
    let _: () = repeat(0.., space1.void()).parse_next(input)?;
    let text = opt(preceded('#', rest)).parse_next(input)?.unwrap_or("");
    let (Some(first), Some(last)) = (text.find('"'), text.rfind('"')) else {
        return Ok((text, "", ""));
    };
    let name = text.get(first + 1..last).unwrap_or("");
    Ok((&text[..first], name, &text[last + 1..]))
}

/// The number after the first `lid` of a text.
fn lid_after(text: &str) -> Option<u32> {
    number_after(text, "lid")
}

fn number_after(text: &str, word: &str) -> Option<u32> {
    let mut words = text.split_whitespace().skip_while(|other| *other != word);
    words.nth(1)?.parse().ok()
}

/// LIDs from `… lid 12 lmc 1 …`; none if the text has no LID.
fn lids(text: &str) -> Result<Lids, Problem> {
    let lid = number_after(text, "lid").unwrap_or(0);
    Lids::new(lid, number_after(text, "lmc").unwrap_or(0))
}
