//! Certificates as text in memory.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use super::super::{Certificate, ReadError, read};
use super::write;

/// The text that [`write`](fn@super::write) writes. It can be read again where the certificate [`fits`](super::fits())
/// the format.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::certificate::Certificate;
/// let text = "routebound-certificate 1\ntopology ft(4,2)\nclaim optu 1 1\ndemand 0 2 1\n\
///     route even\nlength 0 1\nend\n";
/// let certificate: Certificate = format!("# A comment.\n{text}").parse()?;
/// assert_eq!(certificate.to_string(), text);
/// assert!("routebound-certificate 9\n".parse::<Certificate>().is_err());
/// # Ok::<(), routebound::certificate::ReadError>(())
/// ```
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, &mut Characters(f)).map_err(|_| fmt::Error)
    }
}

/// As [`read`].
impl FromStr for Certificate {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        read(text.as_bytes())
    }
}

/// Passes on what arrives as bytes. [`write`] writes whole strings.
struct Characters<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Characters<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
