//! Outputs of a verb, as separate types, so that no input is overwritten.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use itertools::Itertools;

use super::Context;
use crate::spec::Spec;

/// The path of an option that names an output; `-` is stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPath(PathBuf);

impl OutputPath {
    /// Whether it is stdout.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        self.0 == Path::new("-")
    }
}

impl From<OsString> for OutputPath {
    fn from(text: OsString) -> Self {
        Self(text.into())
    }
}

impl Deref for OutputPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

/// The path of an option that names a folder for outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFolder(PathBuf);

impl From<OsString> for OutputFolder {
    fn from(text: OsString) -> Self {
        Self(text.into())
    }
}

impl Deref for OutputFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

/// The paths of an option that names outputs, if it is one.
pub(super) fn outputs(matches: &ArgMatches, id: &str) -> Option<Vec<PathBuf>> {
    if let Ok(Some(files)) = matches.try_get_many::<OutputPath>(id) {
        return Some(files.map(|path| path.0.clone()).collect());
    }
    let folders = matches.try_get_many::<OutputFolder>(id).ok()??;
    Some(folders.map(|path| path.0.clone()).collect())
}

/// Refuses a command that would overwrite a file that it reads, which is any other file named
/// among its arguments, either directly or in a spec such as `lft:FILE`. Also refuses two outputs
/// to one place.
///
/// # Errors
/// An error that names the paths.
pub(super) fn refuse_inputs(matches: &ArgMatches) -> Result<()> {
    let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
    for id in matches.ids() {
        if let Some(found) = self::outputs(matches, id.as_str()) {
            outputs.extend(found);
        } else if let Ok(Some(found)) = matches.try_get_raw(id.as_str()) {
            inputs.extend(found.filter_map(input));
        }
    }
    let same = |output: &PathBuf, input: &PathBuf| {
        fs::canonicalize(output)
            .is_ok_and(|output| fs::canonicalize(input).is_ok_and(|i| i == output))
    };
    if let Some([one, _]) = outputs.iter().array_combinations().find(|[a, b]| is_one_place(a, b)) {
        bail!("two outputs would go to `{}`: name another file for one of them", one.display());
    }
    for output in outputs.iter().filter(|output| output.is_file()) {
        if let Some(input) = inputs.iter().find(|input| same(output, input)) {
            let (output, input) = (output.display(), input.display());
            bail!("`{output}` would overwrite the input `{input}`: name another file");
        }
    }
    Ok(())
}

/// Claims stdout for the output that an option sends there, if one does. The file of a part is none.
///
/// # Errors
/// With `--json`, whose object goes there.
pub(super) fn claim_stdout(matches: &ArgMatches, context: &Context) -> Result<()> {
    for id in matches.ids().map(clap::Id::as_str).filter(|id| *id != "part") {
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        for path in outputs(matches, id).filter(|_| is_given).into_iter().flatten() {
            context.claim_stdout(&format!("--{}", id.replace('_', "-")), &path)?;
        }
    }
    Ok(())
}

/// Whether two paths name the same file, which need not exist yet.
fn is_one_place(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or_else(|| Path::new("."))).ok()?;
        fs::canonicalize(path).ok().or_else(|| Some(folder.join(path.file_name()?)))
    };
    !is_device(a) && (a == b || whole(a).is_some_and(|a| whole(b) == Some(a)))
}

/// Whether a path names something that may be written several times, such as `/dev/null`.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// The file that an argument names.
fn input(text: &OsStr) -> Option<PathBuf> {
    let path = PathBuf::from(text);
    if path.is_file() {
        return Some(path);
    }
    let spec = Spec::parse(text.to_str()?).ok()?;
    spec.path.map(PathBuf::from).filter(|path| path.is_file())
}
