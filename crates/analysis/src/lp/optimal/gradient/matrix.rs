//! A sparse matrix, row by row or column by column, and the scales that make it one of norm 1.

use rayon::prelude::*;

/// Rounds in which the largest coefficients of rows and columns are brought near 1.
const EQUILIBRATIONS: usize = 10;

/// Rows or columns of a matrix.
pub(super) struct Matrix {
    start: Vec<usize>,
    index: Vec<u32>,
    value: Vec<f64>,
}

/// Entries of a row or column.
pub(super) type Entries = Vec<(u32, f64)>;

impl Matrix {
    pub(super) fn new(rows: &[Entries]) -> Self {
        let mut matrix = Self { start: vec![0], index: Vec::new(), value: Vec::new() };
        for row in rows {
            matrix.index.extend(row.iter().map(|(index, _)| *index));
            matrix.value.extend(row.iter().map(|(_, value)| *value));
            matrix.start.push(matrix.index.len());
        }
        matrix
    }

    fn row(&self, at: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.start[at]..self.start[at + 1];
        let index = self.index[range.clone()].iter().map(|index| *index as usize);
        index.zip(self.value[range].iter().copied())
    }

    pub(super) fn product(&self, at: usize, vector: &[f64]) -> f64 {
        let range = self.start[at]..self.start[at + 1];
        let (index, value) = (&self.index[range.clone()], &self.value[range]);
        // Most of the time of all steps goes into this loop, which is as fast in builds with little optimisation.
        let (mut sum, mut place) = (0.0, 0);
        while place < index.len() {
            sum += value[place] * vector[index[place] as usize];
            place += 1;
        }
        sum
    }

    /// Divides the scale of every row by the root of what `size` makes of its scaled coefficients.
    fn scale(&self, own: &mut [f64], others: &[f64], size: impl Fn(f64, f64) -> f64 + Sync) {
        own.par_iter_mut().enumerate().for_each(|(at, scale)| {
            let sizes = self.row(at).map(|(index, value)| (value * others[index]).abs());
            let size = *scale * sizes.fold(0.0, &size);
            if size > 0.0 {
                *scale /= size.sqrt();
            }
        });
    }
}

/// Scales of rows and columns with which the matrix has norm 1 at most.
pub(super) fn scales(by_row: &Matrix, by_column: &Matrix) -> [Vec<f64>; 2] {
    let ones = |matrix: &Matrix| vec![1.0; matrix.start.len() - 1];
    let (mut rows, mut columns) = (ones(by_row), ones(by_column));
    let mut scale = |size: fn(f64, f64) -> f64| {
        let before = rows.clone();
        by_row.scale(&mut rows, &columns, size);
        by_column.scale(&mut columns, &before, size);
    };
    (0..EQUILIBRATIONS).for_each(|_| scale(f64::max));
    scale(|sum, size| sum + size);
    [rows, columns]
}
