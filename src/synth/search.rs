//! The search from both sides, and the certificate of its result.

use std::path::Path;
#[cfg(feature = "sat")]
use std::time::Instant;

use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Refutation, SinglePath, WorstCaseCertificate};
use crate::checker;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::Topology;

#[cfg(feature = "sat")]
use super::Answer;
use super::known::{self, Candidate};
#[cfg(feature = "sat")]
use super::solver::{self, Decision, Size};
use super::{Attempt, Method, Optimum, Options, SynthError, counting, digits};

/// What is known so far.
#[cfg_attr(
    not(feature = "sat"),
    expect(dead_code, reason = "only the solver needs the tree again")
)]
struct State<'s> {
    topology: &'s Topology,
    options: &'s Options,
    progress: &'s Progress,
    lower: u32,
    refutation: Refutation,
    files: Option<tempfile::TempDir>,
    best: Candidate,
    attempts: Vec<Attempt>,
}

pub(super) fn run(
    topology: &Topology,
    options: &Options,
    progress: &Progress,
) -> Result<Optimum, SynthError> {
    let no_tree = || SynthError::NoTree(topology.spec().to_string());
    let tree = topology.tree().ok_or_else(no_tree)?;
    let (lower, refutation) = match options.method {
        Method::Formula => (1, Refutation::Trivial),
        _ => counting::least(tree, options.quantity),
    };
    let goal = options.ratio.unwrap_or(0).max(lower);
    let goal = Ratio::from(u64::from(goal));
    let mut best = known::best(topology, options.quantity, &goal, progress)?;
    if best.bounds.upper > goal {
        let found = digits::best(topology, tree, &best.bounds.upper, options, progress)?;
        best = found.unwrap_or(best);
    }
    let (files, attempts) = (None, Vec::new());
    let mut state = State { topology, options, progress, lower, refutation, files, best, attempts };
    let complete = state.close()?;
    state.finish(complete)
}

impl State<'_> {
    /// The next ratio to decide: the lowest that is open, or the one that is asked for.
    fn open(&self) -> Option<u32> {
        let ratio = self.options.ratio.unwrap_or(self.lower);
        let is_open = ratio >= self.lower && self.best.bounds.upper > u64::from(ratio).into();
        is_open.then_some(ratio)
    }

    /// Decides ratios by the solver until none is open; false when that was stopped or is not
    /// covered. First comes what is quick: invariant routings of lower and lower ratios.
    #[cfg(feature = "sat")]
    fn close(&mut self) -> Result<bool, SynthError> {
        if self.options.method == Method::Count {
            return Ok(self.open().is_none());
        }
        while self.improve()? {}
        while let Some(ratio) = self.open() {
            if !self.decide(ratio)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tries to find an invariant routing that is better by one; false without one.
    #[cfg(feature = "sat")]
    fn improve(&mut self) -> Result<bool, SynthError> {
        let (Some(tree), Some(open)) = (self.topology.tree(), self.open()) else {
            return Ok(false);
        };
        let better = (open..).take_while(|ratio| self.best.bounds.upper > u64::from(*ratio).into());
        let Some(ratio) = better.last() else { return Ok(false) };
        let most = solver::most_hosts(tree, self.options.quantity, ratio);
        let Some(most) = most.filter(|most| *most > 0) else { return Ok(false) };
        let begun = Instant::now();
        let (found, size) =
            solver::invariant(self.topology, tree, most, self.options, self.progress)?;
        let is_found = found.is_some();
        if let Some(instance) = found {
            self.best = Candidate::new(instance, self.options.quantity, &Progress::silent())?;
        }
        let answer = if is_found { Answer::Found } else { Answer::Missed };
        self.attempted(ratio, "rotation-invariant routings", answer, begun, size);
        Ok(is_found)
    }

    /// Decides one ratio; false when that was stopped or is not covered.
    #[cfg(feature = "sat")]
    fn decide(&mut self, ratio: u32) -> Result<bool, SynthError> {
        let Some(tree) = self.topology.tree() else { return Ok(false) };
        let most = solver::most_hosts(tree, self.options.quantity, ratio);
        let Some(most) = most.filter(|most| *most > 0) else { return Ok(false) };
        let begun = Instant::now();
        let (decision, size) =
            solver::decide(self.topology, tree, (ratio, most), self.options, self.progress)?;
        let answer = match decision {
            Decision::Stopped => Answer::Stopped,
            Decision::Routing(instance) => {
                self.best = Candidate::new(*instance, self.options.quantity, &Progress::silent())?;
                Answer::Found
            }
            Decision::Refuted(refutation, files) => {
                (self.lower, self.refutation) = (ratio + 1, refutation);
                self.files = Some(files);
                Answer::Refuted
            }
        };
        self.attempted(ratio, "cover encoding", answer, begun, size);
        Ok(answer != Answer::Stopped)
    }

    #[cfg(feature = "sat")]
    fn attempted(
        &mut self,
        ratio: u32,
        method: &'static str,
        answer: Answer,
        begun: Instant,
        Size { variables, clauses }: Size,
    ) {
        let seconds = begun.elapsed().as_secs_f64();
        self.attempts.push(Attempt { ratio, method, answer, seconds, variables, clauses });
        self.progress.inc(1);
    }

    #[cfg(not(feature = "sat"))]
    #[expect(clippy::unnecessary_wraps, reason = "the solver can fail")]
    fn close(&mut self) -> Result<bool, SynthError> {
        Ok(self.open().is_none())
    }

    /// Puts both sides into one certificate and has it checked.
    fn finish(self, complete: bool) -> Result<Optimum, SynthError> {
        let quantity = self.options.quantity;
        let single_path =
            SinglePath { quantity, lower: self.lower, refutation: self.refutation.clone() };
        let upper = self.best.bounds.upper.clone();
        let mut bounds = Bounds {
            lower: u64::from(self.lower).into(),
            upper,
            evidence: Evidence::Claimed("the routing's worst case is not proven".to_string()),
        };
        let mut certificate = None;
        if let Some(Certificate::WorstCase(worst)) = self.best.certificate {
            let single_path = Some(single_path);
            let whole = Certificate::WorstCase(WorstCaseCertificate { single_path, ..worst });
            let folder = self.files.as_ref().map_or(Path::new(""), tempfile::TempDir::path);
            let accepted = checker::check_in(&whole, folder)?;
            let name = SinglePath::name(quantity);
            if let Some(found) = accepted.into_iter().find(|found| found.quantity == name) {
                let (lower, upper) = (found.lower, found.upper);
                bounds = Bounds { lower, upper, evidence: Evidence::Proven };
            }
            certificate = Some(whole);
        }
        Ok(Optimum {
            bounds,
            best: self.best.instance,
            refutation: self.refutation,
            certificate,
            files: self.files,
            attempts: self.attempts,
            complete,
        })
    }
}
