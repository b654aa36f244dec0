//! The tables on jobs: what can happen to each, and its collectives by order of ranks.

use super::table::{Column, Table};
use crate::report::fabric::{JobReport, WorstLoadReport};
use crate::report::{JobsReport, shown, shown_bounds};

/// Maximum number of rows of a table.
const ROWS: usize = 500;

/// The tables of one set of tables; none where no jobs were given.
pub(super) fn tables(id: &str, report: Option<&JobsReport>) -> Vec<Table> {
    let Some(report) = report else { return Vec::new() };
    let mut tables = vec![loads(id, report)];
    let has_orders = report.jobs.iter().any(|job| !job.collectives.is_empty());
    if has_orders {
        tables.extend([orders(id, report), phases(id, report)]);
    }
    tables
}

fn loads(id: &str, report: &JobsReport) -> Table {
    let columns = [
        Column::text("job"),
        Column::number("nodes"),
        Column::text("traffic"),
        Column::number("alone"),
        Column::number("beside others"),
        Column::text("worst link"),
        Column::text("loaded by"),
    ];
    let rows = report.jobs.iter().flat_map(|job| {
        let of_exchange = job.loads.iter().map(|of| {
            let worst = of.beside.as_ref().or(of.alone.as_ref());
            let link = worst.map_or_else(String::new, |worst| worst.link.clone());
            let parts = worst.map_or_else(String::new, parts);
            let traffic = of.exchange.name().to_string();
            let size = job.nodes.to_string();
            let [alone, beside] = [&of.alone, &of.beside].map(|found| load(found.as_ref()));
            vec![job.name.clone(), size, traffic, alone, beside, link, parts]
        });
        let all_to_all = job.all_to_all.iter().map(|phase| {
            let link = phase.link.clone().unwrap_or_default();
            let (size, load) = (job.nodes.to_string(), shown(&phase.load));
            vec![job.name.clone(), size, phase.name.clone(), load, "-".into(), link, String::new()]
        });
        of_exchange.chain(all_to_all).collect::<Vec<_>>()
    });
    Table::of(format!("{id}-jobs"), "Jobs by worst load", &columns, rows, ROWS)
}

fn load(found: Option<&WorstLoadReport>) -> String {
    found.map_or_else(|| "-".to_string(), |found| shown_bounds(&found.load))
}

fn parts(worst: &WorstLoadReport) -> String {
    let parts = worst.parts.iter().map(|(job, load)| format!("{job}: {}", shown(load)));
    parts.collect::<Vec<_>>().join(", ")
}

fn orders(id: &str, report: &JobsReport) -> Table {
    let columns = [
        Column::text("job"),
        Column::text("collective"),
        Column::number("time as listed"),
        Column::number("best"),
        Column::number("worst"),
        Column::number("max load as listed"),
        Column::number("best"),
        Column::number("worst"),
        Column::text("best order of ranks"),
    ];
    let of_job = |job: &JobReport| {
        let row = |of: &crate::report::fabric::CollectiveReport| {
            let costs = [&of.listed, &of.best.cost, &of.worst.cost];
            let times = costs.iter().map(|cost| shown(&cost.time));
            let loads = costs.iter().map(|cost| shown(&cost.most));
            let order = crate::jobs::compact(of.best.nodes.iter().map(String::as_str));
            let names = [job.name.clone(), of.collective.clone()];
            names.into_iter().chain(times).chain(loads).chain([order]).collect()
        };
        job.collectives.iter().map(row).collect::<Vec<Vec<String>>>()
    };
    let rows = report.jobs.iter().flat_map(of_job);
    Table::of(format!("{id}-orders"), "Collectives by order of ranks", &columns, rows, ROWS)
}

fn phases(id: &str, report: &JobsReport) -> Table {
    let columns = [
        Column::text("job"),
        Column::text("collective"),
        Column::text("phase"),
        Column::number("size"),
        Column::number("load as listed"),
        Column::number("best"),
        Column::number("worst"),
    ];
    let of_job = |job: &JobReport| {
        let of = job.collectives.iter().flat_map(|of| {
            of.phases.iter().map(|phase| {
                let names = [job.name.clone(), of.collective.clone(), phase.name.clone()];
                let numbers = [&phase.size, &phase.listed, &phase.best, &phase.worst];
                names.into_iter().chain(numbers.map(shown)).collect()
            })
        });
        of.collect::<Vec<Vec<String>>>()
    };
    let rows = report.jobs.iter().flat_map(of_job);
    Table::of(format!("{id}-phases"), "Phases of collectives", &columns, rows, ROWS)
}
