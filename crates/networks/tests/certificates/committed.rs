//! Certificates that are committed, with the formulas and proofs of one. The tests of `routebound` include this file.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::fate::project;

pub const NAMES: [&str; 3] = ["ft-4-2-formula.cert", "ft-4-2-formula.cnf", "ft-4-2-formula.lrat"];

/// The text of a committed file of these.
pub fn committed(name: &str) -> String {
    let folder = project().join("results/optimal-single-path/certificates");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Every committed certificate.
pub fn certificates() -> Vec<PathBuf> {
    let root = project();
    let mut folders = vec![root.join("results"), root.join("instances")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "cert") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}
