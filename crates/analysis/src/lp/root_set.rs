//! The largest set of SD pairs that one root can carry, as an integer program.
//!
//! The subtrees of a star (\[OR\] Fig 7, SEFT2(m,k)) have n hosts each; every link between a
//! subtree and the root has a cover of at most X hosts, and a pair may use the root when it is
//! covered on both of its links. The linear program maximises the number of such pairs.

use super::interruptible;
use super::program::{Column, ColumnId, LinearProgram, Relation, Settings, SolveError, check_size};
use crate::limit::TooLarge;
use crate::progress::{Progress, Stopped};

/// Covers of the links of a star.
#[derive(Clone, Debug, PartialEq)]
pub struct StarCovers {
    /// Per subtree, the hosts that cover its up link: its own as sources, others as destinations.
    pub up: Vec<Vec<u32>>,
    /// Per subtree, the hosts that cover its down link: its own as destinations, others as
    /// sources.
    pub down: Vec<Vec<u32>>,
    /// No covers carry more pairs, according to the solver.
    pub most: f64,
}

/// An error from [`covers`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum RootSetError {
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// Covers of at most `most` hosts under which a root joins the most pairs between `subtrees`
/// subtrees of `hosts` hosts each, as far as the solver gets before `progress` ends; `bound` is a
/// known upper bound.
///
/// # Errors
/// [`RootSetError`] when the linear program is too large, the solver fails or finds nothing in time.
pub fn covers(
    hosts: u32,
    subtrees: u32,
    most: u32,
    bound: u64,
    progress: &Progress,
) -> Result<StarCovers, RootSetError> {
    let all = hosts * subtrees;
    let pairs = u128::from(all).pow(2);
    check_size(2 * pairs, pairs + 2 * u128::from(all * subtrees), 8 * pairs)?;
    let mut program = LinearProgram::default();
    let link = |program: &mut LinearProgram| -> Vec<ColumnId> {
        let choice = Column { cost: 0.0, lower: 0.0, upper: 1.0, integer: true };
        let columns: Vec<ColumnId> = (0..all).map(|_| program.add_column(choice)).collect();
        let sum = columns.iter().map(|column| (*column, 1.0)).collect();
        program.add_row(sum, Relation::AtMost, most.into());
        columns
    };
    let up: Vec<_> = (0..subtrees).map(|_| link(&mut program)).collect();
    let down: Vec<_> = (0..subtrees).map(|_| link(&mut program)).collect();
    let mut total = Vec::new();
    for (s, d) in (0..all).flat_map(|s| (0..all).map(move |d| (s, d))) {
        let (from, to) = ((s / hosts) as usize, (d / hosts) as usize);
        if from == to {
            continue;
        }
        let used = Column { cost: -1.0, lower: 0.0, upper: 1.0, integer: false };
        let used = program.add_column(used);
        total.push((used, 1.0));
        for cover in [&up[from], &down[to]] {
            let ends = [(used, 1.0), (cover[s as usize], -1.0), (cover[d as usize], -1.0)];
            program.add_row(ends.to_vec(), Relation::AtMost, 0.0);
        }
    }
    program.add_row(total, Relation::AtMost, bound as f64);
    let seconds = progress.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
    let settings = Settings { seconds, ..Settings::default() };
    let found = interruptible(program, settings, progress)?.ok_or(Stopped)?;
    let chosen = |links: Vec<Vec<ColumnId>>| {
        let hosts = |link: Vec<ColumnId>| {
            let is_in = |(_, column): &(u32, ColumnId)| {
                found.columns.get(*column).is_some_and(|value| *value > 0.5)
            };
            (0..).zip(link).filter(is_in).map(|(host, _)| host).collect()
        };
        links.into_iter().map(hosts).collect()
    };
    let most = found.dual_bound.map_or(bound as f64, |bound| -bound);
    Ok(StarCovers { up: chosen(up), down: chosen(down), most })
}
