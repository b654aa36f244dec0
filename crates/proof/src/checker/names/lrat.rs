//! Refutations in the LRAT format, checked by unit propagation along their hints.
//!
//! Every step adds a clause and names, as hints, the clauses that prove it: with all literals of
//! the new clause false, each hint in turn forces one more literal, and the last one is violated.
//! So the new clause follows from those before. A refutation adds the empty clause. (Cruz-Filipe,
//! Heule, Hunt, Kaufmann, Schneider-Kamp, *Efficient Certified RAT Verification*, CADE 2017.) Steps
//! that need more than this (RAT, hints with a minus) are refused: refutations by solvers that only
//! derive clauses contain none.
//!
//! Time is linear in the length of the proof; memory in the clauses held at a time.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::str::FromStr;

use crate::limit::{TooLarge, within};
use crate::progress::{Progress, Stopped};

/// Maximum literals of all clauses held at a time: 4 bytes each.
const MAX_LITERALS: u64 = 1 << 30;
/// A line of a proof or a formula is shorter than this, with its newline.
const MAX_LINE: u64 = 1 << 24;
/// A proof is shorter than this, uncompressed.
const MAX_PROOF: u64 = 1 << 34;
/// Maximum digits of a number in a proof, leading zeros aside: those of 2^63, which is more than
/// any.
const MAX_DIGITS: usize = 19;

/// A literal as in DIMACS files.
pub(super) type Literal = i32;

/// What following a proof gives, or why it is refused.
pub(super) type Result<T, E = LratError> = std::result::Result<T, E>;

/// Why a proof is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum LratError {
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// Stopped before the end: nothing is known about the file.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    #[error("line {line} differs from the encoding")]
    Differs {
        /// Line, from 1.
        line: u64,
    },
    #[error("line {line}: not a step of an LRAT proof")]
    Malformed {
        /// Line, from 1.
        line: u64,
    },
    #[error("line {line}: step {step} is not numbered above those before")]
    Order {
        /// Line, from 1.
        line: u64,
        step: u64,
    },
    #[error("line {line}: literal {literal} belongs to no variable of the formula")]
    NoVariable {
        /// Line, from 1.
        line: u64,
        literal: i64,
    },
    #[error("line {line}: there is no clause {clause} at this step")]
    NoClause {
        /// Line, from 1.
        line: u64,
        clause: u64,
    },
    #[error("line {line}: step {step} is a RAT step, which this checker does not accept")]
    Rat {
        /// Line, from 1.
        line: u64,
        step: u64,
    },
    #[error("line {line}: hint {clause} of step {step} leaves more than one literal open")]
    Hint {
        /// Line, from 1.
        line: u64,
        step: u64,
        clause: u64,
    },
    #[error("line {line}: the hints of step {step} do not lead to a contradiction")]
    NoConflict {
        /// Line, from 1.
        line: u64,
        step: u64,
    },
    #[error("it ends after {steps} steps without the empty clause")]
    Unfinished { steps: u64 },
}

/// The clauses at one step of a proof, and the values that the current step forces.
#[derive(Debug)]
pub(super) struct Refutation {
    variables: u32,
    clauses: HashMap<u64, Box<[Literal]>>,
    literals: u64,
    /// Number of the last clause or step.
    last: u64,
    /// The check in which each literal became true; literal v at 2v, −v at 2v + 1.
    true_since: Vec<u64>,
    /// Number of the current check, as recorded in `true_since`.
    check: u64,
}

impl Refutation {
    /// Begins without clauses, over variables 1..=`variables`.
    pub(super) fn new(variables: u32) -> Self {
        let true_since = vec![0; 2 * variables as usize + 2];
        Self { variables, clauses: HashMap::new(), literals: 0, last: 0, true_since, check: 0 }
    }

    /// Adds the next clause of the formula.
    pub(super) fn add(&mut self, clause: &[Literal]) -> Result<(), TooLarge> {
        self.last += 1;
        self.hold(self.last, clause)
    }

    fn hold(&mut self, number: u64, clause: &[Literal]) -> Result<(), TooLarge> {
        self.literals += clause.len() as u64;
        let what = "number of literals of the clauses that a proof holds at one time";
        within(what, Some(self.literals.into()), MAX_LITERALS, "find a shorter proof")?;
        self.clauses.insert(number, clause.into());
        Ok(())
    }

    /// Reads the proof up to its empty clause and returns the number of steps. `progress` is polled
    /// at every line.
    pub(super) fn check(mut self, proof: impl BufRead, progress: &Progress) -> Result<u64> {
        let mut proof = proof.take(MAX_PROOF);
        let (mut line, mut steps, mut text) = (0, 0, Vec::new());
        loop {
            line += 1;
            progress.check()?;
            if !read_line(&mut proof, &mut text, MAX_PROOF)? {
                return Err(LratError::Unfinished { steps });
            }
            let mut words = words(&text).peekable();
            let Some(number) = words.next() else { continue };
            if number == b"c" {
                continue;
            }
            let step = step(number, line)?;
            if words.next_if_eq(&b"d".as_slice()).is_some() {
                self.delete(&numbers(words, line)?, line)?;
                continue;
            }
            let (clause, hints) = parts(words, line)?;
            steps += 1;
            self.derive(step, &clause, &hints, line)?;
            if clause.is_empty() {
                skip(&mut proof, &mut text, progress)?;
                return Ok(steps);
            }
        }
    }

    fn delete(&mut self, numbers: &[i64], line: u64) -> Result<()> {
        for number in numbers {
            let clause = number.unsigned_abs();
            let deleted = self.clauses.remove(&clause).filter(|_| *number > 0);
            let deleted = deleted.ok_or(LratError::NoClause { line, clause })?;
            self.literals -= deleted.len() as u64;
        }
        Ok(())
    }

    /// Adds `clause` as number `step` after its hints have proved it.
    fn derive(&mut self, step: u64, clause: &[i64], hints: &[i64], line: u64) -> Result<()> {
        if step <= self.last {
            return Err(LratError::Order { line, step });
        }
        let is_known = |literal: &&i64| literal.unsigned_abs() <= self.variables.into();
        let stranger = clause.iter().find(|literal| !is_known(literal));
        if let Some(literal) = stranger {
            return Err(LratError::NoVariable { line, literal: *literal });
        }
        let literal = |literal: &i64| Literal::try_from(*literal).expect("its variable is known");
        let clause: Vec<Literal> = clause.iter().map(literal).collect();
        if hints.iter().any(|hint| *hint < 0) {
            return Err(LratError::Rat { line, step });
        }
        self.check += 1;
        for literal in &clause {
            self.true_since[place(-literal)] = self.check;
        }
        self.follow(step, hints, line)?;
        self.last = step;
        self.hold(step, &clause)?;
        Ok(())
    }

    /// Follows the hints to a violated clause.
    fn follow(&mut self, step: u64, hints: &[i64], line: u64) -> Result<()> {
        for hint in hints {
            let clause = hint.unsigned_abs();
            let hint = self.clauses.get(&clause).ok_or(LratError::NoClause { line, clause })?;
            let is_false = |literal: &&Literal| self.true_since[place(-**literal)] == self.check;
            let mut open = hint.iter().filter(|literal| !is_false(literal));
            match (open.next(), open.next()) {
                (None, _) => return Ok(()),
                // If it is already true, nothing new is learnt, and nothing wrong: solvers give
                // such hints where a unit clause is among those of the step.
                (Some(forced), None) => self.true_since[place(*forced)] = self.check,
                _ => return Err(LratError::Hint { line, step, clause }),
            }
        }
        Err(LratError::NoConflict { line, step })
    }
}

fn place(literal: Literal) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

/// Reads a line without its line end into `text`; false at the end of the file, which must be
/// shorter than `limit`, all that `reader` yields.
pub(super) fn read_line<R: BufRead>(
    reader: &mut io::Take<R>,
    text: &mut Vec<u8>,
    limit: u64,
) -> Result<bool> {
    text.clear();
    let length = reader.by_ref().take(MAX_LINE).read_until(b'\n', text)? as u64;
    let remedy = "is it a proof at all?";
    within("length of a line in bytes", Some(length.into()), MAX_LINE - 1, remedy)?;
    if reader.limit() == 0 {
        let (what, size) = ("length of the file in bytes".into(), format!("at least {limit}"));
        return Err(TooLarge { what, size, limit: limit - 1, remedy: remedy.into() }.into());
    }
    text.pop_if(|byte| *byte == b'\n');
    text.pop_if(|byte| *byte == b'\r');
    Ok(length > 0)
}

/// Reads a proof to its end: what follows the empty clause is not a part of it, but must be there whole.
fn skip<R: BufRead>(
    proof: &mut io::Take<R>,
    text: &mut Vec<u8>,
    progress: &Progress,
) -> Result<()> {
    while read_line(proof, text, MAX_PROOF)? {
        progress.check()?;
    }
    Ok(())
}

/// The words between spaces and tabs.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty())
}

/// A number written in digits alone.
pub(super) fn natural<T: FromStr>(word: &[u8]) -> Option<T> {
    let text = word.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(word).ok())??;
    text.parse().ok()
}

/// A literal: a number, after a minus sign if it is not 0.
pub(super) fn signed<T: FromStr>(word: &[u8]) -> Option<T> {
    let Some(digits) = word.strip_prefix(b"-") else { return natural(word) };
    let is_zero = digits.iter().all(|digit| *digit == b'0');
    let is_number = digits.iter().all(u8::is_ascii_digit) && !is_zero;
    is_number.then(|| std::str::from_utf8(word).ok())??.parse().ok()
}

/// The number of a step.
fn step(word: &[u8], line: u64) -> Result<u64> {
    match number(word, line)? {
        number if word[0] != b'-' => Ok(number.unsigned_abs()),
        _ => Err(LratError::Malformed { line }),
    }
}

/// A number, with a limit on its size.
fn number(word: &[u8], line: u64) -> Result<i64> {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(LratError::Malformed { line });
    }
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let what = format!("number of digits of a number in line {line}");
    let count = (digits.len() - zeros) as u128;
    within(&what, Some(count), MAX_DIGITS as u64, "is it a proof at all?")?;
    // 19 digits fit 64 bits.
    let value: u64 = natural(digits).ok_or(LratError::Malformed { line })?;
    let what = format!("number in line {line}");
    let limit = i64::MAX.unsigned_abs();
    within(&what, Some(value.into()), limit, "is it a proof at all?")?;
    let (value, has_sign) = (value.cast_signed(), digits.len() < word.len());
    if has_sign && value == 0 {
        // 0 has no sign.
        return Err(LratError::Malformed { line });
    }
    Ok(if has_sign { -value } else { value })
}

/// Numbers up to a 0 that ends the line.
fn numbers<'t>(mut words: impl Iterator<Item = &'t [u8]>, line: u64) -> Result<Vec<i64>> {
    let numbers = until_zero(&mut words, line)?;
    if words.next().is_none() { Ok(numbers) } else { Err(LratError::Malformed { line }) }
}

/// A clause up to a 0, hints up to a 0 that ends the line.
fn parts<'t>(mut words: impl Iterator<Item = &'t [u8]>, line: u64) -> Result<(Vec<i64>, Vec<i64>)> {
    let clause = until_zero(&mut words, line)?;
    Ok((clause, numbers(words, line)?))
}

fn until_zero<'t>(words: &mut impl Iterator<Item = &'t [u8]>, line: u64) -> Result<Vec<i64>> {
    let mut numbers = Vec::new();
    loop {
        let word = words.next().ok_or(LratError::Malformed { line })?;
        match number(word, line)? {
            0 => return Ok(numbers),
            number => numbers.push(number),
        }
    }
}

#[cfg(test)]
mod tests;
