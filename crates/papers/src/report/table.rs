//! Tables for terminals, Markdown pages and CSV files.

use std::io;

use comfy_table::{CellAlignment, ColumnConstraint, Table, presets};

/// A plain table, right-aligned, without trailing spaces, the same on every terminal.
#[must_use]
pub fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    filled(presets::NOTHING, head, rows).trim_fmt()
}

/// Formats rows as a Markdown table. Where a line would be longer than 120 columns, cells are as long as their text.
///
/// ```
/// # use routebound_papers as routebound;
/// let rows = [vec!["FT(4,2)".to_string(), "2".to_string()]].into_iter();
/// let text = routebound::report::table::markdown(&["tree", "ratio"], rows);
/// assert_eq!(text, "|    tree | ratio |\n|---------|-------|\n| FT(4,2) |     2 |\n");
/// ```
#[must_use]
pub fn markdown(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let text = filled(presets::ASCII_MARKDOWN, head, rows.iter().cloned()).trim_fmt() + "\n";
    let width = text.lines().next().map_or(0, |line| line.chars().count());
    if width > WIDEST { unpadded(head, "--:", &rows) } else { text }
}

/// Formats rows of sentences as a Markdown table, left-aligned, with cells as long as their text.
#[must_use]
pub fn markdown_of_text(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    unpadded(head, "---", &rows.collect::<Vec<_>>())
}

/// Maximum width of a table with padded cells.
const WIDEST: usize = 120;

fn unpadded(head: &[&str], alignment: &str, rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| -> String {
        cells.fold("|".to_string(), |line, cell| line + " " + cell + " |") + "\n"
    };
    let head = line(&mut head.iter().copied()) + &line(&mut head.iter().map(|_| alignment));
    rows.iter().fold(head, |text, row| text + &line(&mut row.iter().map(String::as_str)))
}

/// Formats rows as a CSV file.
///
/// # Errors
/// When a row has another number of cells than the header.
///
/// ```
/// # use routebound_papers as routebound;
/// let rows = [vec!["FT(4,2)".to_string(), "2".to_string()]].into_iter();
/// let bytes = routebound::report::table::csv(&["tree", "ratio"], rows)?;
/// assert_eq!(bytes, b"tree,ratio\n\"FT(4,2)\",2\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn csv(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(head)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn filled(
    style: comfy_table::TableStyle,
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> Table {
    let mut table = Table::new();
    table.load_style(style).set_header(head.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_do_not_pad_others() {
        let row = |text: &str| vec![text.to_string(), "1".to_string()];
        let long = "x".repeat(150);
        let text = markdown(&["what", "count"], [row("a"), row(&long)].into_iter());
        assert_eq!(text, format!("| what | count |\n| --: | --: |\n| a | 1 |\n| {long} | 1 |\n"));
    }
}
