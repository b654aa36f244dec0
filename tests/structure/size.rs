//! The size of functions and files: most are short, none is long.

use proc_macro2::{Delimiter, TokenTree};

use crate::architecture::{Source, is_punct, planted, sources, without_tests};

/// Nine functions in ten have fewer lines, from `fn` to the closing brace.
const MOST_LINES: usize = 30;

/// No function has more.
const MAX_LINES: usize = 50;

/// Half of the files have fewer lines.
const MEDIAN_OF_FILES: usize = 150;

/// The lines of a function, and where it is.
type Length = (usize, String);

/// The functions of a file that have a body, those of unit tests left out.
fn functions(source: &Source) -> Vec<Length> {
    let mut found = Vec::new();
    collect(&source.path, &source.trees(), &mut found);
    found
}

fn collect(path: &str, trees: &[TokenTree], found: &mut Vec<Length>) {
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            collect(path, &without_tests(group.stream()), found);
        }
        // Before parentheses `fn` begins a type.
        let Some(TokenTree::Ident(name)) = trees.get(at + 1) else { continue };
        if !matches!(tree, TokenTree::Ident(word) if word == "fn") {
            continue;
        }
        let body = trees[at..].iter().find_map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(Some(group)),
            _ => is_punct(Some(tree), ';').then_some(None),
        });
        if let Some(Some(body)) = body {
            let (first, last) = (tree.span().start().line, body.span_close().end().line);
            found.push((last + 1 - first, format!("{path}:{first} {name}")));
        }
    }
}

fn is_product(source: &Source) -> bool {
    source.modules().last() != Some(&"tests")
}

/// The element that `part` of `of` parts are not greater than.
fn quantile(sorted: &[usize], part: usize, of: usize) -> usize {
    sorted[sorted.len() * part / of]
}

#[test]
fn functions_are_short() {
    let sources = sources();
    let mut all: Vec<Length> =
        sources.iter().filter(|source| is_product(source)).flat_map(functions).collect();
    assert!(all.len() > 2500, "the scanner finds the functions");
    all.sort_unstable();
    let lines: Vec<usize> = all.iter().map(|(lines, _)| *lines).collect();
    let (median, most) = (quantile(&lines, 1, 2), quantile(&lines, 9, 10));
    let longest = &all[all.len() - 10..];
    println!("median {median}, nine in ten up to {most}, longest {longest:#?}");
    assert!(most < MOST_LINES, "{most}");
    assert!(*lines.last().unwrap() <= MAX_LINES, "{longest:#?}");
}

/// That none has 400 lines or more is a test of the architecture.
#[test]
fn files_are_small() {
    let mut lines: Vec<usize> = sources().iter().map(|file| file.text.lines().count()).collect();
    lines.sort_unstable();
    let median = quantile(&lines, 1, 2);
    println!("median {median}, longest {}", lines.last().unwrap());
    assert!(median < MEDIAN_OF_FILES, "{median}");
}

#[test]
fn functions_are_measured_as_they_stand() {
    let text = r#"//! A.
struct A { of: fn(u8) -> u8 }
trait B {
    fn none(&self);
    /// Given.
    fn given(&self) -> u8 {
        // fn f() {
        1
    }
}
#[cfg(test)]
fn helper() {
}
#[cfg(test)]
mod tests;
impl A {
    const fn long<T>(
        a: T,
    ) -> fn(T) -> u8
    where
        T: B,
    {

        fn inner() {}
        "}"
    }
}
#[cfg(test)]
mod more {
    fn test() {
    }
}
"#;
    let found = functions(&planted("a.rs", text));
    let expected = [(4, "a.rs:6 given"), (10, "a.rs:17 long"), (1, "a.rs:24 inner")];
    assert_eq!(found, expected.map(|(lines, place)| (lines, place.to_string())));
}
