//! Analysing an instance as usual, and with what differs.

use std::sync::Arc;

use super::by_class::{Extent, FEW};
use super::{Method, WorstCase, WorstCaseError, analyse_with, choose, unit};
use crate::certificate::Quantity;
use crate::load::HostClasses;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::shards::Units;
use crate::symmetry::Symmetry;

/// Scope of an analysis.
#[derive(Clone, Copy, Debug, Default)]
pub enum Scope<'a> {
    /// Every link, between classes of hosts where some are alike ([`HostClasses`]).
    #[default]
    EveryLink,
    /// All links, where those that cannot be the worst one are left with an upper bound if there is much
    /// to do.
    WorstLink,
    /// Like `EveryLink`, but where no hosts are alike, of the links that are equivalent by this symmetry the lowest.
    LowestLinks(&'a Arc<Symmetry>),
    /// Every host by itself, and of the links that are equivalent by this symmetry the lowest.
    EveryHost(Option<&'a Arc<Symmetry>>),
}

/// Finds the worst case of every link over all traffic: [`Analyse`] of the oblivious ratio with nothing that differs.
/// O(N²·path length + Σ over links of pairs·√hosts) for single-path routings.
///
/// # Errors
/// [`WorstCaseError`] when the case is not covered.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{routing::Instance, worst_case::analyse};
/// let worst = analyse(&Instance::named("ft(8,2)", "dmodk")?)?;
/// assert_eq!(worst.upper(), Some(4_u64.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(instance: &Instance) -> Result<WorstCase, WorstCaseError> {
    Analyse::of(Quantity::ObliviousRatio).run(instance)
}

/// An analysis to be made, of every link and in one process unless something is said to differ.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{certificate::Quantity, routing::Instance, worst_case::Analyse};
/// // The four hosts of a leaf may all send over its one link, though optu is then 4: the hose set
/// // ignores cuts inside the network.
/// let slimmed = Instance::named("xgft(2;4,2;1,1)", "dmodk")?;
/// let worst = Analyse::of(Quantity::HoseLoad).run(&slimmed)?;
/// assert_eq!(worst.upper(), Some(4_u64.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "nothing is analysed before `run`"]
pub struct Analyse<'a> {
    quantity: Quantity,
    scope: Scope<'a>,
    units: Option<&'a Units>,
    progress: Option<&'a Progress>,
}

impl<'a> Analyse<'a> {
    /// The traffic of `quantity`, with nothing that differs.
    pub fn of(quantity: Quantity) -> Self {
        Self { quantity, scope: Scope::default(), units: None, progress: None }
    }

    /// Sets the scope of the analysis. Links of trees are never solved one by one, so there a symmetry is ignored.
    pub fn scope(self, scope: Scope<'a>) -> Self {
        Self { scope, ..self }
    }

    /// Several processes share the work: subtrees of trees, links elsewhere. The part of a shard holds the bounds of
    /// some links; what the run returns lacks the others. Between classes of hosts nothing is shared: parts of shards
    /// have the links of hosts only.
    pub fn units(self, units: &'a Units) -> Self {
        Self { units: Some(units), ..self }
    }

    /// Advances by at least 2N. When it is cancelled the result holds bounds that are not attained.
    pub fn progress(self, progress: &'a Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Finds the worst case of every link.
    ///
    /// # Errors
    /// As [`analyse`].
    pub fn run(self, instance: &Instance) -> Result<WorstCase, WorstCaseError> {
        let (alone, silent) = (Units::default(), Progress::silent());
        let (units, progress) = (self.units.unwrap_or(&alone), self.progress.unwrap_or(&silent));
        let (quantity, scope) = (self.quantity, self.scope);
        let symmetry = match scope {
            Scope::EveryHost(symmetry) => symmetry,
            Scope::EveryLink | Scope::WorstLink | Scope::LowestLinks(_) => {
                if let Some(classes) = HostClasses::of(instance) {
                    let few = if matches!(scope, Scope::WorstLink) { FEW } else { u64::MAX };
                    let extent = Extent { few, hosts_only: units.part().is_some() };
                    let worst = WorstCase::new(instance, quantity, Method::HostClasses)?;
                    return worst.by_class(instance, &classes, extent, progress);
                }
                if let Scope::LowestLinks(symmetry) = scope { Some(symmetry) } else { None }
            }
        };
        let unit = unit(&instance.topology, quantity);
        let (method, solver) = choose(instance, quantity, unit)?;
        analyse_with(instance, quantity, symmetry, method, solver.as_ref(), units, progress)
    }
}
