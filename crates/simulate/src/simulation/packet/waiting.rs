//! Requests of the inputs of nodes, and the decisions of a cycle.

use super::fabric::Fabric;
use crate::topology::{LinkId, NodeId};

/// Requests of inputs, by place among the inputs of their node; the host of a node has the place after
/// the last.
#[derive(Debug)]
pub(super) struct Waiting {
    /// For every output a bit for each input.
    requests: Vec<u64>,
    /// For every node the inputs whose packets have a choice.
    choosing: Vec<Choosing>,
    outputs: Vec<LinkId>,
    nodes: Vec<NodeId>,
    /// Whether an output, or a node, is to be looked at already.
    is_marked: [Vec<bool>; 2],
}

#[derive(Clone, Debug, Default)]
struct Choosing {
    bits: Vec<u64>,
    count: u32,
    /// The place that was served last.
    turn: u32,
}

impl Waiting {
    pub(super) fn new(fabric: &Fabric) -> Self {
        let words = fabric.words.last().map_or(0, |end| *end as usize);
        Self {
            requests: vec![0; words],
            choosing: vec![Choosing::default(); fabric.nodes],
            outputs: Vec::new(),
            nodes: Vec::new(),
            is_marked: [vec![false; fabric.links()], vec![false; fabric.nodes]],
        }
    }

    fn of(&mut self, fabric: &Fabric, output: LinkId) -> &mut [u64] {
        let [from, to] = [output as usize, output as usize + 1].map(|at| fabric.words[at] as usize);
        &mut self.requests[from..to]
    }

    /// An input asks for one output.
    pub(super) fn ask(&mut self, fabric: &Fabric, output: LinkId, place: u32) {
        set(self.of(fabric, output), place);
        self.mark_output(output);
    }

    /// The next input after `turn` that asks for an output; it asks no more.
    pub(super) fn serve(&mut self, fabric: &Fabric, output: LinkId, turn: u32) -> Option<u32> {
        let bits = self.of(fabric, output);
        let place = next(bits, turn)?;
        clear(bits, place);
        Some(place)
    }

    /// The packet at an input has a choice.
    pub(super) fn choose(&mut self, node: NodeId, place: u32) {
        let choosing = &mut self.choosing[node as usize];
        let words = place as usize / 64 + 1;
        if choosing.bits.len() < words {
            choosing.bits.resize(words, 0);
        }
        set(&mut choosing.bits, place);
        choosing.count += 1;
        self.mark_node(node);
    }

    /// Notes that a packet has chosen.
    pub(super) fn decided(&mut self, node: NodeId, place: u32) {
        let choosing = &mut self.choosing[node as usize];
        clear(&mut choosing.bits, place);
        choosing.count -= 1;
        choosing.turn = place;
    }

    /// Number of inputs of a node whose packets have not chosen.
    pub(super) fn undecided(&self, node: NodeId) -> u32 {
        self.choosing[node as usize].count
    }

    /// The input of a node that chose last.
    pub(super) fn turn(&self, node: NodeId) -> u32 {
        self.choosing[node as usize].turn
    }

    /// The next input of a node after one whose packet has a choice.
    pub(super) fn after(&self, node: NodeId, place: u32) -> Option<u32> {
        next(&self.choosing[node as usize].bits, place)
    }

    /// An output has become free: all that wait for it are looked at in this cycle.
    pub(super) fn mark(&mut self, fabric: &Fabric, output: LinkId) {
        self.mark_output(output);
        let node = fabric.from[output as usize];
        if self.undecided(node) > 0 {
            self.mark_node(node);
        }
    }

    fn mark_output(&mut self, output: LinkId) {
        if !std::mem::replace(&mut self.is_marked[0][output as usize], true) {
            self.outputs.push(output);
        }
    }

    fn mark_node(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.is_marked[1][node as usize], true) {
            self.nodes.push(node);
        }
    }

    /// An output to be looked at.
    pub(super) fn next_output(&mut self) -> Option<LinkId> {
        let output = self.outputs.pop()?;
        self.is_marked[0][output as usize] = false;
        Some(output)
    }

    /// A node whose inputs have choices to be looked at.
    pub(super) fn next_node(&mut self) -> Option<NodeId> {
        let node = self.nodes.pop()?;
        self.is_marked[1][node as usize] = false;
        Some(node)
    }
}

fn set(bits: &mut [u64], place: u32) {
    bits[place as usize / 64] |= 1 << (place % 64);
}

fn clear(bits: &mut [u64], place: u32) {
    bits[place as usize / 64] &= !(1 << (place % 64));
}

/// The next place after `turn` whose bit is set, round the end.
fn next(bits: &[u64], turn: u32) -> Option<u32> {
    let words = bits.len();
    let (word, bit) = (turn as usize / 64 % words.max(1), turn % 64);
    // Two shifts, since one by 64 is none.
    let above = bits.get(word)? & (!0 << bit << 1);
    let whole = (1..=words).map(|step| (word + step) % words);
    let found = std::iter::once((word, above)).chain(whole.map(|word| (word, bits[word])));
    found
        .into_iter()
        .find(|(_, bits)| *bits != 0)
        .map(|(word, bits)| u32::try_from(word * 64).unwrap_or(u32::MAX) + bits.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of places in two words, turn by turn, against a search place by place.
    #[test]
    fn the_next_place_is_the_first_one_after_the_turn() {
        let sets: [&[u32]; 6] = [&[], &[0], &[63], &[64, 127], &[1, 62, 63, 64, 90], &[5]];
        for places in sets {
            let mut bits = [0; 2];
            for place in places {
                set(&mut bits, *place);
            }
            for turn in 0..128 {
                let wanted = (1..=128).map(|step| (turn + step) % 128);
                let wanted = wanted.into_iter().find(|place| places.contains(place));
                assert_eq!(next(&bits, turn), wanted, "{places:?} after {turn}");
            }
        }
        assert_eq!(next(&[], 7), None);
    }
}
