//! The routing of an instance; its paths are verified as they are visited.

use crate::certificate::{PathRecord, RoutingForm, Split};
use crate::ratio::Ratio;
use crate::topology::{Host, LinkId};

use super::Refusal;
use super::classes::BadSplit;
use super::named::{self, NamedRouting};
use super::network::Network;
use super::split::SplitSearch;
use super::tables::Tables;
use super::uses::Uses;

/// The routing.
pub(super) enum Routes<'c> {
    Named(Box<dyn NamedRouting>),
    Next(Tables<'c>),
    /// Sorted by pair.
    Listed(Vec<&'c PathRecord>),
    /// Over all shortest paths.
    Split(Split),
}

impl<'c> Routes<'c> {
    pub(super) fn open(network: &Network, routing: &'c RoutingForm) -> Result<Self, Refusal> {
        match (routing, &network.named) {
            (RoutingForm::Named(_), None) => Err(Refusal::NamedRouting),
            (RoutingForm::Named(spec), Some(network)) => {
                Ok(Self::Named(named::routing(spec, network.as_ref())?))
            }
            (RoutingForm::Next(rows), _) => Ok(Self::Next(Tables::open(network, rows)?)),
            (RoutingForm::Split(_), Some(_)) => Err(BadSplit::NamedNetwork.into()),
            (RoutingForm::Split(split), None) => Ok(Self::Split(*split)),
            (RoutingForm::Paths(records), _) => Ok(Self::Listed(listed(records, network.hosts)?)),
        }
    }

    /// Fills `uses` with the links that carry the pair, after verifying that every path joins
    /// the pair and that the shares sum to 1.
    pub(super) fn uses(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        uses: &mut Uses,
    ) -> Result<(), Refusal> {
        uses.clear();
        match self {
            Self::Named(routing)
                if routing.uses_in_order()
                    && uses.take_in_order(network, routing.as_ref(), (s, d)) =>
            {
                return Ok(());
            }
            Self::Named(routing) => {
                let mut scratch = std::mem::take(&mut uses.path);
                let mut refused = Ok(());
                routing.for_each_path((s, d), &mut scratch, &mut |share, links| {
                    if refused.is_ok() {
                        refused = take_path(network, (s, d), (share, links), uses);
                    }
                });
                uses.path = scratch;
                refused?;
            }
            Self::Split(split) => return uses.take_split(network, *split, (s, d)),
            Self::Next(tables) => tables.follow(network, (s, d), &mut uses.whole)?,
            Self::Listed(records) => {
                let first = records.partition_point(|record| (record.s, record.d) < (s, d));
                for record in records[first..].iter().take_while(|r| (r.s, r.d) == (s, d)) {
                    take_path(network, (s, d), (&record.share, &record.links), uses)?;
                }
            }
        }
        uses.finish(s, d)
    }
}

impl Routes<'_> {
    /// Whether all paths of a pair have a property. That they join their pair is verified
    /// elsewhere, except that next links must lead somewhere to be followed.
    pub(super) fn all_paths(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        property: impl Fn(&[LinkId]) -> bool,
    ) -> Result<bool, Refusal> {
        let mut links = Vec::new();
        Ok(match self {
            Self::Named(routing) => {
                let mut all = true;
                let mut visit = |_: &Ratio, links: &[LinkId]| all &= property(links);
                routing.for_each_path((s, d), &mut links, &mut visit);
                all
            }
            Self::Next(tables) => {
                tables.follow(network, (s, d), &mut links)?;
                property(&links)
            }
            Self::Listed(records) => {
                let first = records.partition_point(|record| (record.s, record.d) < (s, d));
                let mut own = records[first..].iter().take_while(|r| (r.s, r.d) == (s, d));
                own.all(|record| property(&record.links))
            }
            Self::Split(_) => SplitSearch::default().all_paths(network, (s, d), property)?,
        })
    }
}

/// Verifies one path and adds it to `uses`.
fn take_path(
    network: &Network,
    (s, d): (Host, Host),
    (share, links): (&Ratio, &[LinkId]),
    uses: &mut Uses,
) -> Result<(), Refusal> {
    network.check_path(s, d, links)?;
    if share.is_zero() {
        return Err(Refusal::ShareSum { s, d, sum: uses.sum()? });
    }
    uses.add(share, links)
}

/// The records sorted by pair; those of a pair keep their order.
pub(super) fn listed(records: &[PathRecord], hosts: usize) -> Result<Vec<&PathRecord>, Refusal> {
    for record in records {
        if let Some(nobody) = [record.s, record.d].into_iter().find(|h| *h as usize >= hosts) {
            return Err(Refusal::RouteOfNobody(nobody));
        }
        if record.s == record.d {
            return Err(Refusal::SelfPair(record.s));
        }
    }
    let mut sorted: Vec<&PathRecord> = records.iter().collect();
    sorted.sort_by_key(|record| (record.s, record.d));
    Ok(sorted)
}
