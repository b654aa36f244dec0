//! Data of other projects that only some copies of the sources come with: real fabrics, traffic,
//! the transcripts of the papers. A test that does not find them reports that it is skipped.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Set, to anything, where the collection must be present: a skip is then a failure.
const NEEDED: &str = "ROUTEBOUND_NEEDS_COLLECTION";

/// The file or folder `path` of the collection, if it is there.
///
/// # Panics
///
/// If it is missing although the environment says that it must be present.
pub fn collection(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = [root.join("../shared"), root.join("../../shared")];
    let found = places.into_iter().map(|place| place.join(path)).find(|place| place.exists());
    if found.is_none() {
        skipped(path);
    }
    found
}

/// Reports, once per test and path, that the running test is skipped: directly to stderr, since the
/// harness captures what a passing test prints.
fn skipped(path: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    assert!(std::env::var_os(NEEDED).is_none(), "{test} needs {path} of the collection");
    let line = format!("skipped: {test}: {path} is not beside the sources\n");
    if SAID.lock().is_ok_and(|mut said| said.insert(line.clone())) {
        std::io::stderr().write_all(line.as_bytes()).ok();
    }
}
