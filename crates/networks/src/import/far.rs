//! Adaptive forwarding tables: the file `ibdiagnet2.far` of ibdiagnet.
//!
//! ```text
//! File version: 1
//! Switch 0x0002c902000300f1
//! …
//! Groups Definition:
//! Group   Sub Group   WHBF   Ports
//! --------------------------------
//! 1       0           0      17,18,19,20,
//! LFT Definition:
//! PLFT_NUM: 0, top: 0x8c
//! LID      Static Port   Lid State   Group
//! ----------------------------------------
//! 0x0001   3             Static      0
//! 0x0009   17            Free        1
//! ```
//!
//! A `Static` LID leaves by its static port. A `Free` LID leaves by any port of its group, packet by
//! packet, and one of state `HBF` by a port of its group that a hash of the packet's header chooses.
//! Sub groups of a group are ports of it too. What stands between the switch and its groups is not
//! about paths and is skipped. The vendor does not document the file; its grammar is known from
//! public programs that read it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use super::collector::Collector;
use super::text::TextFile;
use super::{ForwardingTables, ImportError, Problem};

/// The name of the format.
const FORMAT: &str = "ibdiagnet2.far";
const EXPECTED: &str = "`Switch 0x…`, `Groups Definition:`, `LFT Definition:`, a group such as `1 0 0 17,18,` or an entry such as `0x0009 17 Free 1`";

/// The tables of a fabric in which switches may choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdaptiveTables {
    /// The static port of every LID, switch by switch.
    pub tables: ForwardingTables,
    /// Ports that every switch may choose from, by node GUID.
    pub choices: BTreeMap<u64, SwitchChoices>,
    /// Whether a group spreads by weights, which the file does not give.
    pub weighted: bool,
}

/// Ports that a switch may choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchChoices {
    /// Ports of every group, ascending.
    pub groups: BTreeMap<u16, Vec<u8>>,
    /// LIDs that leave by any port of a group, ascending, with the group.
    pub lids: Vec<(u16, u16)>,
}

impl SwitchChoices {
    /// The ports among which a LID chooses; `None` for one that leaves by its static port.
    #[must_use]
    pub fn of(&self, lid: u16) -> Option<&[u8]> {
        let at = self.lids.binary_search_by_key(&lid, |(lid, _)| *lid).ok()?;
        self.groups.get(&self.lids[at].1).map(Vec::as_slice)
    }
}

/// Position of the reader in the part of a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first switch.
    Start,
    /// After the line of a switch.
    Switch,
    /// Before the dashes above the rows.
    GroupHead,
    Groups,
    EntryHead,
    Entries,
}

/// A parsed line.
enum Line {
    Nothing,
    Switch(u64),
    Groups,
    Entries,
    Table(u32),
    Dashes,
    Group(u16, bool, Vec<u8>),
    /// LID, static port, and the group of a LID that is not static.
    Entry(u16, u8, Option<u16>),
}

/// Whether the start of a file is in this format.
pub(super) fn detect(head: &str) -> bool {
    head.lines().any(|line| line.starts_with("Groups Definition:"))
}

/// Reads the adaptive tables of a file.
///
/// # Errors
/// [`ImportError`]: the file cannot be read, has a line that the format does not have, a table that
/// is incomplete, an entry whose group is not defined, or more than one table per switch.
pub fn adaptive_tables(path: &str) -> Result<AdaptiveTables, ImportError> {
    let mut text = TextFile::open(path)?;
    let count = AtomicU64::new(0);
    let mut reader = Reader {
        collector: Collector::new(path, &count),
        choices: BTreeMap::new(),
        place: Place::Start,
        switch: 0,
        current: SwitchChoices::default(),
        tables: 0,
        weighted: false,
    };
    while let Some(line) = text.next_line()? {
        let parsed = parse(line, reader.place).map_err(|problem| text.fail(problem))?;
        reader.take(parsed, &text)?;
    }
    reader.end(&text)?;
    if reader.choices.is_empty() {
        let missing = "switch: expected the file ibdiagnet2.far";
        return Err(text.fail(Problem::Missing { what: path.into(), missing }));
    }
    let mut tables = reader.collector.tables;
    tables.name_format(FORMAT);
    Ok(AdaptiveTables { tables, choices: reader.choices, weighted: reader.weighted })
}

struct Reader<'c> {
    collector: Collector<'c>,
    choices: BTreeMap<u64, SwitchChoices>,
    place: Place,
    /// The switch that is being read, and what it may choose from.
    switch: u64,
    current: SwitchChoices,
    /// Number of its tables.
    tables: u32,
    weighted: bool,
}

impl Reader<'_> {
    fn take(&mut self, line: Line, text: &TextFile) -> Result<(), ImportError> {
        match line {
            Line::Nothing => {}
            Line::Switch(guid) => {
                self.end(text)?;
                self.collector.begin(guid, text)?;
                (self.switch, self.place, self.tables) = (guid, Place::Switch, 0);
            }
            Line::Groups => self.place = Place::GroupHead,
            Line::Entries => self.place = Place::EntryHead,
            Line::Dashes if self.place == Place::GroupHead => self.place = Place::Groups,
            Line::Dashes => self.place = Place::Entries,
            Line::Table(number) => {
                self.tables += 1;
                self.place = Place::EntryHead;
                if self.tables > 1 || number > 0 {
                    let (what, remedy) = (
                        "a switch with several tables (PLFT_NUM)",
                        "which one a packet uses is not in the file; give a dump of a fabric \
                         with one table per switch",
                    );
                    return Err(text.fail(Problem::Unsupported { what, remedy }));
                }
            }
            Line::Group(group, weighted, ports) => {
                self.weighted |= weighted;
                let own = self.current.groups.entry(group).or_default();
                own.extend(ports);
                own.sort_unstable();
                own.dedup();
            }
            Line::Entry(lid, port, group) => {
                self.collector.add(lid, port, text)?;
                if let Some(group) = group {
                    if self.current.groups.get(&group).is_none_or(Vec::is_empty) {
                        let problem = Problem::NoPorts { lid, group };
                        return Err(text.fail(problem));
                    }
                    self.current.lids.push((lid, group));
                }
            }
        }
        Ok(())
    }

    /// Ends the part of a switch.
    fn end(&mut self, text: &TextFile) -> Result<(), ImportError> {
        if self.place == Place::Start {
            return Ok(());
        }
        if self.place != Place::Entries {
            return Err(text.fail(Problem::NoTable { guid: self.switch }));
        }
        self.collector.close();
        let mut current = std::mem::take(&mut self.current);
        current.lids.sort_unstable();
        if let Some(two) = current.lids.windows(2).find(|two| two[0].0 == two[1].0) {
            let found =
                format!("LID {:#06x} twice in the table of {:#018x}", two[0].0, self.switch);
            return Err(text.fail(Problem::syntax(&found, "every LID once")));
        }
        self.choices.insert(self.switch, current);
        Ok(())
    }
}

fn parse(line: &str, place: Place) -> Result<Line, Problem> {
    let line = line.trim();
    let bad = || Problem::syntax(line, EXPECTED);
    if line.is_empty() || line.starts_with('#') {
        return Ok(Line::Nothing);
    }
    if let Some(guid) = line.strip_prefix("Switch ") {
        let mut words = guid.split(|c: char| c.is_whitespace() || c == ':' || c == ',');
        let digits = words.find_map(|word| word.strip_prefix("0x")).ok_or_else(bad)?;
        return u64::from_str_radix(digits, 16).map(Line::Switch).map_err(|_| bad());
    }
    if let Some(table) = line.split("PLFT_NUM:").nth(1) {
        let number = table.trim().split(',').next().unwrap_or("").trim();
        return number.parse().map(Line::Table).map_err(|_| bad());
    }
    match place {
        Place::Start if line.starts_with("File version") => Ok(Line::Nothing),
        Place::Start => Err(bad()),
        _ if line.starts_with("Groups Definition:") => Ok(Line::Groups),
        _ if line.starts_with("LFT Definition:") => Ok(Line::Entries),
        _ if line.bytes().all(|byte| byte == b'-') => Ok(Line::Dashes),
        Place::Switch => Ok(Line::Nothing),
        Place::GroupHead if line.starts_with("Group") => Ok(Line::Nothing),
        Place::EntryHead if line.starts_with("LID") => Ok(Line::Nothing),
        Place::Groups => group(line).ok_or_else(bad),
        Place::Entries => entry(line).ok_or_else(bad),
        Place::GroupHead | Place::EntryHead => Err(bad()),
    }
}

/// `1 0 0 17,18,`: group, sub group, whether weighted, ports.
fn group(line: &str) -> Option<Line> {
    let mut words = line.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let _sub_group: u16 = words.next()?.parse().ok()?;
    let weighted: u16 = words.next()?.parse().ok()?;
    let ports = words.flat_map(|word| word.split(',')).filter(|port| !port.is_empty());
    let ports: Option<Vec<u8>> = ports.map(|port| port.parse().ok()).collect();
    Some(Line::Group(number, weighted > 0, ports?))
}

/// `0x0009 17 Free 1`: LID, static port, state, group.
fn entry(line: &str) -> Option<Line> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (lid, port, state, group) = match words[..] {
        [lid, port, state, group] => (lid, port, state, Some(group.parse().ok()?)),
        [lid, port, state] => (lid, port, state, None),
        _ => return None,
    };
    let lid = u16::from_str_radix(lid.strip_prefix("0x")?, 16).ok()?;
    let group = match state {
        "Static" => None,
        "Free" | "HBF" => Some(group?),
        _ => return None,
    };
    Some(Line::Entry(lid, port.parse().ok()?, group))
}
