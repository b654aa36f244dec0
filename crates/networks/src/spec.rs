//! The grammar of specs: `ft(16,3)`, `xgft(2;16,16;1,10)`, `random(seed=7)`, `lft:FILE`.
//!
//! ```text
//! spec   = name [ "(" [ group { ";" group } ] ")" ] [ ":" path ]
//! group  = item { "," item }
//! item   = integer | key "=" value
//! value  = text without ( ) , ; = " :  |  "\"" text "\""
//! name   = letters, digits, "-" and "_";  case and spaces do not matter before ":"
//! ```
//!
//! The path is taken verbatim, and so is a value in quotation marks, which may also be a path.
//! [`Spec`] prints back in one canonical form: lower case, no spaces, integers group by group, then
//! the options in the order given, quoted only where they must be; integers, also those that are
//! values, without leading zeros. Certificates have this form alone.

mod read;
mod usage;

pub use read::{Positive, Seeded};
pub use usage::keys;

use std::fmt::{self, Write as _};

use winnow::ascii::digit1;
use winnow::combinator::{
    alt, cut_err, delimited, eof, opt, separated, separated_pair, terminated,
};
use winnow::token::take_while;
use winnow::{ModalResult, Parser};

use crate::quote::{Quoted, quote};

/// Longest spec that is accepted, in bytes.
pub const MAX_LENGTH: usize = 8192;

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
    /// How specs of its kind are written, once that is [known](Self::checked).
    pub usage: &'static str,
}

/// Why a text is not a spec, or a spec does not fit its family.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum SpecError {
    #[error(
        "cannot read `{text}` at column {column}: expected a name such as ft(8,3), xgft(2;8,8;1,4) or random(seed=7)"
    )]
    Malformed {
        /// The text, shortened.
        text: String,
        /// First column (from 1) that does not fit, spaces removed.
        column: usize,
    },
    #[error("`{spec}`: {problem}; usage: {usage}")]
    BadArguments {
        /// The spec in canonical form.
        spec: Quoted,
        problem: String,
        usage: &'static str,
    },
}

enum Item {
    Number(u64),
    Option(String, String),
}

impl Spec {
    /// Reads a spec.
    ///
    /// # Errors
    /// [`SpecError::Malformed`] with the column when the grammar does not accept it.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let (head, path) = match split(text) {
            Some((head, path)) if !path.is_empty() => (head, Some(path)),
            _ => (text, None),
        };
        let malformed = |column| SpecError::Malformed { text: quote(text), column };
        if text.len() > MAX_LENGTH {
            return Err(malformed(MAX_LENGTH));
        }
        let input = compact(head);
        let (name, items) = terminated(head_parser, eof)
            .parse(input.as_str())
            .map_err(|error| malformed(error.offset() + 1))?;
        let (groups, options, path) = (Vec::new(), Vec::new(), path.map(str::to_string));
        let mut spec = Self { name, groups, options, path, usage: "" };
        for group in items {
            spec.add_group(group);
        }
        Ok(spec)
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

/// Lower case and without spaces, outside quotation marks.
fn compact(head: &str) -> String {
    let parts = head.split('"').enumerate().map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().collect::<String>().to_lowercase(),
        _ => part.to_string(),
    });
    parts.collect::<Vec<_>>().join("\"")
}

/// A value without quotation marks: an integer without leading zeros, other text as it is.
fn bare(value: &str) -> &str {
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value;
    }
    let zeros = value.bytes().take_while(|byte| *byte == b'0').count();
    &value[zeros.min(value.len().saturating_sub(1))..]
}

fn head_parser(input: &mut &str) -> ModalResult<(String, Vec<Vec<Item>>)> {
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
    !"(),;=\":".contains(c)
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
            let needs_none = value.chars().all(plain) && value == bare(&compact(value));
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
mod tests {
    use super::*;

    #[test]
    fn canonical_form_is_a_fixed_point() {
        for (text, canonical) in [
            ("FT(16, 3)", "ft(16,3)"),
            ("dmodk", "dmodk"),
            ("random( Seed = 7 )", "random(seed=7)"),
            ("cg(0128,Phase=007,seed=000)", "cg(128,phase=7,seed=0)"),
            ("lft(lid=\"007\",x=\"7\"):x", "lft(lid=\"007\",x=7):x"),
            ("lft:/A b/C.dump", "lft:/A b/C.dump"),
            ("lft(lid=all):x", "lft(lid=all):x"),
            ("LFT(LID=\"A: b,(C)\") : x", "lft(lid=\"A: b,(C)\"): x"),
            ("lft(lid=\"all\"):x:y", "lft(lid=all):x:y"),
            ("cg(128,phase=5)", "cg(128,phase=5)"),
        ] {
            let spec = Spec::parse(text).unwrap();
            assert_eq!(spec.to_string(), canonical);
            assert_eq!(Spec::parse(canonical).unwrap(), spec);
        }
    }

    #[test]
    fn names_the_column() {
        for (text, at) in [
            ("", 1),
            ("ft(", 4),
            ("ft(8,3", 7),
            ("ft(8,)", 5),
            ("ft(8,-3)", 5),
            ("ft(8,3)x", 8),
            ("a(b=\"c)", 3),
            ("a(b=\"\")", 3),
        ] {
            match Spec::parse(text) {
                Err(SpecError::Malformed { column, .. }) => assert_eq!(column, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn refuses_wrong_arguments() {
        let usage = "a(m,n,k=1,x=all|none,p=(1+q),s=S) or a(m)";
        let check = |text: &str| Spec::parse(text).unwrap().checked(usage);
        assert!(check("a(8,3,x=none,k=2,s=1)").is_ok() && check("a(8)").is_ok());
        for (text, problem) in [
            ("a(8,3,4)", "3 numbers given, 2 or 1 wanted"),
            ("a", "0 numbers given, 2 or 1 wanted"),
            ("a(8;3)", "too many `;` groups"),
            ("a(8,k=2)", "unknown option `k`"),
            ("a(8,3,k=2,k=2)", "option `k` is given twice"),
            ("a(8):file", "it does not take `:` and a path"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(&format!(": {problem}; usage: a(m,n,")), "{error}");
        }
        let spec = check("a(8,3,k=02,p=7)").unwrap();
        assert_eq!(spec.complete().to_string(), "a(8,3,k=2,x=all,p=7)");
        assert_eq!(keys(spec.usage), ["k", "x", "p", "s"]);
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Options<'s> {
        m: std::num::NonZeroU32,
        k: u64,
        x: &'s str,
        p: Option<u64>,
    }

    #[test]
    fn reads_structs() {
        let usage = "a(m,k=1,x=all|none,p=(1+q),s=S)";
        let spec = |text: &str| Spec::parse(text).unwrap().checked(usage).unwrap();
        let m = |m| std::num::NonZeroU32::new(m).unwrap();
        let read = spec("a(8)");
        assert_eq!(read.read(), Ok(Options { m: m(8), k: 1, x: "all", p: None }));
        let read = spec("a(8,p=2,k=02,x=some)");
        assert_eq!(read.read(), Ok(Options { m: m(8), k: 2, x: "some", p: Some(2) }));
        for (text, problem) in [
            ("a(0)", "`m=0` must be at least 1"),
            ("a(4294967296)", "`m=4294967296` is too large"),
            ("a(1,k=+2)", "`k=+2` is not an integer below 2^64"),
            ("a(1,p=-2)", "`p=-2` is not an integer below 2^64"),
        ] {
            let error = spec(text).read::<Options>().unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
