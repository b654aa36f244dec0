//! Traffic that given paths carry badly even if its sender chooses their rates: lower bounds with evidence.
//!
//! The least max load of traffic D over given paths is, by linear programming duality, the maximum of Σ D·distance
//! over all lengths of links with Σ capacity·length = 1, with the distance of a pair over its own paths. So its worst
//! case over all traffic with optu ≤ 1, or all that hosts can send and receive, is a maximum over lengths and traffic,
//! each of which is a linear program where the other is given: the search alternates between the two from several
//! starts. It may end below the maximum, since the problem is not convex; every pair of traffic and lengths proves its
//! bound, computed in exact numbers from what is rounded.
//!
//! A branch in which some paths of a pair are the shortest does not make this a linear program, since traffic and
//! lengths still multiply: no search by branches is attempted. The bound from above is that of the best shares that do
//! not depend on the traffic ([`optimal`](super::optimal)).

use std::collections::BTreeMap;

use super::OptimalError;
use super::allowed::Allowed;
use super::demands::Demands;
use crate::bounds::{DualDemand, RoutedTraffic, Witness};
use crate::certificate::Quantity;
use crate::lp::backend::Model;
use crate::lp::float::rounded;
use crate::lp::program::{Column, LinearProgram, Relation, Settings, SolveError};
use crate::lp::worst_demand::exact::{factors, routable};
use crate::lp::worst_demand::packing::{LinkTask, Packing};
use crate::optimum::shortest::MAX_LENGTH;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::routing::Routing;
use crate::symmetry::Symmetry;
use crate::topology::{Host, LinkId, NodeId, Topology, sd_pairs};
use crate::traffic::Demand;

/// Distances below this count as zero.
const NO_DISTANCE: f64 = 1e-9;

/// What is better by less than this fraction counts as equal.
const TOLERANCE: f64 = 1e-7;

/// Maximum number of starts; each takes some linear programs.
const MAX_STARTS: usize = 64;

/// The solver returns this often to check whether it has to stop, then resumes.
const SLICE_SECONDS: f64 = 0.2;

/// Traffic and lengths of links that bound the worst case of some paths from below, whatever their shares.
#[derive(Clone, Debug)]
pub struct AdaptiveTraffic {
    /// The bound: Σ demand·distance ÷ Σ capacity·length.
    pub lower: Rational,
    /// The traffic.
    pub demands: Vec<Demand>,
    /// A routing of it over any paths with max load at most 1, if that limits it; `None` where hosts do.
    pub flow: Option<RoutedTraffic>,
    /// Lengths above 0, by link.
    pub lengths: Vec<(LinkId, u64)>,
}

impl AdaptiveTraffic {
    /// What a witness against a link proves about any shares of the paths of a routing: the link is long, and no other.
    /// That is what it proves about the routing where all paths of a pair pass the link equally often, as with one path
    /// per pair. `None` where it has no traffic.
    #[must_use]
    pub fn of_witness(
        topology: &Topology,
        routing: &dyn Routing,
        (quantity, witness): (Quantity, &Witness),
    ) -> Option<Self> {
        let is_ratio = quantity == Quantity::ObliviousRatio;
        let unit = if is_ratio { witness.optu.clone() } else { Rational::ONE };
        let (mut scratch, mut passed) = (Vec::new(), Rational::ZERO);
        let mut demands = Vec::new();
        for Demand { s, d, amount } in &witness.demands {
            let (amount, mut least) = (amount.checked_div(&unit)?, None);
            routing.for_each_path(*s, *d, &mut scratch, &mut |_, links| {
                let times = links.iter().filter(|link| **link == witness.link).count() as u64;
                least = Some(least.map_or(times, |least: u64| least.min(times)));
            });
            passed += &(&amount * &Rational::from(least?));
            demands.push(Demand { s: *s, d: *d, amount });
        }
        let lower = passed.checked_div(&topology.link(witness.link).capacity)?;
        let lengths = vec![(witness.link, 1)];
        let flow = is_ratio.then(|| witness.flow.clone());
        (!demands.is_empty()).then(|| Self { lower, demands, flow, lengths })
    }
}

/// A search for such traffic.
pub struct AdaptiveQuestion<'a> {
    /// The network.
    pub topology: &'a Topology,
    /// The routing whose paths are used, whatever its shares.
    pub routing: &'a dyn Routing,
    /// What is bounded: it says which traffic there may be.
    pub quantity: Quantity,
    /// Weighted traffic against links, from which the search begins: what proves that no shares are better.
    pub against: &'a [(Rational, DualDemand)],
    /// Links that are alike need one start.
    pub symmetry: Option<&'a Symmetry>,
    /// No traffic is worse: the search ends where it finds that much.
    pub enough: &'a Rational,
}

/// The worst traffic that the search finds, and whether the search was completed; `keep` learns of every better one.
///
/// # Errors
/// [`OptimalError`] when the paths have too many links or the solver fails.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::lp::optimal::adaptive::{AdaptiveQuestion, adaptive};
/// use routebound::{certificate::Quantity, progress::Progress, routing, topology};
/// // With single paths there is nothing to choose: D-mod-k has ratio 2 on FT(4,2).
/// let topology = topology::generate("ft(4,2)")?;
/// let routing = &*routing::build("dmodk", &topology)?;
/// let (topology, quantity, enough) = (&topology, Quantity::ObliviousRatio, &2.into());
/// let question =
///     AdaptiveQuestion { topology, routing, quantity, against: &[], symmetry: None, enough };
/// let (found, complete) = adaptive(&question, &Progress::silent(), &mut |_| {})?;
/// assert_eq!((found.unwrap().lower.to_string().as_str(), complete), ("2", true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn adaptive(
    question: &AdaptiveQuestion<'_>,
    progress: &Progress,
    keep: &mut dyn FnMut(&AdaptiveTraffic),
) -> Result<(Option<AdaptiveTraffic>, bool), OptimalError> {
    super::check_size(question.topology)?;
    let pairs: Vec<_> = sd_pairs(question.topology.hosts()).collect();
    let Allowed::Listed(paths) = Allowed::of(question.routing, &pairs)? else {
        return Ok((None, false));
    };
    let demands = &Demands::of(question.topology, question.quantity)?;
    let network = &Demands::new(question.topology.clone());
    let mut search =
        Search { question, demands, network, pairs, paths, progress, best: None, keep };
    let complete = search.run()?;
    Ok((search.best, complete))
}

struct Search<'a> {
    question: &'a AdaptiveQuestion<'a>,
    demands: &'a Demands,
    /// What the network itself carries.
    network: &'a Demands,
    pairs: Vec<(Host, Host)>,
    /// The paths of every pair.
    paths: Vec<Vec<Vec<LinkId>>>,
    progress: &'a Progress,
    best: Option<AdaptiveTraffic>,
    keep: &'a mut dyn FnMut(&AdaptiveTraffic),
}

impl Search<'_> {
    /// Climbs from every start; returns whether it was not stopped.
    fn run(&mut self) -> Result<bool, SolveError> {
        let mut packing = Packing::new(&self.demands.network, &self.demands.capacity)?;
        for prices in self.starts() {
            if self.best.as_ref().is_some_and(|best| best.lower >= *self.question.enough) {
                break;
            }
            if !self.climb(&mut packing, prices)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lengths to begin with: those that weigh traffic against links, all links alike, the links that leave or enter a
    /// node, and single links.
    fn starts(&self) -> Vec<Vec<f64>> {
        let AdaptiveQuestion { topology, against, symmetry, .. } = self.question;
        let mut weighed = vec![0.0; topology.links()];
        for (weight, dual) in *against {
            let capacity = self.network.capacity[dual.link as usize];
            weighed[dual.link as usize] += weight.to_f64() / capacity;
        }
        let among = |links: &[LinkId]| {
            let mut prices = vec![0.0; topology.links()];
            for link in links {
                prices[*link as usize] = 1.0;
            }
            prices
        };
        let mut of_node: BTreeMap<(NodeId, bool), Vec<LinkId>> = BTreeMap::new();
        for link in topology.link_numbers() {
            if let Some((tail, head)) = topology.ends(link) {
                of_node.entry((tail, true)).or_default().push(link);
                of_node.entry((head, false)).or_default().push(link);
            }
        }
        let is_first = |link: &LinkId| symmetry.is_none_or(|s| s.representative(*link) == *link);
        let single = topology.link_numbers().filter(is_first).map(|link| among(&[link]));
        let of_nodes = of_node.values().map(|links| among(links));
        let all = [weighed, vec![1.0; topology.links()]].into_iter().chain(single).chain(of_nodes);
        all.filter(|prices| prices.iter().any(|price| *price > 0.0)).take(MAX_STARTS).collect()
    }

    /// Alternates between the worst traffic of given lengths and the lengths of that traffic while it gets worse;
    /// returns whether it was not stopped.
    fn climb(
        &mut self,
        packing: &mut Packing<'_>,
        mut prices: Vec<f64>,
    ) -> Result<bool, SolveError> {
        let mut known = 0.0;
        loop {
            let packed = packing.solve(&self.task(&prices), 0.0, self.progress)?;
            if !packed.finished {
                return Ok(false);
            }
            let found = routable(&self.demands.topology, &packed.traffic);
            let Some((demands, records)) = found.filter(|found| self.is_meant(&found.0)) else {
                return Ok(true);
            };
            let Some((load, found)) = self.lengths_of(&demands)? else { return Ok(false) };
            let flow = (!self.demands.hose).then_some(RoutedTraffic::Paths(records));
            self.take(&demands, &found, flow);
            if load <= known * (1.0 + TOLERANCE) {
                return Ok(true);
            }
            (known, prices) = (load, found);
        }
    }

    /// Whether traffic is such as the quantity is about: vertices of that between hosts that send 1 are permutations,
    /// but a solver may end elsewhere.
    fn is_meant(&self, demands: &[Demand]) -> bool {
        let is_whole = |demand: &Demand| demand.amount == Rational::ONE;
        self.question.quantity != Quantity::PermutationLoad || demands.iter().all(is_whole)
    }

    /// What a unit of traffic of every pair passes at least, in units of the greatest length.
    fn task(&self, prices: &[f64]) -> LinkTask {
        let largest = prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let mut task = LinkTask::default();
        for (pair, paths) in self.pairs.iter().zip(&self.paths) {
            let length = |links: &Vec<LinkId>| -> f64 {
                links.iter().map(|link| prices[*link as usize]).sum::<f64>() / largest
            };
            let distance = paths.iter().map(length).fold(f64::INFINITY, f64::min);
            if distance.is_finite() && distance > NO_DISTANCE {
                task.pairs.push(*pair);
                task.shares.push(distance);
            }
        }
        task
    }

    /// The paths of a pair.
    fn paths_of(&self, demand: &Demand) -> &[Vec<LinkId>] {
        let at = self.pairs.binary_search(&(demand.s, demand.d));
        at.map_or(&[], |at| &self.paths[at])
    }

    /// The least max load of traffic over the paths, and the lengths of links that prove it, in floats; `None` when
    /// stopped.
    fn lengths_of(&self, demands: &[Demand]) -> Result<Option<(f64, Vec<f64>)>, SolveError> {
        let mut program = LinearProgram::default();
        let theta = program.add_column(Column::positive(1.0));
        let mut on_link: BTreeMap<LinkId, Vec<(usize, f64)>> = BTreeMap::new();
        for demand in demands {
            let mut parts = Vec::new();
            for links in self.paths_of(demand) {
                let column = program.add_column(Column::positive(0.0));
                parts.push((column, 1.0));
                for link in links {
                    on_link.entry(*link).or_default().push((column, 1.0));
                }
            }
            let amount = demand.amount.to_f64() / self.network.largest;
            program.add_row(parts, Relation::Equal, amount);
        }
        let links: Vec<LinkId> = on_link.keys().copied().collect();
        for (link, mut parts) in on_link {
            parts.push((theta, -self.network.capacity[link as usize]));
            program.add_row(parts, Relation::AtMost, 0.0);
        }
        let settings = Settings { seconds: SLICE_SECONDS, ..Settings::default() };
        let mut model = Model::new(&program, settings)?;
        let Some(outcome) = model.optimum(self.progress, &mut 0)? else { return Ok(None) };
        let mut prices = vec![0.0; self.question.topology.links()];
        for (link, dual) in links.iter().zip(&outcome.duals[demands.len()..]) {
            prices[*link as usize] = (-dual).max(0.0);
        }
        Ok(Some((outcome.objective, prices)))
    }

    /// Keeps the traffic with these lengths, rounded in several ways, if that is the best bound.
    fn take(&mut self, demands: &[Demand], prices: &[f64], flow: Option<RoutedTraffic>) {
        let mut found: Option<(Rational, Vec<u64>)> = None;
        for factor in factors(prices) {
            let length = |price: &f64| rounded(price * factor).min(MAX_LENGTH);
            let lengths: Vec<u64> = prices.iter().map(length).collect();
            let Some(bound) = self.bound(demands, &lengths) else { continue };
            if found.as_ref().is_none_or(|(known, _)| bound > *known) {
                found = Some((bound, lengths));
            }
        }
        let Some((lower, lengths)) = found else { return };
        if self.best.as_ref().is_none_or(|best| lower > best.lower) {
            let lengths = (0..).zip(lengths).filter(|(_, length)| *length > 0).collect();
            let best = AdaptiveTraffic { lower, demands: demands.to_vec(), flow, lengths };
            (self.keep)(&best);
            self.best = Some(best);
        }
    }

    /// The bound that traffic and lengths prove.
    fn bound(&self, demands: &[Demand], lengths: &[u64]) -> Option<Rational> {
        let mut passed = Rational::ZERO;
        for demand in demands {
            let length = |links: &Vec<LinkId>| -> u128 {
                links.iter().map(|link| u128::from(lengths[*link as usize])).sum()
            };
            let distance = self.paths_of(demand).iter().map(length).min()?;
            passed += &(&demand.amount * &Rational::from_big(distance.into(), 1_u8.into())?);
        }
        let mut volume = Rational::ZERO;
        for (link, length) in self.question.topology.link_numbers().zip(lengths) {
            volume += &(&self.question.topology.link(link).capacity * &Rational::from(*length));
        }
        passed.checked_div(&volume)
    }
}
