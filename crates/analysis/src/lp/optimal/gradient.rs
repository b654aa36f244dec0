//! Primal-dual gradient steps on a large linear program, on all threads, that continue where they ended.
//!
//! The costs are minimised over columns ≥ 0. Every step moves the columns along their reduced costs and the duals
//! along the violations of their rows; the next point lies between the reflection of the last one in where it was
//! moved to, and the point with which the steps began (Halpern). These begin again wherever enough is won, with a new
//! ratio of the two lengths of steps. Rows and columns are scaled so that steps of length 1 converge (Pock and
//! Chambolle, ICCV 2011). Applegate et al., NeurIPS 2021, <https://arxiv.org/abs/2106.04756>; Lu and Yang, 2024,
//! <https://arxiv.org/abs/2407.16144>.
//!
//! Every entry of a product with the matrix is one sum, and norms are sums over blocks of a fixed size, so that nothing
//! depends on the number of threads. The solver's own first-order methods use one thread and say nothing before they
//! end.

use std::time::Instant;

use rayon::prelude::*;

mod matrix;

use crate::lp::program::{LinearProgram, Relation};
use crate::progress::Progress;
use matrix::{Entries, Matrix, scales};

/// Entries of a block of columns or rows.
const BLOCK: usize = 1 << 13;

/// Length of steps: below 1.
const STEP: f64 = 0.998;

/// Steps between measurements of how far they go, of which every fourth is one of the accuracy.
const MEASURED: u64 = 10;

/// Maximum number of steps.
const MAX_STEPS: u64 = 100_000;

/// The movement of a step, relative to the first one since a restart: below this the steps begin again.
const SUFFICIENT: f64 = 0.2;

/// The same where movements grow again.
const NECESSARY: f64 = 0.8;

/// Part of all steps after which they begin again however they move.
const LONG: f64 = 0.36;

/// Steps between two restarts.
const LEAST_STEPS: u64 = 20;

/// How much of a measured change of the ratio of lengths is applied at once, and in the long run.
const AT_ONCE: f64 = 0.495;
const IN_THE_LONG_RUN: f64 = 0.01;
const KEPT: f64 = 0.3;

/// A column: its value, and that with which the steps began.
#[derive(Clone, Copy)]
struct Column {
    value: f64,
    began: f64,
    cost: f64,
    /// The length of its steps, relative to those of others.
    length: f64,
}

impl Column {
    /// Where a step leads if the rows pay so much for a unit.
    fn moved(&self, step: f64, paid: f64) -> f64 {
        (self.value - step * self.length * (self.cost - paid)).max(0.0)
    }
}

/// A row: the dual with which the steps began, and what it asks for.
#[derive(Clone, Copy)]
struct Row {
    began: f64,
    right: f64,
    relation: Relation,
    length: f64,
}

impl Row {
    /// Where a step leads from a dual with this left side.
    fn moved(&self, step: f64, dual: f64, left: f64) -> f64 {
        let dual = dual + step * self.length * (self.right - left);
        match self.relation {
            Relation::AtMost => dual.min(0.0),
            Relation::AtLeast => dual.max(0.0),
            Relation::Equal => dual,
        }
    }

    /// How far a left side is from what the row asks for.
    fn violation(&self, left: f64) -> f64 {
        match self.relation {
            Relation::AtMost => (left - self.right).max(0.0),
            Relation::AtLeast => (self.right - left).max(0.0),
            Relation::Equal => left - self.right,
        }
    }
}

/// A linear program, and the point that the steps have reached.
pub(super) struct Gradient {
    by_row: Matrix,
    by_column: Matrix,
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// The duals of the rows.
    dual: Vec<f64>,
    /// For every column, twice where it is moved to less where it is.
    ahead: Vec<f64>,
    /// Where the last measured step led: columns and duals.
    moved: [Vec<f64>; 2],
    /// The length of steps of duals, and the inverse of that of columns.
    ratio: f64,
    /// Changes of the ratio so far, the last ones most.
    drift: f64,
    /// How far the first step since the restart went, and the last one that was measured.
    went: [f64; 2],
    since_restart: u64,
    /// Number of steps at which the accuracy is measured next.
    due: u64,
    /// Number of steps.
    pub(super) steps: u64,
}

/// The part of the way from where the steps began to the reflection at which the next point lies.
fn part(since_restart: u64) -> f64 {
    let number = since_restart as f64;
    (number + 1.0) / (number + 2.0)
}

/// The sum of what `part` makes of every entry, with its number: by blocks of fixed size, in order.
fn sum<T: Sync>(entries: &[T], part: impl Fn(usize, &T) -> f64 + Sync) -> f64 {
    let of_block = |(block, entries): (usize, &[T])| -> f64 {
        (block * BLOCK..).zip(entries).map(|(at, entry)| part(at, entry)).sum()
    };
    let sums: Vec<f64> = entries.par_chunks(BLOCK).enumerate().map(of_block).collect();
    sums.into_iter().sum()
}

impl Gradient {
    /// Steps that begin at 0. Columns are ≥ 0 without another bound. O(coefficients).
    pub(super) fn new(program: &LinearProgram) -> Self {
        let mut by_column: Vec<Entries> = vec![Vec::new(); program.columns.len()];
        let mut by_row: Vec<Entries> = vec![Vec::new(); program.rows.len()];
        for ((number, row), entries) in (0..).zip(&program.rows).zip(&mut by_row) {
            for (column, value) in &row.coefficients {
                by_column[*column].push((number, *value));
                entries.push((u32::try_from(*column).expect("programs are limited"), *value));
            }
        }
        let (by_row, by_column) = (Matrix::new(&by_row), Matrix::new(&by_column));
        let [of_rows, of_columns] = scales(&by_row, &by_column);
        let columns: Vec<Column> = (program.columns.iter().zip(of_columns))
            .map(|(column, scale)| {
                let (cost, length) = (column.cost, scale * scale);
                Column { value: 0.0, began: 0.0, cost, length }
            })
            .collect();
        let rows: Vec<Row> = (program.rows.iter().zip(of_rows))
            .map(|(row, scale)| {
                let (right, relation, length) = (row.right, row.relation, scale * scale);
                Row { began: 0.0, right, relation, length }
            })
            .collect();
        let cost = sum(&columns, |_, column| column.cost * column.cost * column.length);
        let right = sum(&rows, |_, row| row.right * row.right * row.length);
        let ratio = if cost > 0.0 && right > 0.0 { (cost / right).sqrt() } else { 1.0 };
        let (zeros, dual) = (vec![0.0; columns.len()], vec![0.0; rows.len()]);
        let (ahead, moved) = (zeros.clone(), [zeros, dual.clone()]);
        let (drift, went, since_restart, steps) = (0.0, [0.0; 2], 0, 0);
        Self {
            by_row,
            by_column,
            columns,
            rows,
            dual,
            ahead,
            moved,
            ratio,
            drift,
            went,
            since_restart,
            due: 0,
            steps,
        }
    }

    /// Steps until all violations and the gap are below a part of the numbers that they are about. Returns whether
    /// that was reached before `until` and the maximum number of steps; `None` when stopped.
    pub(super) fn approach(
        &mut self,
        accuracy: f64,
        until: Option<Instant>,
        progress: &Progress,
    ) -> Option<bool> {
        while self.steps < MAX_STEPS {
            if progress.cancelled() {
                return None;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Some(false);
            }
            let is_measured = self.since_restart.is_multiple_of(MEASURED);
            if is_measured {
                self.step_measured();
            } else {
                self.step();
            }
            self.steps += 1;
            if is_measured && self.steps >= self.due {
                self.due = self.steps + 4 * MEASURED;
                if self.inaccuracy() <= accuracy {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// The values of the columns.
    pub(super) fn values(&self) -> &[f64] {
        &self.moved[0]
    }

    /// The duals of the rows.
    pub(super) fn duals(&self) -> &[f64] {
        &self.moved[1]
    }

    /// One step, in two passes over the program.
    fn step(&mut self) {
        let (part, ratio) = (part(self.since_restart), self.ratio);
        let (by_row, by_column) = (&self.by_row, &self.by_column);
        let dual = &self.dual;
        let blocks = self.columns.par_chunks_mut(BLOCK).zip(self.ahead.par_chunks_mut(BLOCK));
        blocks.enumerate().for_each(|(block, (columns, ahead))| {
            for ((at, column), ahead) in (block * BLOCK..).zip(columns).zip(ahead) {
                let moved = column.moved(STEP / ratio, by_column.product(at, dual));
                *ahead = 2.0 * moved - column.value;
                column.value = part * *ahead + (1.0 - part) * column.began;
            }
        });
        let ahead = &self.ahead;
        let blocks = self.rows.par_chunks(BLOCK).zip(self.dual.par_chunks_mut(BLOCK));
        blocks.enumerate().for_each(|(block, (rows, dual))| {
            for ((at, row), dual) in (block * BLOCK..).zip(rows).zip(dual) {
                let moved = row.moved(STEP * ratio, *dual, by_row.product(at, ahead));
                *dual = part * (2.0 * moved - *dual) + (1.0 - part) * row.began;
            }
        });
        self.since_restart += 1;
    }

    /// The same, and how far it goes, after which the steps may begin again.
    fn step_measured(&mut self) {
        self.aim();
        let went = self.distance();
        if self.since_restart == 0 {
            self.went[0] = went;
        }
        let [first, before] = self.went;
        self.went[1] = went;
        let is_enough = went <= SUFFICIENT * first
            || (went <= NECESSARY * first && went > before)
            || self.since_restart as f64 >= LONG * self.steps as f64;
        if self.since_restart >= LEAST_STEPS && is_enough {
            self.balance();
            self.go(None);
            self.since_restart = 0;
        } else {
            self.go(Some(part(self.since_restart)));
            self.since_restart += 1;
        }
    }

    /// Finds where a step leads.
    fn aim(&mut self) {
        let Self { by_row, by_column, columns, rows, dual, ahead, moved, ratio, .. } = self;
        let [values, duals] = moved;
        let of_columns = columns.par_iter().zip(values).zip(&mut *ahead).enumerate();
        of_columns.with_min_len(BLOCK).for_each(|(at, ((column, moved), ahead))| {
            *moved = column.moved(STEP / *ratio, by_column.product(at, dual));
            *ahead = 2.0 * *moved - column.value;
        });
        let of_rows = rows.par_iter().zip(duals).zip(&*dual).enumerate();
        of_rows.with_min_len(BLOCK).for_each(|(at, ((row, moved), dual))| {
            *moved = row.moved(STEP * *ratio, *dual, by_row.product(at, ahead));
        });
    }

    /// Goes where the step led, and begins again there, or to a part of the way.
    fn go(&mut self, part: Option<f64>) {
        let next = |value: &mut f64, began: &mut f64, moved: f64| match part {
            None => (*value, *began) = (moved, moved),
            Some(part) => *value = part * (2.0 * moved - *value) + (1.0 - part) * *began,
        };
        let [values, duals] = &self.moved;
        let columns = self.columns.par_iter_mut().zip(values);
        columns.for_each(|(column, moved)| next(&mut column.value, &mut column.began, *moved));
        let rows = self.rows.par_iter_mut().zip(&mut self.dual).zip(duals);
        rows.for_each(|((row, dual), moved)| next(dual, &mut row.began, *moved));
    }

    /// How far a step leads, in the norm in which no step leads farther than the one before.
    fn distance(&self) -> f64 {
        let [values, duals] = &self.moved;
        let far = |at: usize, column: &Column| values[at] - column.value;
        let of_columns = sum(&self.columns, |at, column| far(at, column).powi(2) / column.length);
        let of_rows = sum(&self.rows, |at, row| (duals[at] - self.dual[at]).powi(2) / row.length);
        let change: Vec<f64> = duals.iter().zip(&self.dual).map(|(to, from)| to - from).collect();
        let paid = |at: usize| self.by_column.product(at, &change);
        let product = sum(&self.columns, |at, column| far(at, column) * paid(at));
        let squares = self.ratio * of_columns / STEP + of_rows / (self.ratio * STEP);
        (squares - 2.0 * product).max(0.0).sqrt()
    }

    /// Changes the ratio of the lengths of steps towards that of what columns and duals have gone since the restart.
    fn balance(&mut self) {
        let [values, duals] = &self.moved;
        let columns =
            sum(&self.columns, |at, column| (values[at] - column.began).powi(2) / column.length);
        let rows = sum(&self.rows, |at, row| (duals[at] - row.began).powi(2) / row.length);
        if columns > 0.0 && rows > 0.0 {
            let change = libm::log((rows / columns).sqrt() / self.ratio);
            self.drift = KEPT * self.drift + change;
            self.ratio *= libm::exp(AT_ONCE * change + IN_THE_LONG_RUN * self.drift);
        }
    }

    /// The largest of the violations of rows, of the negative reduced costs, and of the gap, each as a part of the
    /// numbers that it is about.
    fn inaccuracy(&self) -> f64 {
        let [values, duals] = &self.moved;
        let square = |part: f64| part * part;
        let violation = |at: usize, row: &Row| row.violation(self.by_row.product(at, values));
        let rows = sum(&self.rows, |at, row| square(violation(at, row))).sqrt()
            / (1.0 + sum(&self.rows, |_, row| square(row.right)).sqrt());
        let excess =
            |at: usize, column: &Column| (self.by_column.product(at, duals) - column.cost).max(0.0);
        let columns = sum(&self.columns, |at, column| square(excess(at, column))).sqrt()
            / (1.0 + sum(&self.columns, |_, column| square(column.cost)).sqrt());
        let upper = sum(&self.columns, |at, column| column.cost * values[at]);
        let lower = sum(&self.rows, |at, row| row.right * duals[at]);
        let gap = (upper - lower).abs() / (1.0 + upper.abs() + lower.abs());
        rows.max(columns).max(gap)
    }
}

#[cfg(test)]
mod tests;
