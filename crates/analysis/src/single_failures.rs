//! Single failures: every cable between switches, or between hosts that forward, removed in turn.

mod classes;
mod shifts;

use std::sync::Arc;

use itertools::Itertools;
use rayon::prelude::*;

use crate::assessment::{Assess, AssessmentError};
use crate::bounds::{Bounds, Evidence};
use crate::failure::{Cable, FailureError, LostPairs, Remainder, inner_cables, remaining};
use crate::progress::Progress;
use crate::routing::{self, Instance};

/// Number of failures that are examined before they are told.
const BLOCK: usize = 16;

/// Effects of single failures on an instance.
#[derive(Clone, Debug)]
pub struct SingleFailures {
    /// Number of cables that may fail.
    pub cables: usize,
    /// Number of classes of cables that are equivalent by symmetry, of which one was analysed for all, where there are
    /// such.
    pub classes: Option<usize>,
    /// The failures that were examined, in the order of the cables.
    pub failures: Vec<SingleFailure>,
    /// The worst oblivious ratio over these; `None` when there is none.
    pub oblivious_ratio: Option<Worst>,
    /// The worst permutation load over them.
    pub permutation_load: Option<Worst>,
    /// Whether the work ran to completion.
    pub complete: bool,
}

/// The effect of a failure. Hosts that are cut off and pairs that are lost take no part in the bounds.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SingleFailure {
    /// The cable that fails.
    pub cable: String,
    /// Names of the hosts that it cuts off from the others.
    pub cut_off: Vec<String>,
    /// SD pairs of the other hosts that have no path; the first of them are named.
    pub lost_pairs: LostPairs,
    /// The oblivious ratio of what remains; `None` where no two hosts remain connected.
    pub oblivious_ratio: Option<Bounds>,
    /// The worst permutation load of what remains.
    pub permutation_load: Option<Bounds>,
    /// Where pairs are lost, the oblivious ratio of equal-cost multipath on what remains ([`rerouted`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerouted: Option<Bounds>,
    #[serde(skip)]
    complete: bool,
}

/// A quantity at its worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// Bounds on the maximum value.
    pub bounds: Bounds,
    /// The cable whose failure has the maximum lower bound; ties go to the maximum upper bound,
    /// then to the first cable.
    pub cable: String,
}

/// Why assessing single failures failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SingleFailureError {
    #[error("without {cable}: {failure}")]
    Failure {
        cable: String,
        #[source]
        failure: Box<FailureError>,
    },
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
    #[error(
        "`{0}` has no cable between two switches or two hosts, so that nothing was tried: the cable of a host that \
         fails cuts it off"
    )]
    NothingToFail(String),
}

/// Assesses what remains of the instance without each of its cables between switches or between hosts, with failures
/// in parallel; `progress` counts cables. `keep` receives what is known from time to time. The result does not depend
/// on threads; what a stop leaves are the failures examined until then.
///
/// # Errors
/// [`SingleFailureError`] when there is no such cable or a case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{single_failures::single_failures, progress::Progress, routing::Instance};
/// let found = single_failures(&Instance::named("ft(4,2)", "dmodk")?, &Progress::silent(), &mut |_| {})?;
/// assert_eq!((found.cables, found.failures.iter().filter(|one| one.is_broken()).count()), (8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn single_failures(
    instance: &Instance,
    progress: &Progress,
    keep: &mut dyn FnMut(&SingleFailures),
) -> Result<SingleFailures, SingleFailureError> {
    let cables = inner_cables(&instance.topology);
    if cables.is_empty() {
        return Err(SingleFailureError::NothingToFail(instance.topology.spec().to_string()));
    }
    let mut found = SingleFailures {
        cables: cables.len(),
        classes: None,
        failures: Vec::new(),
        oblivious_ratio: None,
        permutation_load: None,
        complete: true,
    };
    keep(&found);
    let classes = classes::classes(instance, &cables, progress);
    let count = classes.iter().enumerate().filter(|(at, first)| at == *first).count();
    found.classes = (count < cables.len()).then_some(count);
    // By the first cable of their class.
    let mut known: Vec<Option<SingleFailure>> = vec![None; cables.len()];
    for block in (0..cables.len()).collect_vec().chunks(BLOCK) {
        let work = block.par_iter().map(|at| {
            let like = known[classes[*at]].as_ref();
            examine(instance, &cables[*at], like, progress)
        });
        let block: Vec<(usize, Option<SingleFailure>)> =
            block.iter().copied().zip(work.collect::<Result<Vec<_>, _>>()?).collect();
        for (at, failure) in block {
            match failure {
                None => found.complete = false,
                Some(failure) => {
                    known[at] = (classes[at] == at).then(|| failure.clone());
                    found.take(failure);
                }
            }
        }
        keep(&found);
    }
    Ok(found)
}

impl SingleFailures {
    /// Adds a failure.
    fn take(&mut self, failure: SingleFailure) {
        self.complete &= failure.complete;
        for (worst, bounds) in [
            (&mut self.oblivious_ratio, &failure.oblivious_ratio),
            (&mut self.permutation_load, &failure.permutation_load),
        ] {
            if let Some(bounds) = bounds {
                add(worst, bounds, &failure.cable);
            }
        }
        self.failures.push(failure);
    }
}

impl SingleFailure {
    /// The failure of a cable of which nothing is known.
    fn of(cable: String) -> Self {
        Self {
            cable,
            cut_off: Vec::new(),
            lost_pairs: LostPairs::default(),
            oblivious_ratio: None,
            permutation_load: None,
            rerouted: None,
            complete: true,
        }
    }

    /// Whether it cuts hosts off or leaves pairs without a path.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        !self.cut_off.is_empty() || self.lost_pairs.count > 0
    }
}

/// The effect of a failure, with the bounds of one that is `like` it; `None` if the work was stopped before anything
/// was known.
fn examine(
    Instance { topology, routing, .. }: &Instance,
    cable: &Cable,
    like: Option<&SingleFailure>,
    progress: &Progress,
) -> Result<Option<SingleFailure>, SingleFailureError> {
    if progress.cancelled() {
        return Ok(None);
    }
    // Where nothing is cut off or lost, only the name of the cable differs.
    if let Some(like) = like.filter(|like| !like.is_broken()) {
        progress.inc(1);
        return Ok(Some(SingleFailure { cable: cable.name(topology), ..like.clone() }));
    }
    let stop = Progress::silent().stopped_by(progress.stop());
    let mut failure = SingleFailure::of(cable.name(topology));
    let left = remaining(topology, Arc::clone(routing), std::slice::from_ref(cable));
    let Remainder { instance, cut_off, lost } = match left {
        Err(FailureError::NothingLeft { .. }) => {
            let names = topology.host_numbers().map(|host| &topology.node(host).name);
            return Ok(Some(SingleFailure { cut_off: names.cloned().collect(), ..failure }));
        }
        left => {
            let cable = failure.cable.clone();
            let named = |failure: FailureError| SingleFailureError::Failure {
                cable,
                failure: failure.into(),
            };
            left.map_err(named)?
        }
    };
    // Which of two equal parts remains depends on numbers.
    if let Some(like) = like.filter(|_| cut_off.is_empty()) {
        let lost_pairs = lost.shortened();
        progress.inc(1);
        return Ok(Some(SingleFailure {
            cable: failure.cable,
            cut_off,
            lost_pairs,
            ..like.clone()
        }));
    }
    let assessment = match Assess::new().embedded().progress(&stop).run(&instance) {
        Err(AssessmentError::Interrupted(_)) if progress.cancelled() => return Ok(None),
        assessment => assessment?,
    };
    let is_proven = assessment.oblivious_ratio.evidence == Evidence::Proven;
    if progress.cancelled() && !assessment.complete && !is_proven {
        return Ok(None);
    }
    failure.rerouted = (lost.count > 0).then(|| rerouted(&instance, &stop)).flatten();
    failure.complete = assessment.complete;
    failure.oblivious_ratio = Some(assessment.oblivious_ratio);
    failure.permutation_load = Some(assessment.permutation_load);
    (failure.cut_off, failure.lost_pairs) = (cut_off, lost.shortened());
    progress.inc(1);
    Ok(Some(failure))
}

/// The oblivious ratio of equal-cost multipath on the network of an instance: what rerouting all pairs could reach at
/// least. `None` where it is not known without linear programs, or the work was stopped.
#[must_use]
pub fn rerouted(instance: &Instance, progress: &Progress) -> Option<Bounds> {
    let topology = Arc::clone(&instance.topology);
    let ecmp = routing::build("ecmp", &topology).ok()?;
    let assess = Assess::new().linear_programs(false).progress(progress);
    let found = assess.run(&Instance::trusted(topology, ecmp)).ok()?;
    Some(found.oblivious_ratio)
}

/// Merges the bounds of one more failure into the worst.
fn add(worst: &mut Option<Worst>, bounds: &Bounds, cable: &str) {
    let Some(worst) = worst else {
        *worst = Some(Worst { bounds: bounds.clone(), cable: cable.to_string() });
        return;
    };
    let known = &mut worst.bounds;
    let larger = bounds.lower > known.lower;
    if larger || bounds.lower == known.lower && bounds.upper > known.upper {
        worst.cable = cable.to_string();
    }
    known.lower = known.lower.clone().max(bounds.lower.clone());
    known.upper = known.upper.clone().max(bounds.upper.clone());
    if known.evidence == Evidence::Proven {
        known.evidence = bounds.evidence.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::topology::generate;

    /// One spine has weight 0: without the cable to the other a switch has no choice that is left.
    #[test]
    fn an_error_names_the_cable() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("w.csv");
        std::fs::write(&file, "switch,next,weight\nsw-1-0,sw-2-0,1\nsw-1-0,sw-2-1,0\n").unwrap();
        let tree = generate("ftree(2,2,3)").unwrap();
        let spec = format!("ecmp-hash(split=\"{}\")", file.display());
        let instance = Instance::new(tree.clone(), routing::build(&spec, &tree).unwrap()).unwrap();
        let found = single_failures(&instance, &Progress::silent(), &mut |_| {});
        let error = found.unwrap_err().to_string();
        assert!(error.starts_with("without sw-1-0[3]:sw-2-0[1]: "), "{error}");
        assert!(error.contains("weight 0: give one a weight above 0"), "{error}");
    }

    #[test]
    fn the_worst_takes_the_greatest_of_both_sides() {
        let bounds = |lower, upper, evidence| Bounds {
            lower: Rational::from(lower),
            upper: Rational::from(upper),
            evidence,
        };
        let claimed = Evidence::Claimed("x".into());
        let mut worst = None;
        add(&mut worst, &bounds(2, 5, Evidence::Proven), "a");
        add(&mut worst, &bounds(3, 4, claimed.clone()), "b");
        add(&mut worst, &bounds(3, 4, Evidence::Proven), "c");
        let expected = Worst { bounds: bounds(3, 5, claimed), cable: "b".into() };
        assert_eq!(worst, Some(expected));
    }
}
