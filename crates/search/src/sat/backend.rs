//! CaDiCaL. The only file that names it or rustsat.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::rc::Rc;

use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use rustsat_cadical::{
    CaDiCaL, CaDiCaLClause, ClauseId, Config, Limit, ProofTracerHandle, TraceProof,
};

use super::{Answer, Formula, Literal, SatError, Settings, Target};
use crate::progress::Progress;

/// Decides `formula`. When `progress` ends, so does the search.
///
/// # Errors
/// [`SatError`] when the solver fails, or its claimed model is not a model.
pub fn solve(
    formula: &Formula,
    settings: Settings,
    progress: &Progress,
) -> Result<Answer, SatError> {
    SatSearch::new(formula.clone(), settings, None, progress)?.run(None)
}

/// A search that can be resumed where it stopped.
pub struct SatSearch<'p> {
    solver: CaDiCaL<'p, 'static>,
    formula: Formula,
    tracer: Option<ProofTracerHandle<Proof>>,
    /// Whether the solver has the whole formula; if not, the search was stopped first.
    is_whole: bool,
}

/// Number of clauses handed over between two checks whether the work has to end.
const CLAUSES: usize = 1 << 12;

impl<'p> SatSearch<'p> {
    /// Prepares a search. With `proof`, a refutation is written there in the textual LRAT format;
    /// the clauses of the formula have the numbers 1, 2, … in order. The same steps, without hints,
    /// are written in the textual DRAT format to the file of that name with the extension `.drat`.
    /// When `progress` ends, so does the search.
    ///
    /// # Errors
    /// [`SatError`] when the proof cannot be written or the solver fails.
    pub fn new(
        formula: Formula,
        settings: Settings,
        proof: Option<&Path>,
        progress: &'p Progress,
    ) -> Result<Self, SatError> {
        let mut solver = CaDiCaL::default();
        let config = match settings.target {
            Target::Either => Config::Default,
            Target::Model => Config::Sat,
            Target::Refutation => Config::Unsat,
        };
        solver.set_configuration(config).map_err(failed("configuration"))?;
        solver.set_option("seed", settings.seed.cast_signed()).map_err(failed("seed"))?;
        let full = Rc::new(Cell::new(false));
        let is_full = Rc::clone(&full);
        let tracer = match proof {
            None => None,
            Some(path) => {
                solver.set_option("lrat", 1).map_err(failed("proof"))?;
                let most = settings.proof_bytes;
                let proof = Proof::create(path, &formula, most, full)?;
                Some(solver.connect_proof_tracer(proof, true))
            }
        };
        let mut search = Self { solver, formula, tracer, is_whole: true };
        search.solver.attach_terminator(move || {
            let ends = progress.cancelled() || is_full.get();
            if ends { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
        for (number, literals) in search.formula.clauses().enumerate() {
            if number.is_multiple_of(CLAUSES) && progress.cancelled() {
                search.is_whole = false;
                break;
            }
            let clause: Clause = literals.iter().map(|literal| lit(*literal)).collect();
            search.solver.add_clause(clause).map_err(failed("a clause"))?;
        }
        Ok(search)
    }

    /// The formula.
    #[must_use]
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// Changes the maximum size of the proof in bytes, if one is written.
    pub fn limit_proof(&mut self, bytes: u64) {
        if let Some(tracer) = &self.tracer {
            self.solver.proof_tracer_mut(tracer).most = bytes;
        }
    }

    /// Resumes the search, for at most `conflicts` conflicts: unlike time, these are the same on
    /// every machine. [`Answer::Stopped`] after them, or when the progress ends.
    ///
    /// # Errors
    /// [`SatError`] when the proof cannot be written, the solver fails, or its claimed model is not
    /// a model.
    pub fn run(&mut self, conflicts: Option<u32>) -> Result<Answer, SatError> {
        if !self.is_whole {
            return Ok(Answer::Stopped);
        }
        let limit = conflicts.map_or(-1, |most| i32::try_from(most).unwrap_or(i32::MAX));
        self.solver.set_limit(Limit::Conflicts(limit)).map_err(failed("limit"))?;
        let found = self.solver.solve().map_err(failed("search"))?;
        if let Some(tracer) = &self.tracer {
            let proof = self.solver.proof_tracer_mut(tracer);
            proof.check()?;
            if found == SolverResult::Unsat {
                proof.finish()?;
            }
        }
        match found {
            SolverResult::Interrupted => Ok(Answer::Stopped),
            SolverResult::Unsat => Ok(Answer::Refuted),
            SolverResult::Sat => model(&self.solver, &self.formula),
        }
    }
}

impl Drop for SatSearch<'_> {
    fn drop(&mut self) {
        // The solver must not outlive the writer of its proof.
        if let Some(tracer) = self.tracer.take() {
            drop(self.solver.disconnect_proof_tracer(tracer));
        }
    }
}

fn failed<E>(what: &'static str) -> impl Fn(E) -> SatError {
    move |_| SatError::Failed(what)
}

fn lit(literal: Literal) -> Lit {
    Lit::new(literal.unsigned_abs() - 1, literal < 0)
}

/// The model that the solver found, checked against the formula.
fn model(solver: &CaDiCaL, formula: &Formula) -> Result<Answer, SatError> {
    let value = |index| solver.var_val(Var::new(index)).map(|value| value == TernaryVal::True);
    let values: Result<Vec<bool>, _> = (0..formula.variables()).map(value).collect();
    let values = values.map_err(|_| SatError::Failed("a value of the model"))?;
    if formula.is_satisfied_by(&values) {
        Ok(Answer::Model(values))
    } else {
        Err(SatError::NoModel)
    }
}

/// A number that no clause has, the largest that a proof may name.
const NO_CLAUSE: u64 = u64::MAX >> 1;

/// Writes the steps of a proof. The solver derives clauses while it is still being given those of
/// the formula, and numbers them in between; here the formula's clauses come first.
struct Proof {
    lrat: BufWriter<File>,
    drat: BufWriter<File>,
    /// The number in the proof of every clause of the solver.
    number: HashMap<ClauseId, u64>,
    /// Number of clauses of the formula so far, and in total.
    given: u64,
    clauses: u64,
    /// Number of clauses derived so far.
    derived: u64,
    written: u64,
    /// Maximum number of bytes.
    most: u64,
    failed: Option<SatError>,
    /// Set when nothing more can be written.
    full: Rc<Cell<bool>>,
}

impl Proof {
    fn create(
        path: &Path,
        formula: &Formula,
        most: u64,
        full: Rc<Cell<bool>>,
    ) -> Result<Self, SatError> {
        let lrat = BufWriter::new(File::create(path)?);
        let drat = BufWriter::new(File::create(path.with_extension("drat"))?);
        let (number, clauses) = (HashMap::new(), formula.len() as u64);
        let (given, derived, written, failed) = (0, 0, 0, None);
        Ok(Self { lrat, drat, number, given, clauses, derived, written, most, failed, full })
    }

    /// Writes one step in both formats.
    fn write(&mut self, lrat: &str, drat: &str) {
        self.written += (lrat.len() + drat.len()) as u64;
        if self.failed.is_none() && self.written > self.most {
            self.failed = Some(SatError::ProofTooLarge(self.most));
        }
        if self.failed.is_none() {
            let written = self.lrat.write_all(lrat.as_bytes());
            let written = written.and_then(|()| self.drat.write_all(drat.as_bytes()));
            self.failed = written.err().map(SatError::from);
        }
        self.full.set(self.failed.is_some());
    }

    /// The error that ended it, if any.
    fn check(&mut self) -> Result<(), SatError> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Flushes both files.
    fn finish(&mut self) -> Result<(), SatError> {
        Ok(self.lrat.flush().and_then(|()| self.drat.flush())?)
    }
}

impl TraceProof for Proof {
    fn add_original_clause(
        &mut self,
        id: ClauseId,
        _redundant: bool,
        _clause: &CaDiCaLClause,
        restored: bool,
    ) {
        if !restored {
            self.given += 1;
            self.number.insert(id, self.given);
        }
    }

    fn add_derived_clause(
        &mut self,
        id: ClauseId,
        _redundant: bool,
        clause: &CaDiCaLClause,
        antecedents: &[ClauseId],
    ) {
        self.derived += 1;
        let number = self.clauses + self.derived;
        self.number.insert(id, number);
        let literals = literals(clause);
        let mut line = format!("{number} {literals}0");
        for antecedent in antecedents {
            // An unknown antecedent is not a clause: the checker will refuse the step.
            let number = self.number.get(antecedent).copied().unwrap_or(NO_CLAUSE);
            line.push(' ');
            line += &number.to_string();
        }
        self.write(&(line + " 0\n"), &(literals + "0\n"));
    }

    fn delete_clause(&mut self, id: ClauseId, _redundant: bool, clause: &CaDiCaLClause) {
        if let Some(number) = self.number.remove(&id) {
            let last = self.clauses + self.derived;
            let lrat = format!("{last} d {number} 0\n");
            self.write(&lrat, &format!("d {}0\n", literals(clause)));
        }
    }
}

/// The literals of a clause, each followed by a space.
fn literals(clause: &CaDiCaLClause) -> String {
    let mut text = String::new();
    for literal in clause.iter() {
        text += &literal.to_ipasir().to_string();
        text.push(' ');
    }
    text
}
