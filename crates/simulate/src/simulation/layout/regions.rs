//! Regions of a layout: how many wires leave them, and what follows for fat-trees.

use super::{Layout, UNIT};
use crate::rational::Rational;

/// Wires that leave every region, by level and number.
pub(super) fn crossings(layout: &Layout) -> Vec<Vec<u64>> {
    let of_level = |k: u32| {
        let mut counts = vec![0; layout.hosts >> k];
        for [a, b] in &layout.links {
            let regions = [a >> k, b >> k];
            if regions[0] != regions[1] {
                for region in regions {
                    counts[region as usize] += layout.wires;
                }
            }
        }
        counts
    };
    (0..layout.height()).map(of_level).collect()
}

pub(super) fn step_load_factor(layout: &Layout, wires: &[u64]) -> Option<Rational> {
    let crossings = crossings(layout);
    if crossings.len() != wires.len() {
        return None;
    }
    let most = crossings.iter().map(|of_level| of_level.iter().max().copied().unwrap_or(0));
    let factors = most.zip(wires).map(|(most, wires)| Rational::new(most, *wires));
    factors.collect::<Option<Vec<_>>>()?.into_iter().max()
}

pub(super) fn wires_per_surface(layout: &Layout) -> Rational {
    let mut worst = (0_u64, 1_u64);
    for (of_level, surfaces) in crossings(layout).iter().zip(&layout.surfaces) {
        for (wires, surface) in of_level.iter().zip(surfaces) {
            let products = [(*wires, worst.1), (worst.0, *surface)];
            let [this, most] = products.map(|(a, b)| u128::from(a) * u128::from(b));
            if this > most {
                worst = (*wires, *surface);
            }
        }
    }
    let unit = u64::from(UNIT).pow(layout.dimensions - 1);
    let in_units = Rational::new(worst.0, worst.1).unwrap_or_default();
    &in_units * &Rational::from(unit)
}

/// The surface of a box.
pub(super) fn surface(extents: &[u64]) -> u64 {
    let others = |at: usize| {
        extents.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, extent)| extent)
    };
    (0..extents.len()).map(|at| 2 * others(at).product::<u64>()).sum()
}
