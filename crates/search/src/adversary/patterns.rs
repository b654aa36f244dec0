//! Every registered traffic pattern, by its examples.

use super::context::AttackContext;
use super::{AdversaryError, Attacked, Finding, Oblivious, Ratio};
use crate::attack::{Adversary, Built, Record};
use crate::prelude::*;
use crate::shards::{Found, Work};
use crate::traffic::{self, Demand};

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "patterns",
    usage: "patterns(seed=1)",
    about: "every registered traffic pattern that fits, by its examples",
    reference: "see `routebound list traffic`",
    examples: &["patterns"],
    build: super::Method { build: Built::read::<Patterns>, work: super::Work::Measures },
};

/// Maximum number of demands of a pattern, and about how many are measured at the same time: 64
/// bytes each.
const MAX_DEMANDS: usize = 1 << 20;
const MAX_AT_ONCE: usize = 1 << 18;

/// Patterns that are measured at the same time.
const PATTERNS_AT_ONCE: usize = 8;

/// Number of hosts on which the density of a pattern is sampled.
const FEW_HOSTS: usize = 64;

#[derive(Deserialize)]
struct Patterns {
    seed: u64,
}

impl Patterns {
    /// The examples of all kinds; random ones without a seed get ours.
    fn specs(&self) -> Vec<String> {
        // The canonical form shows a seed only where the traffic depends on one.
        let seeded = |example: &str| {
            let canonical = traffic::canonical(example).ok();
            let takes_one = canonical.and_then(|text| Spec::parse(&text).ok());
            let takes_one = takes_one.is_some_and(|spec| spec.option("seed").is_some());
            match Spec::parse(example).ok().filter(|_| takes_one) {
                None => example.to_string(),
                Some(mut spec) => {
                    spec.set_default("seed", &self.seed.to_string());
                    spec.to_string()
                }
            }
        };
        let of_kind = |kind: &'static Kind<traffic::Pattern>| {
            kind.examples.iter().map(move |example| seeded(example))
        };
        traffic::KINDS.iter().flat_map(of_kind).collect()
    }
}

/// The outcome of a pattern.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Tried {
    /// It does not fit the number of hosts, or it has no demand.
    Skipped,
    /// The work was stopped first.
    Stopped,
    /// It has too many demands.
    Large,
    /// The ratio that it proves.
    Judged(Rational),
}

/// The patterns of a network, whose number is in the list of all.
struct All<'p>(&'p [String]);

impl Work for All<'_> {
    type Result = Tried;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), _pattern: u64) -> Found<Tried> {
        // They are measured several at a time.
        Found::Stopped
    }

    /// The worst pattern is measured again; what else a part says is no more than a number.
    fn fits(&self, pattern: u64, _: &Tried) -> bool {
        pattern < self.0.len() as u64
    }
}

/// The demands of a pattern, to be measured.
enum Made {
    Skipped,
    Stopped,
    Large,
    Demands(Vec<Demand>),
}

fn make(context: &AttackContext<'_>, spec: &str, progress: &Progress) -> Made {
    if progress.cancelled() {
        return Made::Stopped;
    }
    if expected_demands(spec, context.hosts()) > MAX_DEMANDS {
        return Made::Large;
    }
    match traffic::generate_on(spec, context.topology()) {
        Err(_) => Made::Skipped,
        Ok(matrix) if matrix.len() > MAX_DEMANDS => Made::Large,
        Ok(matrix) => Made::Demands(matrix.into_demands()),
    }
}

/// Estimates the number of demands of a dense pattern from its density on a few hosts, so that it
/// need not be generated to be found too large. 0 for sparse patterns and those that do not fit
/// that number of hosts.
fn expected_demands(spec: &str, hosts: usize) -> usize {
    let few = traffic::generate(spec, FEW_HOSTS).map_or(0, |matrix| matrix.len());
    let dense = few > FEW_HOSTS * FEW_HOSTS / 8;
    if dense { few * (hosts / FEW_HOSTS).pow(2) } else { 0 }
}

impl Made {
    fn demands(&self) -> usize {
        if let Self::Demands(demands) = self { demands.len() } else { 0 }
    }
}

/// Generates the patterns of these numbers one by one and measures several at a time; `see` gets the
/// outcome of each, in order.
fn try_all(
    context: &AttackContext<'_>,
    specs: &[String],
    numbers: &[u64],
    progress: &Progress,
    mut see: impl FnMut(u64, Tried),
) -> Result<(), AdversaryError> {
    let (mut made, mut demands) = (Vec::new(), 0);
    for (index, number) in numbers.iter().enumerate() {
        let one = make(context, &specs[as_size(*number)], progress);
        demands += one.demands();
        made.push((*number, one));
        let full = demands >= MAX_AT_ONCE || made.len() >= PATTERNS_AT_ONCE;
        if full || index + 1 == numbers.len() {
            let some = std::mem::take(&mut made).into_par_iter();
            let some =
                some.map(|(number, made)| Ok((number, try_pattern(context, made, progress)?)));
            let tried: Vec<_> = some.collect::<Result<_, AdversaryError>>()?;
            for (number, tried) in tried {
                see(number, tried);
            }
            demands = 0;
        }
    }
    Ok(())
}

/// The outcomes of all patterns, or those that a shard gets.
fn tried(
    context: &AttackContext<'_>,
    specs: &[String],
    stage: &str,
    progress: &Progress,
) -> Result<Vec<Option<Tried>>, AdversaryError> {
    let (mut done, numbers) = (Ok(()), (0..specs.len() as u64).collect::<Vec<u64>>());
    let found = context.units.together(stage, &numbers, &All(specs), |mine, take| {
        done = try_all(context, specs, mine, progress, |number, tried| {
            // A pattern may have been skipped only for the stop.
            let is_final = !progress.cancelled();
            take(number, if is_final { Found::Final(tried) } else { Found::Passing(tried) });
        });
    });
    done.map(|()| found)
}

fn try_pattern(
    context: &AttackContext<'_>,
    made: Made,
    progress: &Progress,
) -> Result<Tried, AdversaryError> {
    progress.inc(1);
    let demands = match made {
        Made::Skipped => return Ok(Tried::Skipped),
        Made::Stopped => return Ok(Tried::Stopped),
        Made::Large => return Ok(Tried::Large),
        Made::Demands(demands) => demands,
    };
    match context.estimate(demands, progress) {
        Ok(verdict) => Ok(verdict.map_or(Tried::Skipped, |verdict| Tried::Judged(verdict.lower))),
        Err(AdversaryError::Stopped(_)) => Ok(Tried::Stopped),
        Err(error) => Err(error),
    }
}

impl Adversary<Oblivious> for Patterns {
    fn attack(&self, spec: &str, context: &AttackContext<'_>, progress: &Progress) -> Attacked {
        let specs = self.specs();
        let evidence = Evidence::Claimed("traffic patterns, measured exactly".to_string());
        let mut finding = Finding::nothing(spec, evidence);
        let mut record = Record::<Option<Rational>, &str>::default();
        let (mut large, mut left) = (0, 0);
        let tried = tried(context, &specs, &format!("traffic of {spec}"), progress)?;
        for (pattern, tried) in specs.iter().zip(tried) {
            match tried {
                None | Some(Tried::Skipped) => {}
                Some(Tried::Stopped) => left += 1,
                Some(Tried::Large) => large += 1,
                Some(Tried::Judged(lower)) => record.see(Some(lower), || pattern),
            }
        }
        finding.stopped = progress.cancelled();
        finding.evaluations = record.evaluations;
        let (fitting, name) = (record.evaluations, record.traffic);
        let all = specs.len();
        finding.notes.push(match left {
            0 => format!("{fitting} of {all} patterns fit; the worst is {name}"),
            _ if fitting == 0 => format!("{} of {all} patterns tried, none fits", all - left),
            _ => format!(
                "{} of {all} patterns tried, {fitting} fit; the worst is {name}",
                all - left
            ),
        });
        if large > 0 {
            finding.notes.push(format!("{large} patterns have too many demands on this network"));
        }
        let Some(claimed) = record.value else { return Ok(finding) };
        let rises = record.curve.into_iter().filter_map(|(at, lower)| Some((at, lower?)));
        let verdict = match make(context, name, &Progress::silent()) {
            Made::Demands(demands) => context.judge(demands, &Progress::silent())?,
            Made::Skipped | Made::Stopped | Made::Large => None,
        };
        finding.worst = Ratio { curve: rises.collect(), ..verdict.into() };
        finding.worst.check(spec, &claimed)?;
        Ok(finding)
    }
}
