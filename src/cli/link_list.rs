//! The option `--links` of verbs, which lists every link in place of the result; another list may stand in for it.

use std::ffi::OsString;

use anyhow::Result;

use super::{Context, OutputPath};
use crate::registry::{self, Kind};
use crate::report::{LINK_LISTS, LinkList, List};

/// Format and file of a list of links.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Lists")]
pub struct LinkListOptions {
    /// List every link instead, as table (the default), csv or json (one object per line)
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "table", group = "list")]
    links: Option<String>,
    /// Write the list to FILE; `-` is stdout [default: -]
    #[arg(long, value_name = "FILE", requires = "list")]
    output: Option<OutputPath>,
}

impl LinkListOptions {
    /// The format, if a list is asked for; it may then claim stdout.
    ///
    /// # Errors
    /// When the format is not known, or stdout is to have something else.
    pub fn format(&self, context: &Context) -> Result<Option<&'static Kind<LinkList>>> {
        self.format_or(None, context)
    }

    /// The format, if this list or another one is asked for in its place, which may then claim stdout.
    ///
    /// # Errors
    /// As [`Self::format`].
    pub fn format_or(
        &self,
        other: Option<&str>,
        context: &Context,
    ) -> Result<Option<&'static Kind<LinkList>>> {
        let name = self.links.as_deref().or(other);
        let list = name.map(|name| registry::find(LINK_LISTS, "list format", name));
        let list = list.transpose()?;
        if list.is_some() {
            context.claim_stdout("--output", &self.output())?;
        }
        Ok(list)
    }

    /// Whether a list is asked for.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.links.is_some()
    }

    /// Whether the list goes to stdout.
    #[must_use]
    pub fn is_on_stdout(&self) -> bool {
        self.output().is_stdout()
    }

    /// Keeps the list with what is known so far: `text` makes it if the run is stopped and its work does not end by
    /// itself within a second.
    pub fn keep(
        &self,
        format: Option<&'static Kind<LinkList>>,
        text: impl FnOnce(&Kind<LinkList>) -> Option<String> + Send + 'static,
        context: &Context,
    ) {
        if let Some(format) = format {
            context.keep_file(&self.output(), move || text(format));
        }
    }

    fn output(&self) -> OutputPath {
        self.output.clone().unwrap_or_else(|| OutputPath::from(OsString::from("-")))
    }

    /// Writes the list, if one is asked for; returns whether it was written.
    pub fn write<'r>(
        &self,
        format: Option<&Kind<LinkList>>,
        rows: impl FnOnce() -> List<'r>,
        context: &Context,
    ) -> bool {
        let Some(format) = format else { return false };
        context.write_beside(&self.output(), |out| Ok((format.build)(rows(), out)?))
    }
}

/// The list as it would be written; `None` where it cannot be.
#[must_use]
pub fn text_of(format: &Kind<LinkList>, rows: List<'_>) -> Option<String> {
    let mut text = Vec::new();
    (format.build)(rows, &mut text).ok()?;
    String::from_utf8(text).ok()
}
