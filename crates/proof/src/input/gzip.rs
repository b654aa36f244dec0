//! Gzip-compressed inputs.

use std::io::{self, BufRead, Read};

/// First two bytes of gzip-compressed data (RFC 1952, 2.3.1).
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The data, decompressed if it is compressed.
pub(super) fn decompressed(mut raw: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    if raw.fill_buf()?.starts_with(&MAGIC) {
        Ok(Box::new(flate2::bufread::MultiGzDecoder::new(raw)))
    } else {
        Ok(Box::new(raw))
    }
}
