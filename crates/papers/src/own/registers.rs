//! Which routings the registers of a switch can hold, and how many rows others would need.

use crate::routing::forwarding::ForwardingError;
use crate::routing::{self, RoutingError};
use crate::simulation::registers::{Masks, RegistersError, fitted};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Fits>(
    &["registers"],
    "[GO] 4.1",
    "which single-path routings of k-ary n-trees Flexible Interval Routing can hold, and the \
            fewest rows of registers of the others",
);

const TREES: [&str; 7] =
    ["kary(2,2)", "kary(2,3)", "kary(2,4)", "kary(4,2)", "kary(4,3)", "kary(3,2)", "kary(3,3)"];

const HEADS: [&str; 8] =
    ["tree", "routing", "FIR", "ports", "rows", "most", "rows without masks", "paths part"];

/// Seeds 1 to this one of `rnca-d`.
const MAX_SEED: u64 = 100;

const SEED_HEADS: [&str; 6] = ["tree", "held", "ports", "fewest rows", "most rows", "exact"];

/// A tree with a routing; `None` stands for all seeds of `rnca-d`.
type Fit = (&'static str, Option<&'static str>);

/// The trees with their routings.
struct Fits(Vec<Fit>);

impl Fits {
    /// The rows found with a routing, or those without.
    fn cells(&self, found: &[Option<Vec<String>>], is_routing: bool) -> Vec<Vec<String>> {
        let rows = self.0.iter().zip(found);
        let of_kind = rows.filter(|((_, routing), _)| routing.is_some() == is_routing);
        of_kind.filter_map(|(_, cells)| cells.clone()).collect()
    }
}

impl Rows for Fits {
    type Key = Fit;
    type Row = Option<Vec<String>>;

    fn keys(&self) -> &[Fit] {
        &self.0
    }

    /// They take seconds: shards leave them to the merge.
    fn is_shared(&self, _: &Fit) -> bool {
        false
    }

    fn find(&self, fit: &Fit, progress: &Progress) -> Result<Option<Vec<String>>> {
        match *fit {
            (tree, Some(routing)) => row(tree, routing, progress),
            (tree, None) => of_seeds(tree, progress).map(Some),
        }
    }

    fn holds(&self, _: &Fit, _: &Option<Vec<String>>) -> bool {
        true
    }
}

impl Entry for Fits {
    type Row = Option<Vec<String>>;

    /// The small tier has the first trees.
    fn of(tier: Tier) -> Result<Self> {
        let trees = if tier == Tier::Small { &TREES[..2] } else { &TREES[..] };
        let examples = routing::KINDS.iter().flat_map(|kind| kind.examples);
        let examples = examples.filter(|example| !example.contains(':'));
        let routings = itertools::iproduct!(trees, examples);
        let all = routings.map(|(tree, routing)| (*tree, Some(*routing)));
        Ok(Self(all.chain(trees.iter().map(|tree| (*tree, None))).collect()))
    }

    fn finder(&self) -> Finder<'_, Self::Row> {
        Finder::in_turn(self)
    }

    fn tables(&self, found: &[Self::Row]) -> Result<Vec<Table>> {
        Ok(vec![
            Table::new("table.csv", &HEADS, self.cells(found, true)),
            Table::new("seeds.csv", &SEED_HEADS, self.cells(found, false)),
        ])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Self::Row], tables: &[Table]) -> Result<Page> {
        let [table, seeds] = tables else { return Ok(Page::default()) };
        Ok(Page::new(HEADER).table(table).text(SEEDS).table(seeds).text(FINDINGS))
    }
}

/// The rows of `rnca-d` over all seeds.
fn of_seeds(tree: &str, progress: &Progress) -> Result<Vec<String>> {
    let (mut held, mut ports, mut totals) = (0, Vec::new(), Vec::new());
    for seed in 1..=MAX_SEED {
        let Instance { topology, routing, .. } =
            Instance::named(tree, &format!("rnca-d(seed={seed})"))?;
        let found = fitted(&topology, &*routing, Masks::Any, progress)?;
        held += usize::from(found.total().upper == found.ports());
        ports.push(found.ports());
        totals.push(found.total());
    }
    let least = totals.iter().map(|rows| rows.lower).min().unwrap_or(0);
    let most = totals.iter().map(|rows| rows.upper).max().unwrap_or(0);
    let ports = ports.into_iter().max().unwrap_or(0);
    let exact = totals.iter().filter(|rows| rows.is_exact()).count();
    let numbers = [held, ports, least, most, exact].map(|number| number.to_string());
    Ok([tree.to_string()].into_iter().chain(numbers).collect())
}

/// The cells of a routing; `None` where it is not defined on the tree or has several paths per pair.
fn row(tree: &str, routing: &str, progress: &Progress) -> Result<Option<Vec<String>>> {
    let topology = generate(tree)?;
    let routing = match routing::build(routing, &topology) {
        Err(RoutingError::DoesNotFit { .. }) => return Ok(None),
        built => built?,
    };
    if !routing.is_single_path() {
        return Ok(None);
    }
    let Instance { topology, routing, .. } = Instance::new(topology, routing)?;
    let name = [tree.to_string(), routing.spec().to_string()];
    let found = match fitted(&topology, &*routing, Masks::Any, progress) {
        Err(RegistersError::NotByDestination(conflict)) => {
            let cells = ["no", "-", "-", "-", "-"].map(String::from);
            return Ok(Some(name.into_iter().chain(cells).chain([parting(&conflict)]).collect()));
        }
        found => found?,
    };
    let full = fitted(&topology, &*routing, Masks::Full, progress)?;
    let (ports, total) = (found.ports(), found.total());
    let held = match (total.upper == ports, total.lower == ports) {
        (true, _) => "yes",
        (_, false) => "no",
        _ => "not decided",
    };
    let numbers = [ports.to_string(), total.to_string(), found.most_per_port().to_string()];
    let cells = [held.to_string()].into_iter().chain(numbers);
    let cells = cells.chain([full.total().to_string(), "-".to_string()]);
    Ok(Some(name.into_iter().chain(cells).collect()))
}

/// Where paths to one destination part, and from which sources.
fn parting(conflict: &ForwardingError) -> String {
    match conflict {
        ForwardingError::Conflict { node, destination, sources: [a, b], .. } => {
            format!("{a} and {b} to {destination} at {node}")
        }
        other => other.to_string(),
    }
}

const HEADER: &str = include_str!("registers.header.md");

const SEEDS: &str = include_str!("registers.seeds.md");

/// Conclusions from the numbers; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = include_str!("registers.findings.md");
