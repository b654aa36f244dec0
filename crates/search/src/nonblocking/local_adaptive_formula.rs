//! One number of top switches, decided by the SAT solver.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use crate::certificate::{LocalRefutation, LocalRule};
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::sat::backend::SatSearch;
use crate::sat::local_adaptive::LocalProblem;
use crate::sat::{Answer, Settings};
use crate::synth::{SynthError, interruptible};

/// Options of a search by formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalOptions {
    /// Seed of the solver.
    pub seed: u64,
    /// Name of the files of a formula and its proof, without `.cnf`, `.lrat` and `.drat`.
    pub stem: String,
}

impl Default for LocalOptions {
    fn default() -> Self {
        Self { seed: 0, stem: "local-adaptive".to_string() }
    }
}

/// The solver's decision.
pub(super) enum Decided {
    /// A scheme.
    Scheme(Vec<LocalRule>),
    /// There is none; formula and proof are in the folder.
    Refuted(LocalRefutation, tempfile::TempDir),
    /// Stopped before the answer.
    Stopped,
    /// The formula is above the limit.
    TooLarge,
}

/// Variables and clauses.
type Size = (u32, usize);

/// Decides whether the problem has a scheme.
pub(super) fn decide(
    problem: LocalProblem,
    how: &LocalOptions,
    progress: &Progress,
) -> Result<(Decided, Size), SynthError> {
    // Removed here also when the work is abandoned.
    let folder = tempfile::tempdir()?;
    let (path, how) = (folder.path().to_path_buf(), how.clone());
    let work = move |progress: &Progress| solve(problem, &how, &path, progress);
    let Some(found) = interruptible(progress, work) else {
        return Ok((Decided::Stopped, Size::default()));
    };
    let (solved, size) = found?;
    let decided = match solved {
        Solved::Stopped => Decided::Stopped,
        Solved::TooLarge => Decided::TooLarge,
        Solved::Scheme(rules) => Decided::Scheme(rules),
        Solved::Refuted(fewer) => Decided::Refuted(fewer, folder),
    };
    Ok((decided, size))
}

/// A [`Decided`] whose files are in a folder of the caller.
enum Solved {
    Scheme(Vec<LocalRule>),
    Refuted(LocalRefutation),
    Stopped,
    TooLarge,
}

fn solve(
    problem: LocalProblem,
    how: &LocalOptions,
    folder: &Path,
    progress: &Progress,
) -> Result<(Solved, Size), SynthError> {
    let formula = match problem.formula(progress) {
        Ok(Some(formula)) => formula,
        Ok(None) => return Ok((Solved::Stopped, Size::default())),
        Err(TooLarge { .. }) => return Ok((Solved::TooLarge, Size::default())),
    };
    let size = (formula.variables(), formula.len());
    let [cnf, lrat] = ["cnf", "lrat"].map(|end| format!("{}.{end}", how.stem));
    let seed = (how.seed % (1 << 31)) as u32;
    let settings = Settings { seed, ..Settings::default() };
    let mut search = SatSearch::new(formula, settings, Some(&folder.join(&lrat)), progress)?;
    let solved = match search.run(None)? {
        Answer::Stopped => Solved::Stopped,
        Answer::Model(model) => Solved::Scheme(problem.scheme(&model)),
        Answer::Refuted => {
            let LocalProblem { hosts, tops, switches } = problem;
            let comment = format!(
                "local encoding: no local adaptive routing of ftree({hosts},{tops},{switches}) is \
                 nonblocking"
            );
            let mut out = BufWriter::new(File::create(folder.join(&cnf))?);
            search.formula().write_dimacs(&comment, &mut out)?;
            out.flush()?;
            Solved::Refuted(LocalRefutation { switches, formula: cnf, proof: lrat })
        }
    };
    Ok((solved, size))
}
