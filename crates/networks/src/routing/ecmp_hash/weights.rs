//! Weights of next hops from a file, like those of next-hop groups of Linux.
//!
//! A CSV file with the header `switch,next,weight`: a row says how much a switch sends to a neighbour, in proportion to
//! what it sends to its other next hops (`ip nexthop add … group 1,3/2,1` of Linux). Nodes are numbers or names; weights
//! are integers, and every cable to the neighbour has this one. A next hop of weight 0 is not used. A switch that
//! has a row must have one for each of the neighbours among which it chooses, so that none is forgotten; switches
//! without rows divide their flows evenly. Lines that begin with `#` are skipped.
//!
//! After a failure a switch divides its flows among the next hops that are left, in proportion to their weights. Rows
//! about others are not used, nor are those of a switch that has no choice any more, and a note counts them. Nodes must
//! be named then, as their numbers may be others.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::super::RoutingError;
use super::super::next_hops::NextHops;
use super::super::table::NodeNames;
use super::results::Results;
use super::rows::{self, name, wrong};
use crate::quote::quote;
use crate::topology::{NoTree, NodeId, Topology};

/// Maximum weight of a next hop, so that products of weights and buckets fit.
pub(super) const MAX_WEIGHT: u64 = 1 << 32;

const HEADER: [&str; 3] = ["switch", "next", "weight"];

/// Maximum number of next hops that an error lists.
const LISTED: usize = 6;

/// The rows of a switch by neighbour: weight and line.
type Rows = BTreeMap<NodeId, (u64, u64)>;

/// What a file says.
pub(super) struct Weights {
    /// The weight of every link; those of switches without rows have weight 1.
    pub(super) by_link: Vec<u64>,
    /// Which rows are not used.
    pub(super) note: Option<String>,
}

/// Reads a file. O(rows + hosts · links).
///
/// # Errors
/// [`RoutingError`] with the line that is wrong, or the switch that lacks one or has an answer for every flow.
pub(super) fn read(
    path: &str,
    topology: &Topology,
    hops: &NextHops,
    answers: Option<&Results>,
) -> Result<Weights, RoutingError> {
    let names = NodeNames::of(topology);
    let is_damaged = topology.no_tree() == Some(&NoTree::Damaged);
    let mut by_switch: BTreeMap<NodeId, Rows> = BTreeMap::new();
    rows::read(path, &HEADER, |line, fields| {
        let [switch, next] = [0, 1].map(|at| rows::node(&names, HEADER[at], fields[at]));
        let (switch, next) = (switch?, next?);
        let is_named = |node: NodeId, text| topology.node(node).name == text;
        if is_damaged && !(is_named(switch, fields[0]) && is_named(next, fields[1])) {
            return Err("numbers of nodes change where hosts are cut off: give names".to_string());
        }
        if answers.is_some_and(|answers| answers.lists(switch)) {
            let name = name(topology, switch);
            let remedy = "leave its rows out of one of the two files";
            return Err(format!(
                "`table` has the answers of `{name}`, which need no weights: {remedy}"
            ));
        }
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
    let checked: Vec<_> = checked.collect();
    let mut unused = 0;
    for found in checked {
        unused += found.map_err(|(line, problem)| wrong(path, line, &problem))?;
    }
    let weight = |link| {
        let (tail, head) = topology.ends(link)?;
        Some(by_switch.get(&tail)?.get(&head)?.0)
    };
    let by_link = topology.link_numbers().map(|link| weight(link).unwrap_or(1)).collect();
    let rows = if unused == 1 { "row" } else { "rows" };
    let note = (unused > 0).then(|| {
        format!("{unused} {rows} of {path} not used: after the failure no switch chooses by them")
    });
    Ok(Weights { by_link, note })
}

/// The number of rows of a switch that are not used, which only a failure may leave; or a line and its problem, where
/// rows are not about the neighbours among which it chooses, or not about all of them.
fn check(
    topology: &Topology,
    hops: &NextHops,
    (switch, rows): (NodeId, &Rows),
) -> Result<usize, (u64, String)> {
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
    let is_damaged = topology.no_tree() == Some(&NoTree::Damaged);
    let unused = if is_damaged { unknown.clone().count() } else { 0 };
    if let Some((next, (_, line))) =
        unknown.min_by_key(|(_, (_, line))| *line).filter(|_| !is_damaged)
    {
        let next = name(topology, *next);
        let problem = format!(
            "`{next}` is not one of the next hops among which `{own}` chooses, {}",
            listed(topology, &chosen)
        );
        return Err((*line, problem));
    }
    match chosen.into_iter().find(|next| !rows.contains_key(next)) {
        None => Ok(unused),
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
