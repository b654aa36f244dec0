//! Jobs on scattered hosts, each with traffic of its own: the last three workloads of \[OR\] VI.
//!
//! "clustered traffic with random group sizes, clustered traffic with a random regular pattern in each
//! group, and clustered traffic with random traffic in each group"; the paper says no more of them.
//! Here sizes are drawn uniformly from a range until no host is left, the last group gets what is
//! left, and the pattern of a group is drawn uniformly from the five regular ones of Table II that
//! are defined for its size. The hosts are shuffled by stream 0 of the seed as in `clustered`; sizes are drawn from
//! the first stream for traffic, and what is inside the group from position i on from the i-th after it.

use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};

use super::permutation::shuffled;
use super::prelude::*;
use super::random::{Probability, STREAMS, threshold};
use super::{Demand, generate};
use crate::integer::as_size;
use crate::rational::Rational;
use crate::sampling::{Stream, Streams};
use crate::topology::Host;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "jobs",
    usage: "jobs(size=8|least..most,inside=all|regular|random,p=0.5,seed=1)",
    about: "all hosts in random groups of one size, or of sizes from a range; in every group all-to-all of 1 unit, \
            a regular pattern drawn for it, or random traffic of probability p",
    reference: "[OR] VI",
    examples: &[
        "jobs(size=2..32,inside=all)",
        "jobs(size=16,inside=regular,seed=7)",
        "jobs(inside=random,p=0.25)",
    ],
    build: super::Pattern::plain(build),
};

/// The regular patterns of Table II.
const REGULAR: [&str; 5] = ["ring", "mesh2d", "mesh3d", "hypercube", "bintree"];

#[derive(Deserialize)]
struct Options {
    size: Sizes,
    inside: Inside,
    p: Probability,
    seed: u64,
}

/// The minimum and the maximum number of hosts of a group.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Sizes(u64, u64);

impl TryFrom<String> for Sizes {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (least, most) = text.split_once("..").unwrap_or((&text, &text));
        let both = least.parse().ok().zip(most.parse().ok());
        let problem = "is neither a number of hosts nor a range such as 2..32";
        both.map(|(least, most)| Self(least, most)).ok_or(problem)
    }
}

/// The traffic inside a group of hosts.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Inside {
    All,
    Regular,
    Random,
}

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let Options { size: Sizes(least, most), inside, p: Probability(p), seed } = spec.read()?;
    if inside != Inside::Random && spec.option("p").is_some() {
        return Err(spec.refused("`p` is for inside=random").into());
    }
    if least < 2 || most < least || most > hosts as u64 {
        let reason = format!("groups have 2 to {hosts} hosts, not {least} to {most}");
        return Err(TrafficError::does_not_fit(spec, hosts, reason));
    }
    // Groups of the largest size have the most pairs.
    TrafficMatrix::check_entries(u128::from(most - 1) * hosts as u128)?;
    let (order, streams, threshold) = (shuffled(hosts, seed, 0), Streams::new(seed), threshold(&p));
    let (mut draws, mut at, mut demands) = (streams.at(STREAMS), 0, Vec::new());
    while at < hosts {
        let size = as_size(draws.random_range(least..=most)).min(hosts - at);
        let group = &order[at..at + size];
        let draws = &mut streams.at(STREAMS + 1 + at as u64);
        demands.extend(inside.traffic(group, threshold, draws)?);
        at += size;
    }
    TrafficMatrix::new(hosts, demands)
}

impl Inside {
    /// The traffic of a group, if random 1 unit where a word is below the threshold; none of a single host.
    fn traffic(
        self,
        group: &[Host],
        threshold: u128,
        draws: &mut Stream,
    ) -> Result<Vec<Demand>, TrafficError> {
        let unit = |(s, d)| Demand { s, d, amount: Rational::ONE };
        let pairs = group.iter().flat_map(|s| group.iter().map(move |d| (*s, *d)));
        let pairs = pairs.filter(|(s, d)| s != d);
        match self {
            _ if group.len() < 2 => Ok(Vec::new()),
            Self::All => Ok(pairs.map(unit).collect()),
            Self::Random => {
                let some = pairs.filter(|_| u128::from(draws.next_u64()) < threshold);
                Ok(some.map(unit).collect())
            }
            Self::Regular => regular(group, draws),
        }
    }
}

/// One of the regular patterns that are defined for the size of the group.
fn regular(group: &[Host], draws: &mut Stream) -> Result<Vec<Demand>, TrafficError> {
    let patterns: Vec<TrafficMatrix> =
        REGULAR.iter().filter_map(|name| generate(name, group.len()).ok()).collect();
    let Some(pattern) = patterns.choose(draws) else {
        // The ring is defined for every size from 2 on: this is its error.
        return generate(REGULAR[0], group.len()).map(TrafficMatrix::into_demands);
    };
    let on = |task: Host| group[task as usize];
    let demands = pattern.demands().iter();
    Ok(demands.map(|d| Demand { s: on(d.s), d: on(d.d), amount: d.amount.clone() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn matrix(spec: &str, hosts: usize) -> TrafficMatrix {
        generate(spec, hosts).unwrap()
    }

    /// Hosts that are joined by demands, as sizes of groups with how many there are.
    fn groups(matrix: &TrafficMatrix) -> BTreeMap<usize, usize> {
        let mut of: Vec<usize> = (0..matrix.hosts()).collect();
        for demand in matrix.demands() {
            let (keep, drop) = (of[demand.s as usize], of[demand.d as usize]);
            of.iter_mut().filter(|at| **at == drop).for_each(|at| *at = keep);
        }
        let (mut sizes, mut counts) = (BTreeMap::new(), BTreeMap::new());
        for group in of {
            *sizes.entry(group).or_insert(0) += 1;
        }
        for size in sizes.into_values() {
            *counts.entry(size).or_insert(0) += 1;
        }
        counts
    }

    /// Jobs of one size with all-to-all traffic are clustered traffic.
    #[test]
    fn all_to_all_in_groups_of_one_size_is_clustered_traffic() {
        let jobs = matrix("jobs(size=4,seed=3)", 24);
        assert_eq!(jobs, matrix("clustered(size=4,seed=3)", 24));
        assert_eq!(groups(&matrix("jobs(size=5)", 17)), BTreeMap::from([(5, 3), (2, 1)]));
    }

    #[test]
    fn sizes_are_drawn_from_the_range() {
        let sizes = groups(&matrix("jobs(size=2..5,seed=1)", 400));
        let within = sizes.iter().filter(|(size, _)| (2..=5).contains(*size));
        assert!(within.map(|(size, count)| size * count).sum::<usize>() >= 399, "{sizes:?}");
        assert!((2..=5).all(|size| sizes[&size] > 10), "{sizes:?}");
    }

    /// In groups of 8 the least has 7 exchanges (a tree), the most 12 (mesh and hypercube are cubes).
    #[test]
    fn groups_have_regular_patterns_of_their_own() {
        let found = matrix("jobs(size=8,inside=regular,seed=2)", 800);
        assert_eq!(groups(&found), BTreeMap::from([(8, 100)]));
        let exchanges = found.len() / 2;
        assert!((700..1200).contains(&exchanges), "{exchanges}");
        assert_eq!(found, found.clone().transpose());
    }

    /// Each of 100 · 8 · 7 pairs with probability 1/4: 1,400 expected, 32 the standard deviation.
    #[test]
    fn random_traffic_has_its_probability() {
        let found = matrix("jobs(size=8,inside=random,p=1/4,seed=2)", 800);
        assert!((1_240..1_560).contains(&found.len()), "{}", found.len());
        assert!(matrix("jobs(inside=random,p=0)", 16).is_empty());
        assert_eq!(matrix("jobs(inside=random,p=1)", 16), matrix("clustered", 16));
    }

    #[test]
    fn what_is_no_job_is_refused() {
        for (spec, part) in [
            ("jobs(size=1)", "groups have 2 to 16 hosts, not 1 to 1"),
            ("jobs(size=5..3)", "not 5 to 3"),
            ("jobs(size=17)", "not 17 to 17"),
            ("jobs(size=few)", "`size=few` is neither a number of hosts"),
            ("jobs(inside=none)", "`inside=none` is not one of all, regular, random"),
            ("jobs(p=0.5)", "`p` is for inside=random"),
            ("jobs(inside=random,p=2)", "`p=2` is not a probability"),
        ] {
            let error = generate(spec, 16).unwrap_err().to_string();
            assert!(error.contains(part), "{spec}: {error}");
        }
        assert!(
            generate("jobs(size=100000)", 100_000).unwrap_err().to_string().contains("demands")
        );
    }
}
