//! What all benches share.

use std::time::Duration;

use criterion::Criterion;

/// Runs a bench in the root of the project with settings that keep it to about three seconds, overridden by
/// command-line arguments.
pub(crate) fn run(bench: impl Fn(&mut Criterion)) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    std::env::set_current_dir(root).expect("the sources are there");
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    bench(&mut criterion);
    criterion.final_summary();
}
