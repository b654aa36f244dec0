//! How much a certificate lists: a short record takes much more memory than text.

use crate::limit::{TooLarge, within};

const REMEDY: &str = "name the network and the routing by specs, or use a smaller instance";

/// Most `path` and `allowed` records together: 120 bytes each, without their links.
pub const MAX_PATHS: u64 = 1 << 24;

/// Most links in them, a link counted as often as it is listed: 4 bytes each.
pub const MAX_PATH_LINKS: u64 = 1 << 26;

/// Most `demand` and `length` records and weights in covers, all together: 56 bytes each.
pub const MAX_AMOUNTS: u64 = 1 << 25;

/// Most entries of `next` records: 8 bytes each.
pub const MAX_NEXT: u64 = 1 << 28;

/// What is counted besides paths, and how much of it there may be.
#[derive(Clone, Debug)]
pub(super) struct EntryBudget {
    amounts: u64,
    next: u64,
    most_amounts: u64,
    most_next: u64,
}

impl Default for EntryBudget {
    fn default() -> Self {
        Self::new(MAX_AMOUNTS, MAX_NEXT)
    }
}

impl EntryBudget {
    pub(super) fn new(most_amounts: u64, most_next: u64) -> Self {
        Self { amounts: 0, next: 0, most_amounts, most_next }
    }

    /// Counts amounts before they are held.
    pub(super) fn take_amounts(&mut self, count: usize) -> Result<(), TooLarge> {
        self.amounts += count as u64;
        let what = "number of demands, lengths and weights in covers";
        within(what, Some(self.amounts.into()), self.most_amounts, REMEDY)?;
        Ok(())
    }

    /// Counts the entries of a `next` record before they are held.
    pub(super) fn take_next(&mut self, count: usize) -> Result<(), TooLarge> {
        self.next += count as u64;
        let what = "number of entries of `next` records";
        within(what, Some(self.next.into()), self.most_next, REMEDY)?;
        Ok(())
    }
}

/// The paths that were listed, and how many may be.
#[derive(Clone, Debug)]
pub(super) struct PathBudget {
    paths: u64,
    links: u64,
    most_paths: u64,
    most_links: u64,
}

impl Default for PathBudget {
    fn default() -> Self {
        Self::new(MAX_PATHS, MAX_PATH_LINKS)
    }
}

impl PathBudget {
    pub(super) fn new(most_paths: u64, most_links: u64) -> Self {
        Self { paths: 0, links: 0, most_paths, most_links }
    }

    /// Counts a path before it is held.
    pub(super) fn take(&mut self, links: usize) -> Result<(), TooLarge> {
        self.paths += 1;
        self.links += links as u64;
        let what = "number of listed paths";
        within(what, Some(self.paths.into()), self.most_paths, REMEDY)?;
        let what = "number of links of all listed paths";
        within(what, Some(self.links.into()), self.most_links, REMEDY)?;
        Ok(())
    }
}
