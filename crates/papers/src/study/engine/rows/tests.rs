//! Rows in shards, without a study.

#[path = "../../../../../../tests/common/resealed.rs"]
mod resealed;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::progress::Stop;
use crate::shards::{Command, Part, Parts, Shard, ShardError};
use resealed::resealed;

fn command() -> Command {
    Command(vec!["study".into(), "rows".into()])
}

/// Does a shard; its part is in a file there.
fn shard<R: Rows>(rows: &R, (number, of): (u64, u64), path: &Path) {
    let part = Arc::new(Part::open(path, command(), Shard::new(number, of).unwrap()).unwrap());
    let found = in_turn(rows, &Units::from(Arc::clone(&part)), &Progress::silent()).unwrap();
    assert!(found.is_none());
    assert!(part.finish(false).unwrap().finished);
}

/// What is merged from the parts there.
fn merge<R: Rows>(rows: &R, of: u64, folder: &Path) -> Result<String, StudyError> {
    let paths: Vec<_> = (1..=of).map(|number| folder.join(number.to_string())).collect();
    let parts = Parts::open(paths.iter().map(|path| &**path))?;
    let units = Units::from(Arc::new(parts));
    Ok(text(&in_turn(rows, &units, &Progress::silent())?.unwrap()))
}

fn text(rows: &Vec<impl Serialize>) -> String {
    serde_json::to_string(rows).unwrap()
}

/// Compares 1, 2 and 7 shards, of which one is lost and run again, with one process. `steady` takes
/// from a text what differs from run to run.
pub(crate) fn compare<R: Rows>(rows: &R, steady: impl Fn(&str) -> String) {
    let whole = in_turn(rows, &Units::default(), &Progress::silent()).unwrap().unwrap();
    let whole = steady(&text(&whole));
    for of in [1, 2, 7] {
        let folder = tempfile::tempdir().unwrap();
        let part = |number: u64| folder.path().join(number.to_string());
        (1..=of).for_each(|number| shard(rows, (number, of), &part(number)));
        assert_eq!(steady(&merge(rows, of, folder.path()).unwrap()), whole, "{of} shards");
        // Killed within its last line but one, the shard continues from what is whole.
        let lost = part(of);
        let bytes = fs::read(&lost).unwrap();
        let end = bytes.len() - bytes.len().min(30);
        fs::write(&lost, &bytes[..end]).unwrap();
        let error = merge(rows, of, folder.path()).unwrap_err();
        assert!(
            matches!(
                &error,
                StudyError::Distribution(ShardError::Incomplete { .. } | ShardError::Torn(_))
            ),
            "{error}"
        );
        shard(rows, (of, of), &lost);
        assert_eq!(steady(&merge(rows, of, folder.path()).unwrap()), whole, "{of} shards");
    }
}

/// A part in which `from` is `to` is refused, although its checksums fit.
pub(crate) fn refuses<R: Rows>(rows: &R, from: &str, to: &str) {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("1");
    shard(rows, (1, 1), &part);
    let whole = fs::read_to_string(&part).unwrap();
    assert!(whole.contains(from), "no part holds {from}");
    fs::write(&part, resealed(&whole.replace(from, to))).unwrap();
    let error = merge(rows, 1, folder.path()).unwrap_err();
    let StudyError::Distribution(ShardError::Result { .. }) = error else {
        panic!("{from} {to}: {error}")
    };
}

/// Squares, of which 3² is too large for a part and 5² is found only while merging.
pub(super) struct Squares;

impl Rows for Squares {
    type Key = u64;
    type Row = u64;

    fn keys(&self) -> &[u64] {
        &[0, 1, 2, 3, 4, 5, 6, 7]
    }

    fn is_shared(&self, row: &u64) -> bool {
        *row != 5
    }

    fn find(&self, row: &u64, _: &Progress) -> Result<u64, StudyError> {
        Ok(row * row)
    }

    fn is_kept(&self, found: &u64) -> bool {
        *found != 9
    }

    fn holds(&self, row: &u64, found: &u64) -> bool {
        *found == row * row
    }
}

#[test]
fn rows_are_shared() {
    compare(&Squares, str::to_string);
    refuses(&Squares, "\"found\":16,", "\"found\":17,");
    let found = in_turn(&Squares, &Units::default(), &Progress::silent()).unwrap().unwrap();
    assert_eq!(found, [0, 1, 4, 9, 16, 25, 36, 49]);
    let folder = tempfile::tempdir().unwrap();
    shard(&Squares, (1, 1), &folder.path().join("1"));
    let text = fs::read_to_string(folder.path().join("1")).unwrap();
    assert!(text.contains("\"found\":16,") && !text.contains("\"found\":9,"), "{text}");
    assert!(!text.contains("\"unit\":5,"), "{text}");
}

#[test]
fn a_stop_yields_no_row() {
    let stop = Stop::default();
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let stopped = in_turn(&Squares, &Units::default(), &progress);
    assert!(matches!(stopped, Err(StudyError::Stopped(_))));
}
