//! Assessing an instance: its worst case is found and proved, and the proof is checked.
//!
//! This is where `claimed` becomes `proven`: the analysis finds bounds and writes a certificate,
//! the independent checker reads it, and only what the checker accepts is called proven. Verbs and
//! studies take their numbers from here.
//!
//! Nothing is proven that nobody could read: the checker first verifies that the certificate, once written, is within
//! the limits of its format.
//!
//! ```
//! # use routebound_analysis as routebound;
//! use routebound::{assessment::assess, generators::checker, routing::Instance};
//! let assessment = assess(&Instance::named("ft(8,3)", "dmodk")?)?;
//! assert_eq!(assessment.oblivious_ratio.to_string(), "7 (proven)");
//! // The certificate proves it to anyone.
//! let certificate = assessment.certificate?.to_string();
//! assert_eq!(checker::check_text(&certificate)?[0].lower, 7.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "highs")]
mod adaptive;
#[cfg(feature = "highs")]
mod adaptive_bounds;
#[cfg(feature = "highs")]
mod adaptive_sets;
mod approach;
mod builder;
mod by_digits;
mod checked;
mod least;
mod leaving;
mod no_certificate;
#[cfg(feature = "highs")]
mod optimal;
mod optimum;
mod optimum_classes;
mod optimum_error;
mod optimum_found;
mod optimum_options;
mod optimum_search;
mod permutations;
mod programs;
mod proven_routing;
mod rough;
mod tables;

#[cfg(feature = "highs")]
pub use adaptive::assess_adaptive;
#[cfg(feature = "highs")]
pub use adaptive_bounds::AdaptiveAssessment;
pub use builder::{Assess, assess};
pub use by_digits::{AssessByDigits, ByDigitsAssessment, assess_by_digits};
pub(crate) use checked::forms;
pub use least::{LeastAssessment, assess_least};
pub use leaving::WeightedBound;
pub use no_certificate::NoCertificate;
#[cfg(feature = "highs")]
pub use optimal::{OptimalAssessment, OptimalAssessmentError, OptimalQuestion, assess_optimal};
pub use optimum::{AssessOptimum, OptimumAssessment, assess_optimum};
pub use optimum_error::OptimumError;
pub use optimum_options::OptimumMethod;
pub use proven_routing::{BestProven, LeastQuestion, ProvenRouting};
pub use rough::{rough_optimum, rough_worst_case};
pub use tables::{TablesAssessment, assess_tables};

use std::sync::Arc;
use std::time::Instant;

use crate::bounds::{Bounds, Evidence, Witness};
use crate::by_digits::ByDigitsError;
use crate::certificate::{Certificate, Quantity};
use crate::checker::Refusal;
use crate::progress::{Interrupted, Progress, Stop, Told};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::Units;
use crate::symmetry::Symmetry;
use crate::worst_case::{self, Analyse, Bin, Method, WorstCase, WorstCaseError, histogram};
use approach::{Approach, scope, symmetry};
use checked::Checked;
use permutations::{only_permutations, permutation_ratio};
use programs::{before_programs, closed};

/// The assessment of an instance: bounds on the harm that traffic can do to it, and their certificate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assessment {
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Bounds,
    /// The maximum max load of a permutation.
    pub permutation_load: Bounds,
    /// The maximum max load ÷ optu of a permutation.
    pub permutation_ratio: Bounds,
    /// Traffic that attains the lower side of the oblivious ratio, where any is known.
    pub witness: Witness,
    /// The ratio of that traffic. It is less than the lower side where that is known without traffic, or where the
    /// work was stopped before any was found.
    pub attained: Rational,
    /// Method by which the worst cases of the links were found.
    pub method: Method,
    /// Histogram of the links' worst cases over permutations, by level, direction and load.
    pub histogram: Vec<Bin>,
    /// For every link, an upper bound on its ratio, not checked by itself; `None` where none is known.
    pub links: Vec<Option<Rational>>,
    /// Proves the oblivious ratio, and the permutation load too unless there is a second
    /// certificate; or why nothing does.
    pub certificate: Result<Certificate, NoCertificate>,
    /// Proves the permutation load where hosts are not all of capacity 1.
    pub permutation_certificate: Option<Certificate>,
    /// The classes of links of which one was analysed for all, where there are such.
    pub symmetry: Option<Arc<Symmetry>>,
    /// Whether the work ran to completion; if not, the bounds are wider than they might be.
    pub complete: bool,
    /// Why bounds are wider than they might be, other than by a stop.
    pub notes: Vec<String>,
}

/// Why an assessment failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum AssessmentError {
    #[error(transparent)]
    WorstCase(#[from] WorstCaseError),
    #[error(transparent)]
    Product(#[from] ByDigitsError),
    #[error("{0}")]
    Interrupted(#[from] Interrupted),
    #[error(
        "internal error: the checker refuses the certificate of this analysis: {0}; please report it"
    )]
    Refused(#[from] Refusal),
    /// A pair has no path, or the shares of its paths do not sum to 1.
    #[error(
        "internal error: the routing that was found does not serve every SD pair; please report it"
    )]
    MissesPair,
}

impl AssessmentError {
    /// Whether it is an internal error, which must be reported whatever else is known.
    #[cfg(feature = "highs")]
    fn is_defect(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::MissesPair)
    }
}

/// The assessment before any SD pair is looked at: bounds from hosts and cuts.
///
/// # Errors
/// [`AssessmentError`] when the case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::unexamined, routing::Instance};
/// let known = unexamined(&Instance::named("ft(8,3)", "dmodk")?)?.oblivious_ratio;
/// // Counting shows that no single-path routing of this tree has less than 4; the exact value is 7.
/// assert_eq!((known.lower, known.upper), (4.into(), 16.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unexamined(instance: &Instance) -> Result<Assessment, AssessmentError> {
    let at_once = Progress::silent().stopped_by(Stop::at(Some(Instant::now())));
    let claimed = |quantity| {
        let worst = Analyse::of(quantity).progress(&at_once).run(instance)?;
        let checked = Checked::claimed(&worst_case::prove(instance, &worst));
        Ok::<_, AssessmentError>((worst, checked))
    };
    let (worst, ratio) = claimed(Quantity::ObliviousRatio)?;
    let load = match ratio.permutation_load() {
        Some(load) => load,
        None => claimed(Quantity::PermutationLoad)?.1.own(),
    };
    Assessment::of(instance, &worst, ratio, load, &at_once)
}

fn found(
    instance: &Instance,
    approach: Approach,
    units: &Units,
    progress: &Progress,
    keep: &mut dyn FnMut(&Assessment),
) -> Result<Assessment, AssessmentError> {
    let (topology, form) = (&instance.topology, approach.form);
    progress.tell(Told::Step("worst case of every link"));
    let classes = symmetry(instance, approach, progress);
    let analyse = Analyse::of(Quantity::ObliviousRatio).scope(scope(approach, classes.as_ref()));
    let mut worst = analyse.units(units).progress(progress).run(instance)?;
    progress.tell(Told::Step("proving it"));
    let proof = worst_case::prove(instance, &worst);
    let proof = worst_case::rerouted(topology, &worst, proof, progress);
    let ratio = Checked::of(instance, &proof, None, form, progress)?;
    let mut assessment = match ratio.permutation_load() {
        Some(load) => Assessment::of(instance, &worst, ratio, load, progress)?,
        None => with_permutations(instance, &worst, ratio, approach, units, progress)?,
    };
    if proof.bounds.exact().is_some() || !worst.is_covered() || !approach.programs {
        return Ok(assessment);
    }
    keep(&assessment);
    progress.tell(Told::Step("cuts"));
    let proof = match worst_case::under_cuts(instance, &mut worst, &proof, progress) {
        None => proof,
        Some(proof) => {
            let ratio = Checked::of(instance, &proof, None, form, progress)?;
            assessment.refine(instance, ratio, progress)?;
            assessment.method = worst.method;
            assessment.links = worst.upper_by_link();
            if proof.bounds.exact().is_some() {
                return Ok(assessment);
            }
            keep(&assessment);
            proof
        }
    };
    progress.tell(Told::Step("linear programs"));
    let late = before_programs(instance, approach, &mut worst, progress);
    assessment.symmetry = assessment.symmetry.or(late);
    let (refined, note) = closed(instance, &mut worst, proof.clone(), units, progress);
    assessment.notes.extend(note);
    assessment.method = worst.method;
    assessment.links = worst.upper_by_link();
    let is_exact = refined.bounds.exact().is_some();
    assessment.complete &= worst.is_complete() && (is_exact || !progress.cancelled());
    if refined.bounds != proof.bounds {
        let ratio = Checked::of(instance, &refined, None, form, progress)?;
        assessment.refine(instance, ratio, progress)?;
    }
    Ok(assessment)
}

/// The assessment where the evidence for the ratio does not cover the permutation load, which gets
/// a separate analysis.
fn with_permutations(
    instance: &Instance,
    worst: &WorstCase,
    ratio: Checked,
    approach: Approach,
    units: &Units,
    progress: &Progress,
) -> Result<Assessment, AssessmentError> {
    let (form, scope) = (approach.form, scope(approach, worst.symmetry()));
    let analyse = Analyse::of(Quantity::PermutationLoad).scope(scope);
    progress.tell(Told::Step("permutations"));
    let permutations = analyse.units(units).progress(progress).run(instance)?;
    let proof = worst_case::prove(instance, &permutations);
    let load = Checked::of(instance, &proof, None, form, progress)?;
    let mut assessment = Assessment::of(instance, worst, ratio, load.own(), progress)?;
    let limit = load.limit();
    assessment.permutation_certificate = load.certificate.ok();
    assessment.histogram = histogram(&instance.topology, &permutations);
    assessment.complete &= permutations.is_complete();
    assessment.fall_short(permutations.unsolved.as_ref());
    assessment.fall_short(limit.as_ref());
    Ok(assessment)
}

impl Assessment {
    /// The assessment from matchings and flows.
    fn of(
        instance: &Instance,
        worst: &WorstCase,
        ratio: Checked,
        permutation_load: Bounds,
        progress: &Progress,
    ) -> Result<Self, AssessmentError> {
        let (oblivious_ratio, limit) = (ratio.own(), ratio.limit());
        let witness = &ratio.witness;
        let mut assessment = Self {
            permutation_ratio: permutation_ratio(instance, &oblivious_ratio, witness, progress)?,
            permutation_load,
            oblivious_ratio,
            witness: ratio.witness,
            attained: ratio.attained,
            method: worst.method,
            histogram: histogram(&instance.topology, worst),
            links: worst.upper_by_link(),
            certificate: ratio.certificate,
            permutation_certificate: None,
            symmetry: worst.symmetry().cloned(),
            complete: worst.is_complete(),
            notes: Vec::new(),
        };
        assessment.fall_short(worst.unsolved.as_ref());
        assessment.fall_short(limit.as_ref());
        Ok(assessment)
    }

    /// What a stop left unproven is not complete, even where its bounds are exact.
    fn unless_cut(mut self, progress: &Progress) -> Self {
        let is_proven = |bounds: &Bounds| bounds.evidence == Evidence::Proven;
        let are_proven = is_proven(&self.oblivious_ratio) && is_proven(&self.permutation_load);
        self.complete &= are_proven || !progress.cancelled();
        self
    }

    /// Notes why something is not known, or not proven, although the work was not stopped.
    fn fall_short(&mut self, why: Option<&impl ToString>) {
        let Some(why) = why.map(ToString::to_string) else { return };
        self.complete = false;
        if !self.notes.contains(&why) {
            self.notes.push(why);
        }
    }

    /// Adopts the bounds from cuts or linear programs, which leave the permutation load as it is: proven
    /// ones, or any where none are proven yet.
    fn refine(
        &mut self,
        instance: &Instance,
        ratio: Checked,
        progress: &Progress,
    ) -> Result<(), AssessmentError> {
        self.fall_short(ratio.limit().as_ref());
        let refined = ratio.own();
        let is_proven = |bounds: &Bounds| bounds.evidence == Evidence::Proven;
        if is_proven(&self.oblivious_ratio) && !is_proven(&refined) {
            self.notes.push(format!("found but not checked: oblivious ratio {refined}"));
            return Ok(());
        }
        let permutations = permutation_ratio(instance, &refined, &ratio.witness, progress)?;
        // The witness before may have been a permutation.
        let lower = permutations.lower.clone().max(self.permutation_ratio.lower.clone());
        self.permutation_ratio = Bounds { lower, ..permutations };
        let known = std::mem::replace(&mut self.certificate, ratio.certificate);
        if self.permutation_certificate.is_none() {
            self.permutation_certificate = known.ok().and_then(only_permutations);
        }
        self.oblivious_ratio = refined;
        (self.witness, self.attained) = (ratio.witness, ratio.attained);
        Ok(())
    }
}
