//! `study`: recomputes a table or figure of the papers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::cli::{Context, Outcome, OutputPath, Run, ShardOptions, Verb, output};
use crate::registry::{self, Kind};
use crate::study::{self, Job, KINDS, Study, StudyFile, Tier};

pub(super) const KIND: Kind<Verb> = Kind {
    name: "study",
    usage: "study STUDY|--all [--output FOLDER] [--small] [--shard I/N --part FILE]",
    options: &[],
    about: "Recompute a table or figure of the papers, with certificates, into a folder",
    reference: "see `routebound list studies`",
    examples: &["study or-table-1 --output target/or-table-1"],
    build: Verb::of::<StudyVerb>(),
};

#[derive(clap::Args)]
struct StudyVerb {
    /// Study, such as or-table-1: see `routebound list studies`
    #[arg(required_unless_present = "all")]
    study: Option<String>,
    /// Every study, one after the other; the files of each are written when it ends
    #[arg(long, conflicts_with_all = ["study", "shard", "part"])]
    all: bool,
    /// Folder for its files [default: results/STUDY; results/gl/... for gl-..., likewise go-, nb-, or-
    /// and ro-]; with --all for the folders of all [default: results]
    #[arg(long, value_name = "FOLDER")]
    output: Option<OutputPath>,
    /// Find only some rows of its tables, within seconds, and make neither page nor chart
    #[arg(long, requires = "output")]
    small: bool,
    #[command(flatten)]
    shard: ShardOptions,
}

impl Run for StudyVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let Some(name) = &self.study else { return self.make_all(context) };
        let kind = registry::find(KINDS, "study", name)?;
        let folder = self.output.as_deref().map(Path::to_path_buf);
        let folder = folder.unwrap_or_else(|| Path::new("results").join(study::folder(kind.name)));
        let files = self.made(kind, context);
        if let Some(part) = context.units().part()
            && (files.is_ok() || context.is_stopped())
        {
            return context.end_part(part);
        }
        let files = files?;
        context.inputs_are_read()?;
        context.units().check()?;
        let names = write(files, &folder, context)?;
        if context.json() {
            context.print_json(&json!({ "study": kind.name, "files": names }))?;
        }
        Ok(Outcome::Done)
    }
}

impl StudyVerb {
    fn made(&self, kind: &Kind<Study>, context: &Context) -> Result<Vec<StudyFile>> {
        let tier = if self.small { Tier::Small } else { Tier::Full };
        let progress = context.progress(kind.build.count(tier)?, "rows");
        let job = Job { tier, units: context.units(), progress: &progress };
        Ok(kind.build.make(&job)?)
    }

    fn make_all(&self, context: &Context) -> Result<Outcome> {
        let root = self.output.as_deref().map_or_else(|| "results".into(), Path::to_path_buf);
        let mut all = Vec::new();
        for kind in KINDS {
            context.remark(&format!("{}: {}", kind.name, kind.about));
            let files = self.made(kind, context)?;
            let names = write(files, &root.join(study::folder(kind.name)), context)?;
            all.push(json!({ "study": kind.name, "files": names }));
        }
        context.inputs_are_read()?;
        if context.json() {
            context.print_json(&all)?;
        }
        Ok(Outcome::Done)
    }
}

/// Writes files into a folder; their paths.
fn write(files: Vec<StudyFile>, folder: &Path, context: &Context) -> Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for file in files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            let cannot = || format!("cannot create the folder {}", parent.display());
            fs::create_dir_all(parent).with_context(cannot)?;
        }
        output::to_file(&path, |out| Ok(out.write_all(&file.bytes)?))?;
        names.push(path);
    }
    context.remark(&format!("wrote {} files into {}", names.len(), folder.display()));
    Ok(names)
}
