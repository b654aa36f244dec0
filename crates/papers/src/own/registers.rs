//! Which routings the registers of a switch can hold, and how many rows others would need.

use crate::integer::as_size;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::routing::forwarding::ForwardingError;
use crate::routing::{self, Instance, InstanceError, RoutingError};
use crate::simulation::registers::{Masks, RegistersError, fitted};
use crate::study::StudyError;
use crate::study::engine::{Entry, Job, Page, Rows, Study, Table, Tier};
use crate::topology::generate;

pub(super) const KIND: Kind<Study> = Kind {
    name: "registers",
    usage: "registers",
    options: &[],
    about: "which single-path routings of k-ary n-trees Flexible Interval Routing can hold, and the \
            fewest rows of registers of the others",
    reference: "[GO] 4.1",
    examples: &["registers"],
    build: Study::of::<Fits>(),
};

const TREES: [&str; 7] =
    ["kary(2,2)", "kary(2,3)", "kary(2,4)", "kary(4,2)", "kary(4,3)", "kary(3,2)", "kary(3,3)"];

const HEADS: [&str; 8] =
    ["tree", "routing", "FIR", "ports", "rows", "most", "rows without masks", "paths part"];

/// Seeds 1 to this one of `rnca-d`.
const MAX_SEED: u64 = 100;

const SEED_HEADS: [&str; 6] = ["tree", "held", "ports", "fewest rows", "most rows", "exact"];

/// A tree with a routing, or with all seeds of `rnca-d`.
struct Fits(Vec<(&'static str, Option<&'static str>)>);

impl Fits {
    /// The rows found with a routing, or those without.
    fn cells(&self, found: &[Option<Vec<String>>], is_routing: bool) -> Vec<Vec<String>> {
        let rows = self.0.iter().zip(found);
        let of_kind = rows.filter(|((_, routing), _)| routing.is_some() == is_routing);
        of_kind.filter_map(|(_, cells)| cells.clone()).collect()
    }
}

impl Rows for Fits {
    type Row = Option<Vec<String>>;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// They take seconds: shards leave them to the merge.
    fn is_shared(&self, _: u64) -> bool {
        false
    }

    fn find(&self, at: u64, progress: &Progress) -> Result<Option<Vec<String>>, StudyError> {
        match self.0[as_size(at)] {
            (tree, Some(routing)) => row(tree, routing, progress),
            (tree, None) => of_seeds(tree, progress).map(Some),
        }
    }

    fn holds(&self, _: u64, _: &Option<Vec<String>>) -> bool {
        true
    }
}

impl Entry for Fits {
    type Row = Option<Vec<String>>;

    /// The small tier has the first trees.
    fn of(tier: Tier) -> Result<Self, StudyError> {
        let trees = if tier == Tier::Small { &TREES[..2] } else { &TREES[..] };
        let examples = routing::KINDS.iter().flat_map(|kind| kind.examples);
        let examples = examples.filter(|example| !example.contains(':'));
        let routings = itertools::iproduct!(trees, examples);
        let all = routings.map(|(tree, routing)| (*tree, Some(*routing)));
        Ok(Self(all.chain(trees.iter().map(|tree| (*tree, None))).collect()))
    }

    fn count(&self) -> u64 {
        Rows::count(self)
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<Self::Row>>, StudyError> {
        job.in_turn(self)
    }

    fn tables(&self, found: &[Self::Row]) -> Result<Vec<Table>, StudyError> {
        Ok(vec![
            Table::new("table.csv", &HEADS, self.cells(found, true)),
            Table::new("seeds.csv", &SEED_HEADS, self.cells(found, false)),
        ])
    }

    fn page(&self, _: &[Self::Row], tables: &[Table]) -> Result<Page, StudyError> {
        let [table, seeds] = tables else { return Ok(Page::default()) };
        Ok(Page::new(HEADER).table(table).text(SEEDS).table(seeds).text(FINDINGS))
    }
}

/// The rows of `rnca-d` over all seeds.
fn of_seeds(tree: &str, progress: &Progress) -> Result<Vec<String>, StudyError> {
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
fn row(tree: &str, routing: &str, progress: &Progress) -> Result<Option<Vec<String>>, StudyError> {
    let topology = generate(tree).map_err(InstanceError::from)?;
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

const HEADER: &str = "\
# Registers that hold a routing

Every registered single-path routing of small k-ary n-trees: whether each output port of each switch
can do with one FI, LI, MR and RRR, as in Flexible Interval Routing ([GO] 4.1), and otherwise how many
rows of FI, LI and MR all ports together need, where a port may have several, and one RRR. Made by
`routebound study registers`.

*Ports* are those that some traffic leaves by. *Rows* is the least number: registers are three per row
and an RRR per port. It is found by an exact search, which may choose any masks, intervals and
preferences (bounds such as `4..6` where the search would be too long); only traffic that passes a
switch has to be told apart there. Destinations are numbers in binary, also where k is not a power of 2.
*Most* is the largest number of rows of a port in the registers found, which need not be the least such
number. *Rows without masks* is the least number when all bits are compared, as in Interval Routing,
while ports may still yield to others. Registers know nothing but the destination: where a routing also
looks at the source, *paths part* names two sources whose paths to one destination leave a switch by
different ports. Routings that read files, have several paths per pair, or are not defined on these
trees are not listed. `routebound route 'kary(2,3)' dmodk --intervals` prints the registers themselves.

";

const SEEDS: &str = "
## rnca-d by seed

Seeds 1 to 100: for how many FIR holds the routing, the fewest and the most rows of any, and for how
many the number of rows is exact.

";

/// What the numbers show; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = "
## Findings

- FIR holds D-mod-k where k is a power of 2, as [GO] says, and the routings that take the same paths
  there, `wsr` and `kpath(k=1,choice=disjoint)`. Where k is 3 it does not, whatever the masks: 30 rows
  for 27 ports on kary(3,2), 228 for 135 on kary(3,3).
- The masks are what makes it fit: when all bits are compared, D-mod-k needs 1,088 rows for the 320
  ports of kary(4,3).
- `smodk`, `rnca-u`, `osrm2` and `osrm3` look at the source: no registers hold them on any of these
  trees. Of `random` and `grid` FIR holds some on kary(2,2), where the two sources of a switch happen
  to agree.
- `rnca-d` looks at the destination alone, but relabels it at random. FIR holds all 100 seeds on
  kary(2,2), 39 on kary(2,3) and 15 on kary(3,2), but only 2 on kary(2,4), 1 on kary(4,2), and none on
  kary(4,3) and kary(3,3), where it takes up to 2.2 times as many rows as there are ports.
- Where k is 3 the modulus is no better than chance: on kary(3,3) D-mod-k takes more rows than `rnca-d`
  with any of these seeds.
";
