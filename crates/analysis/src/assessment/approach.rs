//! What an assessment is asked to do, and when it looks for symmetry.

use std::sync::Arc;

use crate::load::HostClasses;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::symmetry::Symmetry;
use crate::worst_case::Scope;

/// How an instance is assessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    /// The form of the certificate.
    pub(super) form: Form,
    /// Whether hosts that are alike are analysed as one, and links that are equivalent by symmetry once,
    /// where links are analysed one by one at all.
    pub(super) by_class: bool,
    /// Whether linear programs close the gap between bounds, where there is one.
    pub(super) programs: bool,
}

impl Default for Approach {
    fn default() -> Self {
        Self { form: Form::Shortest, by_class: true, programs: true }
    }
}

/// Which form the certificate has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Named where the specs suffice to rebuild the instance, otherwise embedded.
    Shortest,
    /// Always embedded.
    Embedded,
}

/// Part of the time that is left for the search, if there is a deadline.
pub(super) const SEARCHING: f64 = 0.1;

/// The classes of links, where it is worth while to find them before anything else: a single path
/// per pair makes short work of a link as long as no linear program is needed, and so do classes of hosts.
pub(super) fn symmetry(
    instance: &Instance,
    approach: Approach,
    progress: &Progress,
) -> Option<Arc<Symmetry>> {
    let one_by_one = instance.topology.tree().is_none() && !instance.routing.is_single_path();
    let symmetry = (approach.by_class && one_by_one && HostClasses::of(instance).is_none())
        .then(|| Symmetry::of(instance, &progress.part(SEARCHING)));
    symmetry.flatten().map(Arc::new)
}

/// The scope of an analysis, with the classes of links that are known.
pub(super) fn scope(approach: Approach, symmetry: Option<&Arc<Symmetry>>) -> Scope<'_> {
    match symmetry {
        None if approach.by_class => Scope::WorstLink,
        symmetry => Scope::EveryHost(symmetry),
    }
}
