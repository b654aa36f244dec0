//! Reading certificates, with a typed reason and the line for every refusal.

use std::io::{self, BufRead, Read};
use std::str::FromStr;

use super::{
    Certificate, Claim, Cover, Embedded, InstanceForm, MAGIC, PathRecord, Quantity, Routes, VERSION,
};
use crate::bounds::Witness;
use crate::limit::TooLarge;
use crate::ratio::{Ratio, RatioError};
use crate::topology::Host;
use crate::traffic::Demand;

/// Longest certificate that is read, uncompressed.
pub const MAX_BYTES: u64 = 1 << 32;

/// Longest line that is read.
const MAX_LINE: u64 = 1 << 24;

/// Why a text is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read the certificate: {0}")]
    Io(#[from] io::Error),
    /// Larger than [`MAX_BYTES`], or a line of more than 16 MiB.
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    /// The first line is not that of a certificate.
    #[error("not a certificate: the first line must be `{MAGIC} {VERSION}`, found `{0}`")]
    NotACertificate(String),
    /// Another version.
    #[error("certificate version {0} is not supported: this is version {VERSION}")]
    Version(String),
    /// The file ends before its `end` line.
    #[error("the certificate is truncated after line {0}: no `end` line")]
    Truncated(u64),
    /// Something follows the `end` line.
    #[error("line {0}: text after `end`")]
    TrailingText(u64),
    /// A record where the grammar wants another.
    #[error("line {line}: found `{found}`, expected {expected}")]
    Unexpected {
        /// Line, from 1.
        line: u64,
        /// First word of the line.
        found: String,
        /// What the grammar accepts there.
        expected: &'static str,
    },
    /// A record with too few or too many words.
    #[error("line {line}: `{record}` has the wrong number of words")]
    WordCount {
        /// Line, from 1.
        line: u64,
        /// First word of the record.
        record: String,
    },
    /// An integer that is malformed or overflows 32 bits.
    #[error("line {line}: `{found}` is not an integer below 2^32")]
    Integer {
        /// Line, from 1.
        line: u64,
        /// The word.
        found: String,
    },
    /// A rational that is malformed or too long.
    #[error("line {line}: {source}")]
    Rational {
        /// Line, from 1.
        line: u64,
        /// What is wrong with it.
        source: RatioError,
    },
}

/// Reads a certificate. Memory is proportional to what the text holds.
///
/// # Errors
/// [`ReadError`] with the line.
///
/// ```
/// use routebound::certificate::{ReadError, read};
/// assert!(matches!(read(&b"routebound-certificate 9\n"[..]), Err(ReadError::Version(_))));
/// assert!(matches!(read(&b"routebound-certificate 1\n"[..]), Err(ReadError::Truncated(1))));
/// ```
pub fn read(reader: impl BufRead) -> Result<Certificate, ReadError> {
    let mut lines = Lines::new(reader);
    lines.header()?;
    let instance = lines.instance()?;
    let mut claims = Vec::new();
    while let Some([quantity, lower, upper]) = lines.record("claim")? {
        let known = Quantity::NAMES.iter().find(|(name, _)| *name == quantity);
        let Some((_, quantity)) = known else {
            return Err(lines.unexpected("oblivious-ratio or permutation-load"));
        };
        claims.push(Claim {
            quantity: *quantity,
            lower: lines.rational(&lower)?,
            upper: lines.rational(&upper)?,
        });
    }
    let witness = lines.witness()?;
    let mut covers = Vec::new();
    while let Some(words) = lines.words("cover")? {
        covers.push(lines.cover(&words)?);
    }
    lines.end()?;
    Ok(Certificate { instance, claims, witness, covers })
}

/// The lines of a certificate; `current` is the next record that nobody has taken.
struct Lines<R> {
    reader: io::Take<R>,
    number: u64,
    current: Option<String>,
}

impl<R: BufRead> Lines<R> {
    fn new(reader: R) -> Self {
        Self { reader: reader.take(MAX_BYTES), number: 0, current: None }
    }

    /// The next line that is no comment, without taking it; `None` at the end of the text.
    fn peek(&mut self) -> Result<Option<&str>, ReadError> {
        while self.current.is_none() {
            let mut line = Vec::new();
            let mut limited = (&mut self.reader).take(MAX_LINE);
            let length = limited.read_until(b'\n', &mut line)? as u64;
            if length == MAX_LINE || self.reader.limit() == 0 {
                return Err(self.too_large(length).into());
            }
            if length == 0 {
                return Ok(None);
            }
            self.number += 1;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                self.current = Some(line.to_string());
            }
        }
        Ok(self.current.as_deref())
    }

    fn too_large(&self, length: u64) -> TooLarge {
        TooLarge {
            what: format!("certificate (line {}), in bytes,", self.number + 1),
            size: format!("more than {}", MAX_LINE.min(length.max(MAX_BYTES))),
            limit: if length == MAX_LINE { MAX_LINE } else { MAX_BYTES },
            remedy: "is it a certificate at all?",
        }
    }

    fn header(&mut self) -> Result<(), ReadError> {
        let line = self.peek()?.unwrap_or_default().to_string();
        self.current = None;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [MAGIC, version] if version == VERSION.to_string() => Ok(()),
            [MAGIC, version] => Err(ReadError::Version(version.chars().take(20).collect())),
            _ => Err(ReadError::NotACertificate(line.chars().take(40).collect())),
        }
    }

    /// The words after `name` when the next record is called so.
    fn words(&mut self, name: &str) -> Result<Option<Vec<String>>, ReadError> {
        let Some(line) = self.peek()? else {
            return Err(ReadError::Truncated(self.number));
        };
        let mut words = line.split_whitespace().map(str::to_string);
        if words.next().as_deref() != Some(name) {
            return Ok(None);
        }
        let words = words.collect();
        self.current = None;
        Ok(Some(words))
    }

    fn record<const N: usize>(&mut self, name: &str) -> Result<Option<[String; N]>, ReadError> {
        let Some(words) = self.words(name)? else { return Ok(None) };
        let exact = <[String; N]>::try_from(words);
        exact.map(Some).map_err(|_| self.word_count(name))
    }

    fn wanted<const N: usize>(
        &mut self,
        name: &str,
        expected: &'static str,
    ) -> Result<[String; N], ReadError> {
        let record = self.record(name)?;
        record.ok_or_else(|| self.unexpected(expected))
    }

    fn word_count(&self, record: &str) -> ReadError {
        ReadError::WordCount { line: self.number, record: record.to_string() }
    }

    fn unexpected(&self, expected: &'static str) -> ReadError {
        let line = self.current.as_deref().unwrap_or_default();
        let found = line.split_whitespace().next().unwrap_or_default();
        let found = found.chars().take(40).collect();
        ReadError::Unexpected { line: self.number, found, expected }
    }

    fn integer<T: FromStr>(&self, word: &str) -> Result<T, ReadError> {
        let found = || word.chars().take(40).collect();
        word.parse().map_err(|_| ReadError::Integer { line: self.number, found: found() })
    }

    fn rational(&self, word: &str) -> Result<Ratio, ReadError> {
        word.parse().map_err(|source| ReadError::Rational { line: self.number, source })
    }

    fn instance(&mut self) -> Result<InstanceForm, ReadError> {
        if let Some(words) = self.words("topology")? {
            let Some(routing) = self.words("routing")? else {
                return Err(self.unexpected("a `routing` line"));
            };
            return Ok(InstanceForm::Named {
                topology: words.join(" "),
                routing: routing.join(" "),
            });
        }
        let [hosts] = self.wanted("hosts", "a `topology` or a `hosts` line")?;
        let hosts = self.integer::<u32>(&hosts)? as usize;
        let [nodes] = self.wanted("nodes", "a `nodes` line")?;
        let nodes = self.integer::<u32>(&nodes)? as usize;
        let mut links = Vec::new();
        while let Some([from, to, capacity]) = self.record("link")? {
            links.push((self.integer(&from)?, self.integer(&to)?, self.rational(&capacity)?));
        }
        Ok(InstanceForm::Embedded(Embedded { hosts, nodes, links, routes: self.routes()? }))
    }

    fn routes(&mut self) -> Result<Routes, ReadError> {
        let (mut rows, mut paths) = (Vec::new(), Vec::new());
        while let Some(words) = self.words("next")? {
            let [node, entries @ ..] = words.as_slice() else {
                return Err(self.word_count("next"));
            };
            let entry = |word: &String| match word.as_str() {
                "-" => Ok(None),
                link => self.integer(link).map(Some),
            };
            let entries = entries.iter().map(entry).collect::<Result<_, _>>()?;
            rows.push((self.integer(node)?, entries));
        }
        if !rows.is_empty() {
            return Ok(Routes::Next(rows));
        }
        while let Some(words) = self.words("path")? {
            let [s, d, share, links @ ..] = words.as_slice() else {
                return Err(self.word_count("path"));
            };
            let links = links.iter().map(|link| self.integer(link)).collect::<Result<_, _>>()?;
            let (s, d, share) = (self.integer(s)?, self.integer(d)?, self.rational(share)?);
            paths.push(PathRecord { s, d, share, links });
        }
        Ok(Routes::Paths(paths))
    }

    fn witness(&mut self) -> Result<Witness, ReadError> {
        let [link, optu] = self.wanted("witness", "a `claim` or the `witness` line")?;
        let (link, optu) = (self.integer(&link)?, self.rational(&optu)?);
        let mut demands = Vec::new();
        while let Some([s, d, amount]) = self.record("demand")? {
            let (s, d, amount) = (self.integer(&s)?, self.integer(&d)?, self.rational(&amount)?);
            demands.push(Demand { s, d, amount });
        }
        let [rule] = self.wanted("route", "a `demand` or the line `route even`")?;
        if rule != "even" {
            return Err(ReadError::Unexpected {
                line: self.number,
                found: rule,
                expected: "`even`",
            });
        }
        Ok(Witness { link, demands, optu })
    }

    fn cover(&self, words: &[String]) -> Result<Cover, ReadError> {
        let [link, words @ ..] = words else { return Err(self.word_count("cover")) };
        let middle = words.iter().position(|word| word == "d").unwrap_or(words.len());
        let (sources, destinations) = words.split_at(middle);
        Ok(Cover {
            link: self.integer(link)?,
            sources: self.weighted_hosts("s", sources)?,
            destinations: self.weighted_hosts("d", destinations)?,
        })
    }

    /// Nothing, or `side` and at least one host.
    fn weighted_hosts(
        &self,
        side: &str,
        words: &[String],
    ) -> Result<Vec<(Host, Ratio)>, ReadError> {
        let hosts = match words {
            [] => return Ok(Vec::new()),
            [name, hosts @ ..] if name == side && !hosts.is_empty() => hosts,
            _ => return Err(self.word_count("cover")),
        };
        let weighted = hosts.iter().map(|word| {
            let (host, weight) = word.split_once(':').unwrap_or((word, "1"));
            Ok((self.integer(host)?, self.rational(weight)?))
        });
        weighted.collect()
    }

    fn end(&mut self) -> Result<(), ReadError> {
        let [] = self.wanted("end", "a `cover` or the `end` line")?;
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(ReadError::TrailingText(self.number)),
        }
    }
}
