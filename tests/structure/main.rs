//! What holds for the project as a whole: its layers, its registries, its committed numbers.

#[path = "../common/parallel.rs"]
mod parallel;

mod architecture;
mod findings;
mod fuzz;
mod registries;
mod regress;
mod results;
mod size;
mod trusted;
