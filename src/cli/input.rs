//! Where certificates come from: a file or stdin, plain or gzip-compressed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use flate2::bufread::MultiGzDecoder;

/// First two bytes of gzip-compressed data (RFC 1952, 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Opens `path`, `-` being stdin, and decompresses it if it is compressed.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let cannot = || format!("cannot read {}", path.display());
    let raw: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        let file = File::open(path).with_context(cannot)?;
        if file.metadata().with_context(cannot)?.is_dir() {
            bail!("cannot read {}: it is a folder, a file is wanted", path.display());
        }
        Box::new(file)
    };
    let mut reader = BufReader::new(raw);
    let compressed = reader.fill_buf().with_context(cannot)?.starts_with(&GZIP);
    Ok(if compressed {
        Box::new(BufReader::new(MultiGzDecoder::new(reader)))
    } else {
        Box::new(reader)
    })
}
