//! The uses of a pair are paths of it.
//!
//! A routing that splits evenly has far fewer links per pair than paths times links. Where it gives
//! its links in the order in which traffic passes them, one pass verifies that they carry paths
//! from s to d with shares that sum to 1: every link takes its share from what has arrived at its
//! sending node, and in the end all of it is at d. By induction over the links, what is at a node
//! came there from s by walks, and no walk passes a link twice, since no link comes twice.

use crate::rational::common_denominator;
use crate::topology::{Host, LinkId};

use super::known::Numbered;
use super::network::Network;

/// What is where, as parts of a whole that all shares so far divide.
#[derive(Default)]
pub(super) struct UnitFlow {
    /// The whole; `None` where it does not fit.
    whole: Option<u64>,
    /// Every share, by number.
    parts: Vec<u64>,
    /// What has arrived at every node and not left. All 0 between pairs.
    at: Vec<u64>,
    /// Number of the last pair that passed a link, and of this one.
    pair: Vec<u64>,
    now: u64,
}

impl UnitFlow {
    /// Whether the links, with the numbers of their shares, carry paths from s to d, in the order in
    /// which these pass them. O(links) except for new shares.
    pub(super) fn joins(
        &mut self,
        network: &Network,
        (s, d): (Host, Host),
        (links, shares): (&[(LinkId, u32)], &Numbered),
    ) -> bool {
        let Some(whole) = self.divide(shares) else { return false };
        self.at.resize(network.nodes, 0);
        self.pair.resize(network.links.len(), 0);
        self.now += 1;
        self.at[s as usize] = whole;
        let flows = links.iter().all(|link| self.pass(network, *link));
        let arrived = std::mem::take(&mut self.at[d as usize]);
        if !flows || arrived != whole {
            self.at.fill(0);
        }
        flows && arrived == whole
    }

    /// The whole for all shares.
    fn divide(&mut self, shares: &Numbered) -> Option<u64> {
        let known = shares.known();
        if self.parts.len() != known.len() {
            self.whole = common_denominator(known);
            let whole = self.whole?;
            self.parts = known.iter().map(|share| share.scaled(whole)).collect::<Option<_>>()?;
        }
        self.whole
    }

    /// Lets a link take its share.
    #[inline]
    fn pass(&mut self, network: &Network, (link, share): (LinkId, u32)) -> bool {
        let (Some((from, to)), part) = (network.ends(link), self.parts[share as usize]) else {
            return false;
        };
        let is_first = std::mem::replace(&mut self.pair[link as usize], self.now) != self.now;
        let Some(rest) = self.at[from as usize].checked_sub(part) else { return false };
        self.at[from as usize] = rest;
        self.at[to as usize] += part;
        is_first && part > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{EmbeddedNetwork, LinkRecord, NetworkForm};
    use crate::rational::Rational;

    /// Hosts 0 and 1, and two ways between them over 2 and 3, which have links to each other:
    /// 0 to 3 are 0-2, 0-3, 2-1 and 3-1, 4 and 5 are 2-3 and 3-2, and 6 is 0-1.
    fn network() -> Network {
        let ends = [(0, 2), (0, 3), (2, 1), (3, 1), (2, 3), (3, 2), (0, 1)];
        let links = ends.map(|(from, to)| LinkRecord::new(from, to, Rational::ONE)).to_vec();
        let form = NetworkForm::Embedded(EmbeddedNetwork { hosts: 2, nodes: 4, links });
        Network::open(&form).unwrap()
    }

    fn join(links: &[(LinkId, u64, u64)]) -> bool {
        let (network, mut flow) = (network(), UnitFlow::default());
        let mut shares = Numbered::default();
        let mut number = |a, b| shares.number(&Rational::new(a, b).unwrap());
        let links: Vec<_> = links.iter().map(|(link, a, b)| (*link, number(*a, *b))).collect();
        let joins = flow.joins(&network, (0, 1), (&links, &shares));
        // Whatever came before, the next pair starts anew.
        let fits = common_denominator(shares.known()).is_some();
        assert_eq!(flow.joins(&network, (0, 1), (&[(6, 0)], &shares)), fits);
        joins
    }

    #[test]
    fn shares_that_flow_join_the_pair() {
        assert!(join(&[(6, 1, 1)]));
        assert!(join(&[(0, 1, 2), (1, 1, 2), (2, 1, 2), (3, 1, 2)]));
        assert!(join(&[(0, 1, 3), (2, 1, 3), (6, 2, 3)]));
        assert!(join(&[(0, 2, 3), (1, 1, 3), (4, 1, 3), (3, 2, 3), (2, 1, 3)]));
    }

    #[test]
    fn others_do_not() {
        // Too little, too much, nothing, a link that does not exist.
        assert!(!join(&[(0, 1, 2), (2, 1, 2)]));
        assert!(!join(&[(6, 2, 1)]));
        assert!(!join(&[]));
        assert!(!join(&[(7, 1, 1)]));
        // What has not arrived cannot continue: links in the wrong order, and a cycle alone.
        assert!(!join(&[(2, 1, 1), (0, 1, 1)]));
        assert!(!join(&[(4, 1, 2), (5, 1, 2), (6, 1, 1)]));
        // What remains at a switch; a link that comes twice; a link that carries nothing.
        assert!(!join(&[(0, 1, 1), (2, 1, 2)]));
        assert!(!join(&[(0, 1, 2), (0, 1, 2), (2, 1, 1)]));
        assert!(!join(&[(6, 1, 1), (0, 0, 1)]));
    }

    /// A whole of three primes near 2^32 does not fit: nothing is verified.
    #[test]
    fn shares_without_a_common_denominator_are_not_verified() {
        let big = [4_294_967_291, 4_294_967_279, 4_294_967_231];
        assert!(!join(&big.map(|prime| (6, 1, prime))));
    }
}
