//! Exact distributions of contention: all choices of a random scheme on a small tree, counted.

use std::collections::BTreeMap;

use crate::rational::Rational;

/// Hosts of a leaf switch, and leaf switches, of the tree XGFT(2;4,4;1,w2).
pub(super) const SIDE: usize = 4;

/// How a scheme draws the roots of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draws {
    /// One for every pair.
    Pairs,
    /// A balanced map of the hosts of every leaf switch, by destination.
    Destinations,
    /// A balanced map of the hosts of every leaf switch, by source.
    Sources,
}

impl Draws {
    pub(super) const ALL: [(Self, &'static str); 3] =
        [(Self::Pairs, "random"), (Self::Sources, "rnca-u"), (Self::Destinations, "rnca-d")];
}

/// Pairs between leaf switches of the transposition, in which host b of leaf a sends to host a of leaf b.
pub(super) fn transposition() -> impl Iterator<Item = (usize, usize)> {
    itertools::iproduct!(0..SIDE, 0..SIDE).filter(|(a, b)| a != b)
}

/// Numbers of choices by the most pairs on a link between the levels, under the transposition.
pub(super) fn counts(draws: Draws, roots: usize) -> BTreeMap<u64, u64> {
    let groups: Vec<Vec<(usize, usize)>> = match draws {
        Draws::Pairs => transposition().map(|pair| vec![pair]).collect(),
        // Host a of leaf b receives from leaf a, host b of leaf a sends to leaf b.
        Draws::Destinations => group(|(_, to)| to),
        Draws::Sources => group(|(from, _)| from),
    };
    let maps = match draws {
        Draws::Pairs => (0..roots).map(|root| vec![root]).collect(),
        Draws::Destinations | Draws::Sources => balanced_maps(roots),
    };
    let mut search =
        Search { groups, maps, loads: vec![[0; 2 * SIDE]; roots], found: BTreeMap::new() };
    search.from(0);
    search.found
}

/// All pairs by leaf, where the place of a pair is the host of the leaf: the leaf itself has a place that no pair
/// takes.
fn group(leaf: fn((usize, usize)) -> usize) -> Vec<Vec<(usize, usize)>> {
    let of = |own: usize| transposition().filter(move |pair| leaf(*pair) == own).collect();
    (0..SIDE).map(of).collect()
}

/// All balanced maps from the hosts of a leaf to the roots, without the entry of the host whose traffic stays in the
/// leaf: as often as there are maps with these entries.
fn balanced_maps(roots: usize) -> Vec<Vec<usize>> {
    let mut maps = vec![Vec::new()];
    for _ in 0..SIDE {
        let longer = |map: Vec<usize>| {
            (0..roots).map(move |root| [&map[..], &[root]].concat()).collect::<Vec<_>>()
        };
        maps = maps.into_iter().flat_map(longer).collect();
    }
    let is_balanced = |map: &Vec<usize>| {
        let times = |root| map.iter().filter(|value| **value == root).count();
        (0..roots).all(|root| (SIDE / roots..=SIDE.div_ceil(roots)).contains(&times(root)))
    };
    // By symmetry it does not matter which host stays in the leaf.
    maps.into_iter().filter(is_balanced).map(|map| map[..SIDE - 1].to_vec()).collect()
}

struct Search {
    groups: Vec<Vec<(usize, usize)>>,
    /// Roots of the pairs of a group, all equally likely.
    maps: Vec<Vec<usize>>,
    /// Pairs up from every leaf to a root, then down to every leaf, by root.
    loads: Vec<[u64; 2 * SIDE]>,
    found: BTreeMap<u64, u64>,
}

impl Search {
    /// Counts all choices for the groups from this one on.
    fn from(&mut self, group: usize) {
        if group == self.groups.len() {
            let most = self.loads.iter().flatten().copied().max().unwrap_or(0);
            *self.found.entry(most).or_insert(0) += 1;
            return;
        }
        for map in 0..self.maps.len() {
            self.change(group, map, |load| load + 1);
            self.from(group + 1);
            self.change(group, map, |load| load - 1);
        }
    }

    fn change(&mut self, group: usize, map: usize, by: fn(u64) -> u64) {
        for ((from, to), root) in self.groups[group].iter().zip(&self.maps[map]) {
            for end in [*from, SIDE + *to] {
                let load = &mut self.loads[*root][end];
                *load = by(*load);
            }
        }
    }
}

/// Probabilities, which sum to 1.
pub(super) fn probabilities(counts: &BTreeMap<u64, u64>) -> Vec<(u64, Rational)> {
    let all = counts.values().sum();
    let part = |(most, count): (&u64, &u64)| Some((*most, Rational::new(*count, all)?));
    counts.iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::load::LinkLoads;
    use crate::progress::Progress;
    use crate::routing::Instance;
    use crate::traffic::Demand;

    /// The counts of [`Draws::ALL`] for three roots.
    static OF_THREE: LazyLock<[BTreeMap<u64, u64>; 3]> =
        LazyLock::new(|| Draws::ALL.map(|(draws, _)| counts(draws, 3)));

    /// A single root carries all three pairs of a leaf; with two roots, a leaf's three pairs are on one of them with
    /// probability 1/4 when each is drawn.
    #[test]
    fn choices_by_hand() {
        for (draws, _) in Draws::ALL {
            assert_eq!(counts(draws, 1).keys().collect::<Vec<_>>(), [&3], "{draws:?}");
        }
        assert_eq!(counts(Draws::Pairs, 2).values().sum::<u64>(), 1 << 12);
        assert_eq!(balanced_maps(2).len(), 6);
        assert_eq!(balanced_maps(3).len(), 36);
        assert_eq!(balanced_maps(4).len(), 24);
        let [_, by_source, by_destination] = &*OF_THREE;
        assert_eq!(by_source, by_destination);
        let sum =
            probabilities(by_source).into_iter().fold(Rational::ZERO, |sum, (_, p)| &sum + &p);
        assert_eq!(sum, Rational::ONE);
    }

    /// The routings themselves, with 500 seeds, in the full tier 1,500: the mean is within four standard errors of the
    /// exact one.
    #[test]
    fn samples_agree_with_the_distributions() {
        let unit = |(a, b)| {
            let [s, d] = [SIDE * a + b, SIDE * b + a].map(crate::integer::index32);
            Demand { s, d, amount: Rational::ONE }
        };
        let demands: Vec<Demand> = transposition().map(unit).collect();
        let seeds = if cfg!(feature = "slow-tests") { 1500_u32 } else { 500 };
        for ((_, scheme), counts) in Draws::ALL.into_iter().zip(&*OF_THREE) {
            let all = counts.values().sum::<u64>() as f64;
            let moment = |power: i32| {
                counts.iter().map(|(x, n)| (*x as f64).powi(power) * *n as f64).sum::<f64>() / all
            };
            let most = |seed: u64| {
                let spec = format!("{scheme}(seed={seed})");
                let instance = Instance::named("xgft(2;4,4;1,3)", &spec).unwrap();
                let (topology, routing) = (instance.topology(), instance.routing());
                let quiet = Progress::silent();
                LinkLoads::of(topology, routing, &demands, &quiet).unwrap().max_load().to_f64()
            };
            let mean = (1..=u64::from(seeds)).map(most).sum::<f64>() / f64::from(seeds);
            let error = ((moment(2) - moment(1).powi(2)) / f64::from(seeds)).sqrt();
            assert!((mean - moment(1)).abs() < 4.0 * error, "{scheme}: {mean} {}", moment(1));
        }
    }
}
