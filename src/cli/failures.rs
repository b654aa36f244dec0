//! Options for cables and switches that fail.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use itertools::Itertools;

use super::Context;
use crate::failure::{self, Cable};
use crate::input::STDIN;
use crate::topology::Topology;

/// Maximum size of a decompressed list of failures, in bytes.
const MAX_BYTES: u64 = 1 << 26;

/// Links and switches to fail, all at once.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Failures")]
pub struct FailureOptions {
    /// Fail N inter-switch cables at random; the seed is `--seed`, or 1
    #[arg(long, value_name = "N")]
    fail: Option<u64>,
    /// Fail the cables listed in FILE, one per line: `node[port]`, `node node` or a link number; `-` is
    /// stdin
    #[arg(long, value_name = "FILE")]
    fail_links: Option<PathBuf>,
    /// Fail switches with all their cables: comma-separated names, or a file with one name per line
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
        if let Some(path) = &self.fail_links {
            let listed = failure::listed_cables(topology, &context.read_text(path, MAX_BYTES)?);
            cables.extend(listed.with_context(|| path.display().to_string())?);
        }
        if let Some(list) = &self.fail_switches {
            let path = Path::new(list);
            let is_file = list == STDIN || (path.exists() && !path.is_dir());
            let text = if is_file {
                context.read_text(path, MAX_BYTES)?
            } else {
                list.split(',').join("\n")
            };
            let listed = failure::listed_switches(topology, &text);
            cables.extend(listed.with_context(|| format!("--fail-switches {list}"))?);
        }
        cables.sort_by_key(|cable| cable.links.first().copied());
        cables.dedup();
        Ok(cables)
    }
}
