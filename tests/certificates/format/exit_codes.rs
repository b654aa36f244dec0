//! Compressed files, and the exit codes of `check`.

use std::fs;
use std::path::PathBuf;

use super::committed::{NAMES, committed, compressed};
use super::fate::{PARALLEL, changed};
use crate::program::run;

/// The exit code of `check` of a file with these bytes, and what it printed.
fn check(bytes: &[u8]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.cert");
    fs::write(&path, bytes).unwrap();
    for name in &NAMES[1..] {
        fs::write(folder.path().join(name), compressed(&committed(name))).unwrap();
    }
    let run = run(["check", path.to_str().unwrap()]);
    (run.code, run.said())
}

#[test]
fn files_may_be_compressed_in_parts() {
    // Formula and proof are compressed here.
    assert_eq!(check(committed(NAMES[0]).as_bytes()).0, 0);
    let (head, tail) = PARALLEL.split_at(40);
    let whole = compressed(PARALLEL);
    assert_eq!(check(&whole).0, 0);
    assert_eq!(check(&[compressed(head), compressed(tail)].concat()).0, 0);
    for damaged in [&whole[..whole.len() - 4], &[&whole[..], b"more"].concat()] {
        let (code, text) = check(damaged);
        assert_eq!(code, 1, "{text}");
        assert!(
            text.starts_with("s NOT VERIFIED the certificate is damaged gzip data: "),
            "{text}"
        );
    }
}

#[test]
fn what_is_wrong_and_what_is_too_large_have_their_exit_codes() {
    let check = |changes: &[(&str, &str)]| check(changed(PARALLEL, changes).as_bytes());
    let (code, text) = check(&[]);
    assert_eq!(code, 0);
    assert!(text.starts_with("s VERIFIED oblivious-ratio = 2"), "{text}");
    let (code, text) = check(&[("2 2", "3 3")]);
    assert_eq!(code, 1);
    assert!(text.starts_with("s NOT VERIFIED"), "{text}");
    for above in [
        ("hosts 2\nnodes 2", "hosts 65537\nnodes 65537"),
        ("path 0 1 1 0", "path 0 1 1 4294967296"),
        ("cover 0 s 0", "cover 0 s 0 l 1:1/9999999999999999999999999999999999999999"),
    ] {
        let (code, text) = check(&[above]);
        assert_eq!(code, 3, "{text}");
        assert!(
            text.starts_with("error: cannot check ") && text.contains("above the limit"),
            "{text}"
        );
    }
}
