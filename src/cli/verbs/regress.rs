//! `regress`: recomputes the exact values of cases.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Error;

use super::prelude::*;
use crate::cases::{self, Case, CaseFile, Difference, Home, MAX_BYTES};
use crate::input::STDIN;
use crate::progress::Progress;
use crate::report::RegressionReport;

pub(super) const VERB: Verb = Verb {
    name: "regress",
    about: "Recompute the exact values of test cases and report changes",
    reference: "this project; instances/regress",
    examples: &[
        "regress cases.toml",
        "regress cases.toml --json",
        "regress instances/regress/papers.toml",
    ],
    made_by: &[
        r#"echo 'case = [{ topology = "ft(4,2)", routing = "dmodk", oblivious_ratio = "<= 2" }]' > cases.toml"#,
    ],
    ..Verb::of::<Regress>()
};

#[derive(clap::Args)]
struct Regress {
    /// TOML files with cases, or folders to search for them (recursively); `-` is stdin. Paths in cases are
    /// relative to the working directory
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Update values in the files that have changed
    #[arg(long)]
    bless: bool,
    /// Add a case for every routing and traffic pattern that has none, to the file with similar cases or a
    /// new one beside it
    #[arg(long, conflicts_with = "bless")]
    add_missing: bool,
}

impl Run for Regress {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let option = if self.bless { "--bless" } else { "--add-missing" };
        let rewrites = self.bless || self.add_missing;
        if rewrites && self.paths.iter().any(|path| path == Path::new(STDIN)) {
            bail!("`{option}` rewrites case files, and `-` is not a file: name one");
        }
        // All files are read before the first case is computed.
        let mut files = read_all(&self.paths, context)?;
        let progress = context.progress(0, "sources");
        let mut report = RegressionReport::default();
        let mut failure: Option<Error> = None;
        if self.add_missing {
            failure = add_missing(&mut files, &mut report, &progress, context);
        }
        for file in &files {
            let mut results = cases::run(file, &progress);
            report.add(file, &results);
            let failed = results.iter().position(Result::is_err);
            if let Some(failed) = failed {
                failure = failure.or(results.swap_remove(failed).err().map(Error::from));
            } else if self.bless && results.iter().flatten().any(|found| !found.is_empty()) {
                let differences: Vec<Difference> =
                    results.into_iter().flatten().flatten().collect();
                match rewrite(file, &differences, context) {
                    Ok(()) => report.blessed.push(file.path.clone()),
                    Err(error) => failure = failure.or(Some(error)),
                }
            }
        }
        drop(progress);
        context.show(&report, || report.text())?;
        let fine = report.differences.is_empty() || self.bless;
        failure.map_or(Ok(if fine { Outcome::Done } else { Outcome::CheckFailed }), Err)
    }
}

fn read_all(paths: &[PathBuf], context: &Context) -> Result<Vec<CaseFile>> {
    let mut files = Vec::new();
    for path in paths {
        for path in cases::case_files(path)? {
            files.push(cases::read(
                &path.display().to_string(),
                &context.read_text(&path, MAX_BYTES)?,
            )?);
        }
    }
    Ok(files)
}

/// Adds the missing cases to the files, also on disk; returns why the first that could not be added was not.
fn add_missing(
    files: &mut Vec<CaseFile>,
    report: &mut RegressionReport,
    progress: &Progress,
    context: &Context,
) -> Option<Error> {
    let found = cases::with_values(&cases::missing(files), progress);
    let (mut failure, mut changed) = (None, BTreeSet::new());
    for case in found {
        match case.map_err(Error::from).and_then(|case| add(&case, files, report)) {
            Ok(home) => {
                changed.insert(home);
            }
            Err(error) => {
                report.failures.push(error.to_string());
                failure.get_or_insert(error);
            }
        }
    }
    for file in changed {
        let CaseFile { path, text, .. } = &files[file];
        let write = |out: &mut dyn Write| Ok(out.write_all(text.as_bytes())?);
        if let Err(error) = context.rewrite(Path::new(path), write) {
            let place = format!("{path}: ");
            report.added.retain(|added| !added.starts_with(&place));
            report.failures.push(format!("{error:#}"));
            failure.get_or_insert(error);
        }
    }
    failure
}

/// Adds a case to the file to which it belongs, and returns the place of that file.
fn add(case: &Case, files: &mut Vec<CaseFile>, report: &mut RegressionReport) -> Result<usize> {
    let name = case.name();
    let home = match cases::home_of(case, files) {
        Home::File(home) => home,
        Home::New(path) => {
            files.push(CaseFile { path, text: String::new(), cases: Vec::new() });
            files.len() - 1
        }
        Home::Unread(path) => {
            bail!("no case of {name} is added: it belongs in {path}: name that file too")
        }
    };
    files[home] = cases::with_case(&files[home], case)?;
    report.added.push(format!("{}: {name}", files[home].path));
    Ok(home)
}

fn rewrite(file: &CaseFile, differences: &[Difference], context: &Context) -> Result<()> {
    let blessed = cases::bless(file, differences)?;
    context.rewrite(Path::new(&file.path), |out| Ok(out.write_all(blessed.as_bytes())?))
}
