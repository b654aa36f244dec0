//! The search from both sides, and the certificate of its result.

use std::path::Path;

use crate::bounds::{Bounds, Evidence};
use crate::certificate::{Certificate, Refutation, SinglePath, WorstCaseCertificate};
use crate::checker;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::topology::{Topology, Xgft};

use super::known::{self, Candidate};
use super::{Attempt, Method, Optimum, Options, SynthError, counting, digits};

/// What is known so far.
pub(super) struct State<'s> {
    pub(super) topology: &'s Topology,
    pub(super) tree: &'s Xgft,
    pub(super) options: &'s Options,
    pub(super) progress: &'s Progress,
    pub(super) lower: u32,
    /// The lower bound that is claimed without proof, 0 if none is.
    pub(super) claimed: u32,
    pub(super) refutation: Refutation,
    pub(super) files: Option<tempfile::TempDir>,
    pub(super) best: Candidate,
    pub(super) attempts: Vec<Attempt>,
}

pub(super) fn run(
    topology: &Topology,
    options: &Options,
    progress: &Progress,
) -> Result<Optimum, SynthError> {
    let no_tree = || SynthError::NoTree(topology.spec().to_string());
    let tree = topology.tree().ok_or_else(no_tree)?;
    let (lower, refutation) = match options.method {
        Method::All | Method::Count | Method::Local => counting::least(tree, options.quantity),
        #[cfg(feature = "sat")]
        Method::Formula => (1, Refutation::Trivial),
        #[cfg(feature = "highs")]
        Method::Programme => (1, Refutation::Trivial),
    };
    let goal = options.ratio.unwrap_or(0).max(lower);
    let goal = Ratio::from(u64::from(goal));
    let mut best = known::best(topology, options.quantity, &goal, progress)?;
    if best.bounds.upper > goal {
        let found = digits::best(topology, tree, &best.bounds.upper, options, progress)?;
        best = found.unwrap_or(best);
    }
    let mut state = State {
        topology,
        tree,
        options,
        progress,
        lower,
        claimed: 0,
        refutation,
        files: None,
        best,
        attempts: Vec::new(),
    };
    let complete = state.close()?;
    state.finish(complete)
}

impl State<'_> {
    /// The next ratio to decide: the lowest that is open, or the one that is asked for.
    pub(super) fn open(&self) -> Option<u32> {
        let lower = self.lower.max(self.claimed);
        let ratio = self.options.ratio.unwrap_or(lower);
        let is_open = ratio >= lower && self.best.bounds.upper > u64::from(ratio).into();
        is_open.then_some(ratio)
    }

    /// Decides ratios until none is open; false when that was stopped or is not covered. First comes
    /// what is quick: searches for routings of lower and lower ratios.
    fn close(&mut self) -> Result<bool, SynthError> {
        let method = self.options.method;
        if matches!(method, Method::All | Method::Count) {
            while self.rectangles()? {}
        }
        #[cfg(feature = "sat")]
        if matches!(method, Method::All | Method::Formula) {
            while self.invariant()? {}
        }
        if matches!(method, Method::All | Method::Local) {
            while self.local()? {}
        }
        while let Some(ratio) = self.open() {
            if !self.decide(ratio)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Asks a solver about one ratio; false without an answer.
    #[cfg_attr(
        not(any(feature = "sat", feature = "highs")),
        expect(clippy::unnecessary_wraps, unused_variables, reason = "there is no solver to fail")
    )]
    fn decide(&mut self, ratio: u32) -> Result<bool, SynthError> {
        match self.options.method {
            #[cfg(feature = "sat")]
            Method::All | Method::Formula => self.formula(ratio),
            #[cfg(feature = "highs")]
            Method::Programme => self.programme(ratio),
            _ => Ok(false),
        }
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
        if self.claimed > self.lower {
            let text = "the lower bound by an integer programme, HiGHS; the upper bound is proven";
            bounds.lower = u64::from(self.claimed).into();
            bounds.evidence = Evidence::Claimed(text.to_string());
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
