//! Which links an SD pair loads, and how much, in integers.
//!
//! The load that one unit of traffic of a pair puts on a link is share ÷ capacity. All these loads
//! are multiples of one unit, the reciprocal of [`Uses::scale`], so they are integers. A
//! single-path routing is asked for its path each time: on trees that is arithmetic, and the tables
//! of a fabric are smaller than a table of pairs. The shares of multi-path routings are tabulated
//! by source, if they fit in [`MEMORY`].

use std::collections::HashSet;

use super::AdversaryError;
use crate::advice::{Advice, Remedy};
use crate::prelude::*;
use crate::rational::common_denominator;
use crate::routing::{Routing, UseScratch};

/// Maximum size of a table in bytes.
pub const MEMORY: u64 = 1 << 28;

/// Maximum load in units, so that sums over all pairs stay far below 64 bits.
pub(super) const MAX_UNITS: u128 = 1 << 60;

/// The links that every pair loads.
pub(super) struct Uses<'i> {
    routing: &'i dyn Routing,
    /// Units of a load of 1.
    scale: u64,
    /// Load units per unit of traffic on each link, before the share is applied.
    unit: Vec<u64>,
    /// Common denominator of all shares.
    shares: u64,
    /// By source s: its pairs; empty when nothing is tabulated.
    rows: Vec<PairUses>,
}

/// The pairs of one source.
#[derive(Default)]
struct PairUses {
    /// Entries of destination d are `first[d]..first[d + 1]`.
    first: Vec<u32>,
    links: Vec<LinkId>,
    /// Load of each entry in units; empty when it is 1 everywhere.
    loads: Vec<u64>,
}

impl<'i> Uses<'i> {
    /// Tabulates the shares of a multi-path routing: O(N²·links of a pair). O(links) for a
    /// single-path routing.
    pub(super) fn new(
        topology: &Topology,
        routing: &'i dyn Routing,
        progress: &Progress,
    ) -> Result<Self, AdversaryError> {
        let single = routing.is_single_path();
        let (entries, shares) =
            if single { (0, 1) } else { survey(topology.hosts(), routing, progress)? };
        let (unit, capacities) = link_units(topology)?;
        let widest = u128::from(unit.iter().copied().max().unwrap_or(1));
        let most = widest * u128::from(shares) * topology.hosts() as u128;
        let scale = capacities.checked_mul(shares).filter(|_| most <= MAX_UNITS);
        let scale = scale.ok_or(AdversaryError::DENOMINATORS)?;
        let mut uses = Self { routing, scale, unit, shares, rows: Vec::new() };
        if single {
            return Ok(uses);
        }
        let plain = scale == 1 && uses.unit.iter().all(|unit| *unit == 1);
        let hosts = topology.hosts() as u128;
        let bytes = 4 * hosts * hosts + u128::from(entries) * if plain { 4 } else { 12 };
        within("bytes of the table of shares", Some(bytes), MEMORY, REMEDY)?;
        let hosts = host_number(topology.hosts());
        let rows = (0..hosts).into_par_iter().map(|s| uses.tabulate(s, hosts, plain, progress));
        let rows = rows.collect::<Result<_, AdversaryError>>()?;
        uses.rows = rows;
        Ok(uses)
    }

    fn tabulate(
        &self,
        s: Host,
        hosts: Host,
        plain: bool,
        progress: &Progress,
    ) -> Result<PairUses, AdversaryError> {
        progress.check()?;
        let (mut row, mut scratch) =
            (PairUses { first: vec![0], ..PairUses::default() }, UseScratch::default());
        for d in 0..hosts {
            let mut bad = false;
            let mut visit = |share: &Rational, links: &[LinkId]| {
                let parts = if *share == Rational::ONE {
                    Some(self.shares)
                } else {
                    share.scaled(self.shares)
                };
                bad |= parts.is_none();
                row.links.extend(links);
                if !plain {
                    let parts = parts.unwrap_or(0);
                    row.loads.extend(links.iter().map(|link| self.unit[*link as usize] * parts));
                }
            };
            if s != d {
                self.routing.for_each_use(s, d, &mut scratch, &mut visit);
            }
            if bad {
                return Err(AdversaryError::DENOMINATORS);
            }
            row.first.push(index32(row.links.len()));
        }
        row.links.shrink_to_fit();
        row.loads.shrink_to_fit();
        Ok(row)
    }

    /// Units of a load of 1.
    pub(super) fn scale(&self) -> u64 {
        self.scale
    }

    /// Calls `visit(link, load in units)` for every link that the pair (s,d), s ≠ d, loads.
    /// The contents of `scratch` do not matter.
    #[inline]
    pub(super) fn each(
        &self,
        s: Host,
        d: Host,
        scratch: &mut Vec<LinkId>,
        mut visit: impl FnMut(LinkId, u64),
    ) {
        let Some(row) = self.rows.get(s as usize) else {
            return self.routing.for_each_path(s, d, scratch, &mut |_, links| {
                for link in links {
                    visit(*link, self.unit[*link as usize]);
                }
            });
        };
        let range = row.first[d as usize] as usize..row.first[d as usize + 1] as usize;
        let links = &row.links[range.clone()];
        if row.loads.is_empty() {
            for link in links {
                visit(*link, 1);
            }
        } else {
            for (link, load) in links.iter().zip(&row.loads[range]) {
                visit(*link, *load);
            }
        }
    }
}

/// Load units per unit of traffic on each link, and the number of units in a load of 1.
pub(super) fn link_units(topology: &Topology) -> Result<(Vec<u64>, u64), AdversaryError> {
    let inverse = |link: LinkId| Rational::ONE.checked_div(&topology.link(link).capacity);
    let inverse: Vec<Rational> = topology.link_numbers().filter_map(inverse).collect();
    let scale = common_denominator(&inverse).ok_or(AdversaryError::DENOMINATORS)?;
    let unit: Option<Vec<u64>> = inverse.iter().map(|one| one.scaled(scale)).collect();
    Ok((unit.ok_or(AdversaryError::DENOMINATORS)?, scale))
}

const REMEDY: Advice = Advice::new(
    "use a single-path routing or a smaller network, or find the worst case by the exact analysis",
    &[Remedy::ExactAnalysis],
);

/// Number of (pair, link) entries, and the common denominator of all shares.
fn survey(
    hosts: usize,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<(u64, u64), AdversaryError> {
    let table = 4 * (hosts as u128).pow(2);
    within("bytes of the table of shares", Some(table), MEMORY, REMEDY)?;
    let count = |s: Host| -> Result<(u64, HashSet<Rational>), Stopped> {
        progress.check()?;
        let (mut entries, mut shares, mut scratch) = (0, HashSet::new(), UseScratch::default());
        for d in (0..host_number(hosts)).filter(|d| *d != s) {
            routing.for_each_use(s, d, &mut scratch, &mut |share, links| {
                entries += links.len() as u64;
                if !shares.contains(share) {
                    shares.insert(share.clone());
                }
            });
        }
        Ok((entries, shares))
    };
    let merge = |mut a: (u64, HashSet<Rational>), b: (u64, HashSet<Rational>)| {
        a.1.extend(b.1);
        Ok((a.0 + b.0, a.1))
    };
    let counted = (0..host_number(hosts)).into_par_iter().map(count);
    let (entries, shares) = counted.try_reduce(Default::default, merge)?;
    Ok((entries, common_denominator(&shares).ok_or(AdversaryError::DENOMINATORS)?))
}
