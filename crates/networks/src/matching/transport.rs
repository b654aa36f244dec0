//! The transportation problem with its prices: a maximum-weight matching of rows and columns that have
//! room for several (primal-dual method; Ford and Fulkerson 1957).
//!
//! The prices are a cover at every moment, and what they allow falls from one step to the next. So the
//! work can end as soon as they allow no more than what is known elsewhere.

use crate::progress::{Progress, Stopped};

/// A problem: what rows send and columns receive at most, and the weight of every entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transport {
    /// Maximum amount that every row sends, each below 2^62.
    pub supply: Vec<u64>,
    /// Maximum amount that every column receives, each below 2^62.
    pub demand: Vec<u64>,
    /// Row by row, each at most 2^40; 0 where nothing can be sent.
    pub weight: Vec<u64>,
}

/// Prices of rows and columns, and what is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transported {
    /// No more than this can be sent, Σ price·room.
    pub most: u128,
    /// Whether `flow` attains it.
    pub attained: bool,
    /// Price of every row. Row and column price of an entry sum to at least its weight.
    pub row_price: Vec<u64>,
    /// Price of every column.
    pub column_price: Vec<u64>,
    /// Amount sent from row to column, row by row.
    pub flow: Vec<u64>,
}

/// The most weight that can be sent, unless it is seen to be at most `enough`: then no more than the
/// prices that show it. O(rows·columns) per path of flow. `progress` is checked at every path.
///
/// # Errors
/// [`Stopped`] when it was cancelled.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{matching::transport::{Transport, most_weight}, progress::Progress};
/// let problem = Transport { supply: vec![3, 1], demand: vec![2, 2], weight: vec![5, 3, 4, 0] };
/// let found = most_weight(&problem, 0, &Progress::silent())?;
/// assert_eq!((found.most, found.attained, found.flow), (15, true, vec![1, 2, 1, 0]));
/// let found = most_weight(&problem, 19, &Progress::silent())?;
/// assert_eq!((found.most, found.attained), (19, false));
/// # Ok::<(), routebound::progress::Stopped>(())
/// ```
pub fn most_weight(
    problem: &Transport,
    enough: u128,
    progress: &Progress,
) -> Result<Transported, Stopped> {
    let mut search = Search::new(problem);
    let mut attained = false;
    while !attained && search.most > enough {
        progress.check()?;
        attained = search.step(enough);
    }
    let positive = |prices: &[i64]| prices.iter().map(|price| price.unsigned_abs()).collect();
    Ok(Transported {
        most: search.most,
        attained,
        row_price: positive(&search.row_price),
        column_price: positive(&search.column_price),
        flow: search.flow,
    })
}

/// Stands for "none".
const NONE: usize = usize::MAX;

/// Prices and flow, where flow is only on entries whose prices sum to their weight, and only full
/// columns have a price. It is a maximum once no row with a price has anything left.
struct Search<'p> {
    problem: &'p Transport,
    columns: usize,
    row_price: Vec<i64>,
    column_price: Vec<i64>,
    flow: Vec<u64>,
    /// Amounts that rows have left to send, and columns room for.
    left: Vec<u64>,
    room: Vec<u64>,
    /// Entries that the prices allow.
    most: u128,
    reached: Reached,
}

/// The rows that have something left, and whatever can be relieved from there over entries whose prices
/// sum to their weight.
#[derive(Default)]
struct Reached {
    rows: Vec<usize>,
    /// How many of the rows have been looked at.
    done: usize,
    is_row: Vec<bool>,
    is_column: Vec<bool>,
    /// The column over which a row was reached.
    column_of: Vec<usize>,
    /// Per column that was not reached, the least excess of prices over weight in a row that was, and that
    /// row. Per reached column, the row over which it was reached.
    excess: Vec<i64>,
    row_of: Vec<usize>,
}

impl<'p> Search<'p> {
    /// Rows have the price of their largest weight.
    fn new(problem: &'p Transport) -> Self {
        let columns = problem.demand.len();
        let rows = problem.weight.chunks(columns.max(1));
        let largest = rows.map(|row| row.iter().max().map_or(0, |most| most.cast_signed()));
        let mut row_price: Vec<i64> = largest.collect();
        row_price.resize(problem.supply.len(), 0);
        let paid = row_price.iter().zip(&problem.supply);
        let most = paid.map(|(price, supply)| total(*price, *supply)).sum();
        Self {
            problem,
            columns,
            row_price,
            column_price: vec![0; columns],
            flow: vec![0; problem.weight.len()],
            left: problem.supply.clone(),
            room: problem.demand.clone(),
            most,
            reached: Reached::default(),
        }
    }

    /// Sends along one path, lowering prices until there is one; `true` where none is needed any more.
    /// Ends earlier where prices allow no more than `enough`.
    fn step(&mut self, enough: u128) -> bool {
        self.start();
        if self.reached.rows.is_empty() {
            return true;
        }
        loop {
            while let Some(row) = self.reached.rows.get(self.reached.done).copied() {
                self.reached.done += 1;
                if let Some(column) = self.look_at(row) {
                    self.send(column, None);
                    return false;
                }
            }
            let (end, column) = self.lower_prices();
            if self.most <= enough {
                return false;
            }
            if let Some(row) = end {
                // A row with something left ends the search without a path.
                if self.reached.column_of[row] != NONE {
                    self.send(self.reached.column_of[row], Some(row));
                }
                return false;
            }
            if let Some(column) = column.and_then(|column| self.reach(column)) {
                self.send(column, None);
                return false;
            }
        }
    }

    /// Begins a search at the rows that have a price and something left.
    fn start(&mut self) {
        let rows = self.row_price.len();
        let open = (0..rows).filter(|row| self.left[*row] > 0 && self.row_price[*row] > 0);
        let reached = &mut self.reached;
        reached.rows.clear();
        reached.rows.extend(open);
        reached.done = 0;
        reached.is_row = vec![false; rows];
        for row in &reached.rows {
            reached.is_row[*row] = true;
        }
        reached.is_column = vec![false; self.columns];
        reached.column_of = vec![NONE; rows];
        reached.excess = vec![i64::MAX; self.columns];
        reached.row_of = vec![NONE; self.columns];
    }

    /// Looks for columns that a row can send to; the first one with room.
    fn look_at(&mut self, row: usize) -> Option<usize> {
        let weights = &self.problem.weight[row * self.columns..][..self.columns];
        for (column, weight) in weights.iter().enumerate() {
            if *weight == 0 || self.reached.is_column[column] {
                continue;
            }
            let excess = self.row_price[row] + self.column_price[column] - weight.cast_signed();
            if excess < self.reached.excess[column] {
                self.reached.excess[column] = excess;
                self.reached.row_of[column] = row;
            }
            if excess == 0
                && let Some(column) = self.reach(column)
            {
                return Some(column);
            }
        }
        None
    }

    /// Adds a column, and the rows that send to it; the column if it has room.
    fn reach(&mut self, column: usize) -> Option<usize> {
        self.reached.is_column[column] = true;
        if self.room[column] > 0 {
            return Some(column);
        }
        for row in 0..self.row_price.len() {
            if self.flow[row * self.columns + column] > 0 && !self.reached.is_row[row] {
                self.reached.is_row[row] = true;
                self.reached.column_of[row] = column;
                self.reached.rows.push(row);
            }
        }
        None
    }

    /// Lowers the prices of the rows reached, and raises those of the columns, until a row has no price
    /// or a further column is reached; that row, or that column.
    fn lower_prices(&mut self) -> (Option<usize>, Option<usize>) {
        let Reached { rows, is_column, excess, .. } = &mut self.reached;
        let row = rows.iter().copied().min_by_key(|row| self.row_price[*row]);
        let open = (0..self.columns).filter(|column| !is_column[*column]);
        let column = open.min_by_key(|column| excess[*column]);
        let of_row = row.map_or(i64::MAX, |row| self.row_price[row]);
        let of_column = column.map_or(i64::MAX, |column| excess[column]);
        let step = of_row.min(of_column);
        let (mut fallen, mut risen) = (0, 0);
        for row in rows.iter() {
            self.row_price[*row] -= step;
            fallen += total(step, self.problem.supply[*row]);
        }
        for (column, is_reached) in is_column.iter().enumerate() {
            if *is_reached {
                self.column_price[column] += step;
                risen += total(step, self.problem.demand[column]);
            } else if excess[column] != i64::MAX {
                excess[column] -= step;
            }
        }
        self.most = (self.most + risen).saturating_sub(fallen);
        (row.filter(|_| of_row <= of_column), column)
    }

    /// Sends along the path to a column with room, or, by way of it, in place of a row that then keeps
    /// what it has.
    fn send(&mut self, column: usize, in_place_of: Option<usize>) {
        let mut path = Vec::new();
        let (mut to, mut amount) = (column, self.room[column]);
        if let Some(row) = in_place_of {
            amount = self.flow[row * self.columns + column];
        }
        let first = loop {
            let row = self.reached.row_of[to];
            path.push((row, to));
            let back = self.reached.column_of[row];
            if back == NONE {
                break row;
            }
            amount = amount.min(self.flow[row * self.columns + back]);
            to = back;
        };
        amount = amount.min(self.left[first]);
        for (row, to) in path {
            self.flow[row * self.columns + to] += amount;
            let back = self.reached.column_of[row];
            if back != NONE {
                self.flow[row * self.columns + back] -= amount;
            }
        }
        self.left[first] -= amount;
        match in_place_of {
            Some(row) => {
                self.flow[row * self.columns + column] -= amount;
                self.left[row] += amount;
            }
            None => self.room[column] -= amount,
        }
    }
}

/// The amount of a price, which is never negative.
fn total(price: i64, amount: u64) -> u128 {
    u128::from(price.unsigned_abs()) * u128::from(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::MinCostNetwork;
    use proptest::prelude::*;

    proptest! {
        /// The maximum is that of a min-cost flow, the prices prove it, and the flow attains it; a search
        /// that ends early has prices that cover.
        #[test]
        fn flow_and_prices_agree(
            supply in prop::collection::vec(0u64..6, 1..6),
            demand in prop::collection::vec(0u64..6, 1..6),
            cells in prop::collection::vec(0u64..7, 36),
            enough in 0u128..40,
        ) {
            let (rows, columns) = (supply.len(), demand.len());
            let weight: Vec<u64> = cells.into_iter().take(rows * columns).collect();
            let problem = Transport { supply, demand, weight };
            let silent = Progress::silent();
            let mut network = MinCostNetwork::new(2 + rows + columns);
            for (row, supply) in problem.supply.iter().enumerate() {
                network.add_arc(0, 2 + row, *supply, 0);
            }
            for (column, demand) in problem.demand.iter().enumerate() {
                network.add_arc(2 + rows + column, 1, *demand, 0);
            }
            for (place, weight) in problem.weight.iter().enumerate() {
                network.add_arc(2 + place / columns, 2 + rows + place % columns, 99, *weight);
            }
            let most = network.maximise(0, 1, &silent).unwrap();
            let found = most_weight(&problem, 0, &silent).unwrap();
            prop_assert_eq!(found.most, most);
            let sent = found.flow.iter().zip(&problem.weight).map(|(flow, weight)| flow * weight);
            prop_assert!(found.attained || most == 0);
            prop_assert_eq!(u128::from(sent.sum::<u64>()), most);
            for row in 0..rows {
                let of_row = &found.flow[row * columns..][..columns];
                prop_assert!(of_row.iter().sum::<u64>() <= problem.supply[row]);
            }
            for column in 0..columns {
                let of_column = found.flow.iter().skip(column).step_by(columns);
                prop_assert!(of_column.sum::<u64>() <= problem.demand[column]);
            }
            let early = most_weight(&problem, enough, &silent).unwrap();
            prop_assert!(early.most >= most && (early.most <= enough || early.attained));
            for found in [found, early] {
                let rows = found.row_price.iter().zip(&problem.supply);
                let columns_paid = found.column_price.iter().zip(&problem.demand);
                let paid: u64 = rows.chain(columns_paid).map(|(price, room)| price * room).sum();
                prop_assert_eq!(u128::from(paid), found.most);
                for (place, weight) in problem.weight.iter().enumerate() {
                    let prices = found.row_price[place / columns] + found.column_price[place % columns];
                    prop_assert!(prices >= *weight);
                }
            }
        }
    }
}
