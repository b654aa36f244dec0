//! Square and cubic meshes.

use super::regions::surface;
use super::{Layout, UNIT};
use crate::topology::{Host, host_number};

/// A mesh of side 2^bits, whatever the seed, with surfaces as if each processor had a unit square or
/// cube around it.
pub(super) fn mesh(name: &str, dimensions: u32, bits: u32, _seed: u64) -> Layout {
    let hosts = 1_usize << (dimensions * bits);
    let mut links = Vec::new();
    for host in 0..host_number(hosts) {
        let place = place(host, dimensions);
        for axis in 0..dimensions as usize {
            let mut next = place;
            next[axis] += 1;
            if next[axis] >> bits == 0 {
                links.push([host, number(next, dimensions)]);
            }
        }
    }
    links.sort_unstable();
    let unit = u64::from(UNIT);
    let surfaces = (0..dimensions * bits).map(|k| {
        let extents: Vec<u64> = sides(dimensions, k).map(|side| side * unit).collect();
        vec![surface(&extents); hosts >> k]
    });
    let surfaces = surfaces.collect();
    Layout { name: name.to_string(), dimensions, hosts, is_grid: true, wires: 1, links, surfaces }
}

/// Coordinates of a processor of a grid: bit b of the number is a bit of axis b mod `dimensions`.
pub(super) fn place(host: Host, dimensions: u32) -> [u32; 3] {
    let mut place = [0; 3];
    for bit in 0..Host::BITS {
        place[(bit % dimensions) as usize] |= (host >> bit & 1) << (bit / dimensions);
    }
    place
}

/// The processor at a place.
pub(super) fn number(place: [u32; 3], dimensions: u32) -> Host {
    (0..Host::BITS).fold(0, |host, bit| {
        host | (place[(bit % dimensions) as usize] >> (bit / dimensions) & 1) << bit
    })
}

/// Sides of a region of 2^k processors, in processors.
fn sides(dimensions: u32, k: u32) -> impl Iterator<Item = u64> {
    (0..dimensions).map(move |axis| 1 << ((k + dimensions - 1 - axis) / dimensions))
}

/// The largest number of links of a mesh of side 2^bits that leave a region of 2^k processors, k <
/// `dimensions`·`bits` < 64: along every axis, its cross-section as often as there are other regions beside
/// it, at most twice. It is also the largest number of unit sides or squares on the surface of such a
/// region, without those on the surface of the whole, so no network with one wire through each of
/// these has more. O(dimensions).
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::layout::mesh_crossing;
/// // A processor inside a mesh, two side by side, a square of four.
/// assert_eq!([0, 1, 2].map(|k| mesh_crossing(2, 3, k)), [4, 6, 8]);
/// // Two halves of a square of side 4.
/// assert_eq!(mesh_crossing(2, 2, 3), 4);
/// ```
#[must_use]
pub fn mesh_crossing(dimensions: u32, bits: u32, k: u32) -> u64 {
    let volume: u64 = 1 << k;
    let of_axis = |side: u64| {
        let regions_beside = (1_u64 << bits) / side - 1;
        regions_beside.min(2) * (volume / side)
    };
    sides(dimensions, k).map(of_axis).sum()
}
