//! Paths that several sources share behind the node at which they enter.
//!
//! Forwarding tables send all that enters at a switch the same way. So the paths from there to some
//! destinations are found once, kept with the scratch space of the caller that asks for paths, and every
//! further source that enters there gets them behind its own first link.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Paths;
use crate::topology::{Host, LinkId, NodeId};

/// Maximum number of lists of destinations for which paths are kept: work on all pairs asks for some hundred
/// destinations at a time.
const MAX_LISTS: usize = 1 << 9;

/// Maximum number of destinations of all lists together, about 40 bytes each.
const MAX_DESTINATIONS: usize = 1 << 17;

/// Tells the tables of a process apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablesId(u64);

impl TablesId {
    /// An id that nothing else has.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The paths from one node, list by list of destinations.
#[derive(Debug, Default)]
pub(super) struct Tails {
    from: Option<(TablesId, NodeId)>,
    lists: Vec<Tail>,
    /// The list that is expected next.
    next: usize,
}

/// The paths from a node to some destinations, end to end.
#[derive(Debug, Default)]
struct Tail {
    destinations: Vec<Host>,
    links: Vec<LinkId>,
    ends: Vec<usize>,
}

impl Tails {
    /// The paths from a node to `destinations`, which `walk` appends one by one where they are not
    /// known.
    fn get(
        &mut self,
        from: (TablesId, NodeId),
        destinations: &[Host],
        mut walk: impl FnMut(Host, &mut Vec<LinkId>),
    ) -> &Tail {
        let listed = self.lists.iter().map(|list| list.destinations.len()).sum::<usize>();
        let is_full = self.lists.len() >= MAX_LISTS || listed > MAX_DESTINATIONS;
        let is_same = |list: &Tail| list.destinations == destinations;
        if self.from != Some(from) {
            (self.from, self.next) = (Some(from), 0);
            self.lists.clear();
        } else if !self.lists.get(self.next).is_some_and(is_same) {
            let known = self.lists.iter().position(is_same);
            self.next = known.unwrap_or(self.lists.len());
        }
        if self.next == self.lists.len() {
            if is_full {
                (self.lists, self.next) = (Vec::new(), 0);
            }
            let mut list = Tail { destinations: destinations.to_vec(), ..Tail::default() };
            for d in destinations {
                walk(*d, &mut list.links);
                list.ends.push(list.links.len());
            }
            self.lists.push(list);
        }
        let place = self.next;
        self.next = (place + 1) % self.lists.len();
        &self.lists[place]
    }
}

impl Paths {
    /// Writes the path of `s` to each of `destinations`, as
    /// [`Routing::paths_from`](super::Routing::paths_from): `first`, then the path from a node where
    /// several sources enter, to which `walk` appends its links.
    pub(super) fn write_behind(
        &mut self,
        from: (TablesId, NodeId),
        s: Host,
        first: LinkId,
        destinations: &[Host],
        walk: impl FnMut(Host, &mut Vec<LinkId>),
    ) {
        let mut tails = std::mem::take(&mut self.tails);
        let tail = tails.get(from, destinations, walk);
        self.clear();
        let mut start = 0;
        for (d, end) in destinations.iter().zip(&tail.ends) {
            if *d != s {
                self.extend(&[first]);
                self.extend(&tail.links[start..*end]);
            }
            self.end();
            start = *end;
        }
        self.tails = tails;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths from node 9: to d, link 10·d, then 10·d + 1 where d is odd.
    fn ask(paths: &mut Paths, id: TablesId, s: Host, destinations: &[Host]) -> usize {
        let mut walks = 0;
        paths.write_behind((id, 9), s, 100 + s, destinations, |d, links| {
            walks += 1;
            links.push(10 * d);
            links.extend((d % 2 == 1).then_some(10 * d + 1));
        });
        let path = |d: &Host| match d {
            d if *d == s => vec![],
            d if d % 2 == 1 => vec![100 + s, 10 * d, 10 * d + 1],
            d => vec![100 + s, 10 * d],
        };
        let expected: Vec<Vec<LinkId>> = destinations.iter().map(path).collect();
        assert_eq!(paths.iter().map(<[LinkId]>::to_vec).collect::<Vec<_>>(), expected);
        walks
    }

    #[test]
    fn what_is_known_is_not_followed_again() {
        let (mut paths, id) = (Paths::default(), TablesId::new());
        let mut walks = |s, destinations: &[Host]| ask(&mut paths, id, s, destinations);
        assert_eq!((walks(1, &[1, 2, 3]), walks(1, &[4, 5]), walks(1, &[1, 2, 3])), (3, 2, 0));
        assert_eq!((walks(2, &[1, 2, 3]), walks(2, &[4, 5]), walks(3, &[4, 5])), (0, 0, 0));
        assert_eq!(walks(3, &[4, 6]), 2);
        assert_eq!(ask(&mut paths, TablesId::new(), 2, &[1, 2, 3]), 3);
    }

    #[test]
    fn no_more_is_kept_than_stated() {
        let (mut paths, id) = (Paths::default(), TablesId::new());
        for d in 0..2 * host_count() {
            ask(&mut paths, id, 1, &[d]);
            assert!(paths.tails.lists.len() <= MAX_LISTS);
        }
        let many: Vec<Host> = (0..=Host::try_from(MAX_DESTINATIONS).unwrap()).collect();
        ask(&mut paths, id, 1, &many);
        ask(&mut paths, id, 1, &[7]);
        assert_eq!(paths.tails.lists.len(), 1);
    }

    fn host_count() -> Host {
        Host::try_from(MAX_LISTS).unwrap()
    }
}
