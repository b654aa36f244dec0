//! Samples of runs, as rows of a table and back.

use super::points::{Application, Fixed, Point, Run, first_seed};
use crate::sampling::Quartiles;
use crate::study::prelude::*;

/// All runs of a scheme with an application on a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The application whose traffic is sent.
    pub application: Application,
    /// Switches of the upper level.
    pub w2: u64,
    /// The scheme.
    pub scheme: String,
    /// Results with each seed, from the first one on.
    pub runs: Vec<Run>,
    /// Figures that no routing changes.
    pub fixed: Fixed,
}

/// Names of the columns.
pub const HEADS: [&str; 15] = [
    "application",
    "w2",
    "scheme",
    "seeds",
    "least",
    "lower quartile",
    "median",
    "upper quartile",
    "most",
    "static",
    "cycles",
    "loads",
    "local",
    "crossbar",
    "crossbar last",
];

impl Sample {
    /// Groups runs; they stand in the order of their points.
    pub(super) fn all(points: &[Point], found: &[Run], fixed: [Fixed; 2]) -> Vec<Self> {
        let rows: Vec<(&Point, &Run)> = points.iter().zip(found).collect();
        let same = |a: &(&Point, &Run), b: &(&Point, &Run)| {
            (a.0.application, a.0.w2, &a.0.scheme) == (b.0.application, b.0.w2, &b.0.scheme)
        };
        let sample = |rows: &[(&Point, &Run)]| {
            let Point { application, w2, scheme, .. } = rows[0].0.clone();
            let runs = rows.iter().map(|(_, run)| (*run).clone()).collect();
            let fixed = fixed[usize::from(application == Application::Cg)];
            Self { application, w2, scheme, runs, fixed }
        };
        rows.chunk_by(same).map(sample).collect()
    }

    /// Slowdown of the application in each run: its time over that in the full crossbar.
    #[must_use]
    pub fn slowdowns(&self) -> Vec<f64> {
        let Fixed { local, crossbar, .. } = self.fixed;
        self.runs.iter().map(|run| (local + run.cycles) as f64 / crossbar as f64).collect()
    }

    /// Slowdown of the last phase in each run.
    #[must_use]
    pub fn last(&self) -> Vec<f64> {
        let alone = self.fixed.crossbar_last as f64;
        self.runs.iter().map(|run| run.cycles as f64 / alone).collect()
    }

    /// The slowdowns that the loads alone imply: those of a fluid without latency.
    #[must_use]
    pub fn fluid(&self) -> Vec<f64> {
        let (local, base) = (self.application.local(), self.application.baseload());
        let phases = (local + 1) as f64;
        let of = |run: &Run| (local as f64 + run.load as f64 / base as f64) / phases;
        self.runs.iter().map(of).collect()
    }

    /// The five numbers of the slowdowns.
    #[must_use]
    pub fn quartiles(&self) -> Option<Quartiles> {
        Quartiles::of(&self.slowdowns())
    }

    /// The cells of its row.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        let text = |value: f64| format!("{value:.3}");
        let five = self.quartiles().map_or_else(Vec::new, |q| {
            [q.least, q.lower, q.median, q.upper, q.most].map(text).to_vec()
        });
        let seeds = first_seed(&self.scheme).map_or_else(String::new, |first| {
            format!("{first}..{}", first + self.runs.len() as u64 - 1)
        });
        let fluid = Quartiles::of(&self.fluid()).map_or_else(String::new, |q| text(q.median));
        let list = |of: fn(&Run) -> u64| {
            let numbers: Vec<String> = self.runs.iter().map(|run| of(run).to_string()).collect();
            numbers.join(" ")
        };
        let Fixed { local, crossbar, crossbar_last } = self.fixed;
        let own = [self.application.name().into(), self.w2.to_string(), self.scheme.clone(), seeds];
        let lists = [fluid, list(|run| run.cycles), list(|run| run.load)];
        let fixed = [local, crossbar, crossbar_last].map(|number| number.to_string());
        own.into_iter().chain(five).chain(lists).chain(fixed).collect()
    }

    /// The sample of a row.
    fn parse(cells: &[String]) -> Result<Self, String> {
        let [application, w2, scheme, _, _, _, _, _, _, _, cycles, loads, rest @ ..] = cells else {
            return Err(format!("{} cells: expected {}", cells.len(), HEADS.len()));
        };
        let number = |text: &String| text.parse::<u64>().map_err(|e| format!("`{text}`: {e}"));
        let list = |text: &String| {
            text.split(' ').map(|text| number(&text.to_string())).collect::<Result<Vec<_>, _>>()
        };
        let found = Application::ALL.into_iter().find(|known| known.name() == application);
        let application = found.ok_or_else(|| format!("no application `{application}`"))?;
        let (cycles, loads) = (list(cycles)?, list(loads)?);
        let runs =
            cycles.into_iter().zip(loads).map(|(cycles, load)| Run { cycles, load }).collect();
        let rest = rest.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        let [local, crossbar, crossbar_last] = rest[..] else {
            return Err("the row is too short".to_string());
        };
        let fixed = Fixed { local, crossbar, crossbar_last };
        Ok(Self { application, w2: number(w2)?, scheme: scheme.clone(), runs, fixed })
    }
}

/// The table of samples.
pub(super) fn table(samples: &[Sample]) -> Table {
    Table::new("table.csv", &HEADS, samples.iter().map(Sample::cells))
}

/// The samples of the first table.
pub(super) fn samples(tables: &[Table]) -> Result<Vec<Sample>> {
    let rows = tables.first().map_or(&[][..], Table::rows);
    let sample = |(row, cells): (usize, &Vec<String>)| {
        Sample::parse(cells).map_err(|what| StudyError::Table { line: row + 2, what })
    };
    rows.iter().enumerate().map(sample).collect()
}

/// Samples by what they are of.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'s>(pub(super) &'s [Sample]);

impl<'s> View<'s> {
    pub(super) fn of(self, application: Application) -> impl Iterator<Item = &'s Sample> {
        self.0.iter().filter(move |sample| sample.application == application)
    }

    pub(super) fn get(self, application: Application, w2: u64, scheme: &str) -> Option<&'s Sample> {
        self.of(application).find(|sample| sample.w2 == w2 && sample.scheme == scheme)
    }

    /// Slowdowns of the application; none where there is no such sample.
    pub(super) fn slowdowns(self, application: Application, w2: u64, scheme: &str) -> Vec<f64> {
        self.get(application, w2, scheme).map_or_else(Vec::new, Sample::slowdowns)
    }

    /// Median slowdown of the application; not a number where there is no such sample, so that no claim holds of
    /// it.
    pub(super) fn median(self, application: Application, w2: u64, scheme: &str) -> f64 {
        let found = Quartiles::of(&self.slowdowns(application, w2, scheme));
        found.map_or(f64::NAN, |q| q.median)
    }
}
