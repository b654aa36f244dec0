//! What must be read to trust `routebound-check` stays little.

#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// More lines of code than the program and what it is built from without features may have.
const LIMIT: usize = 5_000;

/// The file and those of its modules that are compiled without features, unit tests aside.
pub fn compiled(file: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(file).unwrap();
    let is_head = ["lib.rs", "mod.rs"].iter().any(|head| file.ends_with(head));
    let folder = if is_head { file.parent().unwrap().into() } else { file.with_extension("") };
    let mut all = vec![file.to_path_buf()];
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2).filter(|pair| !pair[0].starts_with("#[cfg(")) {
        let line = pair[1].strip_prefix("pub ").unwrap_or(pair[1]);
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            let [own, below] = ["", "/mod"].map(|end| folder.join(format!("{name}{end}.rs")));
            all.extend(compiled(if own.exists() { &own } else { &below }));
        }
    }
    all
}

/// Lines that are neither blank nor comments, up to the unit tests.
pub fn code(text: &str) -> usize {
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    lines.map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// `checker/mod.rs` has a command that counts the same.
#[test]
fn the_checker_for_auditors_is_small() {
    assert_eq!(code("//! A.\n\nuse b;\n/// C.\nfn c() {}\n#[cfg(test)]\nmod tests;\n"), 2);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/proof/src");
    let mut files = compiled(&sources.join("lib.rs"));
    files.push(sources.join("bin/routebound-check.rs"));
    let lines: usize = files.iter().map(|file| code(&fs::read_to_string(file).unwrap())).sum();
    assert!((1_000..LIMIT).contains(&lines), "{lines} lines of code, not fewer than {LIMIT}");
}
