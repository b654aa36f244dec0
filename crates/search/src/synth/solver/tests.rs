//! Questions whose proofs are too large.

use super::*;
use crate::progress::Stop;

/// Whether FT(6,2) has a routing of ratio 1, with `proof_bytes` for the proofs of its two parts and
/// of the whole.
fn asked(proof_bytes: u64, folder: &Path) -> Asked {
    let topology = generate("ft(6,2)").unwrap();
    let tree = topology.tree().unwrap().clone();
    let (options, folder) = (Options::default(), folder.to_path_buf());
    Asked { topology, tree, ratio: 1, most: 1, options, proof_bytes, folder }
}

#[test]
fn without_room_for_a_proof_the_limit_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let refused = asked(30, folder.path()).decide(&Progress::silent());
    let Err(SynthError::TooLarge(limit)) = refused.map(drop) else { panic!("no limit") };
    let said = limit.to_string();
    assert!(said.contains("size of the proofs") && said.contains("the limit of 30"), "{said}");
    // The files of proofs that were given up are gone.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_stop_before_the_check_is_a_stop() {
    let (folder, stop) = (tempfile::tempdir().unwrap(), Stop::default());
    stop.request();
    let progress = Progress::silent().stopped_by(stop);
    let found = asked(MAX_PROOF, folder.path()).decide(&progress);
    assert!(matches!(found, Ok((Decided::Stopped, _))));
}

/// The whole runs out of space for its proof at once; a part has enough, with the bytes of the
/// whole.
#[test]
fn parts_go_on_without_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let asked = asked(MAX_PROOF, folder.path());
    let progress = Progress::silent();
    let mut parts = asked.parts(&progress).unwrap();
    parts.limit_whole(20);
    let mut found = None;
    while found.is_none() {
        found = parts.round(100, &progress).unwrap();
    }
    let (answer, part) = found.unwrap();
    assert_eq!(answer, Answer::Refuted);
    assert!(!part.is_whole && part.folder.is_some());
}
