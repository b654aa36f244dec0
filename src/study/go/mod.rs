//! The simulations of \[GO\] 5: deterministic against adaptive routing on k-ary n-trees.

mod claims;
mod curves;
mod figure_5;
mod figure_6;
mod figure_7;
mod patterns;
mod points;

pub use claims::{Claim, claims_table};

use super::{Study, StudyError, StudyFile, rows};
use crate::distribution::Units;
use crate::progress::Progress;
use crate::registry::{self, Kind};
use crate::report::plot::{Axes, Chart, linear_charts};
use points::{HEADS, Line, Points};

/// Every study of this paper.
pub(super) const KINDS: &[Kind<Study>] =
    &[figure_5::KIND, figure_6::KIND, figure_7::KIND, patterns::KIND];

/// What the paper states about the numbers in the `table.csv` of a study, and whether it holds.
///
/// # Errors
/// [`StudyError`] for a study that is none of this paper, and for another table.
///
/// ```
/// let refused = routebound::study::go::claims("go-figure-5", b"a,b\n1,2\n");
/// assert!(refused.is_err());
/// assert!(routebound::study::go::claims("gl-figure-4", b"").is_err());
/// ```
pub fn claims(study: &str, table: &[u8]) -> Result<Vec<Claim>, StudyError> {
    match registry::find(KINDS, "study", study)?.name {
        "go-figure-5" => Ok(figure_5::claims(&points::lines(table)?)),
        "go-figure-6" => Ok(figure_6::claims(&points::lines(table)?)),
        "go-figure-7" => Ok(figure_7::claims(&points::lines(table)?)),
        _ => Ok(patterns::claims(&points::lines(table)?)),
    }
}

/// A page: what it says first, the claims, and what follows from the table.
fn page(header: &str, claims: &[Claim], rest: &str) -> StudyFile {
    let text = format!("{header}{}{rest}", claims_table(claims));
    StudyFile { path: "README.md".into(), bytes: text.into_bytes() }
}

/// The files of a figure whose points are runs in open loop: a page, a chart and the table.
fn figure(
    points: &Points,
    (units, progress): (&Units, &Progress),
    charts: fn(&[Line]) -> Vec<Chart>,
    readme: fn(&[Line]) -> StudyFile,
) -> Result<Vec<StudyFile>, StudyError> {
    let Some(found) = rows::each(points, units, progress)? else { return Ok(Vec::new()) };
    let table = points::file(&HEADS, found)?;
    let lines: Vec<Line> = points::lines(&table.bytes)?;
    let axes = Axes { x: "accepted, flits/cycle/host", y: "network latency, cycles" };
    let svg = linear_charts(&charts(&lines), axes)?;
    let svg = StudyFile { path: "latency.svg".into(), bytes: svg.into_bytes() };
    Ok(vec![readme(&lines), svg, table])
}
