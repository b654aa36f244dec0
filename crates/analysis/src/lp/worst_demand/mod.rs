//! The exact worst case on any network: one linear program per link.
//!
//! Where optu is not a simple function of the traffic, baseload gives only an upper bound. Here
//! optu has its full meaning: the worst case of a link is the most that is put on it by traffic
//! which *some* routing carries with max load 1 (Azar, Cohen, Fiat, Kaplan and Räcke, STOC 2003;
//! Applegate and Cohen, SIGCOMM 2003, <https://doi.org/10.1145/863955.863991>). The primal solution
//! is the witness, with the paths that carry it; the dual is link lengths that cover the pairs of
//! the link ([`packing`]). Both are confirmed exactly ([`exact`]).
//!
//! Links whose cover by hosts is already as light as the best lower bound need no linear program, nor
//! do bridges ([`bridge`]), nor links whose class ([`crate::symmetry`]) has another one. Of the others
//! the heaviest by that cover come first, as pilots: the lower bound that they give is the one with
//! which the work on all further links begins. So the result depends neither on threads nor on the
//! processes that share the linear programs (`kept.rs`), each of which solves the pilots for itself. Every
//! link has a fresh linear program: continuing from the vertex of the previous link took two to three times
//! as long (`benches/OBLIVIOUS.md`).

pub mod bridge;
pub mod exact;
mod kept;
mod known;
pub mod packing;

pub use known::{Known, tighten};

use rayon::prelude::*;

use crate::bounds::Witness;
use crate::certificate::Cover;
use crate::limit::{TooLarge, within};
use crate::load::{LinkPairs, PairCounts, SharedPair};
use crate::optimum::shortest::Adjacency;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Instance;
use crate::shards::Units;
use crate::topology::{LinkId, Topology, link_number};
use crate::worst_case::{LinkBound, Method, Proof, WorstCase, prove_by};
use packing::{LinkTask, Packed, Packing};

/// Maximum number of SD pairs of an instance.
pub const MAX_PAIRS: u64 = 1 << 22;

/// Maximum of hosts × links.
pub const MAX_SEARCH: u64 = 1 << 24;

/// Maximum size of the search where hosts are alike: what classes of hosts prove takes seconds, and programs for
/// all links of a larger network take hours.
pub const MAX_SEARCH_BY_HOSTS: u64 = 1 << 21;

/// Number of links whose linear programs are solved before all others.
const PILOTS: usize = 8;

/// An upper bound below the best lower bound by this fraction ends the work on a link: rounding the
/// prices costs less.
const MARGIN: f64 = 1e-5;

/// The effort of a refinement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Links solved by a linear program, or covered without one.
    pub solved: usize,
    /// Links whose cover by hosts was light enough.
    pub skipped: usize,
    /// Links on whose linear program the solver failed.
    pub failed: usize,
    /// Solves of all linear programs.
    pub rounds: u64,
    /// Iterations of the solver.
    pub iterations: u64,
}

/// The result for a link.
struct Outcome {
    link: LinkId,
    cover: Option<exact::LengthCover>,
    witness: Option<(Rational, Witness)>,
    finished: bool,
    failed: bool,
    rounds: u64,
    iterations: u64,
}

/// What is the same for all links.
struct WorstDemandSearch<'a> {
    instance: &'a Instance,
    network: Adjacency,
    /// Capacity of every link ÷ the largest one.
    capacity: Vec<f64>,
    largest: Rational,
    progress: &'a Progress,
}

/// Checks that the network is within the limits.
///
/// # Errors
/// [`TooLarge`] with the limit that is exceeded.
pub fn check_size(topology: &Topology) -> Result<(), TooLarge> {
    let (hosts, links) = (topology.hosts() as u128, topology.links() as u128);
    let remedy = "analyse a part of the network, or use the baseload bounds";
    within("number of SD pairs", Some(hosts * hosts), MAX_PAIRS, remedy)?;
    within("number of hosts times links", Some(hosts * links), MAX_SEARCH, remedy)?;
    Ok(())
}

/// Checks the size of the search for a worst case that is about to be refined.
///
/// # Errors
/// As [`check_size`]; above [`MAX_SEARCH_BY_HOSTS`] hosts times links where hosts are alike.
pub fn check_worst_case(topology: &Topology, worst: &WorstCase) -> Result<(), TooLarge> {
    check_size(topology)?;
    if worst.classes.is_empty() {
        return Ok(());
    }
    let search = topology.hosts() as u128 * topology.links() as u128;
    let what = "number of hosts times links";
    within(what, Some(search), MAX_SEARCH_BY_HOSTS, "analyse a part of the network")?;
    Ok(())
}

/// Whether the linear programs of a network can be shared by several processes. Those of trees, which hardly
/// ever need any, are left to the process that merges, and large networks have none.
#[must_use]
pub fn is_shared(topology: &Topology) -> bool {
    topology.tree().is_none() && check_size(topology).is_ok()
}

/// Closes the gap of a proof over baseload by [`refine`], if it has one, and returns the reason if
/// the gap stays wide; no reason is given where the work was stopped.
#[must_use]
pub fn close(
    instance: &Instance,
    worst: &mut WorstCase,
    proof: Proof,
    units: &Units,
    progress: &Progress,
) -> (Proof, Option<String>) {
    if proof.bounds.exact().is_some() || !worst.is_covered() || progress.cancelled() {
        return (proof, None);
    }
    let size = check_worst_case(&instance.topology, worst);
    match size.and_then(|()| refine_shared(instance, worst, &proof, units, progress)) {
        Err(error) => (proof, Some(format!("no linear program was tried: {error}"))),
        Ok((proof, stats)) => {
            let failed = stats.failed;
            let note = format!("the solver failed on {failed} links, whose bounds stay wide");
            (proof, (failed > 0).then_some(note))
        }
    }
}

/// Improves on a worst case over traffic with baseload ≤ 1: afterwards `worst` bounds the load of
/// every link over traffic with optu ≤ 1, and the proof returned has a witness of that kind. On
/// either side the better of the known and the new bound is kept. When `progress` is cancelled,
/// links that were not reached keep their bounds, marked as not attained.
///
/// # Errors
/// [`TooLarge`] above [`MAX_PAIRS`] SD pairs or [`MAX_SEARCH`] hosts times links.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{lp, progress::Progress, routing::Instance, worst_case};
/// // Two leaves of four hosts under one root: every pair has a single path.
/// let instance = Instance::named("xgft(2;4,2;1,1)", "dmodk")?;
/// let quiet = Progress::silent();
/// let mut worst = worst_case::analyse(&instance)?;
/// let proof = worst_case::prove(&instance, &worst);
/// let (proof, _) = lp::worst_demand::refine(&instance, &mut worst, &proof, &quiet)?;
/// assert_eq!(proof.bounds.exact().map(ToString::to_string).as_deref(), Some("1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn refine(
    instance: &Instance,
    worst: &mut WorstCase,
    proof: &Proof,
    progress: &Progress,
) -> Result<(Proof, Stats), TooLarge> {
    refine_shared(instance, worst, proof, &Units::default(), progress)
}

/// Refines a worst case with linear programs that several processes share. The part of a shard gets the results of its
/// links; what it returns lacks the others.
///
/// # Errors
/// As [`refine`].
fn refine_shared(
    instance: &Instance,
    worst: &mut WorstCase,
    proof: &Proof,
    units: &Units,
    progress: &Progress,
) -> Result<(Proof, Stats), TooLarge> {
    check_size(&instance.topology)?;
    worst.by_hosts();
    worst.method = Method::Program;
    let search = WorstDemandSearch::new(instance, progress);
    // What the witness shows, which may be less than is known without traffic: the certificate claims it.
    let (lower, witness) = (proof.attained.clone(), proof.witness.clone());
    let mut state = State { worst, lower, witness, stats: Stats::default() };
    search.run(&mut state, units);
    let State { worst, lower, witness, mut stats } = state;
    worst.share_within_classes();
    for bound in worst.links.iter_mut().flatten() {
        bound.attained |= bound.load <= lower;
    }
    stats.skipped = worst.links.len() - stats.solved;
    worst.worst = witness.link;
    worst.demands.clone_from(&witness.demands);
    Ok((prove_by(&instance.topology, worst, witness, lower), stats))
}

/// What is known while links are solved.
struct State<'w> {
    /// Bounds of the links.
    worst: &'w mut WorstCase,
    /// The best lower bound, and its witness.
    lower: Rational,
    witness: Witness,
    stats: Stats,
}

impl State<'_> {
    /// The least known upper bound on the load of a link, 0 without one.
    fn load(&self, link: LinkId) -> Rational {
        self.worst.links[link as usize].as_ref().map_or(Rational::ZERO, |bound| bound.load.clone())
    }

    fn take(&mut self, outcome: Outcome, topology: &Topology) {
        self.stats.solved += 1;
        self.stats.failed += usize::from(outcome.failed);
        self.stats.rounds += outcome.rounds;
        self.stats.iterations += outcome.iterations;
        if let Some(bound) = &mut self.worst.links[outcome.link as usize] {
            bound.attained = outcome.finished;
            take_cover(bound, outcome.cover, topology);
        }
        if let Some((lower, witness)) = outcome.witness.filter(|(load, _)| *load > self.lower) {
            (self.lower, self.witness) = (lower, witness);
        }
    }
}

impl<'a> WorstDemandSearch<'a> {
    fn new(instance: &'a Instance, progress: &'a Progress) -> Self {
        let topology = &instance.topology;
        let capacities = || topology.graph().edge_weights().map(|link| &link.capacity);
        let largest = capacities().max().cloned().unwrap_or(Rational::ONE);
        let relative =
            |c: &Rational| c.checked_div(&largest).map_or(1.0, |c| c.to_f64().max(1e-100));
        let capacity = capacities().map(relative).collect();
        Self { instance, network: Adjacency::new(topology), capacity, largest, progress }
    }

    fn run(&self, state: &mut State<'_>, units: &Units) {
        let links = link_number(state.worst.links.len());
        let is_open = |link| state.load(link) > state.lower && state.worst.is_representative(link);
        let open: Vec<bool> = (0..links).map(is_open).collect();
        for (bound, open) in state.worst.links.iter_mut().zip(&open) {
            if let Some(bound) = bound {
                bound.attained = !open;
            }
        }
        let mut order: Vec<LinkId> = (0..links).filter(|link| open[*link as usize]).collect();
        // The heaviest first; among equals, the one with the lowest number.
        order.sort_by(|a, b| state.load(*b).cmp(&state.load(*a)).then(a.cmp(b)));
        let mut others = order.split_off(order.len().min(PILOTS));
        for outcome in self.pilots(&order, &state.lower, units) {
            state.take(outcome, &self.instance.topology);
        }
        others.retain(|link| state.load(*link) > state.lower);
        if self.progress.cancelled() {
            return;
        }
        for outcome in self.each(&others, &state.lower, units).into_iter().flatten() {
            state.take(outcome, &self.instance.topology);
        }
    }

    /// The linear programs that every process needs. A shard keeps what it is to do of them, and does the
    /// others for itself.
    fn pilots(&self, links: &[LinkId], lower: &Rational, units: &Units) -> Vec<Outcome> {
        let found = self.each(links, lower, units);
        let is_missing = |(_, found): &(&LinkId, &Option<Outcome>)| found.is_none();
        let missing = links.iter().zip(&found).filter(is_missing).map(|(link, _)| *link);
        let missing: Vec<LinkId> = missing.collect();
        let is_shard = units.part().is_some() && !units.have_failed();
        let own = if is_shard { missing } else { Vec::new() };
        let rest = self.each(&own, lower, &Units::default()).into_iter().flatten();
        let mut all: Vec<Outcome> = found.into_iter().flatten().chain(rest).collect();
        let place = |outcome: &Outcome| links.iter().position(|link| *link == outcome.link);
        all.sort_by_key(place);
        all
    }

    /// Solves the linear programs of links on all threads, and hands over each as soon as it is solved.
    fn solve(&self, links: &[LinkId], lower: &Rational, take: &(dyn Fn(Outcome) + Sync)) {
        let mut open = vec![false; self.instance.topology.links()];
        for link in links {
            open[*link as usize] = true;
        }
        let Some(counts) = PairCounts::collect(self.instance, open, self.progress) else { return };
        for range in counts.batches() {
            let pairs = LinkPairs::collect(self.instance, &counts, range.clone(), self.progress);
            let Some(pairs) = pairs else { return };
            let here = links.iter().filter(|link| range.contains(link));
            // Taken one by one, so that the heaviest are begun first.
            here.par_bridge().filter(|_| !self.progress.cancelled()).for_each(|link| {
                let of_link: Vec<SharedPair<'_>> = pairs.of(*link).collect();
                take(self.solve_link(*link, &of_link, lower));
            });
        }
    }

    fn solve_link(&self, link: LinkId, pairs: &[SharedPair<'_>], lower: &Rational) -> Outcome {
        let topology = &self.instance.topology;
        let capacity = &topology.link(link).capacity;
        let enough = lower.to_f64() * self.capacity[link as usize] * (1.0 - MARGIN);
        let around = bridge::cover(&self.network, link, pairs, capacity);
        if let Some(cover) = around.filter(|cover| cover.traffic <= lower * capacity) {
            return Outcome::covered(link, cover);
        }
        // The vertex of another link is a bad start: its traffic would have to be removed first.
        let packing = Packing::new(&self.network, &self.capacity);
        let task = LinkTask::new(pairs);
        let packed = packing.and_then(|mut p| p.solve(&task, enough, self.progress));
        let Ok(packed) = packed else { return Outcome::failed(link) };
        let traffic = lower * capacity;
        let cover = exact::cover(topology, &self.network, pairs, &packed.prices, &traffic);
        let high = packed.bound * self.largest.to_f64() > traffic.to_f64() * (1.0 - MARGIN);
        let witness = if high && !packed.traffic.is_empty() {
            exact::witness(topology, link, pairs, &packed.traffic)
        } else {
            None
        };
        let attained = witness.as_ref().map_or(lower, |(load, _)| lower.max(load)) * capacity;
        let cover = self.at_most(&attained, cover, pairs, &packed);
        let (rounds, iterations) = (packed.rounds, packed.iterations);
        let finished = packed.finished;
        Outcome { link, cover, witness, finished, failed: false, rounds, iterations }
    }
}

impl WorstDemandSearch<'_> {
    /// The cover, or that of the exact vertex where rounding left the cover just above what is
    /// attained and the vertex is lighter.
    fn at_most(
        &self,
        attained: &Rational,
        cover: Option<exact::LengthCover>,
        pairs: &[SharedPair<'_>],
        packed: &Packed,
    ) -> Option<exact::LengthCover> {
        let found = cover?;
        let near = attained.to_f64() * (1.0 + MARGIN);
        if found.traffic <= *attained || packed.bound * self.largest.to_f64() > near {
            return Some(found);
        }
        let (topology, network) = (&self.instance.topology, &self.network);
        let vertex = exact::vertex_cover(topology, network, pairs, &packed.prices, &packed.tight);
        Some(vertex.filter(|vertex| vertex.traffic < found.traffic).unwrap_or(found))
    }
}

/// Takes a cover by lengths where it is lighter than the known one.
fn take_cover(bound: &mut LinkBound, found: Option<exact::LengthCover>, topology: &Topology) {
    let Some(exact::LengthCover { traffic, lengths }) = found else { return };
    let load = topology.load_of(bound.cover.link, &traffic);
    if load < bound.load {
        bound.load = load;
        *bound.cover = Cover { link: bound.cover.link, lengths, ..Cover::default() };
    }
}

impl Outcome {
    /// No linear program was needed.
    fn covered(link: LinkId, cover: exact::LengthCover) -> Self {
        Self { cover: Some(cover), finished: true, failed: false, ..Self::failed(link) }
    }

    /// The solver failed on the link.
    fn failed(link: LinkId) -> Self {
        let (cover, witness) = (None, None);
        Self { link, cover, witness, finished: false, failed: true, rounds: 0, iterations: 0 }
    }
}
