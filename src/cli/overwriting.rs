//! Rules for replacing files: those that routebound wrote, and with `--force` any.
//!
//! Whoever mistakes an output for an input, such as a file of traffic, would lose it otherwise. A file shows by its
//! first lines who wrote it, or by a file that was written beside it afterwards; one without such lines, such as a
//! routing as CSV, counts as the user's. All targets are looked at, and tried, before the work begins.
//!
//! An option that names an output has the type `OutputPath` or `OutputFolder`. A verb says in `Run::check_files` which
//! other names follow from those, and tries its default folder. A new format that has room for it says `written by
//! routebound` on a line of its own. The unit tests here take every such option from the command tree,
//! `tests/command_line/overwriting.rs` from `--help`. What stands beside a result is written by
//! `Context::write_beside`, whose error ends the run after the result is printed.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{OutputFolder, OutputPath, Verb, output};
use crate::certificate;
use crate::study::deliveries;

/// The line that formats with remarks hold.
pub(super) const MARK: &str = "written by routebound";

/// A figure that shows who wrote it.
pub(super) fn marked_svg(svg: &[u8]) -> Vec<u8> {
    [format!("<!-- {MARK} -->\n").as_bytes(), svg].concat()
}

/// Number of bytes of a file that are read to see who wrote it.
const HEAD: u64 = 1 << 13;
/// In which of its first lines a mark may stand.
const LINES: usize = 12;

/// Lines, without signs such as `#` around them, that only routebound writes.
const MARKS: &[&str] = &[MARK, "worst-case traffic, written by routebound"];

/// Beginning of a line of a page that only routebound writes.
const GENERATOR: &str = "<meta name=\"generator\" content=\"routebound ";

/// Names of files that cannot show who wrote them, beside a page that does.
const BESIDE_PAGES: &[&str] = &["guid2lid", "network.json"];

/// How files begin that only routebound writes. Tables are among them if they have more headers than a
/// table of the user's would share.
const BEGINNINGS: &[&str] = &[
    certificate::MAGIC,
    "{\"routebound_part\":",
    "c cover encoding:",
    "c local encoding:",
    "# The theorem battery\n",
    "# Items of the five papers\n",
    "load,seed,offered,accepted,+-,network latency,total latency,99 %,out of order,steady\n",
    "link,name,level,direction,capacity,traffic,load,flows,contention\n",
];

/// Decides whether files may be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Overwriting {
    /// Whether all may.
    force: bool,
}

impl Overwriting {
    /// Any file may be replaced with `force`, and without it those that routebound wrote.
    pub(super) fn new(force: bool) -> Self {
        Self { force }
    }

    /// Checks that a file may be written. What is not a file, such as a device or a pipe, takes whatever comes.
    ///
    /// # Errors
    /// When there is another file that routebound did not write.
    pub fn file(self, path: &Path) -> Result<()> {
        if self.force || path == Path::new("-") || !path.is_file() || is_own(path) {
            return Ok(());
        }
        bail!(
            "`{}` exists, and nothing in it shows that routebound wrote it: name another file, or \
             add `--force` to overwrite it",
            path.display()
        );
    }

    /// Checks that the files of the study `name` may be written into a folder.
    ///
    /// # Errors
    /// When it has files and no page of this study.
    pub fn study(self, folder: &Path, name: &str) -> Result<()> {
        let is_empty = fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
        if self.force || is_empty || !folder.is_dir() || is_study(folder, name) {
            return Ok(());
        }
        bail!(
            "the folder {} has files, and no README.md that shows that the study {name} wrote \
             them: name another folder, or add `--force` to overwrite those of the same names",
            folder.display()
        );
    }

    /// Checks that files in a folder whose names end so may be replaced.
    ///
    /// # Errors
    /// When one of them may not.
    pub fn files_in(self, folder: &Path, endings: &[String]) -> Result<()> {
        let found = fs::read_dir(folder).into_iter().flatten().flatten();
        let ends = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
        let is_asked = |entry: &fs::DirEntry| ends(&entry.file_name().to_string_lossy());
        let mut found: Vec<PathBuf> = found.filter(is_asked).map(|entry| entry.path()).collect();
        found.sort();
        found.iter().try_for_each(|path| self.file(path))
    }
}

/// Checks before the work that all files which the options of a verb name can be written, and that none is
/// replaced that must not be.
///
/// # Errors
/// The first that is wrong, and the remedy.
pub(super) fn check(verb: &Verb, matches: &ArgMatches, allowed: Overwriting) -> Result<()> {
    // A part is opened, and refused if it is none, by whoever resumes it.
    let given = |id: &&clap::Id| {
        *id != "part" && matches.value_source(id.as_str()) == Some(ValueSource::CommandLine)
    };
    for id in matches.ids().filter(given) {
        let id = id.as_str();
        for path in matches.try_get_many::<OutputPath>(id).ok().flatten().into_iter().flatten() {
            allowed.file(path)?;
            output::try_file(path)?;
        }
        for path in matches.try_get_many::<OutputFolder>(id).ok().flatten().into_iter().flatten() {
            output::try_folder(path)?;
        }
    }
    (verb.check_files)(matches, allowed)
}

/// `path` with `ending` appended.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
}

/// Whether a file shows that routebound wrote it, itself or by what was written beside it.
fn is_own(path: &Path) -> bool {
    let Some(text) = head(path) else { return false };
    // Nothing is lost where nothing is.
    let is_marked = text.is_empty() || is_marked(&text);
    let is_beside_page = BESIDE_PAGES.iter().any(|name| path.ends_with(name));
    let is_proof = path.extension().is_some_and(|ending| ending == "lrat" || ending == "drat");
    is_marked
        || shows(&beside(path, ".about"), path)
        || (is_beside_page && shows(&path.with_file_name("README.txt"), path))
        || (is_proof && shows(&path.with_extension("cnf"), path))
}

/// Whether the file `beside`, which is written after `path`, shows that routebound wrote both, and `path` is
/// unchanged since.
fn shows(beside: &Path, path: &Path) -> bool {
    let [written, changed] =
        [beside, path].map(|path| fs::metadata(path).and_then(|found| found.modified()).ok());
    let is_unchanged = changed.is_some() && changed <= written;
    is_unchanged && beside.is_file() && head(beside).is_some_and(|text| is_marked(&text))
}

fn is_marked(text: &str) -> bool {
    let sweep = deliveries::HEADS.join(",");
    let is_mark = |line: &str| {
        let plain = line.trim_matches(|c: char| !c.is_alphanumeric());
        MARKS.contains(&plain) || line.trim_start().starts_with(GENERATOR)
    };
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
        || text.lines().next().is_some_and(|line| line.ends_with(&sweep))
        || text.lines().take(LINES).any(is_mark)
}

/// Whether the page of a folder says that it was made by the study `name`.
fn is_study(folder: &Path, name: &str) -> bool {
    let page = folder.join("README.md");
    let Some(text) = page.is_file().then(|| head(&page)).flatten() else { return false };
    let text: Vec<&str> = text.split_whitespace().collect();
    let (text, made) = (text.join(" "), format!("Made by `routebound study {name}"));
    text.split(&made).skip(1).any(|rest| rest.starts_with(['`', ' ']))
}

/// The beginning of a file, as far as it is text.
fn head(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests;
