//! From the worst case to bounds and their certificate.

use super::class_covers::over_hosts;
use super::witness::hose_witness;
use super::{WorstCase, witness};
use crate::bounds::{Bounds, Evidence, Witness};
use crate::certificate::{
    Automorphism, Claim, Cover, NetworkForm, Quantity, RoutingForm, WorstCaseCertificate,
};
use crate::rational::Rational;
use crate::routing::Instance;
use crate::topology::{Host, NodeId, Topology};

/// A worst case with its witness and both bounds, not yet checked.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The bounded quantity.
    pub quantity: Quantity,
    /// Bounds on the quantity, `claimed` until a checker has accepted the certificate.
    pub bounds: Bounds,
    /// Bounds on the worst permutation load, where the same evidence covers that too.
    pub permutation_load: Option<Bounds>,
    /// Evidence for the lower side.
    pub witness: Witness,
    /// The ratio or load of that traffic: less than the lower side where that follows without traffic.
    pub attained: Rational,
    /// Evidence for both sides, without the instance; `None` when a link has no cover.
    evidence: Option<(Vec<Claim>, Vec<Cover>)>,
    cuts: Vec<Vec<NodeId>>,
    /// Classes of hosts, if covers are by class.
    classes: Vec<Vec<Host>>,
    by_ends: bool,
    /// Automorphisms that take links without a cover to links with one.
    automorphisms: Vec<Automorphism>,
}

impl Proof {
    /// Whether there is evidence for both sides.
    #[must_use]
    pub fn has_evidence(&self) -> bool {
        self.evidence.is_some()
    }

    /// Whether the covers are by classes of hosts. A certificate has classes if its routing is given as a
    /// split; otherwise its covers are by host.
    #[must_use]
    pub fn is_by_class(&self) -> bool {
        !self.classes.is_empty()
    }

    /// The certificate for the instance in the given form, when there is evidence for both sides.
    #[must_use]
    pub fn certificate(
        &self,
        network: NetworkForm,
        routing: RoutingForm,
    ) -> Option<WorstCaseCertificate> {
        let (claims, mut covers) = self.evidence.clone()?;
        let mut classes = self.classes.clone();
        if !matches!(routing, RoutingForm::Split(_)) {
            over_hosts(&classes, covers.iter_mut());
            classes.clear();
        }
        let witness = self.witness.clone();
        let cuts = self.cuts.clone();
        Some(WorstCaseCertificate {
            network,
            routing,
            classes,
            cuts,
            claims,
            witness,
            automorphisms: self.automorphisms.clone(),
            covers,
            by_ends: self.by_ends,
            optimality: None,
        })
    }
}

/// Turns a worst case into bounds: the witness is the worst link's traffic, completed to a
/// permutation where hosts are equal, and its even split over all shortest paths. Where every host
/// sends and receives at most 1, the same evidence proves the worst permutation load, and the
/// certificate claims that too.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{routing::Instance, worst_case};
/// let instance = Instance::named("ft(8,3)", "dmodk")?;
/// let worst = worst_case::analyse(&instance)?;
/// let proof = worst_case::prove(&instance, &worst);
/// assert_eq!(proof.bounds.exact().map(ToString::to_string).as_deref(), Some("7"));
/// assert_eq!(proof.witness.demands.len(), 128);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "nothing is divided where nothing is attained")]
pub fn prove(instance: &Instance, worst: &WorstCase) -> Proof {
    let witness = match worst.quantity {
        Quantity::HoseLoad => hose_witness(instance, worst.worst, worst.demands.clone()),
        _ => witness(instance, worst.worst, worst.demands.clone()),
    };
    let lower = match worst.quantity {
        Quantity::ObliviousRatio if worst.lower().is_zero() => Rational::ZERO,
        Quantity::ObliviousRatio => {
            let lower = worst.lower().checked_div(&witness.optu);
            lower.expect("traffic that loads a link has an optu above 0")
        }
        Quantity::PermutationLoad | Quantity::HoseLoad => worst.lower().clone(),
    };
    prove_with(&instance.topology, worst, witness, lower, worst.proves_permutation_load())
}

/// Proves the worst case by the caller's witness, which proves `lower`; else like [`prove`]. The witness is evidence
/// about permutations too only where its traffic is that of `worst`.
#[must_use]
pub fn prove_by(
    topology: &Topology,
    worst: &WorstCase,
    witness: Witness,
    lower: Rational,
) -> Proof {
    let is_own = witness.link == worst.worst && witness.demands == worst.demands;
    prove_with(topology, worst, witness, lower, is_own && worst.proves_permutation_load())
}

fn prove_with(
    topology: &Topology,
    worst: &WorstCase,
    witness: Witness,
    lower: Rational,
    permutations: bool,
) -> Proof {
    let has_traffic = worst.upper().as_ref() == Some(worst.lower());
    let least = if has_traffic { Rational::ZERO } else { known_before(topology, worst) };
    let (upper, missing) = upper(topology, worst, lower < least);
    // The certificate claims what its witness shows.
    let mut claims =
        vec![Claim { quantity: worst.quantity, lower: lower.clone(), upper: upper.clone() }];
    let attained = lower.clone();
    let lower = lower.max(least);
    let evidence = Evidence::Claimed(missing.to_string());
    let both = worst.quantity == Quantity::ObliviousRatio && permutations;
    let permutation_load = both.then(|| Bounds {
        lower: worst.lower().clone().max(pairs_on_a_link(worst)),
        upper: upper.clone(),
        evidence: evidence.clone(),
    });
    if let Some(Bounds { lower, upper, .. }) = permutation_load.clone() {
        claims.push(Claim { quantity: Quantity::PermutationLoad, lower, upper });
    }
    let proven = worst.is_covered().then(|| {
        let covers = worst.links.iter().flatten().map(|bound| &*bound.cover);
        let is_needed = |cover: &&Cover| !cover.is_empty() && !worst.ends_allow(cover.link, &upper);
        (claims, covers.filter(is_needed).cloned().collect())
    });
    Proof {
        quantity: worst.quantity,
        bounds: Bounds { lower, upper, evidence },
        permutation_load,
        witness,
        attained,
        evidence: proven,
        cuts: worst.cuts.clone(),
        classes: worst.classes.clone(),
        by_ends: worst.by_ends,
        automorphisms: worst.automorphisms().to_vec(),
    }
}

/// A lower bound on the ratio or load that holds even when links were not examined.
fn known_before(topology: &Topology, worst: &WorstCase) -> Rational {
    // No routing has a max load below optu: that needs no evidence.
    let is_ratio = worst.quantity == Quantity::ObliviousRatio && topology.hosts() > 1;
    let trivial = if is_ratio { Rational::ONE } else { Rational::ZERO };
    worst.shape.as_ref().map_or(Rational::ZERO, |shape| shape.least.clone()).max(trivial)
}

/// A lower bound on the permutation load, where permutations have optu 1 and the ratio is analysed.
fn pairs_on_a_link(worst: &WorstCase) -> Rational {
    let shape = worst.shape.as_ref().filter(|_| !worst.is_covered());
    shape.map_or(Rational::ZERO, |shape| shape.least.clone())
}

/// An upper bound on the load of every link, and why it is not proven; `counted` when the lower
/// side is known without a witness.
fn upper(topology: &Topology, worst: &WorstCase, counted: bool) -> (Rational, &'static str) {
    if let Some(upper) = worst.upper() {
        let missing = if counted { NO_TRAFFIC } else { "no checker has seen the certificate" };
        return (upper, missing);
    }
    let by_counting = worst.shape.as_ref().is_some_and(|shape| shape.counted && counted);
    match worst.upper_by_shape(topology) {
        Some(upper) if by_counting => (upper, BY_SHAPE_AND_COUNT),
        Some(upper) => (upper, BY_SHAPE),
        None => {
            let upper = no_cover_bound(topology, worst.quantity);
            (upper, "stopped early, the upper side is what the hosts can send")
        }
    }
}

const NO_TRAFFIC: &str = "stopped before the traffic of the worst link was found";

pub(crate) const BY_SHAPE: &str = "stopped early, links that were not examined are bounded by what the hosts \
    and cuts of the tree let through";

pub(crate) const BY_SHAPE_AND_COUNT: &str = "stopped early, links that were not examined are bounded by what \
    the hosts and cuts of the tree let through, the lower side by counting SD pairs on its ports";

/// All hosts together send no more than this over one link, relative to its capacity: 1 each in a
/// permutation, otherwise what their links carry.
pub(crate) fn no_cover_bound(topology: &Topology, quantity: Quantity) -> Rational {
    let hosts = topology.host_numbers();
    let sent = match quantity {
        Quantity::PermutationLoad => Rational::from(topology.hosts() as u64),
        Quantity::ObliviousRatio | Quantity::HoseLoad => {
            hosts.fold(Rational::ZERO, |sum, host| &sum + &topology.host_capacity(host, true))
        }
    };
    // Without a link there is no load.
    topology.load_on_narrowest(&sent).unwrap_or(Rational::ZERO)
}
