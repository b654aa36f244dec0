//! What holds for the project as a whole: its layers, its registries, its committed numbers.

mod architecture;
mod conformance;
mod findings;
mod regress;
mod results;
