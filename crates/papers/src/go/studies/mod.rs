//! The simulations of \[GO\] 5: deterministic against adaptive routing on k-ary n-trees.

mod curves;
mod figure_5;
mod figure_6;
mod figure_7;
mod patterns;
mod points;

use crate::registry::{self, Kind};
use crate::report::plot::{Axes, Chart, Scale, curve_charts};
use crate::study::StudyError;
use crate::study::engine::{Claim, Page, Study, lines_of};

/// Every study of this paper.
pub const KINDS: &[Kind<Study>] = &[figure_5::KIND, figure_6::KIND, figure_7::KIND, patterns::KIND];

/// Where the paper says what these studies examine.
const UNIFORM: &str = "5.2.1";
const DISKS: &str = "5.2.2";

/// What the paper states about the numbers in the `table.csv` of a study, and whether it holds.
///
/// # Errors
/// [`StudyError`] for a study that is none of this paper, and for another table.
///
/// ```
/// # use routebound_papers::go::studies::claims;
/// let refused = claims("go-figure-5", b"a,b\n1,2\n");
/// assert!(refused.is_err());
/// assert!(claims("gl-figure-4", b"").is_err());
/// ```
pub fn claims(study: &str, table: &[u8]) -> Result<Vec<Claim>, StudyError> {
    match registry::find(KINDS, "study", study)?.name {
        "go-figure-5" => Ok(figure_5::claims(&lines_of(table)?)),
        "go-figure-6" => Ok(figure_6::claims(&lines_of(table)?)),
        "go-figure-7" => Ok(figure_7::claims(&lines_of(table)?)),
        _ => Ok(patterns::claims(&lines_of(table)?)),
    }
}

/// A page: what it says first, the claims, and what follows from the table.
fn page(header: &str, claims: &[Claim], rest: &str) -> Page {
    Page::new(header).claims(claims).text(rest)
}

/// The same beside a chart of latency against accepted traffic.
fn latency_page(page: Page, charts: &[Chart]) -> Result<Page, StudyError> {
    let axes = Axes { x: "accepted, flits/cycle/host", y: "network latency, cycles" };
    Ok(page.beside("latency.svg", curve_charts(charts, axes, [Scale::FromZero; 2])?))
}
