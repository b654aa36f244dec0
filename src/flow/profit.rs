//! Flow of maximum profit with its dual prices, by successive longest paths (Jewell 1958;
//! Busacker and Gowen 1961).

use crate::progress::{Progress, Stopped};

/// A network whose arcs earn a profit for every unit that they carry.
///
/// ```
/// use routebound::flow::ProfitNetwork;
/// let mut network = ProfitNetwork::new(4);
/// network.add_arc(0, 2, 1, 0);
/// let (good, better) = (network.add_arc(2, 3, 9, 4), network.add_arc(2, 3, 1, 7));
/// network.add_arc(3, 1, 9, 0);
/// assert_eq!(network.maximise(0, 1, &routebound::progress::Progress::silent()), Ok(7));
/// assert_eq!((network.flow(good), network.flow(better)), (0, 1));
/// // Every path passes the arc out of the source, so its price pays for all of them.
/// assert_eq!(network.prices(0, 1)[0], 7);
/// ```
#[derive(Clone, Debug)]
pub struct ProfitNetwork {
    /// Arcs in pairs: 2i forward, 2i + 1 its reverse.
    ends: Vec<(u32, u32)>,
    residual: Vec<u64>,
    profit: Vec<i64>,
    leaving: Vec<Vec<u32>>,
}

/// Profit of a node that no path reaches.
const NOWHERE: i64 = i64::MIN / 4;

impl ProfitNetwork {
    /// A network of `nodes` nodes without arcs.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self {
            ends: Vec::new(),
            residual: Vec::new(),
            profit: Vec::new(),
            leaving: vec![Vec::new(); nodes],
        }
    }

    /// Adds an arc and returns its number. No cycle of arcs may earn a profit; profits are at
    /// most 2^40.
    pub fn add_arc(&mut self, from: usize, to: usize, capacity: u64, profit: u64) -> usize {
        let arc = self.ends.len();
        let (tail, head) = (from as u32, to as u32);
        self.leaving[from].push(arc as u32);
        self.leaving[to].push(arc as u32 + 1);
        self.ends.extend([(tail, head), (head, tail)]);
        self.residual.extend([capacity, 0]);
        self.profit.extend([profit.cast_signed(), -profit.cast_signed()]);
        arc / 2
    }

    /// Flow on an arc.
    #[must_use]
    pub fn flow(&self, arc: usize) -> u64 {
        self.residual[2 * arc + 1]
    }

    /// Makes the profit of the flow maximum, whatever its value, and returns it.
    /// O(value·V·E) at worst, O(value·E) in practice. `progress` is asked for every path.
    ///
    /// # Errors
    /// [`Stopped`] when it says so.
    pub fn maximise(
        &mut self,
        source: usize,
        sink: usize,
        progress: &Progress,
    ) -> Result<u128, Stopped> {
        let mut total = 0;
        loop {
            progress.check()?;
            let (gain, way) = self.longest(source, None);
            if gain[sink] <= 0 {
                return Ok(total);
            }
            let mut path = Vec::new();
            let mut node = sink;
            while node != source {
                let Some(arc) = way[node] else { return Ok(total) };
                path.push(arc as usize);
                node = self.ends[arc as usize].0 as usize;
            }
            let amount = self.room(&path);
            for arc in path {
                self.residual[arc] -= amount;
                self.residual[arc ^ 1] += amount;
            }
            total += u128::from(amount) * u128::from(gain[sink].cast_unsigned());
        }
    }

    /// What a path, of an arc at least, still has room for.
    fn room(&self, path: &[usize]) -> u64 {
        let room = path.iter().map(|arc| self.residual[*arc]).min();
        room.expect("a path that earns something has an arc")
    }

    /// After [`Self::maximise`]: a price per arc, in the order of the arcs, such that the prices
    /// of every path are at least its profits, and Σ capacity·price is the maximum profit.
    /// Meaningful for arcs without profit.
    #[must_use]
    pub fn prices(&self, source: usize, sink: usize) -> Vec<u64> {
        let (gain, _) = self.longest(source, Some(sink));
        // What no path reaches is behind arcs that are full: a price above all profits.
        let lowest = -self.greatest_profit() - 1;
        let value = |node: u32| gain[node as usize].max(lowest);
        let price = |arc: usize| {
            let (tail, head) = self.ends[arc];
            value(tail).saturating_sub(value(head)).max(0).cast_unsigned()
        };
        (0..self.ends.len()).step_by(2).map(price).collect()
    }

    fn greatest_profit(&self) -> i64 {
        self.profit.iter().step_by(2).copied().max().unwrap_or(0)
    }

    /// Greatest profit of a residual path from `source` to every node, and its last arc. With
    /// `sink`, flow may also leave the source for the sink directly at no profit.
    fn longest(&self, source: usize, sink: Option<usize>) -> (Vec<i64>, Vec<Option<u32>>) {
        let nodes = self.leaving.len();
        let (mut gain, mut way) = (vec![NOWHERE; nodes], vec![None; nodes]);
        let mut queued = vec![false; nodes];
        let mut queue = std::collections::VecDeque::from([source]);
        gain[source] = 0;
        if let Some(sink) = sink {
            gain[sink] = 0;
            queue.push_back(sink);
        }
        while let Some(node) = queue.pop_front() {
            queued[node] = false;
            for arc in &self.leaving[node] {
                let head = self.ends[*arc as usize].1 as usize;
                let reached = gain[node] + self.profit[*arc as usize];
                if self.residual[*arc as usize] > 0 && reached > gain[head] {
                    gain[head] = reached;
                    way[head] = Some(*arc);
                    if !std::mem::replace(&mut queued[head], true) {
                        queue.push_back(head);
                    }
                }
            }
        }
        (gain, way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::weighted::maximum_weight;
    use proptest::prelude::*;

    proptest! {
        /// With unit arcs at both sides it is a maximum-weight matching, and the prices of the
        /// unit arcs are potentials.
        #[test]
        fn unit_capacities_are_a_weighted_matching(cells in prop::collection::vec(0u64..9, 20)) {
            let weight = |row: usize, column: usize| cells[row * 5 + column];
            let mut network = ProfitNetwork::new(11);
            for row in 0..4 {
                network.add_arc(0, 2 + row, 1, 0);
            }
            for column in 0..5 {
                network.add_arc(6 + column, 1, 1, 0);
            }
            for (row, column) in (0..4).flat_map(|row| (0..5).map(move |column| (row, column))) {
                network.add_arc(2 + row, 6 + column, 9, weight(row, column));
            }
            let silent = Progress::silent();
            let best = network.maximise(0, 1, &silent).unwrap();
            prop_assert_eq!(best, u128::from(maximum_weight(4, 5, &weight, &silent).unwrap().weight));
            let prices = network.prices(0, 1);
            prop_assert_eq!(u128::from(prices[..9].iter().sum::<u64>()), best);
            for (row, column) in (0..4).flat_map(|row| (0..5).map(move |column| (row, column))) {
                prop_assert!(prices[row] + prices[4 + column] >= weight(row, column));
            }
        }
    }
}
