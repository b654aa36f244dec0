//! The search from both sides, and the certificate of its result.

use std::path::Path;
use std::time::Duration;

use crate::certificate::{Certificate, Optimality, Refutation, SinglePath, WorstCaseCertificate};
use crate::generators::Named;
use crate::generators::checker::{Check, Refusal, Refuted};
use crate::prelude::*;

use super::known::{self, Candidate};
use super::{Attempt, Method, OptimalAssessment, Options, SynthError, counting, digits};

/// State of a search.
pub(super) struct State<'s> {
    pub(super) topology: &'s Topology,
    pub(super) tree: &'s Xgft,
    pub(super) options: &'s Options,
    pub(super) progress: &'s Progress,
    pub(super) lower: u32,
    /// The lower bound that is claimed without proof, 0 if none is.
    pub(super) claimed: u32,
    /// Refutation of the ratio below it; `None` where that is trivial.
    pub(super) refuted: Option<Refuted>,
    pub(super) files: Option<tempfile::TempDir>,
    pub(super) best: Candidate,
    pub(super) attempts: Vec<Attempt>,
    pub(super) notes: Vec<String>,
    /// Bounds and certificate that the checker has accepted as a whole, until either side improves.
    pub(super) accepted: Option<(Bounds, Certificate)>,
}

/// Fraction of the time that counting may take: the rest is for routings.
const COUNTING: f64 = 0.4;

/// Time after a stop in which both sides are merged and checked.
const LAST: Duration = Duration::from_millis(350);

/// Cheap steps come first, and their results are kept whatever happens to the expensive ones.
pub(super) fn run(
    topology: &Topology,
    options: &Options,
    progress: &Progress,
) -> Result<OptimalAssessment, SynthError> {
    let no_tree = || SynthError::NoTree(topology.spec().to_string());
    let tree = topology.plain_tree().ok_or_else(no_tree)?;
    let mut state = State {
        topology,
        tree,
        options,
        progress,
        lower: counting::one_pair(tree, options.quantity),
        claimed: 0,
        refuted: None,
        files: None,
        best: any_routing(topology, tree, options)?,
        attempts: Vec::new(),
        notes: Vec::new(),
        accepted: None,
    };
    if matches!(options.method, Method::All | Method::Count | Method::Local) {
        let part = progress.part(COUNTING);
        (state.lower, state.refuted) = counting::least_refuted(tree, options.quantity, &part);
        if part.cancelled() {
            state.notes.push("counting was stopped early: the lower bound might be higher".into());
        }
    }
    state.take_known()?;
    let complete = state.close()?;
    state.finish(complete)
}

/// D-mod-k, with the bounds that hold for every routing.
fn any_routing(
    topology: &Topology,
    tree: &Xgft,
    options: &Options,
) -> Result<Candidate, SynthError> {
    let routing = crate::routing::build("dmodk", topology)?;
    let instance = Instance::trusted(topology.clone(), routing);
    let text = "the lower bound is proven; the upper one counts the hosts or links of a subtree";
    Ok(Candidate::claimed(instance, known::greatest(tree, options.quantity), text))
}

impl State<'_> {
    /// Takes the best of the routings of the papers and of those by digits. Where arithmetic gives
    /// the latter, it bounds the least ratio before anything is proven.
    fn take_known(&mut self) -> Result<(), SynthError> {
        let Self { topology, tree, options, progress, .. } = *self;
        let goal = Rational::from(u64::from(options.ratio.unwrap_or(0).max(self.lower)));
        let part = self.share(false);
        let by_digits = || digits::best(topology, tree, options, &part);
        let is_cheap = digits::decides(topology, tree, options.quantity);
        let mut digits = if is_cheap { by_digits()? } else { None };
        if let Some((ratio, digits)) = &digits {
            let text = "the lower bound is proven; the upper one comes from arithmetic on \
                        digits, which was not checked";
            let instance = digits.clone().instance(topology, tree, options)?;
            self.best = Candidate::claimed(instance, ratio.clone(), text);
        }
        if let Some(known) = known::best(topology, tree, options.quantity, &goal, progress)? {
            self.best = known;
        }
        let is_open = !self.best.is_proven() || self.best.bounds.upper > goal;
        if is_open && !is_cheap {
            digits = by_digits()?;
        }
        let best = Some(&self.best.bounds.upper).filter(|_| self.best.is_proven());
        let is_better = |ratio: &Rational| best.is_none_or(|best| ratio < best);
        if let Some((_, digits)) = digits.filter(|(ratio, _)| is_open && is_better(ratio)) {
            self.take(digits.instance(topology, tree, options)?)?;
        }
        Ok(())
    }

    /// The next ratio to decide: the lowest that is open, or the requested one.
    pub(super) fn open(&self) -> Option<u32> {
        let lower = self.lower.max(self.claimed);
        let ratio = self.options.ratio.unwrap_or(lower);
        let is_open = ratio >= lower && self.best.bounds.upper > u64::from(ratio).into();
        is_open.then_some(ratio)
    }

    /// Decides ratios until none is open; false when that was stopped or is not covered. The quick
    /// methods come first: searches for routings of lower and lower ratios.
    fn close(&mut self) -> Result<bool, SynthError> {
        let method = self.options.method;
        self.certify()?;
        if matches!(method, Method::All | Method::Count) {
            self.offsets()?;
            while self.rectangles()? {}
        }
        #[cfg(feature = "sat")]
        if matches!(method, Method::All | Method::Formula) {
            loop {
                let tried = self.invariant();
                if !self.unless_too_large(tried)? {
                    break;
                }
            }
        }
        if matches!(method, Method::All | Method::Local) {
            while self.local()? {}
        }
        while let Some(ratio) = self.open() {
            self.certify()?;
            if !self.decide(ratio)? {
                return Ok(false);
            }
        }
        Ok(self.best.is_proven())
    }

    /// Asks a solver about one ratio; false if there is no answer, such as where the question is
    /// too large for it: that leaves what is known unchanged.
    #[cfg_attr(
        not(any(feature = "sat", feature = "highs")),
        expect(unused_variables, reason = "there is no solver to ask")
    )]
    fn decide(&mut self, ratio: u32) -> Result<bool, SynthError> {
        let decided = match self.options.method {
            #[cfg(feature = "sat")]
            Method::All | Method::Formula => self.formula(ratio),
            #[cfg(feature = "highs")]
            Method::Program => self.program(ratio),
            _ => Ok(false),
        };
        self.unless_too_large(decided)
    }

    /// False, with a note, where a method exceeded a limit on sizes.
    fn unless_too_large(&mut self, tried: Result<bool, SynthError>) -> Result<bool, SynthError> {
        let Err(error) = tried else { return tried };
        let Some(limit) = error.too_large() else { return Err(error) };
        let limit = limit.clone();
        self.note(&limit);
        Ok(false)
    }

    /// Notes a limit once: at the next ratio it is the same one with a slightly smaller size.
    fn note(&mut self, limit: &TooLarge) {
        if !self.notes.iter().any(|note| note.starts_with(&limit.what)) {
            self.notes.push(limit.to_string());
        }
    }

    /// Why there is no ratio below the lower bound.
    fn refutation(&self) -> Refutation {
        let refuted = self.refuted.as_ref().map(|refuted| refuted.refutation().clone());
        refuted.unwrap_or(Refutation::Trivial)
    }

    /// Merges both sides into one certificate and has it checked, before anything that may take
    /// long.
    fn certify(&mut self) -> Result<(), SynthError> {
        if self.accepted.is_some() || self.progress.cancelled() {
            return Ok(());
        }
        self.accept(&self.progress.part(1.0))
    }

    /// Has both sides checked as a whole, unless the time ends first. What was accepted of the
    /// lower side is not checked again.
    fn accept(&mut self, progress: &Progress) -> Result<(), SynthError> {
        let Some(Certificate::WorstCase(worst)) = &self.best.certificate else { return Ok(()) };
        let quantity = self.options.quantity;
        let refutation = self.refutation();
        let single_path = SinglePath { quantity, lower: self.lower, refutation };
        let optimality = Some(Optimality::SinglePath(single_path));
        let whole = WorstCaseCertificate { optimality, ..worst.clone() };
        let whole = Certificate::WorstCase(whole);
        let folder = self.files.as_ref().map_or(Path::new(""), tempfile::TempDir::path);
        let check = Check::new(&Named).folder(folder).known(self.refuted.as_ref());
        let accepted = match check.progress(progress).run(&whole) {
            Err(Refusal::Stopped(_)) => return Ok(()),
            Err(Refusal::TooLarge(limit)) => {
                self.note(&limit);
                return Ok(());
            }
            accepted => accepted?,
        };
        let name = SinglePath::name(quantity);
        if let Some(found) = accepted.into_iter().find(|found| found.quantity == name) {
            let (lower, upper) = (found.lower, found.upper);
            self.accepted = Some((Bounds { lower, upper, evidence: Evidence::Proven }, whole));
        }
        Ok(())
    }

    /// The bounds and their certificate. After a stop the checker may have seen both sides, but not
    /// the whole: then there is no certificate.
    fn finish(mut self, complete: bool) -> Result<OptimalAssessment, SynthError> {
        if self.accepted.is_none() {
            self.accept(&self.progress.afterwards(LAST))?;
        }
        let refutation = self.refutation();
        let (mut bounds, certificate) = if let Some((bounds, whole)) = self.accepted {
            (bounds, Some(whole))
        } else {
            let lower = u64::from(self.lower).into();
            (Bounds { lower, ..self.best.bounds }, None)
        };
        if self.claimed > self.lower {
            let text = "the lower bound is from an integer program, HiGHS; the upper is proven";
            bounds.lower = u64::from(self.claimed).into();
            bounds.evidence = Evidence::Claimed(text.to_string());
        }
        Ok(OptimalAssessment {
            bounds,
            best: self.best.instance,
            refutation,
            certificate,
            files: self.files,
            attempts: self.attempts,
            notes: self.notes,
            complete,
        })
    }
}

#[cfg(test)]
mod tests;
