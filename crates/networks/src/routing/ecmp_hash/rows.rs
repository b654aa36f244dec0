//! CSV files about switches, row by row.

use csv::{Position, ReaderBuilder, StringRecord};

use super::super::RoutingError;
use super::super::lft::refused;
use super::super::table::NodeNames;
use crate::import::text::TextFile;
use crate::limit::within;
use crate::quote::quote;
use crate::topology::{NodeId, Topology};

/// Maximum number of rows of a file.
const MAX_ROWS: u64 = 1 << 24;

/// The error for a line of a file.
pub(super) fn wrong(path: &str, line: u64, problem: &str) -> RoutingError {
    RoutingError::Tables(format!("{path}, line {line}: {problem}"))
}

/// Hands over the fields of every row of a file with this header, with the number of its line. Lines that begin with
/// `#` are skipped.
///
/// # Errors
/// [`RoutingError`] with the line that is wrong; also where there are no rows.
pub(super) fn read(
    path: &str,
    header: &[&str],
    mut take: impl FnMut(u64, &[&str]) -> Result<(), String>,
) -> Result<(), RoutingError> {
    let text = TextFile::open(path).map_err(refused)?;
    let mut csv =
        ReaderBuilder::new().has_headers(false).flexible(true).quoting(false).from_reader(text);
    let (mut row, mut has_header, mut rows) = (StringRecord::new(), false, 0);
    loop {
        let line = csv.position().line();
        let more = csv.read_record(&mut row);
        if !more.map_err(|error| RoutingError::Tables(format!("{path}: {error}")))? {
            break;
        }
        let line = row.position().map_or(line, Position::line);
        if row.get(0).is_some_and(|field| field.starts_with('#')) {
            continue;
        }
        let fields: Vec<&str> = row.iter().map(str::trim).collect();
        let wrong = |problem: String| wrong(path, line, &problem);
        if !has_header {
            has_header = fields == header;
            if !has_header {
                return Err(wrong(format!("the header must be `{}`", header.join(","))));
            }
            continue;
        }
        if fields.len() != header.len() {
            let (found, header) = (fields.len(), header.join(","));
            return Err(wrong(format!("{found} columns, expected {header}")));
        }
        take(line, &fields).map_err(wrong)?;
        rows += 1;
        within("rows of a file", Some(rows), MAX_ROWS, "use a part of the network")?;
    }
    if rows == 0 {
        return Err(wrong(path, 1, "there are no rows"));
    }
    Ok(())
}

/// The node that a column names.
pub(super) fn node(names: &NodeNames<'_>, column: &str, text: &str) -> Result<NodeId, String> {
    let unknown = || {
        let hint = names.suggestion(text);
        format!("{column} is `{}`, no node of the network{hint}", quote(text))
    };
    names.node(text).ok_or_else(unknown)
}

/// A node's name in messages.
pub(super) fn name(topology: &Topology, node: NodeId) -> String {
    quote(&topology.node(node).name)
}
