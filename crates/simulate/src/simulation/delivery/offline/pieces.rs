//! Messages of a host shared out among the wires of its channel: entries are cut into pieces, each of
//! which takes one wire.

use super::super::DeliveryError;
use super::MAX_SHARES;
use super::ends::Ends;
use crate::channel_tree::{DOWN, UP, Way, WireTree};
use crate::integer::index32;
use crate::limit::within;

/// No bundle, no wire.
pub(super) const NONE: u32 = u32::MAX;

/// Messages that one wire of a host takes, or would take if no others came through this node.
pub(super) struct Bundles {
    /// The ranks of the hosts, ascending.
    pub(super) ranks: Vec<u32>,
    /// The bundle of every piece; [`NONE`] for a piece that turns at its host.
    pub(super) of: Vec<u32>,
}

/// Messages of one entry that share their bundle at both ends.
pub(super) struct Pieces {
    /// The entry of every piece.
    pub(super) entry: Vec<u32>,
    /// Its messages, at least 1.
    pub(super) count: Vec<u64>,
    /// At the source and at the destination.
    pub(super) bundles: [Bundles; 2],
}

impl Pieces {
    /// The messages of a host that take its channel of κ wires are cut into at most κ bundles of
    /// ⌈messages/κ⌉, the last of them smaller. O(entries·log entries + bundles).
    pub(super) fn of(tree: &WireTree, ends: &Ends) -> Result<Self, DeliveryError> {
        let none = || Bundles { ranks: Vec::new(), of: vec![NONE; ends.entries()] };
        let mut pieces = Self {
            entry: (0..index32(ends.entries())).collect(),
            count: ends.count.clone(),
            bundles: [none(), none()],
        };
        for way in [UP, DOWN] {
            let mut order: Vec<u32> = (0..index32(pieces.len())).collect();
            let rank =
                |piece: u32, pieces: &Self| ends.ranks[pieces.entry[piece as usize] as usize][way];
            order.sort_by_key(|piece| rank(*piece, &pieces));
            // The pieces that turn at their host take no channel there.
            order.retain(|piece| ends.apex[pieces.of_entry(*piece)] != rank(*piece, &pieces));
            let hosts = order.chunk_by(|one, next| rank(*one, &pieces) == rank(*next, &pieces));
            let hosts: Vec<(u32, usize)> =
                hosts.map(|of_host| (rank(of_host[0], &pieces), of_host.len())).collect();
            let mut from = 0;
            for (rank, number) in hosts {
                let of_host = &order[from..from + number];
                pieces.cut(rank, way, tree.wires(rank)[way], of_host)?;
                from += number;
            }
        }
        Ok(pieces)
    }

    /// The entry of a piece.
    pub(super) fn of_entry(&self, piece: u32) -> usize {
        self.entry[piece as usize] as usize
    }

    pub(super) fn len(&self) -> usize {
        self.count.len()
    }

    /// Cuts the messages of one host. What does not fit the bundle in which a piece begins becomes a
    /// piece of its own.
    fn cut(
        &mut self,
        rank: u32,
        way: Way,
        wires: u64,
        of_host: &[u32],
    ) -> Result<(), DeliveryError> {
        let total: u64 = of_host.iter().map(|piece| self.count[*piece as usize]).sum();
        let size = total.div_ceil(wires.max(1));
        let most = self.len() as u128 + u128::from(total.div_ceil(size));
        within("number of pieces of messages on wires", Some(most), MAX_SHARES, FEWER)?;
        let mut room = 0;
        for piece in of_host.iter().map(|piece| *piece as usize) {
            let (mut left, mut at) = (self.count[piece], piece);
            while left > 0 {
                if room == 0 {
                    self.bundles[way].ranks.push(rank);
                    room = size;
                }
                if at == self.len() {
                    self.copy(piece);
                }
                let taken = left.min(room);
                self.count[at] = taken;
                self.bundles[way].of[at] = index32(self.bundles[way].ranks.len() - 1);
                (left, room, at) = (left - taken, room - taken, self.len());
            }
        }
        Ok(())
    }

    fn copy(&mut self, piece: usize) {
        self.entry.push(self.entry[piece]);
        self.count.push(0);
        self.bundles.iter_mut().for_each(|bundles| bundles.of.push(bundles.of[piece]));
    }
}

const FEWER: &str = "send fewer messages, or use a tree of fewer wires";

#[cfg(test)]
mod tests {
    use super::super::super::Messages;
    use super::*;
    use crate::topology::UniversalShape;

    /// Host 0 sends 7 + 2 messages over 3 wires: bundles of 3, so that the 7 are cut into 3, 3, 1 and
    /// the last bundle has 1 + 2. Host 1 receives 7 in bundles of 3, 3, 1: no further cuts. The other 2
    /// are one bundle for host 2, which has size 1 there: 2 messages on 3 wires are cut into 1 and 1.
    #[test]
    fn messages_are_cut_at_both_ends() {
        let shape = UniversalShape::named("universal(4,leaf=3)").unwrap().unwrap();
        let tree = WireTree::universal(&shape);
        let messages = Messages::listed([(0, 1, 7), (0, 2, 2)]).unwrap();
        let ends = Ends::of(&tree, &messages).unwrap();
        let pieces = Pieces::of(&tree, &ends).unwrap();
        assert_eq!(pieces.entry, [0, 1, 0, 0, 1]);
        assert_eq!(pieces.count, [3, 1, 3, 1, 1]);
        assert_eq!(pieces.bundles[UP].of, [0, 2, 1, 2, 2]);
        assert_eq!(pieces.bundles[UP].ranks, [tree.rank(0); 3]);
        let [one, two] = [tree.rank(1), tree.rank(2)];
        assert_eq!(pieces.bundles[DOWN].ranks, [one, one, one, two, two]);
        assert_eq!(pieces.bundles[DOWN].of, [0, 3, 1, 2, 4]);
        let many = Messages::listed([(0, 1, 1 << 50)]).unwrap();
        let wide = tree.with_wires(|wires| wires << 26);
        let ends = Ends::of(&wide, &many).unwrap();
        assert!(matches!(Pieces::of(&wide, &ends), Err(DeliveryError::TooLarge(_))));
    }
}
