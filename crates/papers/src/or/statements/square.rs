//! FT(m,2) with a square m/2, for which \[OR\] V states OSRM2.

use crate::theorem::shape;
use crate::topology::Topology;

/// √(m/2) of FT(m,2), when that is an integer.
pub(super) fn root(topology: &Topology) -> Option<u64> {
    let (m, n) = shape::ft(topology)?;
    let root = u64::from(m / 2).isqrt();
    (n == 2 && root * root == u64::from(m / 2)).then_some(root)
}
