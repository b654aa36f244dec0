//! Paths in bulk.

use super::Xgft;
use crate::topology::{Host, LinkId};

/// Where the links of every host's subtrees begin: what is left of a path for bulk work is one
/// addition per link.
#[derive(Clone, Debug)]
pub struct Ladders {
    height: usize,
    /// For every host, from step 1 on: the first up link and the first down link of the subtree of
    /// height l − 1 that contains it.
    steps: Vec<(LinkId, LinkId)>,
    /// w_l, from step 1 on.
    parents: Vec<u32>,
}

impl Xgft {
    /// The ladders of all hosts. O(hosts·height).
    ///
    /// ```
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// let tree = tree.tree().ok_or("no labels")?;
    /// let mut path = [0; 4];
    /// tree.ladders().write_path((0, 2), &[0, 1], &mut path);
    /// let mut links = Vec::new();
    /// tree.push_path(0, 2, &[0, 1], &mut links);
    /// assert_eq!(links, path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ladders(&self) -> Ladders {
        let first = |host, level: usize| {
            let (up, down) = self.step_start[level];
            let offset = self.subtree(host, level) * self.parent_product[level + 1];
            (up + offset, down + offset)
        };
        let steps = |host| (0..self.height()).map(move |level| first(host, level));
        Ladders {
            height: self.height(),
            steps: self.host_numbers().flat_map(steps).collect(),
            parents: self.parents.clone(),
        }
    }
}

impl Ladders {
    /// Writes the links of the path from s to d with up-digits W1..WL, L being the level of their
    /// nearest common ancestors; `path` has 2L places. As [`Xgft::push_path`].
    #[inline]
    pub fn write_path(&self, (s, d): (Host, Host), up: &[u32], path: &mut [LinkId]) {
        let ladder = |host: Host| &self.steps[host as usize * self.height..][..self.height];
        let (rising, falling) = path.split_at_mut(up.len());
        let ends = ladder(s).iter().zip(ladder(d)).zip(&self.parents);
        let links = rising.iter_mut().zip(falling.iter_mut().rev());
        let mut b = 0;
        for ((port, (rise, fall)), ((own, other), ports)) in up.iter().zip(links).zip(ends) {
            b = b * ports + port;
            *rise = own.0 + b;
            *fall = other.1 + b;
        }
    }
}
