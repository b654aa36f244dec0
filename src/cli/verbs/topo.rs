//! `topo`: describes a network, or exports it for other programs.

use anyhow::{Result, bail};
use serde_json::json;

use crate::cli::{Context, NetworkOptions, Outcome, OutputPath, Run, TOPOLOGY, Verb};
use crate::export::{EXPORTS, ROUTED_EXPORTS};
use crate::registry;
use crate::report::describe::{self, NetworkReport};

pub(super) const VERB: Verb = Verb {
    name: "topo",
    about: "Describe a topology, or export it for other programs",
    reference: "[OR] II.B, [RO] II",
    examples: &[
        "topo ft(8,3)",
        "topo xgft(2;8,8;1,4) --json",
        "topo universal(16,root=open)",
        "topo ft(4,2) --format dot",
    ],
    ..Verb::of::<Topo>()
};

#[derive(clap::Args)]
struct Topo {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Export the topology in FORMAT: see `routebound list exports`
    #[arg(long, alias = "export", value_name = "FORMAT")]
    format: Option<String>,
    /// Write the export to FILE; `-` is stdout
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
        context.show(&NetworkReport::new(&topology), || describe::network(&topology))
    }

    fn export(&self, format: &str, context: &Context) -> Result<()> {
        if ROUTED_EXPORTS.iter().any(|kind| kind.name == format) {
            bail!(
                "format `{format}` holds routes: use `routebound route TOPOLOGY ROUTING --format {format}`"
            );
        }
        let kind = registry::find(EXPORTS, "export format", format)?;
        context.claim_stdout("--output", &self.output)?;
        let topology = self.network.open_remarking(&self.topology, context)?;
        context.write(&self.output, |out| Ok((kind.build)(&topology, out)?))?;
        let export = json!({ "format": format, "file": self.output.display().to_string() });
        let record = json!({ "topology": topology.spec(), "export": export });
        context.show(&record, String::new)
    }
}
