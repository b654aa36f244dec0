//! The section on the shape: levels, speeds, what differs, rails; and the drawing where no tables were examined.

use askama::Template;

use super::drawing::Drawing;
use super::drawn::DrawnNetwork;
use super::fold::Fold;
use super::section::Section;
use super::table::{Column, Table};
use super::{FabricPage, PageError};
use crate::report::fabric::FabricShape;

/// Maximum number of rows of a table.
const ROWS: usize = 300;

/// Names of cables, nodes or leaf switches in a cell.
const NAMED: usize = 12;

#[derive(Template)]
#[template(path = "shape.html")]
struct ShapeBody {
    drawing: Option<Drawing>,
    tables: Vec<Table>,
}

/// The shape of the fabric.
pub(super) fn section(page: &FabricPage<'_>) -> Result<Section, PageError> {
    let shape = &page.report.shape;
    let drawing = page.pictures.is_empty().then(|| {
        let network = DrawnNetwork::of(page.topology, None);
        let fold = Fold::readable(&network);
        Drawing::of("network".into(), "The network", page.topology, &network, &fold)
    });
    let tables = levels(shape).into_iter().chain(speeds(shape)).chain(differences(shape));
    let body = ShapeBody { drawing, tables: tables.chain(rails(shape)).collect() };
    Section::of("shape", "Shape", &body)
}

fn levels(shape: &FabricShape) -> Option<Table> {
    let columns = [
        Column::number("level"),
        Column::number("switches"),
        Column::number("hosts"),
        Column::number("cables down"),
        Column::number("cables up"),
        Column::text("switches above"),
        Column::number("cables across"),
        Column::number("down:up"),
    ];
    let rows = shape.levels.iter().rev().map(|level| {
        let taper = level.taper.as_ref().map_or_else(String::new, |taper| format!("{taper}:1"));
        let above = level.above().unwrap_or_default();
        let numbers = [level.switches, level.hosts, level.cables_down, level.cables_up];
        let numbers = numbers.iter().map(ToString::to_string);
        let rest = [above, level.cables_across.to_string(), taper];
        [level.level.to_string()].into_iter().chain(numbers).chain(rest).collect()
    });
    let table = Table::of("levels".into(), "Levels", &columns, rows, ROWS);
    (!shape.levels.is_empty()).then_some(table)
}

fn speeds(shape: &FabricShape) -> Option<Table> {
    let columns = [
        Column::number("level"),
        Column::number("capacity"),
        Column::number("cables"),
        Column::text("unlike the others"),
        Column::text("which"),
    ];
    let rows = shape.speeds.iter().map(|speed| {
        let odd = if speed.odd { "yes" } else { "no" };
        let numbers = [speed.level.to_string(), speed.capacity.to_string()];
        let rest = [speed.cables.to_string(), odd.to_string(), named(&speed.names)];
        numbers.into_iter().chain(rest).collect()
    });
    let table = Table::of("speeds".into(), "Speeds of cables", &columns, rows, ROWS);
    (!shape.speeds.is_empty()).then_some(table)
}

fn differences(shape: &FabricShape) -> Option<Table> {
    let columns = [
        Column::text("kind"),
        Column::text("where"),
        Column::number("found"),
        Column::number("usual"),
    ];
    let rows = shape.differences.iter().map(|one| {
        let (kind, place) = (one.kind.replace('-', " "), one.nodes.join(" – "));
        vec![kind, place, one.found.to_string(), one.usual.to_string()]
    });
    let table =
        Table::of("differences".into(), "What differs from the shape", &columns, rows, ROWS);
    (!shape.differences.is_empty()).then_some(table)
}

fn rails(shape: &FabricShape) -> Option<Table> {
    let columns = [
        Column::number("nodes"),
        Column::text("which"),
        Column::number("adapters"),
        Column::text("their leaf switches"),
    ];
    let rows = shape.rail_groups.iter().map(|group| {
        let leaves = group.leaves.iter().map(|(device, leaf)| format!("{device} at {leaf}"));
        let leaves: Vec<String> = leaves.collect();
        let count = group.nodes.len().to_string();
        vec![count, named(&group.nodes), group.leaves.len().to_string(), named(&leaves)]
    });
    let caption = "Nodes by the leaf switches of their adapters";
    let table = Table::of("rails".into(), caption, &columns, rows, ROWS);
    (!shape.rail_groups.is_empty()).then_some(table)
}

/// The first names of a list.
fn named(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let text = names[..names.len() - more].join(", ");
    if more > 0 { format!("{text}, … {more} more") } else { text }
}
