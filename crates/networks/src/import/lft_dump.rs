//! Forwarding tables as `0xLID PORT` lines: the `opensm-lfts.dump` of OpenSM (also the input
//! of its `file` routing engine), and `dump_fts`, `dump_lfts` and `ibroute` of infiniband-diags.
//!
//! ```text
//! Unicast lids [0x0-0xe] of switch DR path slid 0; dlid 0; 0,1,3,4 guid 0x0002c902000300f1 (sw-1-3):
//!   Lid  Out   Destination
//!        Port     Info
//! 0x0001 003 : (Channel Adapter portguid 0x0002c90300000001: 'host-0')
//! 14 valid lids dumped
//! ```
//!
//! A table without its last line is truncated and rejected, unless the program itself reports that
//! it failed: if stderr went into the dump too, a line such as
//! `ibroute: iberror: failed: dump tables: linear forwarding table get failed` ends it. What was
//! dumped until then is correct, so it is read, with a note; what is missing shows when routes are
//! followed through the tables.
//!
//! OpenSM writes the range in decimal and `#` before the comment, and its last line gives the top
//! LID instead of a count. LIDs are hexadecimal and ports decimal in all of them; comments
//! may be stripped. A LID without a route has no line. infiniband-diags 44 also omits the last
//! LID if it is a multiple of 64, so a LID that no table has is unknown, not unrouted.

use winnow::ascii::{digit1, hex_uint, space1};
use winnow::combinator::{alt, delimited, eof, opt, preceded, separated_pair, terminated};
use winnow::token::{one_of, rest, take_until};
use winnow::{ModalResult, Parser};

use super::collector::{Collector, ReadTables, TableNote};
use super::text::TextFile;
use super::{ImportError, Importer, Problem};
use crate::quote::quote;
use crate::registry::Kind;

pub(super) const KIND: Kind<Importer<ReadTables>> = Kind {
    name: "lfts",
    usage: "opensm-lfts.dump, dump_fts, ibroute",
    about: "linear forwarding tables, one `0xLID PORT` line per entry",
    reference: "opensm(8), dump_fts(8), ibroute(8)",
    examples: &["instances/fabrics/ft8x3/ftree/opensm-lfts.dump.gz"],
    build: Importer { detect, read },
};

const EXPECTED: &str =
    "`Unicast lids [0-9] of switch … guid 0x…`, an entry such as `0x0001 003`, or `9 lids dumped`";

fn detect(head: &str) -> bool {
    head.lines().any(|line| line.starts_with("Unicast lids "))
}

/// The table that is being read.
struct Open {
    guid: u64,
    range: (u16, u16),
    entries: u64,
}

impl Open {
    /// The problem that the table has no end.
    fn unended(&self) -> Problem {
        Problem::UnendedTable { guid: self.guid }
    }
}

fn read(text: &mut TextFile, tables: &mut Collector) -> Result<(), ImportError> {
    let mut open: Option<Open> = None;
    while let Some(line) = next_other(text, tables, &mut open)? {
        let parsed = parse(line).map_err(|problem| text.fail(problem))?;
        match (parsed, &mut open) {
            (Line::Nothing, _) => {}
            (Line::Switch(..), Some(open)) if !tables.tolerant => {
                return Err(text.fail(open.unended()));
            }
            (Line::Switch(guid, range), _) => {
                tables.begin(guid, text)?;
                open = Some(Open { guid, range, entries: 0 });
            }
            (Line::Entry(lid, port), Some(open)) => {
                let (low, high) = open.range;
                check_range(lid, low, high).map_err(|problem| text.fail(problem))?;
                tables.add(lid, port, text)?;
                open.entries += 1;
            }
            (Line::Count(announced), Some(Open { entries, .. })) => {
                let found = *entries;
                if announced.is_some_and(|announced| announced != found) {
                    let announced = announced.unwrap_or(0);
                    return Err(text.fail(Problem::EntryCount { announced, found }));
                }
                open = None;
            }
            (Line::Failure { message, ends }, table) => {
                let place = format!("{}, line {}", text.path(), text.line());
                let note = failure(&place, &message, table.as_ref());
                let like = if table.is_some() { format!("{message} in a table") } else { message };
                tables.note(TableNote::new(note, &like));
                if ends {
                    open = None;
                }
            }
            (Line::Entry(..) | Line::Count(_), None) => {
                let expected = "`Unicast lids [0-9] of switch … guid 0x…` before its entries";
                return Err(text.fail(Problem::syntax("an entry without a switch", expected)));
            }
        }
    }
    match open {
        Some(open) if !tables.tolerant => Err(text.fail(open.unended())),
        _ => Ok(()),
    }
}

/// The next line, after plain entries of the open table, which are added without a look at anything else.
fn next_other<'t>(
    text: &'t mut TextFile,
    tables: &mut Collector,
    open: &mut Option<Open>,
) -> Result<Option<&'t str>, ImportError> {
    if let Some(Open { range: (low, high), entries, .. }) = open {
        text.lines_while(|line| {
            let entry = plain_entry(line).filter(|(lid, _)| (*low..=*high).contains(lid));
            let is_added = entry.is_some_and(|(lid, port)| tables.add_plain(lid, port));
            *entries += u64::from(is_added);
            is_added
        });
    }
    text.next_line()
}

/// The note that the program reported a failure while or after dumping a table.
fn failure(place: &str, message: &str, table: Option<&Open>) -> String {
    let what = table.map_or_else(String::new, |Open { guid, entries, .. }| {
        format!(": the table of switch {guid:#018x} has {entries} entries and may lack others")
    });
    format!("{place}: the dump says `{message}`{what}")
}

fn check_range(lid: u16, low: u16, high: u16) -> Result<(), Problem> {
    if (low..=high).contains(&lid) {
        Ok(())
    } else {
        Err(Problem::LidOutOfRange { lid, low, high })
    }
}

enum Line {
    Nothing,
    Switch(u64, (u16, u16)),
    Entry(u16, u8),
    /// The end of a table, with the number of entries if it is given.
    Count(Option<u64>),
    /// An error message, shortened, and whether the program ended with it.
    Failure {
        message: String,
        ends: bool,
    },
}

fn parse(line: &str) -> Result<Line, Problem> {
    if let Some((lid, port)) = plain_entry(line.as_bytes()) {
        return Ok(Line::Entry(lid, port));
    }
    let line = line.trim();
    let header = line.starts_with("Lid ") || line.starts_with("Port ");
    if line.is_empty() || line.starts_with('#') || header {
        return Ok(Line::Nothing);
    }
    if let Some(ends) = failed(line) {
        return Ok(Line::Failure { message: quote(line), ends });
    }
    let parsed = alt((entry, switch, count)).parse(line);
    parsed.map_err(|_| Problem::syntax(line, EXPECTED))
}

/// `None` if a line is not an error message, otherwise whether the program ended with it: ibroute
/// writes `ibroute: iberror: failed: …` and `ibwarn: [4711] …`, dump_fts `ERROR: dump tables: …`.
fn failed(line: &str) -> Option<bool> {
    if line.starts_with("0x") {
        return None;
    }
    let ends = ["iberror:", "ibpanic:", "dump tables:"].iter().any(|mark| line.contains(mark));
    (ends || line.contains("ibwarn:")).then_some(ends)
}

/// A fast path with the result of [`entry`], for entries exactly as the programs write them:
/// nearly all lines of a dump are such entries.
fn plain_entry(line: &[u8]) -> Option<(u16, u8)> {
    let (lid, rest) = line.strip_prefix(b"0x")?.split_first_chunk::<4>()?;
    let (port, rest) = rest.strip_prefix(b" ")?.split_first_chunk::<3>()?;
    let ended = matches!(rest, [] | [b' ', b':' | b'#', ..]);
    let (lid, port) = (number(*lid, 16)?, number(*port, 10)?);
    Some((lid, u8::try_from(port).ok()?)).filter(|_| ended)
}

#[inline]
fn number<const N: usize>(digits: [u8; N], base: u16) -> Option<u16> {
    let digits = digits.map(|digit| u16::from(DIGITS[usize::from(digit)]));
    let are_digits = digits.iter().all(|digit| *digit < base);
    are_digits.then(|| digits.into_iter().fold(0, |sum, digit| sum * base + digit))
}

/// What bytes are as hexadecimal digits; 255 where they are none.
const DIGITS: [u8; 256] = {
    let (mut digits, mut value) = ([255; 256], 0_u8);
    while value < 16 {
        digits[b"0123456789abcdef"[value as usize] as usize] = value;
        digits[b"0123456789ABCDEF"[value as usize] as usize] = value;
        value += 1;
    }
    digits
};

/// `0x0001 003 : (…)`, `0x0001 003 # …` or `0x0001 003`
fn entry(input: &mut &str) -> ModalResult<Line> {
    let (lid, _, port) = (hex, space1, digit1.parse_to::<u8>()).parse_next(input)?;
    alt((eof.void(), (space1, one_of([':', '#']), rest).void())).parse_next(input)?;
    Ok(Line::Entry(lid, port))
}

/// `Unicast lids [0-14] of switch Lid 9 guid 0x0002c902000000f1 ('sw-1-0'):`
fn switch(input: &mut &str) -> ModalResult<Line> {
    let bound = |input: &mut &str| alt((hex, digit1.parse_to::<u16>())).parse_next(input);
    let range = separated_pair(bound, '-', bound);
    let range = delimited("Unicast lids [", range, "] of switch ").parse_next(input)?;
    let guid = preceded((take_until(0.., "guid 0x"), "guid 0x"), hex_uint::<_, u64, _>);
    let guid = terminated(guid, rest).parse_next(input)?;
    Ok(Line::Switch(guid, range))
}

/// `14 valid lids dumped`, a count, or `14 lids dumped`, the top LID.
fn count(input: &mut &str) -> ModalResult<Line> {
    let (count, _) = (digit1.parse_to::<u64>(), space1).parse_next(input)?;
    let valid = opt("valid ").parse_next(input)?;
    "lids dumped".parse_next(input)?;
    Ok(Line::Count(valid.map(|_| count)))
}

fn hex(input: &mut &str) -> ModalResult<u16> {
    preceded("0x", hex_uint).parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn entries_as_written_take_the_fast_path() {
        for line in ["0x0001 003", "0xBfff 254 : (Switch)", "0x00a0 000 # \u{e9}"] {
            assert!(plain_entry(line.as_bytes()).is_some(), "{line}");
        }
        assert_eq!(plain_entry(b"0xBfff 254 : (Switch)"), Some((0xbfff, 254)));
    }

    proptest! {
        /// The fast path yields what the grammar yields, or nothing.
        #[test]
        fn the_fast_path_reads_what_the_grammar_reads(
            line in "0x[0-9a-fA-Fg]{3,5}[ \t]{1,2}[0-9]{1,4}( |\t|x)?(:|#|x)?.{0,3}"
        ) {
            if let Some(found) = plain_entry(line.as_bytes()) {
                let Ok(Line::Entry(lid, port)) = entry.parse(line.trim()) else {
                    panic!("{line}: {found:?}")
                };
                prop_assert_eq!(found, (lid, port), "{}", line);
            }
        }
    }
}
