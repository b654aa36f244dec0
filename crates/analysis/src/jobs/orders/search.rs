//! The search for the worst order of ranks, and for the best.

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::bundles::Bundles;
use super::error::OrderError;
use super::exhaustive;
use super::least::least_cost;
use super::loads::{Cost, OrderLoads, PhaseLoad};
use super::order::Order;
use super::pattern::Pattern;
use super::starts::{Start, by_leaf, has_ring, matched};
use super::state::{Score, State};
use super::walk::{Goal, Record, Walk};
use crate::jobs::collectives::Collective;
use crate::limit::within;
use crate::progress::Progress;
use crate::rational::Rational;
use crate::sampling::Streams;

/// Maximum number of restarts, and of given orders.
pub const MAX_RESTARTS: u64 = 1 << 20;

/// Maximum number of steps of a restart.
pub const MAX_STEPS: u64 = 1 << 32;

/// Restarts that run at the same time; results are examined after each such block.
const BLOCK: usize = 32;

/// Limits of a search, and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Number of restarts from orders drawn at random, after those from known orders.
    pub restarts: u64,
    /// Steps of every restart.
    pub steps: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Further orders to start from, such as permutations that load a link, see [`Order::ring_of`].
    pub starts: Vec<Order>,
}

/// The order that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOrder {
    /// The goal of the search.
    pub goal: Goal,
    /// The order.
    pub order: Order,
    /// Loads of the phases in this order.
    pub phases: Vec<PhaseLoad>,
    /// Exact cost. Of the worst order it is a lower bound on what orders may cost, of the best one
    /// an upper bound on the least cost.
    pub cost: Cost,
    /// A cost that no order falls short of, see [`least_cost`].
    pub least: Cost,
    /// Number of orders evaluated, some of them perhaps several times.
    pub evaluations: u64,
    /// Seed of the search.
    pub seed: u64,
    /// Where the restart began that found it; `all orders` where these were to be tried.
    pub start: String,
    /// Whether all orders were tried, up to rotation where a rotated order costs the same.
    pub exhaustive: bool,
    /// Whether the search was stopped before its end.
    pub stopped: bool,
}

impl FoundOrder {
    /// Whether no order is better in the sense of the goal: all were tried, or none can cost less.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exhaustive || self.goal == Goal::Best && self.cost == self.least
    }
}

/// The most costly order of the ranks of a collective that a search finds.
///
/// Of up to 8 nodes all orders are tried, and of 9 where rotated orders cost the same. Of more, local search
/// starts at the order in which the job lists its nodes, at that order reversed, at the given orders, for
/// collectives with a ring at permutations that load a link most, and at shuffled ones. The order, and
/// everything about it, depends on the seed and on neither threads nor time unless `progress` ends the
/// search: then the best order so far is returned, at least the listed one. `progress` advances by evaluations.
///
/// # Errors
/// [`OrderError`]: sizes that differ or exceed a limit, or loads without a common unit.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, collectives, orders::{Bundles, Search, best_order, worst_order}};
/// use routebound::{progress::Progress, rational::Rational, routing::Instance};
/// let (instance, quiet) = (Instance::named("ft(4,2)", "dmodk")?, Progress::silent());
/// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
/// let bundles = Bundles::of(&instance, &job, &quiet)?;
/// let ring = collectives::generate("ring", 8)?;
/// let search = Search { restarts: 10, steps: 1000, seed: 1, starts: Vec::new() };
/// let worst = worst_order(&bundles, &ring, &search, &quiet)?;
/// assert!(worst.exhaustive && worst.cost.most == Rational::from(2));
/// assert_eq!(best_order(&bundles, &ring, &search, &quiet)?.cost.most, Rational::ONE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst_order(
    bundles: &Bundles<'_>,
    collective: &Collective,
    search: &Search,
    progress: &Progress,
) -> Result<FoundOrder, OrderError> {
    search.run(bundles, collective, Goal::Worst, progress)
}

/// The least costly order that a search finds: as [`worst_order`], but it also starts from the nodes leaf by leaf
/// and not at permutations, and ends where [`least_cost`] proves that no order is better.
///
/// # Errors
/// As [`worst_order`].
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::jobs::{Job, Nodes, collectives, orders::{Bundles, Search, best_order}};
/// use routebound::{progress::Progress, routing::Instance};
/// let (instance, quiet) = (Instance::named("ft(8,2)", "dmodk")?, Progress::silent());
/// let job = Job { name: "all".into(), nodes: Nodes::of(instance.topology()).nodes };
/// let bundles = Bundles::of(&instance, &job, &quiet)?;
/// let search = Search { restarts: 2, steps: 100, seed: 1, starts: Vec::new() };
/// let found = best_order(&bundles, &collectives::generate("ring", 32)?, &search, &quiet)?;
/// assert!(!found.exhaustive && found.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_order(
    bundles: &Bundles<'_>,
    collective: &Collective,
    search: &Search,
    progress: &Progress,
) -> Result<FoundOrder, OrderError> {
    search.run(bundles, collective, Goal::Best, progress)
}

/// How a search ended.
struct End {
    record: Record,
    start: String,
    exhaustive: bool,
    stopped: bool,
}

impl Search {
    fn run(
        &self,
        bundles: &Bundles<'_>,
        collective: &Collective,
        goal: Goal,
        progress: &Progress,
    ) -> Result<FoundOrder, OrderError> {
        let pattern = Pattern::of(collective, bundles.job())?;
        self.check(bundles)?;
        State::check(bundles, &pattern)?;
        let (task, least) =
            (Task { bundles, collective, pattern, goal }, least_cost(bundles, collective)?);
        let end = match exhaustive::fixed_ranks(collective) {
            Some(fixed) => task.all(fixed, progress),
            None => None,
        };
        let end = match end {
            Some(end) => end,
            None => self.restarts(&task, &least, progress),
        };
        let order = Order::new(end.record.nodes)?;
        // What follows a stop: one evaluation.
        let loads = OrderLoads::of(
            bundles.instance(),
            bundles.job(),
            collective,
            &order,
            &Progress::silent(),
        )?;
        let claimed = task.cost(end.record.score);
        if claimed != loads.cost {
            return Err(OrderError::Defect { claimed: claimed.time, found: loads.cost.time });
        }
        Ok(FoundOrder {
            goal,
            order,
            phases: loads.phases,
            cost: loads.cost,
            least,
            evaluations: end.record.evaluations,
            seed: self.seed,
            start: end.start,
            exhaustive: end.exhaustive,
            stopped: end.stopped,
        })
    }

    fn check(&self, bundles: &Bundles<'_>) -> Result<(), OrderError> {
        let starts = self.starts.len() as u128;
        within("number of orders to start from", Some(starts), MAX_RESTARTS, "give fewer")?;
        within("number of restarts", Some(self.restarts.into()), MAX_RESTARTS, "use fewer")?;
        within("number of steps", Some(self.steps.into()), MAX_STEPS, "use more restarts instead")?;
        self.starts.iter().try_for_each(|start| start.check(bundles.job()))
    }

    /// The known orders to start from.
    fn known(&self, task: &Task<'_>, progress: &Progress) -> Vec<Start> {
        let listed = Order::listed(task.bundles.nodes());
        let reversed = listed.reversed();
        let mut starts = vec![
            ("the listed order".into(), listed),
            ("the listed order, reversed".into(), reversed),
        ];
        let given = (1..).zip(&self.starts);
        starts
            .extend(given.map(|(number, order)| (format!("given order {number}"), order.clone())));
        match task.goal {
            Goal::Best => starts.push(("the nodes leaf by leaf".into(), by_leaf(task.bundles))),
            Goal::Worst if has_ring(task.collective) => {
                // If that is stopped, so is the search.
                starts.extend(matched(task.bundles, progress).unwrap_or_default());
            }
            Goal::Worst => {}
        }
        starts
    }

    /// Local search from all starts, block by block.
    fn restarts(&self, task: &Task<'_>, least: &Cost, progress: &Progress) -> End {
        let (known, streams) = (self.known(task, progress), Streams::new(self.seed));
        let listed = Order::listed(task.bundles.nodes());
        let record = Record::of(&State::new(task.bundles, &task.pattern, listed.nodes()));
        let mut end = End { record, start: known[0].0.clone(), exhaustive: false, stopped: false };
        let walk = Walk { goal: task.goal, steps: self.steps, progress };
        let total = known.len() as u64 + self.restarts;
        let numbers: Vec<u64> = (0..total).collect();
        for block in numbers.chunks(BLOCK) {
            end.stopped = progress.cancelled();
            let is_proven = task.goal == Goal::Best && task.cost(end.record.score) == *least;
            if end.stopped || is_proven {
                break;
            }
            let state = || State::new(task.bundles, &task.pattern, listed.nodes());
            let restart = |state: &mut State<'_>, number: &u64| {
                let mut generator = streams.at(*number);
                let place = usize::try_from(*number).unwrap_or(usize::MAX);
                if let Some((name, start)) = known.get(place) {
                    return (name.clone(), walk.run(state, start.nodes(), false, &mut generator));
                }
                let mut nodes = listed.nodes().to_vec();
                nodes.shuffle(&mut generator);
                let shuffle = number - known.len() as u64;
                let record = walk.run(state, &nodes, shuffle.is_multiple_of(2), &mut generator);
                (format!("shuffled order {}", shuffle + 1), record)
            };
            let found: Vec<(String, Record)> = block.par_iter().map_init(state, restart).collect();
            for (start, record) in found {
                if end.record.append(task.goal, record) {
                    end.start = start;
                }
            }
        }
        end.stopped |= progress.cancelled();
        end
    }
}

/// What is searched.
struct Task<'t> {
    bundles: &'t Bundles<'t>,
    collective: &'t Collective,
    pattern: Pattern,
    goal: Goal,
}

impl Task<'_> {
    fn all(&self, fixed: usize, progress: &Progress) -> Option<End> {
        let (record, all) =
            exhaustive::all(self.bundles, &self.pattern, self.goal, fixed, progress)?;
        Some(End { record, start: "all orders".into(), exhaustive: all, stopped: !all })
    }

    /// A score as a cost.
    fn cost(&self, score: Score) -> Cost {
        let unit = Rational::new(1, self.pattern.scale).expect("a common unit is not 0");
        Cost {
            time: &self.bundles.ratio(score.time) * &unit,
            most: self.bundles.ratio(score.most.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::collectives::{COLLECTIVES, generate};
    use crate::jobs::{Job, Nodes};
    use crate::routing::Instance;

    /// What all orders of seven nodes have, local search finds as well: the worst on one tree and the best on the
    /// other, in the full tier both on both.
    #[test]
    fn local_search_finds_the_extremes() {
        let quiet = Progress::silent();
        let search = Search { restarts: 12, steps: 400, seed: 1, starts: Vec::new() };
        for (topology, routing, half) in
            [("ft(4,2)", "dmodk", Goal::Worst), ("ft(4,3)", "random(seed=2)", Goal::Best)]
        {
            let instance = Instance::named(topology, routing).unwrap();
            let all = Nodes::of(instance.topology()).nodes;
            let nodes = all.iter().step_by(all.len() / 8).skip(1).cloned().collect();
            let job = Job { name: "seven".into(), nodes };
            let bundles = Bundles::of(&instance, &job, &quiet).unwrap();
            for (kind, goal) in
                COLLECTIVES.iter().flat_map(|kind| [(kind, Goal::Worst), (kind, Goal::Best)])
            {
                if goal != half && !cfg!(feature = "slow-tests") {
                    continue;
                }
                let collective = generate(kind.name, 7).unwrap();
                let exact = search.run(&bundles, &collective, goal, &quiet).unwrap();
                assert!(exact.exhaustive);
                let pattern = Pattern::of(&collective, &job).unwrap();
                let task = Task { bundles: &bundles, collective: &collective, pattern, goal };
                let found = search.restarts(&task, &exact.least, &quiet);
                assert_eq!(task.cost(found.record.score), exact.cost, "{} {goal:?}", kind.name);
                assert!(!found.stopped && !found.exhaustive);
            }
        }
    }
}
