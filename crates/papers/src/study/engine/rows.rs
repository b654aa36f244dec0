//! Studies whose rows are found one by one, each by a search of its own: a row is a unit of work.
//!
//! What a part holds of a row is what was found with its evidence, and the process that merges examines that
//! evidence: a certificate is checked again, a set counted again. A row that no part holds, such as one
//! with a proof of half a gigabyte, is found while merging.

mod divided;
mod parallel;

pub(crate) use divided::Divided;
pub(super) use divided::divided;
pub(super) use parallel::at_once;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::integer::as_size;
use crate::progress::Progress;
use crate::shards::{Found, Units, Work};
use crate::study::StudyError;

/// The rows of a table, each of which is found without the others.
pub(crate) trait Rows: Sync {
    /// What a row is made for.
    type Key;
    /// A row with its evidence.
    type Row: Serialize + DeserializeOwned + Send;

    /// The keys of all rows, in order.
    fn keys(&self) -> &[Self::Key];

    /// Number of rows.
    fn count(&self) -> u64 {
        self.keys().len() as u64
    }

    /// The key of a row.
    fn key(&self, row: u64) -> &Self::Key {
        &self.keys()[as_size(row)]
    }

    /// Whether a part is to hold a row; if not, no shard looks for it.
    fn is_shared(&self, _key: &Self::Key) -> bool {
        true
    }

    /// Finds a row. Stopped work yields none.
    fn find(&self, key: &Self::Key, progress: &Progress) -> Result<Self::Row, StudyError>;

    /// Whether a row that was found has all its evidence, so that a part may hold it.
    fn is_kept(&self, _found: &Self::Row) -> bool {
        true
    }

    /// Whether what a part says of a row is so, as far as it is more than a claim.
    fn holds(&self, key: &Self::Key, found: &Self::Row) -> bool;
}

/// Judges the rows of parts.
struct Judge<'r, R>(&'r R);

impl<R: Rows> Work for Judge<'_, R> {
    type Result = R::Row;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), _row: u64) -> Found<R::Row> {
        // Rows are found one after the other: their searches use all threads.
        Found::Stopped
    }

    fn fits(&self, row: u64, found: &R::Row) -> bool {
        self.0.holds(self.0.key(row), found)
    }
}

/// All rows, in order; `None` in the part of a shard, which has only its own.
pub(super) fn in_turn<R: Rows>(
    rows: &R,
    units: &Units,
    progress: &Progress,
) -> Result<Option<Vec<R::Row>>, StudyError> {
    let find = |row| {
        progress.check()?;
        let found = rows.find(rows.key(row), progress)?;
        progress.check()?;
        progress.inc(1);
        Ok::<_, StudyError>(found)
    };
    let shared: Vec<u64> = (0..rows.count()).filter(|row| rows.is_shared(rows.key(*row))).collect();
    let mut failure = None;
    let found = units.together("rows", &shared, &Judge(rows), |open, take| {
        for row in open.iter().take_while(|_| !units.have_failed()) {
            match find(*row) {
                Ok(found) if rows.is_kept(&found) => take(*row, Found::Final(found)),
                Ok(found) => take(*row, Found::Passing(found)),
                Err(error) => {
                    failure = Some(error);
                    return;
                }
            }
        }
    });
    units.check()?;
    failure.map_or(Ok(()), Err)?;
    if units.part().is_some() {
        return Ok(None);
    }
    let mut found = shared.into_iter().zip(found).filter_map(|(row, found)| Some((row, found?)));
    let mut next = found.next();
    let all = (0..rows.count()).map(|row| match next.take_if(|(known, _)| *known == row) {
        Some((_, known)) => {
            next = found.next();
            Ok(known)
        }
        None => find(row),
    });
    all.collect::<Result<_, _>>().map(Some)
}

#[cfg(test)]
pub(crate) mod tests;
