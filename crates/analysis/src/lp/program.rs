//! Linear programs and the results of solvers, independent of any particular solver.

use crate::advice::Advice;
use crate::limit::{TooLarge, within};

/// Number of a column (variable) of a linear program, in order of addition.
pub type ColumnId = usize;
/// Number of a row (constraint) of a linear program, in order of addition.
pub type RowId = usize;

/// Maximum number of columns or rows of a linear program.
pub const MAX_SIZE: u64 = 1 << 23;

/// Maximum number of coefficients of a linear program: about 2 GB in the solver.
pub const MAX_COEFFICIENTS: u64 = 1 << 26;

/// A variable with its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Cost per unit.
    pub cost: f64,
    /// Smallest value; may be minus infinity.
    pub lower: f64,
    /// Maximum value; may be infinity.
    pub upper: f64,
    /// Whether only integers are allowed.
    pub integer: bool,
}

impl Column {
    /// A continuous variable ≥ 0.
    #[must_use]
    pub fn positive(cost: f64) -> Self {
        Self { cost, lower: 0.0, upper: f64::INFINITY, integer: false }
    }
}

/// The relation of the left-hand side of a row to its right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// ≤
    AtMost,
    /// ≥
    AtLeast,
    /// =
    Equal,
}

/// Σ coefficient · column, a relation, and the right-hand side.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Coefficients; those of a column that occurs more than once are added.
    pub coefficients: Vec<(ColumnId, f64)>,
    /// ≤, ≥ or =.
    pub relation: Relation,
    /// Right-hand side.
    pub right: f64,
}

/// Minimise Σ cost · column subject to the rows and the bounds of the columns.
///
/// Coefficients should lie near 1: solvers work with absolute tolerances of about 1e-9.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearProgram {
    /// Variables.
    pub columns: Vec<Column>,
    /// Constraints.
    pub rows: Vec<Row>,
}

impl LinearProgram {
    /// Adds a variable.
    pub fn add_column(&mut self, column: Column) -> ColumnId {
        self.columns.push(column);
        self.columns.len() - 1
    }

    /// Adds a constraint.
    pub fn add_row(
        &mut self,
        coefficients: Vec<(ColumnId, f64)>,
        relation: Relation,
        right: f64,
    ) -> RowId {
        self.rows.push(Row { coefficients, relation, right });
        self.rows.len() - 1
    }

    /// Number of coefficients.
    #[must_use]
    pub fn coefficients(&self) -> usize {
        self.rows.iter().map(|row| row.coefficients.len()).sum()
    }
}

/// Rejects a linear program that would be too large, before it is built.
///
/// # Errors
/// [`TooLarge`] above [`MAX_SIZE`] columns or rows or [`MAX_COEFFICIENTS`].
pub fn check_size(rows: u128, columns: u128, coefficients: u128) -> Result<(), TooLarge> {
    let remedy = Advice::AVOID_LARGE_PROGRAM;
    within("number of rows of the linear program", Some(rows), MAX_SIZE, remedy)?;
    within("number of columns of the linear program", Some(columns), MAX_SIZE, remedy)?;
    let what = "number of coefficients of the linear program";
    within(what, Some(coefficients), MAX_COEFFICIENTS, remedy)?;
    Ok(())
}

/// The algorithm for linear programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solver {
    /// The solver's own choice.
    #[default]
    Choose,
    /// Simplex, dual or primal: gives a vertex and allows warm starts.
    Simplex,
    /// Primal simplex: for warm starts after adding columns.
    PrimalSimplex,
    /// Interior point with crossover to a vertex.
    InteriorPoint,
    /// Interior point alone.
    InteriorPointOnly,
    /// First-order method.
    Pdlp,
    /// First-order method, the newer one.
    HiPdlp,
}

/// Settings of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Algorithm.
    pub solver: Solver,
    /// Maximum violation of a row or bound, and of a reduced cost.
    pub tolerance: f64,
    /// Whether the first solve may simplify the linear program beforehand.
    pub presolve: bool,
    /// Maximum seconds per solve.
    pub seconds: f64,
    /// Relative gap at which an integer program is solved.
    pub mip_gap: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            solver: Solver::Choose,
            tolerance: 1e-9,
            presolve: true,
            seconds: f64::INFINITY,
            mip_gap: 0.0,
        }
    }
}

/// Why a solve ended before its optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Settings::seconds`].
    Time,
    /// Iterations.
    Iterations,
    /// Memory.
    Memory,
    /// Number of solutions, or a bound or target of the objective.
    Solutions,
    /// An interrupt.
    Interrupt,
}

/// Outcome of a solver. Only claims: floats, to be confirmed in exact arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// `None` at an optimum.
    pub limit: Option<Limit>,
    /// Whether `columns` satisfies all rows within the tolerance.
    pub feasible: bool,
    /// Cost of `columns`.
    pub objective: f64,
    /// Value of every column.
    pub columns: Vec<f64>,
    /// Dual values: what one more unit of a row's right-hand side adds to the minimum cost: ≤ 0 for
    /// [`Relation::AtMost`], ≥ 0 for [`Relation::AtLeast`], any sign for equality. Zeros for
    /// integer programs.
    pub duals: Vec<f64>,
    /// Reduced costs: what one more unit of a column adds to the minimum cost: cost − Σ dual · coefficient.
    pub reduced_costs: Vec<f64>,
    /// For integer programs: the solver's lower bound on the cost.
    pub dual_bound: Option<f64>,
    /// Iterations of the algorithm that ran.
    pub iterations: u64,
    /// Seconds in the solver itself.
    pub seconds: f64,
}

/// Why a solve failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SolveError {
    #[error("the linear program is infeasible")]
    Infeasible,
    #[error("the linear program is unbounded")]
    Unbounded,
    #[error("the linear program is infeasible or unbounded")]
    InfeasibleOrUnbounded,
    #[error("the LP solver refused {0}: a coefficient or bound is not finite or out of range")]
    Refused(&'static str),
    #[error("the LP solver failed ({0}): try another algorithm, or the approximation")]
    Failed(&'static str),
}
