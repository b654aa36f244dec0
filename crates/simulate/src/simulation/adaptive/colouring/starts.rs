//! Paths to begin with: by digits of one host, and flow by flow.

use super::choices::Choices;
use super::problem::Problem;
use super::routes::Routes;
use crate::prelude::*;

/// Up-digits of all flows by S-mod-k, or D-mod-k.
pub(super) fn modulo(problem: &Problem<'_>, by_source: bool) -> Vec<u32> {
    let tree = problem.tree;
    let digits = |number: u32| {
        let flow = problem.flow(number);
        let host = if by_source { flow.s } else { flow.d };
        let digit = move |level| match level {
            0 => 0,
            _ => tree.digit(host, level) % tree.parents(level + 1),
        };
        (0..tree.height()).map(digit)
    };
    problem.numbers().flat_map(digits).collect()
}

/// Up-digits of all flows, each taking the path on which it adds least to the squares of contention,
/// then to those of the load; `None` where that takes more than the given number of steps. The flows that go
/// highest come first.
pub(super) fn one_by_one(
    problem: &Problem<'_>,
    most_steps: u64,
    stream: &mut Stream,
    progress: &Progress,
) -> Result<(Option<Vec<u32>>, u64), Stopped> {
    let mut routes = Routes::none(problem);
    let mut order: Vec<u32> = problem.numbers().collect();
    order.sort_by_key(|flow| problem.tree.height() - problem.flow(*flow).level);
    for flow in order {
        progress.check()?;
        if routes.steps > most_steps {
            return Ok((None, routes.steps));
        }
        let mut best = None;
        for up in Choices::new(problem.tree, problem.flow(flow).level, stream) {
            routes.shift(&[flow], &up);
            routes.count();
            let added = (routes.contentions.measure().squares, routes.loads.measure().squares);
            routes.undo();
            if best.as_ref().is_none_or(|(least, _)| added < *least) {
                best = Some((added, up));
            }
        }
        if let Some((_, up)) = best {
            routes.shift(&[flow], &up);
            routes.count();
        }
    }
    Ok((Some(routes.all_up().to_vec()), routes.steps))
}
