//! Worst loads over orders of LIDs, as `compare --shuffle-lids` prints them.

use super::prelude::*;
use crate::fabric::{LidSpread, LidSpreadError};

/// The record of a spread over orders of LIDs.
#[derive(Clone, Debug, Serialize)]
pub struct LidOrders {
    /// The routing.
    pub routing: String,
    /// Why it has no spread, and what to do; everything below is then empty.
    pub refused: Option<String>,
    /// Seed of the first order; the others follow it.
    pub first_seed: Option<u64>,
    /// Number of orders that are known.
    pub orders: usize,
    /// Whether these are all that were asked for.
    pub complete: bool,
    /// The minimum worst permutation load of an order.
    pub least: Option<Rational>,
    /// The one in the middle; of an even number the higher of two.
    pub median: Option<Rational>,
    /// The maximum worst permutation load of an order.
    pub most: Option<Rational>,
    /// Every worst load that occurs, ascending.
    pub loads: Vec<OrdersOfLoad>,
}

/// A worst load, and how many orders have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrdersOfLoad {
    /// The maximum load that a permutation can put on a link; exact.
    pub load: Rational,
    /// Number of orders.
    pub orders: usize,
}

impl LidOrders {
    /// The record of a spread.
    #[must_use]
    pub fn of(found: &LidSpread) -> Self {
        let LidSpread { routing, by_seed } = found;
        let summary = by_seed.summary();
        let counts = by_seed.counts().into_iter();
        Self {
            routing: routing.clone(),
            refused: None,
            first_seed: Some(by_seed.first_seed),
            orders: by_seed.loads.len(),
            complete: by_seed.is_complete(),
            least: summary.as_ref().map(|summary| summary.least().clone()),
            median: summary.as_ref().map(|summary| summary.median().clone()),
            most: summary.as_ref().map(|summary| summary.most().clone()),
            loads: counts.map(|(load, orders)| OrdersOfLoad { load, orders }).collect(),
        }
    }

    /// The record of a routing that has none.
    #[must_use]
    pub fn refused(routing: &str, reason: &LidSpreadError) -> Self {
        Self {
            routing: routing.to_string(),
            refused: Some(reason.to_string()),
            first_seed: None,
            orders: 0,
            complete: true,
            least: None,
            median: None,
            most: None,
            loads: Vec::new(),
        }
    }

    /// The record in one line.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(reason) = &self.refused {
            return format!("none: {reason}");
        }
        let (Some(first), Some(least), Some(median), Some(most)) =
            (self.first_seed, &self.least, &self.median, &self.most)
        else {
            return format!("{}: stopped before the first order was known", self.routing);
        };
        let seeds = match (self.orders as u64).saturating_sub(1) {
            0 => format!("seed {first}"),
            more => format!("seeds {first} to {}", first + more),
        };
        let loads = self.loads.iter().map(|one| format!("{} in {}", shown(&one.load), one.orders));
        let loads: Vec<String> = loads.collect();
        let [least, median, most] = [least, median, most].map(shown);
        let stopped = if self.complete { "" } else { "; stopped before the rest were known" };
        format!(
            "{}: {least} to {most}, median {median}, over {} ({seeds}): {}{stopped}",
            self.routing,
            counted(self.orders, "order"),
            loads.join(", ")
        )
    }
}
