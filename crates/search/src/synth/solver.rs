//! One ratio, decided by the SAT solver.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::certificate::{LratRefutation, Refutation};
use crate::checker::{Refusal, RefutationClaim, Refuted, Tree, check_refutation};
use crate::prelude::*;
use crate::sat::backend::SatSearch;
use crate::sat::cover::CoverProblem;
use crate::sat::{Answer, MAX_PROOF, Settings, Target};

use super::chosen::FirstPorts;
use super::interruptible::interruptible;
use super::parts::{Part, Parts};
use super::record::Size;
use super::{Options, SynthError, chosen, proof_files};

/// The solver's decision.
pub(super) enum Decision {
    /// A routing of this ratio.
    Routing(Box<Instance>),
    /// There is none; the checker has accepted the proof.
    Refuted(Box<Refuted>, tempfile::TempDir),
    /// Stopped before the answer.
    Stopped,
}

/// Maximum pairs that order the ports.
const MAX_ORDERED: usize = 64;

/// Conflicts of the first round, in which every part is tried; each round has twice as many.
const FIRST_CONFLICTS: u32 = 10_000;

/// Maximum clauses of the whole formula for parts to be tried too.
const MAX_PARTED: usize = 1 << 22;

/// The formula whose models are the routings of a ratio; `None` when every routing has it.
///
/// The order makes the formula smaller to search, for models and refutations alike.
fn problem(tree: &Xgft, most: u32) -> Option<CoverProblem> {
    let first_step = CoverProblem::least_step(tree, most)?;
    Some(CoverProblem { tree: tree.clone(), most, first_step, ordered: MAX_ORDERED })
}

/// Decides whether a single-path routing has a cover of `most` hosts on every link.
///
/// Parts of the tree, with fewer subtrees below the roots, are tried in turn with the whole: their
/// refutation refutes it and can be much shorter. A part that has a routing is dropped.
pub(super) fn decide(
    topology: &Topology,
    tree: &Xgft,
    ratio: u32,
    most: u32,
    options: &Options,
    progress: &Progress,
) -> Result<(Decision, Size), SynthError> {
    if problem(tree, most).is_none() {
        let found = chosen::instance(topology, tree, FirstPorts, options)?;
        return Ok((Decision::Routing(Box::new(found)), Size::default()));
    }
    // Removed here also when the work is abandoned.
    let folder = tempfile::tempdir()?;
    let asked = Asked {
        topology: topology.clone(),
        tree: tree.clone(),
        ratio,
        most,
        options: options.clone(),
        proof_bytes: MAX_PROOF,
        folder: folder.path().to_path_buf(),
    };
    let found = interruptible(progress, move |progress| asked.decide(progress));
    let stopped = Ok((Decided::Stopped, Size::default()));
    let (decided, size) = found.unwrap_or(stopped)?;
    let decision = match decided {
        Decided::Stopped => Decision::Stopped,
        Decided::Routing(routing) => Decision::Routing(routing),
        Decided::Refuted(refuted) => Decision::Refuted(refuted, folder),
    };
    Ok((decision, size))
}

/// A [`Decision`] whose files are in a folder of the caller.
enum Decided {
    Routing(Box<Instance>),
    Refuted(Box<Refuted>),
    Stopped,
}

/// The question, for a separate thread.
struct Asked {
    topology: Topology,
    tree: Xgft,
    ratio: u32,
    most: u32,
    options: Options,
    /// Maximum bytes of all proofs together.
    proof_bytes: u64,
    /// For the formula and the proof.
    folder: PathBuf,
}

impl Asked {
    fn decide(&self, progress: &Progress) -> Result<(Decided, Size), SynthError> {
        let mut parts = self.parts(progress)?;
        let mut conflicts = FIRST_CONFLICTS;
        while !progress.cancelled() {
            if let Some((answer, part)) = parts.round(conflicts, progress)? {
                let size = part.size();
                return Ok((self.decided(answer, part, progress)?, size));
            }
            conflicts = conflicts.saturating_mul(2);
        }
        Ok((Decided::Stopped, Size::default()))
    }

    fn decided(
        &self,
        answer: Answer,
        part: Part<'_>,
        progress: &Progress,
    ) -> Result<Decided, SynthError> {
        let Self { topology, tree, ratio, options, folder, .. } = self;
        Ok(match answer {
            Answer::Stopped => Decided::Stopped,
            Answer::Model(model) => {
                let digits = part.problem.up_digits(&model);
                Decided::Routing(Box::new(chosen::listed(topology, tree, digits, options)?))
            }
            Answer::Refuted => {
                let refutation = part.refutation(topology, options, folder)?;
                let (quantity, ratio, refutation) = (options.quantity, *ratio, &refutation);
                let no_tree = |_| SynthError::NoTree(topology.spec().to_string());
                let tree = &Tree::try_from(tree).map_err(no_tree)?;
                let claim = RefutationClaim { tree, quantity, ratio, refutation, folder };
                match check_refutation(claim, progress) {
                    Err(Refusal::Stopped(_)) => Decided::Stopped,
                    refuted => Decided::Refuted(Box::new(refuted?)),
                }
            }
        })
    }

    /// The tree with 2, 3, 4, 6, 8, 12, … of the subtrees below its roots, finally with all. After
    /// a stop some may be missing.
    fn parts<'p>(&self, progress: &'p Progress) -> Result<Parts<'p>, SynthError> {
        let Self { tree, most, options, .. } = self;
        let whole = problem(tree, *most).map(|whole| whole.formula_until(progress)).transpose()?;
        let is_large = whole.flatten().is_some_and(|whole| whole.len() > MAX_PARTED);
        let all = tree.children(tree.height());
        let sizes = (1..u32::BITS - 1).flat_map(|power| [1 << power, 3 << power >> 1]);
        let sizes = sizes.take_while(|size| *size < all && !is_large).chain([all]);
        let problems = sizes.filter_map(|size| problem(&tree.first_subtrees(size), *most));
        let problems: Vec<CoverProblem> = problems.collect();
        let settings = Settings { seed: solver_seed(options), ..Settings::default() };
        let begun = |(number, problem): (usize, CoverProblem)| {
            let Some(formula) = problem.formula_until(progress)? else { return Ok(None) };
            let folder = self.folder.join(format!("part-{number}"));
            fs::create_dir(&folder)?;
            let [_, proof] = file_names(options);
            let search = SatSearch::new(formula, settings, Some(&folder.join(proof)), progress)?;
            Ok(Some(Part {
                is_whole: problem.tree == *tree,
                problem,
                search,
                folder: Some(folder),
            }))
        };
        let parts = problems.into_iter().enumerate();
        let parts = parts.filter_map(|problem| begun(problem).transpose());
        Ok(Parts::new(parts.collect::<Result<_, SynthError>>()?, settings, self.proof_bytes))
    }
}

impl Part<'_> {
    fn size(&self) -> Size {
        let formula = self.search.formula();
        Size { variables: formula.variables(), clauses: formula.len() }
    }

    /// Writes the formula into a folder and moves the proof there.
    fn refutation(
        self,
        topology: &Topology,
        options: &Options,
        folder: &Path,
    ) -> Result<Refutation, SynthError> {
        let own = self.folder.expect("only parts with a proof refute");
        let CoverProblem { tree, most, first_step, ordered } = self.problem;
        let [formula, proof] = file_names(options);
        let kept: Vec<u32> = (1..=tree.height()).map(|level| tree.children(level)).collect();
        let comment = format!(
            "cover encoding: {}, of which {kept:?} subtrees are kept, has no single-path routing \
             with {most} hosts a cover",
            topology.spec(),
        );
        let mut out = BufWriter::new(File::create(folder.join(&formula))?);
        self.search.formula().write_dimacs(&comment, &mut out)?;
        out.flush()?;
        let refuted = LratRefutation { kept, first_step, ordered, formula, proof };
        let [_, lrat, drat] = proof_files(&refuted);
        for name in [lrat, drat] {
            fs::rename(own.join(&name), folder.join(&name))?;
        }
        Ok(Refutation::Lrat(Box::new(refuted)))
    }
}

/// File names of the formula and its refutation.
fn file_names(options: &Options) -> [String; 2] {
    ["cnf", "lrat"].map(|end| format!("{}.{end}", options.stem))
}

/// The solver takes 31 bits.
fn solver_seed(options: &Options) -> u32 {
    (options.seed % (1 << 31)) as u32
}

/// Maximum conflicts of a search for an invariant routing.
const CONFLICTS: u32 = 20_000;

/// A routing that does not change when subtrees below the roots are rotated, if one with covers of
/// `most` hosts is found with little effort. Finding none proves nothing.
pub(super) fn invariant(
    topology: &Topology,
    tree: &Xgft,
    most: u32,
    options: &Options,
    progress: &Progress,
) -> Result<(Option<Instance>, Size), SynthError> {
    let Some(mut problem) = problem(tree, most) else { return Ok((None, Size::default())) };
    problem.ordered = 0;
    let seed = solver_seed(options);
    let work = move |progress: &Progress| invariant_model(&problem, seed, progress);
    let Some(found) = interruptible(progress, work) else { return Ok((None, Size::default())) };
    let (digits, size) = found?;
    let listed = digits.map(|digits| chosen::listed(topology, tree, digits, options));
    Ok((listed.transpose()?, size))
}

/// The up-digits of every pair (s,d), at index s·N + d.
type AllDigits = Vec<Vec<u32>>;

/// The up-digits of a model of the restricted formula.
fn invariant_model(
    problem: &CoverProblem,
    seed: u32,
    progress: &Progress,
) -> Result<(Option<AllDigits>, Size), SynthError> {
    let formula = problem.rotation_invariant_until(problem.tree.height(), progress)?;
    let Some(formula) = formula else { return Ok((None, Size::default())) };
    let size = Size { variables: formula.variables(), clauses: formula.len() };
    let settings = Settings { target: Target::Model, seed, ..Settings::default() };
    let mut search = SatSearch::new(formula, settings, None, progress)?;
    let Answer::Model(model) = search.run(Some(CONFLICTS))? else {
        return Ok((None, size));
    };
    Ok((Some(problem.up_digits(&model)), size))
}

#[cfg(test)]
mod tests;
