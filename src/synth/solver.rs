//! One ratio, decided by the SAT solver.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use crate::certificate::{LratRefutation, Refutation};
use crate::checker::check_refutation;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::sat::backend::Search;
use crate::sat::cover::CoverProblem;
use crate::sat::{Answer, MAX_PROOF, SatError, Settings, Target};
use crate::topology::{Topology, Xgft};

use super::attempts::Size;
use super::{Options, SynthError, chosen};

/// What the solver found.
pub(super) enum Decision {
    /// A routing of this ratio.
    Routing(Box<Instance>),
    /// There is none; the checker has accepted the proof.
    Refuted(Refutation, tempfile::TempDir),
    /// Stopped before the answer.
    Stopped,
}

/// Most pairs that order the ports.
const MAX_ORDERED: usize = 64;

/// Conflicts of the first round, in which every part is asked; each round has twice as many.
const FIRST_CONFLICTS: u32 = 10_000;

/// Most clauses of a formula beside which parts are asked.
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
/// Parts of the tree, with fewer subtrees below the roots, are asked in turn with the whole: their
/// refutation refutes it and can be much shorter. A part that has a routing is asked no more.
pub(super) fn decide(
    topology: &Topology,
    tree: &Xgft,
    (ratio, most): (u32, u32),
    options: &Options,
    progress: &Progress,
) -> Result<(Decision, Size), SynthError> {
    if problem(tree, most).is_none() {
        let any = vec![vec![0; tree.height()]; tree.hosts() * tree.hosts()];
        let found = chosen::listed(topology, tree, any, options)?;
        return Ok((Decision::Routing(Box::new(found)), Size::default()));
    }
    let mut parts = parts(tree, most, options, progress)?;
    let mut conflicts = FIRST_CONFLICTS;
    loop {
        if let Some((answer, part)) = round(&mut parts, conflicts, progress)? {
            let size = part.size();
            let decision = match answer {
                Answer::Stopped => Decision::Stopped,
                Answer::Model(model) => {
                    let digits = part.problem.up_digits(&model);
                    Decision::Routing(Box::new(chosen::listed(topology, tree, digits, options)?))
                }
                Answer::Refuted => {
                    let (refutation, folder) = part.refutation(topology, options)?;
                    check_refutation(tree, options.quantity, ratio, &refutation, folder.path())?;
                    Decision::Refuted(refutation, folder)
                }
            };
            return Ok((decision, size));
        }
        conflicts = conflicts.saturating_mul(2);
    }
}

/// Asks every part, the whole last, within a number of conflicts each, or without end where the whole
/// is alone. The answer for the tree, with the part that gives it; `None` when there is none yet.
///
/// Parts that have a routing are asked no more, nor those with too large a proof.
fn round<'p>(
    parts: &mut Vec<Part<'p>>,
    conflicts: u32,
    progress: &Progress,
) -> Result<Option<(Answer, Part<'p>)>, SynthError> {
    let mut at = 0;
    while at < parts.len() {
        let (is_alone, is_whole) = (parts.len() == 1, at + 1 == parts.len());
        let answer = match parts[at].search.run((!is_alone).then_some(conflicts)) {
            Ok(Answer::Model(_)) if !is_whole => {
                parts.drain(..=at);
                at = 0;
                continue;
            }
            Ok(Answer::Stopped) if !progress.cancelled() => {
                at += 1;
                continue;
            }
            Err(SatError::ProofTooLarge(_)) if !is_whole => {
                parts.remove(at);
                continue;
            }
            Err(SatError::ProofTooLarge(_)) => Answer::Stopped,
            answer => answer?,
        };
        return Ok(Some((answer, parts.swap_remove(at))));
    }
    Ok(None)
}

/// A part of the tree, or the whole, with the search for a routing of it.
struct Part<'p> {
    problem: CoverProblem,
    search: Search<'p>,
    /// Holds the proof.
    folder: tempfile::TempDir,
}

/// The tree with 2, 3, 4, 6, 8, 12, … of the subtrees below its roots, at last with all.
fn parts<'p>(
    tree: &Xgft,
    most: u32,
    options: &Options,
    progress: &'p Progress,
) -> Result<Vec<Part<'p>>, SynthError> {
    let whole = problem(tree, most).map(|whole| whole.formula()).transpose()?;
    let is_large = whole.is_some_and(|whole| whole.len() > MAX_PARTED);
    let all = tree.children(tree.height());
    let sizes = (1..u32::BITS - 1).flat_map(|power| [1 << power, 3 << power >> 1]);
    let sizes = sizes.take_while(|size| *size < all && !is_large).chain([all]);
    let problems = sizes.filter_map(|size| problem(&tree.first_subtrees(size), most));
    let problems: Vec<CoverProblem> = problems.collect();
    let proof_bytes = MAX_PROOF / problems.len().max(1) as u64;
    let settings = Settings { seed: solver_seed(options), proof_bytes, ..Settings::default() };
    let begun = |problem: CoverProblem| {
        let folder = tempfile::tempdir()?;
        let [_, proof] = file_names(options);
        let proof = folder.path().join(proof);
        let search = Search::new(problem.formula()?, settings, Some(&proof), progress)?;
        Ok(Part { problem, search, folder })
    };
    problems.into_iter().map(begun).collect()
}

impl Part<'_> {
    fn size(&self) -> Size {
        let formula = self.search.formula();
        Size { variables: formula.variables(), clauses: formula.len() }
    }

    /// Writes the formula beside its proof.
    fn refutation(
        self,
        topology: &Topology,
        options: &Options,
    ) -> Result<(Refutation, tempfile::TempDir), SynthError> {
        let CoverProblem { tree, most, first_step, ordered } = self.problem;
        let [formula, proof] = file_names(options);
        let kept: Vec<u32> = (1..=tree.height()).map(|level| tree.children(level)).collect();
        let comment = format!(
            "cover encoding: {}, of which {kept:?} subtrees are kept, has no single-path routing \
             with {most} hosts a cover",
            topology.spec(),
        );
        let mut out = BufWriter::new(File::create(self.folder.path().join(&formula))?);
        self.search.formula().write_dimacs(&comment, &mut out)?;
        out.flush()?;
        let refuted = LratRefutation { kept, first_step, ordered, formula, proof };
        Ok((Refutation::Lrat(Box::new(refuted)), self.folder))
    }
}

/// The formula and its refutation.
fn file_names(options: &Options) -> [String; 2] {
    ["cnf", "lrat"].map(|end| format!("{}.{end}", options.stem))
}

/// The solver takes 31 bits.
fn solver_seed(options: &Options) -> u32 {
    (options.seed % (1 << 31)) as u32
}

/// Most conflicts of a search for an invariant routing.
const CONFLICTS: u32 = 20_000;

/// A routing that does not change when subtrees below the roots are rotated, if one with covers of
/// `most` hosts is found with little effort. Nothing found proves nothing.
pub(super) fn invariant(
    topology: &Topology,
    tree: &Xgft,
    most: u32,
    options: &Options,
    progress: &Progress,
) -> Result<(Option<Instance>, Size), SynthError> {
    let Some(mut problem) = problem(tree, most) else { return Ok((None, Size::default())) };
    problem.ordered = 0;
    let formula = problem.rotation_invariant(tree.height())?;
    let size = Size { variables: formula.variables(), clauses: formula.len() };
    let seed = solver_seed(options);
    let settings = Settings { target: Target::Model, seed, ..Settings::default() };
    let mut search = Search::new(formula, settings, None, progress)?;
    let Answer::Model(model) = search.run(Some(CONFLICTS))? else {
        return Ok((None, size));
    };
    let digits = problem.up_digits(&model);
    Ok((Some(chosen::listed(topology, tree, digits, options)?), size))
}
