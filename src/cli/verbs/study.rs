//! `study`: recomputes a table or figure of the papers.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::cli::{Context, Outcome, Run, Verb, output};
use crate::registry::{self, Kind};
use crate::study::KINDS;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "study",
    usage: "study STUDY [--output FOLDER]",
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
    /// Folder for its files [default: results/STUDY]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Run for StudyVerb {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let kind = registry::find(KINDS, "study", &self.study)?;
        let folder = self.output.clone().unwrap_or_else(|| ["results", kind.name].iter().collect());
        let progress = context.progress(0, "instances");
        let files = (kind.build)(&progress)?;
        drop(progress);
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
