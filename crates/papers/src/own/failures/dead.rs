//! Several dead cables at once.

use crate::certificate::Quantity;
use crate::failure::{at_random, inner_cables};
use crate::progress::Stopped;
use crate::study::prelude::*;
use crate::worst_case::Analyse;

use super::cases::{Case, SEED};
use super::damaged::Damaged;
use super::samples::{Draws, Loads, parts};

/// Highest percentage of cables.
pub(super) const MOST: u64 = 5;

/// An instance without some of its cables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Dead {
    pub(super) percent: u64,
    pub(super) cables: u64,
    pub(super) cut_off: usize,
    pub(super) lost: u64,
    /// The exact worst permutation load.
    pub(super) exact: Rational,
    pub(super) sampled: [Rational; 3],
}

impl Dead {
    pub(super) fn find(
        case: &Case,
        instance: &Instance,
        percent: u64,
        draws: &Draws,
        progress: &Progress,
    ) -> Result<Self> {
        let topology = &instance.topology;
        let cables = (inner_cables(topology).len() as u64 * percent + 50) / 100;
        let damaged = Damaged::of(instance, &at_random(topology, cables, SEED)?, &case.repair())?;
        let quiet = progress.part(1.0);
        let worst =
            Analyse::of(Quantity::PermutationLoad).progress(&quiet).run(&damaged.instance)?;
        if !worst.is_complete() {
            return Err(worst.unsolved.clone().map_or(Stopped.into(), StudyError::from));
        }
        let mut loads = Loads::new(draws, topology.links());
        loads.add_all(
            |pair, scratch, all| {
                damaged.each_use(pair, scratch, &mut |share, link| all.push((link, parts(share))));
            },
            |_, _| {},
            progress,
        )?;
        Ok(Self {
            percent,
            cables,
            cut_off: damaged.cut_off,
            lost: damaged.lost,
            exact: worst.lower().clone(),
            sampled: loads.highest(topology),
        })
    }

    /// Whether no number contradicts another.
    pub(super) fn is_possible(&self) -> bool {
        self.sampled.iter().all(|load| *load <= self.exact)
    }
}
