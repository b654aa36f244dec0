//! The routing of an instance; its paths are verified as they are visited.

use crate::certificate::{PathRecord, RoutingForm, Split};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

#[cfg(feature = "names")]
use super::names::NamedRoutes;
use super::network::Network;
use super::split::SplitSearch;
use super::tables::Tables;
use super::uses::Uses;
use super::{Refusal, Result};

/// The routing.
pub(super) enum Routes<'c> {
    #[cfg(feature = "names")]
    Named(NamedRoutes),
    Next(Tables<'c>),
    /// Sorted by pair.
    Listed(Vec<&'c PathRecord>),
    /// Over all shortest paths.
    Split(Split),
}

impl<'c> Routes<'c> {
    pub(super) fn open(network: &Network, routing: &'c RoutingForm) -> Result<Self> {
        #[cfg(feature = "names")]
        if let Some(named) = &network.named {
            match routing {
                RoutingForm::Named(spec) => return NamedRoutes::open(spec, named).map(Self::Named),
                RoutingForm::Split(_) => return Err(super::BadSplit::NamedNetwork.into()),
                RoutingForm::Next(_) | RoutingForm::Paths(_) => {}
            }
        }
        match routing {
            RoutingForm::Named(_) => Err(Refusal::NamedRouting),
            RoutingForm::Next(rows) => Ok(Self::Next(Tables::open(network, rows)?)),
            RoutingForm::Split(split) => Ok(Self::Split(*split)),
            RoutingForm::Paths(records) => Ok(Self::Listed(listed(records, network.hosts)?)),
        }
    }

    /// Fills `uses` with the links that carry the pair, after verifying that every path joins
    /// the pair and that the shares sum to 1.
    pub(super) fn uses(
        &self,
        network: &Network,
        (s, d): (Host, Host),
        uses: &mut Uses,
    ) -> Result<()> {
        uses.clear();
        match self {
            #[cfg(feature = "names")]
            Self::Named(routing) => return routing.uses(network, (s, d), uses),
            Self::Split(split) => {
                let Uses { parts, shares, split: search, .. } = uses;
                return search.take(network, (*split, (s, d)), (parts, shares));
            }
            Self::Next(tables) => tables.follow(network, (s, d), &mut uses.whole)?,
            Self::Listed(records) => {
                for record in of_pair(records, (s, d)) {
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
    ) -> Result<bool> {
        Ok(match self {
            #[cfg(feature = "names")]
            Self::Named(routing) => routing.all_paths((s, d), property),
            Self::Next(tables) => {
                let mut links = Vec::new();
                tables.follow(network, (s, d), &mut links)?;
                property(&links)
            }
            Self::Listed(records) => of_pair(records, (s, d)).all(|record| property(&record.links)),
            Self::Split(_) => SplitSearch::default().all_paths(network, (s, d), property)?,
        })
    }
}

/// Verifies one path and adds it to `uses`.
pub(super) fn take_path(
    network: &Network,
    (s, d): (Host, Host),
    (share, links): (&Rational, &[LinkId]),
    uses: &mut Uses,
) -> Result<()> {
    network.check_path(s, d, links)?;
    if share.is_zero() {
        return Err(Refusal::ShareSum { s, d, sum: uses.sum()? });
    }
    uses.add(share, links);
    Ok(())
}

/// Verifies that a pair is one of different hosts, of which there are so many.
pub(super) fn check_pair(hosts: usize, s: Host, d: Host) -> Result<()> {
    match [s, d].into_iter().find(|host| *host as usize >= hosts) {
        Some(nobody) => Err(Refusal::RouteOfNobody(nobody)),
        None if s == d => Err(Refusal::SelfPair(s)),
        None => Ok(()),
    }
}

/// The records sorted by pair; those of a pair keep their order.
pub(super) fn listed(records: &[PathRecord], hosts: usize) -> Result<Vec<&PathRecord>> {
    for record in records {
        check_pair(hosts, record.s, record.d)?;
    }
    let mut sorted: Vec<&PathRecord> = records.iter().collect();
    sorted.sort_by_key(|record| (record.s, record.d));
    Ok(sorted)
}

/// The records of a pair, of all sorted by pair.
pub(super) fn of_pair<'r, 'c>(
    records: &'r [&'c PathRecord],
    pair: (Host, Host),
) -> impl Iterator<Item = &'c PathRecord> + use<'r, 'c> {
    let first = records.partition_point(|record| (record.s, record.d) < pair);
    records[first..].iter().take_while(move |r| (r.s, r.d) == pair).copied()
}
