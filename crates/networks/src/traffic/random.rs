//! Random uniform traffic of \[OR\] VI: each SD pair sends 1 unit or nothing.
//!
//! The pair (s,d) owns the 64-bit word d of stream 2^62 + s of the generator, so the traffic is a
//! function of (seed, p, s, d) and does not depend on threads. Streams from 2^62 on are for traffic: routings that
//! are drawn at random have the lower ones, and with the same words the traffic of a seed would follow the paths
//! of the same seed.

use rand::Rng;
use rayon::prelude::*;

use super::Demand;
use super::prelude::*;
use crate::limit::within;
use crate::rational::Rational;
use crate::sampling::Streams;
use crate::topology::{Host, host_number};

/// Maximum number of draws: about ten seconds on one core.
const MAX_DRAWS: u64 = 1 << 32;

/// The first stream for traffic.
pub(super) const STREAMS: u64 = 1 << 62;

pub(super) const KIND: Kind<super::Pattern> = Kind {
    name: "random",
    usage: "random(p=0.5,seed=1)",
    about: "1 unit from a host to another with probability p, independently for every SD pair",
    reference: "[OR] VI",
    examples: &["random", "random(p=0.1,seed=7)", "random(p=1/3)"],
    build: super::Pattern::plain(build),
};

#[derive(Deserialize)]
struct Options {
    p: Probability,
    seed: u64,
}

/// From 0 to 1.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Probability(pub(super) Rational);

impl TryFrom<String> for Probability {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = Rational::from_decimal(&text).ok().filter(|number| *number <= Rational::ONE);
        number.map(Self).ok_or("is not a probability: expected 0 to 1")
    }
}

fn build(spec: &Spec, hosts: usize) -> Result<TrafficMatrix, TrafficError> {
    let Options { p: Probability(p), seed } = spec.read()?;
    let pairs = hosts as u64 * (hosts as u64 - 1);
    within("number of SD pairs", Some(pairs.into()), MAX_DRAWS, "use fewer hosts")?;
    let expected = (&p * &Rational::from(pairs)).floor();
    TrafficMatrix::check_entries(u128::try_from(expected).unwrap_or(u128::MAX))?;
    let threshold = threshold(&p);
    let streams = Streams::new(seed);
    let row = |s: Host| {
        let mut words = streams.at(STREAMS + u64::from(s));
        let drawn = (0..host_number(hosts)).filter(|_| u128::from(words.next_u64()) < threshold);
        drawn.filter(|d| *d != s).collect()
    };
    let rows: Vec<Vec<Host>> = (0..host_number(hosts)).into_par_iter().map(row).collect();
    let pairs = (0..).zip(&rows).flat_map(|(s, row)| row.iter().map(move |d| (s, *d)));
    TrafficMatrix::new(hosts, pairs.map(|(s, d)| Demand { s, d, amount: Rational::ONE }))
}

/// A word of 64 bits below this means traffic: the probability is p to within 2^-64.
pub(super) fn threshold(p: &Rational) -> u128 {
    let two_64 = &Rational::from(1 << 32) * &Rational::from(1 << 32);
    u128::try_from((p * &two_64).floor()).unwrap_or(u128::MAX)
}
