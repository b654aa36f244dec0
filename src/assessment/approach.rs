//! What an assessment is asked to do, and when it looks for symmetry.

use std::sync::Arc;

use super::Form;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::symmetry::Symmetry;
use crate::worst_case::WorstCase;

/// How an instance is assessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approach {
    /// The form of the certificate.
    pub form: Form,
    /// Whether links that are equivalent by symmetry are analysed once, where links are analysed one
    /// by one at all.
    pub by_class: bool,
    /// Whether linear programmes close the gap between bounds, where there is one.
    pub programmes: bool,
}

impl From<Form> for Approach {
    fn from(form: Form) -> Self {
        Self { form, by_class: true, programmes: true }
    }
}

/// Part of the time that is left for the search, if there is a deadline.
const SEARCHING: f64 = 0.1;

/// The classes of links, where it is worth while to find them before anything else: a single path
/// per pair makes short work of a link as long as no programme is needed.
pub(super) fn symmetry(
    instance: &Instance,
    approach: Approach,
    progress: &Progress,
) -> Option<Arc<Symmetry>> {
    let one_by_one = instance.topology.tree().is_none() && !instance.routing.is_single_path();
    let symmetry = (approach.by_class && one_by_one)
        .then(|| Symmetry::of(instance, &progress.part(SEARCHING)));
    symmetry.flatten().map(Arc::new)
}

/// Finds the classes of links before every link gets a linear programme, unless they are known.
pub(super) fn before_programmes(
    instance: &Instance,
    approach: Approach,
    worst: &mut WorstCase,
    progress: &Progress,
) -> Option<Arc<Symmetry>> {
    let is_new = instance.topology.tree().is_some() || instance.routing.is_single_path();
    if !cfg!(feature = "highs") || !approach.by_class || !is_new || progress.cancelled() {
        return None;
    }
    let symmetry = Arc::new(Symmetry::of(instance, &progress.part(SEARCHING))?);
    worst.adopt(&symmetry);
    Some(symmetry)
}
