//! What has to be trusted: the checker imports only what the map lists, certificates whose
//! instance is written out are read and checked without the generators, and the size of all that
//! is as stated.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panic")]

use std::collections::{BTreeMap, BTreeSet};

use crate::architecture::{Source, assert_none, planted, sources};

const MAP: &str = include_str!("../../src/ARCHITECTURE.md");

/// A path from the root of the crate, such as `topology`, `Host`.
type Path = Vec<String>;

/// The cells of the rows below a table's head, each as the names between backquotes.
fn table(head: &str) -> Vec<Vec<Vec<&'static str>>> {
    let rows = MAP.lines().skip_while(|line| *line != head).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = |cell: &'static str| cell.split('`').skip(1).step_by(2).collect();
    let cells = |row: &'static str| row.trim_matches('|').split('|').map(names).collect();
    let rows: Vec<_> = rows.map(cells).collect();
    assert!(!rows.is_empty(), "there is no table `{head}`");
    rows
}

/// Every path that a file names, by `crate`, `super`, `self` or the name of a child module, and its
/// child modules, since what they implement is there unnamed.
fn paths(source: &Source) -> BTreeSet<Path> {
    let tokens = source.tokens();
    let own: Path = source.modules().into_iter().map(String::from).collect();
    let children: BTreeSet<&str> =
        tokens.windows(3).filter(|three| is_child(three)).map(|three| three[1].as_str()).collect();
    let child = |name: &str| [&own[..], &[name.to_string()]].concat();
    let mut found: BTreeSet<Path> = children.iter().map(|name| child(name)).collect();
    let mut at = 0;
    while at < tokens.len() {
        let goes_on = at > 1 && is_followed(&tokens, at - 2);
        let root = match tokens[at].as_str() {
            "crate" | "routebound" => Some(Path::new()),
            "self" => Some(own.clone()),
            "super" => Some(own[..own.len().saturating_sub(1)].to_vec()),
            name if !goes_on && children.contains(name) => Some(child(name)),
            _ => None,
        };
        at += 1;
        if let Some(mut root) = root.filter(|_| is_followed(&tokens, at)) {
            while tokens[at + 2] == "super" && is_followed(&tokens, at + 3) {
                root.pop();
                at += 3;
            }
            at = tree(&tokens, at + 2, &root, &mut found);
        }
    }
    found
}

/// Whether this is `mod NAME;`.
fn is_child(tokens: &[String]) -> bool {
    tokens[0] == "mod" && tokens[2] == ";"
}

/// Whether `::` stands here.
fn is_followed(tokens: &[String], at: usize) -> bool {
    tokens.get(at..at + 2).is_some_and(|next| next == [":", ":"])
}

/// Adds the paths that begin with `root` and go on here, and returns where they end.
fn tree(tokens: &[String], mut at: usize, root: &[String], found: &mut BTreeSet<Path>) -> usize {
    if tokens[at] == "{" {
        while tokens[at] != "}" {
            at = tree(tokens, at + 1, root, found);
            while !["}", ","].contains(&tokens[at].as_str()) {
                at += 1;
            }
        }
        return at + 1;
    }
    let is_name = tokens[at].chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name || tokens[at] == "self" {
        found.insert(root.to_vec());
        return at;
    }
    let path = [root, &tokens[at..=at]].concat();
    if is_followed(tokens, at + 1) && tokens[at + 3] != "<" {
        return tree(tokens, at + 3, &path, found);
    }
    found.insert(path);
    at + 1
}

/// The names that a file defines at its top level.
fn defined(source: &Source) -> BTreeSet<String> {
    let kinds = ["struct", "enum", "type", "fn", "const", "static", "trait", "mod"];
    let (mut depth, mut names) = (0, BTreeSet::new());
    let tokens = source.tokens();
    for pair in tokens.windows(2) {
        match pair[0].as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            kind if depth == 0 && kinds.contains(&kind) => drop(names.insert(pair[1].clone())),
            _ => {}
        }
    }
    names
}

/// All sources by their path, with the rows of the table of trusted code.
struct Base {
    sources: BTreeMap<String, Source>,
    /// What each of them defines.
    defined: BTreeMap<String, BTreeSet<String>>,
    /// For every row, its files.
    rows: Vec<BTreeSet<String>>,
    /// For every row, its lines of code as stated.
    stated: Vec<usize>,
}

impl Base {
    fn read() -> Self {
        let sources = sources().into_iter().map(|source| (source.path.clone(), source));
        let sources: BTreeMap<_, _> = sources.collect();
        let defined = sources.iter().map(|(path, source)| (path.clone(), defined(source)));
        let defined = defined.collect();
        let rows = table("| what has to be trusted | files | lines of code |");
        let named: Vec<&str> = rows.iter().flat_map(|row| row[1].clone()).collect();
        // A folder is all of its files except those that are named themselves.
        let belongs = |path: &str, name: &str| {
            let folder = format!("{name}/");
            let is_below = path == format!("{name}.rs") || path.starts_with(&folder);
            path == name || is_below && !named.contains(&path)
        };
        let files = |names: &[&str]| {
            let files = sources.keys().filter(|path| !path.ends_with("tests.rs"));
            files.filter(|path| names.iter().any(|name| belongs(path, name))).cloned().collect()
        };
        let stated = rows.iter().map(|row| row[2][0].parse().unwrap()).collect();
        Self { rows: rows.iter().map(|row| files(&row[1])).collect(), stated, defined, sources }
    }

    /// The file of a module, if the path is that of one.
    fn module(&self, path: &[String]) -> Option<String> {
        let path = path.join("/");
        let files = [format!("{path}.rs"), format!("{path}/mod.rs")];
        files.into_iter().find(|file| self.sources.contains_key(file))
    }

    /// The files that define what a path names, or the file that passes it on.
    fn files(&self, path: &[String]) -> Vec<String> {
        let length = (1..=path.len()).rev().find(|length| self.module(&path[..*length]).is_some());
        let Some(length) = length else { return Vec::new() };
        let root = self.module(&path[..length]).unwrap();
        let Some(item) = path.get(length) else { return vec![root] };
        let folder = format!("{}/", path[..length].join("/"));
        let inside =
            |file: &str| file == root || file.starts_with(&folder) && !file.ends_with("tests.rs");
        let defining =
            self.defined.iter().filter(|(file, names)| inside(file) && names.contains(item));
        let defining: Vec<String> = defining.map(|(file, _)| file.clone()).collect();
        if defining.is_empty() { vec![root] } else { defining }
    }

    /// What files name outside `trusted`.
    fn strangers(&self, files: &BTreeSet<String>, trusted: &BTreeSet<String>) -> Vec<String> {
        let mut found = Vec::new();
        for file in files {
            for path in paths(&self.sources[file]) {
                let outside = self.files(&path).into_iter().find(|file| !trusted.contains(file));
                found.extend(outside.map(|outside| format!("{file} -> {outside}")));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    fn lines(&self, row: usize) -> usize {
        self.rows[row].iter().map(|file| lines_of_code(&self.sources[file].text)).sum()
    }
}

/// Lines that are neither empty nor comments, without unit tests.
fn lines_of_code(text: &str) -> usize {
    let mut lines = text.lines().map(str::trim);
    let mut count = 0;
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            // The item ends where its braces do, or with its semicolon.
            let (mut opened, mut closed) = (0, 0);
            for line in lines.by_ref() {
                opened += line.matches('{').count();
                closed += line.matches('}').count();
                if opened == closed && (line.ends_with('}') || line.ends_with(';')) {
                    break;
                }
            }
        } else if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Every import of the checker is in the table, and nothing is there that it does not import.
#[test]
fn the_checker_imports_what_the_map_lists() {
    let mut listed = BTreeSet::new();
    for row in table("| the checker imports | from | in |") {
        for item in &row[0] {
            let places = if row[2].is_empty() { vec![""] } else { row[2].clone() };
            listed.extend(places.into_iter().map(|file| (row[1][0], *item, file)));
        }
    }
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for source in sources().iter().filter(|source| source.path.starts_with("checker/")) {
        if source.path.ends_with("tests.rs") {
            continue;
        }
        for path in paths(source).into_iter().filter(|path| path[0] != "checker") {
            let (module, item) = (path[0].as_str(), path.get(1).map_or("self", String::as_str));
            let file = source.path.strip_prefix("checker/").unwrap();
            let allowed = listed
                .iter()
                .find(|(m, i, f)| *m == module && *i == item && (f.is_empty() || *f == file));
            match allowed {
                Some(entry) => drop(used.insert(*entry)),
                None => wrong.push(format!("{}: {module}::{item} is not listed", source.path)),
            }
        }
    }
    wrong.extend(listed.difference(&used).map(|entry| format!("{entry:?} is not imported")));
    assert_none(&wrong);
}

/// The rows before the last one need nothing of it, except that the checker hands named instances
/// over to one file, which is a part of it, and knows the labels of trees. What writes an instance
/// out stands beside the format, and nothing here calls it.
#[test]
fn written_out_instances_need_no_generator() {
    let base = Base::read();
    let (named, written) = base.rows.split_last().unwrap();
    let written: BTreeSet<String> = written.iter().flatten().cloned().collect();
    let found = base.strangers(&written, &written);
    assert_eq!(
        found,
        [
            "certificate/mod.rs -> certificate/embed.rs",
            "checker/local.rs -> checker/named.rs",
            "checker/mod.rs -> checker/named.rs",
            "checker/network.rs -> checker/named.rs",
            "checker/product/mod.rs -> checker/named.rs",
            "checker/routes.rs -> checker/named.rs",
            "checker/single_path.rs -> checker/named.rs",
            "checker/single_path.rs -> topology/xgft.rs",
            "checker/uses.rs -> checker/named.rs",
            "checker/walk.rs -> checker/named.rs",
        ]
    );
    let all: BTreeSet<String> = written.union(named).cloned().collect();
    assert_none(&base.strangers(named, &all));
}

#[test]
fn the_size_of_what_has_to_be_trusted_is_as_stated() {
    let base = Base::read();
    let counts: Vec<usize> = (0..base.rows.len()).map(|row| base.lines(row)).collect();
    println!("lines of code, row by row: {counts:?}");
    for (row, (count, stated)) in counts.iter().zip(&base.stated).enumerate() {
        assert!(*count > 0, "row {row} names no file");
        let is_near = count.abs_diff(*stated) * 10 <= *count;
        assert!(is_near, "row {row}: {stated} stated, {count} counted; all: {counts:?}");
    }
}

#[test]
fn paths_and_lines_are_found() {
    let text =
        "use crate::a::{self, B, c::{D as E, F}};\nfn f() { super::super::g::h::<u8>(self::i) }
        mod k;\nfn h(a: k::Z) { k::l(b::k::no, m::no) }\nmod m {}
        // use crate::no;\n#[cfg(test)]\nmod tests {\n    use crate::never;\n}\n";
    let paths = paths(&planted("x/y.rs", text));
    let found: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        [
            "a",
            "a::B",
            "a::c::D",
            "a::c::F",
            "g::h",
            "x::y::i",
            "x::y::k",
            "x::y::k::Z",
            "x::y::k::l"
        ]
    );
    assert_eq!(lines_of_code(text), 5);
    let inside = "struct A;\n#[cfg(test)]\nfn f(\n    a: u8,\n) {\n}\n\nfn g() {}\n";
    assert_eq!(lines_of_code(inside), 2);
}
