//! Tasks and their placement on hosts: what all regular patterns share.
//!
//! A regular pattern is defined on tasks `0..K`. `tasks=K` sets their number (by default that of
//! the hosts), `place=` the hosts on which they run: `linear`, task i on host i, or `random`, by
//! `seed` (\[OR\] VI: "the node assignment is randomly generated").

use serde::Deserialize;

use super::permutation::shuffled;
use super::{Demand, Product, ProductTraffic, TrafficError, TrafficMatrix};
use crate::integer::{as_size, index32};
use crate::rational::Rational;
use crate::spec::{Spec, SpecError};
use crate::topology::{Host, host_number};

/// The placement of tasks on hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Task i is on host i.
    Linear,
    /// On random hosts.
    Random,
}

/// The options of all regular patterns; in some the number of tasks is not an option.
#[derive(Deserialize)]
struct Options {
    tasks: Option<u64>,
    place: Place,
    seed: u64,
}

/// The tasks of a pattern.
pub(super) struct Tasks<'s> {
    spec: &'s Spec,
    hosts: usize,
    count: u32,
    seed: Option<u64>,
}

impl<'s> Tasks<'s> {
    /// The tasks that a spec says, by default as many as there are hosts.
    pub(super) fn read(spec: &'s Spec, hosts: usize) -> Result<Self, TrafficError> {
        let Options { tasks, .. } = spec.read()?;
        Self::new(spec, hosts, tasks.unwrap_or(hosts as u64))
    }

    /// The given number of tasks, placed as a spec says.
    pub(super) fn new(spec: &'s Spec, hosts: usize, count: u64) -> Result<Self, TrafficError> {
        let Options { place, seed, .. } = spec.read()?;
        if count > hosts as u64 {
            let reason = format!("it has {count} tasks; use a larger network or fewer tasks");
            return Err(TrafficError::does_not_fit(spec, hosts, reason));
        }
        if count < 2 {
            return Err(spec.refused(format!("{count} tasks, at least 2 required")).into());
        }
        let seed = (place == Place::Random).then_some(seed);
        Ok(Self { spec, hosts, count: index32(as_size(count)), seed })
    }

    /// Number of tasks K, at least 2.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The logarithm of the number of tasks.
    ///
    /// # Errors
    /// [`TrafficError::DoesNotFit`] when it is not a power of two.
    pub(super) fn bits(&self) -> Result<u32, TrafficError> {
        if self.count.is_power_of_two() {
            return Ok(self.count.ilog2());
        }
        let largest = 1_u32 << self.count.ilog2();
        Err(self.does_not_fit("is not a power of two", largest))
    }

    /// The error that the number of tasks is unsuitable, with one that would do.
    pub(super) fn does_not_fit(&self, problem: &str, better: u32) -> TrafficError {
        let reason = format!("the number of tasks, {}, {problem}; use tasks={better}", self.count);
        TrafficError::does_not_fit(self.spec, self.hosts, reason)
    }

    /// The error that an argument is wrong.
    pub(super) fn bad(&self, problem: impl Into<String>) -> SpecError {
        self.spec.refused(problem)
    }

    /// The traffic of 1 unit per given pair of tasks, placed on the hosts. `most` is a bound
    /// on the number of pairs.
    pub(super) fn traffic(
        &self,
        most: u64,
        pairs: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<TrafficMatrix, TrafficError> {
        TrafficMatrix::check_entries(most.into())?;
        let unit = |(s, d)| Demand { s, d, amount: Rational::ONE };
        let matrix = TrafficMatrix::new(self.count as usize, pairs.into_iter().map(unit))?;
        matrix.placed(self.hosts, self.seed)
    }

    /// The traffic of 1 unit from every task to every other of the given ones, placed on the hosts.
    pub(super) fn product(&self, destinations: impl Iterator<Item = u32>) -> ProductTraffic {
        let place: Vec<Host> = match self.seed {
            Some(seed) => shuffled(self.hosts, seed, 0),
            None => (0..host_number(self.hosts)).collect(),
        };
        let destinations = destinations.map(|task| place[task as usize]).collect();
        let sources = place[..self.count as usize].to_vec();
        ProductTraffic::new(self.hosts, [Product { sources, destinations, amount: Rational::ONE }])
    }

    /// The traffic in which every task s sends 1 unit to `image(s)`, or nothing when that is s.
    pub(super) fn map(&self, image: impl Fn(u32) -> u32) -> Result<TrafficMatrix, TrafficError> {
        self.traffic(self.count.into(), (0..self.count).map(|s| (s, image(s))))
    }
}
