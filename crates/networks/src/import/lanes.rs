//! Virtual lanes as OpenSM dumps them: service levels of pairs, and the lane that each port gives a level.
//!
//! `opensm-path-records.dump`, of OpenSM's plug-in that dumps path records, has a part per source port:
//!
//! ```text
//! Channel Adapter 0x0002c90300000001, base LID 1, "host-0", port 1
//! # LID  : SL : MTU : RATE
//! 0x0002 : 3  : 4   : 7
//! 0x0003 : UNREACHABLE
//! ```
//!
//! `opensm-sl2vl.dump` has a part per host and per switch, with the lanes of the levels 0 to 15 from port to port:
//!
//! ```text
//! Switch 0x0002c902000000f1, base LID 33, "sw-1-0"
//! #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//! 1   4   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7
//! ```

use std::collections::HashMap;

use super::text::TextFile;
use super::{ImportError, Problem};
use crate::limit::within;

/// Maximum number of entries of a file.
const MAX_ENTRIES: u64 = 1 << 26;
/// Number of service levels.
const LEVELS: usize = 16;

const RECORDS: &str =
    "`Channel Adapter 0x…, base LID 1, …`, or an entry such as `0x0002 : 3  : 4   : 7` below it";
const TABLES: &str = "`Switch 0x…, base LID 33, …`, or an entry such as `1   4   : 0  1  2 …` with 16 lanes below it";

/// The service level of every pair of a source's base LID and a destination's LID.
#[derive(Clone, Debug, Default)]
pub struct ServiceLevels(HashMap<(u16, u16), u8>);

impl ServiceLevels {
    /// The level from a source, by its base LID, to a LID.
    #[must_use]
    pub fn of(&self, source: u16, destination: u16) -> Option<u8> {
        self.0.get(&(source, destination)).copied()
    }
}

/// The virtual lanes of service levels, by node and ports.
#[derive(Clone, Debug, Default)]
pub struct LaneTables(HashMap<(u16, u32, u32), [u8; LEVELS]>);

impl LaneTables {
    /// The lane that the node with a base LID gives a level from one port to another; both are 0 at a host.
    #[must_use]
    pub fn of(&self, lid: u16, ports: (u32, u32), level: u8) -> Option<u8> {
        self.0.get(&(lid, ports.0, ports.1))?.get(usize::from(level)).copied()
    }
}

/// Reads service levels from `opensm-path-records.dump`. O(size of the file).
///
/// # Errors
/// [`ImportError`]: the file cannot be read, or has a line that the format does not have.
pub fn service_levels(path: &str) -> Result<ServiceLevels, ImportError> {
    let mut levels = HashMap::new();
    read(path, RECORDS, |source, line| {
        let mut cells = line.split(':').map(str::trim);
        let destination = u16::from_str_radix(cells.next()?.strip_prefix("0x")?, 16).ok()?;
        let level = cells.next()?;
        if level != "UNREACHABLE" {
            levels.insert((source, destination), below_16(level)?);
        }
        Some(())
    })?;
    Ok(ServiceLevels(levels))
}

/// Reads the lanes of service levels from `opensm-sl2vl.dump`. O(size of the file).
///
/// # Errors
/// As [`service_levels`].
pub fn lane_tables(path: &str) -> Result<LaneTables, ImportError> {
    let mut tables = HashMap::new();
    read(path, TABLES, |lid, line| {
        let (ports, lanes) = line.split_once(':')?;
        let mut ports = ports.split_whitespace().map(str::parse);
        let ports = (ports.next()?.ok()?, ports.next()?.ok()?);
        let lanes: Vec<u8> = lanes.split_whitespace().map(below_16).collect::<Option<_>>()?;
        tables.insert((lid, ports.0, ports.1), lanes.try_into().ok()?);
        Some(())
    })?;
    Ok(LaneTables(tables))
}

/// A level or a lane.
fn below_16(text: &str) -> Option<u8> {
    text.parse().ok().filter(|number| usize::from(*number) < LEVELS)
}

/// Reads the entries of all parts, each with the base LID at the head of its part; `take` returns `None` for what is
/// not an entry.
fn read(
    path: &str,
    expected: &'static str,
    mut take: impl FnMut(u16, &str) -> Option<()>,
) -> Result<(), ImportError> {
    let mut text = TextFile::open(path)?;
    let (mut part, mut entries) = (None, 0_u64);
    while let Some(line) = text.next_line()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(lid) = head(line) {
            part = Some(lid);
        } else if part.and_then(|lid| take(lid, line)).is_none() {
            let problem = Problem::syntax(line, expected);
            return Err(text.fail(problem));
        } else {
            entries += 1;
            within("number of entries", Some(entries.into()), MAX_ENTRIES, "use a smaller fabric")?;
        }
    }
    if part.is_none() {
        return Err(text.fail(Problem::syntax("", expected)));
    }
    Ok(())
}

/// Whether a file that starts so has such parts.
pub(super) fn detect(start: &str) -> bool {
    start
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .is_some_and(|line| head(line).is_some())
}

/// The base LID at the head of a part.
fn head(line: &str) -> Option<u16> {
    let kinds = ["Channel Adapter 0x", "Switch 0x", "Router 0x"];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    let (_, rest) = rest.split_once(", base LID ")?;
    rest.split(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn levels_and_lanes_are_read() {
        let records = file(
            "Channel Adapter 0x0002c90300000001, base LID 1, \"host-0\", port 1\n# LID  : SL : MTU : RATE\n\
             0x0002 : 3  : 4   : 7   \n0x0003 : UNREACHABLE\n\n\
             Switch 0x0002c902000000f1, base LID 33, \"a, base LID 9\", port 0\n0x0001 : 15 : 4   : 7\n",
        );
        let levels = service_levels(records.path().to_str().unwrap()).unwrap();
        assert_eq!([levels.of(1, 2), levels.of(1, 3), levels.of(33, 1)], [Some(3), None, Some(15)]);
        let tables = file(
            "Switch 0x0002c902000000f1, base LID 33, \"sw-1-0\"\n#in out : 0  1  2\n#-----\n\
             1   4   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  15 \n",
        );
        let lanes = lane_tables(tables.path().to_str().unwrap()).unwrap();
        assert_eq!([lanes.of(33, (1, 4), 9), lanes.of(33, (1, 4), 15)], [Some(1), Some(15)]);
        assert_eq!(lanes.of(33, (4, 1), 0), None);
    }

    #[test]
    fn what_is_not_the_format_is_refused() {
        let head = "Switch 0x1, base LID 33, \"sw\"\n";
        for bad in
            ["", "0x0001 : 1 : 4 : 7\n", &format!("{head}0x0001 : 16 : 4 : 7\n"), "Switch 0x1\n"]
        {
            let refused = service_levels(file(bad).path().to_str().unwrap()).unwrap_err();
            assert!(matches!(refused, ImportError::Content { .. }), "{refused}");
        }
        for bad in ["1 4 : 0 1 2\n", "1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n", "1 4 0 1\n"] {
            let refused = lane_tables(file(&format!("{head}{bad}")).path().to_str().unwrap());
            assert!(refused.is_err(), "{bad}");
        }
    }
}
