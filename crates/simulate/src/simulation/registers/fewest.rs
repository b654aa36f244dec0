//! The fewest rows of the ports of one switch.
//!
//! Every packet has to leave by the right port: that port matches, none that it yields to does, and
//! any other one that matches yields to it. So of two ports at most one yields to the other, and a
//! port may match, beyond its own destinations, those of the ports that it yields to. Ports that need one
//! row and match no destination of another port cost the least there is and lose nothing by taking
//! precedence over all. Among the others every choice of who yields to whom is tried, up to
//! [`MAX_CONTESTED`] of them. Beyond that the result are bounds: each yields to those before it, and
//! of every two in a pair one does not yield to the other, whatever else they do. Who yields to whom
//! need not be an order of the ports: an RRR has a bit for every pair.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use itertools::Itertools;

use super::Row;
use super::cover::{Cover, Set, cover};
use crate::progress::{Progress, Stopped};

/// Maximum number of ports among which every choice of who yields to whom is tried.
const MAX_CONTESTED: usize = 5;

/// The mask registers that rows may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masks {
    /// Any: FIR.
    Any,
    /// All bits set: only FI and LI distinguish destinations.
    Full,
}

/// The least number of rows, or bounds on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// No fewer suffice.
    pub lower: usize,
    /// Number of rows that suffices.
    pub upper: usize,
}

impl Rows {
    /// Whether the bounds meet.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { lower: self.lower + other.lower, upper: self.upper + other.upper }
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lower, upper } = self;
        if self.is_exact() { write!(f, "{upper}") } else { write!(f, "{lower}..{upper}") }
    }
}

/// The rows of a port, and the ports that it yields to as bits.
pub(super) type PortRows = (Vec<Row>, u64);

/// The ports of a switch: the destinations that leave by each.
pub(super) struct Ports<'a> {
    hosts: u32,
    masks: Masks,
    destinations: &'a [Set],
    progress: &'a Progress,
    /// Covers by port and the ports that it yields to.
    known: HashMap<(usize, u64), Cover>,
}

impl<'a> Ports<'a> {
    /// No destination leaves by two ports, and some by each.
    pub(super) fn new(
        hosts: u32,
        masks: Masks,
        destinations: &'a [Set],
        progress: &'a Progress,
    ) -> Self {
        Self { hosts, masks, destinations, progress, known: HashMap::new() }
    }

    /// The rows of every port, and how many all need at least.
    pub(super) fn fewest(mut self) -> Result<(Rows, Vec<PortRows>), Stopped> {
        let ports = 0..self.destinations.len();
        let mut contested = Vec::new();
        for port in ports.clone() {
            if self.cover(port, 0)?.rows.len() > 1 {
                contested.push(port);
            }
        }
        let first = ports.clone().filter(|port| !contested.contains(port));
        let first = first.fold(0, |all, port| all | 1 << port);
        let (lower, yields) = self.best(&contested, first)?;
        let mut found = Vec::new();
        for port in ports {
            let to = contested.iter().position(|other| *other == port).map_or(0, |at| yields[at]);
            found.push((self.cover(port, to)?.rows.clone(), to));
        }
        let upper = found.iter().map(|(rows, _)| rows.len()).sum();
        let alone = self.destinations.len() - contested.len();
        Ok((Rows { lower: lower + alone, upper }, found))
    }

    /// To which ports each of `contested` yields, those of `first` included, for the fewest rows, and
    /// a lower bound on their number.
    fn best(&mut self, contested: &[usize], first: u64) -> Result<(usize, Vec<u64>), Stopped> {
        let none = vec![first; contested.len()];
        let (mut lower, mut upper) = self.count(contested, &none)?;
        let mut best = none.clone();
        let count = contested.len();
        if count > MAX_CONTESTED {
            return self.bounds(contested, first);
        }
        let pairs: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        for choice in 0..1_u32 << pairs.len() {
            let mut yields = none.clone();
            for (at, (a, b)) in pairs.iter().enumerate() {
                let (a, b) = if choice >> at & 1 == 0 { (*a, *b) } else { (*b, *a) };
                yields[a] |= 1 << contested[b];
            }
            let (at_least, rows) = self.count(contested, &yields)?;
            lower = lower.min(at_least);
            if rows < upper {
                (upper, best) = (rows, yields);
            }
        }
        Ok((lower, best))
    }

    /// To which ports each of `contested` yields when these are those before it, and a lower bound for
    /// any choice.
    fn bounds(&mut self, contested: &[usize], first: u64) -> Result<(usize, Vec<u64>), Stopped> {
        let before = |at: usize| contested[..at].iter().fold(first, |to, other| to | 1 << other);
        let yields = (0..contested.len()).map(before).collect();
        let all = before(contested.len());
        let mut pairs = Vec::new();
        for [a, b] in contested.iter().copied().array_combinations() {
            let others = all & !(1 << a | 1 << b);
            let mut rows = |port, to| Ok::<usize, Stopped>(self.cover(port, to)?.lower);
            let stays = rows(a, others)? + rows(b, others | 1 << a)?;
            let yields = rows(a, others | 1 << b)? + rows(b, others)?;
            pairs.push((stays.min(yields), [a, b]));
        }
        // The dearest first, each port in one pair or alone.
        pairs.sort_by_key(|(rows, _)| Reverse(*rows));
        let (mut lower, mut paired) = (contested.len(), Vec::new());
        for (rows, pair) in pairs {
            if pair.iter().all(|port| !paired.contains(port)) {
                lower += rows - 2;
                paired.extend(pair);
            }
        }
        Ok((lower, yields))
    }

    /// The rows that `contested` need when each yields to these ports: a lower bound, and those found.
    fn count(&mut self, contested: &[usize], yields: &[u64]) -> Result<(usize, usize), Stopped> {
        let (mut lower, mut upper) = (0, 0);
        for (port, to) in contested.iter().zip(yields) {
            let cover = self.cover(*port, *to)?;
            lower += cover.lower;
            upper += cover.rows.len();
        }
        Ok((lower, upper))
    }

    fn cover(&mut self, port: usize, yields: u64) -> Result<&Cover, Stopped> {
        let Self { hosts, masks, destinations, progress, .. } = *self;
        Ok(match self.known.entry((port, yields)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let others = destinations.iter().enumerate();
                let others = others.filter(|(at, _)| *at != port && yields >> at & 1 == 0);
                let forbidden = others.fold(0, |all, (_, set)| all | set);
                new.insert(cover(hosts, masks, destinations[port], forbidden, progress)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::registers::cover::tests::unions;

    fn fewest(hosts: u32, masks: Masks, destinations: &[Set]) -> (Rows, Vec<PortRows>) {
        Ports::new(hosts, masks, destinations, &Progress::silent()).fewest().unwrap()
    }

    /// Whether every destination leaves by its port alone when the ports match `matched` and yield to
    /// `yields`.
    fn is_right(destinations: &[Set], matched: &[Set], yields: &[u64]) -> bool {
        let all = destinations.iter().fold(0, |all, set| all | set);
        (0..Set::BITS).filter(|d| all >> d & 1 == 1).all(|d| {
            let ports = 0..destinations.len();
            let matching = ports.clone().filter(|port| matched[*port] >> d & 1 == 1);
            let matching = matching.fold(0, |bits: u64, port| bits | 1 << port);
            let takes = |port: usize| matching >> port & 1 == 1 && yields[port] & matching == 0;
            ports.clone().all(|port| takes(port) == (destinations[port] >> d & 1 == 1))
        })
    }

    /// The fewest rows by trying everything: every set that a port may match, and every RRR of every
    /// port, also where ports yield to each other or to a third one.
    fn by_trying(hosts: u32, masks: Masks, destinations: &[Set]) -> usize {
        let unions: Vec<(Set, usize)> = unions(hosts, masks).into_iter().collect();
        let (count, mut least) = (destinations.len(), usize::MAX);
        let choices = unions.len().pow(u32::try_from(count).unwrap());
        for choice in 0..choices {
            let place = |port: usize| choice / unions.len().pow(u32::try_from(port).unwrap());
            let chosen: Vec<(Set, usize)> =
                (0..count).map(|port| unions[place(port) % unions.len()]).collect();
            let matched: Vec<Set> = chosen.iter().map(|(set, _)| *set).collect();
            let rows = chosen.iter().map(|(_, rows)| rows).sum();
            let covered =
                destinations.iter().zip(&matched).all(|(set, matched)| set & !matched == 0);
            if !covered || rows >= least {
                continue;
            }
            let right = (0..1_u64 << (count * count)).any(|bits| {
                let yields: Vec<u64> =
                    (0..count).map(|port| bits >> (port * count) & ((1 << count) - 1)).collect();
                is_right(destinations, &matched, &yields)
            });
            if right {
                least = rows;
            }
        }
        least
    }

    /// The destinations of each port when digit a of `digits` in base `ports` + 1 is the port of
    /// address a, or `ports` where nothing passes.
    fn dealt(ports: u32, hosts: u32, digits: u32) -> Vec<Set> {
        let port = |address: u32| digits / (ports + 1).pow(address) % (ports + 1);
        let set = |of: u32| (0..hosts).filter(|a| port(*a) == of).fold(0, |set, a| set | 1 << a);
        (0..ports).map(set).collect()
    }

    #[test]
    fn rows_are_the_fewest() {
        let sparse = if cfg!(feature = "slow-tests") { 331 } else { 997 };
        for masks in [Masks::Any, Masks::Full] {
            for (ports, hosts, step) in [(3, 4, 1), (2, 8, sparse)] {
                for digits in (0..(ports + 1_u32).pow(hosts)).step_by(step) {
                    let destinations = dealt(ports, hosts, digits);
                    if destinations.contains(&0) {
                        continue;
                    }
                    let (rows, found) = fewest(hosts, masks, &destinations);
                    assert!(rows.is_exact());
                    let least = by_trying(hosts, masks, &destinations);
                    assert_eq!(rows.upper, least, "{destinations:?} {masks:?}");
                    let (rows, yields): (Vec<Vec<Row>>, Vec<u64>) = found.into_iter().unzip();
                    let set = |rows: &Vec<Row>| {
                        let matches = |d: &u32| rows.iter().any(|row| row.matches(*d));
                        (0..hosts).filter(matches).fold(0, |set, d| set | 1 << d)
                    };
                    let matched: Vec<Set> = rows.iter().map(set).collect();
                    assert!(is_right(&destinations, &matched, &yields));
                }
            }
        }
    }

    /// {0,1,4,7} and {2,3,5,6}: two intervals each; where one port yields to the other, it needs one.
    #[test]
    fn a_port_that_yields_saves_a_row() {
        let (rows, found) = fewest(8, Masks::Full, &[0b1001_0011, 0b0110_1100]);
        assert_eq!((rows.lower, rows.upper), (3, 3), "{found:?}");
        assert_eq!(found.iter().map(|(_, yields)| yields.count_ones()).sum::<u32>(), 1);
    }

    #[test]
    fn bounds_are_printed_as_such() {
        assert_eq!(Rows { lower: 2, upper: 2 }.to_string(), "2");
        assert_eq!(Rows { lower: 2, upper: 4 }.to_string(), "2..4");
    }

    /// Six contested ports, address a by port a mod 6: 11 addresses of ports 0 to 3, 10 of 4 and 5.
    /// Where one of a pair yields, it needs one row, and the other one a row per address: 12 + 12 + 11
    /// at least. When each port yields to those before it, they need 11, 11, 11, 10 (63 and 3 have no
    /// port above 3 between them), 10 and 1.
    #[test]
    fn many_contested_ports_have_bounds() {
        let of = |port: u32| (port..64).step_by(6).fold(0, |set, a| set | 1 << a);
        let destinations: Vec<Set> = (0..6).map(of).collect();
        let (rows, found) = fewest(64, Masks::Full, &destinations);
        assert_eq!((rows.lower, rows.upper), (35, 54));
        let yields: Vec<u64> = found.iter().map(|(_, yields)| *yields).collect();
        assert_eq!(yields, [0b0, 0b1, 0b11, 0b111, 0b1111, 0b1_1111]);
    }
}
