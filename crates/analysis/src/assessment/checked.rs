//! A proof, and what the checker said about it.

use std::time::Duration;

use super::approach::Form;
use super::{AssessmentError, NoCertificate};
use crate::bounds::{Bounds, Evidence, Witness};
use crate::certificate::{
    Certificate, NetworkForm, Optimality, Quantity, RoutingForm, WorstCaseCertificate,
};
use crate::embed;
use crate::generators::Made;
use crate::generators::checker::{Accepted, Check, Refusal};
use crate::limit::TooLarge;
use crate::progress::{Interrupted, Progress};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::worst_case::Proof;

/// Time after a stop to prove what was found.
pub(super) const PROVING: Duration = Duration::from_millis(350);

/// A proof and what the checker said.
pub(super) struct Checked {
    bounds: Vec<(String, Bounds)>,
    claimed: Proof,
    /// The witness of the lower side.
    pub(super) witness: Witness,
    /// What that traffic attains.
    pub(super) attained: Rational,
    /// The accepted certificate; without one the bounds are claimed.
    pub(super) certificate: Result<Certificate, NoCertificate>,
}

impl Checked {
    /// A proof that has not been checked.
    pub(super) fn claimed(proof: &Proof) -> Self {
        Self {
            bounds: Vec::new(),
            claimed: proof.clone(),
            witness: proof.witness.clone(),
            attained: proof.attained.clone(),
            certificate: Err(NoCertificate::Unfinished),
        }
    }

    pub(super) fn of(
        instance: &Instance,
        proof: &Proof,
        optimality: Option<Optimality>,
        form: Form,
        progress: &Progress,
    ) -> Result<Self, AssessmentError> {
        let mut checked = Self::claimed(proof);
        if instance.routing.lost_pairs() > 0 {
            return Ok(checked.without_certificate(instance, proof.has_evidence()));
        }
        // After a stop a grace period is left for the proof.
        let progress = progress.afterwards(PROVING);
        // Where no link was solved there is no traffic to show.
        let has_evidence = proof.has_evidence() && !proof.witness.demands.is_empty();
        if !has_evidence || progress.cancelled() {
            return Ok(checked);
        }
        let forms = if proof.is_by_class()
            && let Some(split) = instance.shortest_split()
        {
            Ok((embed::network(&instance.topology), RoutingForm::Split(split.into())))
        } else {
            forms(instance, form == Form::Embedded, &progress)
        };
        let (network, routing) = match forms {
            Err(Interrupted::Stopped(_)) => return Ok(checked),
            Err(Interrupted::TooLarge(limit)) => return Ok(checked.beyond(limit)),
            Ok(forms) => forms,
        };
        if let Some(certificate) = proof.certificate(network, routing) {
            let certificate = WorstCaseCertificate { optimality, ..certificate };
            let certificate = Certificate::WorstCase(certificate);
            let proven = |Accepted { quantity, lower, upper }| {
                (quantity.into_owned(), Bounds { lower, upper, evidence: Evidence::Proven })
            };
            let accepted =
                match Check::new(&Made::of(instance)).progress(&progress).run(&certificate) {
                    Err(Refusal::Stopped(_)) => return Ok(checked),
                    Err(Refusal::TooLarge(limit)) => return Ok(checked.beyond(limit)),
                    accepted => accepted?,
                };
            checked.bounds = accepted.into_iter().map(proven).collect();
            checked.certificate = Ok(certificate);
        }
        Ok(checked)
    }

    /// The bounds of a routing that has no path for some pairs, as far as the work came.
    fn without_certificate(mut self, instance: &Instance, is_whole: bool) -> Self {
        // Traffic that fills a permutation up may be that of lost pairs, which load no link.
        let mut links = Vec::new();
        self.witness.demands.retain(|demand| {
            let mut has_path = false;
            let mut visit = |_: &Rational, _: &[_]| has_path = true;
            instance.routing.for_each_path(demand.s, demand.d, &mut links, &mut visit);
            has_path
        });
        let own = is_whole.then_some(&mut self.claimed.bounds).into_iter();
        for bounds in own.chain(self.claimed.permutation_load.as_mut().filter(|_| is_whole)) {
            let why = "pairs without a path have no certificate";
            bounds.evidence = Evidence::Claimed(why.into());
        }
        Self { certificate: Err(NoCertificate::LostPairs), ..self }
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
        let least =
            if is_ratio && bounds.upper >= Rational::ONE { Rational::ONE } else { Rational::ZERO };
        Bounds { lower: bounds.lower.max(least), ..bounds }
    }

    /// The bounds of the permutation load, where the proof covers that too.
    pub(super) fn permutation_load(&self) -> Option<Bounds> {
        let known = self.known(Quantity::PermutationLoad.name());
        known.or_else(|| self.claimed.permutation_load.clone())
    }

    /// Notes that what was found is too large to be proven.
    fn beyond(self, limit: TooLarge) -> Self {
        Self { certificate: Err(limit.into()), ..self }
    }

    /// Why nothing was accepted, where that is a limit.
    pub(super) fn limit(&self) -> Option<TooLarge> {
        self.certificate.as_ref().err()?.limit().cloned()
    }
}

/// Network and routing by their specs where these can rebuild them unless both are to be `embedded`, otherwise written
/// out: a split over all shortest paths of a network without a name as such, in place of the paths.
pub(crate) fn forms(
    instance: &Instance,
    embedded: bool,
    progress: &Progress,
) -> Result<(NetworkForm, RoutingForm), Interrupted> {
    let Instance { topology, routing, .. } = instance;
    if !topology.is_named_tree()
        && let Some(split) = instance.shortest_split()
    {
        return Ok((embed::network(topology), RoutingForm::Split(split.into())));
    }
    let named = !embedded && topology.is_named_tree();
    let network = if named {
        NetworkForm::Named(topology.spec().to_string())
    } else {
        embed::network(topology)
    };
    let routing = if named && instance.is_named() {
        RoutingForm::Named(routing.spec().to_string())
    } else {
        embed::routing(instance, progress)?
    };
    Ok((network, routing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Split;
    use crate::import::{self, ImportOptions};
    use crate::routing::build;
    use crate::worst_case::{Analyse, prove};

    /// The paths themselves would fill the certificate of a large fabric.
    #[test]
    fn a_fabric_that_is_a_tree_is_split_in_its_certificate() {
        let dump = "instances/fabrics/ft8x2/minhop_lmc2/ibnetdiscover.out";
        let fabric = import::topology(dump, &ImportOptions::default()).unwrap();
        assert!(fabric.tree().is_some());
        for routing in ["ecmp", "omrmn"] {
            let instance = Instance::new(fabric.clone(), build(routing, &fabric).unwrap()).unwrap();
            let worst = Analyse::of(Quantity::ObliviousRatio).run(&instance).unwrap();
            let proof = prove(&instance, &worst);
            let checked =
                Checked::of(&instance, &proof, None, Form::Shortest, &Progress::silent()).unwrap();
            assert_eq!(checked.own().exact(), Some(&Rational::ONE));
            let Ok(Certificate::WorstCase(certificate)) = checked.certificate else { panic!() };
            assert_eq!(certificate.routing, RoutingForm::Split(Split::Hops));
        }
    }

    /// A run that was stopped early may have measured less, which a ratio never is.
    #[test]
    fn no_oblivious_ratio_is_below_one() {
        let instance = Instance::named("ft(4,2)", "dmodk").unwrap();
        for (quantity, least) in
            [(Quantity::ObliviousRatio, Rational::ONE), (Quantity::PermutationLoad, Rational::ZERO)]
        {
            let worst = Analyse::of(quantity).run(&instance).unwrap();
            let mut proof = prove(&instance, &worst);
            proof.bounds.lower = Rational::ZERO;
            let own = Checked::claimed(&proof).own();
            assert_eq!((own.lower, own.upper), (least, Rational::from(2)));
            // Where there is no traffic the ratio is 0.
            proof.bounds.upper = Rational::ZERO;
            assert_eq!(Checked::claimed(&proof).own().lower, Rational::ZERO);
        }
    }
}
