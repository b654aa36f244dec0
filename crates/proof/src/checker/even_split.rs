//! Demands split evenly over all shortest paths.

use crate::certificate::Demand;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, NodeId};

use super::known::Count;
use super::network::Network;
use super::split::too_fine;
use super::{Refusal, Result, parallel, sum};

/// Parts of the demands that are split separately, and the fewest demands of such a part.
const PARTS: usize = 16;
const FEWEST: usize = 256;

/// Number of links with amounts that are held before they are added up, apart from the first amounts, and those of one
/// demand more.
const HELD: usize = 1 << 17;

/// The distance of a node that was not reached.
const UNSEEN: u32 = u32::MAX;

/// Traffic on every link when each demand is split evenly over all its shortest paths.
pub(super) fn even_split(network: &Network, demands: &[Demand]) -> Result<Vec<Rational>> {
    let parts: Vec<_> = demands.chunks(demands.len().div_ceil(PARTS).max(FEWEST)).collect();
    let parts = parallel::map(&parts, |demands| {
        let mut split = EvenSplit::new(network);
        for demand in *demands {
            network.go_on()?;
            split.search(demand.s, demand.d)?;
            split.add(demand)?;
        }
        Ok::<_, Refusal>(split.sums)
    });
    let mut total = EvenSplit::new(network).sums;
    for part in parts {
        let Sums { amounts, traffic: held } = part?;
        total.amounts.take(amounts);
        for (sum, more) in total.traffic.iter_mut().zip(&held).filter(|(_, more)| !more.is_zero()) {
            sum::add(sum, more)?;
        }
    }
    total.settle().map(|()| total.traffic)
}

/// The refusal to count more than 2^128 shortest paths.
fn too_many_paths(s: Host, d: Host) -> Refusal {
    too_fine("the number of shortest paths", (s, d), "route the demands by `route paths`")
}

/// Traffic of links. Links mostly carry the same few amounts, so these are counted first.
struct Sums {
    amounts: Count,
    traffic: Vec<Rational>,
}

impl Sums {
    /// Adds up what is counted; the amounts lose their numbers.
    fn settle(&mut self) -> Result<()> {
        let counted = std::mem::replace(&mut self.amounts, Count::new(self.traffic.len()));
        counted.add_to(&mut self.traffic)
    }
}

/// The shortest paths of a demand, searched from both of its ends until the searches meet, and the
/// traffic that all demands so far have put on links.
struct EvenSplit<'n> {
    from_source: Search<'n>,
    to_destination: Search<'n>,
    sums: Sums,
}

impl<'n> EvenSplit<'n> {
    fn new(network: &'n Network) -> Self {
        Self {
            from_source: Search::new(network, true),
            to_destination: Search::new(network, false),
            sums: Sums {
                amounts: Count::new(network.links.len()),
                traffic: vec![Rational::ZERO; network.links.len()],
            },
        }
    }

    /// Searches from both ends, from the one with the smaller frontier next, until some node has been
    /// reached from both: every shortest path then has exactly one node in both frontiers.
    fn search(&mut self, s: Host, d: Host) -> Result<()> {
        let (from, to) = (&mut self.from_source, &mut self.to_destination);
        from.start(s);
        to.start(d);
        loop {
            let (next, other) = if from.frontier().len() <= to.frontier().len() {
                (&mut *from, &*to)
            } else {
                (&mut *to, &*from)
            };
            next.step().ok_or_else(|| too_many_paths(s, d))?;
            if next.frontier().is_empty() {
                return Err(Refusal::Unroutable { s, d });
            }
            if next.frontier().iter().any(|node| other.distance[*node as usize] != UNSEEN) {
                return Ok(());
            }
        }
    }

    /// Splits a demand that [`Self::search`] was called for: a link carries (paths from s to its
    /// tail)·(paths from its head to d) ÷ (all paths) of it, if it lies on a shortest path. Refused
    /// when there are more than 2^128.
    fn add(&mut self, demand: &Demand) -> Result<()> {
        let too_many = || too_many_paths(demand.s, demand.d);
        let (from, to) = (&mut self.from_source, &mut self.to_destination);
        let mut all = 0_u128;
        let mut middle = Vec::new();
        for node in from.frontier() {
            let (before, after) = (from.paths[*node as usize], to.paths[*node as usize]);
            if after > 0 {
                let through = before.checked_mul(after);
                let sum = through.and_then(|through| all.checked_add(through));
                all = sum.ok_or_else(too_many)?;
                middle.push((*node, before, after));
            }
        }
        // In layered networks the links of a layer carry the same amount.
        let mut last = None;
        let mut carry = |link: LinkId, through: u128| {
            let number = match last {
                Some((known, number)) if known == through => number,
                _ => {
                    let share =
                        Rational::from_big(through.into(), all.into()).ok_or_else(too_many)?;
                    self.sums.amounts.weights.number(&(&share * &demand.amount))
                }
            };
            last = Some((through, number));
            self.sums.amounts.add(link, number, 1);
            Ok(())
        };
        from.spread(middle.iter().map(|(node, _, after)| (*node, *after)), &mut carry)?;
        to.spread(middle.iter().map(|(node, before, _)| (*node, *before)), &mut carry)?;
        if self.sums.amounts.parts.len() < HELD { Ok(()) } else { self.sums.settle() }
    }
}

/// A breadth-first search from one end of a demand, with its buffers.
struct Search<'n> {
    ends: &'n [(NodeId, NodeId)],
    /// The links by which the search leaves a node.
    onward: &'n [Vec<LinkId>],
    /// Whether it follows links in their direction.
    forward: bool,
    /// Distance from the end, [`UNSEEN`] where not reached.
    distance: Vec<u32>,
    /// Reached nodes, nearest first, and where the farthest begin.
    reached: Vec<NodeId>,
    farthest: usize,
    /// Number of shortest paths between the end and a node, and between a node and the other end.
    paths: Vec<u128>,
    beyond: Vec<u128>,
    /// The links by which nodes were reached, nearest first, each with its nearer node and the other one.
    passed: Vec<(LinkId, NodeId, NodeId)>,
}

impl<'n> Search<'n> {
    fn new(network: &'n Network, forward: bool) -> Self {
        Self {
            ends: &network.ends,
            onward: if forward { &network.leaving } else { &network.entering },
            forward,
            distance: vec![UNSEEN; network.nodes],
            reached: Vec::new(),
            farthest: 0,
            paths: vec![0; network.nodes],
            beyond: vec![0; network.nodes],
            passed: Vec::new(),
        }
    }

    /// The node of a link that is nearer to the end, and the other one, if it is on a shortest path.
    fn nodes(&self, link: LinkId) -> (NodeId, NodeId) {
        let (tail, head) = self.ends[link as usize];
        if self.forward { (tail, head) } else { (head, tail) }
    }

    /// The farthest nodes that were reached.
    fn frontier(&self) -> &[NodeId] {
        &self.reached[self.farthest..]
    }

    /// Forgets what was found, and starts anew.
    fn start(&mut self, end: NodeId) {
        for node in self.reached.drain(..) {
            self.distance[node as usize] = UNSEEN;
            self.paths[node as usize] = 0;
            self.beyond[node as usize] = 0;
        }
        self.passed.clear();
        self.distance[end as usize] = 0;
        self.paths[end as usize] = 1;
        self.reached.push(end);
        self.farthest = 0;
    }

    /// Reaches all nodes at the next distance; `None` where their paths cannot be counted.
    fn step(&mut self) -> Option<()> {
        let frontier = self.farthest..self.reached.len();
        self.farthest = self.reached.len();
        for at in frontier {
            let node = self.reached[at] as usize;
            let (next, paths) = (self.distance[node] + 1, self.paths[node]);
            for link in &self.onward[node] {
                let (_, after) = self.nodes(*link);
                let head = after as usize;
                if self.distance[head] == UNSEEN {
                    self.distance[head] = next;
                    self.reached.push(after);
                }
                if self.distance[head] == next {
                    self.passed.push((*link, self.reached[at], after));
                    self.paths[head] = self.paths[head].checked_add(paths)?;
                }
            }
        }
        Some(())
    }

    /// Calls `carry(link, paths through it)` for the links of shortest paths on this side of the nodes
    /// in the `middle`, each of which is given with its number of paths to the other end.
    fn spread(
        &mut self,
        middle: impl Iterator<Item = (NodeId, u128)>,
        carry: &mut impl FnMut(LinkId, u128) -> Result<()>,
    ) -> Result<()> {
        middle.for_each(|(node, beyond)| self.beyond[node as usize] = beyond);
        // All paths beyond a node are counted before a link to it is visited, as those beyond are farther. None of
        // these numbers is above that of all paths, which was counted.
        for (link, before, after) in self.passed.iter().rev() {
            let (tail, beyond) = (*before as usize, self.beyond[*after as usize]);
            if beyond > 0 {
                self.beyond[tail] += beyond;
                carry(*link, self.paths[tail] * beyond)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{EmbeddedNetwork, LinkRecord, NetworkForm};
    use proptest::prelude::*;

    fn network(hosts: usize, nodes: usize, ends: &[(NodeId, NodeId)]) -> Network {
        let links =
            ends.iter().map(|(from, to)| LinkRecord::new(*from, *to, Rational::ONE)).collect();
        Network::open(&NetworkForm::Embedded(EmbeddedNetwork { hosts, nodes, links })).unwrap()
    }

    /// All walks of a length from one node to another, by following every link.
    fn walks(
        ends: &[(NodeId, NodeId)],
        (at, d): (NodeId, NodeId),
        length: usize,
    ) -> Vec<Vec<LinkId>> {
        if length == 0 {
            return if at == d { vec![Vec::new()] } else { Vec::new() };
        }
        let leaving = (0..).zip(ends).filter(|(_, (from, _))| *from == at);
        let further = leaving.flat_map(|(link, (_, to))| {
            let rest = walks(ends, (*to, d), length - 1).into_iter();
            rest.map(move |rest| [vec![link], rest].concat())
        });
        further.collect()
    }

    /// The even split by listing all shortest paths.
    fn by_listing(ends: &[(NodeId, NodeId)], nodes: usize, demands: &[Demand]) -> Vec<Rational> {
        let mut traffic = vec![Rational::ZERO; ends.len()];
        for demand in demands {
            let of_length = |length| walks(ends, (demand.s, demand.d), length);
            let paths = (1..nodes).map(of_length).find(|paths| !paths.is_empty()).unwrap();
            let part = &demand.amount * &Rational::new(1, paths.len() as u64).unwrap();
            for link in paths.concat() {
                traffic[link as usize] += &part;
            }
        }
        traffic
    }

    proptest! {
        #[test]
        fn the_split_is_that_over_all_listed_paths(
            more in prop::collection::vec((0u32..6, 0u32..6), 0..14),
            demands in prop::collection::vec((0u32..3, 0u32..3, 1u64..5), 1..4),
        ) {
            // A cycle, so that every pair has a path.
            let mut ends: Vec<_> = (0..6).map(|node| (node, (node + 1) % 6)).collect();
            ends.extend(more.into_iter().filter(|(from, to)| from != to));
            let demand = |(s, d, amount): (u32, u32, u64)| {
                (s != d).then(|| Demand { s, d, amount: Rational::new(amount, 3).unwrap() })
            };
            let demands: Vec<Demand> = demands.into_iter().filter_map(demand).collect();
            prop_assume!(!demands.is_empty());
            let split = even_split(&network(3, 6, &ends), &demands).unwrap();
            prop_assert_eq!(split, by_listing(&ends, 6, &demands));
        }
    }

    /// Amounts have other numbers in every part.
    #[test]
    fn many_demands_are_split_in_parts() {
        let (hosts, nodes) = (18, 22);
        let hops = (0..hosts)
            .flat_map(|host| (hosts..nodes).flat_map(move |hop| [(host, hop), (hop, host)]));
        let ends: Vec<_> = hops.collect();
        let pairs =
            (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))).filter(|(s, d)| s != d);
        let demands = pairs.zip(0..).map(|((s, d), number): (_, u64)| Demand {
            s,
            d,
            amount: Rational::new(1 + (7 * number + number / 100) % 5, 7).unwrap(),
        });
        let mut demands: Vec<Demand> = demands.collect();
        assert!(demands.len() > FEWEST);
        let network = network(hosts as usize, nodes as usize, &ends);
        let before = even_split(&network, &demands).unwrap();
        assert_eq!(before, by_listing(&ends, nodes as usize, &demands));
        // One more in the last part changes its links, and no others.
        let last = demands.last_mut().unwrap();
        last.amount += &Rational::ONE;
        let (s, d) = (last.s, last.d);
        let quarter = Rational::new(1, 4).unwrap();
        let after = even_split(&network, &demands).unwrap();
        for ((before, after), (from, to)) in before.iter().zip(after).zip(ends) {
            let is_own = from == s || to == d;
            assert_eq!(after, if is_own { before + &quarter } else { before.clone() });
        }
    }

    #[test]
    fn what_is_held_is_added_up_in_between() {
        let network = network(2, 3, &[(0, 2), (2, 1), (0, 2)]);
        let demand = Demand { s: 0, d: 1, amount: Rational::ONE };
        let mut split = EvenSplit::new(&network);
        for _ in 0..3 {
            split.search(0, 1).unwrap();
            split.add(&demand).unwrap();
            split.sums.settle().unwrap();
        }
        let traffic = split.sums.traffic;
        assert_eq!(
            traffic.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["3/2", "3", "3/2"]
        );
    }

    #[test]
    fn a_pair_without_a_path_is_refused() {
        let network = network(2, 3, &[(0, 2), (1, 2)]);
        let refused = EvenSplit::new(&network).search(0, 1);
        assert_eq!(refused, Err(Refusal::Unroutable { s: 0, d: 1 }));
    }

    #[test]
    fn more_paths_than_can_be_counted_are_refused() {
        // Four links from each node to the next, 65 times: 2^130 paths.
        let node = |step: NodeId| match step {
            0 => 0,
            65 => 1,
            step => step + 1,
        };
        let ends: Vec<_> = (0..65).flat_map(|step| [(node(step), node(step + 1)); 4]).collect();
        let split = |ends: &[_]| {
            even_split(&network(2, 66, ends), &[Demand { s: 0, d: 1, amount: Rational::ONE }])
        };
        let refused = split(&ends).unwrap_err();
        assert!(matches!(refused, Refusal::TooLarge(_)), "{refused}");
        // Half as many steps have 2^64.
        let (half, rest) = ends.split_at(4 * 32);
        let ends: Vec<_> = half.iter().copied().chain(std::iter::once((rest[0].0, 1))).collect();
        assert!(split(&ends).is_ok());
    }
}
