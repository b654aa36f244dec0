//! What all benches share.

use std::time::Duration;

use criterion::Criterion;

/// Settings that keep a bench to about three seconds, overridden by command-line arguments.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}
