//! `study`: recomputes a table or figure of the papers.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::cli::{Context, Outcome, OutputPath, Run, ShardOptions, Verb, output};
use crate::registry::{self, Kind};
use crate::study::{self, KINDS};

pub(super) const KIND: Kind<Verb> = Kind {
    name: "study",
    usage: "study STUDY [--output FOLDER] [--shard I/N --part FILE]",
    options: &[],
    about: "Recompute a table or figure of the papers, with certificates, into a folder",
    reference: "see `routebound list studies`",
    examples: &["study or-table-1 --output target/or-table-1"],
    build: Verb::of::<StudyVerb>(),
};

#[derive(clap::Args)]
struct StudyVerb {
    /// Study, such as or-table-1: see `routebound list studies`
    study: String,
    /// Folder for its files [default: results/STUDY; results/gl/... for gl-..., likewise go- and ro-]
    #[arg(long, value_name = "FOLDER")]
    output: Option<OutputPath>,
    #[command(flatten)]
    shard: ShardOptions,
}

impl Run for StudyVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let kind = registry::find(KINDS, "study", &self.study)?;
        let folder = self.output.as_deref().map(Path::to_path_buf);
        let folder = folder.unwrap_or_else(|| Path::new("results").join(study::folder(kind.name)));
        let progress = context.progress(0, "instances");
        let files = (kind.build)(context.units(), &progress);
        drop(progress);
        if let Some(part) = context.units().part()
            && (files.is_ok() || context.is_stopped())
        {
            return context.end_part(part);
        }
        let files = files?;
        context.inputs_are_read()?;
        context.units().check()?;
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
        if context.json() {
            context.print_json(&json!({ "study": kind.name, "files": names }))?;
        }
        Ok(Outcome::Done)
    }
}
