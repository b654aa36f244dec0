//! What holds for the project as a whole: its layout, its registries, its committed numbers.

#![expect(clippy::too_many_lines, reason = "tables of cases are long")]

#[path = "../common/parallel.rs"]
mod parallel;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../common/program.rs"]
mod program;
#[path = "../common/trees.rs"]
mod trees;

mod architecture;
mod findings;
mod fuzz;
mod registries;
mod regress;
mod results;
mod trusted;
mod verified;
