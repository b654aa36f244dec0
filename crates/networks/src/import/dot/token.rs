//! The tokens of the DOT language.
//!
//! Written here because no crate fits: petgraph's `dot_parser` is under the GPL; graphviz-rust
//! and layout-rs parse into drawing models that no longer know where in the file a value was,
//! so a bad capacity could not be reported by line and column.

use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::token::{any, one_of, rest, take, take_till, take_until, take_while};
use winnow::{ModalResult, Parser};

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A bare word: a keyword or an id.
    Word(String),
    /// A quoted text.
    Quoted(String),
    /// A text of HTML, which only labels are.
    Html,
    /// `->` (true) or `--` (false).
    Edge(bool),
    /// One of `{}[];,=:`.
    Sign(char),
}

/// The next token, or `None` at the end. Fails on anything that is not a token.
pub(super) fn next(input: &mut &str) -> ModalResult<Option<Token>> {
    skip_blank(input)?;
    if input.is_empty() {
        return Ok(None);
    }
    // Ids and numbers; unquoted `1e9` is not a DOT number, but can mean nothing else.
    let in_word = |c: char| c.is_alphanumeric() || "_.".contains(c) || !c.is_ascii();
    let word = (opt('-'), take_while(1.., in_word)).take();
    let token = alt((
        "->".value(Token::Edge(true)),
        "--".value(Token::Edge(false)),
        one_of(['{', '}', '[', ']', ';', ',', '=', ':']).map(Token::Sign),
        word.map(|word: &str| Token::Word(word.into())),
        quoted,
        html,
    ));
    token.map(Some).parse_next(input)
}

/// Skips blanks, comments and preprocessor lines.
pub(super) fn skip_blank(input: &mut &str) -> ModalResult<()> {
    let line = |input: &mut &str| take_till(0.., '\n').void().parse_next(input);
    let blank = alt((
        take_while(1.., char::is_whitespace).void(),
        preceded("//", line),
        preceded('#', line),
        // An unterminated comment consumes the rest; the caller reports what is then missing.
        preceded("/*", alt(((take_until(0.., "*/"), "*/").void(), rest.void()))),
    ));
    repeat(0.., blank).parse_next(input)
}

/// A text of HTML, `<` to the `>` that belongs to it.
fn html(input: &mut &str) -> ModalResult<Token> {
    let mut open = 0_u64;
    let end = input.char_indices().find_map(|(at, c)| {
        open = match c {
            '<' => open + 1,
            '>' => open.saturating_sub(1),
            _ => open,
        };
        (open == 0).then_some(at + c.len_utf8())
    });
    let text = take(end.unwrap_or(0)).verify(|text: &str| text.starts_with('<'));
    text.map(|_: &str| Token::Html).parse_next(input)
}

/// A quoted text. In it, `\"` is a quotation mark, and a backslash at the end of a line joins it
/// with the next. Other backslashes stay: they have a meaning only in labels.
fn quoted(input: &mut &str) -> ModalResult<Token> {
    let plain = take_while(1.., |c| c != '"' && c != '\\').void();
    let inside = repeat::<_, _, (), _, _>(0.., alt((plain, ('\\', any).void()))).take();
    let text: &str = delimited('"', inside, '"').parse_next(input)?;
    Ok(Token::Quoted(text.replace("\\\r\n", "").replace("\\\n", "").replace("\\\"", "\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut input = text;
        let mut tokens = Vec::new();
        while let Some(token) = next(&mut input).unwrap() {
            tokens.push(token);
        }
        tokens
    }

    #[test]
    fn tokens_of_every_kind() {
        let word = |text: &str| Token::Word(text.into());
        let quoted = |text: &str| Token::Quoted(text.into());
        assert_eq!(
            tokens("s1->s2[a=-1.5,b=\"1 \\\"Gb\\\"\"]; // x\n# y\n/* z\n */ ä_1 -- \"\""),
            [
                word("s1"),
                Token::Edge(true),
                word("s2"),
                Token::Sign('['),
                word("a"),
                Token::Sign('='),
                word("-1.5"),
                Token::Sign(','),
                word("b"),
                Token::Sign('='),
                quoted("1 \"Gb\""),
                Token::Sign(']'),
                Token::Sign(';'),
                word("ä_1"),
                Token::Edge(false),
                quoted(""),
            ]
        );
    }

    #[test]
    fn a_backslash_in_quotes() {
        assert_eq!(tokens("\"a\\\\b\\\nc\""), [Token::Quoted("a\\\\bc".into())]);
        assert_eq!(tokens("/* no end"), []);
        assert_eq!(tokens("<<b>A</b>><>"), [Token::Html, Token::Html]);
    }

    #[test]
    fn what_is_not_a_token() {
        for bad in ["\"no end", "\"no end\\\"", "<b", "<b<>", ">", "a & b", "-", "!"] {
            let mut input = bad;
            let first = next(&mut input);
            assert!(first.is_err() || next(&mut input).is_err(), "{bad}");
        }
    }
}
