//! One ratio, decided by the SAT solver.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use crate::certificate::{LratRefutation, Refutation};
use crate::checker::check_refutation;
use crate::progress::Progress;
use crate::routing::Instance;
use crate::sat::cover::CoverProblem;
use crate::sat::{Answer, Settings, Target, backend};
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
const MAX_ORDERED: u32 = 64;

/// The formula whose models are the routings of a ratio; `None` when every routing has it.
///
/// The order of ports makes the formula smaller to search, for models and refutations alike.
fn problem(tree: &Xgft, most: u32) -> Option<CoverProblem> {
    let first_step = CoverProblem::least_step(tree, most)?;
    let ordered = tree.shortest_paths(tree.height()).min(MAX_ORDERED) as usize;
    Some(CoverProblem { tree: tree.clone(), most, first_step, ordered })
}

/// Decides whether a single-path routing has a cover of `most` hosts on every link.
pub(super) fn decide(
    topology: &Topology,
    tree: &Xgft,
    (ratio, most): (u32, u32),
    options: &Options,
    progress: &Progress,
) -> Result<(Decision, Size), SynthError> {
    let Some(problem) = problem(tree, most) else {
        let any = vec![vec![0; tree.height()]; tree.hosts() * tree.hosts()];
        let found = chosen::listed(topology, tree, any, options)?;
        return Ok((Decision::Routing(Box::new(found)), Size::default()));
    };
    let formula = problem.formula()?;
    let size = Size { variables: formula.variables(), clauses: formula.len() };
    let folder = tempfile::tempdir()?;
    let [formula_file, proof_file] = ["cnf", "lrat"].map(|end| format!("{}.{end}", options.stem));
    let proof = folder.path().join(&proof_file);
    // The solver takes 31 bits.
    let seed = (options.seed % (1 << 31)) as u32;
    let settings = Settings { seed, ..Settings::default() };
    let found = backend::solve(&formula, settings, Some(&proof), progress)?;
    let decision = match found {
        Answer::Stopped => Decision::Stopped,
        Answer::Model(model) => {
            let digits = problem.up_digits(&model);
            Decision::Routing(Box::new(chosen::listed(topology, tree, digits, options)?))
        }
        Answer::Refuted => {
            let mut out = BufWriter::new(File::create(folder.path().join(&formula_file))?);
            let comment = format!(
                "cover encoding: {} has no single-path routing with {most} hosts a cover",
                topology.spec()
            );
            formula.write_dimacs(&comment, &mut out)?;
            out.flush()?;
            let refutation = Refutation::Lrat(Box::new(LratRefutation {
                kept: (1..=tree.height()).map(|level| tree.children(level)).collect(),
                first_step: problem.first_step,
                ordered: problem.ordered,
                formula: formula_file,
                proof: proof_file,
            }));
            check_refutation(tree, options.quantity, ratio, &refutation, folder.path())?;
            Decision::Refuted(refutation, folder)
        }
    };
    Ok((decision, size))
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
    let seed = (options.seed % (1 << 31)) as u32;
    let settings = Settings { target: Target::Model, seed, conflicts: Some(CONFLICTS) };
    let Answer::Model(model) = backend::solve(&formula, settings, None, progress)? else {
        return Ok((None, size));
    };
    let digits = problem.up_digits(&model);
    Ok((Some(chosen::listed(topology, tree, digits, options)?), size))
}
