//! Opening traffic: a spec or a file.

use anyhow::Result;

use super::Context;
use crate::import::traffic::Hosts;
use crate::routing::Routing;
use crate::topology::{Host, Topology, Whole, host_number};
use crate::traffic::{self, Demand, TrafficMatrix};

/// Help on the argument that names traffic.
pub const TRAFFIC: &str = "Traffic, such as 'shift(1)', or a traffic file: see `routebound list traffic \
    traffic-files`";

/// Traffic in the form that verbs use.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Canonical spec or path.
    pub spec: String,
    /// Demands between different hosts of the topology.
    pub demands: traffic::Traffic,
    /// Number of demands from a host to itself, which were left out.
    pub self_demands: usize,
    /// Notes on how a file was read.
    pub notes: Vec<String>,
}

impl Traffic {
    /// The traffic that `text` describes, between the hosts of `topology`.
    ///
    /// # Errors
    /// When it cannot be built or read.
    pub fn open(text: &str, topology: &Topology, context: &Context) -> Result<Self> {
        let Some(Whole { topology: whole, hosts }) = topology.whole() else {
            let (spec, demands, notes) = context.open_traffic(text, Hosts::Of(topology))?;
            let self_demands = demands.self_demands();
            return Ok(Self { spec, demands, self_demands, notes });
        };
        // The hosts that are cut off take part in a pattern, and files name them.
        let traffic = Self::open(text, whole, context)?;
        let left = |host: &Host| hosts.binary_search(host).ok().map(host_number);
        traffic
            .restricted(hosts.len(), "whose ends are cut off", |s, d| Some((left(&s)?, left(&d)?)))
    }

    /// The demands of pairs that `routing` has a path for.
    ///
    /// # Errors
    /// When there are too many to list.
    pub fn of_pairs_with_paths(self, routing: &dyn Routing) -> Result<Self> {
        if routing.lost_pairs() == 0 {
            return Ok(self);
        }
        let (hosts, mut links) = (self.demands.hosts(), Vec::new());
        self.restricted(hosts, "that have no path", |s, d| {
            let mut has_path = false;
            routing.for_each_path(s, d, &mut links, &mut |_, _| has_path = true);
            has_path.then_some((s, d))
        })
    }

    /// The demands of pairs that are left, with their new numbers.
    fn restricted(
        self,
        hosts: usize,
        which: &str,
        mut left: impl FnMut(Host, Host) -> Option<(Host, Host)>,
    ) -> Result<Self> {
        let Self { spec, demands, self_demands, mut notes } = self;
        let matrix = demands.into_matrix()?;
        let demand = |Demand { s, d, amount }: &Demand| {
            left(*s, *d).map(|(s, d)| Demand { s, d, amount: amount.clone() })
        };
        let kept: Vec<Demand> = matrix.demands().iter().filter_map(demand).collect();
        let lost = matrix.demands().len() - kept.len();
        if lost > 0 {
            notes.push(format!("{lost} of {} demands left out, {which}", matrix.demands().len()));
        }
        let demands = traffic::Traffic::Listed(TrafficMatrix::new(hosts, kept)?);
        Ok(Self { spec, demands, self_demands, notes })
    }

    /// Number of demands.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.demands.view().len()
    }
}
