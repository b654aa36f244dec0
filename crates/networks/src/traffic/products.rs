//! Regular traffic, held as products of sets of hosts: nothing is stored per SD pair.
//!
//! All-to-all traffic of 4,096 hosts has 16.8 million demands, but is one product: every host sends
//! the same to every other. Sums of such traffic follow from the sizes of the sets, and loads from
//! walking the pairs, so that no demand is ever written down.

use std::collections::BTreeMap;

use super::{Demand, TrafficError, TrafficMatrix};
use crate::rational::Rational;
use crate::sums::Sums;
use crate::topology::Host;

/// Every source sends the same amount to every destination but itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// Sources, ascending.
    pub sources: Vec<Host>,
    /// Destinations, ascending.
    pub destinations: Vec<Host>,
    /// The amount of every pair, positive.
    pub amount: Rational,
}

impl Product {
    /// Hosts that are both source and destination.
    fn on_both_sides(&self) -> impl Iterator<Item = Host> + '_ {
        are_among(&self.destinations, &self.sources).filter(|(_, is_both)| *is_both).map(|(d, _)| d)
    }

    /// Number of SD pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        let all = self.sources.len() as u64 * self.destinations.len() as u64;
        all - self.on_both_sides().count() as u64
    }
}

/// A traffic matrix as a sum of products, no two of which have a pair in common.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::traffic::{regular, generate};
/// let uniform = regular("uniform", 1000)?.ok_or("it is a product")?;
/// assert_eq!((uniform.products().len(), uniform.len()), (1, 999_000));
/// assert_eq!(uniform.to_matrix()?, generate("uniform", 1000)?);
/// // A permutation is as short as a list.
/// assert_eq!(regular("shift(1)", 1000)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductTraffic {
    hosts: usize,
    products: Vec<Product>,
}

/// The pairs of traffic without their amounts: every source with one of a few sets of destinations,
/// which may contain the source itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Sets of destinations, each ascending.
    pub sets: Vec<Vec<Host>>,
    /// Sources, ascending, each with the place of its set.
    pub sources: Vec<(Host, usize)>,
}

/// Some hosts, each with whether it is among others; both ascend. O(hosts).
fn are_among<'h>(hosts: &'h [Host], others: &'h [Host]) -> impl Iterator<Item = (Host, bool)> + 'h {
    let mut others = others.iter().peekable();
    hosts.iter().map(move |host| {
        while others.next_if(|other| *other < host).is_some() {}
        (*host, others.peek() == Some(&host))
    })
}

impl Rows {
    /// The pairs of some sources, ascending, with the same destinations.
    #[must_use]
    pub fn all(sources: &[Host], destinations: Vec<Host>) -> Self {
        let sources = sources.iter().map(|source| (*source, 0)).collect();
        Self { sets: vec![destinations], sources }
    }
}

impl ProductTraffic {
    /// The sum of `products`, whose hosts are below `hosts` and of which no two may have a pair in
    /// common. Those without traffic are left out.
    pub(super) fn new(hosts: usize, products: impl IntoIterator<Item = Product>) -> Self {
        let ordered = |mut product: Product| {
            product.sources.sort_unstable();
            product.destinations.sort_unstable();
            product
        };
        let products = products.into_iter().map(ordered);
        let sends = |product: &Product| !product.amount.is_zero() && product.pairs() > 0;
        Self { hosts, products: products.filter(sends).collect() }
    }

    /// Number of hosts N; host numbers are `0..N`.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// The products.
    #[must_use]
    pub fn products(&self) -> &[Product] {
        &self.products
    }

    /// Number of SD pairs with traffic. O(hosts in products).
    #[must_use]
    pub fn len(&self) -> u64 {
        self.products.iter().map(Product::pairs).sum()
    }

    /// Whether there is no traffic at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    /// The sum of all amounts.
    #[must_use]
    pub fn total(&self) -> Rational {
        let of = |product: &Product| &product.amount * &Rational::from(product.pairs());
        self.products.iter().fold(Rational::ZERO, |total, product| &total + &of(product))
    }

    /// Amount that every host sends.
    #[must_use]
    pub fn sent(&self) -> Sums {
        self.sums(|product| (&product.sources, &product.destinations))
    }

    /// Amount that every host receives.
    #[must_use]
    pub fn received(&self) -> Sums {
        self.sums(|product| (&product.destinations, &product.sources))
    }

    /// Per host, its traffic with the others as one of `ends(product).0`.
    fn sums(&self, ends: impl Fn(&Product) -> (&Vec<Host>, &Vec<Host>)) -> Sums {
        let mut sums = Sums::new(self.hosts);
        for product in &self.products {
            let (own, others) = ends(product);
            for (host, is_both) in are_among(own, others) {
                let times = others.len() as u64 - u64::from(is_both);
                sums.add_times([host], &product.amount, times);
            }
        }
        sums
    }

    /// The pairs with traffic. O(hosts in products · log hosts).
    #[must_use]
    pub fn rows(&self) -> Rows {
        let products = self.products.iter().enumerate();
        let numbered = products
            .flat_map(|(number, product)| product.sources.iter().map(move |s| (*s, number)));
        let mut of_source: Vec<(Host, usize)> = numbered.collect();
        of_source.sort_unstable();
        let mut senders: BTreeMap<Vec<usize>, Vec<Host>> = BTreeMap::new();
        for own in of_source.chunk_by(|a, b| a.0 == b.0) {
            let numbers = own.iter().map(|(_, number)| *number).collect();
            senders.entry(numbers).or_default().push(own[0].0);
        }
        let mut of_set: BTreeMap<Vec<Host>, Vec<Host>> = BTreeMap::new();
        for (numbers, sources) in senders {
            let sets = numbers.iter().map(|number| &self.products[*number].destinations);
            let mut set: Vec<Host> = sets.flatten().copied().collect();
            // The only source may count among its destinations, as it does where others have the same set.
            set.extend(sources.first().filter(|_| sources.len() == 1));
            set.sort_unstable();
            set.dedup();
            of_set.entry(set).or_default().extend(sources);
        }
        let mut rows = Rows::default();
        for (number, (set, sources)) in of_set.into_iter().enumerate() {
            rows.sets.push(set);
            rows.sources.extend(sources.into_iter().map(|source| (source, number)));
        }
        rows.sources.sort_unstable();
        rows
    }

    /// All demands, listed.
    ///
    /// # Errors
    /// [`TrafficError::TooLarge`] above [`TrafficMatrix::MAX_ENTRIES`] demands.
    pub fn to_matrix(&self) -> Result<TrafficMatrix, TrafficError> {
        TrafficMatrix::check_entries(self.len().into())?;
        TrafficMatrix::new(self.hosts, self.demands())
    }

    /// The demands of one product after another.
    pub fn demands(&self) -> impl Iterator<Item = Demand> {
        self.products.iter().flat_map(|Product { sources, destinations, amount }| {
            sources.iter().flat_map(move |s| {
                let others = destinations.iter().filter(move |d| *d != s);
                others.map(move |d| Demand { s: *s, d: *d, amount: amount.clone() })
            })
        })
    }
}
