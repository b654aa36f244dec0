//! Integer functions that the standard library lacks.

pub use dashu_int::ops::Gcd;

/// ⌈√x⌉.
///
/// ```
/// use routebound::integer::ceil_sqrt;
/// assert_eq!([0, 1, 2, 4, 5, 9].map(ceil_sqrt), [0, 1, 2, 2, 3, 3]);
/// assert_eq!(ceil_sqrt(u64::MAX), 1 << 32);
/// ```
#[must_use]
pub fn ceil_sqrt(x: u64) -> u64 {
    let root = x.isqrt();
    root + u64::from(root * root < x)
}
