//! The grammar of specs: `ft(16,3)`, `xgft(2;16,16;1,10)`, `random(seed=7)`, `lft:FILE`.
//!
//! ```text
//! spec   = name [ "(" [ group { ";" group } ] ")" ] [ ":" path ]  |  name ":" group { ";" group }
//! group  = item { "," item }
//! item   = integer | key "=" value
//! value  = text without ( ) , ; = " :  |  "\"" text "\""
//! name   = letters, digits, "-" and "_";  case does not matter before a path, nor do blanks beside separators
//! ```
//!
//! The path is taken verbatim, and so is a value in quotation marks, which may also be a path. `ft:8,3` means
//! `ft(8,3)` without the parentheses that a shell wants quoted; after the names in [`PATHS`] a path follows.
//! [`Spec`] prints back in one canonical form: lower case, no spaces, integers group by group, then
//! the options in the order given, quoted only where they must be; integers, also those that are
//! values, without leading zeros. Certificates have this form alone.

mod read;
mod usage;

pub use read::{Positive, Seeded};
pub use usage::keys;

use std::fmt::{self, Write as _};
use std::path::{MAIN_SEPARATOR, Path};

use winnow::ascii::digit1;
use winnow::combinator::{
    alt, cut_err, delimited, eof, opt, separated, separated_pair, terminated,
};
use winnow::token::take_while;
use winnow::{ModalResult, Parser};

use crate::quote::{Quoted, quote};

/// Longest spec that is accepted, in bytes.
pub const MAX_LENGTH: usize = 8192;

/// Names after whose colon a path follows, never arguments.
pub const PATHS: &[&str] = &["by-plane", "far", "file", "goal", "lft", "table", "trace"];

/// What the grammar wants where nothing more is known.
const A_NAME: &str = "expected a name such as ft(8,3), xgft(2;8,8;1,4) or random(seed=7)";
const A_PARENTHESIS: &str = "`)` is missing";
const NO_BLANK: &str = "blanks may stand beside ( ) , ; and =, not within a word or number";

/// A parsed spec.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::spec::Spec;
/// let spec = Spec::parse("XGFT( 2; 16,16; 1,10 )")?;
/// assert_eq!(spec.to_string(), "xgft(2;16,16;1,10)");
/// assert_eq!(spec.groups, [vec![2], vec![16, 16], vec![1, 10]]);
/// # Ok::<(), routebound::spec::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Lower-case name of the family.
    pub name: String,
    /// Integers, group by group.
    pub groups: Vec<Vec<u64>>,
    /// `key=value` options in the order given.
    pub options: Vec<(String, String)>,
    /// The text after the colon of `name:path`.
    pub path: Option<String>,
    /// The form of specs of its kind, once that is [known](Self::checked).
    pub usage: &'static str,
}

/// Why a text is not a spec, or a spec does not fit its family.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SpecError {
    #[error("cannot read `{text}` at column {column}: {expected}")]
    Malformed {
        /// The text, shortened.
        text: String,
        /// First column (from 1) that does not fit.
        column: usize,
        /// What is missing or wrong there.
        expected: String,
    },
    #[error("`{0}` looks like a file, but a name such as ft(8,3) is expected here")]
    File(Quoted),
    #[error("`{spec}`: {problem}; usage: {usage}")]
    BadArguments {
        /// The spec in canonical form.
        spec: Quoted,
        problem: String,
        usage: &'static str,
    },
}

impl SpecError {
    /// The error of a text that names a kind of this usage, which it shows in place of other specs.
    #[must_use]
    pub fn expecting(self, usage: &'static str) -> Self {
        match self {
            Self::Malformed { text, column, expected } if expected == A_NAME => {
                Self::Malformed { text, column, expected: format!("expected {usage}") }
            }
            other => other,
        }
    }
}

enum Item {
    Number(u64),
    Option(String, String),
}

/// The name, and the items of every group.
type Head = (String, Vec<Vec<Item>>);

impl Spec {
    /// Reads a spec.
    ///
    /// # Errors
    /// [`SpecError::Malformed`] with the column when the grammar does not accept it.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let malformed = |column, expected: &str| {
            let (text, expected) = (quote(text), expected.to_string());
            SpecError::Malformed { text, column, expected }
        };
        if text.len() > MAX_LENGTH {
            return Err(malformed(MAX_LENGTH, A_NAME));
        }
        let (head, path) = match split(text) {
            Some((head, path)) if !path.is_empty() => (head, Some(path)),
            _ => (text, None),
        };
        let whole = path.and_then(|path| without_parentheses(head, path));
        if let Some(Ok(whole)) = whole.as_deref().map(read) {
            return Ok(Self::of(whole, None));
        }
        match read(head) {
            Ok(head) => Ok(Self::of(head, path.map(str::to_string))),
            Err(_) if looks_like_path(text) => Err(SpecError::File(text.into())),
            Err((column, expected)) => Err(malformed(column, expected)),
        }
    }

    fn of((name, items): Head, path: Option<String>) -> Self {
        let (groups, options) = (Vec::new(), Vec::new());
        let mut spec = Self { name, groups, options, path, usage: "" };
        for group in items {
            spec.add_group(group);
        }
        spec
    }

    fn add_group(&mut self, items: Vec<Item>) {
        let mut numbers = Vec::new();
        for item in items {
            match item {
                Item::Number(number) => numbers.push(number),
                Item::Option(key, value) => self.options.push((key, value)),
            }
        }
        if !numbers.is_empty() {
            self.groups.push(numbers);
        }
    }

    /// The value of option `key`.
    #[must_use]
    pub fn option(&self, key: &str) -> Option<&str> {
        let found = self.options.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Sets option `key` unless the spec already has it.
    pub fn set_default(&mut self, key: &str, value: &str) {
        if self.option(key).is_none() {
            self.options.push((key.to_string(), value.to_string()));
        }
    }

    /// The path of a spec that must name a file or folder.
    ///
    /// # Errors
    /// [`SpecError::BadArguments`] where there is none.
    pub fn file(&self) -> Result<&str, SpecError> {
        let missing = || self.refused("a file or folder is missing");
        self.path.as_deref().ok_or_else(missing)
    }

    /// The error that this spec, of a [known usage](Self::checked), is wrong.
    #[must_use]
    pub fn refused(&self, problem: impl Into<String>) -> SpecError {
        let spec = self.to_string().into();
        SpecError::BadArguments { spec, problem: problem.into(), usage: self.usage }
    }
}

/// The parts before and after the first colon outside quotation marks.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let colon = text.find(|c| {
        quoted ^= c == '"';
        c == ':' && !quoted
    })?;
    Some((&text[..colon], &text[colon + 1..]))
}

/// `name(arguments)` for `name:arguments`, in which every character keeps its column.
fn without_parentheses(head: &str, arguments: &str) -> Option<String> {
    let name = head.trim().to_lowercase();
    (!head.contains('(') && !PATHS.contains(&name.as_str())).then(|| format!("{head}({arguments})"))
}

/// Whether a text that is not a spec was meant as the path of a file: its first word has a dot or a slash.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::spec::looks_like_path;
/// assert!(looks_like_path("fabric.gml") && looks_like_path("dumps/fabric"));
/// assert!(!looks_like_path("ft(8,3") && !looks_like_path("lft:fabric.dump"));
/// ```
#[must_use]
pub fn looks_like_path(text: &str) -> bool {
    let word = text.split(SEPARATORS).next().unwrap_or_default();
    word.contains(['.', '/', MAIN_SEPARATOR])
}

/// The file whose name the commas between `parts` belong to, where there is such a file; what precedes a colon is not
/// part of its name.
#[must_use]
pub fn file_with_commas(parts: &[&str]) -> Option<String> {
    let several = |first: usize| (first + 2..=parts.len()).map(move |end| first..end);
    let texts = (0..parts.len()).flat_map(several).map(|some| parts[some].join(","));
    let name =
        |text: String| text.split_once(':').map_or(text.clone(), |(_, path)| path.to_string());
    texts.map(name).find(|path| Path::new(path).exists())
}

const SEPARATORS: [char; 7] = ['(', ')', ',', ';', '=', '"', ':'];

/// Name and arguments of a text without a path, or the column at which it cannot be read, and what is wrong there.
fn read(head: &str) -> Result<Head, (usize, &'static str)> {
    let (input, columns) = compact(head).map_err(|column| (column, NO_BLANK))?;
    terminated(head_parser, eof).parse(input.as_str()).map_err(|error| {
        let is_unfinished =
            error.offset() == input.len() && input.contains('(') && !input.ends_with(SEPARATORS);
        let end = columns.last().map_or(1, |last| last + 1);
        let column = columns.get(error.offset()).copied().unwrap_or(end);
        (column, if is_unfinished { A_PARENTHESIS } else { A_NAME })
    })
}

/// The text in lower case and without the blanks beside separators, outside quotation marks, and the column of
/// every byte; or that of a blank elsewhere.
fn compact(head: &str) -> Result<(String, Vec<usize>), usize> {
    let (mut text, mut columns) = (String::new(), Vec::new());
    let (mut blank, mut is_quoted) = (None, false);
    for (column, c) in (1..).zip(head.chars()) {
        if c.is_whitespace() && !is_quoted {
            blank = blank.or(Some(column));
            continue;
        }
        let is_inside = !text.is_empty() && !text.ends_with(SEPARATORS) && !SEPARATORS.contains(&c);
        if let Some(blank) = blank.take().filter(|_| is_inside) {
            return Err(blank);
        }
        is_quoted ^= c == '"';
        if is_quoted {
            text.push(c);
        } else {
            text.extend(c.to_lowercase());
        }
        columns.resize(text.len(), column);
    }
    Ok((text, columns))
}

/// A value without quotation marks: an integer without leading zeros, other text as it is.
fn bare(value: &str) -> &str {
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value;
    }
    let zeros = value.bytes().take_while(|byte| *byte == b'0').count();
    &value[zeros.min(value.len().saturating_sub(1))..]
}

fn head_parser(input: &mut &str) -> ModalResult<Head> {
    let groups = separated(0.., group, ';');
    let (name, items) = (name, opt(delimited('(', groups, cut_err(')')))).parse_next(input)?;
    Ok((name, items.unwrap_or_default()))
}

fn name(input: &mut &str) -> ModalResult<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    take_while(1.., word).map(str::to_string).parse_next(input)
}

fn group(input: &mut &str) -> ModalResult<Vec<Item>> {
    separated(1.., item, ',').parse_next(input)
}

/// Characters that a value may contain without quotation marks.
fn plain(c: char) -> bool {
    !SEPARATORS.contains(&c)
}

fn item(input: &mut &str) -> ModalResult<Item> {
    let quoted = delimited('"', take_while(1.., |c| c != '"'), '"');
    let value = alt((quoted, take_while(1.., plain).map(bare))).map(str::to_string);
    let option = separated_pair(name, '=', value).map(|(key, value)| Item::Option(key, value));
    let number = digit1.try_map(str::parse).map(Item::Number);
    alt((option, number)).parse_next(input)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: Vec<String> = Vec::new();
        for group in &self.groups {
            let numbers: Vec<String> = group.iter().map(u64::to_string).collect();
            groups.push(numbers.join(","));
        }
        let mut inside = groups.join(";");
        for (key, value) in &self.options {
            if !inside.is_empty() {
                inside.push(',');
            }
            let is_plain = value.chars().all(|c| plain(c) && !c.is_whitespace());
            let needs_none = is_plain && value == bare(&value.to_lowercase());
            let mark = if needs_none { "" } else { "\"" };
            write!(inside, "{key}={mark}{value}{mark}")?;
        }
        f.write_str(&self.name)?;
        if !inside.is_empty() {
            write!(f, "({inside})")?;
        }
        self.path.as_ref().map_or(Ok(()), |path| write!(f, ":{path}"))
    }
}

#[cfg(test)]
mod tests;
