//! The rules of the layout that neither Cargo nor clippy knows: that registries are complete, that files of a folder
//! do not import each other in a cycle, that files stay small and state their purpose.
//!
//! Sources are read as tokens, so comments and strings do not count. Unit tests, inline
//! modules under `#[cfg(test)]`, may import what they like: they are not part of the product.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

const MAX_LINES: usize = 400;

/// A source file: its path below `src`, its text.
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    /// Modules from the crate root down to this file: `cli/verbs/topo.rs` is cli, verbs, topo.
    pub fn modules(&self) -> Vec<&str> {
        let path = self.path.strip_suffix(".rs").unwrap();
        path.strip_suffix("/mod").unwrap_or(path).split('/').collect()
    }

    pub fn trees(&self) -> Vec<TokenTree> {
        let stream: TokenStream =
            self.text.parse().unwrap_or_else(|e| panic!("{}: {e}", self.path));
        without_tests(stream)
    }

    /// The tokens, flat, groups as brackets, without unit tests.
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = Vec::new();
        flatten(self.trees(), &mut tokens);
        tokens
    }
}

/// The token trees without unit tests: an item after `#[cfg(test)]` ends with its first braces or
/// with a semicolon.
pub fn without_tests(stream: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut trees = stream.into_iter();
    while let Some(tree) = trees.next() {
        let is_test = matches!(&tree, TokenTree::Group(group)
            if is_punct(kept.last(), '#') && is_cfg_test(&group.stream()));
        if is_test {
            kept.pop();
            trees.by_ref().find(|tree| {
                let braces = |g: &proc_macro2::Group| g.delimiter() == Delimiter::Brace;
                matches!(tree, TokenTree::Group(g) if braces(g)) || is_punct(Some(tree), ';')
            });
        } else {
            kept.push(tree);
        }
    }
    kept
}

pub fn is_punct(tree: Option<&TokenTree>, what: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == what)
}

fn flatten(trees: Vec<TokenTree>, tokens: &mut Vec<String>) {
    for tree in trees {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                tokens.push(open.into());
                flatten(without_tests(group.stream()), tokens);
                tokens.push(close.into());
            }
            TokenTree::Literal(_) => tokens.push("literal".into()),
            other => tokens.push(other.to_string()),
        }
    }
}

fn is_cfg_test(attribute: &TokenStream) -> bool {
    attribute.to_string().replace(' ', "") == "cfg(test)"
}

/// The first names of a path, or of all paths in braces.
fn heads(tokens: &[String]) -> Vec<String> {
    if tokens.first().is_none_or(|token| token != "{") {
        return tokens.first().cloned().into_iter().collect();
    }
    let (mut names, mut nesting) = (Vec::new(), 0);
    for pair in tokens.windows(2) {
        match pair[0].as_str() {
            "{" => nesting += 1,
            "}" => nesting -= 1,
            _ => {}
        }
        if nesting == 0 {
            break;
        }
        if nesting == 1 && ["{", ","].contains(&pair[0].as_str()) {
            names.push(pair[1].clone());
        }
    }
    names
}

/// Names of the registry entries that a file defines: constants of a type `Kind`.
fn entries(source: &Source) -> Vec<String> {
    // Taking all files apart takes seconds.
    if !source.text.contains("Kind<") {
        return Vec::new();
    }
    let tokens = source.tokens();
    let mut names = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| *token == "const") {
        // A function can be const too: only `const NAME:` has a colon there.
        if tokens.get(at + 2).is_some_and(|token| token == ":") {
            let kind: Vec<&String> = tokens[at + 3..].iter().take_while(|t| *t != "=").collect();
            // A slice of kinds is a registry.
            if kind.iter().any(|t| *t == "Kind") && !kind.iter().any(|t| *t == "[") {
                names.push(tokens[at + 1].clone());
            }
        }
    }
    names
}

/// Entries that are missing from every registry in their folder.
fn unregistered(source: &Source, all: &[Source]) -> Vec<String> {
    let modules = source.modules();
    let Some((stem, _)) = modules.split_last() else { return Vec::new() };
    let entries = entries(source);
    if entries.is_empty() {
        return Vec::new();
    }
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_string());
    let beside = |other: &&Source| folder(&other.path) == folder(&source.path);
    // Only these can name one: taking all files of a folder apart for each of them takes half a minute.
    let paths: Vec<String> = entries.iter().map(|name| format!("{stem}::{name}")).collect();
    let names_one = |other: &&Source| paths.iter().any(|path| other.text.contains(path));
    let others = all.iter().filter(beside).filter(|other| other.path != source.path);
    let others = others.filter(names_one);
    let registered: Vec<String> = others.flat_map(Source::tokens).collect();
    let own = source.tokens();
    let is_missing = |name: &String| {
        let path = [*stem, ":", ":", name.as_str()];
        // A registry in the file itself names the entry a second time.
        let own_uses = own.iter().filter(|token| *token == name).count();
        own_uses < 2 && !registered.windows(4).any(|tokens| tokens == path)
    };
    let missing = entries.iter().filter(|name| is_missing(name));
    missing.map(|name| format!("{}: {name} is in no registry", source.path)).collect()
}

fn wrong_shape(source: &Source) -> Vec<String> {
    let mut wrong = Vec::new();
    let text = source.text.trim_start();
    if !text.starts_with("//! ") && !text.starts_with("#![doc") {
        wrong.push(format!("{}: no module doc at the top", source.path));
    }
    let lines = source.text.lines().count();
    if lines >= MAX_LINES {
        wrong.push(format!("{}: {lines} lines, at most {MAX_LINES}", source.path));
    }
    wrong
}

/// The folders `src` of a project: its own, and that of every crate in its folder `crates`.
fn roots(project: &Path) -> Vec<PathBuf> {
    let crates = fs::read_dir(project.join("crates")).into_iter().flatten();
    let members = crates.map(|entry| entry.unwrap().path().join("src"));
    iter::once(project.join("src")).chain(members.filter(|root| root.is_dir())).collect()
}

/// The sources of a project, all its crates as one tree: paths are those below `src`.
fn sources_of(project: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for root in roots(project) {
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let below = path.strip_prefix(&root).unwrap().to_str().unwrap();
                    let text = fs::read_to_string(&path).unwrap();
                    sources.push(Source { path: below.replace('\\', "/"), text });
                }
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

pub fn sources() -> Vec<Source> {
    sources_of(Path::new(env!("CARGO_MANIFEST_DIR")))
}

pub fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_sources_of_all_crates_are_one_tree() {
    let project = tempfile::tempdir().unwrap();
    let own = ["src/lib.rs", "src/cli/mod.rs"];
    let members = ["crates/a/src/lib.rs", "crates/a/tests/one.rs", "crates/b/src/load/sums.rs"];
    for file in own.into_iter().chain(members).map(|file| project.path().join(file)) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    let paths: Vec<String> = sources_of(project.path()).into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["cli/mod.rs", "lib.rs", "lib.rs", "load/sums.rs"]);
}

/// Sibling modules that a file names by `super::`; `mod.rs` may name what it consists of.
fn neighbours(source: &Source) -> Vec<String> {
    let tokens = source.tokens();
    let mut found = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| *token == "super") {
        let is_deeper = at >= 3 && tokens[at - 3] == "super";
        if !is_deeper && tokens[at + 1..].starts_with(&[":", ":"].map(String::from)) {
            found.extend(heads(&tokens[at + 3..]));
        }
    }
    found
}

/// Files of one folder that import each other in a cycle, each named once.
fn cycles(all: &[Source]) -> Vec<String> {
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in all.iter().filter(|source| !source.path.ends_with("mod.rs")) {
        let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let names = neighbours(source).into_iter();
        imports
            .insert(source.path.clone(), names.map(|name| format!("{folder}/{name}.rs")).collect());
    }
    let comes_back = |start: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), imports[start].clone());
        while let Some(file) = open.pop() {
            if file == *start {
                return true;
            }
            if seen.insert(file.clone()) {
                open.extend(imports.get(&file).into_iter().flatten().cloned());
            }
        }
        false
    };
    imports.keys().filter(|file| comes_back(file)).cloned().collect()
}

#[test]
fn files_of_a_folder_import_in_one_direction() {
    assert_none(&cycles(&sources()));
    let around = [
        planted("a/b.rs", "use super::c::C;"),
        planted("a/c.rs", "use super::{d, e::E};"),
        planted("a/d.rs", "fn f() { super::b::g() }"),
        planted("a/e.rs", "use super::super::b;"),
        planted("a/mod.rs", "mod b; mod c; mod d; mod e;"),
    ];
    assert_eq!(cycles(&around), ["a/b.rs", "a/c.rs", "a/d.rs"]);
}

/// The papers that a file imports although it is below them, or in another one.
fn papers_known(source: &Source) -> Vec<String> {
    let below = ["theorem", "study", "gl", "go", "lit", "nb", "or", "own", "ro"];
    let modules = source.modules();
    let is_test = modules.ends_with(&["tests"]);
    let Some(own) = below.into_iter().find(|name| *name == modules[0] && !is_test) else {
        return Vec::new();
    };
    let tokens = source.tokens();
    let starts = tokens.windows(3).enumerate().filter(|(_, three)| **three == ["crate", ":", ":"]);
    let names = starts.flat_map(|(at, _)| heads(&tokens[at + 3..]));
    let knows = |name: &String| *name == "papers" || below[2..].contains(&name.as_str());
    names
        .filter(|name| knows(name) && name != own)
        .map(|name| format!("{}: imports `{name}`", source.path))
        .collect()
}

#[test]
fn frameworks_import_no_paper_and_papers_none_another() {
    assert_none(&sources().iter().flat_map(papers_known).collect::<Vec<_>>());
    let known = |path, text| papers_known(&planted(path, text));
    let known_to_all = "use crate::theorem::Scope; use crate::{study, load};";
    assert!(known("or/statements/a.rs", known_to_all).is_empty());
    assert!(known("papers/mod.rs", "use crate::{gl, or};").is_empty());
    assert!(known("or/studies/a.rs", "use crate::or::studies::b;").is_empty());
    assert_eq!(known("ro/statements/a.rs", "use crate::go::statements::kary;").len(), 1);
    assert_eq!(known("theorem/a.rs", "use crate::{integer, papers::STATEMENTS, gl::x};").len(), 2);
    assert_eq!(known("study/engine/mod.rs", "fn f() { crate::own::g() }").len(), 1);
}

#[test]
fn every_entry_is_registered() {
    let all = sources();
    assert!(all.iter().flat_map(entries).count() >= 15, "the scanner finds the entries");
    assert_none(&all.iter().flat_map(|source| unregistered(source, &all)).collect::<Vec<_>>());
}

#[test]
fn every_file_is_small_and_says_what_it_is_for() {
    assert_none(&sources().iter().flat_map(wrong_shape).collect::<Vec<_>>());
}

pub fn planted(path: &str, text: &str) -> Source {
    Source { path: path.into(), text: text.into() }
}

#[test]
fn planted_gaps_are_found() {
    let all = [
        planted("topology/mod.rs", "mod ft; mod kary; const KINDS: &[Kind<B>] = &[ft::KIND];"),
        planted(
            "topology/ft.rs",
            "pub(super) const KIND: Kind<B> = K {}; const UP: Kind<B> = K {};",
        ),
        planted(
            "topology/kary.rs",
            "pub(super) const KIND: registry::Kind<B> = K {}; const A: u8 = 1;",
        ),
    ];
    let missing: Vec<String> = all.iter().flat_map(|source| unregistered(source, &all)).collect();
    let expected =
        ["topology/ft.rs: UP is in no registry", "topology/kary.rs: KIND is in no registry"];
    assert_eq!(missing, expected);
    assert_eq!(wrong_shape(&planted("a.rs", "use b;")).len(), 1);
    assert_eq!(wrong_shape(&planted("a.rs", &format!("//! A.{}", "\n".repeat(400)))).len(), 1);
    assert!(wrong_shape(&planted("a.rs", "//! A.\n")).is_empty());
}
