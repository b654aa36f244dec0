//! Refuted formulas: the file of the formula is compared with what it should hold, clause by clause,
//! and the proof in the other file is followed.

use std::io;
use std::path::Path;

use crate::input::Input;
use crate::limit::TooLarge;
use crate::progress::Progress;
use crate::quote::Quoted;

use super::dimacs::Comparison;
use super::lrat::{self, Literal, LratError};
use super::{Refusal, Result};

/// Maximum bytes of a formula or a proof, decompressed: a proof may be longer than a formula of a
/// gigabyte.
const MAX_FILE: u64 = 1 << 34;

/// Why the files of a refutation are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum BadFile {
    #[error("the formula {file} is refused: {reason}")]
    Formula { file: Quoted, reason: String },
    #[error("the proof {file} is refused: {reason}")]
    Proof { file: Quoted, reason: String },
}

/// The statement of a formula, encoded from its description.
pub(super) trait Encoding {
    /// Number of variables; refused where the formula is too large.
    fn variables(&self) -> Result<u32, TooLarge>;

    /// Gives all clauses to `visit`, in order.
    fn clauses(
        &self,
        visit: &mut dyn FnMut(&[Literal]) -> Result<(), LratError>,
    ) -> Result<(), LratError>;
}

/// Verifies that the first file of `folder` holds the encoding, and that the second refutes it.
pub(super) fn check(
    encoding: &dyn Encoding,
    [formula, proof]: [&str; 2],
    folder: &Path,
    progress: &Progress,
) -> Result<()> {
    // Sizes come first, whether or not the files are there.
    let variables = encoding.variables()?;
    let wrong = |error: LratError| match error {
        LratError::TooLarge(limit) => Refusal::TooLarge(limit),
        LratError::Stopped(stopped) => Refusal::Stopped(stopped),
        error => BadFile::Formula { file: formula.into(), reason: error.to_string() }.into(),
    };
    let reader = open(folder, formula).map_err(|error| wrong(error.into()))?;
    let mut file = Comparison::open(reader, progress).map_err(wrong)?;
    let mut refutation = lrat::Refutation::new(variables);
    encoding
        .clauses(&mut |clause| {
            file.expect(clause)?;
            Ok::<_, LratError>(refutation.add(clause)?)
        })
        .and_then(|()| file.finish(variables))
        .map_err(wrong)?;
    let wrong = |error: LratError| match error {
        LratError::TooLarge(limit) => Refusal::TooLarge(limit),
        LratError::Stopped(stopped) => Refusal::Stopped(stopped),
        error => BadFile::Proof { file: proof.into(), reason: error.to_string() }.into(),
    };
    let reader = open(folder, proof).map_err(|error| wrong(error.into()))?;
    refutation.check(reader, progress).map_err(wrong)?;
    Ok(())
}

/// Opens a file of `folder`, gzip-compressed or not. The reader of the file has its own limit.
fn open(folder: &Path, name: &str) -> io::Result<Input> {
    Input::beside(folder, name, MAX_FILE).map_err(io::Error::other)
}
