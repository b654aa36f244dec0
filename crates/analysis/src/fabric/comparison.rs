//! Two routings, or two states of a fabric: which links and pairs get worse.
//!
//! Links and hosts are matched by name: those of a dump keep theirs when cables fail or tables change.
//! Of a pair the *bottleneck* is compared: the maximum worst load among the links of its paths, which
//! is what a permutation can leave it at the worst.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use crate::certificate::Quantity;
use crate::integer::index32;
use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::routing::{Instance, UseScratch};
use crate::topology::{Host, LinkId};
use crate::worst_case::{Analyse, WorstCaseError};

/// Most SD pairs that are compared.
const MAX_PAIRS: u64 = 1 << 32;

/// Why two instances cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum ComparisonError {
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
    #[error("no host has the same name in both: give two states of one fabric")]
    NothingInCommon,
}

/// Changes from one instance to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The maximum worst load of any link, before and after.
    pub loads: [Rational; 2],
    /// The links whose worst load changes, the largest increase first; links that one side lacks
    /// included.
    pub links: Vec<LinkChange>,
    /// Hosts that only the first has.
    pub lost: Vec<String>,
    /// Hosts that only the second has.
    pub new: Vec<String>,
    /// SD pairs of hosts that both have.
    pub pairs: u64,
    /// Number of them that have no path after, until they are rerouted.
    pub lost_pairs: u64,
    /// Number of the others that have a worse bottleneck after.
    pub worse: u64,
    /// Number of them that have a better bottleneck after.
    pub better: u64,
    /// The first of those that get worse: the worst bottleneck after first, then the best before.
    pub worst_pairs: Vec<PairChange>,
}

/// A link whose worst load changes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct LinkChange {
    /// Name of the link.
    pub link: String,
    /// The most that a permutation put on it; `None` where there was no such link.
    pub before: Option<Rational>,
    /// The most that one puts on it now; `None` where the link is gone.
    pub after: Option<Rational>,
}

/// A pair whose bottleneck gets worse.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PairChange {
    /// Name of the source.
    pub s: String,
    /// Name of the destination.
    pub d: String,
    /// Bottleneck of the pair before.
    pub before: Rational,
    /// Bottleneck of the pair after.
    pub after: Rational,
}

/// An instance with the worst load of every link as a rank among the loads of both.
struct Side<'i> {
    instance: &'i Instance,
    ranks: Vec<u32>,
}

/// What the pairs of some sources have in common.
#[derive(Default)]
struct Pairs {
    count: u64,
    lost: u64,
    worse: u64,
    better: u64,
    /// Ranks after and before, and the hosts, the first [`Comparison::KEPT`] in order.
    worst: Vec<(std::cmp::Reverse<u32>, u32, Host, Host)>,
}

impl Comparison {
    /// Maximum number of pairs that are listed.
    pub const KEPT: usize = 1000;

    /// Compares two instances. O(analysis of both + pairs · links of their paths); `progress` advances by
    /// N at least.
    ///
    /// # Errors
    /// [`ComparisonError`] when stopped, where a limit is exceeded, or for two different fabrics.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::{fabric::Comparison, progress::Progress, routing::Instance};
    /// let of = |routing| Instance::named("ft(8,2)", routing);
    /// let (before, after) = (of("osrm2")?, of("dmodk")?);
    /// let found = Comparison::of(&before, &after, &Progress::silent())?;
    /// assert_eq!(found.loads.each_ref().map(|load| load.to_string()), ["2", "4"]);
    /// assert!(found.worse > 0 && !found.is_same());
    /// assert!(Comparison::of(&before, &before, &Progress::silent())?.is_same());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        before: &Instance,
        after: &Instance,
        progress: &Progress,
    ) -> Result<Self, ComparisonError> {
        let hosts = before.topology.hosts() as u128;
        within(
            "number of SD pairs",
            Some(hosts * hosts),
            MAX_PAIRS,
            "compare a part of the fabric",
        )?;
        let (first, second) = (worst_loads(before, progress)?, worst_loads(after, progress)?);
        let distinct: BTreeSet<&Rational> = first.iter().chain(&second).collect();
        let loads: Vec<&Rational> = distinct.into_iter().collect();
        let ranks = |of: &[Rational]| -> Vec<u32> {
            of.iter().map(|load| index32(loads.partition_point(|known| *known < load))).collect()
        };
        let sides = [
            Side { instance: before, ranks: ranks(&first) },
            Side { instance: after, ranks: ranks(&second) },
        ];
        let hosts = Hosts::of(before, after);
        if hosts.common.is_empty() {
            return Err(ComparisonError::NothingInCommon);
        }
        let pairs = compare_pairs(&sides, &hosts.common, progress)?;
        let name = |host: Host| before.topology.node(host).name.clone();
        let most = |of: &[Rational]| of.iter().max().cloned().unwrap_or(Rational::ZERO);
        let worst_pairs = pairs.worst.iter().map(|(after, before, s, d)| PairChange {
            s: name(*s),
            d: name(*d),
            before: loads[*before as usize].clone(),
            after: loads[after.0 as usize].clone(),
        });
        Ok(Self {
            loads: [most(&first), most(&second)],
            links: changes(before, &first, after, &second),
            worst_pairs: worst_pairs.collect(),
            lost: hosts.lost,
            new: hosts.new,
            pairs: pairs.count,
            lost_pairs: pairs.lost,
            worse: pairs.worse,
            better: pairs.better,
        })
    }

    /// Whether no link and no pair differs.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let hosts = self.lost.is_empty() && self.new.is_empty();
        let pairs = self.lost_pairs == 0 && self.worse == 0 && self.better == 0;
        hosts && pairs && self.links.is_empty()
    }
}

impl LinkChange {
    /// The increase of what the link may have to carry; `None` where it is not more. A link that there was not
    /// counts from 0, one that is gone carries nothing.
    #[must_use]
    pub fn increase(&self) -> Option<Rational> {
        let zero = Rational::ZERO;
        let (before, after) = (self.before.as_ref().unwrap_or(&zero), self.after.as_ref()?);
        after.checked_sub(before).filter(|increase| !increase.is_zero())
    }
}

/// The most that a permutation puts on every link.
fn worst_loads(instance: &Instance, progress: &Progress) -> Result<Vec<Rational>, ComparisonError> {
    let worst = Analyse::of(Quantity::PermutationLoad).progress(progress).run(instance)?;
    if !worst.is_exact_by_link() {
        return Err(worst.unsolved.map_or(Stopped.into(), ComparisonError::from));
    }
    Ok(worst.links.into_iter().flatten().map(|bound| bound.load).collect())
}

/// The links whose loads differ.
fn changes(
    before: &Instance,
    first: &[Rational],
    after: &Instance,
    second: &[Rational],
) -> Vec<LinkChange> {
    let mut by_name: BTreeMap<String, [Option<&Rational>; 2]> = BTreeMap::new();
    for (side, (instance, loads)) in [(before, first), (after, second)].into_iter().enumerate() {
        for (link, load) in instance.topology.link_numbers().zip(loads) {
            by_name.entry(instance.topology.link_name(link)).or_default()[side] = Some(load);
        }
    }
    let differ = by_name.into_iter().filter(|(_, [before, after])| before != after);
    let change = |(link, [before, after]): (String, [Option<&Rational>; 2])| LinkChange {
        link,
        before: before.cloned(),
        after: after.cloned(),
    };
    let mut changes: Vec<LinkChange> = differ.map(change).collect();
    changes.sort_by_cached_key(|change| std::cmp::Reverse(change.increase()));
    changes
}

/// The hosts of two instances by name.
struct Hosts {
    /// The numbers of those that both have, before and after.
    common: Vec<(Host, Host)>,
    lost: Vec<String>,
    new: Vec<String>,
}

impl Hosts {
    fn of(before: &Instance, after: &Instance) -> Self {
        let names = |instance: &Instance| -> Vec<String> {
            let topology = &instance.topology;
            topology.host_numbers().map(|host| topology.node(host).name.clone()).collect()
        };
        let (first, second) = (names(before), names(after));
        let after: HashMap<&str, Host> = second.iter().map(String::as_str).zip(0..).collect();
        let mut found = Self { common: Vec::new(), lost: Vec::new(), new: Vec::new() };
        let mut seen: BTreeSet<Host> = BTreeSet::new();
        for (name, host) in first.iter().zip(0..) {
            match after.get(name.as_str()) {
                Some(other) => {
                    seen.insert(*other);
                    found.common.push((host, *other));
                }
                None => found.lost.push(name.clone()),
            }
        }
        let is_new = |(_, host): &(&String, Host)| !seen.contains(host);
        found.new = second.iter().zip(0..).filter(is_new).map(|(name, _)| name.clone()).collect();
        found
    }
}

/// Compares the bottlenecks of all pairs of common hosts.
fn compare_pairs(
    sides: &[Side<'_>; 2],
    common: &[(Host, Host)],
    progress: &Progress,
) -> Result<Pairs, Stopped> {
    let of_source = |scratch: &mut UseScratch, s: &(Host, Host)| {
        progress.check()?;
        let mut found = Pairs::default();
        for d in common.iter().filter(|d| *d != s) {
            let before = sides[0].bottleneck((s.0, d.0), scratch);
            let after = sides[1].bottleneck((s.1, d.1), scratch);
            found.count += 1;
            let [Some(before), Some(after)] = [before, after] else {
                found.lost += u64::from(after.is_none());
                continue;
            };
            found.better += u64::from(after < before);
            if after > before {
                found.worse += 1;
                found.worst.push((std::cmp::Reverse(after), before, s.0, d.0));
            }
        }
        found.shorten();
        progress.inc(1);
        Ok(found)
    };
    let parts = common.par_iter().map_init(UseScratch::default, of_source);
    parts.try_reduce(Pairs::default, |a, b| Ok(a.and(b)))
}

impl Side<'_> {
    /// The maximum rank among the links of a pair's paths; `None` if it has none.
    fn bottleneck(&self, (s, d): (Host, Host), scratch: &mut UseScratch) -> Option<u32> {
        let mut most = None;
        self.instance.routing.for_each_use(s, d, scratch, &mut |_, links: &[LinkId]| {
            most =
                links.iter().map(|link| Some(self.ranks[*link as usize])).fold(most, Option::max);
        });
        most
    }
}

impl Pairs {
    fn and(mut self, other: Self) -> Self {
        self.count += other.count;
        self.lost += other.lost;
        self.worse += other.worse;
        self.better += other.better;
        self.worst.extend(other.worst);
        self.shorten();
        self
    }

    fn shorten(&mut self) {
        self.worst.sort_unstable();
        self.worst.truncate(Comparison::KEPT);
    }
}
