//! The most that pairs put on one link, for those who say themselves which pairs may send.

use super::problem::{LinkSolver, Scratch, Unsolved};
use super::{BadPermutationError, weight};
use crate::certificate::Cover;
use crate::load::LinkGraph;
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::topology::Host;

/// The most traffic that pairs put on a link where each end sends, or receives, at most 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MostOnLink {
    /// The traffic, not yet divided by the capacity of the link.
    pub traffic: Rational,
    /// Weights of the ends that prove it.
    pub cover: Cover,
    /// Pairs that attain it: each sends 1, and no end is in two.
    pub pairs: Vec<(Host, Host)>,
}

/// A maximum-weight matching of the pairs of a link, by cardinality where all shares are equal, with its
/// dual. O(pairs·√ends) for equal shares, else O(ends³). Shares may be above 1 where a pair stands for
/// several.
///
/// # Errors
/// [`BadPermutationError`]: stopped, too many ends, or shares without a small common denominator.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{load::{LinkGraph, SharedPair}, progress::Progress, rational::Rational, worst_case::most_on_link};
/// let (one, two) = (Rational::ONE, Rational::from(2));
/// let mut graph = LinkGraph::for_hosts(4);
/// let pairs = [(0, 2, &two), (0, 3, &one), (1, 2, &one)];
/// graph.load(7, pairs.into_iter().map(|(s, d, share)| SharedPair { s, d, share }));
/// let most = most_on_link(&graph, &Progress::silent())?;
/// assert_eq!((most.traffic, most.cover.link), (2.into(), 7));
/// # Ok::<(), routebound::worst_case::BadPermutationError>(())
/// ```
pub fn most_on_link(
    problem: &LinkGraph<'_>,
    progress: &Progress,
) -> Result<MostOnLink, BadPermutationError> {
    let failed = |unsolved: Unsolved| match unsolved.error(problem.link) {
        Some(error) => BadPermutationError::WorstCase(error),
        None => Stopped.into(),
    };
    let solver = weight::Solver::new(Rational::ONE);
    let solution = solver.solve(problem, &mut Scratch::default(), progress).map_err(failed)?;
    let demands = solver.traffic(problem, progress).map_err(failed)?;
    Ok(MostOnLink {
        traffic: solution.traffic,
        cover: Cover { link: problem.link, ..solution.cover },
        pairs: demands.into_iter().map(|demand| (demand.s, demand.d)).collect(),
    })
}
