//! The sections on sets of tables: what they do, drawn, counted and listed.

use askama::Template;

use super::drawing::Drawing;
use super::drawn::DrawnNetwork;
use super::fold::{Fold, Grain};
use super::histogram::Histograms;
use super::matrix::Matrix;
use super::picture::TablesPicture;
use super::section::Section;
use super::table::{Column, Table};
use super::{FabricPage, PageError, jobs};
use crate::rational::Rational;
use crate::report::fabric::TablesReport;
use crate::report::{FailureSetsReport, shown, shown_bounds};

/// Maximum number of links that are listed.
const ROWS: usize = 500;

/// Maximum number of unused or crowded links that are listed.
const NAMED: usize = 100;

#[derive(Template)]
#[template(path = "tables.html")]
struct TablesBody<'a> {
    refused: Option<&'a str>,
    facts: Vec<(&'static str, String)>,
    drawings: Vec<Drawing>,
    histograms: Vec<Histograms>,
    matrix: Option<Matrix>,
    tables: Vec<Table>,
    lists: Vec<(String, Vec<String>)>,
    notes: &'a [String],
}

/// A section for every set of tables.
pub(super) fn sections(page: &FabricPage<'_>) -> Result<Vec<Section>, PageError> {
    let sets = page.report.tables.iter().enumerate();
    let several = page.report.tables.len() > 1;
    sets.map(|(at, tables)| {
        let id = format!("set-{}", at + 1);
        let body = body(&id, tables, page.pictures.get(at));
        let heading = format!("Tables: {}", tables.tables);
        let section = Section::of(id, heading, &body)?;
        Ok(Section { is_open: !several || at == 0, ..section })
    })
    .collect()
}

fn body<'a>(id: &str, tables: &'a TablesReport, picture: Option<&TablesPicture>) -> TablesBody<'a> {
    let refused = tables.failure.as_ref().map(|failure| failure.reason.as_str());
    let picture = picture.filter(|_| refused.is_none());
    let drawn = picture.map(|picture| {
        let network = DrawnNetwork::of(&picture.topology, picture.loads.as_deref());
        let fold = Fold::readable(&network);
        (picture, network, fold)
    });
    let drawn = drawn.as_ref();
    let drawings = drawn.map(|(picture, network, fold)| drawings(id, picture, network, fold));
    let matrix = drawn.and_then(|(picture, network, fold)| {
        let worst = picture.permutation.as_ref()?;
        Some(Matrix::of(format!("{id}-matrix"), picture, worst, network, fold))
    });
    let histograms = picture.into_iter().flat_map(|picture| {
        [Histograms::of_loads(picture), Histograms::of_pairs(picture)].into_iter().flatten()
    });
    TablesBody {
        refused,
        facts: facts(tables),
        drawings: drawings.unwrap_or_default(),
        histograms: histograms.collect(),
        matrix,
        tables: listed(id, tables),
        lists: lists(tables),
        notes: &tables.notes,
    }
}

/// The tables: jobs and failures first, which are what was asked for where they were given.
fn listed(id: &str, tables: &TablesReport) -> Vec<Table> {
    let mut listed = jobs::tables(id, tables.jobs.as_ref());
    listed.extend(dangerous(id, tables));
    listed.extend([worst_links(id, tables), usage(id, tables)].into_iter().flatten());
    listed
}

/// The whole network, and the surroundings of the worst link where the whole does not show single switches.
fn drawings(
    id: &str,
    picture: &TablesPicture,
    network: &DrawnNetwork,
    fold: &Fold,
) -> Vec<Drawing> {
    let topology = &*picture.topology;
    let mut drawings = vec![Drawing::of(
        format!("{id}-network"),
        "The network by worst load",
        topology,
        network,
        fold,
    )];
    let is_folded = fold.grain != Grain::Switch;
    if let Some(worst) = network.worst_cable().filter(|_| is_folded) {
        let (id, title) = (format!("{id}-focus"), "Around the worst link");
        drawings.push(Drawing::of(id, title, topology, network, &Fold::focused(network, worst)));
    }
    drawings
}

fn facts(tables: &TablesReport) -> Vec<(&'static str, String)> {
    let copies = tables
        .copies
        .iter()
        .map(|(copy, entries)| ("Same tables", format!("{copy} ({entries} entries agree)")));
    let mut facts: Vec<(&str, String)> = copies.collect();
    facts.extend(tables.pairs.map(|pairs| ("Delivered", format!("all {pairs} pairs"))));
    let paths = match (tables.detours, &tables.first_detour) {
        (Some(0), _) => Some("all shortest".to_string()),
        (Some(count), Some(first)) => {
            Some(format!("{count} pairs take detours, the first {first}"))
        }
        _ => None,
    };
    facts.extend(paths.map(|paths| ("Paths", paths)));
    let waits = tables.may_deadlock.map(|may| {
        let (count, links) = (tables.credit_loop.len(), tables.credit_loop.join(", then "));
        if may {
            format!("LOOP of {count} links, unless virtual lanes cut it: {links}")
        } else {
            "no credit loop".to_string()
        }
    });
    facts.extend(waits.map(|waits| ("Credits", waits)));
    for (name, bounds) in [
        ("Worst permutation load", &tables.permutation_load),
        ("Oblivious ratio", &tables.oblivious_ratio),
    ] {
        facts.extend(bounds.as_ref().map(|bounds| (name, shown_bounds(bounds))));
    }
    facts.extend(bisections(tables).map(|text| ("Random bisections", text)));
    let sets = tables.failure_sets.iter();
    facts.extend(sets.flat_map(FailureSetsReport::facts));
    facts
}

fn bisections(tables: &TablesReport) -> Option<String> {
    let found = tables.bisections?;
    let worst = tables.permutation_load.as_ref().map(|load| &load.lower);
    let exact = worst.filter(|worst| !worst.is_zero()).map_or_else(String::new, |worst| {
        let rate = Rational::ONE.to_f64() / worst.to_f64();
        format!("; the worst permutation leaves a pair {rate:.3}")
    });
    Some(format!(
        "a pair gets {:.3} of a host link on average ({:.3} to {:.3}) in {} samples (seed {}), max load {:.1}{exact}",
        found.mean, found.least, found.most, found.samples, found.seed, found.max_load
    ))
}

fn worst_links(id: &str, tables: &TablesReport) -> Option<Table> {
    let columns = [
        Column::text("link"),
        Column::number("worst load"),
        Column::number("pairs"),
        Column::number("destinations"),
    ];
    let rows = tables.worst_links.iter().map(|worst| {
        let pairs = worst.pairs.map_or_else(String::new, |count| count.to_string());
        let destinations = worst.destinations.map_or_else(String::new, |count| count.to_string());
        vec![worst.link.clone(), shown(&worst.load), pairs, destinations]
    });
    let caption = "Links by worst load";
    let table = Table::of(format!("{id}-links"), caption, &columns, rows, ROWS);
    (!tables.worst_links.is_empty()).then_some(table)
}

/// The most dangerous sets of failures.
fn dangerous(id: &str, tables: &TablesReport) -> Vec<Table> {
    let of_size = tables.failure_sets.iter().flat_map(|sets| {
        let ranked = sets.dangerous.iter().filter(|dangerous| !dangerous.sets.is_empty());
        ranked.map(move |dangerous| {
            let caption = format!("Most dangerous {}", sets.dangerous_what(dangerous));
            let (heads, rows) = dangerous.table();
            let column = |head| match head {
                "without" | "on link" => Column::text(head),
                _ => Column::number(head),
            };
            let columns: Vec<Column> = heads.into_iter().map(column).collect();
            let id = format!("{id}-dangerous-{}", dangerous.size);
            Table::of(id, &caption, &columns, rows.into_iter(), ROWS)
        })
    });
    of_size.collect()
}

fn usage(id: &str, tables: &TablesReport) -> Option<Table> {
    let columns = [
        Column::number("level"),
        Column::text("direction"),
        Column::number("links"),
        Column::number("unused"),
        Column::number("min pairs"),
        Column::number("mean"),
        Column::number("max"),
        Column::number("max destinations"),
    ];
    let rows = tables.usage.iter().map(|usage| {
        let mean = usage.mean_pairs();
        let mean = mean.map_or_else(String::new, |mean| format!("{:.1}", mean.to_f64()));
        let numbers = [usage.links as u64, usage.unused as u64, usage.least_pairs];
        let numbers = numbers.iter().map(ToString::to_string).chain([mean]);
        let place = [usage.level.to_string(), usage.direction.to_string()];
        let most = [usage.most_pairs.to_string(), usage.most_destinations.to_string()];
        place.into_iter().chain(numbers).chain(most).collect()
    });
    let table =
        Table::of(format!("{id}-usage"), "Pairs of the links of a level", &columns, rows, ROWS);
    (!tables.usage.is_empty()).then_some(table)
}

/// Links that carry nothing, and those that carry far more than others.
fn lists(tables: &TablesReport) -> Vec<(String, Vec<String>)> {
    let list = |what: &str, links: &[String]| {
        let mut shown: Vec<String> = links.iter().take(NAMED).cloned().collect();
        if links.len() > NAMED {
            shown.push(format!("… {} more", links.len() - NAMED));
        }
        (format!("{} {what} links between switches", links.len()), shown)
    };
    let lists = [list("unused", &tables.unused), list("crowded", &tables.crowded)];
    lists.into_iter().filter(|(_, links)| !links.is_empty()).collect()
}
