//! Traffic matrices: the demands of SD pairs, sparse and exact.

use crate::limit::{TooLarge, within};
use crate::rational::{Rational, denominators_within};
use crate::topology::{Host, Topology};

use super::permutation::shuffled;
use super::{Demand, Permutation, TrafficError};

/// Maximum number of bits of the common denominator of all amounts.
///
/// Such numbers have at most 200 digits, like the numbers in certificates; decimals with 199 places
/// need 662. Beyond this, totals of many fractions would grow without bound.
const DENOMINATOR_BITS: usize = 664;

/// A traffic matrix (\[OR\] II.A): an amount of traffic per SD pair.
///
/// Sparse: pairs without traffic have no entry. Entries are sorted by (source, destination),
/// every pair has at most one, and amounts are positive and exact. Traffic from a host to itself
/// never enters the network; it is left out, and counted so that reports can say so.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{rational::Rational, traffic::{Demand, TrafficMatrix}};
/// let demand = |s, d, amount| Demand { s, d, amount: Rational::from(amount) };
/// let matrix = TrafficMatrix::new(4, [demand(2, 0, 1), demand(0, 1, 2), demand(2, 0, 4), demand(3, 3, 9)])?;
/// assert_eq!(matrix.demands(), [demand(0, 1, 2), demand(2, 0, 5)]);
/// assert_eq!((matrix.len(), matrix.total(), matrix.self_demands()), (2, Rational::from(7), 1));
/// # Ok::<(), routebound::traffic::TrafficError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrafficMatrix {
    hosts: usize,
    demands: Vec<Demand>,
    self_demands: usize,
}

impl TrafficMatrix {
    /// Maximum number of entries, before those of one pair are summed.
    pub const MAX_ENTRIES: u64 = 1 << 24;
    /// Maximum number of hosts: a connected network has at least one link per host.
    pub const MAX_HOSTS: u64 = Topology::MAX_LINKS;

    /// The matrix of demands in any order; those of one pair are summed, zeros are dropped.
    /// O(n log n) for n demands, O(n) when they are sorted.
    ///
    /// # Errors
    /// [`TrafficError::NoSuchHost`], or [`TrafficError::TooLarge`] when there are more than
    /// [`Self::MAX_HOSTS`] hosts or [`Self::MAX_ENTRIES`] demands, or when the amounts have a
    /// common denominator of more than 664 bits.
    pub fn new(
        hosts: usize,
        demands: impl IntoIterator<Item = Demand>,
    ) -> Result<Self, TrafficError> {
        within("number of hosts", Some(hosts as u128), Self::MAX_HOSTS, "use fewer hosts")?;
        let mut matrix = Self { hosts, demands: Vec::new(), self_demands: 0 };
        for demand in demands {
            matrix.add(demand)?;
        }
        matrix.normalise();
        if !denominators_within(DENOMINATOR_BITS, matrix.demands.iter().map(|d| &d.amount)) {
            return Err(TrafficError::TooLarge(TooLarge {
                what: "number of bits of the common denominator of all amounts".into(),
                size: format!("more than {DENOMINATOR_BITS}"),
                limit: DENOMINATOR_BITS as u64,
                remedy: "write the amounts as decimals".into(),
            }));
        }
        Ok(matrix)
    }

    /// Checks a number of entries before, or while, they are collected.
    ///
    /// # Errors
    /// [`TooLarge`] above [`Self::MAX_ENTRIES`].
    pub fn check_entries(entries: u128) -> Result<(), TooLarge> {
        let remedy = "use fewer hosts, or tasks= where the traffic takes it";
        within("number of demands", Some(entries), Self::MAX_ENTRIES, remedy).map(|_| ())
    }

    fn add(&mut self, demand: Demand) -> Result<(), TrafficError> {
        let hosts = self.hosts;
        if let Some(host) = [demand.s, demand.d].into_iter().find(|host| *host as usize >= hosts) {
            return Err(TrafficError::NoSuchHost { host, hosts });
        }
        if demand.amount.is_zero() {
            return Ok(());
        }
        if demand.s == demand.d {
            self.self_demands += 1;
            return Ok(());
        }
        self.demands.push(demand);
        Ok(Self::check_entries(self.demands.len() as u128)?)
    }

    /// Sorts the entries and sums those of the same pair.
    fn normalise(&mut self) {
        let pair = |demand: &Demand| (demand.s, demand.d);
        if !self.demands.is_sorted_by_key(pair) {
            self.demands.sort_unstable_by_key(pair);
        }
        self.demands.dedup_by(|later, earlier| {
            let same = pair(later) == pair(earlier);
            if same {
                earlier.amount += &later.amount;
            }
            same
        });
    }

    /// Number of hosts N; host numbers are `0..N`.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// The entries, sorted by (source, destination).
    #[must_use]
    pub fn demands(&self) -> &[Demand] {
        &self.demands
    }

    /// The entries, without a copy.
    #[must_use]
    pub fn into_demands(self) -> Vec<Demand> {
        self.demands
    }

    /// Number of SD pairs with traffic.
    #[must_use]
    pub fn len(&self) -> usize {
        self.demands.len()
    }

    /// Whether there is no traffic at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.demands.is_empty()
    }

    /// Demands of a host to itself that were left out.
    #[must_use]
    pub fn self_demands(&self) -> usize {
        self.self_demands
    }

    /// The amount of a pair, zero if it has no entry. O(log n).
    #[must_use]
    pub fn amount(&self, s: Host, d: Host) -> Rational {
        let found = self.demands.binary_search_by_key(&(s, d), |demand| (demand.s, demand.d));
        found.map_or(Rational::ZERO, |at| self.demands[at].amount.clone())
    }

    /// The sum of all amounts.
    #[must_use]
    pub fn total(&self) -> Rational {
        self.demands.iter().map(|demand| &demand.amount).sum()
    }

    /// Amount that every host sends: the row sums.
    #[must_use]
    pub fn sent(&self) -> Vec<Rational> {
        self.sums(|demand| demand.s)
    }

    /// Amount that every host receives: the column sums.
    #[must_use]
    pub fn received(&self) -> Vec<Rational> {
        self.sums(|demand| demand.d)
    }

    fn sums(&self, host: impl Fn(&Demand) -> Host) -> Vec<Rational> {
        let mut sums = vec![Rational::ZERO; self.hosts];
        for demand in &self.demands {
            sums[host(demand) as usize] += &demand.amount;
        }
        sums
    }

    /// The matrix with every amount multiplied by `factor`; empty when that is zero.
    #[must_use]
    pub fn scaled(mut self, factor: &Rational) -> Self {
        if factor.is_zero() {
            self.demands.clear();
        }
        for demand in &mut self.demands {
            demand.amount = &demand.amount * factor;
        }
        self
    }

    /// The matrix with sources and destinations exchanged.
    #[must_use]
    pub fn transpose(mut self) -> Self {
        for demand in &mut self.demands {
            (demand.s, demand.d) = (demand.d, demand.s);
        }
        self.normalise();
        self
    }

    /// This traffic among the hosts of a larger network: host i of this matrix, a task, is
    /// placed on host i, or with a seed on the i-th host in a random order.
    /// O(hosts + n log n).
    ///
    /// # Errors
    /// [`TrafficError::TooFewHosts`] when this matrix has more than `hosts` hosts,
    /// [`TrafficError::TooLarge`] above [`Self::MAX_HOSTS`].
    pub fn placed(mut self, hosts: usize, seed: Option<u64>) -> Result<Self, TrafficError> {
        within("number of hosts", Some(hosts as u128), Self::MAX_HOSTS, "use fewer hosts")?;
        if self.hosts > hosts {
            return Err(TrafficError::TooFewHosts { tasks: self.hosts, hosts });
        }
        self.hosts = hosts;
        if let Some(seed) = seed {
            let place = shuffled(hosts, seed, 0);
            for demand in &mut self.demands {
                demand.s = place[demand.s as usize];
                demand.d = place[demand.d as usize];
            }
            self.normalise();
        }
        Ok(self)
    }

    /// This matrix as a permutation, if every host sends to at most one destination and receives
    /// from at most one source, and all amounts are equal.
    #[must_use]
    pub fn permutation(&self) -> Option<Permutation> {
        let equal = self.demands.windows(2).all(|pair| pair[0].amount == pair[1].amount);
        let pairs = self.demands.iter().map(|demand| (demand.s, demand.d));
        // The common case of a matrix with many pairs is decided without looking at them.
        let may_be = equal && self.demands.len() <= self.hosts;
        may_be.then(|| Permutation::new(self.hosts, pairs).ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(s: Host, d: Host, amount: &str) -> Demand {
        Demand { s, d, amount: amount.parse().unwrap() }
    }

    #[test]
    fn sums_rows_and_columns() {
        let matrix =
            TrafficMatrix::new(3, [demand(2, 0, "1/2"), demand(0, 1, "2"), demand(2, 1, "1/2")]);
        let matrix = matrix.unwrap();
        let texts = |sums: Vec<Rational>| sums.iter().map(Rational::to_string).collect::<Vec<_>>();
        assert_eq!(texts(matrix.sent()), ["2", "0", "1"]);
        assert_eq!(texts(matrix.received()), ["1/2", "5/2", "0"]);
        assert_eq!(matrix.amount(2, 1), Rational::new(1, 2).unwrap());
        assert_eq!(matrix.amount(1, 2), Rational::ZERO);
        let turned = matrix.clone().transpose();
        assert_eq!(turned.demands()[0], demand(0, 2, "1/2"));
        assert_eq!(turned.transpose(), matrix);
        assert_eq!(matrix.clone().scaled(&Rational::from(2)).total(), Rational::from(6));
        assert!(matrix.scaled(&Rational::ZERO).is_empty());
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let outside = TrafficMatrix::new(3, [demand(0, 3, "1")]);
        assert_eq!(outside, Err(TrafficError::NoSuchHost { host: 3, hosts: 3 }));
        let large = TrafficMatrix::new(1 << 23, []);
        assert!(matches!(large, Err(TrafficError::TooLarge(_))));
        let most = u128::from(TrafficMatrix::MAX_ENTRIES);
        assert!(TrafficMatrix::check_entries(most).is_ok());
        assert!(TrafficMatrix::check_entries(most + 1).is_err());
        // Odd denominators of more than 60 bits: 20 of them share no long factor.
        let odd = (0..20_u32).map(|i| {
            let amount = Rational::new(1, (1 << 60) + 2 * u64::from(i) + 1).unwrap();
            Demand { s: 0, d: 1 + i, amount }
        });
        assert!(matches!(TrafficMatrix::new(30, odd), Err(TrafficError::TooLarge(_))));
        // As many bits as certificates can hold: all decimals of a text are within the limit.
        let places = format!("1/1{}", "0".repeat(199));
        assert!(TrafficMatrix::new(3, [demand(0, 1, &places)]).is_ok());
        let prime = |exponent: u32| {
            let power = dashu_int::UBig::from(3_u8).pow(exponent as usize);
            Demand { s: 0, d: 1, amount: Rational::from_big(1_u8.into(), power).unwrap() }
        };
        // 3^418 has 663 bits, 3^420 has 666.
        assert!(TrafficMatrix::new(3, [prime(418)]).is_ok());
        assert!(matches!(TrafficMatrix::new(3, [prime(420)]), Err(TrafficError::TooLarge(_))));
        let two = TrafficMatrix::new(3, []).unwrap().placed(2, None);
        assert_eq!(two, Err(TrafficError::TooFewHosts { tasks: 3, hosts: 2 }));
    }

    #[test]
    fn placement_keeps_the_traffic() {
        let demands = [demand(0, 1, "1"), demand(1, 2, "2"), demand(2, 0, "3")];
        let matrix = TrafficMatrix::new(3, demands).unwrap();
        let linear = matrix.clone().placed(9, None).unwrap();
        assert_eq!((linear.hosts(), linear.demands()), (9, matrix.demands()));
        let random = matrix.clone().placed(9, Some(5)).unwrap();
        assert_eq!(random, matrix.placed(9, Some(5)).unwrap());
        let mut amounts: Vec<Rational> =
            random.demands().iter().map(|d| d.amount.clone()).collect();
        amounts.sort();
        assert_eq!(amounts, [1, 2, 3].map(Rational::from));
        assert!(random.permutation().is_none());
        assert_ne!(random, linear);
    }

    #[test]
    fn knows_permutations() {
        let of = |demands: &[Demand]| {
            TrafficMatrix::new(4, demands.to_vec()).unwrap().permutation().is_some()
        };
        assert!(of(&[]));
        assert!(of(&[demand(0, 1, "1/2"), demand(1, 0, "1/2")]));
        assert!(!of(&[demand(0, 1, "1"), demand(1, 0, "2")]));
        assert!(!of(&[demand(0, 1, "1"), demand(2, 1, "1")]));
        assert!(!of(&[demand(0, 1, "1"), demand(0, 2, "1")]));
    }
}
