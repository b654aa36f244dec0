//! An order of ranks: on which node every rank is.

use super::error::OrderError;
use crate::integer::index32;
use crate::jobs::Job;
use crate::jobs::collectives::Rank;

/// Maximum number of nodes of a job whose orders are judged.
pub const MAX_NODES: u64 = 2048;

/// An order of the nodes of a job: rank r is on node `nodes()[r]`, counted as in [`Job::nodes`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order {
    nodes: Vec<u32>,
}

impl Order {
    /// The order in which these nodes are ranks 0, 1, 2 and so on. O(nodes).
    ///
    /// # Errors
    /// [`OrderError::NotAnOrder`] unless every number below their count is there once.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::orders::Order;
    /// assert_eq!(Order::new(vec![2, 0, 1])?.reversed().nodes(), [1, 0, 2]);
    /// assert!(Order::new(vec![0, 2]).is_err() && Order::new(vec![0, 0]).is_err());
    /// # Ok::<(), routebound::jobs::orders::OrderError>(())
    /// ```
    pub fn new(nodes: Vec<u32>) -> Result<Self, OrderError> {
        let mut seen = vec![false; nodes.len()];
        for node in &nodes {
            let problem = match seen.get_mut(*node as usize) {
                Some(seen) if !*seen => {
                    *seen = true;
                    continue;
                }
                Some(_) => format!("node {node} is there twice"),
                None => format!("there is no node {node}, they are numbered from 0"),
            };
            return Err(OrderError::NotAnOrder { nodes: nodes.len(), problem });
        }
        Ok(Self { nodes })
    }

    /// The order in which the job lists its nodes.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::orders::Order;
    /// assert_eq!(Order::listed(3).nodes(), [0, 1, 2]);
    /// ```
    #[must_use]
    pub fn listed(nodes: usize) -> Self {
        Self { nodes: (0..index32(nodes)).collect() }
    }

    /// An order whose ring has as many of given sends as is easily had: node i is to be followed by
    /// `next[i]`. Chains are placed one after the other, the one that begins at the lowest node first, and a
    /// cycle of fewer nodes than all is broken before its lowest node. So a permutation that loads some link
    /// becomes a ring that loads it almost as much. O(nodes).
    ///
    /// # Errors
    /// [`OrderError::NotAnOrder`] where a node is to be followed by itself or one that does not exist, or
    /// follows two.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::orders::Order;
    /// // 1 and 3 in a cycle, 2 before 0.
    /// let order = Order::ring_of(&[None, Some(3), Some(0), Some(1)])?;
    /// assert_eq!(order.nodes(), [2, 0, 1, 3]);
    /// # Ok::<(), routebound::jobs::orders::OrderError>(())
    /// ```
    pub fn ring_of(next: &[Option<u32>]) -> Result<Self, OrderError> {
        let mut follows = vec![false; next.len()];
        for (at, after) in next.iter().enumerate().filter_map(|(at, after)| Some((at, (*after)?))) {
            let is_new =
                follows.get_mut(after as usize).is_some_and(|seen| !std::mem::replace(seen, true));
            if !is_new || after as usize == at {
                let problem = format!("node {after} cannot follow node {at}");
                return Err(OrderError::NotAnOrder { nodes: next.len(), problem });
            }
        }
        let (mut nodes, mut placed) = (Vec::with_capacity(next.len()), vec![false; next.len()]);
        let heads = (0..next.len()).filter(|node| !follows[*node]);
        for head in heads.chain(0..next.len()) {
            let mut at = Some(index32(head));
            while let Some(node) = at.filter(|node| !placed[*node as usize]) {
                placed[node as usize] = true;
                nodes.push(node);
                at = next[node as usize];
            }
        }
        Ok(Self { nodes })
    }

    /// The node of every rank.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::orders::Order;
    /// assert_eq!(Order::listed(2).nodes(), [0, 1]);
    /// ```
    #[must_use]
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The order from the last node to the first.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::orders::Order;
    /// assert_eq!(Order::listed(3).reversed().nodes(), [2, 1, 0]);
    /// ```
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { nodes: self.nodes.iter().rev().copied().collect() }
    }

    /// The node of a rank; `None` where there is no such rank.
    ///
    /// ```
    /// # use routebound_analysis as routebound;
    /// use routebound::jobs::orders::Order;
    /// assert_eq!((Order::listed(3).node(2), Order::listed(3).node(3)), (Some(2), None));
    /// ```
    #[must_use]
    pub fn node(&self, rank: Rank) -> Option<u32> {
        self.nodes.get(rank as usize).copied()
    }

    /// Refuses an order of another number of nodes than the job has.
    pub(in crate::jobs) fn check(&self, job: &Job) -> Result<(), OrderError> {
        let (size, nodes) = (self.nodes.len(), job.nodes.len());
        let error = OrderError::OtherSize { what: "the order", size, nodes };
        if size == nodes { Ok(()) } else { Err(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_of_permutations() {
        let of = |next: &[Option<u32>]| Order::ring_of(next).map(|order| order.nodes);
        // One cycle of all stays as it is.
        assert_eq!(of(&[Some(2), Some(0), Some(1)]), Ok(vec![0, 2, 1]));
        // Two cycles lose a send each.
        assert_eq!(of(&[Some(3), Some(2), Some(1), Some(0)]), Ok(vec![0, 3, 1, 2]));
        assert_eq!(of(&[None, None, None]), Ok(vec![0, 1, 2]));
        for wrong in [[Some(0), None], [Some(2), None], [None, Some(1)]] {
            assert!(of(&wrong).is_err(), "{wrong:?}");
        }
        assert!(of(&[Some(2), Some(2), None]).is_err());
    }
}
