//! HiGHS. The only file that names it or good_lp.
//!
//! Linear programs are stated with good_lp; then its HiGHS model is taken out and everything is read
//! from `highs` itself: good_lp folds several statuses into one, drops the dual bound of an
//! integer program that hit a limit, and cannot extend a solved model. None of their types
//! leaves this file.
//!
//! One thread per model: models are independent, so parallel work solves several at a time.
//!
//! Another solver takes its place here, with tests, in `Cargo.toml`, in `.ci/solver-tools` and in the texts on features
//! in `src/lib.rs` and the README. It has to add columns and rows, restart from a basis, solve integer programs and
//! give duals. `results/adversaries`, `results/theorems.md` and the suites of solvers may change.

use std::time::Instant;

use good_lp::{Expression, ProblemVariables, SolverModel, Variable, variable};
use highs::{HighsModelStatus, HighsSolutionStatus, SolvedModel};

use super::program::{
    Column, ColumnId, Limit, LinearProgram, Outcome, Relation, RowId, Settings, SolveError, Solver,
};
use crate::progress::Progress;

/// First-order methods stop after this many steps, whether they converge or not.
const FIRST_ORDER_STEPS: i32 = 100_000;

/// A linear program inside the solver. It keeps the last basis: after columns or rows are added, the
/// simplex method continues from it.
pub struct Model {
    /// `None` only while a solve runs, and after the solver failed.
    inner: Option<highs::Model>,
    settings: Settings,
    columns: Vec<highs::Col>,
    rows: Vec<highs::Row>,
    /// Whether the right-hand sides admit 0, the only point of a linear program without columns.
    zero_feasible: bool,
    integer: bool,
    /// Seconds spent in all solves: the solver's clock keeps running from one to the next.
    spent: f64,
}

impl Model {
    /// Hands `program` to the solver. O(coefficients).
    ///
    /// # Errors
    /// [`SolveError::Refused`] when a number is not acceptable.
    pub fn new(program: &LinearProgram, settings: Settings) -> Result<Self, SolveError> {
        let finite = program.rows.iter().all(|row| {
            row.right.is_finite() && row.coefficients.iter().all(|(_, value)| value.is_finite())
        });
        if !finite || program.columns.iter().any(|c| !c.cost.is_finite() || c.lower > c.upper) {
            return Err(SolveError::Refused("the linear program"));
        }
        let inner = stated(program)?;
        let mut model = Self {
            inner: Some(inner),
            settings,
            columns: column_handles(program.columns.len()),
            rows: row_handles(program.rows.len()),
            zero_feasible: program.rows.iter().all(|row| admits_zero(row.relation, row.right)),
            integer: program.columns.iter().any(|column| column.integer),
            spent: 0.0,
        };
        model.configure()?;
        Ok(model)
    }

    /// Adds a column with its coefficients in existing rows.
    ///
    /// # Errors
    /// [`SolveError::Refused`] when a number is not acceptable or a row does not exist.
    pub fn add_column(
        &mut self,
        column: Column,
        coefficients: &[(RowId, f64)],
    ) -> Result<ColumnId, SolveError> {
        let refused = SolveError::Refused("a column");
        let factors = coefficients.iter().map(|(row, value)| Some((*self.rows.get(*row)?, *value)));
        let factors: Vec<_> = factors.collect::<Option<_>>().ok_or(refused)?;
        let inner = self.inner.as_mut().ok_or(refused)?;
        let added = inner.try_add_column_with_integrality(
            column.cost,
            column.lower..=column.upper,
            factors,
            column.integer,
        );
        self.columns.push(added.map_err(|_| refused)?);
        self.integer |= column.integer;
        Ok(self.columns.len() - 1)
    }

    /// Adds a row over existing columns.
    ///
    /// # Errors
    /// [`SolveError::Refused`] when a number is not acceptable or a column does not exist.
    pub fn add_row(
        &mut self,
        coefficients: &[(ColumnId, f64)],
        relation: Relation,
        right: f64,
    ) -> Result<RowId, SolveError> {
        let refused = SolveError::Refused("a row");
        let factors = coefficients.iter().map(|(c, value)| Some((*self.columns.get(*c)?, *value)));
        let factors: Vec<_> = factors.collect::<Option<_>>().ok_or(refused)?;
        let inner = self.inner.as_mut().ok_or(refused)?;
        let added = match relation {
            Relation::AtMost => inner.try_add_row(..=right, factors),
            Relation::AtLeast => inner.try_add_row(right.., factors),
            Relation::Equal => inner.try_add_row(right..=right, factors),
        };
        self.rows.push(added.map_err(|_| refused)?);
        self.zero_feasible &= admits_zero(relation, right);
        Ok(self.rows.len() - 1)
    }

    /// Changes the cost of a column.
    ///
    /// # Errors
    /// [`SolveError::Refused`] when the column does not exist or the cost is not finite.
    pub fn change_cost(&mut self, column: ColumnId, cost: f64) -> Result<(), SolveError> {
        let column = self.columns.get(column).filter(|_| cost.is_finite());
        match (column, self.inner.as_mut()) {
            (Some(column), Some(inner)) => {
                inner.change_column_cost(*column, cost);
                Ok(())
            }
            _ => Err(SolveError::Refused("a cost")),
        }
    }

    /// Chooses the algorithm of the next solves.
    pub fn choose(&mut self, solver: Solver) {
        self.settings.solver = solver;
    }

    /// Seconds in all solves so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// Numbers of rows and of columns.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.rows.len(), self.columns.len())
    }

    /// Solves, starting from the last basis if there is one.
    ///
    /// # Errors
    /// [`SolveError`] when there is no optimum or the solver failed; a limit is not an error.
    pub fn solve(&mut self) -> Result<Outcome, SolveError> {
        if self.columns.is_empty() {
            return self.without_columns();
        }
        self.configure()?;
        let inner = self.inner.take().ok_or(SolveError::Failed("after an earlier failure"))?;
        let begun = Instant::now();
        let solved = inner.try_solve().map_err(|_| SolveError::Failed("error return"))?;
        let seconds = begun.elapsed().as_secs_f64();
        self.spent += seconds;
        let outcome = read(&solved, self.settings.solver, self.integer);
        self.inner = Some(highs::Model::from(solved));
        outcome.map(|outcome| Outcome { seconds, ..outcome })
    }

    /// Solves slice by slice of time until there is an optimum, whose iterations are added to `iterations`; `None`
    /// when the work has to end first.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn optimum(
        &mut self,
        progress: &Progress,
        iterations: &mut u64,
    ) -> Result<Option<Outcome>, SolveError> {
        loop {
            if progress.cancelled() {
                return Ok(None);
            }
            let outcome = self.solve()?;
            *iterations += outcome.iterations;
            match outcome.limit {
                None => return Ok(Some(outcome)),
                Some(Limit::Time) => {}
                Some(_) => return Ok(None),
            }
        }
    }

    fn without_columns(&self) -> Result<Outcome, SolveError> {
        let outcome = Outcome {
            limit: None,
            feasible: true,
            objective: 0.0,
            columns: Vec::new(),
            duals: vec![0.0; self.rows.len()],
            reduced_costs: Vec::new(),
            dual_bound: None,
            iterations: 0,
            seconds: 0.0,
        };
        if self.zero_feasible { Ok(outcome) } else { Err(SolveError::Infeasible) }
    }

    fn configure(&mut self) -> Result<(), SolveError> {
        let Settings { solver, tolerance, presolve, seconds, mip_gap } = self.settings;
        let refused = |_| SolveError::Refused("an option");
        let model = self.inner.as_mut().ok_or(SolveError::Failed("after an earlier failure"))?;
        let (name, strategy, crossover) = match solver {
            Solver::Choose => ("choose", 1, "on"),
            Solver::Simplex => ("simplex", 1, "on"),
            Solver::PrimalSimplex => ("simplex", 4, "on"),
            Solver::InteriorPoint => ("ipm", 1, "on"),
            Solver::InteriorPointOnly => ("ipm", 1, "off"),
            Solver::Pdlp => ("pdlp", 1, "off"),
            Solver::HiPdlp => ("hipdlp", 1, "off"),
        };
        // Integer programs have their own algorithm; this one is for their relaxations.
        model.try_set_option("solver", name).map_err(refused)?;
        model.try_set_option("simplex_strategy", strategy).map_err(refused)?;
        model.try_set_option("run_crossover", crossover).map_err(refused)?;
        model
            .try_set_option("presolve", if presolve { "choose" } else { "off" })
            .map_err(refused)?;
        model.try_set_option("threads", 1).map_err(refused)?;
        model.try_set_option("parallel", "off").map_err(refused)?;
        model.try_set_option("random_seed", 0).map_err(refused)?;
        let feasibility = ["primal_feasibility_tolerance", "dual_feasibility_tolerance"];
        for option in feasibility.into_iter().chain(["pdlp_optimality_tolerance"]) {
            model.try_set_option(option, tolerance).map_err(refused)?;
        }
        model.try_set_option("pdlp_iteration_limit", FIRST_ORDER_STEPS).map_err(refused)?;
        model.try_set_option("mip_rel_gap", mip_gap).map_err(refused)?;
        let until = self.spent + seconds.max(0.0);
        model.try_set_option("time_limit", until).map_err(refused)
    }
}

/// The linear program as a HiGHS model.
fn stated(program: &LinearProgram) -> Result<highs::Model, SolveError> {
    let mut variables = ProblemVariables::new();
    let handles: Vec<Variable> = program
        .columns
        .iter()
        .map(|column| {
            let definition = variable().min(column.lower).max(column.upper);
            variables.add(if column.integer { definition.integer() } else { definition })
        })
        .collect();
    let refused = SolveError::Refused("the linear program");
    let costs = program.columns.iter().map(|column| column.cost).enumerate();
    let cost = sum(&handles, costs.filter(|(_, cost)| *cost != 0.0)).ok_or(refused)?;
    let mut problem = variables.minimise(cost).using(good_lp::highs);
    for row in &program.rows {
        let left = sum(&handles, row.coefficients.iter().copied()).ok_or(refused)?;
        problem.add_constraint(match row.relation {
            Relation::AtMost => left.leq(row.right),
            Relation::AtLeast => left.geq(row.right),
            Relation::Equal => left.eq(row.right),
        });
    }
    problem.try_into_inner().map_err(|_| refused)
}

fn sum(
    handles: &[Variable],
    mut coefficients: impl Iterator<Item = (ColumnId, f64)>,
) -> Option<Expression> {
    coefficients.try_fold(Expression::default(), |mut sum, (column, value)| {
        sum.add_mul(value, *handles.get(column)?);
        Some(sum)
    })
}

/// Handles for the columns that good_lp created: `highs` has no other way to name them.
fn column_handles(count: usize) -> Vec<highs::Col> {
    let mut numbering = highs::RowProblem::default();
    (0..count).map(|_| numbering.add_column(0.0, 0.0..)).collect()
}

/// Handles for the rows that good_lp created.
fn row_handles(count: usize) -> Vec<highs::Row> {
    let mut numbering = highs::ColProblem::default();
    (0..count).map(|_| numbering.add_row(0.0..)).collect()
}

fn admits_zero(relation: Relation, right: f64) -> bool {
    match relation {
        Relation::AtMost => right >= 0.0,
        Relation::AtLeast => right <= 0.0,
        Relation::Equal => right == 0.0,
    }
}

fn read(solved: &SolvedModel, by: Solver, integer: bool) -> Result<Outcome, SolveError> {
    let limit = match solved.status() {
        // First-order methods measure their accuracy in another way than HiGHS does afterwards.
        HighsModelStatus::Unknown if matches!(by, Solver::Pdlp | Solver::HiPdlp) => None,
        status => limit_of(status)?,
    };
    let solution = solved.get_solution();
    let dual_bound = solved.double_info_value(c"mip_dual_bound").ok();
    let iterations = [
        solved.simplex_iteration_count(),
        solved.ipm_iteration_count(),
        solved.pdlp_iteration_count(),
        solved.crossover_iteration_count(),
    ];
    Ok(Outcome {
        limit,
        feasible: solved.primal_solution_status() == HighsSolutionStatus::Feasible,
        objective: solved.objective_value(),
        columns: solution.columns().to_vec(),
        duals: solution.dual_rows().to_vec(),
        reduced_costs: solution.dual_columns().to_vec(),
        dual_bound: dual_bound.filter(|_| integer),
        iterations: iterations.iter().map(|count| u64::try_from(*count).unwrap_or(0)).sum(),
        seconds: 0.0,
    })
}

/// Interprets the status of HiGHS: the limit that was hit, if any, or why there is no result.
fn limit_of(status: HighsModelStatus) -> Result<Option<Limit>, SolveError> {
    match status {
        HighsModelStatus::Optimal => Ok(None),
        HighsModelStatus::ReachedTimeLimit => Ok(Some(Limit::Time)),
        HighsModelStatus::ReachedIterationLimit => Ok(Some(Limit::Iterations)),
        HighsModelStatus::ReachedMemoryLimit => Ok(Some(Limit::Memory)),
        HighsModelStatus::ReachedInterrupt => Ok(Some(Limit::Interrupt)),
        HighsModelStatus::ReachedSolutionLimit
        | HighsModelStatus::ObjectiveBound
        | HighsModelStatus::ObjectiveTarget => Ok(Some(Limit::Solutions)),
        HighsModelStatus::Infeasible => Err(SolveError::Infeasible),
        HighsModelStatus::Unbounded => Err(SolveError::Unbounded),
        HighsModelStatus::UnboundedOrInfeasible => Err(SolveError::InfeasibleOrUnbounded),
        HighsModelStatus::NotSet => Err(SolveError::Failed("status not set")),
        HighsModelStatus::LoadError => Err(SolveError::Failed("load error")),
        HighsModelStatus::ModelError => Err(SolveError::Failed("model error")),
        HighsModelStatus::PresolveError => Err(SolveError::Failed("presolve error")),
        HighsModelStatus::SolveError => Err(SolveError::Failed("solve error")),
        HighsModelStatus::PostsolveError => Err(SolveError::Failed("postsolve error")),
        HighsModelStatus::ModelEmpty => Err(SolveError::Failed("empty model")),
        HighsModelStatus::Unknown => Err(SolveError::Failed("unknown status")),
        // The enumeration is open: a status of a later version is not an answer.
        _ => Err(SolveError::Failed("a status of a later version")),
    }
}

#[cfg(test)]
mod tests;
