//! Utilisation of links.

use super::{Found, SimulationReport};
use crate::topology::Topology;

/// Heads of the table of links.
const HEADS: [&str; 5] = ["run", "seed", "link", "name", "utilisation"];

impl SimulationReport {
    /// Heads and rows of a table with a row for every run and link: what the run is (an offered load, or the
    /// name of what was sent), its seed, the number and name of the link, and the part of the time in which the
    /// link was busy. No rows where none were asked for.
    #[must_use]
    pub fn links(&self, topology: &Topology) -> ([&'static str; 5], Vec<Vec<String>>) {
        let runs: Vec<(String, u64, &[f64])> = match &self.found {
            Found::OpenLoop(runs) => runs
                .iter()
                .map(|run| (run.load.to_string(), run.seed, run.utilisation.as_slice()))
                .collect(),
            Found::Completions(runs) => runs
                .iter()
                .map(|run| (run.name.clone(), run.seed, run.utilisation.as_slice()))
                .collect(),
            Found::Saturation(_) => Vec::new(),
        };
        let row = |(name, seed): (&str, u64), link: u32, busy: f64| {
            let numbers = [seed.to_string(), link.to_string()];
            let [seed, link_number] = numbers;
            let link = topology.link_name(link);
            vec![name.to_string(), seed, link_number, link, format!("{busy:.6}")]
        };
        let rows = runs.iter().flat_map(|(name, seed, utilisation)| {
            (0..).zip(*utilisation).map(move |(link, busy)| row((name, *seed), link, *busy))
        });
        (HEADS, rows.collect())
    }
}
