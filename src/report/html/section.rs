//! A section of the page.

use askama::Template;

use super::PageError;

/// A section: what the list of contents names, and its content.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Unique on the page, for links.
    pub id: String,
    pub heading: String,
    /// HTML that a template has written.
    pub body: String,
    /// Whether it is shown from the start: others unfold.
    pub is_open: bool,
}

impl Section {
    /// The section that a template fills.
    pub(super) fn of(
        id: impl Into<String>,
        heading: impl Into<String>,
        body: &impl Template,
    ) -> Result<Self, PageError> {
        let (id, heading, body) = (id.into(), heading.into(), body.render()?);
        Ok(Self { id, heading, body, is_open: true })
    }
}
