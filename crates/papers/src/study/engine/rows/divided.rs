//! Rows whose own analyses and searches are divided among shards.

use crate::progress::Progress;
use crate::shards::Units;
use crate::study::StudyError;

/// The rows of a table, of each of which every shard does some units.
pub(crate) trait Divided {
    /// What a row is made for.
    type Key;
    /// What is found for a row.
    type Row;

    /// The keys of all rows, in order.
    fn keys(&self) -> &[Self::Key];

    /// Finds a row, or does the units of it that are this shard's, in which case what is found is not the
    /// row. Rows must not have units of the same name.
    fn find(
        &self,
        key: &Self::Key,
        units: &Units,
        progress: &Progress,
    ) -> Result<Self::Row, StudyError>;
}

/// All rows, in order, one after the other; `None` in the part of a shard.
pub(in crate::study::engine) fn divided<R: Divided>(
    rows: &R,
    units: &Units,
    progress: &Progress,
) -> Result<Option<Vec<R::Row>>, StudyError> {
    let mut found = Vec::new();
    for key in rows.keys() {
        progress.check()?;
        let one = rows.find(key, units, progress)?;
        progress.check()?;
        units.check()?;
        progress.inc(1);
        if units.part().is_none() {
            found.push(one);
        }
    }
    Ok(units.part().is_none().then_some(found))
}
