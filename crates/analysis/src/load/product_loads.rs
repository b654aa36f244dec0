//! Loads of regular traffic: by digits where rules decide the ports, otherwise walked source by source.
//!
//! Sources are divided into a fixed number of blocks that are processed in parallel. A single-path
//! routing needs an integer per link and thread; of one that splits pairs, the shares are summed up.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::ancestor_counts::AncestorCounts;
use super::digit_counts::DigitCounts;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Routing, UseScratch};
use crate::sums::Sums;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::{Product, ProductTraffic, TrafficView};

const BLOCKS: usize = 16;

/// Maximum number of demands that are walked: a few minutes on two cores where pairs have one path that follows by
/// arithmetic. Where they have hundreds, only a stop ends it sooner than hours.
pub const MAX_DEMANDS: u64 = 1 << 32;

/// Checks the number of demands before they are walked.
///
/// # Errors
/// [`TooLarge`] above [`MAX_DEMANDS`].
pub fn within_limit(traffic: TrafficView<'_>) -> Result<(), TooLarge> {
    let remedy = "use a smaller network, or tasks= where the traffic takes it";
    within("number of demands", Some(traffic.len().into()), MAX_DEMANDS, remedy).map(|_| ())
}

/// What one source sends, and to whom.
struct Row<'p> {
    source: Host,
    destinations: &'p [Host],
}

/// What some sources put on the links.
struct Counted {
    /// Demands that cross a link.
    flows: Vec<u64>,
    /// Shares of the pairs; `None` for single-path routings, whose shares are 1.
    shares: Option<Sums>,
}

/// The traffic of every link, and its number of demands by place there.
/// O(demands · links used by a pair / threads), and O(links) for every different amount and thread; O(links + hosts) for
/// products of at least as many pairs as links, where digits decide the ports. `progress` advances by the number of
/// demands.
pub(super) fn product_loads(
    topology: &Topology,
    routing: &dyn Routing,
    traffic: &ProductTraffic,
    progress: &Progress,
) -> Result<(Sums, Vec<u64>), Stopped> {
    let links = topology.links();
    let digits = DigitCounts::of(topology, routing);
    let is_large = |product: &&Product| digits.is_some() && product.pairs() >= links as u64;
    if let ([product], Some(digits)) = (traffic.products(), &digits)
        && is_large(&product)
    {
        return in_runs(digits, product, progress);
    }
    let (mut sums, mut flows) = (Sums::new(links), vec![0; links]);
    let (large, small): (Vec<_>, Vec<_>) = traffic.products().iter().partition(is_large);
    for product in large {
        let Some(digits) = &digits else { break };
        add_counts(digits, product, &mut sums, &mut flows, progress)?;
    }
    for (amount, rows) in by_amount(small) {
        let counted = count(&rows, topology, routing, progress)?;
        let crossed = (0..).zip(&counted.flows).filter(|(_, crossing)| **crossing > 0);
        for (link, crossing) in crossed {
            flows[link as usize] += crossing;
            let shared = counted.shares.as_ref().map(|shares| shares.get(link));
            let units = shared.unwrap_or_else(|| Rational::from(*crossing));
            sums.add([link], &(amount * &units));
        }
    }
    Ok((sums, flows))
}

/// The traffic of a product, and the number of its demands by place there.
fn in_runs(
    digits: &DigitCounts<'_>,
    product: &Product,
    progress: &Progress,
) -> Result<(Sums, Vec<u64>), Stopped> {
    let Product { sources, destinations, amount } = product;
    let (mut sums, mut flows) = (Sums::of_runs(), Vec::new());
    digits.for_all_links(sources, destinations, progress, &mut |crossing| {
        let pairs = crossing.sources * crossing.destinations;
        sums.append(crossing.links.end, &(amount * crossing.share), pairs);
        flows.push(pairs);
    })?;
    progress.inc(product.pairs());
    Ok((sums, flows))
}

/// Adds a product by the numbers of its pairs on the links.
fn add_counts(
    digits: &DigitCounts<'_>,
    product: &Product,
    sums: &mut Sums,
    flows: &mut [u64],
    progress: &Progress,
) -> Result<(), Stopped> {
    let Product { sources, destinations, amount } = product;
    // A share, and what a pair with it adds: all links of a step have the same.
    let mut last = (Rational::ONE, amount.clone());
    digits.for_each_run(sources, destinations, progress, &mut |crossing| {
        if last.0 != *crossing.share {
            last = (crossing.share.clone(), amount * crossing.share);
        }
        let pairs = crossing.sources * crossing.destinations;
        let crossed = crossing.links.start as usize..crossing.links.end as usize;
        flows[crossed].iter_mut().for_each(|flows| *flows += pairs);
        sums.add_times(crossing.links, &last.1, pairs);
    })?;
    progress.inc(product.pairs());
    Ok(())
}

/// The rows of products by amount, sources ascending within a product.
fn by_amount(products: Vec<&Product>) -> Vec<(&Rational, Vec<Row<'_>>)> {
    let mut all: Vec<(&Rational, Vec<Row<'_>>)> = Vec::new();
    for Product { sources, destinations, amount } in products {
        let known = all.iter().position(|(known, _)| *known == amount);
        let at = known.unwrap_or_else(|| {
            all.push((amount, Vec::new()));
            all.len() - 1
        });
        let row = |source: &Host| Row { source: *source, destinations };
        all[at].1.extend(sources.iter().map(row));
    }
    all
}

/// Counts the demands of some rows. Blocks of them are added up as they are finished: sums are exact,
/// so their order does not matter.
fn count(
    rows: &[Row<'_>],
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<Counted, Stopped> {
    let new = || Counted::new(topology.links(), routing.is_single_path());
    let size = rows.len().div_ceil(BLOCKS).max(1);
    let total = Mutex::new(None);
    rows.par_chunks(size).try_for_each(|rows| {
        let (mut counted, mut scratch) = (new(), UseScratch::default());
        let mut numbers = AncestorCounts::of(topology, routing);
        for row in rows {
            progress.check()?;
            match &mut numbers {
                Some(numbers) => {
                    let row = (row.source, row.destinations);
                    numbers.take(routing, row, &mut counted.flows);
                }
                None => counted.take(routing, row, &mut scratch),
            }
            progress.inc(row.destinations.iter().filter(|d| **d != row.source).count() as u64);
        }
        if let Some(numbers) = numbers {
            numbers.finish(&mut counted.flows);
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *total {
            None => *total = Some(counted),
            Some(total) => total.add(&counted),
        }
        Ok(())
    })?;
    let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(total.unwrap_or_else(new))
}

impl Counted {
    fn new(links: usize, is_single_path: bool) -> Self {
        Self { flows: vec![0; links], shares: (!is_single_path).then(|| Sums::new(links)) }
    }

    fn take(&mut self, routing: &dyn Routing, row: &Row<'_>, scratch: &mut UseScratch) {
        let Self { flows, shares } = self;
        let mut visit = |_: usize, share: &Rational, links: &[LinkId]| {
            for link in links {
                flows[*link as usize] += 1;
            }
            if let Some(shares) = shares {
                shares.add(links.iter().copied(), share);
            }
        };
        routing.for_each_use_from(row.source, row.destinations, scratch, &mut visit);
    }

    /// Adds what other sources put on the links.
    fn add(&mut self, other: &Self) {
        for ((link, all), more) in (0..).zip(&mut self.flows).zip(&other.flows) {
            *all += more;
            if let (Some(shares), Some(others), 1..) = (&mut self.shares, &other.shares, *more) {
                shares.add([link], &others.get(link));
            }
        }
    }
}
