//! Work on all processors with the feature `fast`, one item after the other without it.
//!
//! What is found is in the order of the items, so that no refusal depends on how threads were scheduled.

#[cfg(feature = "fast")]
use rayon::prelude::*;

/// Applies `work` to every item.
pub(super) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    map_with(items, || (), |(), item| work(item))
}

/// Applies `work` to every item; it has a state that it may keep from one item to the next, by which nothing may
/// change.
pub(super) fn map_with<T: Sync, S, R: Send>(
    items: &[T],
    state: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "fast")]
    {
        items.par_iter().map_init(state, work).collect()
    }
    #[cfg(not(feature = "fast"))]
    {
        let mut state = state();
        items.iter().map(|item| work(&mut state, item)).collect()
    }
}
