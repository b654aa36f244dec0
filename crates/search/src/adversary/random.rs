//! Sampling: the load of random traffic, on average and at most.
//!
//! Uniform permutations, bisections (half of the hosts send to the other half, as in ORCS and in
//! the definition of effective bisection bandwidth), and cliques (random groups of hosts,
//! all-to-all within each group). Sample i comes from stream i of the seed's generator.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use rand::seq::SliceRandom;

use super::context::{AttackContext, Value};
use super::record::Record;
use super::{AdversaryError, Attacked, Finding, IncrementalLoads, Oblivious, Statistics};
use crate::attack::{Adversary, Built};
use crate::prelude::*;
use crate::sampling::Summary;
use crate::shards::{Found, Work};
use crate::traffic::Permutation;

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "random",
    usage: "random(pattern=permutation|bisection|clique,size=8,trials=10000,seed=1)",
    about: "random permutations, bisections or cliques, with statistics",
    reference: "Hoefler, Schneider and Lumsdaine, Cluster 2008",
    examples: &["random", "random(pattern=bisection)", "random(pattern=clique)"],
    build: super::Method { build, work: super::Work::Samples },
};

/// Pairs between checks of the clock; blocks of samples are sized accordingly.
const PAIRS_AT_ONCE: u64 = 1 << 20;

/// Maximum number of hosts in a clique, as all pairs of hosts in a clique are on at the same time.
const MAX_CLIQUE: u64 = 256;

#[derive(Clone, Copy)]
enum Pattern {
    Permutation,
    Bisection,
    /// Its size, at least 2.
    Clique(usize),
}

struct Random {
    pattern: Pattern,
    trials: u64,
    seed: u64,
}

#[derive(Deserialize)]
struct Options {
    pattern: PatternName,
    size: u64,
    trials: NonZeroU64,
    seed: u64,
}

#[derive(PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PatternName {
    Permutation,
    Bisection,
    Clique,
}

fn build(spec: &Spec) -> Result<Built<Oblivious>, AdversaryError> {
    let Options { pattern, size, trials, seed } = spec.read()?;
    let (mut shown, trials) = (spec.complete(), trials.get());
    if pattern != PatternName::Clique {
        shown = shown.without("size");
        if spec.option("size").is_some() {
            return Err(spec.refused("only cliques have a size").into());
        }
    }
    let pattern = match pattern {
        PatternName::Permutation => Pattern::Permutation,
        PatternName::Bisection => Pattern::Bisection,
        PatternName::Clique if (2..=MAX_CLIQUE).contains(&size) => Pattern::Clique(as_size(size)),
        PatternName::Clique => {
            return Err(spec.refused(format!("size={size}: 2 to {MAX_CLIQUE}")).into());
        }
    };
    Ok(Built::new(&shown, Random { pattern, trials, seed }))
}

impl Pattern {
    /// The SD pairs of sample `index`.
    fn draw(self, hosts: usize, seed: u64, index: u64) -> Vec<(Host, Host)> {
        match self {
            Self::Permutation => Permutation::random(hosts, seed, index).pairs().collect(),
            Self::Bisection => Permutation::random_bisection(hosts, seed, index).pairs().collect(),
            Self::Clique(size) => {
                let mut order: Vec<Host> = (0..host_number(hosts)).collect();
                order.shuffle(&mut Streams::new(seed).at(index));
                order.chunks(size).flat_map(all_to_all).collect()
            }
        }
    }

    /// Number of permutations that the traffic consists of: a clique of k hosts is k − 1 rounds.
    fn permutations(self, hosts: usize) -> u64 {
        match self {
            Self::Clique(size) => size.min(hosts) as u64 - 1,
            _ => 1,
        }
    }
}

fn all_to_all(group: &[Host]) -> impl Iterator<Item = (Host, Host)> + '_ {
    let pairs = group.iter().flat_map(move |s| group.iter().map(move |d| (*s, *d)));
    pairs.filter(|(s, d)| s != d)
}

/// The results of consecutive samples.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// Number of samples.
    taken: u64,
    record: Record,
    /// Number of samples by their value, ascending.
    values: Vec<(Value, u64)>,
    /// Number of pairs by the load in units of the most loaded link on their path.
    congestion: BTreeMap<u64, u64>,
}

impl Adversary<Oblivious> for Random {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let at_once = (PAIRS_AT_ONCE / context.hosts() as u64).clamp(16, 256);
        let work = Blocks { random: self, context, progress, at_once };
        let stage = format!("samples of {spec}");
        let mut all = Sample::default();
        let mut counts: BTreeMap<Rational, u64> = BTreeMap::new();
        for block in 0..self.trials.div_ceil(at_once) {
            if block > 0 && progress.cancelled() {
                break;
            }
            let found = context.units.each(&stage, block..block + 1, &work);
            for sample in found.into_iter().flatten() {
                for (value, count) in &sample.values {
                    *counts.entry(context.ratio(*value)).or_default() += count;
                }
                all.append(Sample { values: Vec::new(), ..sample });
            }
        }
        let start = all.taken;
        let evidence = Evidence::Sampled { seed: self.seed, trials: start };
        let mut finding = context.finding(&all.record, spec, evidence, progress)?;
        let bandwidth = effective_bandwidth(&all.congestion, context.uses.scale());
        let sample = Summary::of(counts).filter(|_| !context.is_rough);
        finding.worst.statistics = sample.map(|sample| Statistics {
            effective_bisection_bandwidth: bandwidth,
            ..Statistics::from(sample)
        });
        Ok(Finding { stopped: start < self.trials, ..finding })
    }
}

/// The samples of a seed, in blocks.
struct Blocks<'a, 'i> {
    random: &'a Random,
    context: &'a AttackContext<'i>,
    progress: &'a Progress,
    at_once: u64,
}

impl Work for Blocks<'_, '_> {
    type Result = Sample;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), block: u64) -> Found<Sample> {
        // The first sample is always drawn; of a stopped block, those before the stop count.
        let draw = |incremental: &mut IncrementalLoads<'_>, index| {
            let wanted = index == 0 || !self.progress.cancelled();
            wanted.then(|| self.random.sample(self.context, incremental, index))
        };
        let (first, end) = self.range(block);
        let samples = (first..end).into_par_iter();
        let fresh = || IncrementalLoads::new(self.context);
        let samples: Vec<Option<Sample>> = samples.map_init(fresh, draw).collect();
        let mut all = Sample::default();
        samples.into_iter().map_while(|sample| sample).for_each(|sample| all.append(sample));
        self.progress.inc(all.taken);
        if all.taken == end - first { Found::Final(all) } else { Found::Passing(all) }
    }

    fn fits(&self, block: u64, sample: &Sample) -> bool {
        let (first, end) = self.range(block);
        let mut congestion = sample.congestion.iter();
        let most = sample.values.last().map(|(value, _)| *value);
        let counted: u128 = sample.values.iter().map(|(_, count)| u128::from(*count)).sum();
        let hosts = self.context.hosts();
        sample.taken == end - first
            && sample.record.evaluations == sample.taken
            && counted == u128::from(sample.taken)
            && sample.values.iter().all(|(value, _)| value.is_possible())
            && sample.values.windows(2).all(|two| two[0].0 < two[1].0)
            && most == Some(sample.record.value)
            && congestion.all(|(load, pairs)| *load > 0 && *pairs <= PAIRS_AT_ONCE * self.at_once)
            && self.context.allows(&sample.record, self.random.pattern.permutations(hosts))
    }
}

impl Blocks<'_, '_> {
    /// The first sample of a block, and the one after its last.
    fn range(&self, block: u64) -> (u64, u64) {
        let first = block * self.at_once;
        (first, (first + self.at_once).min(self.random.trials))
    }
}

impl Sample {
    /// Adds the samples that came after.
    fn append(&mut self, later: Self) {
        self.taken += later.taken;
        self.record.append(later.record);
        for (value, count) in later.values {
            match self.values.binary_search_by(|(known, _)| known.cmp(&value)) {
                Ok(at) => self.values[at].1 += count,
                Err(at) => self.values.insert(at, (value, count)),
            }
        }
        for (load, pairs) in later.congestion {
            *self.congestion.entry(load).or_default() += pairs;
        }
    }
}

impl Random {
    fn sample(
        &self,
        context: &AttackContext<'_>,
        incremental: &mut IncrementalLoads<'_>,
        index: u64,
    ) -> Sample {
        let mut sample = Sample { taken: 1, ..Sample::default() };
        let pairs = self.pattern.draw(context.hosts(), self.seed, index);
        let mut value = incremental.measure(&pairs);
        if context.is_monotone() {
            value.optu = self.pattern.permutations(context.hosts());
        }
        sample.values.push((value, 1));
        if matches!(self.pattern, Pattern::Bisection) && context.routing().is_single_path() {
            let congestion = &mut sample.congestion;
            incremental.congestion(&pairs, |load| *congestion.entry(load).or_default() += 1);
        }
        sample.record.see(value, || pairs);
        sample
    }
}

/// The mean over pairs of 1 ÷ load, from loads in units.
fn effective_bandwidth(congestion: &BTreeMap<u64, u64>, scale: u64) -> Option<Rational> {
    let mut sum = Rational::ZERO;
    for (load, pairs) in congestion {
        sum += &(&Rational::from(*pairs) * &Rational::new(scale, *load)?);
    }
    sum.checked_div(&Rational::from(congestion.values().sum::<u64>()))
}
