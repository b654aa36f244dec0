//! The simulations of \[GO\] 5: deterministic against adaptive routing on k-ary n-trees.

mod curves;
mod figure_5;
mod figure_6;
mod figure_7;
mod latency;
mod patterns;
mod points;

use crate::study::prelude::*;

/// Every study of this paper.
pub const KINDS: &[Kind<Study>] = &[figure_5::KIND, figure_6::KIND, figure_7::KIND, patterns::KIND];

/// Where the paper says what these studies examine.
const UNIFORM: &str = "5.2.1";
const DISKS: &str = "5.2.2";

/// A page: what it says first, the claims, and what follows from the table.
fn page(header: &str, claims: &[Finding], rest: &str) -> Page {
    Page::new(header).findings(claims).text(rest)
}
