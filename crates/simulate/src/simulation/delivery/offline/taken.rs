//! Which cycles a wire is taken in, as runs: multiplicities may be larger than any bit set.

/// Cycles, numbered from 0, as disjoint runs from a cycle to before another, ascending, with gaps
/// between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken(Vec<[u64; 2]>);

impl Taken {
    /// The cycles of runs in any order, of which no two overlap.
    pub(super) fn of(mut runs: Vec<[u64; 2]>) -> Self {
        runs.sort_unstable();
        runs.dedup_by(|next, run| {
            let touches = run[1] == next[0];
            if touches {
                run[1] = next[1];
            }
            touches
        });
        Self(runs)
    }

    /// Adds a run that overlaps none. O(runs).
    pub(super) fn add(&mut self, [from, until]: [u64; 2]) {
        let after = self.0.partition_point(|run| run[0] < from);
        let joins_before = after > 0 && self.0[after - 1][1] == from;
        let joins_after = self.0.get(after).is_some_and(|run| run[0] == until);
        match (joins_before, joins_after) {
            (true, true) => {
                self.0[after - 1][1] = self.0[after][1];
                self.0.remove(after);
            }
            (true, false) => self.0[after - 1][1] = until,
            (false, true) => self.0[after][0] = from,
            (false, false) => self.0.insert(after, [from, until]),
        }
    }

    /// The first `cycles` cycles that neither has, as runs. O(runs).
    pub(super) fn first_free(one: &Self, other: &Self, cycles: u64, free: &mut Vec<[u64; 2]>) {
        let (mut at, mut left, mut next) = (0, cycles, [0; 2]);
        let both = [&one.0, &other.0];
        free.clear();
        while left > 0 {
            let before = at;
            let mut until = u64::MAX;
            for (runs, next) in both.iter().zip(&mut next) {
                while runs.get(*next).is_some_and(|run| run[1] <= at) {
                    *next += 1;
                }
                match runs.get(*next) {
                    Some([from, to]) if *from <= at => at = *to,
                    Some([from, _]) => until = until.min(*from),
                    None => {}
                }
            }
            if at == before {
                let taken = left.min(until - at);
                free.push([at, at + taken]);
                (left, at) = (left - taken, at + taken);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::integer::as_size;
    use crate::sampling::Streams;

    fn listed(runs: &[[u64; 2]]) -> Vec<u64> {
        runs.iter().flat_map(|[from, until]| *from..*until).collect()
    }

    /// Against sets of single cycles.
    #[test]
    fn runs_are_sets_of_cycles() {
        for seed in 0..300 {
            let mut random = Streams::new(seed).at(0);
            let mut sets = [[false; 60]; 2];
            let mut taken = [Taken::default(), Taken::default()];
            for _ in 0..random.random_range(0..12) {
                let which = random.random_range(0..2_usize);
                let from = random.random_range(0..50_usize);
                let until = from + random.random_range(1..8_usize);
                if sets[which][from..until].iter().any(|is_taken| *is_taken) {
                    continue;
                }
                sets[which][from..until].fill(true);
                taken[which].add([from as u64, until as u64]);
            }
            for (set, taken) in sets.iter().zip(&taken) {
                let wanted: Vec<u64> = (0..60).filter(|at| set[as_size(*at)]).collect();
                assert_eq!(listed(&taken.0), wanted);
                assert!(taken.0.windows(2).all(|two| two[0][1] < two[1][0]));
                let mut shuffled = taken.0.clone();
                shuffled.reverse();
                assert_eq!(Taken::of(shuffled), *taken);
            }
            let cycles = random.random_range(1..30);
            let mut free = Vec::new();
            Taken::first_free(&taken[0], &taken[1], cycles, &mut free);
            let is_free = |at: &u64| {
                let at = as_size(*at);
                at >= 60 || !(sets[0][at] || sets[1][at])
            };
            let wanted: Vec<u64> = (0..).filter(is_free).take(as_size(cycles)).collect();
            assert_eq!(listed(&free), wanted);
        }
        assert_eq!(Taken::of(vec![[4, 6], [0, 2], [2, 4]]), Taken::of(vec![[0, 6]]));
    }

    #[test]
    fn many_cycles_are_one_run() {
        let (mut one, none, mut free) = (Taken::default(), Taken::default(), Vec::new());
        one.add([1 << 40, 1 << 41]);
        Taken::first_free(&none, &one, 1 << 50, &mut free);
        assert_eq!(free, [[0, 1 << 40], [1 << 41, (1 << 41) + (1 << 50) - (1 << 40)]]);
    }
}
