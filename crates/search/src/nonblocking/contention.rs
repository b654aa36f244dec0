//! Contention as \[NB\] III defines it: packets of two SD pairs of a permutation are routed through
//! one link.
//!
//! Two SD pairs with different sources and different destinations are a permutation (the proof of
//! \[NB\] Lemma 1). So there is contention exactly where a link carries two such pairs, in whatever
//! shares: "splitting packets from one SD pairs to multiple paths ... does not improve the
//! nonblocking condition" (\[NB\] IV.B), since nothing is known about the time at which a packet
//! takes a path. The load of such a link may well be at most 1: see [`super::is_nonblocking`].

use crate::prelude::*;
use crate::routing::UseScratch;

/// A link over which packets of two SD pairs of a permutation go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The link.
    pub link: LinkId,
    /// The pairs, with different sources and different destinations.
    pub pairs: [(Host, Host); 2],
}

/// The first link on which two SD pairs of a permutation meet, going through all pairs by source,
/// then by destination; `None` for a network that is nonblocking in the sense of \[NB\]. Capacities
/// and shares play no part.
///
/// O(N²·links of a pair), and O(links) memory. `progress` advances by one per source.
///
/// # Errors
/// [`Stopped`] when `progress` ends first.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{nonblocking::meeting, progress::Progress, routing::Instance};
/// let quiet = Progress::silent();
/// assert!(meeting(&Instance::named("nbclos(2,3)", "yuan")?, &quiet)?.is_none());
/// // Half of each pair over either root: no permutation loads a link more than once, but packets
/// // of 0 -> 3 and 1 -> 2 may meet on the way up.
/// let meeting = meeting(&Instance::named("ft(4,2)", "ecmp")?, &quiet)?.ok_or("none")?;
/// assert_eq!(meeting.pairs, [(0, 3), (1, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn meeting(instance: &Instance, progress: &Progress) -> Result<Option<Meeting>, Stopped> {
    let mut seen = vec![Seen::Nothing; instance.topology.links()];
    let mut scratch = UseScratch::default();
    for s in instance.topology.host_numbers() {
        progress.check()?;
        for d in instance.topology.host_numbers().filter(|d| *d != s) {
            let mut found = None;
            instance.routing.for_each_use(s, d, &mut scratch, &mut |_, links| {
                for link in links {
                    if let Some(other) = seen[*link as usize].add((s, d)) {
                        found.get_or_insert(Meeting { link: *link, pairs: [other, (s, d)] });
                    }
                }
            });
            if found.is_some() {
                return Ok(found);
            }
        }
        progress.inc(1);
    }
    Ok(None)
}

/// The pairs of a link so far, no two of which have different sources and different destinations.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Nothing,
    /// One.
    One((Host, Host)),
    /// Several, all from the source of these two.
    Source([(Host, Host); 2]),
    /// Several, all to the destination of these two.
    Destination([(Host, Host); 2]),
}

impl Seen {
    /// Adds a pair, unless there is one that meets it: that is returned.
    fn add(&mut self, pair: (Host, Host)) -> Option<(Host, Host)> {
        let meets = |other: &(Host, Host)| other.0 != pair.0 && other.1 != pair.1;
        match self {
            Self::Nothing => *self = Self::One(pair),
            // Of two pairs from one source at least one has another destination than a third pair,
            // so a third pair from another source meets one of them.
            Self::Source(two) | Self::Destination(two) => return two.iter().copied().find(meets),
            Self::One(one) if *one == pair => {}
            Self::One(one) if one.0 == pair.0 => *self = Self::Source([*one, pair]),
            Self::One(one) if one.1 == pair.1 => *self = Self::Destination([*one, pair]),
            Self::One(one) => return Some(*one),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::topology::sd_pairs;

    /// Every pair of SD pairs with different ends that share a link.
    fn all(instance: &Instance) -> BTreeSet<[(Host, Host); 2]> {
        let pairs = sd_pairs(instance.topology.hosts());
        let links = |(s, d)| {
            let mut own = BTreeSet::new();
            instance.routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
                own.extend(links.iter().copied());
            });
            ((s, d), own)
        };
        let pairs: Vec<((Host, Host), BTreeSet<LinkId>)> = pairs.map(links).collect();
        let mut found = BTreeSet::new();
        for (a, of_a) in &pairs {
            for (b, of_b) in &pairs {
                if a.0 != b.0 && a.1 != b.1 && !of_a.is_disjoint(of_b) {
                    found.insert([*a, *b]);
                }
            }
        }
        found
    }

    #[test]
    fn is_found_where_there_is_some() {
        let (mut blocking, mut nonblocking) = (0, 0);
        for (topology, routing) in [
            ("nbclos(2,2)", "yuan"),
            ("nbclos(2,3)", "yuan"),
            ("nbclos(2,3)", "dmodk"),
            ("nbclos(2,2)", "kpath(k=2,choice=shift)"),
            ("ftree(2,4,3)", "yuan"),
            ("ftree(2,3,3)", "grid"),
            ("ftree(1,3,5)", "ecmp"),
            ("ft(4,2)", "dmodk"),
            ("ft(4,2)", "omrmn"),
            ("ft(4,3)", "ecmp"),
            ("xgft(2;2,3;2,2)", "smodk"),
            ("universal(8,growth=double)", "ecmp"),
            ("kary(2,3)", "random(seed=3)"),
        ] {
            let instance = Instance::named(topology, routing).unwrap();
            let found = meeting(&instance, &Progress::silent()).unwrap();
            let all = all(&instance);
            assert_eq!(found.is_none(), all.is_empty(), "{instance:?}");
            match found {
                Some(Meeting { pairs, .. }) => {
                    assert!(all.contains(&pairs), "{instance:?}: {pairs:?}");
                    blocking += 1;
                }
                None => nonblocking += 1,
            }
        }
        assert_eq!((blocking, nonblocking), (9, 4));
    }

    #[test]
    fn work_that_is_stopped_says_so() {
        let progress = Progress::silent();
        progress.stop().request();
        let instance = Instance::named("ftree(2,4,3)", "yuan").unwrap();
        assert_eq!(meeting(&instance, &progress), Err(Stopped));
    }
}
