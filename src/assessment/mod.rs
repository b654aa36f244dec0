//! An instance assessed: its worst case found, proved, and the proof checked.
//!
//! This is where `claimed` becomes `proven`: the analysis finds bounds and writes a
//! certificate, the independent checker reads it, and only what the checker accepts is said to
//! be proven. Verbs and studies take their numbers from here.

mod least;
mod optimum;

#[cfg(feature = "highs")]
pub use least::assess_least_knowing;
pub use least::{LeastAssessment, assess_least};
pub use optimum::{OptimumAssessment, OptimumError, OptimumMethod, assess_optimum, rough_optimum};

use std::path::Path;
use std::time::{Duration, Instant};

use itertools::Itertools;

use crate::bounds::{Bounds, Evidence, Witness};
use crate::certificate::{
    Certificate, Demand, EmbedError, Least, NetworkForm, Quantity, RoutingForm,
    WorstCaseCertificate,
};
use crate::checker::{self, Accepted, Refusal};
#[cfg(feature = "highs")]
use crate::lp::worst_demand::close as closed;
use crate::progress::{Progress, Stop};
use crate::ratio::Ratio;
use crate::routing::Instance;
use crate::spec::Spec;
use crate::topology::Host;
use crate::worst_case::{self, Bin, Method, Proof, WorstCase, WorstCaseError, analyse, histogram};

/// How badly traffic can hurt an instance.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Bounds,
    /// The greatest max load of a permutation.
    pub permutation_load: Bounds,
    /// The greatest max load ÷ optu of a permutation.
    pub permutation_ratio: Bounds,
    /// Traffic that attains the lower side of the oblivious ratio.
    pub witness: Witness,
    /// How the worst cases of the links were found.
    pub method: Method,
    /// Worst case of every link over permutations, counted by level, direction and load.
    pub histogram: Vec<Bin>,
    /// Proves the oblivious ratio, and the permutation load too unless there is a second one.
    pub certificate: Option<Certificate>,
    /// Proves the permutation load where hosts are not all of capacity 1.
    pub permutation_certificate: Option<Certificate>,
    /// Whether the work went to its end; if not, the bounds are wider than they might be.
    pub complete: bool,
    /// Why bounds are wider than they might be, where that is not a stop.
    pub notes: Vec<String>,
}

/// Which form the certificate has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Named where the specs suffice to make the instance again, embedded elsewhere.
    Shortest,
    /// Embedded always.
    Embedded,
}

/// Why there is no assessment.
#[derive(Debug, thiserror::Error)]
pub enum AssessmentError {
    /// The analysis does not cover the case.
    #[error("{0}")]
    WorstCase(#[from] WorstCaseError),
    /// The instance cannot be written out.
    #[error("{0}")]
    Embed(#[from] EmbedError),
    /// The checker refuses what the analysis found: a defect of this program.
    #[error("the checker refuses the certificate of this analysis, which is a defect: {0}")]
    Refused(#[from] Refusal),
}

/// Analyses an instance, proves the result and has the proof checked.
///
/// # Errors
/// [`AssessmentError`] when the case is not covered or the checker refuses.
///
/// ```
/// use routebound::{assessment::{Form, assess}, progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(16,2)", "grid")?;
/// let assessment = assess(&instance, Form::Shortest, &Progress::silent())?;
/// assert_eq!(assessment.oblivious_ratio.to_string(), "3 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess(
    instance: &Instance,
    form: Form,
    progress: &Progress,
) -> Result<Assessment, AssessmentError> {
    found(instance, form, progress, &mut |_| {})
}

/// The same; `keep` gets what is known before each part of the work that may take long.
///
/// What takes polynomial time comes first: matchings bound the oblivious ratio of every network
/// and settle the worst permutation load, and the checker sees both before a linear programme
/// begins. After a stop, what was found until then is proven as far as a moment allows.
///
/// # Errors
/// As [`assess`].
pub fn assess_keeping(
    instance: &Instance,
    form: Form,
    progress: &Progress,
    keep: &mut dyn FnMut(&Assessment),
) -> Result<Assessment, AssessmentError> {
    keep(&unexamined(instance)?);
    found(instance, form, progress, keep)
}

/// What is known without any work.
fn unexamined(instance: &Instance) -> Result<Assessment, AssessmentError> {
    let at_once = Progress::silent().stopped_by(Stop::at(Some(Instant::now())));
    let worst = analyse(instance, Quantity::ObliviousRatio, &at_once)?;
    let claimed = Checked::claimed(&worst_case::prove(&instance.topology, &worst));
    Assessment::of(instance, &worst, claimed, &at_once)
}

fn found(
    instance: &Instance,
    form: Form,
    progress: &Progress,
    keep: &mut dyn FnMut(&Assessment),
) -> Result<Assessment, AssessmentError> {
    let topology = &instance.topology;
    let mut worst = analyse(instance, Quantity::ObliviousRatio, progress)?;
    let proof = worst_case::prove(topology, &worst);
    let proof = worst_case::rerouted(topology, &worst, proof, progress);
    let ratio = Checked::of(instance, &proof, None, form, progress)?;
    let mut assessment = Assessment::of(instance, &worst, ratio, progress)?;
    if !worst.proves_permutation_load() {
        assessment.add_permutations(instance, form, progress)?;
    }
    if proof.bounds.exact().is_some() || !worst.is_covered() {
        return Ok(assessment);
    }
    keep(&assessment);
    let (refined, note) = closed(instance, &mut worst, proof.clone(), progress);
    assessment.notes.extend(note);
    assessment.method = worst.method;
    let is_exact = refined.bounds.exact().is_some();
    assessment.complete &= worst.is_complete() && (is_exact || !progress.cancelled());
    if refined.bounds != proof.bounds {
        let ratio = Checked::of(instance, &refined, None, form, progress)?;
        assessment.refine(instance, ratio, progress)?;
    }
    Ok(assessment)
}

impl Assessment {
    /// What matchings and flows say. The permutation load is part of it, or else unknown.
    fn of(
        instance: &Instance,
        worst: &WorstCase,
        ratio: Checked,
        progress: &Progress,
    ) -> Result<Self, AssessmentError> {
        let oblivious_ratio = ratio.take(Quantity::ObliviousRatio.name());
        let witness = &ratio.witness;
        Ok(Self {
            permutation_ratio: permutation_ratio(instance, &oblivious_ratio, witness, progress)?,
            permutation_load: ratio.take(Quantity::PermutationLoad.name()),
            oblivious_ratio,
            witness: ratio.witness,
            method: worst.method,
            histogram: histogram(&instance.topology, worst),
            certificate: ratio.certificate,
            permutation_certificate: None,
            complete: worst.is_complete(),
            notes: Vec::new(),
        })
    }

    /// Adds the permutation load where the evidence about the ratio does not hold it.
    fn add_permutations(
        &mut self,
        instance: &Instance,
        form: Form,
        progress: &Progress,
    ) -> Result<(), AssessmentError> {
        let worst = analyse(instance, Quantity::PermutationLoad, progress)?;
        let proof = worst_case::prove(&instance.topology, &worst);
        let load = Checked::of(instance, &proof, None, form, progress)?;
        self.permutation_load = load.take(Quantity::PermutationLoad.name());
        self.permutation_certificate = load.certificate;
        self.histogram = histogram(&instance.topology, &worst);
        self.complete &= worst.is_complete();
        Ok(())
    }

    /// Takes the bounds of linear programmes, which leave the permutation load as it is: proven
    /// ones, or any where none are proven yet.
    fn refine(
        &mut self,
        instance: &Instance,
        ratio: Checked,
        progress: &Progress,
    ) -> Result<(), AssessmentError> {
        let refined = ratio.take(Quantity::ObliviousRatio.name());
        let is_proven = |bounds: &Bounds| bounds.evidence == Evidence::Proven;
        if is_proven(&self.oblivious_ratio) && !is_proven(&refined) {
            self.notes.push(format!("not checked any more: oblivious ratio {refined}"));
            return Ok(());
        }
        self.permutation_ratio = permutation_ratio(instance, &refined, &ratio.witness, progress)?;
        if self.permutation_certificate.is_none() {
            let known = self.certificate.take();
            self.permutation_certificate = known.map(only_permutations);
        }
        self.oblivious_ratio = refined;
        self.witness = ratio.witness;
        self.certificate = ratio.certificate;
        Ok(())
    }
}

/// A certificate of several claims without those that are not about permutations.
fn only_permutations(mut certificate: Certificate) -> Certificate {
    if let Certificate::WorstCase(certificate) = &mut certificate {
        certificate.claims.retain(|claim| claim.quantity == Quantity::PermutationLoad);
    }
    certificate
}

/// Time after a stop for the proof of what was found.
const PROVING: Duration = Duration::from_millis(350);

#[cfg(not(feature = "highs"))]
fn closed(
    _: &Instance,
    worst: &mut WorstCase,
    proof: Proof,
    progress: &Progress,
) -> (Proof, Option<String>) {
    if proof.bounds.exact().is_some() || !worst.is_covered() || progress.cancelled() {
        return (proof, None);
    }
    let note = "this build has no linear programmes (feature `highs`), which might close the gap";
    (proof, Some(note.to_string()))
}

/// Bounds of the permutation ratio. It is at most the oblivious ratio, and where that is
/// attained by a permutation they are the same: a ratio does not change with the scale of the
/// traffic. Else the trees have a method of their own.
fn permutation_ratio(
    instance: &Instance,
    ratio: &Bounds,
    witness: &Witness,
    progress: &Progress,
) -> Result<Bounds, AssessmentError> {
    if is_permutation(witness) {
        return Ok(ratio.clone());
    }
    let claimed = |text: &str| Evidence::Claimed(text.to_string());
    Ok(if let Some(exact) = worst_case::permutation_ratio(instance, progress)? {
        let evidence = claimed("maximum flows at every scale of optu");
        Bounds { lower: exact.clone(), upper: exact, evidence }
    } else {
        let evidence = claimed("at most the oblivious ratio");
        Bounds { lower: Ratio::ONE, upper: ratio.upper.clone(), evidence }
    })
}

/// Whether every host has at most one demand to send and one to receive, all of one amount.
fn is_permutation(witness: &Witness) -> bool {
    let demands = &witness.demands;
    let distinct = |end: fn(&Demand) -> Host| demands.iter().map(end).all_unique();
    distinct(|demand| demand.s)
        && distinct(|demand| demand.d)
        && demands.iter().map(|demand| &demand.amount).all_equal()
}

/// A proof and what the checker said.
struct Checked {
    bounds: Vec<(&'static str, Bounds)>,
    claimed: Proof,
    witness: Witness,
    certificate: Option<Certificate>,
}

impl Checked {
    /// A proof that nobody has checked.
    fn claimed(proof: &Proof) -> Self {
        Self {
            bounds: Vec::new(),
            claimed: proof.clone(),
            witness: proof.witness.clone(),
            certificate: None,
        }
    }

    fn of(
        instance: &Instance,
        proof: &Proof,
        least: Option<Least>,
        form: Form,
        progress: &Progress,
    ) -> Result<Self, AssessmentError> {
        let mut checked = Self::claimed(proof);
        // After a stop a moment is left for the proof.
        let progress = progress.afterwards(PROVING);
        if !proof.has_evidence() || progress.cancelled() {
            return Ok(checked);
        }
        let (network, routing) = match forms(instance, form, &progress) {
            Err(EmbedError::Stopped(_)) => return Ok(checked),
            forms => forms?,
        };
        if let Some(certificate) = proof.certificate(network, routing) {
            let certificate = Certificate::WorstCase(WorstCaseCertificate { least, ..certificate });
            let proven = |Accepted { quantity, lower, upper }| {
                (quantity, Bounds { lower, upper, evidence: Evidence::Proven })
            };
            let accepted = match checker::check_until(&certificate, Path::new(""), &progress) {
                Err(Refusal::Stopped(_)) => return Ok(checked),
                accepted => accepted?,
            };
            checked.bounds = accepted.into_iter().map(proven).collect();
            checked.certificate = Some(certificate);
        }
        Ok(checked)
    }

    /// The bounds of a quantity, by its name in certificates, that the checker accepted.
    fn known(&self, quantity: &str) -> Option<Bounds> {
        let known = self.bounds.iter().find(|(known, _)| *known == quantity);
        known.map(|(_, bounds)| bounds.clone())
    }

    /// The same, or those of the analysis.
    fn take(&self, quantity: &str) -> Bounds {
        let permutations = quantity == Quantity::PermutationLoad.name();
        let claimed = self.claimed.permutation_load.clone().filter(|_| permutations);
        self.known(quantity).or(claimed).unwrap_or_else(|| self.claimed.bounds.clone())
    }
}

/// Network and routing by their specs where these make them again, else written out.
fn forms(
    instance: &Instance,
    form: Form,
    progress: &Progress,
) -> Result<(NetworkForm, RoutingForm), EmbedError> {
    let Instance { topology, routing } = instance;
    let named = form == Form::Shortest && topology.is_named_tree();
    let has_file = Spec::parse(routing.spec()).map_or(true, |spec| spec.path.is_some());
    let network = if named {
        NetworkForm::Named(topology.spec().to_string())
    } else {
        NetworkForm::embed(topology)
    };
    let routing = if named && !has_file {
        RoutingForm::Named(routing.spec().to_string())
    } else {
        RoutingForm::embed(instance, progress)?
    };
    Ok((network, routing))
}
