//! The best of several routings of a network, by what is proven of each.
//!
//! A search that is stopped has a routing, but no time left to prove what it says about it. So the routings that are
//! found on the way are proven too, beginning with one that needs no search, and what is proven is replaced by what is
//! proven to be better, never by a claim: more time is never worse.

use std::sync::Arc;

use super::least::{Effort, Proved, concluded, proved};
use super::leaving::{self, WeightedBound};
use super::{AssessmentError, LeastAssessment};
use crate::bounds::decimal;
use crate::certificate::{Among, Least, Quantity};
use crate::embed;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::{Instance, Listed, Routing};
use crate::symmetry::Symmetry;
use crate::topology::Topology;
use crate::traffic::PathRecord;

/// Maximum number of links of all paths of a routing that no search has found: with more of them its proof takes long.
const MAX_LINKS: u64 = 1 << 21;

/// How notes about more than is proven begin.
const UNPROVEN: &str = "found but not proven: a routing of at most ";
const UNCHECKED: &str = "found but not checked: no routing is below ";

/// Decimals of numbers in them whose fractions are long.
const PLACES: u32 = 6;

/// A routing, and what is known of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProvenRouting {
    /// The network and the routing, whose paths are listed.
    pub instance: Instance,
    /// Number of its paths.
    pub paths: usize,
    /// The routing whose paths these are, where that was not found by a search.
    pub named: Option<String>,
    /// Bounds on its worst case, and on that of every routing over the allowed paths.
    pub assessment: LeastAssessment,
    proved: Proved,
}

impl ProvenRouting {
    /// Whether the checker has accepted both sides.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.assessment.certificate.is_ok()
    }

    /// Whether it is proven that no routing over the allowed paths is better.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.is_proven() && self.assessment.optimum.exact().is_some()
    }

    /// Whether a stop left open how good it is.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.proved.cut
    }

    /// Whether it takes the place of the best one before: what is proven is not replaced by a claim, and of two that
    /// are equally good the later one comes with the better lower bound.
    fn replaces(&self, known: &Self) -> bool {
        let upper = |one: &Self| one.assessment.routing.upper.clone();
        match (self.is_proven(), known.is_proven()) {
            (true, false) => true,
            (false, true) => false,
            _ => upper(self) <= upper(known),
        }
    }
}

/// The network, what is minimised, and which paths are allowed.
#[derive(Clone, Debug)]
pub struct LeastQuestion {
    /// The network.
    pub topology: Arc<Topology>,
    /// The quantity that is minimised.
    pub quantity: Quantity,
    /// The paths that routings may use.
    pub among: Among,
    /// The spec that the routings get, such as `table:best.csv`.
    pub spec: String,
}

/// The best routing of those that were offered. With every better one it calls `keep`.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::assessment::{BestProven, LeastQuestion};
/// use routebound::certificate::{Among, Quantity};
/// use routebound::{progress::Progress, routing, topology};
/// let (topology, quantity) = (topology::generate("ft(4,2)")?.into(), Quantity::ObliviousRatio);
/// let question = LeastQuestion { topology, quantity, among: Among::All, spec: "table:-".into() };
/// let mut keep = |_: &_| {};
/// let mut best = BestProven::new(question.clone(), &mut keep);
/// for name in ["ecmp", "dmodk"] {
///     let routing = routing::build(name, &question.topology)?;
///     best.offer(&*routing, &Progress::silent())?;
/// }
/// // D-mod-k has ratio 2.
/// assert_eq!(best.best().unwrap().assessment.routing.to_string(), "1 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BestProven<'k> {
    question: LeastQuestion,
    best: Option<ProvenRouting>,
    /// What is known of all routings without a search.
    floor: WeightedBound,
    /// Automorphisms that all of them respect and that take allowed paths to allowed paths.
    symmetry: Option<Arc<Symmetry>>,
    /// Whether the next routing is that with which a search ran to completion.
    is_last: bool,
    keep: &'k mut dyn FnMut(&ProvenRouting),
}

impl<'k> BestProven<'k> {
    /// A search that has no routing yet.
    #[must_use]
    pub fn new(question: LeastQuestion, keep: &'k mut dyn FnMut(&ProvenRouting)) -> Self {
        let floor = match question.quantity {
            // A max load is never below optu.
            Quantity::ObliviousRatio => (Rational::ONE, Vec::new()),
            Quantity::HoseLoad => leaving::bound(&question.topology),
            Quantity::PermutationLoad => WeightedBound::default(),
        };
        Self { question, best: None, floor, symmetry: None, is_last: false, keep }
    }

    /// Bounds on all routings may be about the means of images under these automorphisms, which all offered routings
    /// respect and which take allowed paths to allowed paths.
    #[cfg(any(feature = "highs", test))]
    pub(super) fn with_symmetry(self, symmetry: Option<Arc<Symmetry>>) -> Self {
        Self { symmetry, ..self }
    }

    /// The best one so far.
    #[must_use]
    pub fn best(&self) -> Option<&ProvenRouting> {
        self.best.as_ref()
    }

    /// The best routing, when no more are offered.
    #[must_use]
    pub fn into_best(self) -> Option<ProvenRouting> {
        self.best
    }

    /// From now on a proven routing of the search takes the place of any that the search found before: how often it was
    /// interrupted for proofs then says nothing about the result of a search that ran to completion.
    #[cfg(any(feature = "highs", test))]
    pub(super) fn expect_last(&mut self) {
        self.is_last = true;
    }

    /// Offers a routing over the allowed paths that no search has found. One of too many paths, or whose paths are not
    /// listed before a stop, is passed over.
    ///
    /// # Errors
    /// [`AssessmentError`] when its case is not covered or the checker refuses.
    pub fn offer(
        &mut self,
        routing: &dyn Routing,
        progress: &Progress,
    ) -> Result<(), AssessmentError> {
        let topology = &self.question.topology;
        let Ok(paths) = embed::listed_up_to(topology, routing, MAX_LINKS, progress) else {
            return Ok(());
        };
        let named = Some(routing.spec().to_string());
        let lower = WeightedBound::default();
        self.offer_paths(paths, named, lower, &Effort::default(), progress)?;
        Ok(())
    }

    /// Offers listed paths with a lower bound on all routings; returns whether the routing was taken or is proven
    /// to be worse, and nothing left open how good it is.
    pub(super) fn offer_paths(
        &mut self,
        paths: Vec<PathRecord>,
        named: Option<String>,
        lower: WeightedBound,
        effort: &Effort<'_>,
        progress: &Progress,
    ) -> Result<bool, AssessmentError> {
        let LeastQuestion { topology, quantity, spec, .. } = &self.question;
        let count = paths.len();
        let Some(routing) = Listed::new(spec.clone(), topology.hosts(), paths) else {
            return Err(AssessmentError::MissesPair);
        };
        let routing = Box::new(routing) as Box<dyn Routing>;
        let instance = Instance::trusted(Arc::clone(topology), routing);
        let proved = proved(&instance, *quantity, self.symmetry.as_ref(), effort, progress)?;
        let assessment = concluded(&instance, &proved, self.least(lower), progress)?;
        let is_open = proved.cut || proved.unsolved.is_some();
        let found = ProvenRouting { instance, paths: count, named, assessment, proved };
        Ok(self.take(found) && !is_open)
    }

    /// The evidence that no routing is better: about permutations there is none, as traffic is a mean of them.
    fn least(&self, found: WeightedBound) -> Least {
        let floor = Some(&self.floor).filter(|floor| floor.0 > found.0).cloned();
        let (lower, dual_demands) = floor.unwrap_or(found);
        let LeastQuestion { quantity, among, .. } = &self.question;
        let (quantity, among) = (*quantity, among.clone());
        let is_evident = quantity != Quantity::PermutationLoad;
        let (lower, dual_demands) =
            if is_evident { (lower, dual_demands) } else { Default::default() };
        Least { quantity, lower, among, dual_demands }
    }

    fn take(&mut self, found: ProvenRouting) -> bool {
        let is_last = self.is_last && found.is_proven() && found.named.is_none();
        match &mut self.best {
            Some(known) if !(found.replaces(known) || (is_last && known.named.is_none())) => {
                let [upper, before] = [&found, &*known].map(|one| &one.assessment.routing.upper);
                // What is proven stays; that more was found is worth a line.
                if upper < before {
                    let claim = format!("{UNPROVEN}{}", decimal(upper, PLACES, true));
                    known.assessment.notes.retain(|note| !note.starts_with(UNPROVEN));
                    known.assessment.notes.push(claim);
                }
                // Why it is not known to be better.
                let notes = &mut known.assessment.notes;
                let new = found.assessment.notes.iter().filter(|note| !notes.contains(note));
                let new: Vec<String> = new.cloned().collect();
                notes.extend(new);
                found.is_proven()
            }
            best => {
                (self.keep)(&found);
                *best = Some(found);
                true
            }
        }
    }

    /// Gives the best one a lower bound on all routings that is better than its own, if the checker accepts that in
    /// time; otherwise a note about it.
    ///
    /// # Errors
    /// [`AssessmentError`] when the checker refuses.
    pub fn raise(
        &mut self,
        lower: WeightedBound,
        progress: &Progress,
    ) -> Result<(), AssessmentError> {
        let least = self.least(lower);
        let Some(best) = self.best.as_mut() else { return Ok(()) };
        best.assessment.notes.retain(|note| !note.starts_with(UNCHECKED));
        if best.assessment.optimum.lower < least.lower {
            let claim = format!("{UNCHECKED}{}", decimal(&least.lower, PLACES, false));
            let again = concluded(&best.instance, &best.proved, least, progress)?;
            if again.certificate.is_ok() || best.assessment.certificate.is_err() {
                let notes = std::mem::take(&mut best.assessment.notes);
                best.assessment = LeastAssessment { notes, ..again };
            } else {
                best.assessment.notes.push(claim);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::assessment::NoCertificate;
    use crate::progress::Stop;
    use crate::{routing, topology};

    fn question(spec: &str) -> LeastQuestion {
        let topology = Arc::new(topology::generate(spec).unwrap());
        let (quantity, among) = (Quantity::ObliviousRatio, Among::All);
        LeastQuestion { topology, quantity, among, spec: "table:found".into() }
    }

    /// The order in which routings come, and that the last one is stopped, changes nothing for the worse.
    #[test]
    fn what_is_proven_is_replaced_by_better_proofs_only() {
        let question = question("ft(4,2)");
        // So long ago that there is no time for proofs after it.
        let stop = || Stop::at(Some(Instant::now().checked_sub(Duration::from_secs(1)).unwrap()));
        let stopped = || Progress::silent().stopped_by(stop());
        for order in [["dmodk", "ecmp", "random(seed=1)"], ["ecmp", "random(seed=1)", "dmodk"]] {
            let mut kept: Vec<Rational> = Vec::new();
            let mut keep = |best: &ProvenRouting| {
                assert!(best.is_proven());
                kept.push(best.assessment.routing.upper.clone());
            };
            let mut best = BestProven::new(question.clone(), &mut keep);
            for name in order {
                let routing = routing::build(name, &question.topology).unwrap();
                best.offer(&*routing, &Progress::silent()).unwrap();
                let (topology, silent) = (&question.topology, Progress::silent());
                let paths = embed::listed_up_to(topology, &*routing, MAX_LINKS, &silent).unwrap();
                let lower = (Rational::ONE, Vec::new());
                assert!(
                    !best.offer_paths(paths, None, lower, &Effort::default(), &stopped()).unwrap()
                );
            }
            // There is no evidence for it, so the checker would refuse it.
            let lower = (Rational::new(3, 2).unwrap(), Vec::new());
            best.raise(lower, &stopped()).unwrap();
            let best = best.into_best().unwrap();
            let [note] = &*best.assessment.notes else { panic!("{:?}", best.assessment.notes) };
            assert_eq!(note, "found but not checked: no routing is below 3/2");
            assert_eq!(best.named.as_deref(), Some("ecmp"));
            assert_eq!(best.assessment.optimum.to_string(), "1 (proven)");
            assert!(kept.is_sorted_by(|before, after| before >= after), "{kept:?}");
        }
    }

    /// Against what hosts can send, no routing is below 1, of which the checker gets evidence.
    #[test]
    fn a_host_that_fills_its_links_is_a_bound() {
        let question = LeastQuestion { quantity: Quantity::HoseLoad, ..question("ft(4,2)") };
        for (name, bounds) in [("dmodk", "between 1 and 2 (proven)"), ("ecmp", "1 (proven)")] {
            let mut keep = |_: &ProvenRouting| {};
            let mut best = BestProven::new(question.clone(), &mut keep);
            let routing = routing::build(name, &question.topology).unwrap();
            best.offer(&*routing, &Progress::silent()).unwrap();
            assert_eq!(best.best().unwrap().assessment.optimum.to_string(), bounds, "{name}");
        }
    }

    /// A claim takes the place of nothing and of a worse claim, and is noted beside a proof.
    #[test]
    fn claims_come_second() {
        let question = question("ft(4,2)");
        let mut keep = |_: &ProvenRouting| {};
        let mut best = BestProven::new(question.clone(), &mut keep);
        let dmodk = routing::build("dmodk", &question.topology).unwrap();
        best.offer(&*dmodk, &Progress::silent()).unwrap();
        let mut claim = best.best().unwrap().clone();
        claim.assessment.certificate = Err(NoCertificate::Unfinished);
        claim.assessment.routing.upper = Rational::ONE;
        assert!(!best.take(claim));
        let kept = &best.best().unwrap().assessment;
        assert_eq!(kept.routing.to_string(), "2 (proven)");
        assert_eq!(kept.notes, ["found but not proven: a routing of at most 1"]);
    }

    /// The routing with which a search ends stands for what the search found before, but for nothing else.
    #[test]
    fn the_last_routing_of_a_search_is_its_result() {
        let question = question("ft(4,2)");
        let dmodk = routing::build("dmodk", &question.topology).unwrap();
        for (named, expected) in [(None, 2), (Some("ecmp".to_string()), 1)] {
            let mut keep = |_: &ProvenRouting| {};
            let mut best = BestProven::new(question.clone(), &mut keep);
            best.offer(&*dmodk, &Progress::silent()).unwrap();
            let last = ProvenRouting { named: None, ..best.best().unwrap().clone() };
            let mut before = ProvenRouting { named, ..last.clone() };
            before.assessment.routing.upper = Rational::ONE;
            assert!(best.take(before));
            best.expect_last();
            assert!(best.take(last));
            let upper = best.into_best().unwrap().assessment.routing.upper;
            assert_eq!(upper, Rational::from(expected));
        }
    }

    /// Of a large network not all paths are listed, which would take long.
    #[test]
    fn routings_of_many_paths_are_passed_over() {
        let question = question("ft(32,2)");
        let ecmp = routing::build("ecmp", &question.topology).unwrap();
        let mut keep = |_: &ProvenRouting| {};
        let mut best = BestProven::new(question.clone(), &mut keep);
        best.offer(&*ecmp, &Progress::silent()).unwrap();
        assert!(best.best().is_none());
    }
}
