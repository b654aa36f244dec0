//! Rows that are found at the same time, each on one thread: such as runs of the simulator of packets.

use std::sync::{Mutex, PoisonError};

use super::Rows;
use crate::progress::Progress;
use crate::shards::{Found, Units, Work};
use crate::study::StudyError;

struct Parallel<'r, R> {
    rows: &'r R,
    progress: &'r Progress,
    failure: Mutex<Option<StudyError>>,
}

impl<R: Rows> Work for Parallel<'_, R> {
    type Result = R::Row;
    type Scratch = ();

    fn scratch(&self) {}

    fn find(&self, (): &mut (), row: u64) -> Found<R::Row> {
        let has_failed = || self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if self.progress.check().is_err() || has_failed() {
            return Found::Stopped;
        }
        // Where the search of a row was stopped, what it knew is not a row.
        let found = self.rows.find(self.rows.key(row), self.progress);
        match found.and_then(|found| Ok(self.progress.check().map(|()| found)?)) {
            Ok(found) => {
                self.progress.inc(1);
                Found::Final(found)
            }
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                Found::Stopped
            }
        }
    }

    fn fits(&self, row: u64, found: &R::Row) -> bool {
        self.rows.holds(self.rows.key(row), found)
    }
}

/// All rows, in order, found on all threads; `None` in the part of a shard, which has only its own. `progress`
/// advances by one per row.
pub(in crate::study::engine) fn at_once<R: Rows>(
    rows: &R,
    units: &Units,
    progress: &Progress,
) -> Result<Option<Vec<R::Row>>, StudyError> {
    let work = Parallel { rows, progress, failure: Mutex::new(None) };
    let found = units.each("rows", 0..rows.count(), &work);
    let failure = work.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(()), Err)?;
    units.check()?;
    progress.check()?;
    if units.part().is_some() {
        return Ok(None);
    }
    Ok(found.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::Squares;
    use super::*;
    use crate::progress::Stop;

    #[test]
    fn rows_are_in_order_on_any_thread() {
        let found = at_once(&Squares, &Units::default(), &Progress::silent()).unwrap().unwrap();
        assert_eq!(found, [0, 1, 4, 9, 16, 25, 36, 49]);
    }

    #[test]
    fn a_stop_yields_no_row() {
        let stop = Stop::default();
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let stopped = at_once(&Squares, &Units::default(), &progress);
        assert!(matches!(stopped, Err(StudyError::Stopped(_))));
    }

    /// Odd rows fail.
    struct Odd;

    impl Rows for Odd {
        type Key = u64;
        type Row = u64;

        fn keys(&self) -> &[u64] {
            &[0, 1, 2, 3, 4, 5, 6, 7, 8]
        }

        fn find(&self, row: &u64, _: &Progress) -> Result<u64, StudyError> {
            if row % 2 == 1 { Err(crate::progress::Stopped.into()) } else { Ok(*row) }
        }

        fn holds(&self, _: &u64, _: &u64) -> bool {
            true
        }
    }

    #[test]
    fn an_error_ends_it() {
        let found = at_once(&Odd, &Units::default(), &Progress::silent());
        assert!(matches!(found, Err(StudyError::Stopped(_))));
    }
}
