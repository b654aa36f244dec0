//! `topo`: describes a network, or exports it for other programs.

use serde_json::json;

use super::prelude::*;
use crate::cli::NetworkOptions;
use crate::export::{EXPORTS, ROUTED_EXPORTS};
use crate::registry;
use crate::report::describe::{self, NetworkReport};
use crate::report::{LINK_LISTS, List};
use crate::topology::Topology;

pub(super) const VERB: Verb = Verb {
    name: "topo",
    about: "Describe a topology, or export it for other programs",
    reference: "[OR] II.B, [RO] II",
    examples: &[
        "topo ft(8,3)",
        "topo xgft(2;8,8;1,4) --json",
        "topo universal(16,root=open)",
        "topo ft(4,2) --format dot",
        "topo ft(4,2) --links=csv",
        "topo ft(4,2) --hosts",
    ],
    ..Verb::of::<Topo>()
};

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").args(["format", "links", "hosts"]))]
struct Topo {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Export the topology in FORMAT: see `routebound list exports`
    #[arg(long, alias = "export", value_name = "FORMAT")]
    format: Option<String>,
    /// List all links with ends and capacities, as table (the default), csv or json (one object per line)
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "table", conflicts_with = "format")]
    links: Option<String>,
    /// List all hosts with the switches that they are joined to, in the same formats
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "table", conflicts_with_all = ["format", "links"])]
    hosts: Option<String>,
    /// Write the export or the list to FILE; `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-", requires = "what")]
    output: OutputPath,
    #[command(flatten)]
    network: NetworkOptions,
}

impl Run for Topo {
    fn run(&self, context: &Context) -> Result<Outcome> {
        match (&self.format, &self.links, &self.hosts) {
            (Some(format), ..) => self.export(format, context)?,
            (_, Some(format), _) => self.list(format, "links", List::of_network, context)?,
            (.., Some(format)) => self.list(format, "hosts", List::of_hosts, context)?,
            _ => self.describe(context)?,
        }
        Ok(Outcome::Done)
    }
}

impl Topo {
    fn describe(&self, context: &Context) -> Result<()> {
        let topology = self.network.open_remarking(&self.topology, context)?;
        context.show(&NetworkReport::new(&topology), || describe::network(&topology))
    }

    /// Lists all `what` of the network.
    fn list(
        &self,
        format: &str,
        what: &str,
        list: impl FnOnce(&Topology) -> List<'_>,
        context: &Context,
    ) -> Result<()> {
        let kind = registry::find(LINK_LISTS, "list format", format)?;
        context.claim_stdout("--output", &self.output)?;
        let topology = self.network.open_remarking(&self.topology, context)?;
        context.write(&self.output, |out| Ok((kind.build)(list(&topology), out)?))?;
        let written = json!({ "format": format, "file": self.output.display().to_string() });
        let record = json!({ "topology": topology.spec(), what: written });
        context.show(&record, String::new)
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
