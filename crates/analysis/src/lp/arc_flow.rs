//! Optu as one linear program: the arc formulation.
//!
//! A variable is the traffic of one commodity on one link, and a commodity is all traffic of one
//! source: (commodities · links + 1) columns, (commodities · (nodes − 1) + links) rows. Far larger
//! than the master of column generation, and solved in one piece; it is the reference against which
//! column generation is measured.

use super::backend::Model;
use super::program::{Column, ColumnId, LinearProgram, Relation, Settings, check_size};
use super::{LpError, Options};
use crate::optimum::optu::{Found, OptuStats};
use crate::optimum::problem::Problem;
use crate::progress::Progress;
use crate::topology::{LinkId, link_number};

/// Flow below this, in solver floats, counts as zero.
const NOISE: f64 = 1e-13;

/// The linear program of `problem`: column 0 is θ, followed by the traffic of group 0 on every link,
/// that of group 1, and so on; rows 0.. are the links, whose duals are prices.
///
/// # Errors
/// [`crate::limit::TooLarge`] when it has too many rows, columns or coefficients.
pub fn program(problem: &Problem<'_>) -> Result<LinearProgram, crate::limit::TooLarge> {
    let network = problem.network();
    let (links, nodes) = (network.links(), network.nodes());
    let groups = problem.groups().len();
    let columns = groups as u128 * links as u128 + 1;
    check_size((links + groups * nodes) as u128, columns, 3 * columns)?;
    let mut program = LinearProgram::default();
    let theta = program.add_column(Column::positive(1.0));
    let column = |group: usize, link: LinkId| -> ColumnId { 1 + group * links + link as usize };
    for _ in 1..columns {
        program.add_column(Column::positive(0.0));
    }
    for (link, capacity) in (0..).zip(problem.capacity()) {
        let mut row: Vec<_> =
            (0..groups).map(|group| (column(group, link), 1.0 / capacity)).collect();
        row.push((theta, -1.0));
        program.add_row(row, Relation::AtMost, 0.0);
    }
    for (index, group) in problem.groups().iter().enumerate() {
        // Inflow minus outflow at a node is its demand. The row of the source follows from the
        // others.
        let mut rows = vec![(Vec::new(), 0.0); nodes];
        for link in 0..link_number(links) {
            let (tail, head) = network.ends(link);
            rows[tail as usize].0.push((column(index, link), -1.0));
            rows[head as usize].0.push((column(index, link), 1.0));
        }
        for (d, units) in &group.sinks {
            rows[*d as usize].1 = problem.amount(*units);
        }
        rows.swap_remove(group.source as usize);
        for (row, demand) in rows {
            program.add_row(row, Relation::Equal, demand);
        }
    }
    Ok(program)
}

/// Solves `problem` in one piece, or as far as `progress` allows.
pub(super) fn solve(
    problem: &Problem<'_>,
    options: &Options,
    progress: &Progress,
) -> Result<(Found, OptuStats), LpError> {
    let program = program(problem)?;
    let mut stats = OptuStats {
        method: "arc flow",
        rows: program.rows.len(),
        columns: program.columns.len(),
        nonzeros: program.coefficients(),
        rounds: 1,
        ..OptuStats::default()
    };
    let seconds = progress.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
    let settings = Settings { solver: options.solver, seconds, ..Settings::default() };
    let outcome = Model::new(&program, settings)?.solve()?;
    drop(program);
    stats.iterations = outcome.iterations;
    stats.stopped = outcome.limit.is_some();
    let capacity = problem.capacity();
    let duals = outcome.duals.iter().zip(capacity);
    let prices = duals.map(|(dual, capacity)| (-dual).max(0.0) / capacity).collect();
    let flow =
        |group: &[f64]| (0..).zip(group.iter().copied()).filter(|(_, f)| *f > NOISE).collect();
    let flows = outcome.columns[1..].chunks(capacity.len()).map(flow).collect();
    Ok((Found { flows, prices }, stats))
}
