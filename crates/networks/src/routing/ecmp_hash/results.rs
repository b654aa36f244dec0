//! What switches choose, as they say it themselves: a table in place of the formula.
//!
//! A CSV file with the header `switch,source,destination,port,next`: a row says by which next node a switch sends a flow,
//! as `show routing hash`, `cl-ecmpcalc` or `ip route get` answer. Nodes are numbers or names; `port` is the source
//! port of the flow, or `*` for all flows of the pair. The next node must be one of those among which the switch
//! chooses, joined to it by one cable. A switch that has a row must have one for every flow for which it
//! chooses; those without rows use the formula. Lines that begin with `#` are skipped.

use std::collections::HashMap;

use csv::{Position, ReaderBuilder, StringRecord};

use super::super::RoutingError;
use super::super::lft::refused;
use super::super::next_hops::NextHops;
use super::super::table::NodeNames;
use crate::import::text::TextFile;
use crate::limit::within;
use crate::quote::quote;
use crate::topology::{Host, NodeId, Topology};

const HEADER: [&str; 5] = ["switch", "source", "destination", "port", "next"];

/// Maximum number of rows.
const MAX_ROWS: u64 = 1 << 24;

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
        let text = TextFile::open(path).map_err(refused)?;
        let mut csv =
            ReaderBuilder::new().has_headers(false).flexible(true).quoting(false).from_reader(text);
        let (mut row, mut has_header) = (StringRecord::new(), false);
        let (names, mut found) = (NodeNames::of(topology), Self::default());
        found.listed.resize(topology.nodes(), false);
        let wrong = |line: u64, problem: String| {
            RoutingError::Tables(format!("{path}, line {line}: {problem}"))
        };
        loop {
            let line = csv.position().line();
            let more = csv.read_record(&mut row);
            if !more.map_err(|error| RoutingError::Tables(format!("{path}: {error}")))? {
                break;
            }
            let line = row.position().map_or(line, Position::line);
            if row.get(0).is_some_and(|field| field.starts_with('#')) {
                continue;
            }
            let fields: Vec<&str> = row.iter().map(str::trim).collect();
            if !has_header {
                has_header = fields == HEADER;
                if !has_header {
                    return Err(wrong(line, format!("the header must be `{}`", HEADER.join(","))));
                }
                continue;
            }
            found
                .take(topology, (&names, hops), &fields)
                .map_err(|problem| wrong(line, problem))?;
            let rows = Some(found.places.len() as u128);
            within("rows of hash results", rows, MAX_ROWS, "use a part of the network")?;
        }
        if found.places.is_empty() {
            return Err(wrong(1, "there are no rows".to_string()));
        }
        Ok(found)
    }

    /// Takes a row.
    fn take(
        &mut self,
        topology: &Topology,
        (names, hops): (&NodeNames<'_>, &NextHops),
        fields: &[&str],
    ) -> Result<(), String> {
        let [switch, s, d, port, next] = fields else {
            return Err(format!("{} columns, expected {}", fields.len(), HEADER.join(",")));
        };
        let node = |column: &str, text: &str| {
            let unknown = || format!("{column} is `{}`, no node of the network", quote(text));
            names.node(text).ok_or_else(unknown)
        };
        let host = |column: &str, text: &str| {
            let found = node(column, text)?;
            let is_host = (found as usize) < topology.hosts();
            is_host
                .then_some(found)
                .ok_or_else(|| format!("{column} `{}` is not a host", quote(text)))
        };
        let (at, next) = (node("switch", switch)?, node("next", next)?);
        let (s, d) = (host("source", s)?, host("destination", d)?);
        let bad_port = || format!("port is `{}`, expected one up to 65535 or `*`", quote(port));
        let port = match *port {
            "*" => None,
            port => Some(port.parse().map_err(|_| bad_port())?),
        };
        let name = |node: NodeId| quote(&topology.node(node).name);
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

    /// What a node says of a flow.
    pub(super) fn of(&self, node: NodeId, (s, d, port): Flow) -> Answer {
        if !self.listed.get(node as usize).is_some_and(|listed| *listed) {
            return Answer::Unlisted;
        }
        let found =
            [Some(port), None].into_iter().find_map(|port| self.places.get(&(node, s, d, port)));
        found.map_or(Answer::Missing, |place| Answer::Place(*place))
    }
}
