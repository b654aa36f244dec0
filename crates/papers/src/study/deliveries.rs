//! Runs of delivery cycles at many points: what `deliver --sweep` and the studies of \[GL\] measure.
//!
//! A point is a row of a table: an algorithm on a set of messages on a network, with a number of
//! seeds. A part holds the cycles of every run; the process that merges examines what can be examined without
//! sending the messages again: the numbers of messages and the load factor.

mod table;

pub use table::{HEADS, cells};

use serde::{Deserialize, Serialize};

use super::StudyError;
use super::engine::{Job, Rows, Tier};
use crate::adversary::delivery::{self, Target};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::sampling::Summary;
use crate::shards::Units;
use crate::simulation::delivery::{
    Deliveries, DeliveryError, Ground, Messages, Settings, algorithm, bottleneck, figure_4, loss,
    sets,
};
use crate::topology::{UniversalShape, generate};

/// An algorithm on a set of messages, by specs.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Network.
    pub topology: String,
    /// Algorithm.
    pub algorithm: String,
    /// Family of messages, traffic pattern, or adversary against GREEDY.
    pub messages: String,
    /// Loss rule.
    pub loss: String,
    /// The load factor that the number of messages is chosen for; `None` for the set as it is.
    pub load_factor: Option<Rational>,
    /// Number of seeds.
    pub runs: u64,
    /// The first of them.
    pub seed: u64,
}

/// The measurements at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Canonical spec of the algorithm.
    pub algorithm: String,
    /// Canonical spec of the messages, with their number.
    pub messages: String,
    /// Number n of processors.
    pub processors: usize,
    /// Number of messages.
    pub total: u64,
    /// λ(M), as text.
    pub load_factor: String,
    /// Cycles until the last message arrived, by seed.
    pub cycles: Vec<u64>,
    /// Cycles of the algorithm as printed, by seed.
    pub performed: Vec<u64>,
}

impl Measured {
    /// λ(M).
    #[must_use]
    pub fn factor(&self) -> Rational {
        self.load_factor.parse().unwrap_or_default()
    }

    /// The sample of cycles.
    #[must_use]
    pub fn sample(&self) -> Option<Summary> {
        Summary::of(self.cycles.iter().map(|cycles| (Rational::from(*cycles), 1)))
    }

    /// Mean cycles ÷ what the bound of \[GL\] Figure 4 grows as.
    #[must_use]
    pub fn fitted(&self) -> Option<f64> {
        let scale = figure_4(self.processors, self.factor().to_f64());
        Some(self.sample()?.mean().to_f64() / scale)
    }
}

/// The points of a table, measured one after the other; the runs of one in parallel.
#[derive(Clone, Debug)]
pub struct Points(pub Vec<Point>);

impl Points {
    /// All points in order; `None` in the part of a shard.
    ///
    /// # Errors
    /// [`StudyError`] of the first point that cannot be measured, or when the work was stopped.
    pub fn measure(
        &self,
        units: &Units,
        progress: &Progress,
    ) -> Result<Option<Vec<Measured>>, StudyError> {
        Job { tier: Tier::Full, units, progress }.in_turn(self)
    }
}

impl Rows for Points {
    type Key = Point;
    type Row = Measured;

    fn keys(&self) -> &[Point] {
        &self.0
    }

    fn find(&self, point: &Point, progress: &Progress) -> Result<Measured, StudyError> {
        let ground = ground(&point.topology)?;
        let quiet = progress.part(1.0);
        let (messages, spec) = point.messages(&ground, &quiet)?;
        let bottleneck = bottleneck(ground.tree(), &messages)?.ok_or(DeliveryError::NoneSent)?;
        bottleneck.check_cycles().map_err(DeliveryError::from)?;
        let algorithm = algorithm::build(&point.algorithm, &ground.facts(&messages))?;
        let settings = Settings { loss: loss::find(&point.loss)?, seed: point.seed };
        let found = ground.deliver_often(&*algorithm, &messages, settings, point.runs, &quiet)?;
        progress.check()?;
        Ok(Measured {
            algorithm: algorithm.spec(),
            messages: spec,
            processors: ground.ends().processors,
            total: messages.total(),
            load_factor: bottleneck.load_factor.to_string(),
            cycles: found.iter().map(|run| run.cycles).collect(),
            performed: found.iter().map(|run: &Deliveries| run.performed).collect(),
        })
    }

    fn holds(&self, point: &Point, found: &Measured) -> bool {
        let runs = found.cycles.len() as u64;
        let Ok(least) = found.load_factor.parse::<Rational>() else { return false };
        let is_enough = |cycles: &u64| Rational::from(*cycles) >= least;
        let is_shown = |(done, performed): (&u64, &u64)| done <= performed;
        runs == point.runs
            && found.cycles.iter().all(is_enough)
            && found.cycles.iter().zip(&found.performed).all(is_shown)
            && found.performed.len() == found.cycles.len()
    }
}

/// The tree of a spec.
pub(crate) fn ground(spec: &str) -> Result<Ground, StudyError> {
    if let Ok(Some(shape)) = UniversalShape::named(spec) {
        return Ok(Ground::universal(&shape));
    }
    let topology = generate(spec)?;
    Ok(Ground::of(&topology)?)
}

impl Point {
    /// The messages, and their spec.
    pub(crate) fn messages(
        &self,
        ground: &Ground,
        progress: &Progress,
    ) -> Result<(Messages, String), StudyError> {
        if delivery::is_named(&self.messages) {
            return self.worst_set(ground, progress);
        }
        Ok(match &self.load_factor {
            Some(wanted) => {
                sets::with_load_factor(&self.messages, ground.tree(), ground.ends(), wanted)?
            }
            None => sets::open(&self.messages, ground.ends())?,
        })
    }

    /// What an adversary finds under the loss rule.
    fn worst_set(
        &self,
        ground: &Ground,
        progress: &Progress,
    ) -> Result<(Messages, String), StudyError> {
        let loss = loss::find(&self.loss)?;
        let target = Target { tree: ground.tree(), shape: ground.shape(), loss };
        let Some(load_factor) = &self.load_factor else {
            return Ok(delivery::find_set(&self.messages, &target, progress)?);
        };
        let (messages, load_factor) = (self.messages.clone(), load_factor.clone());
        let spec = delivery::with_load_factor(&messages, &load_factor)
            .ok_or(StudyError::NoWholeLoadFactor { messages, load_factor })?;
        Ok(delivery::find_set(&spec, &target, progress)?)
    }
}

#[cfg(test)]
mod tests;
