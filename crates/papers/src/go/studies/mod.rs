//! The simulations of \[GO\] 5: deterministic against adaptive routing on k-ary n-trees.

mod curves;
mod figure_5;
mod figure_6;
mod figure_7;
mod patterns;
mod points;

use crate::registry::Kind;
use crate::report::plot::{Axes, Chart, Scale, curve_charts};
use crate::study::StudyError;
use crate::study::engine::{Page, Study};
use crate::theorem::Finding;

/// Every study of this paper.
pub const KINDS: &[Kind<Study>] = &[figure_5::KIND, figure_6::KIND, figure_7::KIND, patterns::KIND];

/// Where the paper says what these studies examine.
const UNIFORM: &str = "5.2.1";
const DISKS: &str = "5.2.2";

/// A page: what it says first, the claims, and what follows from the table.
fn page(header: &str, claims: &[Finding], rest: &str) -> Page {
    Page::new(header).findings(claims).text(rest)
}

/// A page beside a chart of latency against accepted traffic.
fn latency_page(page: Page, charts: &[Chart]) -> Result<Page, StudyError> {
    let axes = Axes { x: "accepted, flits/cycle/host", y: "network latency, cycles" };
    Ok(page.beside("latency.svg", curve_charts(charts, axes, [Scale::FromZero; 2])?))
}
