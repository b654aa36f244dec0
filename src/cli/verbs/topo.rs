//! `topo`: describes a network, or exports it for other programs.

use std::path::Path;

use anyhow::{Result, bail};
use serde_json::json;

use crate::cli::{Context, NetworkOptions, Outcome, OutputPath, Run, Verb};
use crate::export::{EXPORTS, ROUTED_EXPORTS};
use crate::registry::{self, Kind};
use crate::report::describe::{self, NetworkReport};

pub(super) const KIND: Kind<Verb> = Kind {
    name: "topo",
    usage: "topo TOPOLOGY [--format FORMAT] [--output FILE]",
    options: &[],
    about: "Describe a topology, or write it in the format of another program",
    reference: "[OR] II.B, [RO] II",
    examples: &[
        "topo ft(8,3)",
        "topo xgft(2;8,8;1,4) --json",
        "topo universal(16,root=open)",
        "topo ft(4,2) --format dot",
    ],
    build: Verb::of::<Topo>(),
};

#[derive(clap::Args)]
struct Topo {
    /// Topology, such as 'ft(8,3)': see `routebound list topologies`
    topology: String,
    /// Write the topology in this format instead: see `routebound list exports`
    #[arg(long, alias = "export", value_name = "FORMAT")]
    format: Option<String>,
    /// File for the export; `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-", requires = "format")]
    output: OutputPath,
    #[command(flatten)]
    network: NetworkOptions,
}

impl Run for Topo {
    fn run(&self, context: &Context) -> Result<Outcome> {
        match &self.format {
            Some(format) => self.export(format, context)?,
            None => self.describe(context)?,
        }
        Ok(Outcome::Done)
    }
}

impl Topo {
    fn describe(&self, context: &Context) -> Result<()> {
        let topology = self.network.open_remarking(&self.topology, context)?;
        if context.json() {
            return context.print_json(&NetworkReport::new(&topology));
        }
        context.print(&describe::network(&topology))
    }

    fn export(&self, format: &str, context: &Context) -> Result<()> {
        if ROUTED_EXPORTS.iter().any(|kind| kind.name == format) {
            bail!(
                "format `{format}` holds routes: use `routebound route TOPOLOGY ROUTING --format {format}`"
            );
        }
        let kind = registry::find(EXPORTS, "export format", format)?;
        refuse_two_outputs(&self.output, context)?;
        let topology = self.network.open_remarking(&self.topology, context)?;
        context.write(&self.output, |out| Ok((kind.build)(&topology, out)?))?;
        if context.json() {
            let export = json!({ "format": format, "file": self.output.display().to_string() });
            context.print_json(&json!({ "topology": topology.spec(), "export": export }))?;
        }
        Ok(())
    }
}

/// Refuses an output and a JSON object that would both go to stdout.
pub(super) fn refuse_two_outputs(output: &Path, context: &Context) -> Result<()> {
    if context.json() && output == Path::new("-") {
        bail!("the output and `--json` cannot both go to stdout: add `--output FILE`");
    }
    Ok(())
}
