//! The best oblivious routing of a network: a search, and proofs on its way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::AssessmentError;
use super::least::{Effort, Programs};
use super::proven_routing::{BestProven, LeastQuestion, ProvenRouting};
use crate::certificate::Among;
use crate::lp::optimal::{
    OptimalError, OptimalRouting, Options, Paths, Stats, automorphisms, check_size, optimal_keeping,
};
use crate::lp::worst_demand::{Known, tighten};
use crate::progress::{Progress, Stopped};
use crate::routing::{Instance, Routing, build};
use crate::symmetry::Symmetry;
use crate::topology::Topology;
use crate::worst_case::{Proof, WorstCase};

/// Part of the time for automorphisms.
const SYMMETRY: f64 = 0.1;

/// Part of the time for the routing with which the search begins to compete: ECMP. Nothing is known before, and what
/// the search finds takes as long to prove, so that it is not stopped for that.
const FIRST: f64 = 0.9;

/// Part of the time after that for the search: the rest is reserved for the last proof, which takes a few times as long
/// as that of ECMP.
const SEARCH: f64 = 0.8;
const LEAST_SEARCH: f64 = 0.4;
const LAST_PROOF: f64 = 4.0;

/// Part of the time left after the search for proving the routing and the lower bound together. If that does not end, the
/// rest is for proving the bound beside the best routing that is proven by then.
const TOGETHER: f64 = 0.7;

/// Part of the search's time left that a proof on the way may take.
const ON_THE_WAY: f64 = 0.25;

/// The time from the beginning to the first of these proofs; each further one comes after twice the time.
const FIRST_PROOF: Duration = Duration::from_secs(1);

/// Hosts² times links from which routings are proven on the way even without a time limit.
const LARGE: usize = 1 << 17;

/// A routing is then worth a proof only if its worst case is at most this part of what is proven.
const MUCH_BETTER: f64 = 0.75;

/// Time after a stop for turning what is already known into covers.
const TIGHTENING: Duration = Duration::from_millis(300);

/// A question about the optimum.
pub struct OptimalQuestion<'q> {
    /// The network.
    pub topology: Arc<Topology>,
    /// The objective, and the paths that may be used.
    pub options: Options<'q>,
    /// The paths that may be used, for certificates.
    pub among: Among,
    /// The spec that the routing gets, such as `table:best.csv`.
    pub spec: String,
}

/// The best routing that was found, and what is proven of it.
#[derive(Clone, Debug)]
pub struct OptimalAssessment {
    /// The routing.
    pub routing: ProvenRouting,
    /// The effort of the search.
    pub stats: Stats,
    /// Whether the search ran to completion and what it found is proven, or none can be better.
    pub complete: bool,
}

/// Why there is no best routing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum OptimalAssessmentError {
    #[error(transparent)]
    Search(#[from] OptimalError),
    #[error("{0}")]
    Assessment(#[from] AssessmentError),
}

impl From<Stopped> for OptimalAssessmentError {
    fn from(stopped: Stopped) -> Self {
        OptimalError::from(stopped).into()
    }
}

/// Searches for a best oblivious routing and proves it. Before the search, ECMP is assessed, or the routing whose paths
/// are allowed; routings that the search finds on its way are proven after times that double, and time is reserved for
/// the last proof. What is proven best is the result, so that more time is never worse; `keep` gets it as soon as it is
/// known. `begin` returns a progress of the run for work on the named units.
///
/// # Errors
/// [`OptimalAssessmentError`] when a pair has no path, the network is too large, a solver fails or the checker refuses,
/// and when the work is stopped before anything is known.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::assessment::{OptimalQuestion, assess_optimal};
/// use routebound::{certificate::Among, lp::optimal::Options, progress::Progress, topology};
/// let (topology, options) = (topology::generate("ft(4,2)")?.into(), Options::default());
/// let question =
///     OptimalQuestion { topology, options, among: Among::All, spec: "table:-".into() };
/// let best = assess_optimal(&question, &|_| Progress::silent(), &mut |_| {})?;
/// assert_eq!(best.routing.assessment.optimum.to_string(), "1 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_optimal(
    question: &OptimalQuestion<'_>,
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&ProvenRouting),
) -> Result<OptimalAssessment, OptimalAssessmentError> {
    assess_optimal_unless(question, 1.0, begin, keep, &mut |_| Ok(false))
}

/// Like [`assess_optimal`], but does not search where `is_enough` says so of the routing that needs no search, and
/// takes no more than `part` of the time after that.
pub(super) fn assess_optimal_unless(
    question: &OptimalQuestion<'_>,
    part: f64,
    begin: &dyn Fn(&str) -> Progress,
    keep: &mut dyn FnMut(&ProvenRouting),
    is_enough: &mut dyn FnMut(&ProvenRouting) -> Result<bool, OptimalAssessmentError>,
) -> Result<OptimalAssessment, OptimalAssessmentError> {
    let OptimalQuestion { topology, options, among, spec } = question;
    check_size(topology)?;
    let start = Instant::now();
    let (among, spec) = (among.clone(), spec.clone());
    let asked =
        LeastQuestion { topology: Arc::clone(topology), quantity: options.quantity, among, spec };
    let found = automorphisms(topology, options.paths, &begin("links").part(SYMMETRY))?;
    let symmetry = Symmetry::generated_by(&found).map(Arc::new);
    let options = Options { automorphisms: &found, ..*options };
    let mut proven = BestProven::new(asked, keep).with_symmetry(symmetry);
    let before = Instant::now();
    offer_first(&mut proven, question, &begin("links").with_part_of_time(FIRST))?;
    let proof = before.elapsed();
    let is_settled = match proven.best() {
        Some(best) => best.is_optimal() || is_enough(best)?,
        None => false,
    };
    let whole = begin("rounds").with_part_of_time(part);
    if is_settled || (whole.cancelled() && proven.best().is_some()) {
        return without_search(proven, Stopped.into());
    }
    let search = for_search(whole, proof);
    let is_large = topology.hosts() * topology.hosts() * topology.links() >= LARGE;
    let mut proofs = ProofsOnTheWay::new(start, is_large);
    let found = optimal_keeping(topology, options, &search, &mut |claimed, routing| {
        proofs.prove(&mut proven, claimed, routing, &search);
    });
    drop(search);
    if let Some(defect) = proofs.failed {
        return Err(defect.into());
    }
    match found {
        Ok(found) => conclude(proven, found, &begin("links").with_part_of_time(part)),
        Err(error @ (OptimalError::Stopped(_) | OptimalError::Solve(_))) => {
            without_search(proven, error)
        }
        Err(error) => Err(error.into()),
    }
}

/// The search, which ends in time for the last proof, if that of ECMP took so long.
fn for_search(whole: Progress, proof: Duration) -> Progress {
    let left = whole.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
    let part = 1.0 - LAST_PROOF * proof.as_secs_f64() / left.max(f64::MIN_POSITIVE);
    whole.with_part_of_time(part.clamp(LEAST_SEARCH, SEARCH))
}

/// What is known where the search has no result; without any, its error.
fn without_search(
    proven: BestProven<'_>,
    error: OptimalError,
) -> Result<OptimalAssessment, OptimalAssessmentError> {
    let Some(mut routing) = proven.into_best() else { return Err(error.into()) };
    let is_stopped = matches!(error, OptimalError::Stopped(_));
    if !is_stopped {
        routing.assessment.notes.push(format!("the search failed: {error}"));
    }
    let complete = is_stopped && routing.is_optimal();
    Ok(OptimalAssessment { routing, stats: Stats::default(), complete })
}

/// Offers the routing that needs no search. Where it cannot be built or is not covered, the search says so if it has
/// the same difficulty.
fn offer_first(
    proven: &mut BestProven<'_>,
    question: &OptimalQuestion<'_>,
    progress: &Progress,
) -> Result<(), AssessmentError> {
    let paths = question.options.paths;
    let ecmp = match paths {
        Paths::Of(_) => None,
        _ => build("ecmp", &question.topology).ok(),
    };
    let routing: Option<&dyn Routing> = match paths {
        Paths::Of(routing) => Some(routing),
        _ => ecmp.as_deref(),
    };
    let Some(routing) = routing else { return Ok(()) };
    match proven.offer(routing, progress) {
        Err(defect @ AssessmentError::Refused(_)) => Err(defect),
        _ => Ok(()),
    }
}

/// When routings are proven while the search continues.
struct ProofsOnTheWay {
    begun: Instant,
    /// The time since then at which the next one is due.
    next: Duration,
    is_large: bool,
    /// The worst case of the last routing that was to be proven.
    offered: f64,
    /// A defect that one of them showed.
    failed: Option<AssessmentError>,
}

impl ProofsOnTheWay {
    fn new(begun: Instant, is_large: bool) -> Self {
        Self { begun, next: FIRST_PROOF, is_large, offered: f64::INFINITY, failed: None }
    }

    /// Proves the search's best routing if that is due and the routing is better than what is proven. Without a time
    /// limit it is due on a large network where the routing is much better: the result does not depend on the clock
    /// then, and a stop at any time leaves more than the first routing.
    fn prove(
        &mut self,
        proven: &mut BestProven<'_>,
        claimed: f64,
        routing: &dyn Fn() -> OptimalRouting,
        search: &Progress,
    ) {
        let at = self.begun.elapsed();
        let known = proven.best().filter(|best| best.is_proven());
        let known = known.map_or(f64::INFINITY, |best| best.assessment.routing.upper.to_f64());
        let is_due = match search.time_left() {
            Some(_) => at >= self.next && claimed < known,
            None => self.is_large && claimed <= MUCH_BETTER * known.min(self.offered),
        };
        if !is_due || search.cancelled() || self.failed.is_some() {
            return;
        }
        self.offered = claimed;
        let offered = offer(proven, routing(), Programs::None, &search.part(ON_THE_WAY));
        self.failed = offered.err().filter(AssessmentError::is_defect);
        let now = self.begun.elapsed();
        // However long proofs take, most of the time is the search's.
        self.next = now + at.max(4 * now.saturating_sub(at));
    }
}

/// Offers a routing of the search, with what the search knows about it; returns whether it was taken or is proven to be
/// worse, and no stop left open how good it is.
fn offer(
    proven: &mut BestProven<'_>,
    found: OptimalRouting,
    programs: Programs,
    progress: &Progress,
) -> Result<bool, AssessmentError> {
    let OptimalRouting { paths, lower, dual_demands, prices, worst, .. } = found;
    let known = Known { prices: &prices, worst: worst.as_ref() };
    let late = progress.afterwards(TIGHTENING);
    let improve = |instance: &Instance, worst: &mut WorstCase, proof: Proof| -> Proof {
        tighten(instance, worst, proof, known, &late)
    };
    let effort = Effort { known: Some(&improve), programs };
    proven.offer_paths(paths, None, (lower, dual_demands), &effort, progress)
}

/// Proves the routing with which the search ended; the best one is the result.
fn conclude(
    mut proven: BestProven<'_>,
    found: OptimalRouting,
    progress: &Progress,
) -> Result<OptimalAssessment, OptimalAssessmentError> {
    let (stats, is_whole) = (found.stats, found.complete);
    let lower = (found.lower.clone(), found.dual_demands.clone());
    // Linear programs make the bounds exact; of a search that was stopped, what it knows is surer to be ready in time.
    let programs = if is_whole { Programs::First } else { Programs::Last };
    if is_whole {
        proven.expect_last();
    }
    let is_settled = match offer(&mut proven, found, programs, &progress.part(TOGETHER)) {
        Ok(is_settled) => is_settled,
        Err(error) if proven.best().is_none() => return Err(error.into()),
        Err(error) if error.is_defect() => return Err(error.into()),
        // What is known of another routing remains.
        Err(_) => false,
    };
    proven.raise(lower, progress)?;
    let routing = proven.into_best().ok_or(Stopped)?;
    let is_known = is_settled && routing.is_proven() && !routing.is_cut();
    let complete = routing.is_optimal() || (is_whole && is_known);
    Ok(OptimalAssessment { routing, stats, complete })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Quantity;
    use crate::topology::generate;

    /// Where ECMP is proven to be best, nothing is searched.
    #[test]
    fn a_search_is_for_what_is_not_known() {
        for quantity in [Quantity::ObliviousRatio, Quantity::HoseLoad] {
            let topology = Arc::new(generate("ft(4,3)").unwrap());
            let options = Options { quantity, ..Options::default() };
            let spec = "table:best".to_string();
            let question = OptimalQuestion { topology, options, among: Among::All, spec };
            let found = assess_optimal(&question, &|_| Progress::silent(), &mut |_| {}).unwrap();
            assert_eq!(found.routing.assessment.optimum.to_string(), "1 (proven)");
            assert_eq!(found.routing.named.as_deref(), Some("ecmp"));
            assert!(found.complete && found.stats == Stats::default());
        }
    }

    /// The last proof has at least a fifth of the time, more where that of ECMP took long, and never most of it.
    #[test]
    fn time_is_left_for_the_last_proof() {
        use crate::progress::Stop;
        let minute = Duration::from_mins(1);
        for (proof, searched) in [(0, 48_u32), (6, 36), (15, 24)] {
            let stop = Stop::at(Instant::now().checked_add(minute));
            let whole = Progress::silent().stopped_by(stop);
            let left = for_search(whole, Duration::from_secs(proof)).time_left().unwrap();
            assert!(left.as_secs_f64() > 0.9 * f64::from(searched), "{left:?}");
            assert!(left <= Duration::from_secs(searched.into()), "{left:?}");
        }
        assert!(for_search(Progress::silent(), minute).time_left().is_none());
    }
}
