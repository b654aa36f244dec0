//! The first section: the network, the worst of every set of tables, and what to do.

use askama::Template;

use super::section::Section;
use super::table::{Column, Table};
use super::{FabricPage, PageError};
use crate::bounds::Bounds;
use crate::report::fabric::{FabricShape, TablesReport, pods_text};
use crate::report::{counted, shown_bounds};

#[derive(Template)]
#[template(path = "summary.html")]
struct Summary<'a> {
    facts: Vec<(&'static str, String)>,
    tables: Option<Table>,
    advice: &'a [String],
    notes: &'a [String],
}

/// The summary.
pub(super) fn section(page: &FabricPage<'_>) -> Result<Section, PageError> {
    let report = page.report;
    let summary = Summary {
        facts: facts(&report.network, &report.shape),
        tables: (!report.tables.is_empty()).then(|| tables(&report.tables)),
        advice: &report.advice,
        notes: &report.notes,
    };
    Section::of("summary", "Summary", &summary)
}

fn facts(network: &str, shape: &FabricShape) -> Vec<(&'static str, String)> {
    let name = shape.shape.as_deref().unwrap_or("no tree");
    let text = match (&shape.irregular, shape.differences.len()) {
        (Some(reason), _) => format!("irregular: {reason}"),
        (None, 0) => format!("{name}, whole"),
        (None, count) => format!("{name}, but for {}", counted(count, "difference")),
    };
    let switches = if shape.switches == 1 { "switch" } else { "switches" };
    let size = format!(
        "{}, {} {switches}, {}",
        counted(shape.hosts, "host"),
        shape.switches,
        counted(shape.cables, "cable")
    );
    let mut facts = vec![("Network", network.to_string()), ("Shape", text), ("Size", size)];
    for (name, line) in pods_text(&shape.pods, &shape.top_planes) {
        facts.push((if name == "pods" { "Pods" } else { "Top switches" }, line));
    }
    if shape.planes.len() > 1 {
        facts.push(("Planes", format!("{} separate networks", shape.planes.len())));
    }
    if shape.nodes > 0 {
        let kind = shape.rails_kind();
        let nodes = counted(shape.nodes, "node");
        facts.push(("Rails", format!("{kind}: {nodes} with several adapters")));
    }
    facts
}

fn tables(tables: &[TablesReport]) -> Table {
    let columns = [
        Column::text("tables"),
        Column::text("pairs delivered"),
        Column::number("detours"),
        Column::text("credit loop"),
        Column::number("worst permutation load"),
        Column::number("oblivious ratio"),
    ];
    let rows = tables.iter().map(|one| {
        let delivered = match (&one.failure, one.pairs) {
            (Some(_), _) => "refused".to_string(),
            (None, Some(pairs)) => format!("all {pairs}"),
            (None, None) => "not known".to_string(),
        };
        let waits = match one.may_deadlock {
            Some(true) => "LOOP",
            Some(false) => "none",
            None => "not known",
        };
        let detours = one.detours.map_or_else(String::new, |count| count.to_string());
        let [load, ratio] =
            [&one.permutation_load, &one.oblivious_ratio].map(|found| bounds(found.as_ref()));
        vec![one.tables.clone(), delivered, detours, waits.to_string(), load, ratio]
    });
    Table::of("sets".into(), "What the tables guarantee", &columns, rows, usize::MAX)
}

/// Bounds as text; nothing where they are not known.
fn bounds(found: Option<&Bounds>) -> String {
    found.map_or_else(String::new, shown_bounds)
}
