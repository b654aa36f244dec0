//! Assessing the optimal load of traffic: it is bounded and proved, and the proof is checked.
//!
//! Four ways lead to bounds: the closed form of trees, linear programming, cuts with balanced
//! shortest paths for large networks, and an approximation scheme where these leave too much. All
//! end in the same evidence, link lengths for the lower side and a routing for the upper, which the
//! checker reads.

use std::time::Instant;

use super::NoCertificate;
use super::checked::PROVING;
use super::optimum_classes::{self, is_near};
use super::optimum_error::OptimumError;
use super::optimum_found::Found;
use super::optimum_options::{OptimumMethod, OptimumOptions};
use super::optimum_search::{FREE_CHECK, approximate, by_lp, is_too_large};
use crate::advice::{Advice, Remedy};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::Certificate;
use crate::generators::Named;
use crate::generators::checker::{Check, Refusal};
use crate::limit::{self, TooLarge};
use crate::optimum::classes::Classes;
use crate::optimum::optu::OptuStats;
use crate::optimum::paths::MAX_PATHS;
use crate::optimum::problem::OptuError;
use crate::optimum::{baseload, optimal_cut};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::{Topology, Xgft};
use crate::traffic::{Demand, TrafficMatrix, TrafficView};

/// The optimal load of traffic, as far as it is known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OptimumAssessment {
    /// Bounds on optu.
    pub optu: Bounds,
    /// Baseload: the maximum load that the hosts' own links impose.
    pub baseload: Rational,
    /// Method by which the bounds were found.
    pub method: &'static str,
    /// Size and time of the search, unless it was the closed form.
    pub stats: Option<OptuStats>,
    /// Evidence for both sides, checked if the bounds are proven; or why there is none: it exceeds a limit of the
    /// checker or the format, or products were not listed, or much traffic was bounded by cuts and balanced
    /// shortest paths, as nobody asked to have it proven.
    pub certificate: Result<Certificate, NoCertificate>,
    /// Seconds in total, including the check.
    pub seconds: f64,
    /// Whether the work ran to completion.
    pub complete: bool,
}

/// Bounds the optimal load of traffic, and has the evidence checked: [`AssessOptimum`] with nothing that differs.
///
/// # Errors
/// [`OptimumError`] when there is no traffic, a demand has no path, the method does not apply or
/// fails, products have too many demands to be listed, or the checker refuses.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::assess_optimum, topology, traffic};
/// let tree = topology::generate("xgft(2;8,4;1,2)")?;
/// let shift = traffic::generate("shift(8)", 32)?;
/// let found = assess_optimum(&tree, shift.demands())?;
/// assert_eq!(found.optu.to_string(), "4 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_optimum<'t>(
    topology: &Topology,
    traffic: impl Into<TrafficView<'t>>,
) -> Result<OptimumAssessment, OptimumError> {
    AssessOptimum::new().run(topology, traffic)
}

/// An assessment to be made, as [`assess_optimum`] makes it unless something is said to differ: exact bounds by the
/// method that fits, proven.
#[derive(Default)]
#[must_use = "nothing is assessed before `run`"]
pub struct AssessOptimum<'a> {
    options: OptimumOptions,
    progress: Option<&'a Progress>,
    keep: Option<&'a mut dyn FnMut(&Bounds)>,
}

impl<'a> AssessOptimum<'a> {
    /// An assessment with default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The optimal load is found by this method.
    pub fn by(mut self, method: OptimumMethod) -> Self {
        self.options.method = method;
        self
    }

    /// A search may end at this relative gap between the bounds; at 0, at that of the method.
    pub fn up_to(mut self, gap: f64) -> Self {
        self.options.gap = gap;
        self
    }

    /// The evidence is checked and the bounds are proven only if `prove`, or where that is little work; otherwise they
    /// are claimed.
    pub fn proven_if(mut self, prove: bool) -> Self {
        self.options.prove = prove;
        self
    }

    /// Tells how far the work is, and stops it.
    pub fn progress(self, progress: &'a Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// `keep` gets better and better bounds while a search continues. They are claims: to prove them takes a while,
    /// which a stop may not leave.
    pub fn keep(self, keep: &'a mut dyn FnMut(&Bounds)) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Bounds the optimal load of traffic. Products are listed where the evidence is checked, or the network is not a
    /// tree and not large.
    ///
    /// # Errors
    /// As [`assess_optimum`].
    pub fn run<'t>(
        self,
        topology: &Topology,
        traffic: impl Into<TrafficView<'t>>,
    ) -> Result<OptimumAssessment, OptimumError> {
        let silent = Progress::silent();
        let progress = self.progress.unwrap_or(&silent);
        match self.keep {
            Some(keep) => assessed(topology, traffic.into(), &self.options, progress, keep),
            None => assessed(topology, traffic.into(), &self.options, progress, &mut |_| {}),
        }
    }
}

fn assessed(
    topology: &Topology,
    traffic: TrafficView<'_>,
    options: &OptimumOptions,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<OptimumAssessment, OptimumError> {
    if traffic.is_empty() {
        return Err(OptimumError::NoTraffic);
    }
    let work = u128::from(traffic.len()) * topology.links() as u128;
    let is_asked = options.prove || work <= FREE_CHECK;
    let by_cuts = matches!(options.method, OptimumMethod::Auto | OptimumMethod::ClosedForm);
    if let Some(tree) = topology.tree().filter(|_| by_cuts && !is_asked) {
        return claim_cut(topology, tree, traffic);
    }
    let is_provable = is_asked && u128::from(traffic.len()) <= MAX_PATHS.into();
    if is_provable || !is_for_classes(topology, traffic, options) {
        return assess_listed(topology, &traffic.listed()?, options, is_asked, progress, keep);
    }
    let Some(claim) = claim_classes(topology, traffic, options, progress, keep) else {
        return assess_listed(topology, &traffic.listed()?, options, is_asked, progress, keep);
    };
    if !claim.complete || is_near(&claim.optu.lower, &claim.optu.upper, options.gap) {
        return Ok(claim);
    }
    let mut keep = |optu: &Bounds| keep(&within(&claim.optu, optu));
    let Ok(demands) = traffic.listed() else { return Ok(claim) };
    match assess_listed(topology, &demands, options, is_asked, progress, &mut keep) {
        Ok(found) => Ok(narrowed(claim, found)),
        Err(OptimumError::Traffic(OptuError::TooLarge(_))) => Ok(claim),
        Err(error) => Err(error),
    }
}

/// The better bound on either side; the evidence is that of `other`.
fn within(known: &Bounds, other: &Bounds) -> Bounds {
    Bounds {
        lower: (&known.lower).max(&other.lower).clone(),
        upper: (&known.upper).min(&other.upper).clone(),
        evidence: other.evidence.clone(),
    }
}

/// What a search found, with the claim before it where that is better on a side.
fn narrowed(claim: OptimumAssessment, mut found: OptimumAssessment) -> OptimumAssessment {
    let optu = within(&claim.optu, &found.optu);
    if (&optu.lower, &optu.upper) != (&found.optu.lower, &found.optu.upper) {
        found.optu = Bounds { evidence: claim.optu.evidence, ..optu };
        found.certificate = claim.certificate;
    }
    found
}

/// Whether cuts and balanced shortest paths come first.
fn is_for_classes(topology: &Topology, traffic: TrafficView<'_>, options: &OptimumOptions) -> bool {
    let by_search = matches!(options.method, OptimumMethod::Auto | OptimumMethod::Approximation);
    let by_lp = options.method == OptimumMethod::Auto && cfg!(feature = "highs");
    by_search && topology.tree().is_none() && optimum_classes::is_large(topology, traffic, by_lp)
}

/// The optimum by cuts and balanced shortest paths, unchecked; `None` where these do not apply.
fn claim_classes(
    topology: &Topology,
    traffic: TrafficView<'_>,
    options: &OptimumOptions,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Option<OptimumAssessment> {
    let begun = Instant::now();
    let classes = Classes::new(topology, traffic)?;
    let (search, stats) = optimum_classes::balanced(&classes, options.gap, progress, keep)?;
    let remedy = "use a smaller network or fewer demands";
    let listed = limit::within("number of demands", Some(traffic.len().into()), MAX_PATHS, remedy);
    let evidence = claimed(stats.method, listed.is_ok());
    let (lower, upper) = (search.lower().0.clone(), search.upper().clone());
    Some(OptimumAssessment {
        optu: Bounds { lower, upper, evidence },
        baseload: classes.baseload().0.clone(),
        method: stats.method,
        complete: !stats.stopped,
        stats: Some(stats),
        certificate: Err(listed.map_or_else(NoCertificate::from, |_| NoCertificate::NotAsked)),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// The evidence of a method whose bounds were not checked.
fn claimed(method: &str, is_provable: bool) -> Evidence {
    let limit = if is_provable { "" } else { "; too many demands for a proof" };
    Evidence::Claimed(format!("{method}{limit}"))
}

/// The optimum by a cut, unchecked.
fn claim_cut(
    topology: &Topology,
    tree: &Xgft,
    traffic: TrafficView<'_>,
) -> Result<OptimumAssessment, OptimumError> {
    let begun = Instant::now();
    let cut = optimal_cut(topology, traffic).ok_or(OptimumError::NoTraffic)?;
    let found = Found::closed_form(tree, cut);
    let listed = TrafficMatrix::check_entries(traffic.len().into());
    let evidence = match &listed {
        Ok(()) => found.unchecked(),
        Err(_) => claimed(found.method, false),
    };
    let certificate = match traffic {
        TrafficView::Listed(demands) => found.certificate(topology, demands),
        TrafficView::Products(_) => {
            Err(listed.map_or_else(NoCertificate::from, |()| NoCertificate::NotAsked))
        }
    };
    Ok(OptimumAssessment {
        optu: Bounds { evidence, lower: found.lower, upper: found.upper },
        baseload: baseload(topology, traffic),
        method: found.method,
        stats: None,
        certificate,
        seconds: begun.elapsed().as_secs_f64(),
        complete: true,
    })
}

fn assess_listed(
    topology: &Topology,
    demands: &[Demand],
    options: &OptimumOptions,
    is_asked: bool,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<OptimumAssessment, OptimumError> {
    let begun = Instant::now();
    let found = find(topology, demands, options, progress, keep)?;
    let complete = found.stats.as_ref().is_none_or(|stats| !stats.stopped);
    let certificate = found.certificate(topology, demands);
    let asked = certificate.as_ref().ok().filter(|_| is_asked);
    let checked = asked.map(|certificate| check(certificate, &progress.afterwards(PROVING)));
    let checked = checked.transpose()?;
    let complete = complete && !matches!(checked, Some(Checked::Stopped));
    let (evidence, certificate) = match checked {
        Some(Checked::Accepted) => (Evidence::Proven, certificate),
        Some(Checked::Beyond(limit)) => {
            let by = format!("{}; not checked: {limit}", found.method);
            (Evidence::Claimed(by), Err(limit.into()))
        }
        Some(Checked::Stopped) | None => (found.unchecked(), certificate),
    };
    let Found { lower, upper, method, stats, .. } = found;
    Ok(OptimumAssessment {
        optu: Bounds { lower, upper, evidence },
        baseload: baseload(topology, demands),
        method,
        stats,
        certificate,
        seconds: begun.elapsed().as_secs_f64(),
        complete,
    })
}

/// What the checker says, where it does not refuse.
enum Checked {
    Accepted,
    /// The check was stopped before it finished.
    Stopped,
    /// The certificate is beyond a limit of the checker or of the format.
    Beyond(TooLarge),
}

fn check(certificate: &Certificate, progress: &Progress) -> Result<Checked, Refusal> {
    match Check::new(&Named).progress(progress).run(certificate) {
        Err(Refusal::Stopped(_)) => Ok(Checked::Stopped),
        Err(Refusal::TooLarge(limit)) => Ok(Checked::Beyond(limit)),
        checked => checked.map(|_| Checked::Accepted),
    }
}

fn find(
    topology: &Topology,
    demands: &[Demand],
    options: &OptimumOptions,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<Found, OptimumError> {
    let first = is_for_classes(topology, demands.into(), options)
        .then(|| optimum_classes::found(topology, demands, options.gap, progress, keep))
        .flatten();
    let Some(first) = first else {
        return search(topology, demands, options, progress, keep);
    };
    let is_stopped = first.stats.as_ref().is_some_and(|stats| stats.stopped);
    if is_stopped || is_near(&first.lower, &first.upper, options.gap) {
        return Ok(first);
    }
    let known = Bounds {
        lower: first.lower.clone(),
        upper: first.upper.clone(),
        evidence: first.unchecked(),
    };
    let mut keep = |optu: &Bounds| keep(&within(&known, optu));
    match search(topology, demands, options, progress, &mut keep) {
        Ok(found) => Ok(first.joined(found)),
        Err(OptimumError::Traffic(OptuError::TooLarge(_))) => Ok(first),
        Err(error) => Err(error),
    }
}

fn search(
    topology: &Topology,
    demands: &[Demand],
    options: &OptimumOptions,
    progress: &Progress,
    keep: &mut dyn FnMut(&Bounds),
) -> Result<Found, OptimumError> {
    let gap = options.gap;
    let bounds = match (options.method, topology.tree()) {
        (OptimumMethod::Auto | OptimumMethod::ClosedForm, Some(tree)) => {
            let cut = optimal_cut(topology, demands).ok_or(OptimumError::NoTraffic)?;
            return Ok(Found::closed_form(tree, cut));
        }
        (OptimumMethod::ClosedForm, None) => {
            let network = topology.spec().to_string();
            let advice = Advice::new("use linear programming", &[Remedy::LinearProgramming]);
            return Err(OptimumError::NoClosedForm { network, advice });
        }
        (OptimumMethod::Auto, None) => match by_lp(topology, demands, gap, progress) {
            Err(error) if is_too_large(&error) => {
                approximate(topology, demands, gap, progress, keep)
            }
            bounds => bounds,
        },
        (OptimumMethod::Lp, _) => by_lp(topology, demands, gap, progress),
        (OptimumMethod::Approximation, _) => approximate(topology, demands, gap, progress, keep),
    };
    Ok(Found::of(topology, demands, bounds?))
}
