//! The section on routings with a formula.

use askama::Template;

use super::section::Section;
use super::table::{Column, Table};
use super::{FabricPage, PageError};
use crate::report::shown_bounds;

#[derive(Template)]
#[template(path = "alternatives.html")]
struct AlternativesBody<'a> {
    on: &'a str,
    table: Table,
}

/// Results of other routings; nothing where none was assessed.
pub(super) fn section(page: &FabricPage<'_>) -> Result<Option<Section>, PageError> {
    let report = page.report;
    if report.alternatives.is_empty() {
        return Ok(None);
    }
    let columns = [
        Column::text("routing"),
        Column::text("paths of a pair"),
        Column::number("worst permutation load"),
        Column::number("oblivious ratio"),
    ];
    let rows = report.alternatives.iter().map(|one| {
        let paths = if one.single_path { "one" } else { "several" };
        let [load, ratio] = [&one.permutation_load, &one.oblivious_ratio].map(shown_bounds);
        vec![one.routing.clone(), paths.to_string(), load, ratio]
    });
    let caption = "Routings by formula";
    let table = Table::of("formulas".into(), caption, &columns, rows, usize::MAX);
    let body = AlternativesBody { on: &report.alternatives_on, table };
    Section::of("alternatives", "Routing by formula", &body).map(Some)
}
