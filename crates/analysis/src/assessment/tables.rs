//! Assessing forwarding tables: their worst case, and what no forwarding tables can avoid.

use super::checked::PROVING;
use super::{Assess, Assessment, AssessmentError, NoCertificate};
use crate::bounds::{Bounds, Evidence};
use crate::certificate::{ByDestination, Certificate, Optimality, WorstCaseCertificate};
use crate::generators::Named;
use crate::generators::checker::{Check, Refusal};
use crate::progress::Progress;
use crate::routing::Instance;

/// How bad forwarding tables are, and how bad any are.
#[derive(Clone, Debug)]
pub struct TablesAssessment {
    /// What is known of these, whose certificate proves the other bounds too where they are proven.
    pub assessment: Assessment,
    /// Bounds on the lowest worst permutation load of all forwarding tables.
    pub least: Bounds,
}

/// Assesses forwarding tables, adds the evidence for a bound on all of them to the certificate, and has that checked.
/// Linear programs, which say nothing about permutations, are left out.
///
/// # Errors
/// [`AssessmentError`] when the case is not covered or the checker refuses.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::assessment::assess_tables;
/// use routebound::certificate::ByDestination;
/// use routebound::{progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(8,3)", "dmodk")?;
/// // Node 128 is the first leaf switch, with four hosts and four links up.
/// let bound = ByDestination { lower: 4.into(), nodes: vec![128] };
/// let found = assess_tables(&instance, bound, &Progress::silent())?;
/// assert_eq!(found.least.to_string(), "between 4 and 7 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assess_tables(
    instance: &Instance,
    bound: ByDestination,
    progress: &Progress,
) -> Result<TablesAssessment, AssessmentError> {
    let assess = Assess::new().embedded().linear_programs(false).progress(progress);
    let mut assessment = assess.run(instance)?;
    let upper = assessment.permutation_load.upper.clone();
    let claimed = |why: String| Evidence::Claimed(why);
    let lower = bound.lower.clone();
    let own = match assessment.permutation_certificate.take() {
        Some(certificate) => Ok(certificate),
        None => assessment.certificate.clone(),
    };
    let evidence = match with(own, bound, &progress.afterwards(PROVING)) {
        Ok(certificate) => {
            assessment.certificate = Ok(certificate);
            Evidence::Proven
        }
        Err(Missing::Why(why)) => claimed(why),
        Err(Missing::Refused(refusal)) => return Err(refusal.into()),
    };
    Ok(TablesAssessment { assessment, least: Bounds { lower, upper, evidence } })
}

/// Why there is no certificate with the bound.
enum Missing {
    Why(String),
    Refused(Refusal),
}

/// The certificate with the bound, accepted by the checker.
fn with(
    own: Result<Certificate, NoCertificate>,
    bound: ByDestination,
    progress: &Progress,
) -> Result<Certificate, Missing> {
    let own = own.map_err(|why| Missing::Why(why.to_string()))?;
    let Certificate::WorstCase(own) = own else {
        return Err(Missing::Why("the certificate is not about links".into()));
    };
    let optimality = Some(Optimality::ByDestination(bound));
    let certificate = Certificate::WorstCase(WorstCaseCertificate { optimality, ..own });
    match Check::new(&Named).progress(progress).run(&certificate) {
        Ok(_) => Ok(certificate),
        Err(why @ (Refusal::Stopped(_) | Refusal::TooLarge(_))) => {
            Err(Missing::Why(format!("its certificate was not checked: {why}")))
        }
        Err(refusal) => Err(Missing::Refused(refusal)),
    }
}
