//! What XML forbids but quick-xml accepts: in the declaration, and among the characters.

use crate::quote::quote;

/// Checks a declaration, without its `<?` and `?>`: it has a version, then optionally an encoding,
/// then optionally `standalone`, and nothing else (XML 1.0, \[23\] to \[32\] and \[80\], \[81\]).
pub(super) fn declaration(text: &str) -> Result<(), String> {
    let mut rest = text.strip_prefix("xml").unwrap_or(text);
    let mut names = ["version", "encoding", "standalone"].into_iter();
    let bad = || format!("`{}` is not an XML declaration", quote(text));
    let mut has_version = false;
    while !rest.trim_start().is_empty() {
        if !rest.starts_with(|c: char| c.is_ascii_whitespace()) {
            return Err(bad());
        }
        let (name, value) = rest.split_once('=').ok_or_else(bad)?;
        let value = value.trim_start();
        let mark = value.chars().next().filter(|mark| "\"'".contains(*mark)).ok_or_else(bad)?;
        let (value, behind) = value[1..].split_once(mark).ok_or_else(bad)?;
        let known = names.find(|known| *known == name.trim()).ok_or_else(bad)?;
        if !is_value(known, value) {
            return Err(bad());
        }
        has_version |= known == "version";
        rest = behind;
    }
    if has_version { Ok(()) } else { Err(bad()) }
}

fn is_value(name: &str, value: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    match name {
        "version" => {
            let minor = value.strip_prefix("1.").unwrap_or("");
            !minor.is_empty() && minor.bytes().all(|digit| digit.is_ascii_digit())
        }
        "encoding" => {
            value.starts_with(|c: char| c.is_ascii_alphabetic()) && value.chars().all(inner)
        }
        _ => ["yes", "no"].contains(&value),
    }
}

/// Whether a character may occur in a document, literally or as a reference (XML 1.0, \[2\]).
pub(super) fn is_character(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\t') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
}

/// A message about the first character of a text that may not occur in a document.
pub(super) fn forbidden_character(text: &str) -> Option<String> {
    let found = text.chars().find(|c| !is_character(*c))?;
    Some(format!("the character {} is not allowed in XML", found.escape_unicode()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        for good in [
            "xml version=\"1.0\"",
            "xml version = '1.1' encoding='ISO-8859-1'",
            "xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\" ",
            "xml version=\"1.0\" standalone='yes'",
        ] {
            assert_eq!(declaration(good), Ok(()), "{good}");
        }
        for bad in [
            "xml",
            "xml garbage",
            "xml version=\"1.0\" garbage",
            "xml version=\"1.0\"garbage=\"1\"",
            "xml version=\"1.0\"encoding=\"UTF-8\"",
            "xml version=\"2.0\"",
            "xml version=\"1.x\"",
            "xml version=1.0",
            "xml encoding=\"UTF-8\"",
            "xml encoding=\"UTF-8\" version=\"1.0\"",
            "xml version=\"1.0\" version=\"1.0\"",
            "xml version=\"1.0\" encoding=\"8\"",
            "xml version=\"1.0\" standalone=\"maybe\"",
        ] {
            assert!(declaration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn characters() {
        assert!("a\n\t\r\u{7f}\u{e9}\u{1f600}".chars().all(is_character));
        assert!(!"\0\u{1}\u{8}\u{b}\u{1b}\u{ffff}".chars().any(is_character));
    }
}
