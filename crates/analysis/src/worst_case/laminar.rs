//! Trees that are not of full bisection: flows under the cuts of all subtrees.
//!
//! On an XGFT a subtree of height k has w1⋯w_{k+1} up links, and under the even split over all
//! shortest paths every one of them carries the same: optu is the maximum out(T) ÷ c_k or
//! in(T) ÷ c_k over all subtrees T, where c_k is the total capacity of these links. So the
//! oblivious ratio is the most load on a link over traffic with out(T), in(T) ≤ c_k for every T.
//!
//! Take an up link of step l, leaving subtree A of height l − 1. Its pairs have their source in A
//! and, with their nearest common ancestor at level L, cross: out of the source's subtrees of
//! heights 0..l−2, which are nested; into the destination's subtrees of heights 0..L−1, also
//! nested; and out of A's own chain of ancestors A_{l−1} = A, …, A_{L−1}. These are the arcs of a
//! flow network: from the source side down to the hosts, over the pairs, up the destination side
//! to height L − 1, then along the chain from L − 1 down to l − 1. Capacities are integers, in
//! units of their greatest common divisor, so integral traffic attains the maximum, and the min cut
//! is the cover. A down link is the same with sources and destinations exchanged. With several
//! paths the share is the gain (negative cost) of a pair's arc, and dual prices replace the cut.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use super::WorstCaseError;
use super::cut_flow::{CutFlow, Maximum, SINK, SOURCE};
use super::problem::{Attaining, LinkSolver, Scratch, Solution, Solved, Unsolved};
use super::weight;
use crate::certificate::{Cover, CutId};
use crate::load::LinkGraph;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::topology::{Direction, Host, LinkId, LinkPlace, NodeId, Topology, Xgft};
use crate::traffic::Demand;

/// The meaning of a capacity arc: all traffic out of, or into, a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Cut {
    height: usize,
    subtree: u32,
    outwards: bool,
}

/// The worst case under subtree cuts.
pub(super) struct Solver {
    tree: Xgft,
    /// Maximum traffic out of or into a subtree, by its height, in units of `unit`.
    capacity: Vec<u64>,
    unit: Rational,
    /// Whether any link was bounded without cuts.
    fell_back: AtomicBool,
    /// Level and direction of every link.
    links: Vec<(usize, Direction)>,
}

/// The flow network of a link, and the meaning of its cuts.
struct Arcs<'p> {
    flow: CutFlow<'p>,
    cuts: Vec<Cut>,
}

/// Largest capacity in units: sums over all hosts stay far below 64 bits.
const MAX_CAPACITY: u64 = 1 << 40;

impl Solver {
    /// For traffic with optu ≤ 1 on a topology with labels.
    pub(super) fn new(topology: &Topology, tree: &Xgft) -> Result<Self, WorstCaseError> {
        let (capacity, unit) = tree.cuts_in_units().ok_or(WorstCaseError::DENOMINATORS)?;
        if capacity.iter().any(|units| *units > MAX_CAPACITY) {
            return Err(WorstCaseError::DENOMINATORS);
        }
        Ok(Self::of(topology, tree, capacity, unit))
    }

    /// For permutations with optu ≤ `scale`, which a single pair must not exceed.
    pub(super) fn at_scale(
        topology: &Topology,
        tree: &Xgft,
        scale: &Rational,
    ) -> Result<Self, WorstCaseError> {
        let whole = |cut: Rational| u64::try_from((scale * &cut).floor()).ok();
        let whole = |cut| whole(cut).filter(|units| *units <= MAX_CAPACITY);
        let capacity = tree.cuts().into_iter().map(whole).collect::<Option<Vec<u64>>>();
        let mut capacity = capacity.ok_or(WorstCaseError::DENOMINATORS)?;
        if let Some(host) = capacity.first_mut() {
            *host = 1;
        }
        Ok(Self::of(topology, tree, capacity, Rational::ONE))
    }

    fn of(topology: &Topology, tree: &Xgft, capacity: Vec<u64>, unit: Rational) -> Self {
        let link = |id| {
            let link = topology.link(id);
            (usize::from(link.level), link.direction)
        };
        let links = topology.link_numbers().map(link).collect();
        let fell_back = AtomicBool::new(false);
        Self { tree: tree.clone(), capacity, unit, fell_back, links }
    }

    /// Where the cuts of subtrees do not fit the pairs, only the baseload bound remains.
    fn by_baseload(&self) -> weight::Solver {
        weight::Solver::new(self.tree.cut(0))
    }

    /// Whether any link's pairs did not fit the cuts, so that only baseload bounds it.
    pub(super) fn fell_back(&self) -> bool {
        self.fell_back.load(Ordering::Relaxed)
    }

    /// The network of a link; `None` when a pair does not leave (enter) a subtree of the height of
    /// the one below the link, or not the same one as the others, which happens only off shortest
    /// paths.
    fn arcs<'p>(&self, problem: &LinkGraph<'p>) -> Option<Arcs<'p>> {
        let (step, direction) = self.links[problem.link as usize];
        let up = direction == Direction::Up;
        let mut arcs = Arcs { flow: CutFlow::new(), cuts: Vec::new() };
        let mut builder =
            Builder { solver: self, step, up, near: HashMap::new(), far: HashMap::new() };
        let mut below = None;
        for (u, v, share) in problem.edges() {
            let (s, d) = (problem.sources[u], problem.destinations[v]);
            let (near, far) = if up { (s, d) } else { (d, s) };
            let nca = self.tree.nca_level(s, d);
            let subtree = self.tree.subtree(near, step - 1);
            if nca < step || *below.get_or_insert(subtree) != subtree {
                return None;
            }
            let tail = builder.near(near, step - 1, &mut arcs);
            let head = builder.far(far, near, nca, &mut arcs);
            arcs.flow.pair(tail, head, share);
        }
        Some(arcs)
    }

    /// The maximum of a link's network, and the network; `None` as for [`Self::arcs`].
    fn maximise<'p>(
        &self,
        problem: &LinkGraph<'p>,
        progress: &Progress,
    ) -> Result<Option<(Maximum, Arcs<'p>)>, Unsolved> {
        let Some(arcs) = self.arcs(problem) else { return Ok(None) };
        Ok(Some((arcs.flow.maximise(progress)?, arcs)))
    }

    fn cover(
        weighted: impl Iterator<Item = (Cut, Rational)>,
        cut_id: impl Fn(Cut) -> CutId,
    ) -> Cover {
        let mut sides: [BTreeMap<u32, Rational>; 4] = Default::default();
        for (cut, weight) in weighted.filter(|(_, weight)| !weight.is_zero()) {
            let (side, id) = match (cut.height, cut.outwards) {
                (0, true) => (0, cut.subtree),
                (0, false) => (1, cut.subtree),
                (_, true) => (2, cut_id(cut)),
                (_, false) => (3, cut_id(cut)),
            };
            *sides[side].entry(id).or_insert(Rational::ZERO) += &weight;
        }
        let [sources, destinations, out_cuts, in_cuts] =
            sides.map(|side| side.into_iter().collect::<Vec<_>>());
        Cover { sources, destinations, out_cuts, in_cuts, ..Cover::default() }
    }

    /// Subtrees of heights 1..h−1 are numbered height by height.
    fn cut_id(&self, cut: Cut) -> CutId {
        let below = (1..cut.height).map(|height| self.subtrees(height));
        below.sum::<u32>() + cut.subtree
    }

    fn subtrees(&self, height: usize) -> u32 {
        self.tree.subtree_hosts(self.tree.height()) / self.tree.subtree_hosts(height)
    }
}

/// Gives subtrees their nodes in the network as they are encountered.
struct Builder<'s> {
    solver: &'s Solver,
    step: usize,
    up: bool,
    /// Node of (height, subtree) on the side below the link.
    near: HashMap<(usize, u32), usize>,
    /// Node of (height, subtree) on the other side; of (height, MAX) on the chain.
    far: HashMap<(usize, u32), usize>,
}

/// Marks the nodes of the chain.
const CHAIN: u32 = u32::MAX;

impl Builder<'_> {
    /// The node of the host, at the end of a path from the network's source through the host's
    /// subtrees of heights `top` − 1 down to 0, created where it does not exist yet; the source
    /// itself when `top` is 0.
    fn near(&mut self, host: Host, top: usize, arcs: &mut Arcs<'_>) -> usize {
        let mut above = SOURCE;
        for height in (0..top).rev() {
            let subtree = self.solver.tree.subtree(host, height);
            above = *self.near.entry((height, subtree)).or_insert_with(|| {
                let node = arcs.flow.node();
                let cut = Cut { height, subtree, outwards: self.up };
                arcs.add(above, node, cut, self.solver.capacity[height]);
                node
            });
        }
        if top == 0 { SOURCE } else { above }
    }

    /// The node of a host on the other side, with its path up to height `nca` − 1 and along the
    /// chain of the near host's ancestors to the sink.
    fn far(&mut self, host: Host, near: Host, nca: usize, arcs: &mut Arcs<'_>) -> usize {
        let key = (0, host);
        if let Some(node) = self.far.get(&key) {
            return *node;
        }
        let first = arcs.flow.node();
        self.far.insert(key, first);
        let mut node = first;
        for height in 0..nca {
            let subtree = self.solver.tree.subtree(host, height);
            let cut = Cut { height, subtree, outwards: !self.up };
            if height + 1 == nca {
                let chain = self.chain(near, nca, arcs);
                arcs.add(node, chain, cut, self.solver.capacity[height]);
                break;
            }
            let above = (height + 1, self.solver.tree.subtree(host, height + 1));
            let (known, next) = match self.far.get(&above) {
                Some(next) => (true, *next),
                None => (false, arcs.flow.node()),
            };
            arcs.add(node, next, cut, self.solver.capacity[height]);
            if known {
                break;
            }
            self.far.insert(above, next);
            node = next;
        }
        first
    }

    /// The node where pairs with nearest common ancestor at level `nca` enter the chain.
    fn chain(&mut self, near: Host, nca: usize, arcs: &mut Arcs<'_>) -> usize {
        let mut below = SINK;
        for level in self.step..=nca {
            below = *self.far.entry((level, CHAIN)).or_insert_with(|| {
                let node = arcs.flow.node();
                let subtree = self.solver.tree.subtree(near, level - 1);
                let cut = Cut { height: level - 1, subtree, outwards: self.up };
                arcs.add(node, below, cut, self.solver.capacity[level - 1]);
                node
            });
        }
        below
    }
}

impl Arcs<'_> {
    fn add(&mut self, tail: usize, head: usize, cut: Cut, capacity: u64) {
        self.flow.cut(tail, head, capacity);
        self.cuts.push(cut);
    }
}

impl LinkSolver for Solver {
    fn solve(&self, problem: &LinkGraph<'_>, scratch: &mut Scratch, progress: &Progress) -> Solved {
        let Some((maximum, arcs)) = self.maximise(problem, progress)? else {
            self.fell_back.store(true, Ordering::Relaxed);
            return self.by_baseload().solve(problem, scratch, progress);
        };
        let weighted = arcs.cuts.iter().copied().zip(maximum.weights);
        let cover = Self::cover(weighted, |cut| self.cut_id(cut));
        Ok(Solution { traffic: &self.unit * &maximum.traffic, attained: true, cover })
    }

    fn traffic(&self, problem: &LinkGraph<'_>, progress: &Progress) -> Attaining {
        let Some((maximum, _)) = self.maximise(problem, progress)? else {
            return self.by_baseload().traffic(problem, progress);
        };
        let pairs = problem.edges().zip(maximum.flow).filter(|(_, flow)| *flow > 0);
        let demand = |((u, v, _), flow): ((usize, usize, &Rational), u64)| Demand {
            s: problem.sources[u],
            d: problem.destinations[v],
            amount: &self.unit * &Rational::from(flow),
        };
        Ok(pairs.map(demand).collect())
    }

    fn host_limit(&self, _host: Host, _outgoing: bool) -> Rational {
        self.tree.cut(0)
    }

    fn of_disjoint(&self, pairs: u64, share: &Rational) -> Option<Rational> {
        self.capacities().map(|_| &(&self.unit * &Rational::from(pairs)) * share)
    }

    /// Where a host's capacity is 1 in units of the others, pairs are matched or not.
    fn capacities(&self) -> Option<&[u64]> {
        Some(&self.capacity[..]).filter(|capacity| capacity.first() == Some(&1))
    }

    fn cover_of_cut(&self, link: LinkId, share: &Rational) -> Option<Cover> {
        let LinkPlace { leads_up, step, subtree } = self.tree.place_of_link(link);
        let cut = Cut { height: step - 1, subtree, outwards: leads_up };
        Some(Self::cover(std::iter::once((cut, share.clone())), |cut| self.cut_id(cut)))
    }

    fn cut_limit(&self, cut: CutId) -> Option<Rational> {
        let mut first = 0;
        let height = (1..self.tree.height()).find(|height| {
            first += self.subtrees(*height);
            cut < first
        })?;
        Some(&self.unit * &Rational::from(self.capacity[height]))
    }

    /// The nodes of every subtree of heights 1..h−1, in the order of [`Solver::cut_id`].
    fn cuts(&self) -> Vec<Vec<NodeId>> {
        let heights = 1..self.tree.height();
        let subtrees =
            heights.flat_map(|height| (0..self.subtrees(height)).map(move |t| (height, t)));
        subtrees.map(|(height, subtree)| self.tree.subtree_nodes(height, subtree)).collect()
    }
}
