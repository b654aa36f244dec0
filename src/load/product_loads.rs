//! Loads of regular traffic, walked source by source.
//!
//! Sources are divided into a fixed number of blocks that are processed in parallel. A single-path
//! routing needs an integer per link and distinct amount; of one that splits pairs, the shares are
//! summed up.

use rayon::prelude::*;

use super::Sums;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::routing::{Routing, UseScratch};
use crate::topology::{Host, LinkId, Topology, link_number};
use crate::traffic::{ProductTraffic, TrafficView};

const BLOCKS: usize = 16;

/// Most demands that are walked: a few minutes on two cores where paths follow by arithmetic.
pub const MAX_DEMANDS: u64 = 1 << 32;

/// Checks the number of demands before they are walked.
///
/// # Errors
/// [`TooLarge`] above [`MAX_DEMANDS`].
pub fn within_limit(traffic: TrafficView<'_>) -> Result<(), TooLarge> {
    let remedy = "use a smaller network, or tasks= where the traffic takes it";
    within("number of demands", Some(traffic.len().into()), MAX_DEMANDS, remedy).map(|_| ())
}

/// What one source sends: the amount, by its place among the different ones, and to whom.
struct Row<'p> {
    source: Host,
    amount: usize,
    destinations: &'p [Host],
}

/// What a block of sources puts on the links.
struct Counted {
    /// Demands that cross a link, per amount and link.
    flows: Vec<Vec<u64>>,
    /// Their shares, per amount; empty for single-path routings, whose shares are 1.
    shares: Vec<Sums>,
}

/// The traffic and the number of demands of every link.
/// O(demands · links used by a pair / threads); `progress` advances by the number of demands.
///
/// # Errors
/// [`Stopped`] when `progress` requests a stop.
pub(super) fn product_loads(
    topology: &Topology,
    routing: &dyn Routing,
    traffic: &ProductTraffic,
    progress: &Progress,
) -> Result<(Sums, Vec<u64>), Stopped> {
    let (amounts, rows) = rows(traffic);
    let links = topology.links();
    let size = rows.len().div_ceil(BLOCKS).max(1);
    let blocks = rows.par_chunks(size).map(|rows| {
        let mut counted = Counted::new(amounts.len(), links, routing.is_single_path());
        let mut scratch = UseScratch::default();
        for row in rows {
            progress.check()?;
            counted.take(routing, row, &mut scratch);
            progress.inc(row.destinations.iter().filter(|d| **d != row.source).count() as u64);
        }
        Ok(counted)
    });
    let blocks: Vec<Counted> = blocks.collect::<Result<_, Stopped>>()?;
    let (mut sums, mut flows) = (Sums::new(links), vec![0; links]);
    for (number, amount) in amounts.iter().enumerate() {
        for (link, flows) in flows.iter_mut().enumerate() {
            let of_amount: u64 = blocks.iter().map(|block| block.flows[number][link]).sum();
            *flows += of_amount;
            let share = |block: &Counted| Some(block.shares.get(number)?.get(link_number(link)));
            let shared = blocks.iter().filter_map(share).reduce(|sum, share| &sum + &share);
            let units = shared.unwrap_or_else(|| Ratio::from(of_amount));
            sums.add([link_number(link)], &(*amount * &units));
        }
    }
    Ok((sums, flows))
}

/// The different amounts, and the rows of all products, sources ascending within a product.
fn rows(traffic: &ProductTraffic) -> (Vec<&Ratio>, Vec<Row<'_>>) {
    let mut amounts: Vec<&Ratio> = Vec::new();
    let mut rows = Vec::new();
    for product in traffic.products() {
        let known = amounts.iter().position(|amount| **amount == product.amount);
        let amount = known.unwrap_or(amounts.len());
        if known.is_none() {
            amounts.push(&product.amount);
        }
        let destinations = &product.destinations[..];
        let row = |source: &Host| Row { source: *source, amount, destinations };
        rows.extend(product.sources.iter().map(row));
    }
    (amounts, rows)
}

impl Counted {
    fn new(amounts: usize, links: usize, is_single_path: bool) -> Self {
        let shares = if is_single_path { 0 } else { amounts };
        Self { flows: vec![vec![0; links]; amounts], shares: vec![Sums::new(links); shares] }
    }

    fn take(&mut self, routing: &dyn Routing, row: &Row<'_>, scratch: &mut UseScratch) {
        let flows = &mut self.flows[row.amount];
        let mut shares = self.shares.get_mut(row.amount);
        let mut visit = |_: usize, share: &Ratio, links: &[LinkId]| {
            for link in links {
                flows[*link as usize] += 1;
            }
            if let Some(shares) = &mut shares {
                shares.add(links.iter().copied(), share);
            }
        };
        routing.for_each_use_from(row.source, row.destinations, scratch, &mut visit);
    }
}
