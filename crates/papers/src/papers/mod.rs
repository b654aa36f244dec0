//! All papers together: their statements and studies as one list each, and what they publish of one instance.
//!
//! This is above the folders of the papers, and they are above [`theorem`](crate::theorem) and `study`, which say what
//! a statement and a study are and import none. A new paper is a folder and a line in the lists here; `lit` is the
//! folder of papers that are known by their abstracts, `own` that of what no paper prints.

mod budget;
mod empirical;
#[cfg(feature = "studies")]
pub mod items;
mod published;

pub use crate::theorem::Side;
pub use empirical::{Attacks, Empirical, empirically};
pub use published::{PublishedBound, Standing, is_bound, published};

#[cfg(feature = "studies")]
use crate::own;
use crate::registry::Kind;
#[cfg(feature = "studies")]
use crate::registry::{concatenated, count};
#[cfg(feature = "studies")]
use crate::study::Study;
use crate::theorem::Statement;
use crate::{gl, go, lit, nb, or, ro};

/// Every statement, paper by paper, under its name.
pub const STATEMENTS: &[Kind<&Statement>] = &entries::<{ number_of(STATEMENTS_OF) }>(STATEMENTS_OF);

/// One slice per paper.
const STATEMENTS_OF: &[&[Statement]] = &[
    or::STATEMENTS,
    gl::STATEMENTS,
    go::STATEMENTS,
    nb::STATEMENTS,
    ro::STATEMENTS,
    lit::STATEMENTS,
];

const fn number_of(papers: &[&[Statement]]) -> usize {
    let (mut paper, mut count) = (0, 0);
    while paper < papers.len() {
        (paper, count) = (paper + 1, count + papers[paper].len());
    }
    count
}

const fn entries<const N: usize>(
    papers: &'static [&'static [Statement]],
) -> [Kind<&'static Statement>; N] {
    let mut all = [papers[0][0].entry(); N];
    let (mut paper, mut at, mut first) = (0, 0, 0);
    while at < N {
        if at - first == papers[paper].len() {
            (paper, first) = (paper + 1, at);
        }
        all[at] = papers[paper][at - first].entry();
        at += 1;
    }
    all
}

/// Every study: those of no paper, then paper by paper.
#[cfg(feature = "studies")]
pub const STUDIES: &[Kind<Study>] = &concatenated::<_, { count(STUDIES_OF) }>(STUDIES_OF);

/// One slice per folder; the first is not empty, whatever the features.
#[cfg(feature = "studies")]
const STUDIES_OF: &[&[Kind<Study>]] =
    &[own::STUDIES, gl::STUDIES, go::STUDIES, nb::STUDIES, or::STUDIES, ro::STUDIES];

#[cfg(all(test, feature = "studies"))]
mod tests;
