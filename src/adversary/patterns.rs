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

impl Adversary for Patterns {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn attack(&self, arena: &Arena<'_>, progress: &Progress) -> Result<Finding, AdversaryError> {
        let specs = self.specs();
        let verdict = |spec: &String| -> Result<Option<Verdict>, AdversaryError> {
            if progress.cancelled() {
                return Ok(None);
            }
            progress.inc(1);
            let Ok(matrix) = traffic::generate(spec, arena.hosts()) else { return Ok(None) };
            if matrix.len() > MOST_DEMANDS {
                return Ok(None);
            }
            match arena.judge(matrix.demands()) {
                Err(AdversaryError::TooLarge(_)) => Ok(None),
                judged => judged,
            }
        };
        let verdicts: Vec<Option<Verdict>> =
            specs.par_iter().map(verdict).collect::<Result<_, AdversaryError>>()?;
        let evidence = Evidence::Claimed("traffic patterns, measured exactly".to_string());
        let mut finding = Finding::empty(&self.spec, evidence);
        finding.stopped = progress.cancelled();
        let (mut best, mut name) = (None::<Verdict>, String::new());
        for (spec, verdict) in specs.iter().zip(verdicts) {
            let Some(verdict) = verdict else { continue };
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
        Ok(finding.with(best))
    }
}
