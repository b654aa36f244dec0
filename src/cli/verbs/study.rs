//! `study`: recomputes a table or figure of the papers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use super::prelude::*;
use crate::cli::{OutputFolder, ShardOptions, output};
use crate::registry::{self, Kind};
use crate::study::{self, Job, KINDS, Study, StudyFile, Tier};

pub(super) const VERB: Verb = Verb {
    name: "study",
    about: "Recompute a table or figure of the papers, with certificates, into a folder",
    reference: "see `routebound list studies`",
    examples: &["study or-table-1 --output target/or-table-1"],
    ..Verb::of::<StudyVerb>()
};

#[derive(clap::Args)]
struct StudyVerb {
    /// Study to recompute, such as or-table-1: see `routebound list studies`
    #[arg(required_unless_present = "all")]
    study: Option<String>,
    /// Recompute every study, one after the other; the files of each are written when it ends
    #[arg(long, conflicts_with_all = ["study", "shard", "part"])]
    all: bool,
    /// Folder to write to [default: results/STUDY; results/gl/... for gl-..., likewise go-, nb-, or-
    /// and ro-]; with --all, the folder of the folders of all studies [default: results]
    #[arg(long, value_name = "FOLDER")]
    output: Option<OutputFolder>,
    /// Compute only some rows of the tables, in seconds, without charts; the page says so
    #[arg(long)]
    small: bool,
    #[command(flatten)]
    shard: ShardOptions,
}

impl Run for StudyVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let Some(name) = &self.study else { return self.make_all(context) };
        let kind = registry::find(KINDS, "study", name)?;
        let folder = self.folder(kind);
        let files = self.made(kind, context);
        if let Some(part) = context.units().part()
            && (files.is_ok() || context.is_stopped())
        {
            return context.end_part(part);
        }
        let files = files?;
        context.inputs_are_read()?;
        context.units().check()?;
        let names = write(files, (kind, &folder), context)?;
        if context.json() {
            context.print_json(&json!({ "study": kind.name, "files": names }))?;
        }
        Ok(Outcome::Done)
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        if self.shard.is_given() {
            return Ok(());
        }
        if self.small && self.output.is_none() {
            bail!("`--small` finds only some rows: name a folder for them with `--output`");
        }
        let check = |kind: &Kind<Study>, folder: &Path| {
            allowed.study(folder, kind.name)?;
            output::try_folder(folder)
        };
        if self.all {
            return KINDS.iter().try_for_each(|kind| check(kind, &self.folder_of_all(kind)));
        }
        let kind = self.study.as_deref().map(|name| registry::find(KINDS, "study", name));
        kind.transpose()?.map_or(Ok(()), |kind| check(kind, &self.folder(kind)))
    }
}

impl StudyVerb {
    /// The folder of the files of a study.
    fn folder(&self, kind: &Kind<Study>) -> PathBuf {
        let folder = self.output.as_deref().map(Path::to_path_buf);
        folder.unwrap_or_else(|| Path::new("results").join(study::folder(kind.name)))
    }

    /// The folder of the files of a study where all studies are made.
    fn folder_of_all(&self, kind: &Kind<Study>) -> PathBuf {
        let root = self.output.as_deref().unwrap_or_else(|| Path::new("results"));
        root.join(study::folder(kind.name))
    }

    fn made(&self, kind: &Kind<Study>, context: &Context) -> Result<Vec<StudyFile>> {
        let tier = if self.small { Tier::Small } else { Tier::Full };
        let progress = context.progress(kind.build.count(tier)?, "rows");
        let job = Job { tier, units: context.units(), progress: &progress };
        let mut files = kind.build.make(&job)?;
        files.extend(self.small.then(|| page_of_small(kind)));
        Ok(files)
    }

    fn make_all(&self, context: &Context) -> Result<Outcome> {
        let mut all = Vec::new();
        for kind in KINDS {
            context.remark(&format!("{}: {}", kind.name, kind.about));
            let files = self.made(kind, context)?;
            // A folder that cannot be written says nothing about the next.
            let written = write(files, (kind, &self.folder_of_all(kind)), context);
            if let Some(names) = context.beside(written) {
                all.push(json!({ "study": kind.name, "files": names }));
            }
        }
        context.inputs_are_read()?;
        if context.json() {
            context.print_json(&json!({ "studies": all }))?;
        }
        Ok(Outcome::Done)
    }
}

/// The page of a study of which only some rows were found, by which its folder is known.
fn page_of_small(kind: &Kind<Study>) -> StudyFile {
    let name = kind.name;
    let text = format!(
        "Made by `routebound study {name} --small`.\n\
         The tables have only some of the rows that `routebound study {name}` finds.\n"
    );
    StudyFile { path: "README.md".to_string(), bytes: text.into_bytes() }
}

/// Writes the files of a study into a folder; their paths.
fn write(
    files: Vec<StudyFile>,
    (kind, folder): (&Kind<Study>, &Path),
    context: &Context,
) -> Result<Vec<PathBuf>> {
    // Somebody may have put files there during the work.
    context.overwriting().study(folder, kind.name)?;
    let (mut names, mut failure) = (Vec::new(), None);
    for file in files {
        let path = folder.join(&file.path);
        // One that cannot be written says nothing about the next.
        match write_one(&path, &file.bytes) {
            Ok(()) => names.push(path),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    context.remark(&format!("wrote {} files into {}", names.len(), folder.display()));
    failure.map_or(Ok(names), Err)
}

fn write_one(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(parent) = path.parent() {
        let cannot = || format!("cannot create the folder {}", parent.display());
        fs::create_dir_all(parent).with_context(cannot)?;
    }
    output::to_file(path, |out| Ok(out.write_all(bytes)?))
}
