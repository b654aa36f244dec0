//! The search from both sides, and the certificate of its result.

use std::path::Path;

use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Refutation, SinglePath, WorstCaseCertificate};
use crate::checker;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::Topology;

use super::known::{self, Candidate};
use super::{Answer, Attempt, Optimum, Options, SynthError, counting};

/// What is known so far.
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
    let (lower, refutation) = counting::least(tree, options.quantity);
    let goal = options.ratio.unwrap_or(0).max(lower);
    let best = known::best(topology, options.quantity, &Ratio::from(u64::from(goal)), progress)?;
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
    /// covered.
    #[cfg(feature = "sat")]
    fn close(&mut self) -> Result<bool, SynthError> {
        use super::solver::{self, Decision};
        use std::time::Instant;

        while let Some(ratio) = self.open() {
            let Some(tree) = self.topology.tree() else { return Ok(false) };
            let Some(most) = solver::most_hosts(tree, self.options.quantity, ratio) else {
                return Ok(false);
            };
            let begun = Instant::now();
            let (decision, size) =
                solver::decide(self.topology, tree, (ratio, most), self.options, self.progress)?;
            let answer = match decision {
                Decision::Stopped => Answer::Stopped,
                Decision::Routing(instance) => {
                    self.best =
                        Candidate::new(*instance, self.options.quantity, &Progress::silent())?;
                    Answer::Found
                }
                Decision::Refuted(refutation, files) => {
                    (self.lower, self.refutation) = (ratio + 1, refutation);
                    self.files = Some(files);
                    Answer::Refuted
                }
            };
            let seconds = begun.elapsed().as_secs_f64();
            let (variables, clauses) = (size.variables, size.clauses);
            let method = "cover encoding, CaDiCaL";
            self.attempts.push(Attempt { ratio, method, answer, seconds, variables, clauses });
            self.progress.inc(1);
            if answer == Answer::Stopped {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[cfg(not(feature = "sat"))]
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
