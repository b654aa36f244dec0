//! The best mixture of flows under limits: a small linear program, solved in exact numbers by the simplex
//! method with Bland's rule, under which it ends.

use dashu_int::ops::UnsignedAbs as _;
use dashu_ratio::RBig;

use crate::rational::Rational;

/// The gain of a flow, and what it takes of every limit.
pub(super) struct Column {
    pub(super) gain: Rational,
    pub(super) takes: Vec<Rational>,
}

/// Parts of flows that sum to at most 1 and gain most, with the prices that prove it: what a flow takes of the
/// limits, times their prices, and the price of the whole are no less than what it gains.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mixture {
    pub(super) parts: Vec<Rational>,
    /// Price of every limit.
    pub(super) prices: Vec<Rational>,
    pub(super) price_of_whole: Rational,
}

/// The mixture of columns that gains most while it takes no more than the limits. O(rows·columns) per pivot.
pub(super) fn best_mixture(columns: &[Column], limits: &[Rational]) -> Mixture {
    let mut table = Table::new(columns, limits);
    while let Some(column) = table.entering() {
        let Some(row) = table.leaving(column) else { break };
        table.pivot(row, column);
    }
    let end = columns.len() + limits.len();
    let mut parts = vec![Rational::ZERO; columns.len()];
    for (row, column) in table.rows.iter().zip(&table.basis) {
        if let Some((part, value)) = parts.get_mut(*column).zip(row.last()) {
            *part = unsigned(value);
        }
    }
    let prices = table.costs[columns.len()..end].iter().map(unsigned).collect();
    Mixture { parts, prices, price_of_whole: unsigned(&table.costs[end]) }
}

/// A simplex table: columns, then what every row leaves, then the right-hand side.
struct Table {
    rows: Vec<Vec<RBig>>,
    /// The column that is basic in every row.
    basis: Vec<usize>,
    costs: Vec<RBig>,
}

impl Table {
    /// Starts with nothing, which is within all limits.
    fn new(columns: &[Column], limits: &[Rational]) -> Self {
        let count = limits.len() + 1;
        let row = |row: usize| {
            let of_column = |column: &Column| column.takes.get(row).map_or(RBig::ONE, signed);
            let own = (0..count).map(|other| if other == row { RBig::ONE } else { RBig::ZERO });
            let right = limits.get(row).map_or(RBig::ONE, signed);
            columns.iter().map(of_column).chain(own).chain([right]).collect()
        };
        let gains = columns.iter().map(|column| -signed(&column.gain));
        Self {
            rows: (0..count).map(row).collect(),
            basis: (columns.len()..columns.len() + count).collect(),
            costs: gains.chain(vec![RBig::ZERO; count + 1]).collect(),
        }
    }

    /// The first column that gains.
    fn entering(&self) -> Option<usize> {
        let columns = &self.costs[..self.costs.len() - 1];
        columns.iter().position(|cost| *cost < RBig::ZERO)
    }

    /// The row that limits a column most, of several the one with the first basic column.
    fn leaving(&self, column: usize) -> Option<usize> {
        let limiting = self.rows.iter().enumerate().filter(|(_, row)| row[column] > RBig::ZERO);
        let most = limiting
            .map(|(place, row)| (&row[row.len() - 1] / &row[column], self.basis[place], place));
        most.min().map(|(.., place)| place)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.rows[row][column].clone();
        for value in &mut self.rows[row] {
            *value = &*value / &pivot;
        }
        let own = self.rows[row].clone();
        let others = self.rows.iter_mut().enumerate().filter(|(place, _)| *place != row);
        for other in others.map(|(_, other)| other).chain([&mut self.costs]) {
            let factor = other[column].clone();
            if factor != RBig::ZERO {
                for (value, own) in other.iter_mut().zip(&own) {
                    *value = &*value - own * &factor;
                }
            }
        }
        self.basis[row] = column;
    }
}

fn signed(ratio: &Rational) -> RBig {
    RBig::from_parts(ratio.numerator().into(), ratio.denominator().clone())
}

/// A number that is not negative.
fn unsigned(value: &RBig) -> Rational {
    let (numerator, denominator) = (value.numerator().unsigned_abs(), value.denominator().clone());
    Rational::from_big(numerator, denominator).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(values: impl Iterator<Item = Rational>) -> Rational {
        values.fold(Rational::ZERO, |sum, value| &sum + &value)
    }

    proptest! {
        /// The parts are within the limits, the prices cover every column, and both come to the same.
        #[test]
        fn prices_prove_the_mixture(
            cells in prop::collection::vec(0_u64..9, 36),
            limits in prop::collection::vec(0_u64..12, 0..4),
            count in 0_usize..9,
        ) {
            let columns: Vec<Column> = cells.chunks(4).take(count).map(|cells| Column {
                gain: Rational::new(cells[3], 5).unwrap(),
                takes: cells.iter().take(limits.len()).map(|cell| Rational::from(*cell)).collect(),
            }).collect();
            let limits: Vec<Rational> = limits.iter().map(|limit| Rational::new(*limit, 3).unwrap()).collect();
            let Mixture { parts, prices, price_of_whole } = best_mixture(&columns, &limits);
            prop_assert!(sum(parts.iter().cloned()) <= Rational::ONE);
            for (row, limit) in limits.iter().enumerate() {
                let taken = parts.iter().zip(&columns).map(|(part, column)| part * &column.takes[row]);
                prop_assert!(sum(taken) <= *limit);
            }
            for column in &columns {
                let paid = sum(column.takes.iter().zip(&prices).map(|(taken, price)| taken * price));
                prop_assert!(&paid + &price_of_whole >= column.gain);
            }
            let gained = sum(parts.iter().zip(&columns).map(|(part, column)| part * &column.gain));
            let paid = sum(limits.iter().zip(&prices).map(|(limit, price)| limit * price));
            prop_assert_eq!(gained, &paid + &price_of_whole);
        }
    }
}
