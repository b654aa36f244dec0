//! `merge`: the report of a command from the parts of its shards.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};

use crate::cli::{Context, Outcome, OutputPath, Run, Verb, output_path, sharing};
use crate::distribution::{Command, Parts};
use crate::registry::Kind;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "merge",
    usage: "merge PART... [--certificate FILE] [--traffic FILE] [--output FOLDER]",
    options: &[],
    about: "Put the parts of all shards of ratio, attack or study together: the same output as without shards",
    reference: "src/distribution/mod.rs",
    examples: &["merge part-1 part-2", "merge part-1 part-2 --certificate merged.cert --json"],
    build: Verb::of::<Merge>(),
};

#[derive(clap::Args)]
struct Merge {
    /// The parts of all shards, which were written by `--shard` and `--part`
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Write the certificate here, as `ratio` does
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    /// Write the worst-case traffic here, as `ratio` and `attack` do
    #[arg(long, value_name = "FILE")]
    traffic: Option<OutputPath>,
    /// Its format, as there
    #[arg(long, value_name = "FORMAT", requires = "traffic")]
    traffic_format: Option<String>,
    /// Folder for the files of a study, as `study` has it
    #[arg(long, value_name = "FOLDER")]
    output: Option<OutputPath>,
}

impl Run for Merge {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let paths = self.parts.iter().map(|path| &**path);
        let parts = context.reading("the parts", || Ok(Parts::open(paths)?))?;
        sharing::parsed(parts.command())?;
        let command = Command([&parts.command().0[..], &self.outputs()?].concat());
        let words = std::iter::once("routebound").chain(command.0.iter().map(String::as_str));
        let matches = crate::cli::command().try_get_matches_from(words);
        let matches = matches.map_err(|error| anyhow!("{}", crate::cli::usage_error(&error)))?;
        let verb = sharing::verb_of(&matches)?;
        let Some((_, own)) = matches.subcommand() else { return Ok(Outcome::Done) };
        output_path::refuse_inputs(own)?;
        let merging = context.merging(&matches, Arc::new(parts).into())?;
        (verb.build.run)(own, &merging).context("these parts cannot be merged")
    }
}

impl Merge {
    /// The options that say where results go.
    fn outputs(&self) -> Result<Vec<String>> {
        let path = |path: &Option<OutputPath>, option: &str| {
            let Some(path) = path else { return Ok(None) };
            let text = path.to_str().ok_or_else(|| anyhow!("`{}` is no text", path.display()))?;
            Ok::<_, anyhow::Error>(Some(format!("--{option}={text}")))
        };
        let format = self.traffic_format.as_ref().map(|name| format!("--traffic-format={name}"));
        let outputs = [
            path(&self.certificate, "certificate")?,
            path(&self.traffic, "traffic")?,
            format,
            path(&self.output, "output")?,
        ];
        Ok(outputs.into_iter().flatten().collect())
    }
}
