//! The optimum of a linear program within exact bounds, from what a solver says of it.

use crate::bounds::{Bounds, Evidence};
use crate::integer::rounded;
use crate::lp::program::{LinearProgram, Outcome, Relation};
use crate::optimum::rational_reconstruction::common_factor;
use crate::rational::Rational;

/// Coefficients, costs, right-hand sides and bounds of columns are multiples of 1 over this.
const SCALE: i128 = 1 << 12;

/// Maximum common denominator of the values of columns.
const MAX_FACTOR: u64 = 1 << 24;

/// Duals are rounded to multiples of 1 over this.
const DUALS: i128 = 1 << 40;

/// Bounds of the least cost of a program whose columns lie between 0 and an upper bound and cost nothing negative. The
/// columns, as fractions, satisfy every row: their cost is the upper bound. The lower bound is that of the duals: where a
/// column has a negative reduced cost, it counts with its largest value. `None` where the columns are no such fractions,
/// or a number of the program is not a multiple of 2⁻¹² or too large.
pub(crate) fn bounds(program: &LinearProgram, solution: &Outcome) -> Option<Bounds> {
    let is_whole = solution.columns.len() == program.columns.len()
        && solution.duals.len() == program.rows.len()
        && program.columns.iter().all(|column| column.lower == 0.0 && column.cost >= 0.0);
    if !is_whole {
        return None;
    }
    let factor = common_factor(solution.columns.iter().copied(), MAX_FACTOR, |_| 1e-6)?;
    let values: Option<Vec<i128>> =
        solution.columns.iter().map(|value| nearest(value * factor as f64)).collect();
    let (values, factor) = (values?, i128::from(factor));
    let mut upper = 0_i128;
    for (column, value) in program.columns.iter().zip(&values) {
        if *value < 0 || value.checked_mul(SCALE)? > scaled(column.upper)?.checked_mul(factor)? {
            return None;
        }
        upper = upper.checked_add(scaled(column.cost)?.checked_mul(*value)?)?;
    }
    if !satisfies(program, &values, factor)? {
        return None;
    }
    let lower = least(program, &solution.duals)?;
    let evidence = Evidence::Claimed("exact columns and duals of a linear program".into());
    let fraction = |units: i128, parts: i128| {
        let [units, parts] = [units, parts].map(|number| u128::try_from(number.max(0)).ok());
        Rational::from_big(units?.into(), parts?.into())
    };
    let (lower, upper) =
        (fraction(lower, DUALS * SCALE * SCALE)?, fraction(upper, SCALE * factor)?);
    Some(Bounds { lower, upper, evidence })
}

/// Whether values, over a common factor, satisfy every row; `None` where numbers are too large.
fn satisfies(program: &LinearProgram, values: &[i128], factor: i128) -> Option<bool> {
    for row in &program.rows {
        let mut left = 0_i128;
        for (column, coefficient) in &row.coefficients {
            left = left.checked_add(scaled(*coefficient)?.checked_mul(values[*column])?)?;
        }
        let right = scaled(row.right)?.checked_mul(factor)?;
        let holds = match row.relation {
            Relation::AtMost => left <= right,
            Relation::AtLeast => left >= right,
            Relation::Equal => left == right,
        };
        if !holds {
            return Some(false);
        }
    }
    Some(true)
}

/// What the duals prove, over [`DUALS`] · [`SCALE`]²; `None` where numbers are too large.
fn least(program: &LinearProgram, duals: &[f64]) -> Option<i128> {
    let costs = program.columns.iter().map(|column| scaled(column.cost)?.checked_mul(DUALS));
    let (mut reduced, mut lower) = (costs.collect::<Option<Vec<i128>>>()?, 0_i128);
    for (row, dual) in program.rows.iter().zip(duals) {
        let dual = nearest(dual * DUALS as f64)?;
        // Of a dual with the wrong sign nothing follows.
        let dual = match row.relation {
            Relation::AtMost => dual.min(0),
            Relation::AtLeast => dual.max(0),
            Relation::Equal => dual,
        };
        for (column, coefficient) in &row.coefficients {
            let paid = scaled(*coefficient)?.checked_mul(dual)?;
            reduced[*column] = reduced[*column].checked_sub(paid)?;
        }
        lower = lower.checked_add(scaled(row.right)?.checked_mul(dual)?.checked_mul(SCALE)?)?;
    }
    for (column, reduced) in program.columns.iter().zip(reduced) {
        lower = lower.checked_add(reduced.min(0).checked_mul(scaled(column.upper)?)?)?;
    }
    Some(lower)
}

/// The nearest integer, where floats tell integers apart.
fn nearest(value: f64) -> Option<i128> {
    let size = (value.abs() < 9e15).then(|| i128::from(rounded(value.abs())))?;
    Some(if value < 0.0 { -size } else { size })
}

/// A number of the program times [`SCALE`].
fn scaled(number: f64) -> Option<i128> {
    let scaled = number * SCALE as f64;
    (scaled.fract() == 0.0).then(|| nearest(scaled)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lp::{
        self,
        program::{Column, Settings},
    };
    use crate::progress::Progress;

    /// x + y ≥ 3/2, x ≤ 1, at costs 1 and 4: 1 + 2 = 3.
    fn program() -> LinearProgram {
        let mut program = LinearProgram::default();
        let columns = [1.0, 4.0]
            .map(|cost| program.add_column(Column { upper: 1.0, ..Column::positive(cost) }));
        program.add_row(columns.map(|column| (column, 1.0)).into(), Relation::AtLeast, 1.5);
        program
    }

    #[test]
    fn bounds_are_those_of_columns_and_duals() {
        let program = program();
        let solved = lp::interruptible(program.clone(), Settings::default(), &Progress::silent());
        let mut solution = solved.unwrap().unwrap();
        let found = bounds(&program, &solution).unwrap();
        assert_eq!((found.lower, found.upper), (3.into(), 3.into()));
        // Any other dual gives a weaker bound, and one of the wrong sign none.
        for (dual, halves) in [(2.0, 4), (1.0, 3), (5.0, 5), (-1.0, 0)] {
            solution.duals = vec![dual];
            let found = bounds(&program, &solution).unwrap();
            let lower = Rational::new(halves, 2).unwrap();
            assert_eq!((found.lower, found.upper), (lower, 3.into()), "{dual}");
        }
        // Columns that miss the row, or are above their bound, prove nothing.
        for columns in [[1.0, 0.25], [1.25, 0.25]] {
            solution.columns = columns.into();
            assert_eq!(bounds(&program, &solution), None);
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        let mut program = program();
        let solved = lp::interruptible(program.clone(), Settings::default(), &Progress::silent());
        let solution = solved.unwrap().unwrap();
        program.columns[0].cost = 0.1;
        assert_eq!(bounds(&program, &solution), None);
    }
}
