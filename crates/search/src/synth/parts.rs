//! Parts of a tree that are solved in turn, and how they share the bytes of their proofs.

use std::fs;
use std::path::PathBuf;

use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::sat::backend::SatSearch;
use crate::sat::cover::CoverProblem;
use crate::sat::{Answer, SatError, Settings, Target};

use super::SynthError;

/// A part of the tree, or the whole, with the search for a routing of it.
pub(super) struct Part<'p> {
    pub(super) problem: CoverProblem,
    pub(super) search: SatSearch<'p>,
    pub(super) is_whole: bool,
    /// Holds the proof; `None` where none is written any longer.
    pub(super) folder: Option<PathBuf>,
}

/// The parts that are still open, smaller ones first, the whole last.
pub(super) struct Parts<'p> {
    open: Vec<Part<'p>>,
    settings: Settings,
    /// Maximum bytes of all proofs together.
    bytes: u64,
}

impl<'p> Parts<'p> {
    /// `settings` are those of the searches.
    pub(super) fn new(open: Vec<Part<'p>>, settings: Settings, bytes: u64) -> Self {
        let mut parts = Self { open, settings, bytes };
        parts.share();
        parts
    }

    /// Solves every part, within a given number of conflicts each, or without a limit where only
    /// one is left. Returns the answer for the tree, with the part that gives it; `None` when there
    /// is none yet.
    ///
    /// A part that has a routing is dropped, and so are those in it. One with too large a proof is
    /// given up, but the whole may still find a routing while others may refute it.
    pub(super) fn round(
        &mut self,
        conflicts: u32,
        progress: &'p Progress,
    ) -> Result<Option<(Answer, Part<'p>)>, SynthError> {
        let mut at = 0;
        while at < self.open.len() {
            let is_alone = self.open.len() == 1;
            let part = &mut self.open[at];
            let (is_whole, refutes) = (part.is_whole, part.folder.is_some());
            match part.search.run((!is_alone).then_some(conflicts)) {
                Ok(Answer::Model(_)) if !is_whole => {
                    self.leave(at + 1)?;
                    at = 0;
                }
                Ok(Answer::Stopped) if !progress.cancelled() => at += 1,
                // True, but nothing proves it.
                Ok(Answer::Refuted) if !refutes => drop(self.open.remove(at)),
                Err(SatError::ProofTooLarge(_)) => {
                    at += usize::from(self.without_proof(at, progress)?);
                }
                answer => return Ok(Some((answer?, self.open.swap_remove(at)))),
            }
            self.check_open(progress)?;
        }
        Ok(None)
    }

    /// Gives up the first `count` parts.
    fn leave(&mut self, count: usize) -> Result<(), SynthError> {
        for part in self.open.drain(..count) {
            part.remove_proof()?;
        }
        self.share();
        Ok(())
    }

    /// Gives up a proof, and with it the part unless it is the whole, which starts over to look for
    /// a routing. Returns whether it is still open.
    fn without_proof(&mut self, at: usize, progress: &'p Progress) -> Result<bool, SynthError> {
        let Part { problem, search, is_whole, folder } = self.open.remove(at);
        let formula = is_whole.then(|| search.formula().clone());
        Part { problem: problem.clone(), search, is_whole, folder }.remove_proof()?;
        if let Some(formula) = formula {
            let settings = Settings { target: Target::Model, ..self.settings };
            let search = SatSearch::new(formula, settings, None, progress)?;
            self.open.insert(at, Part { problem, search, is_whole, folder: None });
        }
        self.share();
        Ok(is_whole)
    }

    /// Divides the bytes among the parts that can still refute.
    fn share(&mut self) {
        let proving = self.open.iter_mut().filter(|part| part.folder.is_some());
        let proving: Vec<_> = proving.collect();
        let each = self.bytes / proving.len().max(1) as u64;
        for part in proving {
            part.search.limit_proof(each);
        }
    }

    fn check_open(&self, progress: &Progress) -> Result<(), SynthError> {
        if progress.cancelled() || self.open.iter().any(|part| part.folder.is_some()) {
            return Ok(());
        }
        Err(SynthError::TooLarge(TooLarge {
            what: "size of the proofs of the SAT solver, in bytes,".into(),
            size: format!("more than {}", self.bytes),
            limit: self.bytes,
            remedy: "choose a smaller tree".into(),
        }))
    }
}

impl Part<'_> {
    /// Removes the files of the proof: others may need the space.
    fn remove_proof(self) -> Result<(), SynthError> {
        let Self { search, folder, .. } = self;
        drop(search);
        folder.map_or(Ok(()), fs::remove_dir_all)?;
        Ok(())
    }
}

#[cfg(test)]
impl Parts<'_> {
    /// Limits the proof of the whole to `bytes` bytes.
    pub(super) fn limit_whole(&mut self, bytes: u64) {
        let whole = self.open.iter_mut().filter(|part| part.is_whole);
        whole.for_each(|part| part.search.limit_proof(bytes));
    }
}
