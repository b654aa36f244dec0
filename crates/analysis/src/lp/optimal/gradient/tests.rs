//! Gradient steps against another method, and what they promise about threads and stops.

use super::*;
use crate::lp::backend::Model;
use crate::lp::program::{Column, Settings};

/// A program of 30 columns and 20 rows of all relations, in numbers of a congruential sequence, with an optimum: the
/// rows are so that the columns may all be 1, and costs are positive.
fn program() -> LinearProgram {
    let mut state = 7_u64;
    let mut number = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 40).unwrap()) / f64::from(1 << 24)
    };
    let mut program = LinearProgram::default();
    for _ in 0..30 {
        program.add_column(Column::positive(0.5 + number()));
    }
    for row in 0..20 {
        let entries: Vec<(usize, f64)> = (0..30)
            .filter(|column| (column + row) % 3 == 0)
            .map(|column| (column, number() - 0.2))
            .collect();
        let total: f64 = entries.iter().map(|(_, value)| value).sum();
        let relation = [Relation::AtMost, Relation::AtLeast, Relation::Equal][row % 3];
        program.add_row(entries, relation, total);
    }
    program
}

/// The optimum and the duals are those of another method.
#[test]
fn steps_end_at_the_optimum() {
    let program = program();
    let mut gradient = Gradient::new(&program);
    assert_eq!(gradient.approach(1e-7, None, &Progress::silent()), Some(true));
    let exact = Model::new(&program, Settings::default()).unwrap().solve().unwrap();
    let cost: f64 = program
        .columns
        .iter()
        .zip(gradient.values())
        .map(|(column, value)| column.cost * value)
        .sum();
    assert!((cost - exact.objective).abs() < 1e-5, "{cost} {}", exact.objective);
    let bound: f64 =
        program.rows.iter().zip(gradient.duals()).map(|(row, dual)| row.right * dual).sum();
    assert!((bound - exact.objective).abs() < 1e-5, "{bound} {}", exact.objective);
}

/// What was reached is kept, and more accuracy takes more steps from there, the same on one thread and on four.
#[test]
fn steps_continue_and_do_not_depend_on_threads() {
    let program = program();
    let ends = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut gradient = Gradient::new(&program);
            assert_eq!(gradient.approach(1e-3, None, &Progress::silent()), Some(true));
            let first = gradient.steps;
            assert_eq!(gradient.approach(1e-5, None, &Progress::silent()), Some(true));
            assert!(gradient.steps > first && first > 0);
            (gradient.steps, gradient.values().to_vec())
        })
    });
    assert_eq!(ends[0], ends[1]);
}

/// Time that is over, and a stop, end it before the next step.
#[test]
fn time_and_stops_end_it() {
    let program = program();
    let mut gradient = Gradient::new(&program);
    assert_eq!(gradient.approach(0.0, Some(Instant::now()), &Progress::silent()), Some(false));
    let stop = crate::progress::Stop::at(None);
    stop.request();
    let stopped = Progress::silent().stopped_by(stop);
    assert_eq!((gradient.approach(0.0, None, &stopped), gradient.steps), (None, 0));
}
