//! The table of one switch, and how it is collected from the lines of a dump.

/// Port number that means "no route" in a switch.
const NO_ROUTE: u8 = 255;
/// Number of LIDs.
const LIDS: usize = 1 << 16;

/// The table of one switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTable {
    /// Output port of every LID that has a route; port 0 is the switch itself.
    pub ports: OutPorts,
    /// File and line where the table begins.
    pub place: String,
}

/// Output port per LID, 3 bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutPorts {
    /// The LIDs that have a route, ascending.
    lids: Vec<u16>,
    /// Output ports of these LIDs, in the same order.
    ports: Vec<u8>,
}

impl OutPorts {
    /// The port of a LID, or `None` if the LID has no route. O(1) if the LIDs of the table have no
    /// gaps, as with those of a subnet manager, O(log n) otherwise.
    #[inline]
    #[must_use]
    pub fn get(&self, lid: u16) -> Option<u8> {
        let search = || self.lids.binary_search(&lid).ok();
        Some(self.ports[self.expected(lid).or_else(search)?])
    }

    /// The place of a LID that has a route, where the table has no gaps before it.
    #[inline]
    fn expected(&self, lid: u16) -> Option<usize> {
        let offset = usize::from(lid.checked_sub(*self.lids.first()?)?);
        (self.lids.get(offset) == Some(&lid)).then_some(offset)
    }

    /// Calls `visit` with the place among `lids` of each that has a route, and its port. Quickest where they ascend.
    pub(crate) fn each_of(&self, lids: &[u16], mut visit: impl FnMut(usize, u8)) {
        // The first LID of the table that is not below the last one looked for.
        let start = |lid: &u16| self.expected(*lid).unwrap_or(0);
        let (mut next, mut last) = (lids.first().map_or(0, start), 0);
        if self.lids.get(next..next + lids.len()) == Some(lids) {
            return self.ports[next..]
                .iter()
                .zip(0..lids.len())
                .for_each(|(port, place)| visit(place, *port));
        }
        for (place, lid) in lids.iter().enumerate() {
            if *lid < last {
                next = start(lid);
            }
            if self.lids.get(next).is_some_and(|known| known < lid) {
                next += 1;
                if self.lids.get(next).is_some_and(|known| known < lid) {
                    next += self.lids[next..].partition_point(|known| known < lid);
                }
            }
            if self.lids.get(next) == Some(lid) {
                visit(place, self.ports[next]);
            }
            last = *lid;
        }
    }

    /// LIDs and their ports, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u16, u8)> + '_ {
        self.lids.iter().copied().zip(self.ports.iter().copied())
    }

    /// The LIDs that have a route, ascending.
    #[must_use]
    pub fn lids(&self) -> &[u16] {
        &self.lids
    }
}

/// Collects the entries of one table after another, in any order.
pub(super) struct Entries {
    /// Port of every LID, [`NO_ROUTE`] where there is none yet.
    ports: Vec<u8>,
    /// LIDs that have a port, in the order of the dump.
    lids: Vec<u16>,
}

impl Entries {
    pub fn new() -> Self {
        Self { ports: vec![NO_ROUTE; LIDS], lids: Vec::new() }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// The different port that the LID already has.
    #[inline]
    pub fn add(&mut self, lid: u16, port: u8) -> Result<(), u8> {
        let known = &mut self.ports[usize::from(lid)];
        if port == NO_ROUTE || *known == port {
            return Ok(());
        }
        if *known != NO_ROUTE {
            return Err(*known);
        }
        *known = port;
        self.lids.push(lid);
        Ok(())
    }

    /// The table of the entries added since the last call.
    pub fn take(&mut self) -> OutPorts {
        let mut lids = self.lids.clone();
        lids.sort_unstable();
        let take = |lid: &u16| std::mem::replace(&mut self.ports[usize::from(*lid)], NO_ROUTE);
        let ports = lids.iter().map(take).collect();
        self.lids.clear();
        OutPorts { lids, ports }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: &mut Entries, listed: &[(u16, u8)]) -> OutPorts {
        for (lid, port) in listed {
            entries.add(*lid, *port).unwrap();
        }
        entries.take()
    }

    #[test]
    fn ports_are_found_with_and_without_gaps() {
        let mut entries = Entries::new();
        let listed: &[&[(u16, u8)]] = &[
            &[],
            &[(7, 0)],
            &[(3, 1), (4, 2), (5, 3)],
            &[(5, 3), (3, 1), (9, 2)],
            &[(0, 4), (u16::MAX, 254), (1000, 3), (1, 1)],
        ];
        for listed in listed {
            let ports = table(&mut entries, listed);
            for lid in 0..=u16::MAX {
                let expected = listed.iter().find(|(listed, _)| *listed == lid);
                assert_eq!(ports.get(lid), expected.map(|(_, port)| *port), "{listed:?}: {lid}");
            }
            for lids in
                [&[0, 3, 5, 7, 9, u16::MAX][..], &[3, 4, 5], &[9, 3, 4, 4, 1000, 5], &[u16::MAX, 0]]
            {
                let mut found = vec![None; lids.len()];
                ports.each_of(lids, |place, port| found[place] = Some(port));
                let expected: Vec<_> = lids.iter().map(|lid| ports.get(*lid)).collect();
                assert_eq!(found, expected, "{listed:?}: {lids:?}");
            }
            assert!(ports.lids().is_sorted());
            assert!(ports.iter().all(|(lid, port)| ports.get(lid) == Some(port)));
            assert_eq!(ports.lids().len(), listed.len());
        }
    }

    #[test]
    fn a_port_counts_once_and_255_is_none() {
        let mut entries = Entries::new();
        let ports = table(&mut entries, &[(2, 255), (1, 7), (1, 7), (1, 255)]);
        assert_eq!((ports.lids(), ports.get(1), ports.get(2)), (&[1][..], Some(7), None));
        entries.add(1, 8).unwrap();
        assert_eq!(entries.add(1, 9), Err(8));
    }
}
