//! Trees that were read: their own order of hosts, and several cables to a top switch.

use super::{MAX_HEIGHT, Xgft, count_links};
use crate::integer::{as_size, index32};
use crate::rational::Rational;
use crate::topology::{Host, Topology, host_number};

impl Xgft {
    /// Assigns the labels to the hosts in this order, a permutation of all hosts.
    pub(super) fn place_hosts(&mut self, in_order: Vec<Host>) {
        let mut position = vec![0; in_order.len()];
        for (at, host) in in_order.iter().enumerate() {
            position[*host as usize] = index32(at);
        }
        let numbers = |size: &u32| position.iter().map(|at| at / size).collect();
        self.first_digit = position.iter().map(|at| at % self.children[0]).collect();
        self.subtree = self.child_product.iter().map(numbers).collect();
        self.subtree[0] = (0..host_number(in_order.len())).collect();
        self.is_in_order = in_order.is_sorted();
        self.in_order = in_order;
    }

    /// The labels of a network that was read: `in_order` lists its hosts by label, and every
    /// `cables_to_top` of the w_h parents of a node below the top are the same switch. `capacities`
    /// are those of the steps. `None` unless these are the m and w of a tree with that number of
    /// hosts within the limits.
    pub(in crate::topology) fn of_network(
        children: &[u64],
        parents: &[u64],
        cables_to_top: u32,
        capacities: &[Rational],
        in_order: Vec<Host>,
    ) -> Option<Self> {
        let hosts = children.iter().try_fold(1_u64, |n, m| n.checked_mul(*m))?;
        let links = count_links(children, parents)?;
        let fits = (1..=MAX_HEIGHT).contains(&children.len())
            && hosts == in_order.len() as u64
            && links <= u128::from(Topology::MAX_LINKS);
        let narrow = |numbers: &[u64]| numbers.iter().map(|n| index32(as_size(*n))).collect();
        fits.then(|| {
            let mut tree = Self::from_parts(narrow(children), narrow(parents));
            tree.place_hosts(in_order);
            Self { cables_to_top, ..tree }.with_capacities(capacities.to_vec())
        })
    }

    /// The place of a host in the order of its digits, Σ Mi·Π_{j<i} mj: its number on generated
    /// trees, while a network that was read keeps its own numbers.
    #[must_use]
    pub fn position(&self, host: Host) -> u32 {
        self.subtree[1][host as usize] * self.children[0] + self.first_digit[host as usize]
    }

    /// The hosts in the order of their digits: the inverse of [`Self::position`].
    #[must_use]
    pub fn hosts_in_order(&self) -> &[Host] {
        &self.in_order
    }

    /// Whether that is the order of their numbers: the hosts of a subtree then follow each other.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// Number of top switches of the shape that a top switch stands for. A network that was read may have
    /// parallel cables to its top switches; it is then the tree with one top switch per cable, in
    /// which those of one real switch are identified. It has the same links, and up-digit W_h
    /// chooses the cable, the same one up and down: cable k to the W-th of w switches is
    /// W_h = k·w + W.
    #[must_use]
    pub fn cables_to_top(&self) -> u32 {
        self.cables_to_top
    }
}
