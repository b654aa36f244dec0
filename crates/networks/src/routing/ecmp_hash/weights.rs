//! Weights of next hops from a file, like those of next-hop groups of Linux.
//!
//! A CSV file with the header `switch,next,weight`: a row says how much a switch sends to a neighbour, in proportion to
//! what it sends to its other next hops (`ip nexthop add … group 1,3/2,1` of Linux). Nodes are numbers or names; weights
//! are integers, and every cable to the neighbour has this one. A next hop of weight 0 is not used. A switch that
//! has a row must have one for each of the neighbours among which it chooses, so that none is forgotten; switches
//! without rows divide their flows evenly. Lines that begin with `#` are skipped.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::super::RoutingError;
use super::super::next_hops::NextHops;
use super::super::table::NodeNames;
use super::rows::{self, name, wrong};
use crate::quote::quote;
use crate::topology::{NodeId, Topology};

/// Maximum weight of a next hop, so that products of weights and buckets fit.
pub(super) const MAX_WEIGHT: u64 = 1 << 32;

const HEADER: [&str; 3] = ["switch", "next", "weight"];

/// Maximum number of next hops that an error lists.
const LISTED: usize = 6;

/// The rows of a switch by neighbour: weight and line.
type Rows = BTreeMap<NodeId, (u64, u64)>;

/// Reads the weight of every link; those of switches without rows have weight 1. O(rows + hosts · links).
///
/// # Errors
/// [`RoutingError`] with the line that is wrong, or the switch that lacks one.
pub(super) fn read(
    path: &str,
    topology: &Topology,
    hops: &NextHops,
) -> Result<Vec<u64>, RoutingError> {
    let names = NodeNames::of(topology);
    let mut by_switch: BTreeMap<NodeId, Rows> = BTreeMap::new();
    rows::read(path, &HEADER, |line, fields| {
        let [switch, next] = [0, 1].map(|at| rows::node(&names, HEADER[at], fields[at]));
        let (switch, next) = (switch?, next?);
        let weight = fields[2].parse().ok().filter(|weight| *weight <= MAX_WEIGHT);
        let weight = weight.ok_or_else(|| {
            format!("weight is `{}`, expected an integer from 0 to {MAX_WEIGHT}", quote(fields[2]))
        })?;
        let known = by_switch.entry(switch).or_default().insert(next, (weight, line));
        known.map_or(Ok(()), |(_, first)| {
            Err(format!("line {first} already gives this next hop a weight"))
        })
    })?;
    let switches: Vec<_> = by_switch.iter().collect();
    let checked =
        switches.into_par_iter().map(|(switch, rows)| check(topology, hops, (*switch, rows)));
    let problem = checked.find_map_first(Result::err);
    if let Some((line, problem)) = problem {
        return Err(wrong(path, line, &problem));
    }
    let weight = |link| {
        let (tail, head) = topology.ends(link)?;
        Some(by_switch.get(&tail)?.get(&head)?.0)
    };
    Ok(topology.link_numbers().map(|link| weight(link).unwrap_or(1)).collect())
}

/// Whether the rows of a switch are about the neighbours among which it chooses, and all of them; otherwise a line and
/// its problem.
fn check(
    topology: &Topology,
    hops: &NextHops,
    (switch, rows): (NodeId, &Rows),
) -> Result<(), (u64, String)> {
    let own = name(topology, switch);
    let first = rows.values().map(|(_, line)| *line).min().unwrap_or_default();
    let mut chosen = BTreeSet::new();
    for d in topology.host_numbers().filter(|d| *d != switch) {
        let next = |place| hops.at(switch, d, place).1;
        let among: BTreeSet<NodeId> = (0..hops.number(switch, d)).map(next).collect();
        let is_unused = |node| rows.get(node).is_some_and(|(weight, _)| *weight == 0);
        if !among.is_empty() && among.iter().all(is_unused) {
            let host = name(topology, d);
            let problem = format!(
                "all next hops of `{own}` to `{host}` have weight 0: give one a weight above 0"
            );
            return Err((first, problem));
        }
        if hops.number(switch, d) > 1 {
            chosen.extend(among);
        }
    }
    let unknown = rows.iter().filter(|(next, _)| !chosen.contains(next));
    if let Some((next, (_, line))) = unknown.min_by_key(|(_, (_, line))| *line) {
        let next = name(topology, *next);
        let problem = format!(
            "`{next}` is not one of the next hops among which `{own}` chooses, {}",
            listed(topology, &chosen)
        );
        return Err((*line, problem));
    }
    match chosen.into_iter().find(|next| !rows.contains_key(next)) {
        None => Ok(()),
        Some(next) => Err((
            first,
            format!(
                "`{own}` has rows, but none for its next hop `{}`: give it a weight, 0 if it is not used",
                name(topology, next)
            ),
        )),
    }
}

/// The next hops of a switch in words.
fn listed(topology: &Topology, chosen: &BTreeSet<NodeId>) -> String {
    let names = chosen.iter().take(LISTED).map(|node| format!("`{}`", name(topology, *node)));
    let names: Vec<String> = names.collect();
    match chosen.len() {
        0 => "of which it has none: remove the row".to_string(),
        all if all > LISTED => format!("which are {} and {} more", names.join(", "), all - LISTED),
        _ => format!("which are {}", names.join(", ")),
    }
}
