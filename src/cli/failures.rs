//! Options for cables and switches that fail.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::Context;
use crate::failure::{self, Cable, ListError};
use crate::input::STDIN;
use crate::topology::Topology;

/// Maximum size of a decompressed list of failures, in bytes.
const MAX_BYTES: u64 = 1 << 26;

/// Links and switches to fail, all at once.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Failures")]
pub struct FailureOptions {
    /// Fail N cables at random, between switches or between hosts that forward; the seed is `--seed`, or 1
    #[arg(long, value_name = "N")]
    fail: Option<u64>,
    /// Fail cables: `node[port]`, `node node` or a link number, separated by commas, or a file with one per line; `-`
    /// is stdin
    #[arg(long, value_name = "LIST|FILE")]
    fail_links: Option<String>,
    /// Fail switches, or hosts that forward, with all their cables: names, separated by commas, or a file with one
    /// per line; `-` is stdin
    #[arg(long, value_name = "LIST|FILE")]
    fail_switches: Option<String>,
}

impl FailureOptions {
    /// Whether any failure is given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.fail.is_some() || self.fail_links.is_some() || self.fail_switches.is_some()
    }

    /// The cables that fail, each once, ordered by their first link.
    ///
    /// # Errors
    /// When a file cannot be read or does not fit the network.
    pub fn cables(&self, topology: &Topology, context: &Context) -> Result<Vec<Cable>> {
        let mut cables = Vec::new();
        if let Some(count) = self.fail {
            let seed = context.seed().unwrap_or(1);
            cables.extend(failure::at_random(topology, count, seed)?);
            context.remark(&format!("cables that fail at random, with seed {seed}: {count}"));
        }
        if let Some(list) = &self.fail_links {
            let read = |text: &str| failure::listed_cables(topology, text);
            cables.extend(listed("--fail-links", list, read, context)?);
        }
        if let Some(list) = &self.fail_switches {
            let read = |text: &str| failure::listed_switches(topology, text);
            cables.extend(listed("--fail-switches", list, read, context)?);
        }
        cables.sort_by_key(|cable| cable.links.first().copied());
        cables.dedup();
        Ok(cables)
    }
}

/// What a list names, which is in a file if there is one of its name.
pub(super) fn listed<T>(
    option: &str,
    list: &str,
    read: impl Fn(&str) -> Result<Vec<T>, ListError>,
    context: &Context,
) -> Result<Vec<T>> {
    let path = Path::new(list);
    if list == STDIN || (path.exists() && !path.is_dir()) {
        return read(&context.read_text(path, MAX_BYTES)?).with_context(|| list.to_string());
    }
    let found = read(&failure::list_as_lines(list));
    let is_path = list.contains('/') || path.extension().is_some();
    match found {
        Err(_) if is_path && !list.contains([',', ' ']) => bail!("{option} {list}: no such file"),
        found => found.with_context(|| format!("{option} {list}")),
    }
}
