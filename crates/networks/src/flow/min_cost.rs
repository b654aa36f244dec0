//! Min-cost flow with its dual prices, by successive shortest paths (Jewell 1958; Busacker and
//! Gowen 1961).
//!
//! Costs are at most 0 here, so an arc is given by its *gain*, the negative of its cost: a flow of
//! minimum cost has the largest total gain, and a shortest path is one of largest gain.

use super::residual::Residual;
use crate::integer::index32;
use crate::progress::{Progress, Stopped};

/// A network whose arcs have a gain, the negative of their cost, per unit of flow.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::flow::MinCostNetwork;
/// let mut network = MinCostNetwork::new(4);
/// network.add_arc(0, 2, 1, 0);
/// let (good, better) = (network.add_arc(2, 3, 9, 4), network.add_arc(2, 3, 1, 7));
/// network.add_arc(3, 1, 9, 0);
/// assert_eq!(network.maximise(0, 1, &routebound::progress::Progress::silent()), Ok(7));
/// assert_eq!((network.flow(good), network.flow(better)), (0, 1));
/// // Every path uses the arc out of the source, so its price covers the gain of them all.
/// assert_eq!(network.prices(0, 1)[0], 7);
/// ```
#[derive(Clone, Debug)]
pub struct MinCostNetwork {
    residual: Residual,
    /// Gain per unit of flow; that of a reverse arc is negative.
    gain: Vec<i64>,
}

/// Gain at a node that no path reaches.
const UNREACHED: i64 = i64::MIN / 4;

impl MinCostNetwork {
    /// A network of `nodes` nodes without arcs.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { residual: Residual::new(nodes), gain: Vec::new() }
    }

    /// Adds an arc of cost −`gain` per unit and returns its number. No cycle of arcs may have a
    /// negative cost; gains are at most 2^40.
    pub fn add_arc(&mut self, from: usize, to: usize, capacity: u64, gain: u64) -> usize {
        self.gain.extend([gain.cast_signed(), -gain.cast_signed()]);
        self.residual.add(from, to, capacity)
    }

    /// Flow on an arc.
    #[must_use]
    pub fn flow(&self, arc: usize) -> u64 {
        self.residual.flow(arc)
    }

    /// Finds a flow of minimum cost, whatever its value, and returns its total gain.
    /// O(value·V·E) at worst, O(value·E) in practice. `progress` is checked at every path.
    ///
    /// # Errors
    /// [`Stopped`] when it was cancelled.
    pub fn maximise(
        &mut self,
        source: usize,
        sink: usize,
        progress: &Progress,
    ) -> Result<u128, Stopped> {
        let mut total = 0;
        loop {
            progress.check()?;
            let (gain, last) = self.best_paths(source, None);
            if gain[sink] <= 0 {
                return Ok(total);
            }
            let mut path = Vec::new();
            let mut node = sink;
            while node != source {
                let Some(arc) = last[node] else { return Ok(total) };
                path.push(arc);
                node = self.residual.tail(arc);
            }
            let amount = self.residual.push(&path);
            total += u128::from(amount) * u128::from(gain[sink].cast_unsigned());
        }
    }

    /// After [`Self::maximise`]: the dual price of every arc, in the order of the arcs: the drop of
    /// the node potentials along it, or 0. The prices of every path with one arc of gain sum to at
    /// least that gain, and Σ capacity·price is the maximum total gain. Meaningful for arcs of gain 0.
    #[must_use]
    pub fn prices(&self, source: usize, sink: usize) -> Vec<u64> {
        let (gain, _) = self.best_paths(source, Some(sink));
        // Nodes that no path reaches lie behind arcs without capacity: a price as high as all gains.
        let lowest = -self.greatest_gain();
        let potential = |node: usize| gain[node].max(lowest);
        let price = |arc| {
            let (tail, head) = (self.residual.tail(arc), self.residual.head(arc));
            potential(tail).saturating_sub(potential(head)).max(0).cast_unsigned()
        };
        (0..index32(self.gain.len())).step_by(2).map(price).collect()
    }

    fn greatest_gain(&self) -> i64 {
        self.gain.iter().step_by(2).copied().max().unwrap_or(0)
    }

    /// The largest gain (minimum cost, negated) of a residual path from `source` to every node, and
    /// its last arc. With `sink`, flow may also go from the source to the sink directly at cost 0.
    fn best_paths(&self, source: usize, sink: Option<usize>) -> (Vec<i64>, Vec<Option<u32>>) {
        let nodes = self.residual.nodes();
        let (mut gain, mut last) = (vec![UNREACHED; nodes], vec![None; nodes]);
        let mut queued = vec![false; nodes];
        let mut queue = std::collections::VecDeque::from([source]);
        gain[source] = 0;
        if let Some(sink) = sink {
            gain[sink] = 0;
            queue.push_back(sink);
        }
        while let Some(node) = queue.pop_front() {
            queued[node] = false;
            for arc in self.residual.leaving(node) {
                let head = self.residual.head(*arc);
                let reached = gain[node] + self.gain[*arc as usize];
                if self.residual.is_open(*arc) && reached > gain[head] {
                    gain[head] = reached;
                    last[head] = Some(*arc);
                    if !std::mem::replace(&mut queued[head], true) {
                        queue.push_back(head);
                    }
                }
            }
        }
        (gain, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::weighted::maximum_weight;
    use proptest::prelude::*;

    #[test]
    fn an_arc_without_capacity_has_the_price_of_what_lies_behind_it() {
        let mut network = MinCostNetwork::new(4);
        network.add_arc(0, 2, 0, 0);
        network.add_arc(2, 3, 9, 4);
        network.add_arc(3, 1, 9, 0);
        assert_eq!(network.maximise(0, 1, &Progress::silent()), Ok(0));
        let prices = network.prices(0, 1);
        assert_eq!((prices[0], prices[2]), (4, 0));
    }

    proptest! {
        /// With unit arcs on both sides it is a maximum-weight matching, and the prices of the unit
        /// arcs are its dual potentials.
        #[test]
        fn unit_capacities_are_a_weighted_matching(cells in prop::collection::vec(0u64..9, 20)) {
            let weight = |row: usize, column: usize| cells[row * 5 + column];
            let mut network = MinCostNetwork::new(11);
            for row in 0..4 {
                network.add_arc(0, 2 + row, 1, 0);
            }
            for column in 0..5 {
                network.add_arc(6 + column, 1, 1, 0);
            }
            let cells_in_order = (0..4).flat_map(|row| (0..5).map(move |column| (row, column)));
            let arcs = cells_in_order.map(|(row, column)| {
                network.add_arc(2 + row, 6 + column, 9, weight(row, column))
            });
            let arcs: Vec<usize> = arcs.collect();
            let silent = Progress::silent();
            let best = network.maximise(0, 1, &silent).unwrap();
            prop_assert_eq!(best, u128::from(maximum_weight(4, 5, &weight, &silent).unwrap().weight));
            let gains = arcs.iter().zip(&cells).map(|(arc, gain)| network.flow(*arc) * gain);
            prop_assert_eq!(u128::from(gains.sum::<u64>()), best);
            let prices = network.prices(0, 1);
            prop_assert_eq!(u128::from(prices[..9].iter().sum::<u64>()), best);
            for (row, column) in (0..4).flat_map(|row| (0..5).map(move |column| (row, column))) {
                prop_assert!(prices[row] + prices[4 + column] >= weight(row, column));
            }
        }
    }
}
