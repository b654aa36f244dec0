//! Assessing a tree of any size by its product form.

use std::path::Path;

use super::AssessmentError;
use super::checked::PROVING;
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Quantity};
use crate::generators::checker::{self, Refusal};
use crate::product::{ProductError, ProductForm, ProductWorst};
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::worst_case::{BY_SHAPE, BY_SHAPE_AND_COUNT};

/// How badly traffic can hurt a routing whose up-digits single digits decide, as far as it was worked
/// out.
#[derive(Clone, Debug)]
pub struct ProductAssessment {
    /// sup of max load ÷ optu over all traffic.
    pub oblivious_ratio: Bounds,
    /// The greatest max load of a permutation.
    pub permutation_load: Bounds,
    /// The worst case over all traffic.
    pub ratio: ProductWorst,
    /// The worst case over permutations.
    pub permutations: ProductWorst,
    /// Proves both.
    pub certificate: Option<Certificate>,
    /// Why the bounds are not proven, where that is a limit.
    pub limit: Option<String>,
    /// Whether the work ran to completion; if not, the bounds are claimed.
    pub complete: bool,
}

/// Finds the worst case of a product form, and has its certificate checked. After a stop, what was
/// found until then is checked as far as a grace period allows.
///
/// # Errors
/// [`AssessmentError`] where there are too many classes of links, or the checker refuses.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{assessment::assess_product, product::ProductForm, progress::Progress};
/// let form = ProductForm::named("ft(48,3)", "osrm3")?;
/// let found = assess_product(&form, &Progress::silent())?;
/// assert_eq!(found.oblivious_ratio.to_string(), "24 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_product(
    form: &ProductForm,
    progress: &Progress,
) -> Result<ProductAssessment, AssessmentError> {
    assess_product_keeping(form, progress, &mut |_| {})
}

/// The same; `keep` receives what is known before each part of the work that may take long: none
/// where single digits decide.
///
/// # Errors
/// As [`assess_product`].
pub fn assess_product_keeping(
    form: &ProductForm,
    progress: &Progress,
    keep: &mut dyn FnMut(&ProductAssessment),
) -> Result<ProductAssessment, AssessmentError> {
    let mut known = ProductAssessment::unexamined(form);
    let mut keep = |known: &ProductAssessment| {
        if form.is_by_both() {
            keep(known);
        }
    };
    for quantity in [Quantity::ObliviousRatio, Quantity::PermutationLoad] {
        keep(&known);
        match form.worst(quantity, progress) {
            Ok(worst) => known.learn(worst),
            Err(ProductError::Stopped(_)) => return Ok(known),
            Err(error) => return Err(error.into()),
        }
    }
    keep(&known);
    known.check(form, progress)?;
    Ok(known)
}

impl ProductAssessment {
    /// What is known without any work.
    fn unexamined(form: &ProductForm) -> Self {
        let [ratio, permutations] =
            [Quantity::ObliviousRatio, Quantity::PermutationLoad].map(|q| form.unexamined(q));
        let bounds = |worst: &ProductWorst| {
            let shape = form.shape_bounds(worst.witness.quantity);
            let why = if shape.counted { BY_SHAPE_AND_COUNT } else { BY_SHAPE };
            let lower = worst.load.clone().max(shape.least);
            // No routing has a max load below optu.
            let is_ratio = worst.witness.quantity == Quantity::ObliviousRatio;
            let lower = if is_ratio { lower.max(Ratio::ONE) } else { lower };
            Bounds { lower, upper: worst.most.clone(), evidence: Evidence::Claimed(why.into()) }
        };
        Self {
            oblivious_ratio: bounds(&ratio),
            permutation_load: bounds(&permutations),
            ratio,
            permutations,
            certificate: None,
            limit: None,
            complete: false,
        }
    }

    /// Takes over a worst case that was found.
    fn learn(&mut self, worst: ProductWorst) {
        let evidence =
            Evidence::Claimed("product form, no checker has seen the certificate".into());
        let bounds = Bounds { lower: worst.load.clone(), upper: worst.most.clone(), evidence };
        if worst.witness.quantity == Quantity::ObliviousRatio {
            (self.oblivious_ratio, self.ratio) = (bounds, worst);
        } else {
            (self.permutation_load, self.permutations) = (bounds, worst);
        }
    }

    /// Has the certificate of both worst cases checked.
    fn check(&mut self, form: &ProductForm, progress: &Progress) -> Result<(), AssessmentError> {
        let certificate =
            Certificate::Product(form.certificate(&[&self.ratio, &self.permutations]));
        let progress = progress.afterwards(PROVING);
        let evidence = match checker::check_until(&certificate, Path::new(""), &progress) {
            Ok(_) => Evidence::Proven,
            Err(Refusal::Stopped(_)) => return Ok(()),
            Err(Refusal::TooLarge(limit)) => {
                let limit = self.limit.insert(limit.to_string());
                Evidence::Claimed(format!("product form, not checked: {limit}"))
            }
            Err(refusal) => return Err(refusal.into()),
        };
        self.complete = evidence == Evidence::Proven;
        self.certificate = self.complete.then_some(certificate);
        self.oblivious_ratio.evidence = evidence.clone();
        self.permutation_load.evidence = evidence;
        Ok(())
    }

    /// Bounds of the greatest max load ÷ optu of a permutation. They are those of the oblivious
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
