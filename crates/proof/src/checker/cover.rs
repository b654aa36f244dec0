//! The upper side: the covers cover, and are light enough.

use crate::certificate::{Claim, Cover, CutId, Quantity, WorstCaseCertificate};
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::classes::Classes;
use super::cut::Cuts;
use super::distance::{Distances, Lengths};
use super::ends::{Scale, Weighing, parts};
use super::known::{Count, WHOLE};
use super::network::Network;
use super::routes::Routes;
use super::walk::{Buffers, check_path};
use super::weights::{misplaced, weight};
use super::{Refusal, Result, parallel, sum};

/// The covers, indexed by link and host.
pub(super) struct Covers<'c> {
    pub(super) by_link: Vec<LinkCover<'c>>,
    cuts: &'c Cuts,
    classes: &'c Classes,
    lengths: Lengths,
    /// Per link, whether it is covered by its ends, or by the cover of a link of its class.
    by_ends: Vec<bool>,
    /// Per link, the first source and the first destination of weight 1 or more, looked at before
    /// the others: of a host's own links it is the only one.
    pub(super) first_full: Vec<[Option<Host>; 2]>,
}

/// The cover of one link; the `full` fields list the hosts of weight 1 or more separately, since
/// they alone cover any share up to 1.
#[derive(Clone, Default)]
pub(super) struct LinkCover<'c> {
    pub(super) full_sources: Vec<Host>,
    full_destinations: Vec<Host>,
    /// The first cut out of which, and the first into which, traffic has weight 1 or more.
    full_cuts: [Option<CutId>; 2],
    cover: Option<&'c Cover>,
}

impl<'c> Covers<'c> {
    pub(super) fn index(
        network: &Network,
        (cuts, classes): (&'c Cuts, &'c Classes),
        (certificate, elsewhere): (&'c WorstCaseCertificate, &[bool]),
    ) -> Result<Self> {
        let WorstCaseCertificate { covers, by_ends, .. } = certificate;
        let mut by_link = vec![LinkCover::default(); network.links.len()];
        for cover in covers {
            let link = cover.link;
            let slot = by_link.get_mut(link as usize).filter(|slot| slot.cover.is_none());
            let slot = slot.ok_or(Refusal::BadCover(link))?;
            slot.cover = Some(cover);
            slot.full_sources = full_hosts(network, link, &cover.sources)?;
            slot.full_destinations = full_hosts(network, link, &cover.destinations)?;
            classes.check_cover(network, cover)?;
            check_cuts(cuts, cover)?;
            slot.full_cuts = [&cover.out_cuts, &cover.in_cuts].map(|side| full_cut(side));
        }
        let lengths = Lengths::open(network, covers)?;
        let otherwise = by_link.iter().zip(elsewhere);
        let otherwise = otherwise.map(|(own, class)| own.cover.is_none() && (*by_ends || *class));
        let by_ends = otherwise.collect();
        let first = |known: &LinkCover<'_>| {
            [&known.full_sources, &known.full_destinations].map(|full| full.first().copied())
        };
        let first_full = by_link.iter().map(first).collect();
        Ok(Self { by_link, cuts, classes, lengths, by_ends, first_full })
    }

    /// Verifies, for all pairs that stand for others, their paths and that every link's cover covers them. Returns
    /// what the sources of links without a cover weigh, in every way of `weighing`.
    pub(super) fn check_pairs(
        &self,
        network: &Network,
        routes: &Routes<'_>,
        weighing: &Weighing<'_>,
    ) -> Result<Vec<Vec<Rational>>> {
        let (counts, sources) = match routes {
            #[cfg(feature = "fast")]
            Routes::Next(tables) => self.check_groups(network, tables, weighing)?,
            #[cfg(feature = "names")]
            Routes::Named(routes) if self.hold_on_tree(network, routes, weighing)? => {
                (Vec::new(), Vec::new())
            }
            _ => (Vec::new(), self.classes.representatives().to_vec()),
        };
        let checked = self.check_sources(network, routes, weighing, &sources);
        // The refusal for the lowest source, however the threads were scheduled.
        Weighing::totals(counts.into_iter().map(Ok).chain(checked))
    }

    /// Checks the pairs of some sources, one by one: what was counted for each part of these.
    pub(super) fn check_sources(
        &self,
        network: &Network,
        routes: &Routes<'_>,
        weighing: &Weighing<'_>,
        sources: &[Host],
    ) -> Vec<Result<Vec<Count>>> {
        let hosts: Vec<Host> = network.host_numbers().collect();
        let parts: Vec<&[Host]> = parts(sources).collect();
        parallel::map(&parts, |sources| {
            let (mut buffers, mut distances) = (Buffers::default(), Distances::default());
            let mut scale = weighing.scale();
            for s in *sources {
                distances.start(*s);
                let end = (&hosts[..], &mut scale, &mut distances);
                self.check_source(network, routes, end, &mut buffers)?;
                scale.weigh(*s, true)?;
                distances.settle(network, &self.lengths)?;
            }
            Ok(scale.counts)
        })
    }

    /// Checks the pairs of the source of `distances`.
    fn check_source(
        &self,
        network: &Network,
        routes: &Routes<'_>,
        (hosts, scale, distances): (&[Host], &mut Scale<'_>, &mut Distances),
        buffers: &mut Buffers,
    ) -> Result<()> {
        let (s, Scale { known, uses, .. }) = (distances.source(), scale);
        if routes.is_single_path() {
            return routes.paths_from(network, (s, hosts), buffers, |d, links| {
                check_path(network, (s, d), links)?;
                for link in links {
                    known.raise_to_one(*link, &uses.shares);
                    if !self.is_full(*link, s, d) {
                        self.check_share(network, *link, d, &Rational::ONE, distances)?;
                    }
                }
                Ok(())
            });
        }
        routes.uses_from(network, self.classes, s, uses, |d, uses| {
            for link in &uses.whole {
                known.raise_to_one(*link, &uses.shares);
                if !self.is_full(*link, s, d) {
                    self.check_share(network, *link, d, &Rational::ONE, distances)?;
                }
            }
            known.raise_parts(&uses.parts, &uses.shares);
            for (link, number) in &uses.parts {
                let is_covered = match *number {
                    WHOLE => self.is_full(*link, s, d),
                    _ => self.is_by_ends(*link),
                };
                if !is_covered {
                    let share = &uses.shares.known()[*number as usize];
                    self.check_share(network, *link, d, share, distances)?;
                }
            }
            Ok(())
        })
    }

    /// Whether s or d alone has weight 1 or more on the link, or it is not covered by a cover of its own.
    #[inline]
    pub(super) fn is_full(&self, link: LinkId, s: Host, d: Host) -> bool {
        self.is_by_ends(link) || self.is_full_in_cover(link, s, d)
    }

    fn is_full_in_cover(&self, link: LinkId, s: Host, d: Host) -> bool {
        let [source, destination] = self.first_full[link as usize];
        if source == Some(s) || destination == Some(d) {
            return true;
        }
        let known = &self.by_link[link as usize];
        known.full_sources.binary_search(&s).is_ok()
            || known.full_destinations.binary_search(&d).is_ok()
    }

    #[inline]
    pub(super) fn is_by_ends(&self, link: LinkId) -> bool {
        self.by_ends[link as usize]
    }

    /// Verifies that the share of a pair on a link is covered, or defers that to distances; the
    /// source is that of `distances`.
    fn check_share(
        &self,
        network: &Network,
        link: LinkId,
        d: Host,
        share: &Rational,
        distances: &mut Distances,
    ) -> Result<()> {
        let s = distances.source();
        let full = self.by_link[link as usize].full_cuts.iter().zip([true, false]);
        let mut full = full.filter_map(|(cut, out)| cut.map(|cut| (cut, out)));
        let is_crossed = |(cut, outwards)| self.cuts.crosses(cut, s, d, outwards);
        if *share <= Rational::ONE && full.any(is_crossed) {
            return Ok(());
        }
        let mut total = Rational::ZERO;
        if let Some(cover) = self.by_link[link as usize].cover {
            total = match [weight(&cover.sources, s), weight(&cover.destinations, d)] {
                [Some(a), Some(b)] if a < share && b < share => a + b,
                [Some(a), Some(b)] => a.max(b).clone(),
                [a, b] => a.or(b).cloned().unwrap_or_default(),
            };
            let crossed = |cuts: &'c [(CutId, Rational)], outwards| {
                let crossed = cuts.iter().filter(move |c| self.cuts.crosses(c.0, s, d, outwards));
                crossed.map(|(_, weight)| weight)
            };
            for weight in crossed(&cover.out_cuts, true).chain(crossed(&cover.in_cuts, false)) {
                sum::add(&mut total, weight)?;
            }
        }
        if total >= *share {
            return Ok(());
        }
        distances.wait(network, &self.lengths, (link, d), (total, share))
    }
}

/// The hosts of weight 1 or more of one side of a cover, after verifying that its hosts exist
/// and ascend.
fn full_hosts(network: &Network, link: LinkId, side: &[(Host, Rational)]) -> Result<Vec<Host>> {
    if let Some(host) = misplaced(side, network.hosts) {
        return Err(Refusal::BadCoverHost { link, host });
    }
    let full = side.iter().filter(|(_, weight)| *weight >= Rational::ONE);
    Ok(full.map(|(host, _)| *host).collect())
}

/// The first cut of weight 1 or more on one side of a cover: it alone covers any share up to 1 that
/// crosses it.
fn full_cut(side: &[(CutId, Rational)]) -> Option<CutId> {
    side.iter().find(|(_, weight)| *weight >= Rational::ONE).map(|(cut, _)| *cut)
}

/// Verifies that the cuts of a cover exist and ascend.
fn check_cuts(cuts: &Cuts, cover: &Cover) -> Result<()> {
    for side in [&cover.out_cuts, &cover.in_cuts] {
        if let Some(cut) = misplaced(side, cuts.len()) {
            return Err(Refusal::BadCoverCut { link: cover.link, cut });
        }
    }
    Ok(())
}

/// Verifies that every cover proves at most the upper side of the claim.
pub(super) fn check_weight(
    network: &Network,
    (cuts, classes): (&Cuts, &Classes),
    covers: &[Cover],
    claim: &Claim,
) -> Result<()> {
    for cover in covers {
        network.go_on()?;
        let total = match claim.quantity {
            Quantity::ObliviousRatio => ratio_cost(network, cuts, classes, cover)?,
            _ if cover.has_cuts() => return Err(Refusal::CutOfHosts(cover.link)),
            _ if !cover.lengths.is_empty() => return Err(Refusal::LengthOfHosts(cover.link)),
            Quantity::HoseLoad => ratio_cost(network, cuts, classes, cover)?,
            Quantity::PermutationLoad => {
                let mut total = Rational::ZERO;
                for (host, weight) in cover.sources.iter().chain(&cover.destinations) {
                    sum::add(&mut total, &classes.all(*host, weight))?;
                }
                total
            }
        };
        let capacity = &network.links[cover.link as usize].capacity;
        if total > &claim.upper * capacity {
            return Err(Refusal::CoverTooHeavy {
                quantity: claim.quantity.name(),
                link: cover.link,
                weight: network.load(cover.link as usize, &total),
                upper: claim.upper.clone(),
            });
        }
    }
    Ok(())
}

/// Σ weight·c: what the cuts of a cover let through when optu is 1.
fn ratio_cost(
    network: &Network,
    cuts: &Cuts,
    classes: &Classes,
    cover: &Cover,
) -> Result<Rational> {
    let mut total = Rational::ZERO;
    let mut add = |weight: &Rational, c: &Rational| sum::add(&mut total, &(weight * c));
    for (host, weight) in &cover.sources {
        add(&classes.all(*host, weight), &network.host_capacity(*host)?[0])?;
    }
    for (host, weight) in &cover.destinations {
        add(&classes.all(*host, weight), &network.host_capacity(*host)?[1])?;
    }
    for (cut, weight) in &cover.out_cuts {
        add(weight, &cuts.capacity[*cut as usize].0)?;
    }
    for (cut, weight) in &cover.in_cuts {
        add(weight, &cuts.capacity[*cut as usize].1)?;
    }
    for (link, length) in &cover.lengths {
        add(length, &network.links[*link as usize].capacity)?;
    }
    Ok(total)
}
