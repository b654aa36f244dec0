//! Every registered traffic pattern, by its examples.

use rayon::prelude::*;

use super::context::AttackContext;
use super::{Adversary, AdversaryError, Finding, Verdict};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::traffic::{self, Demand};

const USAGE: &str = "patterns(seed=1)";

pub(super) const KIND: Kind<super::Method> = Kind {
    name: "patterns",
    usage: USAGE,
    options: &["seed"],
    about: "every registered traffic pattern that fits, by its examples",
    reference: "see `routebound list traffic`",
    examples: &["patterns"],
    build: super::Method { build, work: super::Work::Measures },
};

/// Maximum number of demands of a pattern, and about how many are measured at the same time: 64
/// bytes each.
const MAX_DEMANDS: usize = 1 << 20;
const MAX_AT_ONCE: usize = 1 << 18;

/// Patterns that are measured at the same time.
const PATTERNS_AT_ONCE: usize = 8;

/// Number of hosts on which the density of a pattern is sampled.
const FEW_HOSTS: usize = 64;

struct Patterns {
    spec: String,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn Adversary>, AdversaryError> {
    spec.arguments(0, &["seed"], USAGE)?;
    let seed = spec.seed(USAGE)?;
    Ok(Box::new(Patterns { spec: format!("patterns(seed={seed})"), seed }))
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
enum Tried {
    /// It does not fit the number of hosts, it has no demand, or the work was stopped first.
    Skipped,
    /// It has too many demands.
    Large,
    Judged(Verdict),
}

/// The demands of a pattern, to be measured.
enum Made {
    Skipped,
    Large,
    Demands(Vec<Demand>),
}

fn make(context: &AttackContext<'_>, spec: &str, progress: &Progress) -> Made {
    if progress.cancelled() {
        return Made::Skipped;
    }
    if expected_demands(spec, context.hosts()) > MAX_DEMANDS {
        return Made::Large;
    }
    match traffic::generate(spec, context.hosts()) {
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

/// Generates the patterns one by one and measures several at a time; `see` gets the outcome of
/// each, in order.
fn try_all(
    context: &AttackContext<'_>,
    specs: &[String],
    progress: &Progress,
    mut see: impl FnMut(&str, Tried),
) -> Result<(), AdversaryError> {
    let (mut made, mut demands) = (Vec::new(), 0);
    for (index, spec) in specs.iter().enumerate() {
        let one = make(context, spec, progress);
        demands += one.demands();
        made.push((spec, one));
        let full = demands >= MAX_AT_ONCE || made.len() >= PATTERNS_AT_ONCE;
        if full || index + 1 == specs.len() {
            let some = std::mem::take(&mut made).into_par_iter();
            let some = some.map(|(spec, made)| Ok((spec, try_pattern(context, made, progress)?)));
            let tried: Vec<_> = some.collect::<Result<_, AdversaryError>>()?;
            for (spec, tried) in tried {
                see(spec, tried);
            }
            demands = 0;
        }
    }
    Ok(())
}

fn try_pattern(
    context: &AttackContext<'_>,
    made: Made,
    progress: &Progress,
) -> Result<Tried, AdversaryError> {
    progress.inc(1);
    let demands = match made {
        Made::Skipped => return Ok(Tried::Skipped),
        Made::Large => return Ok(Tried::Large),
        Made::Demands(demands) => demands,
    };
    match context.estimate(demands, progress) {
        Ok(verdict) => Ok(verdict.map_or(Tried::Skipped, Tried::Judged)),
        Err(AdversaryError::Stopped(_)) => Ok(Tried::Skipped),
        Err(error) => Err(error),
    }
}

impl Adversary for Patterns {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(
        &self,
        context: &AttackContext<'_>,
        progress: &Progress,
    ) -> Result<Finding, AdversaryError> {
        let specs = self.specs();
        let evidence = Evidence::Claimed("traffic patterns, measured exactly".to_string());
        let mut finding = Finding::nothing(&self.spec, evidence);
        let (mut best, mut name, mut large) = (None::<Verdict>, String::new(), 0);
        try_all(context, &specs, progress, |spec, tried| match tried {
            Tried::Skipped => {}
            Tried::Large => large += 1,
            Tried::Judged(verdict) => {
                finding.evaluations += 1;
                if best.as_ref().is_none_or(|best| verdict.lower > best.lower) {
                    finding.curve.push((finding.evaluations, verdict.lower.clone()));
                    best = Some(verdict);
                    name = spec.to_string();
                }
            }
        })?;
        finding.stopped = progress.cancelled();
        let fitting = finding.evaluations;
        finding
            .notes
            .push(format!("{fitting} of {} patterns fit; the worst is {name}", specs.len()));
        if large > 0 {
            finding.notes.push(format!("{large} patterns have too many demands on this network"));
        }
        let best = best.map(|best| context.judge(best.witness.demands, &Progress::silent()));
        Ok(finding.with(best.transpose()?.flatten()))
    }
}
