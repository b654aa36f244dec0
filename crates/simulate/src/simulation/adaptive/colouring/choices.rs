//! The paths that are tried in place of one.

use crate::prelude::*;

/// Maximum number of paths that are tried at a time.
const MOST: u32 = 64;

/// Up-digits of the first levels, one list after the other: all of them in order from a drawn one on,
/// or drawn ones where there are more than 64.
pub(super) struct Choices<'a> {
    tree: &'a Xgft,
    level: usize,
    all: u32,
    start: u32,
    next: u32,
    stream: &'a mut Stream,
}

impl<'a> Choices<'a> {
    pub fn new(tree: &'a Xgft, level: usize, stream: &'a mut Stream) -> Self {
        let all = tree.shortest_paths(level);
        let start = if all > 1 { stream.random_range(0..all) } else { 0 };
        Self { tree, level, all, start, next: 0, stream }
    }
}

impl Iterator for Choices<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        if self.next == self.all.min(MOST) {
            return None;
        }
        let mut rest = if self.all > MOST {
            self.stream.random_range(0..self.all)
        } else {
            (self.start + self.next) % self.all
        };
        self.next += 1;
        let digit = |level| {
            let parents = self.tree.parents(level);
            let digit = rest % parents;
            rest /= parents;
            digit
        };
        Some((1..=self.level).map(digit).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_paths_are_tried_or_some() {
        let of = |children: &[u64], parents: &[u64], level| {
            let tree = Xgft::from_parameters(children, parents).unwrap();
            let mut found: Vec<_> =
                Choices::new(&tree, level, &mut Streams::new(1).at(0)).collect();
            assert!(
                found.iter().flatten().zip((1..=level).cycle()).all(|(w, l)| *w < tree.parents(l))
            );
            let tried = found.len();
            found.sort();
            found.dedup();
            (tried, found.len())
        };
        assert_eq!(of(&[2, 2, 2], &[1, 3, 4], 3), (12, 12));
        assert_eq!(of(&[2, 2, 2], &[1, 3, 4], 1), (1, 1));
        let (tried, different) = of(&[2, 2, 2], &[2, 30, 40], 3);
        assert!(tried == 64 && different > 50);
    }
}
