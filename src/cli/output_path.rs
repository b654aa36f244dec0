//! Where a verb writes to, as a type of its own, so that no input is overwritten.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ArgMatches;

use crate::spec::Spec;

/// The path of an option that names an output; `-` is stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPath(PathBuf);

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

/// Refuses a command that would write over a file that it reads: whatever else is named among its
/// arguments, plainly or in a spec such as `lft:FILE`.
///
/// # Errors
/// With both names.
pub(super) fn refuse_inputs(matches: &ArgMatches) -> Result<()> {
    let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
    for id in matches.ids() {
        if let Ok(Some(found)) = matches.try_get_many::<OutputPath>(id.as_str()) {
            outputs.extend(found.map(|path| path.0.clone()));
        } else if let Ok(Some(found)) = matches.try_get_raw(id.as_str()) {
            inputs.extend(found.filter_map(input));
        }
    }
    let same = |output: &PathBuf, input: &PathBuf| {
        fs::canonicalize(output)
            .is_ok_and(|output| fs::canonicalize(input).is_ok_and(|i| i == output))
    };
    for output in outputs.iter().filter(|output| output.is_file()) {
        if let Some(input) = inputs.iter().find(|input| same(output, input)) {
            let (output, input) = (output.display(), input.display());
            bail!("`{output}` would be written over the input `{input}`: name another file");
        }
    }
    Ok(())
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
