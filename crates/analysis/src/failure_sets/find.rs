//! The worst of all sets, with its proof where that is asked for.

use super::base::Base;
use super::elements::{number_of_sets, sets};
use super::family::Family;
use super::proof::Searched;
use super::repair::Rule;
use super::search::Search;
use super::{FailureSetError, FailureSets, Failures, Repair, orbits};
use crate::assessment::NoCertificate;
use crate::certificate::Quantity;
use crate::limit::within;
use crate::progress::{Progress, Told};
use crate::routing::Instance;
use crate::topology::Topology;
use crate::worst_case::{Analyse, Scope};

/// Maximum number of sets.
const MAX_SETS: u64 = 1 << 22;

impl Failures {
    /// Fails where there is nothing to look at, or too much.
    ///
    /// # Errors
    /// [`FailureSetError::NothingToFail`], [`FailureSetError::Most`] unless 1 or 2 fail, and
    /// [`FailureSetError::TooLarge`] where the sets are too many.
    pub fn check(&self, topology: &Topology) -> Result<(), FailureSetError> {
        let Self { elements, most, .. } = self;
        if !(1..=2).contains(most) {
            return Err(FailureSetError::Most(*most));
        }
        if elements.is_empty() {
            return Err(FailureSetError::NothingToFail(topology.spec().to_string()));
        }
        let (count, remedy) =
            (number_of_sets(elements.len(), *most), "let fewer fail, or among fewer");
        within("number of sets of failures", Some(count), MAX_SETS, remedy)?;
        Ok(())
    }
}

/// The worst permutation load over all sets of `failures`, with sets in parallel; `progress` counts sets. `keep`
/// receives what is known from time to time. The result does not depend on threads.
///
/// # Errors
/// [`FailureSetError`] when there is nothing to fail, or a case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::failure_sets::{Element, Failures, Repair, Unit, failure_sets};
/// use routebound::{progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(8,2)", "dmodk")?;
/// let elements = Element::all(instance.topology(), Unit::Cable);
/// let failures = Failures { elements, most: 1, repair: Repair::Reroute, ranked: 1 };
/// let found = failure_sets(&instance, &failures, &Progress::silent(), &mut |_| {})?;
/// // Without a cable of a leaf its four hosts use another one.
/// assert_eq!((found.whole, found.load.lower), (Some(4.into()), 4.into()));
/// // So none is dangerous.
/// assert!(found.rankings[0].complete && found.rankings[0].sets.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn failure_sets(
    instance: &Instance,
    failures: &Failures,
    progress: &Progress,
    keep: &mut dyn FnMut(&FailureSets),
) -> Result<FailureSets, FailureSetError> {
    found(instance, (failures, None), progress, keep)
}

/// As [`failure_sets`], with a certificate that the checker accepted, where one can state the repair; `embedded` writes
/// network and routing out in it even where their specs would do.
///
/// # Errors
/// As [`failure_sets`], and where the checker refuses the certificate.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::failure_sets::{Element, Failures, Repair, Unit, prove_failure_sets};
/// use routebound::{progress::Progress, routing::Instance};
/// let instance = Instance::named("ft(8,2)", "dmodk")?;
/// let elements = Element::all(instance.topology(), Unit::Cable);
/// let failures = Failures { elements, most: 1, repair: Repair::Reroute, ranked: 0 };
/// let found = prove_failure_sets(&instance, &failures, false, &Progress::silent(), &mut |_| {})?;
/// assert_eq!(found.load.to_string(), "4 (proven)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove_failure_sets(
    instance: &Instance,
    failures: &Failures,
    embedded: bool,
    progress: &Progress,
    keep: &mut dyn FnMut(&FailureSets),
) -> Result<FailureSets, FailureSetError> {
    found(instance, (failures, Some(embedded)), progress, keep)
}

fn found(
    instance: &Instance,
    (failures, embedded): (&Failures, Option<bool>),
    progress: &Progress,
    keep: &mut dyn FnMut(&FailureSets),
) -> Result<FailureSets, FailureSetError> {
    let Failures { elements, most, repair, .. } = failures;
    failures.check(instance.topology())?;
    let mut found = FailureSets::unknown(instance, failures);
    if embedded.is_some() {
        found.certificate = Err(NoCertificate::Unfinished);
    }
    keep(&found);
    let stop = Progress::silent().stopped_by(progress.stop());
    let Some(counts) = Base::count(instance, &stop)? else { return Ok(found) };
    progress.tell(Told::Step("worst case of every link"));
    let analyse = Analyse::of(Quantity::PermutationLoad).scope(Scope::EveryHost(None));
    let worst = analyse.progress(&stop).run(instance)?;
    found.load.lower = worst.lower().clone();
    found.whole = worst.is_complete().then(|| worst.lower().clone());
    if *repair == Repair::None {
        // Nothing is added to any link.
        found.load.upper = worst.upper().unwrap_or(found.load.upper);
    }
    keep(&found);
    let Some(rule) = Rule::of(instance, failures, &stop)? else { return Ok(found) };
    let Some(base) = Base::of(instance, &counts, &worst, &stop) else { return Ok(found) };
    drop(counts);
    let Some(family) = Family::of(&base, &rule, elements, *most, &stop)? else { return Ok(found) };
    let sets = sets(elements.len(), *most);
    let by_symmetry = rule.follows_from_paths() && *repair != Repair::None;
    let (first, automorphisms) =
        orbits::representatives(instance, &family.links, &sets, by_symmetry, progress);
    let most_of_whole = worst.upper().unwrap_or_else(|| found.load.upper.clone());
    let (alone, all) = (1 + elements.len(), sets.len());
    let (known, sets) = ((found, failures.ranked), (sets, first));
    let search = Search::new(family, sets, known, most_of_whole, progress);
    // Single failures raise the lower bound before all pairs are looked at. A file of tables that cannot be used ends
    // the run before any analysis.
    let first = if matches!(repair, Repair::Tables(_)) { all } else { alone };
    let (mut found, sets, family) = search.run(first, keep)?;
    if let Some(embedded) = embedded {
        let (worst, most) = (&worst, *most);
        let searched = Searched { family: &family, worst, sets: &sets, automorphisms, most };
        if !progress.cancelled() {
            searched.prove(&mut found, embedded, progress)?;
        }
        found.complete &= !matches!(found.certificate, Err(NoCertificate::Unfinished));
        keep(&found);
    }
    Ok(found)
}
