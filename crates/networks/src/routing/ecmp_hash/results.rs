//! What switches choose, as they say it themselves: a table in place of the formula.
//!
//! A CSV file with the header `switch,source,destination,port,next`: a row says by which next node a switch sends a flow,
//! as `show routing hash`, `cl-ecmpcalc` or `ip route get` answer. Nodes are numbers or names; `port` is the source
//! port of the flow, or `*` for all flows of the pair. The next node must be one of those among which the switch
//! chooses, joined to it by one cable. A switch that has a row must have one for every flow for which it
//! chooses; those without rows use the formula. Lines that begin with `#` are skipped.

use std::collections::HashMap;

use super::super::RoutingError;
use super::super::next_hops::NextHops;
use super::super::table::NodeNames;
use super::rows;
use crate::quote::quote;
use crate::topology::{Host, NodeId, Topology};

const HEADER: [&str; 5] = ["switch", "source", "destination", "port", "next"];

/// A flow: source, destination and source port.
pub(super) type Flow = (Host, Host, u16);

/// The choices of switches.
#[derive(Default)]
pub(super) struct Results {
    /// Whether a node has rows.
    listed: Vec<bool>,
    /// Places among next hops, by node, pair and port, or all ports.
    places: HashMap<(NodeId, Host, Host, Option<u16>), u32>,
}

/// What a node has to say of a flow.
pub(super) enum Answer {
    /// The place among its next hops.
    Place(u32),
    /// Nothing of this flow, but something of others.
    Missing,
    /// Nothing.
    Unlisted,
}

impl Results {
    /// Reads a file.
    ///
    /// # Errors
    /// [`RoutingError`] with the line that is wrong.
    pub(super) fn read(
        path: &str,
        topology: &Topology,
        hops: &NextHops,
    ) -> Result<Self, RoutingError> {
        let (names, mut found) = (NodeNames::of(topology), Self::default());
        found.listed.resize(topology.nodes(), false);
        rows::read(path, &HEADER, |_, fields| found.take(topology, (&names, hops), fields))?;
        Ok(found)
    }

    /// Takes a row.
    fn take(
        &mut self,
        topology: &Topology,
        (names, hops): (&NodeNames<'_>, &NextHops),
        fields: &[&str],
    ) -> Result<(), String> {
        let [switch, s, d, port, next] = [0, 1, 2, 3, 4].map(|at| fields[at]);
        let node = |column, text| rows::node(names, column, text);
        let host = |column, text| {
            let found: Host = node(column, text)?;
            let is_host = (found as usize) < topology.hosts();
            is_host
                .then_some(found)
                .ok_or_else(|| format!("{column} `{}` is not a host", quote(text)))
        };
        let (at, next) = (node("switch", switch)?, node("next", next)?);
        let (s, d) = (host("source", s)?, host("destination", d)?);
        let bad_port = || format!("port is `{}`, expected one up to 65535 or `*`", quote(port));
        let port = match port {
            "*" => None,
            port => Some(port.parse().map_err(|_| bad_port())?),
        };
        let name = |node| rows::name(topology, node);
        if at == d || s == d {
            return Err(format!("`{}` chooses nothing for this pair", name(at)));
        }
        let mut places = (0..hops.number(at, d)).filter(|place| hops.at(at, d, *place).1 == next);
        let place = places.next().filter(|_| places.next().is_none()).ok_or_else(|| {
            format!(
                "`{}` is not exactly one of the next hops of `{}` for `{}`",
                name(next),
                name(at),
                name(d)
            )
        })?;
        if self.places.insert((at, s, d, port), place).is_some_and(|known| known != place) {
            return Err("another row says otherwise".to_string());
        }
        self.listed[at as usize] = true;
        Ok(())
    }

    /// Whether a node has rows.
    pub(super) fn lists(&self, node: NodeId) -> bool {
        self.listed.get(node as usize).is_some_and(|listed| *listed)
    }

    /// What a node says of a flow.
    pub(super) fn of(&self, node: NodeId, (s, d, port): Flow) -> Answer {
        if !self.lists(node) {
            return Answer::Unlisted;
        }
        let found =
            [Some(port), None].into_iter().find_map(|port| self.places.get(&(node, s, d, port)));
        found.map_or(Answer::Missing, |place| Answer::Place(*place))
    }
}
