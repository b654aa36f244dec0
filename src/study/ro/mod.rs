//! The simulations of \[RO\] VI to IX: WRF-256 and CG.D-128 on slimmed 16-ary 2-trees.
//!
//! Pages are made from the tables alone ([`figure_2`], [`figure_5`]), so that a test can make them again from
//! what is committed.

mod applications;
mod checks;
mod claims;
mod figure_2;
mod figure_4;
mod figure_5;
mod known_schemes;
mod points;
mod table;

pub use claims::{Claim, claims_table};
pub use figure_2::pages as figure_2;
pub use figure_5::pages as figure_5;
pub use points::{Application, Fixed, Point, Points, Run, first_seed};
pub use table::{HEADS, Sample, samples};

use super::{Study, StudyError};
use crate::distribution::Units;
use crate::progress::Progress;
use crate::registry::Kind;

/// Every study of these simulations.
pub(super) const KINDS: &[Kind<Study>] = &[figure_2::KIND, figure_4::KIND, figure_5::KIND];

/// Every tree, from full to a single root, and those with a choice of roots.
const TREES: [u64; 16] = [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const CHOICE: &[u64] = TREES.split_at(15).0;

/// Samples of all schemes; `None` in the part of a shard.
fn sampled(
    schemes: &[&str],
    units: &Units,
    progress: &Progress,
) -> Result<Option<Vec<Sample>>, StudyError> {
    let points = Points::of(schemes);
    let Some(found) = points.simulated(units, progress)? else { return Ok(None) };
    let quiet = progress.part(1.0);
    let [wrf, cg] = Application::ALL.map(|application| Fixed::of(application, &quiet));
    Ok(Some(Sample::all(&points.0, &found, [wrf?, cg?])))
}
