//! Assessing a tree of any size by digits.

use super::checked::PROVING;
use super::{AssessmentError, NoCertificate};
use crate::bounds::{Bounds, Evidence};
use crate::by_digits::{ByDigits, ByDigitsError, WorstByDigits};
use crate::certificate::{Certificate, Quantity};
use crate::generators::Named;
use crate::generators::checker::{Check, Refusal};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::worst_case::{BY_SHAPE, BY_SHAPE_AND_COUNT};

/// The assessment of a routing whose up-digits single digits decide, as far as it was worked out.
#[derive(Clone, Debug)]
pub struct ByDigitsAssessment {
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Bounds,
    /// The maximum max load of a permutation.
    pub permutation_load: Bounds,
    /// The worst case over all traffic.
    pub ratio: WorstByDigits,
    /// The worst case over permutations.
    pub permutations: WorstByDigits,
    /// Proves both; or why nothing does.
    pub certificate: Result<Certificate, NoCertificate>,
    /// Whether the work ran to completion; if not, the bounds are claimed.
    pub complete: bool,
}

/// Finds the worst case by digits, and has its certificate checked: [`AssessByDigits`] with its defaults.
///
/// # Errors
/// [`AssessmentError`] where there are too many classes of links, or the checker refuses.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::assess_by_digits, by_digits::ByDigits};
/// let found = assess_by_digits(&ByDigits::named("ft(48,3)", "osrm3")?)?;
/// assert_eq!(found.oblivious_ratio.to_string(), "24 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_by_digits(form: &ByDigits) -> Result<ByDigitsAssessment, AssessmentError> {
    AssessByDigits::new().run(form)
}

/// An assessment to be made, as [`assess_by_digits`] makes it unless something is said to differ.
#[derive(Default)]
#[must_use = "nothing is assessed before `run`"]
pub struct AssessByDigits<'a> {
    progress: Option<&'a Progress>,
    keep: Option<&'a mut dyn FnMut(&ByDigitsAssessment)>,
}

impl<'a> AssessByDigits<'a> {
    /// An assessment with default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells how far the work is, and stops it. After a stop, what was found until then is checked as far as a grace
    /// period allows.
    pub fn progress(self, progress: &'a Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// `keep` receives what is known before each part of the work that may take long: none where single digits decide.
    pub fn keep(self, keep: &'a mut dyn FnMut(&ByDigitsAssessment)) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Finds the worst case by digits, and has its certificate checked.
    ///
    /// # Errors
    /// As [`assess_by_digits`].
    pub fn run(self, form: &ByDigits) -> Result<ByDigitsAssessment, AssessmentError> {
        let silent = Progress::silent();
        let progress = self.progress.unwrap_or(&silent);
        let mut known = ByDigitsAssessment::unexamined(form);
        let mut keep = self.keep.filter(|_| form.is_by_both());
        let mut keep = |known: &ByDigitsAssessment| {
            if let Some(keep) = &mut keep {
                keep(known);
            }
        };
        for quantity in [Quantity::ObliviousRatio, Quantity::PermutationLoad] {
            keep(&known);
            match form.worst(quantity, progress) {
                Ok(worst) => known.learn(worst),
                Err(ByDigitsError::Stopped(_)) => return Ok(known),
                Err(error) => return Err(error.into()),
            }
        }
        keep(&known);
        known.check(form, progress)?;
        Ok(known)
    }
}

impl ByDigitsAssessment {
    /// What is known without any work.
    fn unexamined(form: &ByDigits) -> Self {
        let [ratio, permutations] =
            [Quantity::ObliviousRatio, Quantity::PermutationLoad].map(|q| form.unexamined(q));
        let bounds = |worst: &WorstByDigits| {
            let shape = form.shape_bounds(worst.witness.quantity);
            let why = if shape.counted { BY_SHAPE_AND_COUNT } else { BY_SHAPE };
            let lower = worst.load.clone().max(shape.least);
            // No routing has a max load below optu.
            let is_ratio = worst.witness.quantity == Quantity::ObliviousRatio;
            let lower = if is_ratio { lower.max(Rational::ONE) } else { lower };
            Bounds { lower, upper: worst.most.clone(), evidence: Evidence::Claimed(why.into()) }
        };
        Self {
            oblivious_ratio: bounds(&ratio),
            permutation_load: bounds(&permutations),
            ratio,
            permutations,
            certificate: Err(NoCertificate::Unfinished),
            complete: false,
        }
    }

    /// Takes over a worst case that was found.
    fn learn(&mut self, worst: WorstByDigits) {
        let evidence = Evidence::Claimed("by digits, no checker has seen the certificate".into());
        let bounds = Bounds { lower: worst.load.clone(), upper: worst.most.clone(), evidence };
        if worst.witness.quantity == Quantity::ObliviousRatio {
            (self.oblivious_ratio, self.ratio) = (bounds, worst);
        } else {
            (self.permutation_load, self.permutations) = (bounds, worst);
        }
    }

    /// Has the certificate of both worst cases checked.
    fn check(&mut self, form: &ByDigits, progress: &Progress) -> Result<(), AssessmentError> {
        let certificate =
            Certificate::Product(form.certificate(&[&self.ratio, &self.permutations]));
        let progress = progress.afterwards(PROVING);
        let evidence = match Check::new(&Named).progress(&progress).run(&certificate) {
            Ok(_) => {
                (self.complete, self.certificate) = (true, Ok(certificate));
                Evidence::Proven
            }
            Err(Refusal::Stopped(_)) => return Ok(()),
            Err(Refusal::TooLarge(limit)) => {
                let evidence = Evidence::Claimed(format!("by digits, not checked: {limit}"));
                self.certificate = Err(limit.into());
                evidence
            }
            Err(refusal) => return Err(refusal.into()),
        };
        self.oblivious_ratio.evidence = evidence.clone();
        self.permutation_load.evidence = evidence;
        Ok(())
    }

    /// Bounds of the maximum max load ÷ optu of a permutation. They are those of the oblivious
    /// ratio: what the witness sends at any level is a multiple of what a host sends, and so are the
    /// capacities of subtrees, so there is a permutation, up to its scale, that sends as much. The
    /// certificate claims the oblivious ratio only.
    #[must_use]
    pub fn permutation_ratio(&self) -> Bounds {
        let by = match &self.oblivious_ratio.evidence {
            Evidence::Claimed(why) => why.clone(),
            _ => "that of all traffic is proven, and integral flows attain it".to_string(),
        };
        Bounds { evidence: Evidence::Claimed(by), ..self.oblivious_ratio.clone() }
    }
}
