//! Every registered traffic pattern, by its examples.

use rayon::prelude::*;

use super::arena::Arena;
use super::{Adversary, AdversaryError, Finding, Verdict};
use crate::bounds::Evidence;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::traffic;

const USAGE: &str = "patterns(seed=1)";

pub(super) const KIND: Kind<super::Build> = Kind {
    name: "patterns",
    usage: USAGE,
    about: "every registered traffic pattern that fits, by its examples",
    reference: "see `routebound list traffic`",
    examples: &["patterns"],
    build,
};

/// Most demands of a pattern.
const MOST_DEMANDS: usize = 1 << 21;

struct Patterns {
    spec: String,
    seed: u64,
}

fn build(spec: &Spec) -> Result<Box<dyn Adversary>, AdversaryError> {
    spec.arguments(0, &["seed"], USAGE)?;
    let seed = spec.integer_option("seed", 1, USAGE)?;
    Ok(Box::new(Patterns { spec: format!("patterns(seed={seed})"), seed }))
}

impl Patterns {
    /// The examples of all kinds; those that are random and say no seed get ours.
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
        let of_kind = |kind: &'static Kind<traffic::Build>| {
            kind.examples.iter().map(move |example| seeded(example))
        };
        traffic::KINDS.iter().flat_map(of_kind).collect()
    }
}

/// What became of a pattern.
enum Tried {
    /// It does not fit the number of hosts, or has no demand, or the work was stopped before.
    Left,
    /// It has too many demands.
    Large,
    Judged(Verdict),
}

fn try_pattern(
    arena: &Arena<'_>,
    spec: &str,
    progress: &Progress,
) -> Result<Tried, AdversaryError> {
    if progress.cancelled() {
        return Ok(Tried::Left);
    }
    progress.inc(1);
    let Ok(matrix) = traffic::generate(spec, arena.hosts()) else { return Ok(Tried::Left) };
    if matrix.len() > MOST_DEMANDS {
        return Ok(Tried::Large);
    }
    match arena.judge(matrix.demands()) {
        Ok(Some(verdict)) => Ok(Tried::Judged(verdict)),
        Ok(None) => Ok(Tried::Left),
        Err(AdversaryError::TooLarge(_)) => Ok(Tried::Large),
        Err(error) => Err(error),
    }
}

impl Adversary for Patterns {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(&self, arena: &Arena<'_>, progress: &Progress) -> Result<Finding, AdversaryError> {
        let specs = self.specs();
        let tried: Vec<Tried> = specs
            .par_iter()
            .map(|spec| try_pattern(arena, spec, progress))
            .collect::<Result<_, AdversaryError>>()?;
        let large = tried.iter().filter(|tried| matches!(tried, Tried::Large)).count();
        let evidence = Evidence::Claimed("traffic patterns, measured exactly".to_string());
        let mut finding = Finding::empty(&self.spec, evidence);
        finding.stopped = progress.cancelled();
        let (mut best, mut name) = (None::<Verdict>, String::new());
        for (spec, tried) in specs.iter().zip(tried) {
            let Tried::Judged(verdict) = tried else { continue };
            finding.evaluations += 1;
            if best.as_ref().is_none_or(|best| verdict.lower > best.lower) {
                finding.curve.push((finding.evaluations, verdict.lower.clone()));
                best = Some(verdict);
                name.clone_from(spec);
            }
        }
        let fitting = finding.evaluations;
        finding
            .notes
            .push(format!("{fitting} of {} patterns fit; the worst is {name}", specs.len()));
        if large > 0 {
            finding.notes.push(format!("{large} patterns have too many demands here"));
        }
        Ok(finding.with(best))
    }
}
