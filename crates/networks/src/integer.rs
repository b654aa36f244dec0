//! Integer functions that the standard library lacks.
//!
//! Numbers are narrowed with a check: clippy denies casts that may truncate or lose a sign. Positions become numbers of
//! hosts, links and nodes by [`host_number`](crate::topology::host_number) and its like, positions in tables by
//! [`index32`], and floats integers by [`rounded`]; inner loops keep numbers as they are stored.

pub use dashu_int::ops::Gcd;

/// ⌈√x⌉.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::integer::ceil_sqrt;
/// assert_eq!([0, 1, 2, 4, 5, 9].map(ceil_sqrt), [0, 1, 2, 2, 3, 3]);
/// assert_eq!(ceil_sqrt(u64::MAX), 1 << 32);
/// ```
#[must_use]
pub fn ceil_sqrt(x: u64) -> u64 {
    let root = x.isqrt();
    root + u64::from(root * root < x)
}

/// ⌈x^(1/degree)⌉, for a degree of at least 1. O(log x).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::integer::ceil_root;
/// let roots = [(0, 2), (1, 5), (4, 2), (5, 2), (9, 2), (8, 3), (9, 3), (u64::MAX, 1)];
/// assert_eq!(roots.map(|(x, degree)| ceil_root(x, degree)), [0, 1, 2, 3, 3, 2, 3, u64::MAX]);
/// ```
#[must_use]
pub fn ceil_root(x: u64, degree: u32) -> u64 {
    let below = |root: u64| u128::from(root).checked_pow(degree).is_some_and(|p| p < x.into());
    let (mut low, mut high) = (0, x);
    while low < high {
        let middle = low.midpoint(high);
        if below(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// A number of things in memory, such as a count that was checked against a limit, as `usize`.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::integer::as_size;
/// let limit: u64 = 3;
/// assert_eq!("abcdef".get(..as_size(limit)), Some("abc"));
/// ```
///
/// # Panics
/// Where it cannot be in memory: it does not fit the machine's addresses.
#[must_use]
#[inline]
pub fn as_size(number: u64) -> usize {
    usize::try_from(number).expect("what is in memory is counted by the machine's addresses")
}

/// The nearest integer; 0 for negative values and NaN, the largest integer for values too large.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::integer::rounded;
/// assert_eq!([2.5, -1.0, f64::NAN].map(rounded), [3, 0, 0]);
/// assert_eq!(rounded(1e30), u64::MAX);
/// ```
#[must_use]
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, as intended"
)]
pub fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// The whole part; 0 for negative values and NaN, the largest integer for values too large.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::integer::whole;
/// assert_eq!([2.9, -1.5, f64::NAN].map(whole), [2, 0, 0]);
/// assert_eq!(whole(f64::INFINITY), u64::MAX);
/// ```
#[must_use]
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, as intended"
)]
pub fn whole(value: f64) -> u64 {
    value as u64
}

/// A position in a table, its length, or the height of a tree, as tables store it.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::integer::index32;
/// let rows = [vec![7, 8], vec![], vec![9]];
/// let mut end = 0;
/// let ends = rows.map(|row| {
///     end += row.len();
///     index32(end)
/// });
/// assert_eq!(ends, [2, 2, 3]);
/// ```
///
/// # Panics
/// From 2^32 on: sizes are checked before a table is built.
#[must_use]
#[inline]
pub fn index32(position: usize) -> u32 {
    u32::try_from(position).expect("a table with positions of 32 bits has fewer than 2^32 entries")
}
