//! Files that tests read: those of the project, and temporary ones.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use routebound::import::{ImportError, ImportOptions, topology};
use routebound::topology::Topology;
use tempfile::{NamedTempFile, TempDir};

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder that has the project's instances and results.
pub fn with_instances() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for shown in ["results", "instances"] {
        std::os::unix::fs::symlink(root().join(shown), folder.path().join(shown)).unwrap();
    }
    folder
}

/// The network in a file; the path is absolute, or relative to the project.
pub fn import(path: &str) -> Topology {
    topology(root().join(path).to_str().unwrap(), &ImportOptions::default()).unwrap()
}

/// The content, compressed.
pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
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
