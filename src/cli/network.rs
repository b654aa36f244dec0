//! Options of verbs that open networks and routings.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use super::{Context, FailureOptions};
use crate::failure::{self, Cable, Damage, FailureError, LostPairs, Remainder};
use crate::import::{self, ImportOptions, LinkModel};
use crate::routing::{self, Instance, Routing, RoutingError};
use crate::spec::{Spec, SpecError};
use crate::topology::{self, Topology};

/// Help on the argument that names a topology.
pub const TOPOLOGY: &str = "Topology, such as 'ft(8,3)', or the file of a network: see `routebound list \
    topologies formats`";

/// Help on the argument that names a routing.
pub const ROUTING: &str = "Routing, such as dmodk, or forwarding tables, such as lft:FILE: see `routebound list \
    routings`";

/// Options for how a network is read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Networks from files")]
pub struct NetworkOptions {
    /// Give every link capacity 1, ignoring widths and speeds in the file
    #[arg(long)]
    unit_capacity: bool,
    /// Merge parallel cables into one link with their total capacity
    #[arg(long, conflicts_with = "undirected_shared")]
    merge_cables: bool,
    #[command(flatten)]
    links: LinkOptions,
    #[command(flatten)]
    failures: FailureOptions,
}

/// Meaning of undirected links in general networks (GraphML, SNDlib, DOT, LGF, JSON, edge list).
#[derive(Clone, Debug, clap::Args)]
#[group(id = "link_model", multiple = false)]
#[command(next_help_heading = "Networks from files")]
struct LinkOptions {
    /// Give each direction of an undirected link its full capacity (the default)
    #[arg(long)]
    bidirected: bool,
    /// Share the capacity of an undirected link between its two directions
    #[arg(long)]
    undirected_shared: bool,
    /// Read undirected links as directed, from the first end to the second
    #[arg(long)]
    directed: bool,
}

impl LinkOptions {
    fn model(&self) -> LinkModel {
        match (self.undirected_shared, self.directed) {
            (true, _) => LinkModel::UndirectedShared,
            (_, true) => LinkModel::Directed,
            // Whether or not it is given.
            _ => LinkModel::Bidirected,
        }
    }
}

impl NetworkOptions {
    /// Whether options are given that change a generated network.
    #[must_use]
    pub fn changes_networks(&self) -> bool {
        self.unit_capacity || self.failures.is_given()
    }

    /// Opens the topology of a spec or a file and removes what fails. Its notes say how a file was read
    /// and what fails; they are part of the result.
    ///
    /// # Errors
    /// When it cannot be built or read, or what fails does not exist.
    pub fn open(&self, text: &str, context: &Context) -> Result<Topology> {
        let topology = self.open_whole(text, context)?;
        let cables = self.failures.cables(&topology, context)?;
        if cables.is_empty() {
            return Ok(topology);
        }
        Ok(damaged(&topology, &cables, context)?)
    }

    /// Opens a topology like [`Self::open`], but prints its notes on stderr.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_remarking(&self, text: &str, context: &Context) -> Result<Topology> {
        let topology = self.open(text, context)?;
        for note in topology.notes() {
            context.remark(&format!("{text}: {note}"));
        }
        Ok(topology)
    }

    /// Opens the topology of a spec or a file with all its cables.
    fn open_whole(&self, text: &str, context: &Context) -> Result<Topology> {
        let Self { unit_capacity, merge_cables, .. } = *self;
        let options = ImportOptions { unit_capacity, merge_cables, link_model: self.links.model() };
        let seeded = context.seeded(text, topology::KINDS);
        let read = || Ok(import::topology(&seeded, &options)?);
        context.reading(text, read)
    }
}

/// Options for how a network and its routing are read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Networks from files")]
pub struct InstanceOptions {
    /// LIDs that sources use where a destination has several (LMC > 0): `base`, K for base LID + K, `all`
    /// for an even split, or a file of lines `host K` or lids.csv of `route --save-opensm` (`-` is stdin) [default: base]
    #[arg(long, value_name = "LIDS")]
    lmc: Option<String>,
    #[command(flatten)]
    network: NetworkOptions,
}

impl InstanceOptions {
    /// Whether links fail, or options are given that no generated network has.
    #[must_use]
    pub fn changes_networks(&self) -> bool {
        let NetworkOptions { links, failures, .. } = &self.network;
        self.lmc.is_some() || links.undirected_shared || failures.is_given()
    }

    /// Whether LIDs are chosen here, whatever a file beside forwarding tables says.
    #[must_use]
    pub fn chooses_lids(&self) -> bool {
        self.lmc.is_some()
    }

    /// Opens a topology without a routing, and removes what fails.
    ///
    /// # Errors
    /// When it cannot be built or read, or LIDs are chosen, which only forwarding tables have.
    pub fn open_topology(&self, topology: &str, context: &Context) -> Result<Topology> {
        if let Some(lids) = &self.lmc {
            bail!("`--lmc {lids}` chooses among the LIDs of forwarding tables, but none are given");
        }
        self.network.open(topology, context)
    }

    /// Opens a network for any number of routings.
    ///
    /// # Errors
    /// When it cannot be built or read, or what fails does not exist.
    pub fn open_network(&self, topology: &str, context: &Context) -> Result<OpenNetwork> {
        let whole = Arc::new(self.network.open_whole(topology, context)?);
        let cables = self.network.failures.cables(&whole, context)?;
        let left = match cables.as_slice() {
            [] => Arc::clone(&whole),
            cables => Arc::new(damaged(&whole, cables, context)?),
        };
        Ok(OpenNetwork { whole, cables, left })
    }

    /// Opens a routing of a network; it must still reach every host when what fails is removed.
    ///
    /// # Errors
    /// When it cannot be built or read, does not fit, or does not reach a host any more.
    pub fn open_routing(
        &self,
        network: &OpenNetwork,
        routing: &str,
        context: &Context,
    ) -> Result<Instance> {
        let OpenNetwork { whole, cables, .. } = network;
        let routing = self.routing(routing, whole, context)?;
        if cables.is_empty() {
            return Ok(Instance::trusted(Arc::clone(whole), routing));
        }
        Ok(failure::fail(whole, routing.into(), cables)?)
    }

    /// Opens a routing of a network like [`Self::open_routing`], where pairs may have lost their path.
    ///
    /// # Errors
    /// When it cannot be built or read, or does not fit.
    pub fn open_remaining_routing(
        &self,
        network: &OpenNetwork,
        routing: &str,
        context: &Context,
    ) -> Result<Remainder> {
        let OpenNetwork { whole, cables, .. } = network;
        let routing = self.routing(routing, whole, context)?;
        if cables.is_empty() {
            let instance = Instance::trusted(Arc::clone(whole), routing);
            return Ok(Remainder { instance, cut_off: Vec::new(), lost: LostPairs::default() });
        }
        let left = failure::remaining(whole, routing.into(), cables)?;
        if left.lost.count > 0 {
            context.fails_check();
        }
        Ok(left)
    }

    /// Opens a topology and its routing, and removes what fails; pairs may have lost their path.
    ///
    /// # Errors
    /// When either cannot be built or read, or the routing does not fit.
    pub fn open_remaining(
        &self,
        topology: &str,
        routing: &str,
        context: &Context,
    ) -> Result<Remainder> {
        let network = self.open_network(topology, context)?;
        self.open_remaining_routing(&network, routing, context)
    }

    /// Opens a topology and its routing, and removes what fails.
    ///
    /// # Errors
    /// When either cannot be built or read, or the routing does not fit or does not reach a host any more.
    pub fn open(&self, topology: &str, routing: &str, context: &Context) -> Result<Instance> {
        let network = self.open_network(topology, context)?;
        self.open_routing(&network, routing, context)
    }

    /// Opens a topology and its routing with all cables.
    ///
    /// # Errors
    /// When either cannot be built or read, or the routing does not fit.
    pub fn open_whole(&self, topology: &str, routing: &str, context: &Context) -> Result<Instance> {
        let topology = self.network.open_whole(topology, context)?;
        let routing = self.routing(routing, &topology, context)?;
        Ok(Instance::trusted(topology, routing))
    }

    fn routing(
        &self,
        text: &str,
        topology: &Topology,
        context: &Context,
    ) -> Result<Box<dyn Routing>> {
        let text = match &self.lmc {
            Some(lids) => with_lids(text, lids)?,
            None => routing::each_plane(text, |routing| context.seeded(routing, routing::KINDS)),
        };
        context.reading(&text, || {
            routing::build(&text, topology).map_err(|error| forgotten_kind(&text, error))
        })
    }
}

/// The network without the cables; hosts that are cut off fail the check.
fn damaged(
    whole: &Topology,
    cables: &[Cable],
    context: &Context,
) -> Result<Topology, FailureError> {
    let Damage { topology, cut_off, .. } = failure::damage(whole, cables)?;
    if !cut_off.is_empty() {
        context.fails_check();
    }
    Ok(topology)
}

/// A network that is read once, for any number of routings.
#[derive(Debug)]
pub struct OpenNetwork {
    whole: Arc<Topology>,
    cables: Vec<Cable>,
    /// The network after removal of what fails.
    left: Arc<Topology>,
}

impl OpenNetwork {
    /// The network after removal of what fails.
    #[must_use]
    pub fn topology(&self) -> &Arc<Topology> {
        &self.left
    }
}

/// Suggests what is meant by a bare file or folder in place of a routing.
fn forgotten_kind(text: &str, error: RoutingError) -> anyhow::Error {
    if matches!(error, RoutingError::Spec(SpecError::File(_))) && !Path::new(text).exists() {
        anyhow!("{text}: no such file; forwarding tables are lft:FILE, explicit paths table:FILE")
    } else if Path::new(text).exists() {
        anyhow!(
            "`{text}` is a file or folder, not a routing: did you mean `lft:{text}` (forwarding \
             tables) or `table:{text}` (explicit paths)?"
        )
    } else {
        error.into()
    }
}

/// The routing spec with option `lid`.
fn with_lids(text: &str, lids: &str) -> Result<String> {
    let mut spec = Spec::parse(text)?;
    if spec.name != "lft" {
        bail!("`--lmc` is for forwarding tables (lft:FILE), not for `{spec}`");
    }
    if spec.option("lid").is_some() {
        bail!("`--lmc {lids}` and the option lid of `{spec}` both choose LIDs: leave one out");
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
