//! A solver's results for a link, confirmed in exact arithmetic.
//!
//! Prices become integer lengths; the factor that makes them cover every pair is then computed
//! exactly, so any lengths give a valid cover, and good ones a light one. Traffic becomes
//! integer amounts on paths; its max load is computed exactly, so any amounts give a valid
//! witness. Where the floats stand for fractions with a small denominator, these are
//! reconstructed, and cover and witness meet; where the denominators are large, the equations of the
//! vertex give the lengths.

use std::collections::{BTreeMap, HashMap};

use dashu_int::UBig;
use dashu_int::ops::Gcd;

use super::packing::PairPath;
use crate::bounds::{RoutedTraffic, Witness};
use crate::load::SharedPair;
use crate::lp::float::{float, rounded};
use crate::lp::linear::{Equation, solve};
use crate::optimum::rational_reconstruction::common_factor;
use crate::optimum::shortest::{Adjacency, MAX_LENGTH, Tree};
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology};
use crate::traffic::{Demand, PathRecord};

/// Largest common denominator to look for.
const MAX_FACTOR: u64 = 1 << 36;

/// Prices below this count as zero at a vertex.
const PRICED: f64 = 1e-9;

/// Maximum number of links with a price at a vertex that is made exact: tens of milliseconds.
const MAX_PRICED: usize = 200;

/// Bits of lengths and amounts that do not look like fractions.
const BITS: [i32; 2] = [20, 40];

/// Binary digits behind the point of amounts in units.
const UNIT_BITS: i32 = 30;

/// Lengths that cover the pairs of a link, and the traffic that they allow on the link.
pub struct LengthCover {
    /// Σ length·capacity.
    pub traffic: Rational,
    /// Lengths above 0, by link.
    pub lengths: Vec<(LinkId, Rational)>,
}

impl LengthCover {
    /// The cover by these lengths.
    #[must_use]
    pub fn of(topology: &Topology, lengths: Vec<(LinkId, Rational)>) -> Self {
        let traffic = lengths.iter().fold(Rational::ZERO, |sum, (link, length)| {
            &sum + &(length * &topology.link(*link).capacity)
        });
        Self { traffic, lengths }
    }
}

/// The paths of traffic, with their amounts in floats.
pub type Traffic = [(PairPath, f64)];

/// Demands in exact amounts, and the paths that they take.
pub type Routed = (Vec<Demand>, Vec<PathRecord>);

/// Factors that may turn `values` into integers, the most promising first.
pub fn factors(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().copied().fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return Vec::new();
    }
    let near = |scaled: f64| (scaled * 1e-9).clamp(1e-7, 1e-2);
    let plain = common_factor(values.iter().copied(), MAX_FACTOR, near);
    let relative = common_factor(values.iter().map(|v| v / largest), MAX_FACTOR, near);
    let plain = plain.map(float).filter(|f| f * largest <= float(MAX_LENGTH));
    let relative = relative.map(|factor| float(factor) / largest);
    let dyadic = BITS.map(|bits| 2_f64.powi(bits) / largest);
    plain.into_iter().chain(relative).chain(dyadic).collect()
}

/// The lightest cover of `pairs` found with `prices`; stops at the first that allows no more than
/// `enough`. O(sources·links·log nodes + pairs) for each of up to four roundings.
#[must_use]
pub fn cover(
    topology: &Topology,
    network: &Adjacency,
    pairs: &[SharedPair<'_>],
    prices: &[f64],
    enough: &Rational,
) -> Option<LengthCover> {
    let mut best: Option<LengthCover> = None;
    for factor in factors(prices) {
        let length = |price: &f64| rounded(price * factor).min(MAX_LENGTH);
        let lengths: Vec<u64> = prices.iter().map(length).collect();
        let Some(unit) = least_unit(network, pairs, &lengths) else { continue };
        let found = covering(topology, &lengths, &unit);
        if best.as_ref().is_none_or(|best| found.traffic < best.traffic) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.traffic <= *enough) {
            break;
        }
    }
    best
}

/// The cover by the exact vertex that `prices` stand for, at which every `tight` path is as long as
/// its pair's share, whatever the unit of the lengths: `pairs` are all pairs that it has to cover.
///
/// `None` where more than 200 links have a price, a `tight` path is of none of the `pairs`, the
/// equations have no solution near `prices` or one whose numbers are too long to compute with, or
/// where a path could be longer than 62 bits in a common unit of all lengths. O(links³) for the
/// links that have a price.
#[must_use]
pub fn vertex_cover(
    topology: &Topology,
    network: &Adjacency,
    pairs: &[SharedPair<'_>],
    prices: &[f64],
    tight: &[PairPath],
) -> Option<LengthCover> {
    let used: Vec<usize> = (0..prices.len()).filter(|link| prices[*link] > PRICED).collect();
    if used.len() > MAX_PRICED {
        return None;
    }
    let equation = |PairPath { s, d, links }: &PairPath| {
        let at = pairs.binary_search_by_key(&(*s, *d), |pair| (pair.s, pair.d)).ok()?;
        let unit = i128::try_from(pairs[at].share.denominator().clone()).ok()?;
        let places = links.iter().filter_map(|link| used.binary_search(&(*link as usize)).ok());
        let left = places.map(|place| (place, unit)).collect();
        let right = i128::try_from(pairs[at].share.numerator().clone()).ok()?;
        Some(Equation { left, right })
    };
    let equations: Vec<Equation> = tight.iter().map(equation).collect::<Option<_>>()?;
    let near: Vec<f64> = used.iter().map(|link| prices[*link]).collect();
    let exact = solve(&equations, &near)?;
    let unit = exact.iter().fold(UBig::ONE, |unit, price| {
        let denominator = price.denominator();
        &unit / (&unit).gcd(denominator) * denominator
    });
    // The length of any path fits in 64 bits.
    let most = (1 << 62) / prices.len() as u64;
    let mut lengths = vec![0; prices.len()];
    for (link, price) in used.into_iter().zip(&exact) {
        let length = price.numerator() * (&unit / price.denominator());
        lengths[link] = u64::try_from(length).ok().filter(|length| *length <= most)?;
    }
    let unit = least_unit(network, pairs, &lengths)?;
    Some(covering(topology, &lengths, &unit))
}

fn covering(topology: &Topology, lengths: &[u64], unit: &Rational) -> LengthCover {
    let links = (0..).zip(lengths).filter(|(_, length)| **length > 0);
    let weight = |(link, length): (LinkId, &u64)| (link, unit * &Rational::from(*length));
    LengthCover::of(topology, links.map(weight).collect())
}

/// The least unit in which `lengths` cover all pairs: the maximum share ÷ distance.
fn least_unit(network: &Adjacency, pairs: &[SharedPair<'_>], lengths: &[u64]) -> Option<Rational> {
    let mut tree = Tree::default();
    // Among pairs of the same share, the nearest determines the unit.
    let mut nearest: HashMap<&Rational, u64> = HashMap::new();
    for pairs in pairs.chunk_by(|a, b| a.s == b.s) {
        tree.search(network, pairs[0].s, lengths);
        for pair in pairs {
            let distance = tree.distance(pair.d)?;
            let known = nearest.entry(pair.share).or_insert(distance);
            *known = distance.min(*known);
        }
    }
    let units = nearest.into_iter().map(|(share, distance)| share.checked_div(&distance.into()));
    units.collect::<Option<Vec<Rational>>>()?.into_iter().max()
}

/// The heaviest witness of `link` found with `traffic`, with its load ÷ optu; optu ≤ 1.
#[must_use]
pub fn witness(
    topology: &Topology,
    link: LinkId,
    pairs: &[SharedPair<'_>],
    traffic: &Traffic,
) -> Option<(Rational, Witness)> {
    let amounts: Vec<f64> = traffic.iter().map(|(_, amount)| *amount).collect();
    let mut best: Option<(Rational, Witness)> = None;
    for factor in factors(&amounts) {
        let parts: Vec<u64> = amounts.iter().map(|a| rounded(a * factor)).collect();
        let found = scaled_witness(topology, link, pairs, traffic, &parts);
        if found.as_ref().is_some_and(|(load, _)| best.as_ref().is_none_or(|b| *load > b.0)) {
            best = found;
        }
    }
    best
}

/// Traffic in exact amounts with optu ≤ 1, close to `traffic`, and a routing that proves this.
#[must_use]
pub fn routable(topology: &Topology, traffic: &Traffic) -> Option<Routed> {
    let amounts: Vec<f64> = traffic.iter().map(|(_, amount)| *amount).collect();
    let total: f64 = amounts.iter().sum();
    let mut best: Option<(f64, Routed)> = None;
    for factor in factors(&amounts) {
        let parts: Vec<u64> = amounts.iter().map(|a| rounded(a * factor)).collect();
        let Some(scaled) = Scaled::new(topology, traffic, &parts) else { continue };
        let kept = float(parts.iter().sum()) / scaled.most.to_f64() / total;
        if best.as_ref().is_none_or(|best| kept > best.0 * (1.0 + 1e-9)) {
            best = Some((kept, (scaled.demands()?, scaled.records(traffic, &parts)?)));
        }
    }
    best.map(|(_, found)| found)
}

/// The same where amounts are multiples of 2^−30, at most 2^−30 below what they could be.
#[must_use]
pub fn routable_in_units(topology: &Topology, traffic: &Traffic) -> Option<Routed> {
    let largest = traffic.iter().map(|(_, amount)| *amount).fold(0.0, f64::max);
    let units = |amount: f64| rounded(amount / largest * 2_f64.powi(UNIT_BITS));
    let parts: Vec<u64> = traffic.iter().map(|(_, amount)| units(*amount)).collect();
    let most = Scaled::new(topology, traffic, &parts)?.most;
    let fewer = |part: &u64| {
        let scaled = (UBig::from(*part) << UNIT_BITS as usize) * most.denominator();
        u64::try_from(scaled / most.numerator()).ok()
    };
    let parts: Vec<u64> = parts.iter().map(fewer).collect::<Option<_>>()?;
    let most = integer(1 << UNIT_BITS);
    let scaled = Scaled { most, ..Scaled::new(topology, traffic, &parts)? };
    Some((scaled.demands()?, scaled.records(traffic, &parts)?))
}

/// Traffic in integer amounts.
struct Scaled {
    demand: BTreeMap<(Host, Host), u128>,
    /// Its max load.
    most: Rational,
}

fn integer(value: u128) -> Rational {
    Rational::from_big(value.into(), UBig::ONE).expect("1 is not 0")
}

impl Scaled {
    /// The traffic whose paths carry `parts`; `None` when no link carries any.
    fn new(topology: &Topology, traffic: &Traffic, parts: &[u64]) -> Option<Self> {
        let mut total = vec![0_u128; topology.links()];
        let mut demand: BTreeMap<(Host, Host), u128> = BTreeMap::new();
        for ((PairPath { s, d, links }, _), part) in
            traffic.iter().zip(parts).filter(|(_, part)| **part > 0)
        {
            *demand.entry((*s, *d)).or_default() += u128::from(*part);
            for link in links {
                total[*link as usize] += u128::from(*part);
            }
        }
        let loads = (0..).zip(&total).filter(|(_, total)| **total > 0);
        let load = |(link, total): (LinkId, &u128)| topology.load_of(link, &integer(*total));
        let most = loads.map(load).max()?;
        Some(Self { demand, most })
    }

    /// The traffic, scaled to max load 1.
    fn demands(&self) -> Option<Vec<Demand>> {
        let demand = |((s, d), amount): (&(Host, Host), &u128)| {
            Some(Demand { s: *s, d: *d, amount: integer(*amount).checked_div(&self.most)? })
        };
        self.demand.iter().map(demand).collect()
    }

    /// The paths with their shares, by pair.
    fn records(&self, traffic: &Traffic, parts: &[u64]) -> Option<Vec<PathRecord>> {
        let mut records = Vec::new();
        for ((PairPath { s, d, links }, _), part) in
            traffic.iter().zip(parts).filter(|(_, part)| **part > 0)
        {
            let share = Rational::from_big((*part).into(), (*self.demand.get(&(*s, *d))?).into())?;
            records.push(PathRecord { s: *s, d: *d, share, links: links.clone() });
        }
        records.sort_by_key(|record| (record.s, record.d));
        Some(records)
    }
}

/// The witness in which the paths carry `parts`, scaled to max load 1.
fn scaled_witness(
    topology: &Topology,
    link: LinkId,
    pairs: &[SharedPair<'_>],
    traffic: &Traffic,
    parts: &[u64],
) -> Option<(Rational, Witness)> {
    let scaled = Scaled::new(topology, traffic, parts)?;
    let mut carried = Rational::ZERO;
    for pair in pairs {
        if let Some(amount) = scaled.demand.get(&(pair.s, pair.d)) {
            carried += &(pair.share * &integer(*amount));
        }
    }
    let ratio = carried.checked_div(&scaled.most)?.checked_div(&topology.link(link).capacity)?;
    let (demands, records) = (scaled.demands()?, scaled.records(traffic, parts)?);
    Some((
        ratio,
        Witness { link, demands, optu: Rational::ONE, flow: RoutedTraffic::Paths(records) },
    ))
}
