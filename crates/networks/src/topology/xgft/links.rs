//! Where the links of a tree are.

use super::{LinkId, Xgft};

/// The place of a link in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkPlace {
    /// Whether it leads up.
    pub leads_up: bool,
    /// Its step l, from 1.
    pub step: usize,
    /// Number of the subtree of height l − 1 that it leaves or enters; at step 1 the number of the host.
    pub subtree: u32,
}

impl Xgft {
    /// The place of a link. O(height).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// let labels = tree.tree().ok_or("no labels")?;
    /// let (up, down) = labels.link_id(1, 3, 0, 1);
    /// let (up, down) = (labels.place_of_link(up), labels.place_of_link(down));
    /// assert_eq!((up.leads_up, up.step, up.subtree), (true, 2, 3));
    /// assert_eq!((down.leads_up, down.step, down.subtree), (false, 2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place_of_link(&self, link: LinkId) -> LinkPlace {
        let (level, leads_up, offset) = self.offset_of_link(link);
        let node = offset / self.parents[level];
        LinkPlace { leads_up, step: level + 1, subtree: node / self.parent_product[level] }
    }

    /// The level below a link, whether it leads up, and its place among such links. O(height).
    #[inline]
    pub(super) fn offset_of_link(&self, link: LinkId) -> (usize, bool, u32) {
        let level = self.step_start.partition_point(|(up, _)| *up <= link) - 1;
        let (up, down) = self.step_start[level];
        if link < down { (level, true, link - up) } else { (level, false, link - down) }
    }

    /// The side that a link belongs to and its step: the up links of subtree t of height h − 1 are
    /// side 2t, its down links side 2t + 1. O(height).
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// let tree = routebound::topology::generate("ft(4,2)")?;
    /// let labels = tree.tree().ok_or("no labels")?;
    /// let (up, down) = labels.link_id(1, 3, 0, 1);
    /// assert_eq!((labels.side_of_link(up), labels.side_of_link(down)), ((6, 2), (7, 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn side_of_link(&self, link: LinkId) -> (u32, usize) {
        let LinkPlace { leads_up, step, subtree } = self.place_of_link(link);
        let position = if step == 1 { self.position(subtree) } else { subtree };
        let own = self.subtree_hosts(self.height() - 1) / self.subtree_hosts(step - 1);
        (2 * (position / own) + u32::from(!leads_up), step)
    }
}
