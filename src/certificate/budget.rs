//! How many paths a certificate lists: a short record takes much more memory than text.

use crate::limit::{TooLarge, within};

/// Most `path` and `allowed` records together: 120 bytes each, without their links.
pub const MAX_PATHS: u64 = 1 << 23;

/// Most links in them, a link counted as often as it is listed: 4 bytes each.
pub const MAX_PATH_LINKS: u64 = 1 << 26;

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
        let remedy = "name the network and the routing by specs, or use a smaller instance";
        let what = "number of listed paths";
        within(what, Some(self.paths.into()), self.most_paths, remedy)?;
        let what = "number of links of all listed paths";
        within(what, Some(self.links.into()), self.most_links, remedy)?;
        Ok(())
    }
}
