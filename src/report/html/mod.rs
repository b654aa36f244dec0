//! The report of `fabric` as one page of HTML, for a browser without a network. Only this folder names askama.
//!
//! A page is a list of sections ([`FabricPage::render`]): a new one is a file with a template and a line in
//! that list. Nothing on a page is fetched, and a policy in its head forbids it. Names from fabrics are untrusted:
//! templates escape what they print, except for the parts of a page that are templates themselves, and nothing is
//! handed to the script, which only sorts, filters and switches what is there.
//!
//! What a section shows comes from the record or from `TablesPicture`. `make test-html` looks at a page in a browser,
//! and `.ci/test-html --screenshots FOLDER` shows it in light and dark, wide and narrow.

mod alternatives;
mod drawing;
mod drawn;
mod fold;
mod histogram;
mod jobs;
mod layout;
mod matrix;
mod picture;
mod scale;
mod section;
mod shape;
mod summary;
mod table;
mod tables;
mod unbroken;

#[cfg(test)]
mod tests;

use askama::Template;

use super::fabric::FabricReport;
use crate::quote::printable;
use crate::topology::Topology;
use section::Section;

pub use picture::{SentPair, TablesPicture, WorstPermutation};

/// A page about a fabric.
#[derive(Clone, Copy, Debug)]
pub struct FabricPage<'a> {
    /// The report that is printed as text.
    pub report: &'a FabricReport,
    /// The network.
    pub topology: &'a Topology,
    /// The pictures of every set of tables, in the order of [`FabricReport::tables`]; fewer where a run was
    /// stopped before.
    pub pictures: &'a [TablesPicture],
}

/// The page could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot write the page: {0}")]
pub struct PageError(String);

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> Self {
        Self(error.to_string())
    }
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    network: &'a str,
    is_complete: bool,
    sections: Vec<Section>,
    version: &'static str,
    style: &'static str,
    dark: &'static str,
    script: &'static str,
}

impl FabricPage<'_> {
    /// The page as HTML that is also well-formed XML but for its first line, its style and its script. The
    /// same report gives the same page.
    ///
    /// # Errors
    /// [`PageError`] where a template fails.
    ///
    /// ```
    /// use routebound::report::{FabricReport, FabricShape, html::FabricPage};
    /// let topology = routebound::topology::generate("ft(4,2)")?;
    /// let shape = FabricShape::of(&topology)?;
    /// let report = FabricReport::new("<b>ft(4,2)</b>".into(), shape, Vec::new()).advised();
    /// let page = FabricPage { report: &report, topology: &topology, pictures: &[] }.render()?;
    /// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("6 switches"));
    /// assert!(!page.contains("<b>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn render(&self) -> Result<String, PageError> {
        // The sections from top to bottom.
        let mut sections = vec![summary::section(self)?, shape::section(self)?];
        sections.extend(tables::sections(self)?);
        sections.extend(alternatives::section(self)?);
        let page = Page {
            network: &self.report.network,
            is_complete: self.report.complete,
            sections,
            version: env!("CARGO_PKG_VERSION"),
            style: include_str!("templates/style.css"),
            dark: include_str!("templates/dark.css"),
            script: include_str!("templates/page.js"),
        };
        Ok(printable(&page.render()?).into_owned())
    }
}
