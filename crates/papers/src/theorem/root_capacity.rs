//! T(X): the exact maximum number of SD pairs that one top switch can carry, by search.
//!
//! k bottom switches with n hosts each hang on one root (SEFT2(2n,k) of \[OR\], the subgraph of
//! ftree(n,m,k) in \[NB\] Fig 2). A set of SD pairs between different switches may be routed
//! through the root when no link gets more than X node-disjoint pairs. By König this means: the
//! up link of switch i has a cover U_i of at most X hosts (sources of the switch, or
//! destinations elsewhere), the down link of switch j a cover D_j, and a pair is carried when the
//! cover of each of its two links contains one of its ends. So T(X) is a maximum over covers, each
//! of exactly X hosts. Given all U_i, the D_j do not depend on each other.
//!
//! The search assigns U_1, U_2, … and prunes what cannot beat the best known even if all further
//! switches sent everything. Top switches of a network share no links, so ⌈pairs ÷ T(X)⌉ top
//! switches are needed by **every** single-path routing whose links have at most X node-disjoint
//! pairs.

use std::sync::atomic::{AtomicU32, Ordering};

use itertools::Itertools;
use rayon::prelude::*;

use crate::integer::index32;
use crate::progress::{Progress, Stopped};

/// Limits on the covers of a link, and on the bits of a mask of pairs towards one switch.
const MAX_COVERS: usize = 4096;
const MAX_BITS: usize = 64;

/// T(x) for `k` switches of `n` hosts each; `None` when the search would be too large: n²k above
/// 64, more than 4096 covers of a link, or more than `work` combinations of covers.
///
/// # Errors
/// [`Stopped`] when `progress` says so.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::{progress::Progress, theorem::root_capacity::most_pairs};
/// // Two switches of two hosts, X = 1: a star of two pairs each way.
/// assert_eq!(most_pairs(2, 2, 1, 1 << 20, &Progress::silent())?, Some(4));
/// # Ok::<(), routebound::progress::Stopped>(())
/// ```
pub fn most_pairs(
    n: usize,
    k: usize,
    x: usize,
    work: u64,
    progress: &Progress,
) -> Result<Option<u64>, Stopped> {
    if n * n * k > MAX_BITS || k < 2 || x >= n {
        // With X = n every set will do.
        return Ok((x >= n).then_some((k * (k - 1) * n * n) as u64));
    }
    let covers = (0..n * k).combinations(x).count();
    let combinations = (covers as u64).checked_pow(index32(k) - 1);
    if covers > MAX_COVERS || combinations.is_none_or(|count| count > work) {
        return Ok(None);
    }
    CapacitySearch::new(n, k, x).run(progress).map(Some)
}

/// Masks of the pairs towards switch j: bit s·n + (d − jn).
struct CapacitySearch {
    k: usize,
    /// `up[i][u][j]`: pairs from switch i to switch j that cover u of its up link allows.
    up: Vec<Vec<Vec<u64>>>,
    /// `down[j][u]`: pairs to switch j that cover u of its down link allows.
    down: Vec<Vec<u64>>,
    /// `all[i][j]`: all pairs from the switches i, i+1, … to switch j.
    all: Vec<Vec<u64>>,
    /// Covers of the first up link, one per class.
    first: Vec<usize>,
}

impl CapacitySearch {
    fn new(n: usize, k: usize, x: usize) -> Self {
        let covers: Vec<Vec<usize>> = (0..n * k).combinations(x).collect();
        let switch = |host: usize| host / n;
        let mask = |allowed: &dyn Fn(usize, usize) -> bool, i: Option<usize>, j: usize| {
            let sources =
                (0..n * k).filter(|s| switch(*s) != j && i.is_none_or(|i| switch(*s) == i));
            let pairs = sources.flat_map(|s| (0..n).map(move |d| (s, d)));
            let allowed = pairs.filter(|(s, d)| allowed(*s, j * n + d));
            allowed.fold(0, |mask, (s, d)| mask | 1_u64 << (s * n + d))
        };
        let holds = |cover: &[usize], s: usize, d: usize| cover.contains(&s) || cover.contains(&d);
        let towards = |cover: &[usize], i: Option<usize>| -> Vec<u64> {
            (0..k).map(|j| mask(&|s, d| holds(cover, s, d), i, j)).collect()
        };
        let up = (0..k).map(|i| covers.iter().map(|cover| towards(cover, Some(i))).collect());
        let down_of =
            |j| covers.iter().map(|cover| mask(&|s, d| holds(cover, s, d), None, j)).collect();
        let from =
            |first: usize| (0..k).map(|j| mask(&|s, _| switch(s) >= first, None, j)).collect();
        // Hosts of a switch are interchangeable, and so are the other switches: a cover is as good
        // as any other with the same numbers of hosts in them.
        let class = |cover: &usize| {
            let count = |i| covers[*cover].iter().filter(|host| switch(**host) == i).count();
            let mut others: Vec<usize> = (1..k).map(count).collect();
            others.sort_unstable();
            (count(0), others)
        };
        Self {
            k,
            up: up.collect(),
            down: (0..k).map(down_of).collect(),
            all: (0..=k).map(from).collect(),
            first: (0..covers.len()).unique_by(class).collect(),
        }
    }

    fn run(&self, progress: &Progress) -> Result<u64, Stopped> {
        let best = AtomicU32::new(0);
        let second = 0..self.down[0].len();
        let starts: Vec<(usize, usize)> =
            self.first.iter().copied().cartesian_product(second).collect();
        starts.par_iter().try_for_each(|(first, second)| {
            let none = vec![0; self.k];
            let one = self.with(&none, 0, *first);
            self.extend(&self.with(&one, 1, *second), 2, &best, progress)
        })?;
        Ok(best.into_inner().into())
    }

    /// The masks with the pairs of one more switch.
    fn with(&self, masks: &[u64], i: usize, cover: usize) -> Vec<u64> {
        masks.iter().zip(&self.up[i][cover]).map(|(mask, more)| mask | more).collect()
    }

    fn extend(
        &self,
        masks: &[u64],
        i: usize,
        best: &AtomicU32,
        progress: &Progress,
    ) -> Result<(), Stopped> {
        let most = self.most(masks, i);
        if most <= best.load(Ordering::Relaxed) {
            return Ok(());
        }
        if i == self.k {
            best.fetch_max(most, Ordering::Relaxed);
            return Ok(());
        }
        progress.check()?;
        (0..self.down[0].len())
            .try_for_each(|cover| self.extend(&self.with(masks, i, cover), i + 1, best, progress))
    }

    /// An upper bound on the pairs: the switches from `i` on send everything.
    fn most(&self, masks: &[u64], i: usize) -> u32 {
        let towards = |(j, mask): (usize, &u64)| {
            let sent = mask | self.all[i][j];
            self.down[j].iter().map(|allowed| (sent & allowed).count_ones()).max().unwrap_or(0)
        };
        masks.iter().enumerate().map(towards).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::{Graph, Matching};

    /// Size of a largest node-disjoint subset.
    fn disjoint(pairs: &[(usize, usize)], hosts: usize) -> usize {
        let mut graph = Graph { offsets: vec![0], targets: Vec::new(), right: hosts };
        for s in 0..hosts {
            graph.targets.extend(pairs.iter().filter(|p| p.0 == s).map(|p| index32(p.1)));
            graph.offsets.push(index32(graph.targets.len()));
        }
        let mut matching = Matching::default();
        matching.maximise(&graph);
        matching.size
    }

    /// By definition: every set of SD pairs between different switches.
    fn by_definition(n: usize, k: usize, x: usize) -> u64 {
        let pairs: Vec<(usize, usize)> =
            (0..n * k).cartesian_product(0..n * k).filter(|(s, d)| s / n != d / n).collect();
        let fits = |set: &[(usize, usize)]| {
            (0..k).all(|i| {
                let up: Vec<_> = set.iter().copied().filter(|p| p.0 / n == i).collect();
                let down: Vec<_> = set.iter().copied().filter(|p| p.1 / n == i).collect();
                disjoint(&up, n * k) <= x && disjoint(&down, n * k) <= x
            })
        };
        let sets = (0..1_u64 << pairs.len()).into_par_iter();
        let size = |bits: u64| {
            let set: Vec<_> =
                (0..pairs.len()).filter(|b| bits >> b & 1 == 1).map(|b| pairs[b]).collect();
            if fits(&set) { set.len() as u64 } else { 0 }
        };
        sets.map(size).max().unwrap()
    }

    #[test]
    fn the_search_finds_what_enumeration_finds() {
        let all = [(1, 2, 1), (1, 4, 1), (2, 2, 1), (2, 2, 2), (3, 2, 1), (3, 2, 2)];
        let some = if cfg!(feature = "slow-tests") { 6 } else { 5 };
        for (n, k, x) in all.into_iter().take(some) {
            let found = most_pairs(n, k, x, 1 << 30, &Progress::silent()).unwrap();
            assert_eq!(found, Some(by_definition(n, k, x)), "{n} {k} {x}");
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        assert_eq!(most_pairs(5, 5, 2, u64::MAX, &Progress::silent()), Ok(None));
        assert_eq!(most_pairs(3, 5, 2, 1000, &Progress::silent()), Ok(None));
        assert_eq!(most_pairs(9, 9, 9, 0, &Progress::silent()), Ok(Some(72 * 81)));
    }
}
