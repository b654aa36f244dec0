//! Files that tests read: those of the project, and temporary ones.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::io::Write;
use std::path::Path;

use routebound::import::{ImportError, ImportOptions, topology};
use routebound::topology::Topology;
use tempfile::NamedTempFile;

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The network in a file; the path is absolute, or relative to the project.
pub fn import(path: &str) -> Topology {
    topology(root().join(path).to_str().unwrap(), &ImportOptions::default()).unwrap()
}

/// A temporary file with a content, and its path.
pub fn temporary(content: impl AsRef<[u8]>) -> (NamedTempFile, String) {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content.as_ref()).unwrap();
    let path = file.path().to_str().unwrap().to_string();
    (file, path)
}

/// The network in a file of that content.
pub fn import_with(
    content: impl AsRef<[u8]>,
    options: &ImportOptions,
) -> Result<Topology, ImportError> {
    let (_file, path) = temporary(content);
    topology(&path, options)
}
