//! Maximum-weight bipartite matching with dual potentials (Hungarian algorithm; Kuhn 1955,
//! in the shortest-augmenting-path form of Jonker and Volgenant 1987).

use crate::progress::{Progress, Stopped};

/// A maximum-weight matching of a dense matrix and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedMatching {
    /// The column of every row, where the matched pair has positive weight.
    pub column: Vec<Option<usize>>,
    /// Total weight.
    pub weight: u64,
    /// Potential of every row.
    pub row_potential: Vec<u64>,
    /// Potential of every column. `row + column ≥ weight` for every entry, and all potentials
    /// sum to the total weight.
    pub column_potential: Vec<u64>,
}

/// A maximum-weight matching of the `rows × columns` matrix `weight(row, column)`, each
/// weight at most 2^40. O(rows²·columns) for rows ≤ columns; otherwise the matrix is transposed.
/// `progress` is checked at every row.
///
/// # Errors
/// [`Stopped`] when it was cancelled.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{matching::weighted::maximum_weight, progress::Progress};
/// let weights = [[3, 2], [3, 0]];
/// let weight = |row: usize, column: usize| weights[row][column];
/// let matching = maximum_weight(2, 2, &weight, &Progress::silent())?;
/// assert_eq!(matching.weight, 5);
/// assert_eq!(matching.column, [Some(1), Some(0)]);
/// # Ok::<(), routebound::progress::Stopped>(())
/// ```
pub fn maximum_weight(
    rows: usize,
    columns: usize,
    weight: &dyn Fn(usize, usize) -> u64,
    progress: &Progress,
) -> Result<WeightedMatching, Stopped> {
    if rows <= columns {
        return hungarian(rows, columns, weight, progress);
    }
    let turned = hungarian(columns, rows, &|row, column| weight(column, row), progress)?;
    let mut column = vec![None; rows];
    for (index, row) in turned.column.iter().enumerate() {
        if let Some(row) = row {
            column[*row] = Some(index);
        }
    }
    Ok(WeightedMatching {
        column,
        weight: turned.weight,
        row_potential: turned.column_potential,
        column_potential: turned.row_potential,
    })
}

/// Rows and columns are numbered from 1, as is usual for this algorithm; column 0 is the root of
/// the search. There are no more rows than columns, so the last search ends at a free column, whose
/// potential is still 0: that makes all row potentials non-negative.
struct AugmentingSearch {
    row_dual: Vec<i64>,
    column_dual: Vec<i64>,
    row_of: Vec<usize>,
    way: Vec<usize>,
}

fn hungarian(
    rows: usize,
    columns: usize,
    weight: &dyn Fn(usize, usize) -> u64,
    progress: &Progress,
) -> Result<WeightedMatching, Stopped> {
    let cost = |row: usize, column: usize| -weight(row, column).cast_signed();
    let mut search = AugmentingSearch {
        row_dual: vec![0; rows + 1],
        column_dual: vec![0; columns + 1],
        row_of: vec![0; columns + 1],
        way: vec![0; columns + 1],
    };
    for row in 1..=rows {
        progress.check()?;
        search.insert(row, columns, &cost);
    }
    let mut column = vec![None; rows];
    for (index, row) in search.row_of.iter().enumerate().skip(1) {
        if *row > 0 && weight(row - 1, index - 1) > 0 {
            column[row - 1] = Some(index - 1);
        }
    }
    let matched = column.iter().enumerate();
    let total = matched.filter_map(|(row, col)| col.map(|col| weight(row, col))).sum();
    let positive = |duals: &[i64]| duals.iter().skip(1).map(|dual| dual.unsigned_abs()).collect();
    Ok(WeightedMatching {
        column,
        weight: total,
        row_potential: positive(&search.row_dual),
        column_potential: positive(&search.column_dual),
    })
}

impl AugmentingSearch {
    /// Adds `row` along a shortest augmenting path.
    fn insert(&mut self, row: usize, columns: usize, cost: &dyn Fn(usize, usize) -> i64) {
        let mut least = vec![i64::MAX; columns + 1];
        let mut done = vec![false; columns + 1];
        self.row_of[0] = row;
        let mut current = 0;
        while self.row_of[current] != 0 {
            done[current] = true;
            let from = self.row_of[current];
            let (mut step, mut next) = (i64::MAX, 0);
            for column in 1..=columns {
                if done[column] {
                    continue;
                }
                let reduced =
                    cost(from - 1, column - 1) - self.row_dual[from] - self.column_dual[column];
                if reduced < least[column] {
                    least[column] = reduced;
                    self.way[column] = current;
                }
                if least[column] < step {
                    (step, next) = (least[column], column);
                }
            }
            self.shift(step, &done, &mut least);
            current = next;
        }
        while current != 0 {
            self.row_of[current] = self.row_of[self.way[current]];
            current = self.way[current];
        }
    }

    fn shift(&mut self, step: i64, done: &[bool], least: &mut [i64]) {
        for (column, done) in done.iter().enumerate() {
            if *done {
                self.row_dual[self.row_of[column]] += step;
                self.column_dual[column] -= step;
            } else if least[column] != i64::MAX {
                least[column] -= step;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pathfinding::prelude::{Matrix, kuhn_munkres};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn weight_equals_another_library_and_potentials_prove_it(
            rows in 1usize..6, columns in 1usize..6,
            cells in prop::collection::vec(0u64..9, 36)
        ) {
            let weight = |row: usize, column: usize| cells[row * 6 + column];
            let found = maximum_weight(rows, columns, &weight, &Progress::silent()).unwrap();
            let side = rows.max(columns);
            let square = Matrix::from_fn(side, side, |(row, column)| {
                if row < rows && column < columns { weight(row, column).cast_signed() } else { 0 }
            });
            prop_assert_eq!(found.weight.cast_signed(), kuhn_munkres(&square).0);
            let potentials = found.row_potential.iter().chain(&found.column_potential);
            prop_assert_eq!(potentials.sum::<u64>(), found.weight);
            for row in 0..rows {
                for column in 0..columns {
                    let cover = found.row_potential[row] + found.column_potential[column];
                    prop_assert!(cover >= weight(row, column));
                }
            }
            let pairs = found.column.iter().enumerate();
            let pairs = pairs.filter_map(|(row, column)| column.map(|column| (row, column)));
            let weights: Vec<u64> = pairs.map(|(row, column)| weight(row, column)).collect();
            prop_assert!(weights.iter().all(|weight| *weight > 0));
            prop_assert_eq!(weights.iter().sum::<u64>(), found.weight);
            let mut seen = std::collections::HashSet::new();
            prop_assert!(found.column.iter().flatten().all(|column| seen.insert(*column)));
        }
    }
}
