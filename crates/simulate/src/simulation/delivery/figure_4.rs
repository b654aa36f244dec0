//! \[GL\] Figure 4: how the number of delivery cycles of RANDOM grows.

/// Growth of the bound of \[GL\] Figure 4 on the number of delivery cycles, for n processors and
/// load factor λ: 1 for λ ≤ 1, lg n for λ ≤ 2, lg n·lg λ for λ ≤ lg n·lg lg n, and λ above. The
/// constants that the bound leaves open are to be fitted.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::delivery::figure_4;
/// assert_eq!([0.5, 1.5, 8.0, 100.0].map(|load_factor| figure_4(16, load_factor)), [1.0, 4.0, 12.0, 100.0]);
/// ```
#[must_use]
pub fn figure_4(processors: usize, load_factor: f64) -> f64 {
    let lg = (processors.max(2) as f64).log2();
    if load_factor <= 1.0 {
        1.0
    } else if load_factor <= 2.0 {
        lg
    } else if load_factor <= lg * lg.log2() {
        lg * load_factor.log2()
    } else {
        load_factor
    }
}
