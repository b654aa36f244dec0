//! What certificates say of the files that they are about.

use std::fs::File;
use std::io;

use anyhow::Result;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::certificate::{Certificate, write_commented};
use crate::input::{Content, contents};

/// Writes a certificate with the names of all files that this run has read, and what `sha256sum` prints of them.
///
/// # Errors
/// Those of `out`, and where a file cannot be read again.
pub fn write(certificate: &Certificate, out: &mut dyn io::Write) -> Result<()> {
    let comments = contents().par_iter().map(comment).collect::<Result<Vec<_>>>()?;
    Ok(write_commented(certificate, &comments, out)?)
}

fn comment(content: &Content) -> Result<String> {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let name: String = content.input.chars().map(clean).collect();
    // A pipe cannot be read again, and its name says nothing about what it held.
    if !std::fs::metadata(&content.input).is_ok_and(|found| found.is_file()) {
        return Ok(format!("input {name}: {} bytes, crc32 {:08x}", content.bytes, content.crc32));
    }
    let mut digest = Sha256::new();
    io::copy(&mut File::open(&content.input)?, &mut digest)?;
    Ok(format!("input {name}: sha256 {:x}", digest.finalize()))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn files_have_their_digest_and_pipes_their_length() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"abc").unwrap();
        let input = file.path().display().to_string();
        let said = comment(&Content { input: input.clone(), bytes: 3, crc32: 1 }).unwrap();
        assert_eq!(
            said,
            format!(
                "input {input}: sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            )
        );
        let pipe = Content { input: "a\nend".into(), bytes: 3, crc32: 1 };
        assert_eq!(comment(&pipe).unwrap(), "input a?end: 3 bytes, crc32 00000001");
    }
}
