//! A table of the page: its rows are in the page whether or not a script runs, which then sorts and filters them.

use askama::Template;

/// Rows from which a table can be searched.
const SEARCHED: usize = 9;

/// A column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    name: &'static str,
    is_number: bool,
}

/// A table.
#[derive(Clone, Debug, Template)]
#[template(path = "table.html")]
pub(super) struct Table {
    id: String,
    caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    /// Rows that are left out.
    more: usize,
}

impl Column {
    /// Words, sorted as such.
    pub(super) const fn text(name: &'static str) -> Self {
        Self { name, is_number: false }
    }

    /// Numbers, sorted by value.
    pub(super) const fn number(name: &'static str) -> Self {
        Self { name, is_number: true }
    }
}

impl Table {
    /// A table with at most `most` rows. `id` is unique on the page.
    pub(super) fn of(
        id: String,
        caption: &str,
        columns: &[Column],
        rows: impl Iterator<Item = Vec<String>>,
        most: usize,
    ) -> Self {
        let mut all = rows.fuse();
        let rows: Vec<Vec<String>> = all.by_ref().take(most).collect();
        let more = all.count();
        let (caption, columns) = (caption.to_string(), columns.to_vec());
        Self { id, caption, columns, rows, more }
    }

    fn is_searched(&self) -> bool {
        self.rows.len() >= SEARCHED
    }
}
