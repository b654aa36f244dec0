//! The simulations of \[RO\] VI to IX: WRF-256 and CG.D-128 on slimmed 16-ary 2-trees.
//!
//! The pages of Figures 2 and 5 are made from their tables alone.

mod applications;
mod checks;
mod contention;
mod exact;
mod figure_2;
mod figure_4;
mod figure_5;
mod known_schemes;
mod mann_whitney;
mod points;
#[cfg(feature = "sat")]
mod relabelling;
mod table;

use crate::study::engine::Job;
use crate::study::prelude::*;
use points::{Application, Fixed, Point, Points};
use table::Sample;

/// Every study of these simulations.
pub const KINDS: &[Kind<Study>] = &[
    figure_2::KIND,
    figure_4::KIND,
    figure_5::KIND,
    contention::KIND,
    #[cfg(feature = "sat")]
    relabelling::KIND,
];

/// Every tree, from full to a single root, and those with a choice of roots.
const TREES: [u64; 16] = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const CHOICE: &[u64] = TREES.split_at(15).0;

/// The runs of some schemes, grouped into samples.
struct Simulations(Points);

impl Simulations {
    /// The small tier has one tree.
    fn of(schemes: &[&str], tier: Tier) -> Self {
        let is_wanted = |point: &Point| tier == Tier::Full || point.w2 == 10;
        let Points(all) = Points::of(schemes);
        Self(Points(all.into_iter().filter(is_wanted).collect()))
    }

    fn count(&self) -> u64 {
        self.0.0.len() as u64
    }

    /// Samples of all schemes; `None` in the part of a shard.
    fn sampled(&self, job: &Job<'_>) -> Result<Option<Vec<Sample>>> {
        let Some(found) = job.at_once(&self.0)? else { return Ok(None) };
        let quiet = job.progress.part(1.0);
        let [wrf, cg] = Application::ALL.map(|application| Fixed::of(application, &quiet));
        Ok(Some(Sample::all(&self.0.0, &found, [wrf?, cg?])))
    }
}
