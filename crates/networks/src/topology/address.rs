//! InfiniBand addresses.

use std::ops::Range;

/// InfiniBand addresses of an end port, or of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Node GUID.
    pub guid: u64,
    /// GUID of the port, where it is known; that of a switch is its node GUID.
    pub port_guid: Option<u64>,
    /// Base LID; 0 if there is none.
    pub lid: u16,
    /// LID mask control, at most [`Self::MAX_LMC`]: the port has the `2^lmc` LIDs from `lid` on.
    pub lmc: u8,
}

impl Address {
    /// The largest unicast LID: multicast LIDs follow.
    pub const MAX_LID: u16 = 0xbfff;
    /// The largest LID mask control.
    pub const MAX_LMC: u8 = 7;

    /// All LIDs; empty without a base LID, `None` if the mask is above [`Self::MAX_LMC`] or the last
    /// LID above [`Self::MAX_LID`]. No [`Topology`](super::Topology) has such a node.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::topology::Address;
    /// let lids = |lid, lmc| Address { guid: 1, port_guid: None, lid, lmc }.lids();
    /// assert_eq!((lids(8, 2), lids(0, 2)), (Some(8..12), Some(0..0)));
    /// assert_eq!((lids(0xbfff, 0), lids(0xbfff, 1), lids(8, 8)), (Some(0xbfff..0xc000), None, None));
    /// ```
    #[must_use]
    pub fn lids(self) -> Option<Range<u16>> {
        let Self { lid, lmc, .. } = self;
        if lid == 0 || lmc > Self::MAX_LMC {
            return (lmc <= Self::MAX_LMC).then_some(0..0);
        }
        let end = lid.checked_add(1 << lmc)?;
        (end - 1 <= Self::MAX_LID).then_some(lid..end)
    }
}
