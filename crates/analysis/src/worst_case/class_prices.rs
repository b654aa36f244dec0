//! Exact prices for traffic that was found with rounded shares.
//!
//! Shares of uneven paths may have no small common denominator. The search then rounds them up to integers:
//! its prices cover the pairs, but allow a little too much. If its traffic is a maximum for the exact shares
//! too, there are exact prices that prove it: the least ones that cover all pairs, are no more than the
//! share where there is traffic, and are 0 where there is room left.

use crate::matching::transport::{Transport, Transported};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;

/// Shares of sources and destinations, row by row; `None` where there is no pair.
pub(super) type Shares<'p> = [Option<&'p Rational>];

/// Exact prices of sources and destinations, and the traffic.
pub(super) struct Prices {
    pub(super) rows: Vec<Rational>,
    pub(super) columns: Vec<Rational>,
    /// Σ flow·share, in units of room.
    pub(super) traffic: Rational,
}

/// Exact prices that prove the flow a maximum; `None` where it is not one. O(rows·columns) per round of
/// changes, of which there are no more than rows and columns.
pub(super) fn exact_prices(
    problem: &Transport,
    shares: &Shares<'_>,
    found: &Transported,
    progress: &Progress,
) -> Result<Option<Prices>, Stopped> {
    let (rows, columns) = (problem.supply.len(), problem.demand.len());
    let sent = |row: usize| found.flow[row * columns..][..columns].iter().sum::<u64>();
    let received = |column: usize| found.flow.iter().skip(column).step_by(columns).sum::<u64>();
    let mut row_price = vec![Rational::ZERO; rows];
    // Nothing is known yet of columns that are full: their price is the most that rows leave.
    let mut column_price: Vec<Option<Rational>> = (0..columns)
        .map(|column| (received(column) < problem.demand[column]).then_some(Rational::ZERO))
        .collect();
    for _ in 0..rows + columns + 2 {
        progress.check()?;
        let changed = raise_rows(&mut row_price, shares, &column_price);
        match lower_columns(&mut column_price, shares, &row_price, &found.flow) {
            None => return Ok(None),
            Some(false) if !changed => break,
            Some(_) => {}
        }
    }
    let is_free = |row: &usize| sent(*row) == problem.supply[*row] || row_price[*row].is_zero();
    let Some(column_price) = column_price.into_iter().collect::<Option<Vec<Rational>>>() else {
        return Ok(None);
    };
    let covers = shares.iter().enumerate().all(|(place, share)| {
        let paid = || &row_price[place / columns] + &column_price[place % columns];
        share.is_none_or(|share| paid() >= *share)
    });
    let paid = &paid(&row_price, &problem.supply) + &paid(&column_price, &problem.demand);
    let carried = shares.iter().zip(&found.flow).filter(|(_, flow)| **flow > 0);
    let carried = carried.fold(Rational::ZERO, |sum, (share, flow)| match share {
        Some(share) => &sum + &(*share * &Rational::from(*flow)),
        None => sum,
    });
    let is_proof = covers && (0..rows).all(|row| is_free(&row)) && paid == carried;
    Ok(is_proof.then_some(Prices { rows: row_price, columns: column_price, traffic: carried }))
}

/// What prices amount to.
fn paid(prices: &[Rational], rooms: &[u64]) -> Rational {
    let each = prices.iter().zip(rooms);
    each.fold(Rational::ZERO, |sum, (price, room)| &sum + &(price * &Rational::from(*room)))
}

/// Raises the prices of rows to what those of columns leave uncovered; whether any rose.
fn raise_rows(
    row_price: &mut [Rational],
    shares: &Shares<'_>,
    column_price: &[Option<Rational>],
) -> bool {
    let mut changed = false;
    for (price, shares) in row_price.iter_mut().zip(shares.chunks(column_price.len())) {
        for (share, column) in shares.iter().zip(column_price) {
            let left = share.and_then(|share| share.checked_sub(column.as_ref()?));
            if let Some(left) = left.filter(|left| *left > *price) {
                *price = left;
                changed = true;
            }
        }
    }
    changed
}

/// Lowers the prices of columns to what rows that send to them leave of the share; whether any fell, or
/// `None` where a row leaves less than nothing.
fn lower_columns(
    column_price: &mut [Option<Rational>],
    shares: &Shares<'_>,
    row_price: &[Rational],
    flow: &[u64],
) -> Option<bool> {
    let mut changed = false;
    let columns = column_price.len();
    for (place, share) in shares.iter().enumerate().filter(|(place, _)| flow[*place] > 0) {
        let left = (*share)?.checked_sub(&row_price[place / columns])?;
        let price = &mut column_price[place % columns];
        if price.as_ref().is_none_or(|price| left < *price) {
            *price = Some(left);
            changed = true;
        }
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::transport::most_weight;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is found with shares that are rounded up to a coarse grid, prices are returned only
        /// if they prove it, and always if shares lie on the grid.
        #[test]
        fn prices_are_a_proof(
            supply in prop::collection::vec(1u64..5, 1..5),
            demand in prop::collection::vec(1u64..5, 1..5),
            cells in prop::collection::vec(0u64..30, 25),
            grid in prop::sample::select(vec![30_u64, 7]),
        ) {
            let entries = supply.len() * demand.len();
            let shares: Vec<Rational> =
                cells.iter().take(entries).map(|cell| Rational::new(*cell, 30).unwrap()).collect();
            let weight = cells.iter().take(entries).map(|cell| (cell * grid).div_ceil(30)).collect();
            let problem = Transport { supply, demand, weight };
            let silent = Progress::silent();
            let found = most_weight(&problem, 0, &silent).unwrap();
            let of_pairs: Vec<Option<&Rational>> =
                shares.iter().map(|share| Some(share).filter(|share| !share.is_zero())).collect();
            let exact = exact_prices(&problem, &of_pairs, &found, &silent).unwrap();
            let fine = Transport {
                weight: cells.iter().take(entries).copied().collect(),
                ..problem.clone()
            };
            let most = most_weight(&fine, 0, &silent).unwrap().most;
            prop_assert!(exact.is_some() || grid == 7);
            if let Some(Prices { traffic, .. }) = exact {
                prop_assert_eq!(traffic, Rational::from_big(most.into(), 30_u8.into()).unwrap());
            }
        }
    }
}
