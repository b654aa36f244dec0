//! Options of verbs that open networks and routings.

use anyhow::{Result, bail};

use super::Context;
use crate::import::{self, ImportOptions};
use crate::routing::{self, Instance, Routing};
use crate::spec::Spec;
use crate::topology::{self, Topology};

/// How a network is read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Networks from files")]
pub struct NetworkOptions {
    /// Every link has capacity 1, whatever a file says about widths and speeds
    #[arg(long)]
    unit_capacity: bool,
}

impl NetworkOptions {
    /// The topology of a spec or a file.
    ///
    /// # Errors
    /// When it cannot be made or read.
    pub fn open(&self, text: &str, context: &Context) -> Result<Topology> {
        let options = ImportOptions { unit_capacity: self.unit_capacity };
        Ok(import::topology(&context.seeded(text, topology::KINDS), &options)?)
    }
}

/// How an instance is read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Networks from files")]
pub struct InstanceOptions {
    #[command(flatten)]
    network: NetworkOptions,
    /// LIDs that sources use where a destination has several (LMC > 0): `base`, a number K for
    /// base LID + K, `all` for an even share, or a file of lines `host K` [default: base]
    #[arg(long, value_name = "LIDS")]
    lmc: Option<String>,
}

impl InstanceOptions {
    /// A topology with its routing.
    ///
    /// # Errors
    /// When either cannot be made or read, or the routing does not fit.
    pub fn open(&self, topology: &str, routing: &str, context: &Context) -> Result<Instance> {
        let topology = self.network.open(topology, context)?;
        let routing = self.routing(routing, &topology, context)?;
        Ok(Instance { topology, routing })
    }

    fn routing(
        &self,
        text: &str,
        topology: &Topology,
        context: &Context,
    ) -> Result<Box<dyn Routing>> {
        let text = match &self.lmc {
            Some(lids) => with_lids(text, lids)?,
            None => context.seeded(text, routing::KINDS),
        };
        Ok(routing::build(&text, topology)?)
    }
}

/// The routing spec with option `lid`.
fn with_lids(text: &str, lids: &str) -> Result<String> {
    let mut spec = Spec::parse(text)?;
    if spec.name != "lft" {
        bail!("`--lmc` chooses among the LIDs of forwarding tables (lft:FILE), not for `{spec}`");
    }
    if spec.option("lid").is_some() {
        bail!("`--lmc {lids}` and the option lid of `{spec}` say it twice: leave one out");
    }
    spec.set_default("lid", lids);
    Ok(spec.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lids_go_into_the_spec_once() {
        assert_eq!(with_lids("lft:a.dump", "all").unwrap(), "lft(lid=all):a.dump");
        assert_eq!(with_lids("LFT:A", "x/Y.txt").unwrap(), "lft(lid=\"x/Y.txt\"):A");
        assert!(with_lids("lft(lid=1):a", "2").is_err());
        assert!(with_lids("dmodk", "2").is_err());
    }
}
