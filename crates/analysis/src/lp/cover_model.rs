//! Single-path routings of a tree by covers of few hosts, as an integer program.
//!
//! The model is that of the cover encoding (`crates/search/src/sat/ENCODING.md`): every SD pair has a path, every
//! link a cover of at most X hosts, and the source or the destination of a pair covers it on every
//! link of its path. Binary variables state which host is in which cover and which port of its
//! highest step a pair takes; those of lower steps follow by Σ_w c(l, p·w_l + w) = c(l−1, p). Per
//! pair and link, choice ≤ cover of s + cover of d. Links of one switch can be exchanged, so the
//! first pair through the roots may be fixed to port 0 of every step.
//!
//! A solution is a routing, to be assessed like any other. That there is none is only the solver's
//! claim: it comes without a certificate.

use super::interruptible;
use super::program::{Column, ColumnId, LinearProgram, Relation, Settings, SolveError, check_size};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::topology::{Host, Xgft, host_number};

/// The question whether a tree has a single-path routing with covers of few hosts.
///
/// ```
/// # use routebound_analysis as routebound;
/// use routebound::{lp::cover_model::{Answer, CoverModel}, progress::Progress, topology};
/// let tree = topology::generate("ft(4,2)")?;
/// let tree = tree.tree().ok_or("no labels")?.clone();
/// let model = CoverModel { tree, most: 1, first_step: 2 };
/// assert_eq!(model.solve(&Progress::silent())?, Answer::Infeasible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverModel {
    /// The tree.
    pub tree: Xgft,
    /// X: the most hosts a cover may have.
    pub most: u32,
    /// Links of lower steps are ignored; in 1..=h.
    pub first_step: usize,
}

/// The solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The up-digits of every pair (s,d), at place s·N + d.
    Routing(Vec<Vec<u32>>),
    /// No routing is possible, according to the solver.
    Infeasible,
    /// Stopped before an answer was found.
    Stopped,
}

/// An error from [`CoverModel::solve`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum CoverModelError {
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// A pair that has a choice, and its column for port 0 of `first_step`.
struct Pair {
    s: Host,
    d: Host,
    level: usize,
    first: ColumnId,
}

impl CoverModel {
    /// Upper bounds on the rows, columns and coefficients of the linear program.
    #[must_use]
    pub fn size(&self) -> (u128, u128, u128) {
        let hosts = self.tree.hosts() as u128;
        let (mut rows, mut columns, mut coefficients) = (hosts * hosts, 0, 0);
        for step in self.first_step..=self.tree.height() {
            let ports = u128::from(self.tree.shortest_paths(step));
            let links = 2 * hosts / u128::from(self.tree.subtree_hosts(step - 1)) * ports;
            rows += links + 3 * hosts * hosts * ports;
            columns += links * hosts + hosts * hosts * ports;
            coefficients += links * hosts + 8 * hosts * hosts * ports;
        }
        (rows, columns, coefficients)
    }

    /// Runs the solver on one thread. Exponential time in general: give `progress` a time limit.
    ///
    /// # Errors
    /// [`CoverModelError`] when the linear program would be too large, which is checked before building
    /// it, or the solver fails.
    pub fn solve(&self, progress: &Progress) -> Result<Answer, CoverModelError> {
        let (rows, columns, coefficients) = self.size();
        check_size(rows, columns, coefficients)?;
        let (program, pairs) = self.program();
        let seconds = progress.time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
        let settings = Settings { seconds, ..Settings::default() };
        match interruptible(program, settings, progress) {
            Err(SolveError::Infeasible) => Ok(Answer::Infeasible),
            Err(error) => Err(error.into()),
            Ok(Some(found)) if found.feasible => {
                Ok(Answer::Routing(self.read(&pairs, &found.columns)))
            }
            Ok(_) => Ok(Answer::Stopped),
        }
    }

    fn steps(&self) -> std::ops::RangeInclusive<usize> {
        self.first_step..=self.tree.height()
    }

    /// The number of columns of one pair before those of `step`.
    fn before(&self, step: usize) -> usize {
        (self.first_step..step).map(|step| self.tree.shortest_paths(step) as usize).sum()
    }

    fn program(&self) -> (LinearProgram, Vec<Pair>) {
        let mut program = LinearProgram::default();
        let pairs = self.add_pairs(&mut program);
        for step in self.steps() {
            let covers = self.add_covers(&mut program, step);
            for pair in pairs.iter().filter(|pair| pair.level >= step) {
                self.add_links(&mut program, pair, step, &covers);
            }
        }
        (program, pairs)
    }

    /// Adds every pair that reaches `first_step`, with its choice columns and their joining rows.
    fn add_pairs(&self, program: &mut LinearProgram) -> Vec<Pair> {
        let (hosts, mut pairs) = (host_number(self.tree.hosts()), Vec::new());
        let mut is_free = true;
        for (s, d) in (0..hosts).flat_map(|s| (0..hosts).map(move |d| (s, d))) {
            let level = self.tree.nca_level(s, d);
            if level < self.first_step {
                continue;
            }
            let pair = Pair { s, d, level, first: program.columns.len() };
            let held = is_free && level == self.tree.height();
            is_free &= !held;
            for step in self.first_step..=level {
                for port in 0..self.tree.shortest_paths(step) {
                    let upper = if held && port > 0 { 0.0 } else { 1.0 };
                    let integer = step == level;
                    program.add_column(Column { cost: 0.0, lower: 0.0, upper, integer });
                }
            }
            self.add_choice(program, &pair);
            pairs.push(pair);
        }
        pairs
    }

    fn add_choice(&self, program: &mut LinearProgram, pair: &Pair) {
        let ports = self.tree.shortest_paths(self.first_step) as usize;
        let all = (0..ports).map(|port| (pair.first + port, 1.0)).collect();
        program.add_row(all, Relation::Equal, 1.0);
        for step in self.first_step + 1..=pair.level {
            let width = self.tree.parents(step) as usize;
            for port in 0..self.tree.shortest_paths(step - 1) as usize {
                let below = pair.first + self.before(step - 1) + port;
                let above = pair.first + self.before(step) + port * width;
                let above = (above..above + width).map(|column| (column, 1.0));
                program.add_row(above.chain([(below, -1.0)]).collect(), Relation::Equal, 0.0);
            }
        }
    }

    /// The column of host 0 in the cover of every link of a step, ordered by direction (up first),
    /// then subtree, then port.
    fn add_covers(&self, program: &mut LinearProgram, step: usize) -> Vec<ColumnId> {
        let hosts = self.tree.hosts();
        let subtrees = hosts / self.tree.subtree_hosts(step - 1) as usize;
        let links = 2 * subtrees * self.tree.shortest_paths(step) as usize;
        let cover = Column { cost: 0.0, lower: 0.0, upper: 1.0, integer: true };
        let add = |_| {
            let columns: Vec<_> = (0..hosts).map(|_| program.add_column(cover)).collect();
            let first = columns[0];
            let sum = columns.into_iter().map(|column| (column, 1.0)).collect();
            program.add_row(sum, Relation::AtMost, self.most.into());
            first
        };
        (0..links).map(add).collect()
    }

    /// Requires that a pair is covered on every link it uses.
    fn add_links(
        &self,
        program: &mut LinearProgram,
        pair: &Pair,
        step: usize,
        covers: &[ColumnId],
    ) {
        let ports = self.tree.shortest_paths(step) as usize;
        let down = covers.len() / 2;
        for (side, near) in [(0, pair.s), (down, pair.d)] {
            let subtree = self.tree.subtree(near, step - 1) as usize;
            for port in 0..ports {
                let used = pair.first + self.before(step) + port;
                let cover = covers[side + subtree * ports + port];
                let ends = [pair.s, pair.d].map(|host| (cover + host as usize, -1.0));
                program.add_row([(used, 1.0), ends[0], ends[1]].to_vec(), Relation::AtMost, 0.0);
            }
        }
    }

    fn read(&self, pairs: &[Pair], values: &[f64]) -> Vec<Vec<u32>> {
        let hosts = self.tree.hosts();
        let mut digits = vec![vec![0; self.tree.height()]; hosts * hosts];
        for pair in pairs {
            let first = pair.first + self.before(pair.level);
            let ports = 0..self.tree.shortest_paths(pair.level);
            let is_taken = |port: &u32| values[first + *port as usize] > 0.5;
            let mut rest = ports.into_iter().find(is_taken).unwrap_or(0);
            let own = &mut digits[pair.s as usize * hosts + pair.d as usize];
            for step in (1..=pair.level).rev() {
                own[step - 1] = rest % self.tree.parents(step);
                rest /= self.tree.parents(step);
            }
        }
        digits
    }
}
