//! Compressed inputs: those of gzip are decompressed, others refused by name, as is text that is not UTF-8.

use std::io::{self, BufRead, Read};

/// First two bytes of gzip-compressed data (RFC 1952, 2.3.1).
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// First bytes of data that is not read, its name, and what to do.
const OTHER: &[(&[u8], &str)] = &[
    (b"\xfd7zXZ\0", "it is compressed by xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd: unpack it first"),
    (b"BZh91AY&SY", "it is compressed by bzip2: unpack it first"),
    (b"PK\x03\x04", "it is a zip archive: unpack it first"),
    (b"\xff\xfe", "it is text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "it is text in UTF-16: save it as UTF-8"),
];

/// The data, decompressed if it is compressed.
pub(super) fn decompressed(mut raw: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    let begin = raw.fill_buf()?;
    if let Some((_, remedy)) = OTHER.iter().find(|(magic, _)| begin.starts_with(magic)) {
        return Err(io::Error::other(*remedy));
    }
    if raw.fill_buf()?.starts_with(&MAGIC) {
        Ok(Box::new(flate2::bufread::MultiGzDecoder::new(raw)))
    } else {
        Ok(Box::new(raw))
    }
}
