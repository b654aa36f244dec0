//! Gzip-compressed inputs, which a build without the feature `gzip` only recognises.

use std::io::{self, BufRead, Read};

/// First two bytes of gzip-compressed data (RFC 1952, 2.3.1).
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The data, decompressed if it is compressed.
pub(super) fn decompressed(mut raw: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
    if !raw.fill_buf()?.starts_with(&MAGIC) {
        return Ok(Box::new(raw));
    }
    #[cfg(feature = "gzip")]
    {
        Ok(Box::new(flate2::bufread::MultiGzDecoder::new(raw)))
    }
    #[cfg(not(feature = "gzip"))]
    {
        let why = "it is gzip-compressed, which this build does not read: decompress it first";
        Err(io::Error::other(why))
    }
}

/// Records nothing of what is read.
#[cfg(not(feature = "gzip"))]
pub(super) struct Reading;

#[cfg(not(feature = "gzip"))]
impl Reading {
    pub(super) fn of(_: &str) -> Self {
        Self
    }

    pub(super) fn take(&self, _: &[u8]) {
        let Self = self;
    }
}
