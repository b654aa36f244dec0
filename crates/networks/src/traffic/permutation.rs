//! Permutations of the hosts, possibly partial.

use rand::seq::SliceRandom;

use super::{Demand, TrafficError, TrafficMatrix};
use crate::limit::within;
use crate::rational::Rational;
use crate::sampling::Streams;
use crate::topology::{Host, host_number};

/// Stands for "sends nothing".
const IDLE: Host = Host::MAX;

/// A permutation (\[OR\] II.A): every host is a source at most once and a destination at most
/// once. It may be partial; a host that would send to itself sends nothing.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::traffic::Permutation;
/// let shift = Permutation::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// assert_eq!((shift.image(3), shift.inverse().image(3)), (Some(0), Some(2)));
/// assert!(Permutation::new(4, [(0, 1), (2, 1)]).is_err());
/// # Ok::<(), routebound::traffic::TrafficError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation {
    /// The destination of every host, or [`IDLE`].
    image: Vec<Host>,
}

impl Permutation {
    /// The permutation with the given SD pairs. A pair of a host with itself is left out, but the
    /// host then counts as both a source and a destination. O(hosts).
    ///
    /// # Errors
    /// [`TrafficError::NoSuchHost`], [`TrafficError::TwiceSource`],
    /// [`TrafficError::TwiceDestination`], or [`TrafficError::TooLarge`] above
    /// [`TrafficMatrix::MAX_HOSTS`].
    pub fn new(
        hosts: usize,
        pairs: impl IntoIterator<Item = (Host, Host)>,
    ) -> Result<Self, TrafficError> {
        let most = TrafficMatrix::MAX_HOSTS;
        within("number of hosts", Some(hosts as u128), most, "use fewer hosts")?;
        let (mut image, mut receives) = (vec![IDLE; hosts], vec![false; hosts]);
        for (s, d) in pairs {
            if let Some(host) = [s, d].into_iter().find(|host| *host as usize >= hosts) {
                return Err(TrafficError::NoSuchHost { host, hosts });
            }
            if image[s as usize] != IDLE {
                return Err(TrafficError::TwiceSource { host: s });
            }
            if std::mem::replace(&mut receives[d as usize], true) {
                return Err(TrafficError::TwiceDestination { host: d });
            }
            image[s as usize] = d;
        }
        Ok(Self::without_fixed_points(image))
    }

    fn without_fixed_points(mut image: Vec<Host>) -> Self {
        for (s, d) in image.iter_mut().enumerate() {
            if *d as usize == s {
                *d = IDLE;
            }
        }
        Self { image }
    }

    /// Permutation number `index` of a seed: uniform over all `hosts`! permutations, whose fixed
    /// points (one on average) are hosts that send nothing. Permutations with different indices
    /// come from different streams of the generator, so any of them can be drawn alone, on any
    /// thread. O(hosts); `hosts` is below 2^32.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::traffic::Permutation;
    /// let second = Permutation::random_sequence(64, 7).nth(1);
    /// assert_eq!(second, Some(Permutation::random(64, 7, 1)));
    /// ```
    #[must_use]
    pub fn random(hosts: usize, seed: u64, index: u64) -> Self {
        Self::without_fixed_points(shuffled(hosts, seed, index))
    }

    /// The permutations 0, 1, 2, … of [`Self::random`], without end.
    pub fn random_sequence(hosts: usize, seed: u64) -> impl Iterator<Item = Self> {
        (0..=u64::MAX).map(move |index| Self::random(hosts, seed, index))
    }

    /// A random bisection: ⌊hosts/2⌋ hosts, drawn uniformly, each send to one of ⌊hosts/2⌋
    /// others. One permutation per index, as in [`Self::random`]. O(hosts).
    ///
    /// The effective bisection bandwidth is a mean over such traffic (Hoefler, Schneider and
    /// Lumsdaine, Cluster 2008).
    #[must_use]
    pub fn random_bisection(hosts: usize, seed: u64, index: u64) -> Self {
        let order = shuffled(hosts, seed, index);
        let (senders, others) = order.split_at(hosts / 2);
        let mut image = vec![IDLE; hosts];
        for (s, d) in senders.iter().zip(others) {
            image[*s as usize] = *d;
        }
        Self { image }
    }

    /// Number of hosts.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.image.len()
    }

    /// The host that `s` sends to; `None` when it sends nothing or is not a host.
    #[must_use]
    pub fn image(&self, s: Host) -> Option<Host> {
        self.image.get(s as usize).copied().filter(|d| *d != IDLE)
    }

    /// The SD pairs, by source.
    pub fn pairs(&self) -> impl Iterator<Item = (Host, Host)> + '_ {
        (0..).zip(self.image.iter().copied()).filter(|(_, d)| *d != IDLE)
    }

    /// Number of SD pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.image.iter().filter(|d| **d != IDLE).count()
    }

    /// Whether no host sends.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The permutation with sources and destinations exchanged.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut image = vec![IDLE; self.image.len()];
        for (s, d) in self.pairs() {
            image[d as usize] = s;
        }
        Self { image }
    }

    /// A permutation with these pairs that is as full as possible, by [`complete`].
    #[must_use]
    pub fn completed(&self) -> Self {
        let pairs: Vec<(Host, Host)> = self.pairs().collect();
        let mut image = vec![IDLE; self.image.len()];
        for (s, d) in complete(self.image.len(), &pairs) {
            image[s as usize] = d;
        }
        Self { image }
    }

    /// The matrix with a demand of 1 unit per pair.
    ///
    /// # Errors
    /// [`TrafficError::TooLarge`] above [`TrafficMatrix::MAX_HOSTS`].
    pub fn to_matrix(&self) -> Result<TrafficMatrix, TrafficError> {
        let demands = self.pairs().map(|(s, d)| Demand { s, d, amount: Rational::ONE });
        TrafficMatrix::new(self.hosts(), demands)
    }
}

/// The numbers `0..count` in the order given by a seed and a stream of its generator.
pub(super) fn shuffled(count: usize, seed: u64, stream: u64) -> Vec<Host> {
    let mut order: Vec<Host> = (0..host_number(count)).collect();
    order.shuffle(&mut Streams::new(seed).at(stream));
    order
}

/// Completes node-disjoint SD pairs (Definition 1 of \[OR\]) to a permutation of `hosts` hosts
/// that is as full as possible: every host is a source once and a destination once, except
/// that one host stays idle when it would send to itself. The given pairs come first,
/// the others follow by source. O(hosts).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::traffic::complete;
/// assert_eq!(complete(4, &[(0, 3)]), [(0, 3), (1, 2), (2, 1), (3, 0)]);
/// ```
#[must_use]
pub fn complete(hosts: usize, pairs: &[(Host, Host)]) -> Vec<(Host, Host)> {
    let (mut sends, mut receives) = (vec![false; hosts], vec![false; hosts]);
    for (s, d) in pairs {
        sends[*s as usize] = true;
        receives[*d as usize] = true;
    }
    let idle = |busy: &[bool]| -> Vec<Host> {
        (0..host_number(hosts)).filter(|host| !busy[*host as usize]).collect()
    };
    let (sources, mut destinations) = (idle(&sends), idle(&receives));
    destinations.reverse();
    separate(&sources, &mut destinations);
    let rest = sources.into_iter().zip(destinations).filter(|(s, d)| s != d);
    pairs.iter().copied().chain(rest).collect()
}

/// Both lists are sorted, in opposite orders, so at most one source meets itself; it swaps
/// destinations with a neighbour, if there is one.
fn separate(sources: &[Host], destinations: &mut [Host]) {
    let meets = sources.iter().zip(destinations.iter()).position(|(s, d)| s == d);
    if let Some(at) = meets.filter(|_| sources.len() > 1) {
        let other = if at == 0 { 1 } else { at - 1 };
        destinations.swap(at, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_not_a_permutation() {
        let outside = Permutation::new(3, [(3, 0)]);
        assert_eq!(outside, Err(TrafficError::NoSuchHost { host: 3, hosts: 3 }));
        let source = Permutation::new(3, [(0, 1), (0, 2)]);
        assert_eq!(source, Err(TrafficError::TwiceSource { host: 0 }));
        let destination = Permutation::new(3, [(0, 1), (1, 1)]);
        assert_eq!(destination, Err(TrafficError::TwiceDestination { host: 1 }));
        assert!(matches!(Permutation::new(1 << 23, []), Err(TrafficError::TooLarge(_))));
        let idle = Permutation::new(3, [(1, 1)]).unwrap();
        assert!(idle.is_empty() && idle.image(1).is_none() && idle.image(9).is_none());
    }

    #[test]
    fn random_permutations_of_three_hosts_are_uniform() {
        // Each of the 6 has probability 1/6: 1000 of 6000, standard deviation 29.
        let mut counts = std::collections::HashMap::new();
        for permutation in Permutation::random_sequence(3, 1).take(6000) {
            *counts.entry(permutation).or_insert(0) += 1;
        }
        // The fixed points of a transposition and of the identity show as idle hosts.
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn bisections_send_from_one_half_to_the_other() {
        for (hosts, index) in [(8, 0), (8, 1), (9, 5), (1, 0)] {
            let half = Permutation::random_bisection(hosts, 3, index);
            assert_eq!(half.len(), hosts / 2);
            assert!(half.pairs().all(|(_, d)| half.image(d).is_none()));
            assert_eq!(half, Permutation::new(hosts, half.pairs()).unwrap());
        }
        let two = [0, 1].map(|index| Permutation::random_bisection(64, 3, index));
        assert_ne!(two[0], two[1]);
    }

    #[test]
    fn completes_and_inverts() {
        let partial = Permutation::new(4, [(0, 3)]).unwrap();
        let full = Permutation::new(4, [(0, 3), (1, 2), (2, 1), (3, 0)]).unwrap();
        assert_eq!(partial.completed(), full);
        let random = Permutation::random(50, 9, 0);
        assert_eq!(random.inverse().inverse(), random);
        assert_eq!(random.to_matrix().unwrap().permutation(), Some(random));
    }

    proptest! {
        #[test]
        fn completed_pairs_are_a_permutation(hosts in 2usize..9, order in Just((0u32..9).collect::<Vec<_>>()).prop_shuffle(), count in 0usize..9) {
            let images: Vec<u32> = order.into_iter().filter(|d| (*d as usize) < hosts).collect();
            let pairs: Vec<_> = (0u32..).zip(images).filter(|(s, d)| s != d).take(count).collect();
            let all = complete(hosts, &pairs);
            prop_assert_eq!(&all[..pairs.len()], &pairs[..]);
            prop_assert!(all.len() + 1 >= hosts);
            for end in [|p: &(u32, u32)| p.0, |p: &(u32, u32)| p.1] {
                let mut seen = vec![false; hosts];
                for pair in &all {
                    prop_assert!(pair.0 != pair.1);
                    prop_assert!(!std::mem::replace(&mut seen[end(pair) as usize], true));
                }
            }
        }
    }
}
