//! Adaptive forwarding tables of a fabric, as ibdiagnet dumps them: `far:FILE`,
//! `far(choice=worst):FILE`.
//!
//! A switch may send traffic to a LID by any port of the LID's group. Which one is decided by
//! queues or by a hash, not by the tables; the option `choice` says what is assumed:
//!
//! | `choice=` | what switches do |
//! |---|---|
//! | `even` | every switch spreads the traffic to a LID evenly over the ports of its group (the default) |
//! | `worst` | every SD pair takes one path, such that the worst permutation load is as large as any choice of ports makes it |
//!
//! The second is a single-path routing like any other, so whatever is proven of it holds of one
//! choice that the tables allow: of how bad adaptive routing may get it is a lower bound. That no
//! choice is worse is a claim, which a note states: the pairs of a permutation that can be on a link
//! together are a matching of those that can use it, a maximum matching of these is chosen on the
//! link where it loads most, and the pairs of that matching are sent there. It says nothing about
//! traffic of which a pair sends parts on several paths at a time.
//!
//! Destinations are addressed by their base LID. Tables are checked completely before they are used:
//! whatever ports are chosen, traffic of every source arrives at every destination, and no path has
//! more than 255 links.

mod graph;
mod worst;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;

use self::graph::Graph;
use self::worst::Worst;
use super::{Routing, RoutingError, UseScratch, Visit, lft};
use crate::import::{self, AdaptiveTables};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, NodeId, Topology};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "far",
    usage: "far:FILE, far(choice=even|worst):FILE",
    about: "adaptive forwarding tables of a fabric: ibdiagnet2.far",
    reference: "ibdiagnet 2.x (MLNX_OFED, UFM)",
    examples: &[
        "far:instances/fabrics/ft8x2/formats/ibdiagnet2.far",
        "far(choice=worst):instances/fabrics/ft8x2/formats/ibdiagnet2.far",
    ],
    build: super::Family {
        build,
        digits: super::Digits::None("its paths come from a file"),
        defined: false,
    },
};

#[derive(Deserialize)]
struct Options {
    choice: ChoiceName,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum ChoiceName {
    Even,
    Worst,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let (path, Options { choice }) = (spec.file()?, spec.read()?);
    let addresses = lft::addresses(spec, topology)?;
    let tables = import::adaptive_tables(path).map_err(lft::refused)?;
    lft::same_fabric::check(topology, &addresses, &tables.tables)
        .map_err(|reason| RoutingError::does_not_fit(spec, topology, reason))?;
    let graph = Graph::new(topology, &addresses, &tables)?;
    let mut notes = notes(&tables);
    let choice = if choice == ChoiceName::Worst {
        let worst = Worst::of(topology, &graph)?;
        notes.push(worst.note(topology));
        Choice::Worst(worst)
    } else {
        notes.push("every switch spreads over the ports of a group evenly".into());
        Choice::Even
    };
    Ok(Box::new(Far { spec: spec.to_string(), notes, graph, choice }))
}

fn notes(tables: &AdaptiveTables) -> Vec<String> {
    let count = tables.choices.len();
    let plural = if count == 1 { "" } else { "es" };
    let source = &tables.tables.source;
    let mut notes = vec![
        format!("adaptive tables of {count} switch{plural} from {source}"),
        "destinations are addressed by their base LID".into(),
    ];
    if tables.weighted {
        notes.push("some groups spread by weights (WHBF), which the file does not give".into());
    }
    notes
}

/// Which of the allowed ports traffic takes.
enum Choice {
    Even,
    Worst(Worst),
}

/// The routing given by adaptive tables.
struct Far {
    spec: String,
    notes: Vec<String>,
    graph: Graph,
    choice: Choice,
}

impl Routing for Far {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        matches!(self.choice, Choice::Worst(_)) || self.graph.is_single_path()
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let (first, entry) = self.graph.entry(s);
        links.clear();
        links.push(first);
        match &self.choice {
            Choice::Even => self.spread(entry, &Rational::ONE, d, links, visit),
            Choice::Worst(worst) => {
                if let Some(path) = worst.path(s, d) {
                    return visit(&Rational::ONE, path);
                }
                self.graph.push_first(entry, d, links);
                visit(&Rational::ONE, links);
            }
        }
    }

    fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
        if self.is_single_path() {
            return self.for_each_path(s, d, &mut scratch.links, visit);
        }
        let (first, entry) = self.graph.entry(s);
        visit(&Rational::ONE, &[first]);
        // A node comes after all those that lead to it: it is nearer to the destination.
        let key = |node: NodeId| (Reverse(self.graph.distance(node, d)), node);
        let mut open = BTreeMap::from([(key(entry), Rational::ONE)]);
        while let Some(((_, node), share)) = open.pop_first() {
            if node == d {
                continue;
            }
            let ways = self.graph.ways(node, d);
            let part = &share * &even(ways.len());
            for (link, head) in ways {
                visit(&part, &[*link]);
                let sum = open.entry(key(*head)).or_insert(Rational::ZERO);
                *sum = &*sum + &part;
            }
        }
    }

    fn uses_in_order(&self) -> bool {
        true
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

impl Far {
    /// Visits every path from a node, which gets that share. At most 255 calls deep.
    fn spread(
        &self,
        node: NodeId,
        share: &Rational,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: Visit<'_>,
    ) {
        if node == d {
            return visit(share, links);
        }
        let ways = self.graph.ways(node, d);
        let part = share * &even(ways.len());
        for (link, head) in ways {
            links.push(*link);
            self.spread(*head, &part, d, links, visit);
            links.pop();
        }
    }
}

/// The share of each of several ports.
fn even(ports: usize) -> Rational {
    Rational::new(1, ports as u64).unwrap_or(Rational::ONE)
}
