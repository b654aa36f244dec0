//! Files that are too large or not text end with an error at once, not by exhausting memory.

use std::error::Error;

use routebound::import::{ImportError, ImportOptions, tables};
use routebound::input::InputError;
use routebound::limit::TooLarge;
use routebound::routing;

use super::{import, import_with, root, temporary};
use crate::files::gzip;

/// Whether the chain of an error's sources contains the error that leads to exit code 3.
fn is_too_large(error: &(dyn Error + 'static)) -> bool {
    error.is::<TooLarge>() || error.source().is_some_and(is_too_large)
}

fn refusal(content: impl AsRef<[u8]>) -> ImportError {
    import_with(content, &ImportOptions::default()).unwrap_err()
}

#[test]
fn compressed_files_of_several_members() {
    let path = root().join("instances/fabrics/ft4x2/netlist.ibsim");
    let text = std::fs::read(path).unwrap();
    let (first, second) = text.split_at(text.len() / 2);
    let both = [gzip(first), gzip(second)].concat();
    let unit = ImportOptions { unit_capacity: true, ..ImportOptions::default() };
    assert_eq!(import_with(&both, &unit).unwrap().hosts(), 8);
    // The first member is whole, the second is not.
    let error = import_with(&both[..both.len() - 20], &unit).unwrap_err();
    assert!(matches!(error, ImportError::Input(InputError::Unreadable { .. })), "{error}");
    let mut flipped = both.clone();
    flipped[both.len() / 4] ^= 0x55;
    assert!(import_with(&flipped, &unit).is_err());
}

/// By default `networks::damaged` has the limit of files that are read as a whole, a quarter of this one.
#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "a gigabyte is decompressed")]
fn decompressed_size_is_limited() {
    // 65 members of 16 MiB are above 1 GiB; 16 MiB of comments compress to some 70 KB.
    let line = format!("#{}\n", " ".repeat((1 << 15) - 2));
    let member = gzip(line.repeat(512).as_bytes());
    let start = gzip(b"# Topology file: bomb\n");
    let bomb = [start, member.repeat(65)].concat();
    assert!(bomb.len() < 1 << 24);
    let error = refusal(bomb);
    assert!(is_too_large(&error), "{error}");
    assert!(error.to_string().contains("above the limit of 1073741824"), "{error}");
}

#[test]
fn lines_are_limited() {
    let line = |length: usize| format!("# Topology file:\n#{}\n", "x".repeat(length - 1));
    let error = refusal(line((1 << 16) + 1));
    assert!(is_too_large(&error), "{error}");
    assert!(error.to_string().contains("line 2 of "), "{error}");
    // The longest line is read, with either end.
    assert!(!is_too_large(&refusal(line(1 << 16))));
    assert!(!is_too_large(&refusal(line(1 << 16).replace('\n', "\r\n"))));
    // Nor are endless lines: 80 MiB of empty ones, which take seconds, are in the full tier.
    if cfg!(feature = "slow-tests") {
        let empty = [gzip(b"# Topology file:\n"), gzip(&vec![b'\n'; 1 << 24]).repeat(5)].concat();
        assert!(refusal(empty).to_string().contains("number of lines"));
    }
    // An endless line is not read to its end.
    let endless = [gzip(b"# Topology file:\n"), gzip(&vec![b'x'; 1 << 24]).repeat(65)].concat();
    assert!(is_too_large(&refusal(endless)));
}

#[test]
fn tables_and_routings_keep_the_limit() {
    let head = "Unicast lids [0-9] of switch Lid 9 guid 0x9 ('x'):\n";
    let (_file, path) = temporary(head.to_string() + &"#".repeat(1 << 17));
    assert!(is_too_large(&tables(&path).unwrap_err()));
    let fabric = root().join("instances/fabrics/ft8x3/ftree/ibnetdiscover.out.gz");
    let error = routing::build(&format!("lft:{path}"), &import(fabric.to_str().unwrap()));
    assert!(is_too_large(&error.err().unwrap()));
}

#[test]
fn garbage() {
    for content in
        [&b"\0\0\0"[..], b"\x7fELF\x02\x01", b"\xff\xfe", b"\x1f\x8b", b"\x1f\x8b\x08junk"]
    {
        let error = refusal(content);
        assert!(!error.to_string().is_empty());
        assert!(!is_too_large(&error), "{error}");
    }
    // A disk image that begins like a fabric.
    let image = [&b"# Topology file:\n"[..], &[0; 4096]].concat();
    assert!(refusal(image).to_string().contains("line 2: binary data"));
}

#[cfg(unix)]
#[test]
fn endless_devices_are_not_read_to_their_end() {
    let error = routebound::import::topology("/dev/zero", &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("not a known format"), "{error}");
}
