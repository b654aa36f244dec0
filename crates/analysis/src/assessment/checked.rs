//! A proof, and what the checker said about it.

use std::path::Path;
use std::time::Duration;

use super::{AssessmentError, Form};
use crate::bounds::{Bounds, Evidence, Witness};
use crate::certificate::{
    Certificate, Least, NetworkForm, Optimality, Quantity, RoutingForm, Split, WorstCaseCertificate,
};
use crate::embed::{self, EmbedError};
use crate::generators::checker::{self, Accepted, Refusal};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::routing::{Instance, ShortestSplit};
use crate::worst_case::Proof;

/// Time after a stop to prove what was found.
pub(super) const PROVING: Duration = Duration::from_millis(350);

/// A proof and what the checker said.
pub(super) struct Checked {
    bounds: Vec<(&'static str, Bounds)>,
    claimed: Proof,
    /// The witness of the lower side.
    pub(super) witness: Witness,
    /// What that traffic attains.
    pub(super) attained: Ratio,
    /// The accepted certificate.
    pub(super) certificate: Option<Certificate>,
    /// Why nothing was accepted, where that is a limit: the bounds are then claimed.
    pub(super) limit: Option<TooLarge>,
}

impl Checked {
    /// A proof that has not been checked.
    pub(super) fn claimed(proof: &Proof) -> Self {
        Self {
            bounds: Vec::new(),
            claimed: proof.clone(),
            witness: proof.witness.clone(),
            attained: proof.attained.clone(),
            certificate: None,
            limit: None,
        }
    }

    pub(super) fn of(
        instance: &Instance,
        proof: &Proof,
        least: Option<Least>,
        form: Form,
        progress: &Progress,
    ) -> Result<Self, AssessmentError> {
        let mut checked = Self::claimed(proof);
        // After a stop a grace period is left for the proof.
        let progress = progress.afterwards(PROVING);
        if !proof.has_evidence() || progress.cancelled() {
            return Ok(checked);
        }
        let forms = match split(instance, proof) {
            Some(split) => Ok((embed::network(&instance.topology), RoutingForm::Split(split))),
            None => forms(instance, form, &progress),
        };
        let (network, routing) = match forms {
            Err(EmbedError::Stopped(_)) => return Ok(checked),
            Err(EmbedError::TooLarge(limit)) => return Ok(checked.beyond(limit)),
            Ok(forms) => forms,
        };
        if let Some(certificate) = proof.certificate(network, routing) {
            let optimality = least.map(Optimality::OverPaths);
            let certificate = WorstCaseCertificate { optimality, ..certificate };
            let certificate = Certificate::WorstCase(certificate);
            let proven = |Accepted { quantity, lower, upper }| {
                (quantity, Bounds { lower, upper, evidence: Evidence::Proven })
            };
            let accepted = match checker::check_until(&certificate, Path::new(""), &progress) {
                Err(Refusal::Stopped(_)) => return Ok(checked),
                Err(Refusal::TooLarge(limit)) => return Ok(checked.beyond(limit)),
                accepted => accepted?,
            };
            checked.bounds = accepted.into_iter().map(proven).collect();
            checked.certificate = Some(certificate);
        }
        Ok(checked)
    }

    /// The bounds of a quantity, by its name in certificates, that the checker accepted.
    pub(super) fn known(&self, quantity: &str) -> Option<Bounds> {
        let known = self.bounds.iter().find(|(known, _)| *known == quantity);
        known.map(|(_, bounds)| bounds.clone())
    }

    /// The bounds of what the proof is about: those that the checker accepted, or those of the
    /// analysis, where that knows more. That no routing has a max load below optu takes no evidence.
    pub(super) fn own(&self) -> Bounds {
        let of_analysis = self.at_least_optu(self.claimed.bounds.clone());
        let accepted = self.known(self.claimed.quantity.name());
        let accepted = accepted.map(|bounds| self.at_least_optu(bounds));
        accepted.filter(|bounds| bounds.lower >= of_analysis.lower).unwrap_or(of_analysis)
    }

    fn at_least_optu(&self, bounds: Bounds) -> Bounds {
        let is_ratio = self.claimed.quantity == Quantity::ObliviousRatio;
        // Where there is no traffic the ratio is 0.
        let least = if is_ratio && bounds.upper >= Ratio::ONE { Ratio::ONE } else { Ratio::ZERO };
        Bounds { lower: bounds.lower.max(least), ..bounds }
    }

    /// The same for the permutation load, where the proof covers that too.
    pub(super) fn permutation_load(&self) -> Option<Bounds> {
        let known = self.known(Quantity::PermutationLoad.name());
        known.or_else(|| self.claimed.permutation_load.clone())
    }

    /// Notes that what was found is too large to be proven.
    fn beyond(self, limit: TooLarge) -> Self {
        Self { limit: Some(limit), ..self }
    }
}

/// The split over all shortest paths of a network without labels, which certificates name in place of the
/// paths. A proof by classes of hosts is about no other.
fn split(instance: &Instance, proof: &Proof) -> Option<Split> {
    let is_written_out = proof.is_by_class() || instance.topology.tree().is_none();
    let split = instance.shortest_split().filter(|_| is_written_out);
    split.map(|split| match split {
        ShortestSplit::PerPath => Split::Paths,
        ShortestSplit::PerHop => Split::Hops,
    })
}

/// Network and routing by their specs where these can rebuild them, otherwise written out.
fn forms(
    instance: &Instance,
    form: Form,
    progress: &Progress,
) -> Result<(NetworkForm, RoutingForm), EmbedError> {
    let Instance { topology, routing, .. } = instance;
    let named = form == Form::Shortest && topology.is_named_tree();
    let network = if named {
        NetworkForm::Named(topology.spec().to_string())
    } else {
        embed::network(topology)
    };
    let routing = if named && instance.is_by_spec() {
        RoutingForm::Named(routing.spec().to_string())
    } else {
        embed::routing(instance, progress)?
    };
    Ok((network, routing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worst_case::{analyse, prove};

    /// A run that was stopped early may have measured less, which a ratio never is.
    #[test]
    fn no_oblivious_ratio_is_below_one() {
        let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
        for (quantity, least) in
            [(Quantity::ObliviousRatio, Ratio::ONE), (Quantity::PermutationLoad, Ratio::ZERO)]
        {
            let worst = analyse(&instance, quantity, &Progress::silent()).unwrap();
            let mut proof = prove(&instance, &worst);
            proof.bounds.lower = Ratio::ZERO;
            let own = Checked::claimed(&proof).own();
            assert_eq!((own.lower, own.upper), (least, Ratio::from(2)));
            // Where there is no traffic the ratio is 0.
            proof.bounds.upper = Ratio::ZERO;
            assert_eq!(Checked::claimed(&proof).own().lower, Ratio::ZERO);
        }
    }
}
