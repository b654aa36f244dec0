//! Lower bounds by counting: `src/checker/COUNTING.md` has the argument, the checker the count.

use std::path::Path;

use crate::certificate::{Quantity, Refutation};
use crate::checker::check_refutation;
use crate::topology::Xgft;

/// A count that refutes single-path routings of this ratio, if there is one: of the subtrees of
/// one height, the lowest that will do, or of two.
///
/// ```
/// use routebound::{certificate::{Quantity, Refutation}, synth::counting, topology};
/// let tree = topology::generate("ft(18,2)")?;
/// let tree = tree.tree().ok_or("no labels")?;
/// let refuted = |ratio| counting::refutation(tree, Quantity::ObliviousRatio, ratio);
/// assert_eq!(refuted(2), Some(Refutation::Count { height: 1 }));
/// assert_eq!(refuted(3), None); // `grid` reaches it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn refutation(tree: &Xgft, quantity: Quantity, ratio: u32) -> Option<Refutation> {
    let heights = 1..tree.height();
    let single = heights.clone().map(|height| Refutation::Count { height });
    let nested = heights
        .clone()
        .flat_map(|low| (low + 1..tree.height()).map(move |high| Refutation::Nested { low, high }));
    let holds = |refutation: &Refutation| {
        check_refutation(tree, quantity, ratio, refutation, Path::new("")).is_ok()
    };
    single.chain(nested).find(holds)
}

/// The least ratio that counting leaves for single-path routings, with the count that refutes the
/// one below.
#[must_use]
pub fn least(tree: &Xgft, quantity: Quantity) -> (u32, Refutation) {
    let (mut ratio, mut evidence) = (1, Refutation::Trivial);
    while let Some(refuted) = refutation(tree, quantity, ratio) {
        (ratio, evidence) = (ratio + 1, refuted);
    }
    (ratio, evidence)
}
