//! Cuts that may limit traffic more than hosts do: sets of nodes, such as pods, whose links out or in carry less
//! than their hosts can send or receive.

use std::collections::BTreeSet;

use super::class_problem::ClassSolver;
use crate::certificate::CutId;
use crate::optimum::classes::cuts::divisions;
use crate::rational::Rational;
use crate::topology::{Host, NodeId, Topology};

/// All that crosses a cut outwards, or inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) cut: CutId,
    pub(super) outwards: bool,
}

/// Cuts, each a part of one division of the network, and what may cross them.
#[derive(Default)]
pub(super) struct Cuts {
    /// The cut that every node is in, by division.
    divisions: Vec<Vec<Option<CutId>>>,
    /// The division of every cut, and its capacity outwards and inwards, in units of traffic.
    cuts: Vec<(usize, [Rational; 2])>,
}

impl Cuts {
    /// The cuts that the bounds by cuts on optu try ([`divisions`]), as far as they limit traffic.
    pub(super) fn new(topology: &Topology, solver: &ClassSolver<'_>) -> Self {
        let (mut cuts, mut known) = (Self::default(), BTreeSet::new());
        for division in divisions(topology) {
            let mut useful = useful(topology, solver, &division);
            useful.retain(|(_, nodes, _)| known.insert(nodes.clone()));
            if useful.is_empty() {
                continue;
            }
            let mut number =
                vec![None; division.iter().flatten().max().map_or(0, |part| *part as usize + 1)];
            for (part, _, capacity) in useful {
                number[part as usize] = CutId::try_from(cuts.cuts.len()).ok();
                cuts.cuts.push((cuts.divisions.len(), capacity));
            }
            let of_node = |part: &Option<u32>| part.and_then(|part| number[part as usize]);
            cuts.divisions.push(division.iter().map(of_node).collect());
        }
        cuts
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The most that may cross, in units.
    pub(super) fn capacity(&self, limit: Limit) -> &Rational {
        &self.cuts[limit.cut as usize].1[usize::from(!limit.outwards)]
    }

    /// Whether traffic of a pair has to cross.
    pub(super) fn crosses(&self, limit: Limit, s: Host, d: Host) -> bool {
        let division = &self.divisions[self.cuts[limit.cut as usize].0];
        let is_in = |host: Host| division[host as usize] == Some(limit.cut);
        is_in(s) == limit.outwards && is_in(d) != limit.outwards
    }

    /// The limits that traffic of a pair takes from.
    pub(super) fn of_pair(&self, s: Host, d: Host) -> impl Iterator<Item = Limit> {
        self.divisions.iter().flat_map(move |division| {
            let ends = [s, d].map(|host| division[host as usize]);
            let ends = ends.into_iter().zip([true, false]).filter(move |_| ends[0] != ends[1]);
            ends.filter_map(|(cut, outwards)| Some(Limit { cut: cut?, outwards }))
        })
    }

    /// Every limit, at the place that [`Limit::place`] says.
    pub(super) fn limits(&self) -> impl Iterator<Item = Limit> {
        let cuts = (0..).zip(&self.cuts).map(|(cut, _)| cut);
        cuts.flat_map(|cut| [true, false].map(|outwards| Limit { cut, outwards }))
    }

    /// The nodes of a cut.
    pub(super) fn nodes(&self, cut: CutId) -> Vec<NodeId> {
        let division = &self.divisions[self.cuts[cut as usize].0];
        (0..).zip(division).filter(|(_, own)| **own == Some(cut)).map(|(node, _)| node).collect()
    }
}

impl Limit {
    /// The place of the limit among all.
    pub(super) fn place(self) -> usize {
        self.cut as usize * 2 + usize::from(!self.outwards)
    }
}

/// A part of a division, its nodes, and its capacity outwards and inwards.
type Part = (u32, Vec<NodeId>, [Rational; 2]);

/// The parts whose links carry less than the hosts inside can send or receive, and the others receive or send.
fn useful(topology: &Topology, solver: &ClassSolver<'_>, division: &[Option<u32>]) -> Vec<Part> {
    let count = division.iter().flatten().max().map_or(0, |part| *part as usize + 1);
    let mut capacity = vec![[Rational::ZERO; 2]; count];
    for link in topology.link_numbers() {
        let Some((tail, head)) = topology.ends(link) else { continue };
        let ends = [tail, head].map(|node| division[node as usize]);
        for (way, part) in ends.into_iter().enumerate().filter(|_| ends[0] != ends[1]) {
            if let Some(part) = part {
                capacity[part as usize][way] += &topology.link(link).capacity;
            }
        }
    }
    let (mut room, mut all, mut nodes) = (vec![[0; 2]; count], [0; 2], vec![Vec::new(); count]);
    for first in solver.classes.firsts() {
        for way in [0, 1] {
            all[way] += solver.room(first, way);
            if let Some(part) = division[first as usize] {
                room[part as usize][way] += solver.room(first, way);
            }
        }
    }
    for (node, part) in (0..).zip(division) {
        if let Some(part) = part {
            nodes[*part as usize].push(node);
        }
    }
    let parts = (0..).zip(nodes.into_iter().zip(capacity.into_iter().zip(room)));
    let parts = parts.filter_map(|(part, (nodes, (capacity, room)))| {
        let units = |way: usize| capacity[way].checked_div(&solver.traffic(&Rational::ONE));
        let most = |way: usize| Rational::from(room[way].min(all[1 - way] - room[1 - way]));
        let capacity = [units(0)?, units(1)?];
        let limits = |way: usize| capacity[way] < most(way);
        (limits(0) || limits(1)).then_some((part, nodes, capacity))
    });
    parts.collect()
}
