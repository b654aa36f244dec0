//! The worst permutation load of one link, exactly.
//!
//! All hosts of a leaf switch send to a destination the same way. So a link carries destinations, each from some leaf
//! switches, and a permutation can put as many pairs on it as destinations can be given to leaf switches that
//! send to them over the link, to each no more than it has hosts: a maximum matching. Of all maximum matchings together
//! the search needs to know one thing, which leaf switches they all *exhaust*: a further destination adds to
//! the load of a link exactly if a leaf switch that is not exhausted sends to it.

use super::fabric::{Leaf, NONE};

/// The worst permutation load of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LinkLoad {
    pub(super) value: u32,
    /// The leaf switches that every maximum matching exhausts, ascending.
    exhausted: Vec<u32>,
}

impl LinkLoad {
    /// Whether a destination that the link does not carry yet would add to its load from this leaf switch.
    #[inline]
    pub(super) fn grows(&self, leaf: u32) -> bool {
        !self.exhausted.contains(&leaf)
    }
}

/// Space for matchings.
pub(super) struct Matcher {
    /// By leaf switch, the destinations given to it, by their place.
    given: Vec<Vec<u32>>,
    /// By leaf switch, the number of its hosts.
    room: Vec<u32>,
    /// By leaf switch, the destination from which a search reached it; [`NONE`] if none did.
    reached: Vec<u32>,
    /// Leaf switches with a destination.
    used: Vec<u32>,
    /// By destination, the leaf switch that it is given to.
    to: Vec<u32>,
    queue: Vec<u32>,
}

impl Matcher {
    pub(super) fn new(leaves: &[Leaf]) -> Self {
        Self {
            given: vec![Vec::new(); leaves.len()],
            room: leaves.iter().map(|leaf| leaf.hosts.len().try_into().unwrap_or(NONE)).collect(),
            reached: vec![NONE; leaves.len()],
            used: Vec::new(),
            to: Vec::new(),
            queue: Vec::new(),
        }
    }

    /// The load of a link with these destinations, each with the leaf switches that send to it.
    pub(super) fn load<'a>(
        &mut self,
        count: usize,
        sources: impl Fn(usize) -> &'a [u32] + Copy,
    ) -> LinkLoad {
        self.to.clear();
        self.to.resize(count, NONE);
        let mut value = 0;
        for (place, number) in (0..count).zip(0..) {
            value += u32::from(self.give(number, place, sources));
        }
        let exhausted = self.exhausted(count, sources);
        for leaf in self.used.drain(..) {
            self.given[leaf as usize].clear();
        }
        LinkLoad { value, exhausted }
    }

    fn is_full(&self, leaf: u32) -> bool {
        self.given[leaf as usize].len() >= self.room[leaf as usize] as usize
    }

    fn put(&mut self, number: u32, leaf: u32) {
        if self.given[leaf as usize].is_empty() && !self.used.contains(&leaf) {
            self.used.push(leaf);
        }
        self.given[leaf as usize].push(number);
        self.to[number as usize] = leaf;
    }

    /// Gives a destination to a leaf switch, with others moved out of its way if need be.
    fn give<'a>(
        &mut self,
        number: u32,
        place: usize,
        sources: impl Fn(usize) -> &'a [u32],
    ) -> bool {
        if let Some(leaf) = sources(place).iter().find(|leaf| !self.is_full(**leaf)) {
            self.put(number, *leaf);
            return true;
        }
        self.queue.clear();
        let mut end = self.reach(number, sources(place));
        let mut at = 0;
        while end.is_none() && at < self.queue.len() {
            let leaf = self.queue[at] as usize;
            at += 1;
            for next in 0..self.given[leaf].len() {
                let other = self.given[leaf][next];
                end = end.or_else(|| self.reach(other, sources(other as usize)));
            }
        }
        if let Some(leaf) = end {
            self.shift(number, leaf);
        }
        for leaf in self.queue.drain(..) {
            self.reached[leaf as usize] = NONE;
        }
        end.is_some()
    }

    /// Puts the leaf switches of a destination into the queue; the first one with room, if there is one.
    fn reach(&mut self, number: u32, leaves: &[u32]) -> Option<u32> {
        for leaf in leaves {
            if self.reached[*leaf as usize] == NONE {
                self.reached[*leaf as usize] = number;
                self.queue.push(*leaf);
                if !self.is_full(*leaf) {
                    return Some(*leaf);
                }
            }
        }
        None
    }

    /// Moves destinations along the way that led to a leaf switch with room, the first one last.
    fn shift(&mut self, first: u32, mut leaf: u32) {
        loop {
            let number = self.reached[leaf as usize];
            let before = self.to[number as usize];
            if before != NONE {
                self.given[before as usize].retain(|other| *other != number);
            }
            self.put(number, leaf);
            if number == first {
                return;
            }
            leaf = before;
        }
    }

    /// The leaf switches that every maximum matching exhausts: those that are full, and whose destinations
    /// have no other leaf switch left that is not.
    fn exhausted<'a>(&mut self, count: usize, sources: impl Fn(usize) -> &'a [u32]) -> Vec<u32> {
        let full = self.used.iter().copied().filter(|leaf| self.is_full(*leaf));
        let mut exhausted: Vec<u32> = full.collect();
        exhausted.sort_unstable();
        let mut changes = !exhausted.is_empty();
        while changes {
            changes = false;
            for place in 0..count {
                let Ok(at) = exhausted.binary_search(&self.to[place]) else { continue };
                if sources(place).iter().any(|leaf| exhausted.binary_search(leaf).is_err()) {
                    exhausted.remove(at);
                    changes = true;
                }
            }
        }
        exhausted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(rooms: &[u32]) -> Vec<Leaf> {
        let leaf = |room: &u32| Leaf { switch: 0, hosts: (0..*room).collect() };
        rooms.iter().map(leaf).collect()
    }

    /// The highest number of destinations that can be given, by trying everything.
    fn most(sources: &[Vec<u32>], room: &mut [u32]) -> u32 {
        let Some((first, rest)) = sources.split_first() else { return 0 };
        let mut best = most(rest, room);
        for leaf in first {
            if room[*leaf as usize] > 0 {
                room[*leaf as usize] -= 1;
                best = best.max(1 + most(rest, room));
                room[*leaf as usize] += 1;
            }
        }
        best
    }

    #[test]
    fn loads_and_what_adds_to_them_are_those_of_all_matchings() {
        let mut matcher = Matcher::new(&leaves(&[1, 2, 1]));
        // Every choice of leaf switches for up to four destinations.
        for code in 0..7_u32.pow(4) {
            let sets = (0..4).map(|place| code / 7_u32.pow(place) % 7 + 1);
            let of = |set: u32| (0..3).filter(|leaf| set >> leaf & 1 == 1).collect();
            let mut sources: Vec<Vec<u32>> = sets.map(of).collect();
            let load = matcher.load(4, |place| &sources[place]);
            let value = most(&sources, &mut [1, 2, 1]);
            assert_eq!(load.value, value, "{sources:?}");
            for leaf in 0..3 {
                sources.push(vec![leaf]);
                let grown = most(&sources, &mut [1, 2, 1]);
                assert_eq!(load.grows(leaf), grown > value, "{sources:?}");
                sources.pop();
            }
        }
    }
}
