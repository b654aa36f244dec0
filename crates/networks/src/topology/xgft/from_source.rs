//! The paths of one source in bulk: what they have in common is looked up once.

use super::{Host, LinkId, Xgft};

/// The paths from one host of a tree.
#[derive(Clone, Debug)]
pub struct FromSource<'t> {
    steps: Vec<Step<'t>>,
}

/// A step up from the source, or down to a destination.
#[derive(Clone, Copy, Debug)]
struct Step<'t> {
    /// The source's subtree below the step, and that of every host.
    own: u32,
    subtree: &'t [u32],
    /// Ports of a node below the step.
    parents: u32,
    /// Number of links out of a subtree.
    width: u32,
    /// First link out of the source's subtree, and first link into any.
    up: LinkId,
    down: LinkId,
}

impl Xgft {
    /// The paths from `s`. O(height).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let topology = routebound::topology::generate("ft(4,2)")?;
    /// let tree = topology.tree().ok_or("labels")?;
    /// let (mut one, mut same) = (Vec::new(), vec![0; 4]);
    /// tree.push_path(0, 2, &[0, 1], &mut one);
    /// let paths = tree.paths_from(0);
    /// paths.write_path(2, &[0, 1], &mut same);
    /// assert_eq!((paths.nca_level(2), one), (2, same));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn paths_from(&self, s: Host) -> FromSource<'_> {
        let step = |(level, (up, down)): (usize, &(LinkId, LinkId))| {
            let (own, width) = (self.subtree(s, level), self.parent_product[level + 1]);
            let (subtree, parents) = (&self.subtree[level][..], self.parents[level]);
            Step { own, subtree, parents, width, up: up + own * width, down: *down }
        };
        FromSource { steps: self.step_start.iter().enumerate().map(step).collect() }
    }

    /// The number of the ancestor with up-digits W1..WL, W1 most significant: below w1⋯wL.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let topology = routebound::topology::generate("xgft(3;2,2,2;2,3,4)")?;
    /// let tree = topology.tree().ok_or("labels")?;
    /// assert_eq!((tree.ancestor(&[1, 2, 3]), tree.ancestor(&[1, 0])), (23, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn ancestor(&self, up: &[u32]) -> u32 {
        up.iter().zip(&self.parents).fold(0, |number, (port, parents)| number * parents + port)
    }
}

impl FromSource<'_> {
    /// Level of the nearest common ancestors with another host.
    #[inline]
    #[must_use]
    pub fn nca_level(&self, d: Host) -> usize {
        // From the top, since most pairs meet there.
        let differ = |step: &Step<'_>| step.subtree[d as usize] != step.own;
        self.steps.iter().rposition(differ).map_or(0, |level| level + 1)
    }

    /// Writes the links of the path to `d` with these up-digits, as many as `path` has pairs of
    /// places: as [`Xgft::push_path`].
    #[inline]
    pub fn write_path(&self, d: Host, up: &[u32], path: &mut [LinkId]) {
        let (mut b, links) = (0, path.len());
        for (level, (step, port)) in self.steps.iter().zip(up).enumerate() {
            b = b * step.parents + port;
            path[level] = step.up + b;
            path[links - 1 - level] = step.down + step.subtree[d as usize] * step.width + b;
        }
    }
}
