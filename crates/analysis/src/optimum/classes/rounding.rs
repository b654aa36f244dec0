//! Flows in integers: every amount is a multiple of a small unit, so that loads are exact.
//!
//! What is at a node is divided among its arcs, and what is on an arc among its cables, in whole units that add up to
//! it. The unit is such that parts by small numbers are whole: an even split stays one.

use super::dag::Dag;
use super::network::Classes;
use crate::optimum::paths::{settle, whole};
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::LinkId;

/// Parts of a unit of demand: 2^10 · 3^3 · 5^2 · 7 · 11 · 13.
const FINE: u128 = 691_891_200;

/// Maximum number of bits of an amount that a float divides exactly.
const EXACT: u32 = 52;

/// Smaller parts of what is at a node are left out: they would only make paths more.
const LEAST_PART: f64 = 1e-5;

/// The number of parts of a unit of [`Classes::units`].
#[must_use]
pub fn factor(classes: &Classes<'_>) -> u128 {
    let totals = classes.demands().iter();
    let totals = totals.map(|group| group.sinks.iter().map(|(_, units)| units).sum::<u128>());
    let largest = totals.max().unwrap_or(1);
    if largest.saturating_mul(FINE) >> EXACT == 0 {
        return FINE;
    }
    1 << EXACT.saturating_sub(128 - largest.leading_zeros())
}

/// Divides `amount` by weights ≥ 0, not all of which are 0, into whole parts that add up to it.
#[must_use]
pub fn divide(amount: u128, weights: &[f64]) -> Vec<u128> {
    if let [_] = weights {
        return vec![amount];
    }
    let all: f64 = weights.iter().sum();
    let mut parts: Vec<u128> =
        weights.iter().map(|weight| whole(amount as f64 * weight / all)).collect();
    settle(&mut parts, amount);
    parts
}

/// Calls `on(link, amount)` with the traffic of every cable that carries some on the way to the gate of `dag`. `at` has
/// an entry 0 per node, as it has again afterwards.
pub fn send(
    classes: &Classes<'_>,
    dag: &Dag,
    factor: u128,
    at: &mut [u128],
    mut on: impl FnMut(LinkId, u128),
) {
    let demands = &classes.demands()[dag.group];
    for (from, units) in &demands.sinks {
        at[classes.gates().node(*from) as usize] += units * factor;
    }
    for place in &dag.places {
        let here = std::mem::take(&mut at[place.node as usize]);
        if here == 0 {
            continue;
        }
        let is_large = |part: &f64| if *part < LEAST_PART { 0.0 } else { *part };
        let parts: Vec<f64> = dag.parts[place.arcs.clone()].iter().map(is_large).collect();
        for (arc, amount) in dag.arcs[place.arcs.clone()].iter().zip(divide(here, &parts)) {
            let arc = &classes.arcs()[*arc as usize];
            at[arc.head as usize] += amount;
            let capacities: Vec<f64> = arc.links.iter().map(|(_, capacity)| *capacity).collect();
            for ((link, _), amount) in arc.links.iter().zip(divide(amount, &capacities)) {
                if amount > 0 {
                    on(*link, amount);
                }
            }
        }
    }
    at[classes.gates().node(demands.source) as usize] = 0;
}

/// The max load of traffic per link in whole units. O(links).
#[must_use]
pub fn max_load(classes: &Classes<'_>, traffic: &[u128], factor: u128) -> Rational {
    let topology = classes.topology();
    // No float rules out a link whose capacity is none.
    let near = |(link, traffic): (LinkId, &u128)| {
        let capacity = Some(topology.link(link).capacity.to_f64()).filter(|it| it.is_normal());
        capacity.map_or(f64::NAN, |capacity| *traffic as f64 / capacity)
    };
    let loads: Vec<f64> = (0..).zip(traffic).map(near).collect();
    let most = loads.iter().copied().fold(0.0, f64::max) * (1.0 - 1e-9);
    let loaded = (0..).zip(traffic).zip(&loads).filter(|(_, load)| load.is_nan() || **load >= most);
    let exact = loaded.filter_map(|((link, traffic), _)| {
        let traffic = Rational::from_big((*traffic).into(), (classes.units() * factor).into())?;
        Some(topology.load_of(link, &traffic))
    });
    exact.max().unwrap_or(Rational::ZERO)
}

/// The max load of traffic that divides as `dags` say, the links of hosts included; `None` when `progress` is
/// cancelled.
#[must_use]
pub fn exact_load(
    classes: &Classes<'_>,
    dags: &[Dag],
    factor: u128,
    progress: &Progress,
) -> Option<Rational> {
    let mut traffic = vec![0; classes.topology().links()];
    let mut at = vec![0; classes.topology().nodes()];
    for dag in dags {
        progress.check().ok()?;
        send(classes, dag, factor, &mut at, |link, amount| traffic[link as usize] += amount);
    }
    Some(max_load(classes, &traffic, factor).max(classes.baseload().0.clone()))
}
