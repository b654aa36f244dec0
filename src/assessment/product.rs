//! Assessing a tree of any size by its product form.

use std::path::Path;

use super::AssessmentError;
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Quantity};
use crate::checker::{self, Refusal};
use crate::product::{ProductError, ProductForm, ProductWorst};
use crate::progress::Progress;

/// How badly traffic can hurt a routing whose up-digits single digits decide. The permutation ratio
/// is the oblivious ratio: the worst traffic is a permutation, up to its scale.
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
}

/// Finds the worst case of a product form, and has its certificate checked.
///
/// # Errors
/// [`AssessmentError`] where there are too many classes of links, the work is stopped, or the
/// checker refuses.
///
/// ```
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
    let ratio = form.worst(Quantity::ObliviousRatio, progress)?;
    let permutations = form.worst(Quantity::PermutationLoad, progress)?;
    let certificate = Certificate::Product(form.certificate(&[&ratio, &permutations]));
    let (certificate, limit) = match checker::check_until(&certificate, Path::new(""), progress) {
        Ok(_) => (Some(certificate), None),
        Err(Refusal::TooLarge(limit)) => (None, Some(limit.to_string())),
        Err(Refusal::Stopped(stopped)) => return Err(ProductError::Stopped(stopped).into()),
        Err(refusal) => return Err(refusal.into()),
    };
    let evidence = match &limit {
        None => Evidence::Proven,
        Some(limit) => Evidence::Claimed(format!("product form, not checked: {limit}")),
    };
    let bounds = |worst: &ProductWorst| {
        let (lower, upper) = (worst.load.clone(), worst.most.clone());
        Bounds { lower, upper, evidence: evidence.clone() }
    };
    Ok(ProductAssessment {
        oblivious_ratio: bounds(&ratio),
        permutation_load: bounds(&permutations),
        ratio,
        permutations,
        certificate,
        limit,
    })
}
