//! The search for few classes: DSATUR with backtracking (Brélaz, CACM 22(4), 1979), in bounded time.

use super::classes::Classes;
use super::tails::Tails;
use crate::topology::NodeId;

/// Maximum number of different paths to a destination: there is a bit for every two of them.
const MAX_TAILS: usize = 1 << 11;
/// Maximum number of paths that are looked at to pick the next one.
const MAX_LOOKS: usize = 1 << 22;

/// The result of a search for at most some number of classes.
pub(super) enum Outcome {
    Found(Classes),
    /// All possibilities were tried.
    Impossible,
    /// It was given up.
    Unknown,
}

/// Divides paths into at most `limit` classes.
pub(super) fn search(tails: &Tails, from: &[NodeId], limit: usize) -> Outcome {
    let paths = tails.links.len();
    if paths > MAX_TAILS {
        return Outcome::Unknown;
    }
    let mut search = Search {
        conflicts: conflicts(tails, from),
        limit,
        class: vec![None; paths],
        forbidden: vec![0; paths * limit],
        saturation: vec![0; paths],
        looks: MAX_LOOKS,
    };
    match search.extend(0) {
        Some(true) => {
            let of: Vec<u8> = search.class.iter().map(|class| class.unwrap_or(0)).collect();
            let count = of.iter().max().map_or(1, |last| usize::from(*last) + 1);
            Outcome::Found(Classes { of, count })
        }
        Some(false) => Outcome::Impossible,
        None => Outcome::Unknown,
    }
}

/// For every path, those that leave some node by another link.
fn conflicts(tails: &Tails, from: &[NodeId]) -> Vec<Vec<u32>> {
    let paths = tails.links.len();
    let (mut known, mut conflicts) = (vec![false; paths * paths], vec![Vec::new(); paths]);
    for node in tails.steps(from).chunk_by(|one, other| one.0 == other.0) {
        for (_, link, tail) in node {
            for (_, _, other) in node.iter().filter(|(_, other, _)| other != link) {
                let place = *tail as usize * paths + *other as usize;
                if !std::mem::replace(&mut known[place], true) {
                    conflicts[*tail as usize].push(*other);
                }
            }
        }
    }
    conflicts
}

struct Search {
    conflicts: Vec<Vec<u32>>,
    limit: usize,
    class: Vec<Option<u8>>,
    /// `forbidden[path · limit + class]`: number of paths of the class that the path conflicts with.
    forbidden: Vec<u32>,
    /// By path, number of classes that are forbidden.
    saturation: Vec<usize>,
    /// How many paths may still be looked at.
    looks: usize,
}

impl Search {
    /// Whether all paths can be divided if the classes below `used` are in use; `None` if it is given up.
    fn extend(&mut self, used: usize) -> Option<bool> {
        self.looks = self.looks.checked_sub(self.class.len())?;
        let free = (0..self.class.len()).filter(|path| self.class[*path].is_none());
        let tightest = free.max_by_key(|path| {
            (self.saturation[*path], self.conflicts[*path].len(), std::cmp::Reverse(*path))
        });
        let Some(path) = tightest else { return Some(true) };
        // Classes that are not in use yet are alike.
        for class in 0..self.limit.min(used + 1) {
            if self.forbidden[path * self.limit + class] > 0 {
                continue;
            }
            self.put(path, class);
            match self.extend(used.max(class + 1)) {
                Some(false) => self.take(path, class),
                ended => return ended,
            }
        }
        Some(false)
    }

    fn put(&mut self, path: usize, class: usize) {
        // There are at most 128.
        self.class[path] = u8::try_from(class).ok();
        for other in &self.conflicts[path] {
            let other = *other as usize;
            let forbidden = &mut self.forbidden[other * self.limit + class];
            self.saturation[other] += usize::from(*forbidden == 0);
            *forbidden += 1;
        }
    }

    fn take(&mut self, path: usize, class: usize) {
        self.class[path] = None;
        for other in &self.conflicts[path] {
            let other = *other as usize;
            let forbidden = &mut self.forbidden[other * self.limit + class];
            *forbidden -= 1;
            self.saturation[other] -= usize::from(*forbidden == 0);
        }
    }
}
