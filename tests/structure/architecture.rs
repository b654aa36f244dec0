//! The rules of the layout: which module may import which, where external crates are named,
//! that registries are complete, that files stay small and state their purpose.
//!
//! Sources are read as tokens, so comments and strings do not count. Unit tests, inline
//! modules under `#[cfg(test)]`, may import what they like: they are not part of the product.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Modules, lowest first, as in the table of the map. A module imports itself and modules before
/// it. `main`, the last, is the program around the library.
static LAYERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let text = include_str!("../../src/ARCHITECTURE.md");
    let table = text.lines().skip_while(|line| *line != "| module | what it is |").skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let mut modules: Vec<String> = rows.flat_map(modules_of_row).collect();
    assert!(modules.len() > 20, "the table of layers was not found");
    modules.push("main".into());
    modules
});

/// The names in the first cell of a row, in backquotes. The text after `(` is not a name.
fn modules_of_row(row: &'static str) -> impl Iterator<Item = String> {
    let cell = row.split('|').nth(1).unwrap_or_default();
    let names = cell.split('(').next().unwrap_or_default();
    names.split('`').skip(1).step_by(2).map(str::to_string)
}

/// All that the checker may import: none of the solving code.
const CHECKER: &[&str] = &[
    "ratio",
    "spec",
    "registry",
    "limit",
    "progress",
    "quote",
    "input",
    "certificate",
    "topology",
    "routing",
    "import",
];

/// External crates that only some files may name, by the start of their path below `src`.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("clap", &["cli/", "main.rs"]),
    ("anyhow", &["cli/", "main.rs"]),
    ("ctrlc", &["cli/signals.rs"]),
    ("signal_hook", &["cli/signals.rs"]),
    ("indicatif", &["cli/"]),
    ("mpi", &["cli/ranks.rs"]),
    ("good_lp", &["lp/backend.rs"]),
    ("highs", &["lp/backend.rs"]),
    ("rustsat", &["sat/backend.rs"]),
    ("rustsat_cadical", &["sat/backend.rs"]),
    ("plotters", &["report/plot.rs", "report/plot/"]),
    ("askama", &["report/html/"]),
    ("rand_chacha", &["sampling/"]),
    ("saphyr_parser", &["import/jobs/yaml.rs"]),
];

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

/// Top-level modules of this crate that a file names by `crate::`, the crate's own name, or
/// enough `super::`.
fn imports(source: &Source) -> BTreeSet<String> {
    let tokens = source.tokens();
    let depth = source.modules().len();
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        let mut supers = 0;
        while tokens[at..].starts_with(&["super", ":", ":"].map(String::from)) {
            supers += 1;
            at += 3;
        }
        let root = ["crate", "routebound"].contains(&tokens[at].as_str())
            && tokens[at + 1..].starts_with(&[":", ":"].map(String::from));
        if root {
            at += 3;
        }
        if root || supers >= depth.max(1) && supers > 0 {
            found.extend(heads(&tokens[at..]));
        }
        at = at.max(start + 1);
    }
    found.retain(|name| LAYERS.contains(name));
    found
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

/// Whether a file names an external crate.
fn names_crate(tokens: &[String], name: &str) -> bool {
    let path = tokens.windows(3).any(|t| t[0] == name && t[1] == ":" && t[2] == ":");
    let used = tokens.windows(2).any(|t| ["use", "crate"].contains(&t[0].as_str()) && t[1] == name);
    path || used
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer == module)
}

/// What is wrong with the imports of a file.
fn wrong_imports(source: &Source) -> Vec<String> {
    let module = source.modules()[0].to_string();
    if module == "lib" {
        return Vec::new();
    }
    let Some(own) = layer(&module) else {
        return vec![format!("{}: `{module}` has no place in the table of layers", source.path)];
    };
    let mut wrong = Vec::new();
    for import in imports(source).into_iter().filter(|import| *import != module) {
        if layer(&import).is_none_or(|layer| layer >= own) {
            wrong.push(format!("{}: `{module}` must not import `{import}`", source.path));
        } else if module == "checker" && !CHECKER.contains(&import.as_str()) {
            wrong.push(format!("{}: the checker must not import `{import}`", source.path));
        }
    }
    let tokens = source.tokens();
    for (name, places) in OUTSIDE {
        let allowed = places.iter().any(|place| source.path.starts_with(place));
        if !allowed && names_crate(&tokens, name) {
            wrong.push(format!("{}: `{name}` belongs to {places:?} only", source.path));
        }
    }
    wrong
}

/// Names of the registry entries that a file defines: constants of a type `Kind`.
fn entries(source: &Source) -> Vec<String> {
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
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_string());
    let beside = |other: &&Source| folder(&other.path) == folder(&source.path);
    // Only these can name one: taking all files of a folder apart for each of them takes half a minute.
    let names_one = |other: &&Source| entries.iter().any(|name| other.text.contains(name));
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

pub fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut sources) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                sources.push(Source { path: below, text: fs::read_to_string(&path).unwrap() });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

pub fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn imports_point_down() {
    assert_none(&sources().iter().flat_map(wrong_imports).collect::<Vec<_>>());
}

/// The crate's front page lists its modules in the order of the map.
#[test]
fn the_library_has_the_modules_of_the_map_in_their_order() {
    let text = include_str!("../../src/lib.rs");
    let modules = text.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let modules: Vec<&str> = modules.filter_map(|line| line.strip_suffix(';')).collect();
    assert_eq!(modules, LAYERS[..LAYERS.len() - 1]);
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
fn circles(all: &[Source]) -> Vec<String> {
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
    assert_none(&circles(&sources()));
    let around = [
        planted("a/b.rs", "use super::c::C;"),
        planted("a/c.rs", "use super::{d, e::E};"),
        planted("a/d.rs", "fn f() { super::b::g() }"),
        planted("a/e.rs", "use super::super::b;"),
        planted("a/mod.rs", "mod b; mod c; mod d; mod e;"),
    ];
    assert_eq!(circles(&around), ["a/b.rs", "a/c.rs", "a/d.rs"]);
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
fn planted_imports_are_found() {
    for (path, text) in [
        ("ratio.rs", "use crate::spec::Spec;"),
        ("topology/ft.rs", "use crate::{ratio::Ratio, routing::{self, Routing}};"),
        ("topology/ft.rs", "fn f() -> crate::load::Load {}"),
        ("topology/ft.rs", "use super::super::routing;"),
        ("topology/mod.rs", "use super::traffic;"),
        ("import/mod.rs", "use routebound::routing::build;"),
        ("synth/mod.rs", "use crate::theorem;"),
        ("checker.rs", "use crate::worst_case;"),
        ("checker/mod.rs", "use crate::matching::Matching;"),
        ("report/dot.rs", "macro_rules! m { () => { crate::cli::run() } }"),
        ("routing/mod.rs", "use clap::Args;"),
        ("routing/mod.rs", "#[derive(clap::Args)] struct A;"),
        ("report/mod.rs", "type R = anyhow::Result<()>;"),
        ("lp/model.rs", "use highs::Model;"),
        ("lp/model.rs", "use good_lp as g;"),
        ("progress.rs", "use indicatif::ProgressBar;"),
        ("traffic/random.rs", "use rand_chacha::ChaCha8Rng;"),
        ("stray.rs", ""),
        ("topology/ft.rs", "#[cfg(test)] mod tests {} use crate::routing;"),
        ("topology/ft.rs", "#[cfg(test)] mod tests; use crate::{ratio, routing};"),
    ] {
        assert!(!wrong_imports(&planted(path, text)).is_empty(), "{path}: {text}");
    }
}

#[test]
fn allowed_imports_pass() {
    for (path, text) in [
        ("spec.rs", "use crate::{limit, ratio};"),
        ("topology/ft.rs", "use super::Xgft; use crate::topology::generate;"),
        (
            "topology/ft.rs",
            "// use crate::routing;\n/// [`crate::load`]\nconst A: &str = \"crate::load\";",
        ),
        ("topology/ft.rs", "#[cfg(test)]\nmod tests { use crate::routing::build; }"),
        ("topology/ft.rs", "fn f(routing: u8) { self::routing(); spec::routing() }"),
        ("checker.rs", "use crate::{certificate::Certificate, routing, topology};"),
        ("cli/verbs/topo.rs", "use anyhow::Result; use clap::Args; use crate::report;"),
        ("lp/backend.rs", "use highs::Model; use good_lp::variable;"),
        ("main.rs", "fn main() { routebound::cli::run() }"),
        ("lib.rs", "pub mod cli; pub mod limit;"),
    ] {
        assert_none(&wrong_imports(&planted(path, text)));
    }
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
