//! Work on all cores inside one test.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` for every item, on as many threads as there are cores. What these print is part of the test's output,
/// which it would not be on rayon's threads.
pub fn for_each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
