//! `merge`: the report of a command from the parts of its shards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;

use super::prelude::*;
use crate::cli::{OutputFolder, output_path, overwriting, sharing, usage};
use crate::shards::{Command, Parts};

pub(super) const VERB: Verb = Verb {
    name: "merge",
    about: "Combine the parts of all shards into the output of an unsharded run",
    reference: "crates/analysis/src/shards/mod.rs",
    examples: &["merge part-1 part-2", "merge part-1 part-2 --certificate merged.cert --json"],
    made_by: &[
        "routebound ratio 'ft(4,2)' dmodk --shard 1/2 --part part-1",
        "routebound ratio 'ft(4,2)' dmodk --shard 2/2 --part part-2",
    ],
    ..Verb::of::<Merge>()
};

#[derive(clap::Args)]
struct Merge {
    /// Parts of all shards, written by `--shard I/N --part FILE`
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Write the certificate to FILE, like `ratio`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    certificate: Option<OutputPath>,
    /// Write the worst-case traffic to FILE, like `ratio` and `attack`; `-` is stdout
    #[arg(long, value_name = "FILE")]
    save_traffic: Option<OutputPath>,
    /// Format of the traffic: see `routebound list traffic-formats` [default: by file extension]
    #[arg(long, alias = "traffic-format", value_name = "FORMAT", requires = "save_traffic")]
    format: Option<String>,
    /// Write K permutations instead of the worst case, like `ratio`
    #[arg(long, value_name = "K", requires = "save_traffic", conflicts_with = "worst_links")]
    count: Option<String>,
    /// Write a worst permutation for each of the K most loaded links, like `ratio`
    #[arg(long, value_name = "K|all", requires = "save_traffic")]
    worst_links: Option<String>,
    /// Folder for the files of a study, like `study`
    #[arg(long, value_name = "FOLDER")]
    output: Option<OutputFolder>,
}

impl Run for Merge {
    fn run(&self, context: &Context) -> Result<Outcome> {
        if context.seed().is_some() {
            bail!("`--seed` was given to the shards: leave it out");
        }
        let paths = self.parts.iter().map(|path| &**path);
        let parts = context.reading("the parts", || Ok(Parts::open(paths)?))?;
        sharing::parsed(parts.command())?;
        let matches = crate::cli::command().try_get_matches_from(self.words(parts.command())?);
        let matches = matches.map_err(|error| anyhow!("{}", usage::sentence(&error)))?;
        let verb = sharing::verb_of(&matches)?;
        let Some((_, own)) = matches.subcommand() else { return Ok(Outcome::Done) };
        output_path::refuse_inputs(own)?;
        overwriting::check(verb, own, context.overwriting())?;
        let merging = context.merging(&matches, Arc::new(parts).into())?;
        let merged = sharing::merged((verb.run)(own, &merging), merging.units());
        let outcome = merging.ended(merged)?;
        if verb.name == "ratio" {
            context.remark(
                "the certificate proves the ratio; the worst loads of other links are taken from the parts",
            );
        }
        Ok(outcome)
    }
}

impl Merge {
    /// The command of the parts with the options that say where results go, which come first: what
    /// follows `--` is not an option.
    fn words(&self, command: &Command) -> Result<Vec<String>> {
        let (verb, rest) = command.0.split_at(command.0.len().min(1));
        let path = |path: Option<&Path>, option: &str| {
            let Some(path) = path else { return Ok(None) };
            let text = sharing::text(path.as_os_str())?;
            Ok::<_, anyhow::Error>(Some(format!("--{option}={text}")))
        };
        let other = |value: &Option<String>, option: &str| {
            value.as_ref().map(|value| format!("--{option}={value}"))
        };
        let outputs = [
            path(self.certificate.as_deref(), "certificate")?,
            path(self.save_traffic.as_deref(), "save-traffic")?,
            other(&self.format, "format"),
            other(&self.count, "count"),
            other(&self.worst_links, "worst-links"),
            path(self.output.as_deref(), "output")?,
        ];
        let outputs = outputs.into_iter().flatten().collect();
        Ok([vec!["routebound".to_string()], verb.to_vec(), outputs, rest.to_vec()].concat())
    }
}
