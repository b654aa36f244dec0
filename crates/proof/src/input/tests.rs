//! Limits, looking ahead, and what is recorded of inputs.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use super::*;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn read(raw: Vec<u8>, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut input = Input::new("x", io::Cursor::new(raw), limit)?;
    input.head(3);
    let mut all = Vec::new();
    input.read_to_end(&mut all).map_err(|error| InputError::of("x", error))?;
    Ok(all)
}

#[test]
fn the_limit_is_on_what_is_delivered() {
    assert_eq!(read(vec![b'a'; 99], 99).unwrap(), [b'a'; 99]);
    assert!(matches!(read(vec![b'a'; 100], 99), Err(InputError::TooLarge(_))));
    assert_eq!(read(gzip(&[b'a'; 99]), 99).unwrap(), [b'a'; 99]);
    assert!(matches!(read(gzip(&[b'a'; 100]), 99), Err(InputError::TooLarge(_))));
    // Empty members deliver nothing, however many there are.
    assert!(matches!(read(gzip(b"").repeat(9), 99), Err(InputError::TooLarge(_))));
}

#[test]
fn looking_ahead_reads_nothing() {
    let mut input = Input::new("x", &b"abcdef"[..], 9).unwrap();
    assert_eq!(input.head(2), b"ab");
    assert_eq!(input.head(4), b"abcd");
    let mut byte = [0; 1];
    input.read_exact(&mut byte).unwrap();
    assert_eq!((byte, input.head(2)), (*b"a", &b"bc"[..]));
    let mut rest = String::new();
    input.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "bcdef");
}

#[test]
fn a_failure_ahead_is_met_again() {
    let cut = gzip(b"content that is long enough to be cut");
    let cut = cut[..cut.len() - 6].to_vec();
    let mut input = Input::new("x", io::Cursor::new(cut), 99).unwrap();
    input.head(99);
    let error = input.read_to_end(&mut Vec::new()).unwrap_err();
    assert!(matches!(InputError::of("x", error), InputError::Unreadable { .. }));
}

/// However it is read, and whether it is compressed or not.
#[test]
fn contents_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, bytes: &[u8], ahead: usize| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let mut input = Input::open(&path, 1 << 20).unwrap();
        input.head(ahead);
        input.read_to_end(&mut Vec::new()).unwrap();
        drop(input);
        let named = |content: &Content| Path::new(&content.input) == path;
        let found: Vec<Content> = contents().into_iter().filter(named).collect();
        assert_eq!(found.len(), 1, "{name}");
        (found[0].bytes, found[0].crc32)
    };
    // The check value of CRC-32 as gzip has it.
    assert_eq!(of("check", b"123456789", 4), (9, 0xcbf4_3926));
    let text = b"0123456789abcdef".repeat(9999);
    let whole = of("whole", &text, 0);
    assert_eq!(of("ahead", &text, 70_000), whole);
    assert_eq!(of("zip", &gzip(&text), 5), whole);
    let mut changed = text.clone();
    changed[77_777] ^= 1;
    assert_ne!(of("changed", &changed, 5), whole);
    let path = folder.path().join("other");
    fs::write(&path, "text").unwrap();
    Input::unrecorded(&path, 9).unwrap().read_to_end(&mut Vec::new()).unwrap();
    assert!(contents().iter().all(|content| Path::new(&content.input) != path));
}

#[test]
fn what_a_file_names_is_a_regular_file_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "text").unwrap();
    fs::create_dir(folder.path().join("b")).unwrap();
    let mut evidence = Input::beside(folder.path(), "a", 9).unwrap();
    evidence.read_to_end(&mut Vec::new()).unwrap();
    drop(evidence);
    let is_own = |content: &Content| Path::new(&content.input).starts_with(folder.path());
    assert!(!contents().iter().any(is_own));
    for name in ["b", "../a", "none", "/dev/null", "a\\b"] {
        assert!(Input::beside(folder.path(), name, 9).is_err(), "{name}");
    }
}
