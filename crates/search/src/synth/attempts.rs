//! Attempts at one ratio, and how their outcomes change the bounds.

use std::time::Instant;

use crate::progress::Progress;
use crate::routing::Instance;

use super::chosen::{ByOffset, ByRectangles};
use super::known::Candidate;
#[cfg(feature = "highs")]
use super::program::{self, Said};
use super::record::Size;
use super::search::State;
#[cfg(feature = "sat")]
use super::solver::{self, Decision};
use super::{Answer, Attempt, Method, SynthError, chosen, cover, local_search, rectangles};

/// Part of the time left that one attempt of a search may take where other searches follow: none is to use up the time
/// of all others.
const SHARE: f64 = 0.5;

/// An attempt that is under way.
struct Trial {
    ratio: u32,
    method: &'static str,
    begun: Instant,
}

impl Trial {
    fn begin(ratio: u32, method: &'static str) -> Self {
        Self { ratio, method, begun: Instant::now() }
    }
}

impl State<'_> {
    /// The next ratio below that of the best routing, if it is open.
    fn better(&self) -> Option<u32> {
        let open = self.open()?;
        (open..u32::MAX)
            .take_while(|ratio| self.best.bounds.upper > u64::from(*ratio).into())
            .last()
    }

    /// Like [`Self::better`], with a number of hosts that suffices for a cover.
    fn better_covers(&self) -> Option<(u32, u32)> {
        let ratio = self.better()?;
        Some((ratio, cover::enough_hosts(self.tree, self.options.quantity, ratio)?))
    }

    /// Tries to find a rectangle cover that is better by one; false if none is found.
    pub(super) fn rectangles(&mut self) -> Result<bool, SynthError> {
        let tree = self.tree;
        let Some((ratio, most)) = self.better_covers() else { return Ok(false) };
        if tree.height() != 2 || tree.parents(1) != 1 {
            return Ok(false);
        }
        let trial = Trial::begin(ratio, "rectangle cover");
        let part = self.share(self.options.method == Method::Count);
        let found = rectangles::cover(tree.children(1), tree.parents(2), most, &part);
        let found = match found {
            rectangles::Answer::Cover(cover) => {
                let rule = ByRectangles(cover);
                Some(chosen::instance(self.topology, tree, rule, self.options)?)
            }
            _ => None,
        };
        self.tried(&trial, found, &part)
    }

    /// Takes the routing by offsets of switches if it is better.
    pub(super) fn offsets(&mut self) -> Result<bool, SynthError> {
        let tree = self.tree;
        let Some((_, most)) = self.better_covers() else { return Ok(false) };
        let fits = |group: &u32| {
            let ports = ByOffset { group: *group }.ports(tree);
            ports.is_some_and(|ports| ports <= tree.parents(2).into())
        };
        let groups = 1..=most.min(tree.children(1));
        let Some(group) = groups.into_iter().find(fits) else { return Ok(false) };
        // With w1 = 1 a host is a cover of weight 1.
        let trial = Trial::begin(group, "offsets of switches");
        let found = chosen::instance(self.topology, tree, ByOffset { group }, self.options)?;
        self.tried(&trial, Some(found), &self.share(false))
    }

    /// Tries to find a routing that is better by one by local search; false if none is found.
    pub(super) fn local(&mut self) -> Result<bool, SynthError> {
        let Some((ratio, most)) = self.better_covers() else { return Ok(false) };
        let trial = Trial::begin(ratio, "local search");
        let part = self.share(self.options.method == Method::Local);
        let found = local_search::search(self.tree, most, self.options.seed, &part);
        let listed = |digits| chosen::listed(self.topology, self.tree, digits, self.options);
        let found = found.map(listed).transpose()?;
        self.tried(&trial, found, &part)
    }

    /// Tries to find an invariant routing that is better by one; false if none is found.
    #[cfg(feature = "sat")]
    pub(super) fn invariant(&mut self) -> Result<bool, SynthError> {
        let Some((ratio, most)) = self.better_covers() else { return Ok(false) };
        let trial = Trial::begin(ratio, "rotation-invariant routings");
        let part = self.share(false);
        let (found, size) = solver::invariant(self.topology, self.tree, most, self.options, &part)?;
        let answer = match found {
            Some(instance) => self.take(instance)?,
            None if part.cancelled() => Answer::Stopped,
            None => Answer::Missed,
        };
        self.attempted(&trial, answer, size);
        Ok(answer == Answer::Found)
    }

    /// Decides one ratio by a formula; false when that was stopped or is not covered.
    #[cfg(feature = "sat")]
    pub(super) fn formula(&mut self, ratio: u32) -> Result<bool, SynthError> {
        let most = cover::most_hosts(self.tree, self.options.quantity, ratio);
        let Some(most) = most else { return Ok(false) };
        let trial = Trial::begin(ratio, "cover encoding");
        let (decision, size) =
            solver::decide(self.topology, self.tree, ratio, most, self.options, self.progress)?;
        let answer = match decision {
            Decision::Stopped => Answer::Stopped,
            Decision::Routing(instance) => self.take(*instance)?,
            Decision::Refuted(refuted, files) => {
                (self.lower, self.refuted) = (ratio + 1, Some(*refuted));
                (self.files, self.accepted) = (Some(files), None);
                Answer::Refuted
            }
        };
        self.attempted(&trial, answer, size);
        Ok(matches!(answer, Answer::Found | Answer::Refuted))
    }

    /// Asks an integer program about one ratio; false if there is no answer.
    #[cfg(feature = "highs")]
    pub(super) fn program(&mut self, ratio: u32) -> Result<bool, SynthError> {
        let most = cover::most_hosts(self.tree, self.options.quantity, ratio);
        let Some(most) = most else { return Ok(false) };
        let trial = Trial::begin(ratio, "integer program");
        let (said, size) =
            program::ask(self.topology, self.tree, most, self.options, self.progress)?;
        let answer = match said {
            Said::Stopped => Answer::Stopped,
            Said::Infeasible => {
                self.claimed = ratio + 1;
                Answer::Claimed
            }
            Said::Routing(instance) => self.take(*instance)?,
        };
        self.attempted(&trial, answer, size);
        Ok(matches!(answer, Answer::Found | Answer::Claimed))
    }

    /// The time of the next attempt: a part of what is left, unless it is of the last search.
    pub(super) fn share(&self, is_last: bool) -> Progress {
        self.progress.part(if is_last { 1.0 } else { SHARE })
    }

    /// Records a routing that a search found, or did not find.
    fn tried(
        &mut self,
        trial: &Trial,
        found: Option<Instance>,
        progress: &Progress,
    ) -> Result<bool, SynthError> {
        let none = if progress.cancelled() { Answer::Stopped } else { Answer::Missed };
        let answer = found.map_or(Ok(none), |instance| self.take(instance))?;
        self.attempted(trial, answer, Size::default());
        Ok(answer == Answer::Found)
    }

    /// Takes a routing as the best if it is proven to be better.
    pub(super) fn take(&mut self, instance: Instance) -> Result<Answer, SynthError> {
        let progress = self.progress.part(1.0);
        let candidate = Candidate::new(instance, self.options.quantity, &progress)?;
        Ok(self.take_candidate(candidate))
    }

    pub(super) fn take_candidate(&mut self, candidate: Candidate) -> Answer {
        if !candidate.is_proven() {
            return Answer::Stopped;
        }
        if !candidate.improves(&self.best) {
            return Answer::Missed;
        }
        (self.best, self.accepted) = (candidate, None);
        Answer::Found
    }

    fn attempted(&mut self, trial: &Trial, answer: Answer, size: Size) {
        let Trial { ratio, method, begun } = *trial;
        let Size { variables, clauses } = size;
        let seconds = begun.elapsed().as_secs_f64();
        self.attempts.push(Attempt { ratio, method, answer, seconds, variables, clauses });
        self.progress.inc(1);
    }
}
