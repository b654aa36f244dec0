//! What every adversary finds on many instances, compared with the exact value.
//!
//! Budgets are numbers of evaluations, never seconds: every run produces the same files.

mod page;

use crate::adversary::{self, AdversaryError, AttackContext, Finding};
use crate::bounds::Bounds;
use crate::import::{self, ImportOptions};
use crate::input::contents;
use crate::routing::{self, RoutingError};
use crate::study::prelude::*;
use page::{curves, curves_svg, readme};

pub(super) const KIND: Kind<Study> = Study::kind::<Instances>(
    &["adversaries"],
    "[OR] IV-VI, [RO] VII",
    "how much of the exact ratio each adversary finds on FT(8,2), FT(8,3), FT(16,3), slimmed trees and fabrics",
);

/// Trees on which every routing that fits is attacked.
const TREES: [&str; 6] = [
    "ft(8,2)",
    "ft(8,3)",
    "ft(16,3)",
    "xgft(2;8,8;1,4)",
    "xgft(3;4,4,4;1,2,2)",
    "xgft(2;16,16;1,10)",
];

/// That of the small tier.
const SMALL: [&str; 1] = ["ft(8,2)"];

/// Fabrics in `instances/fabrics`: folder, file of the fabric, which LIDs sources use.
const FABRICS: [(&str, &str, &str); 10] = [
    ("ft8x2/minhop_lmc2", "ibnetdiscover.out", "base"),
    ("ft8x2/minhop_lmc2", "ibnetdiscover.out", "all"),
    ("ft8x2/osrm2_file_lmc1", "ibnetdiscover.out", "base"),
    ("ft8x2/osrm2_file_lmc1", "ibnetdiscover.out", "lid_choice.txt"),
    ("ft8x3/ftree", "ibnetdiscover.out.gz", "base"),
    ("ft8x3/updn", "ibnetdiscover.out.gz", "base"),
    ("ft8x3/dfsssp", "ibnetdiscover.out.gz", "base"),
    ("ft8x3_messy/updn", "ibnetdiscover.out.gz", "base"),
    ("ft8x3_messy/dfsssp", "ibnetdiscover.out.gz", "base"),
    ("pgft2_8-4_1-4_1-2/ftree", "ibnetdiscover.out", "base"),
];

/// The forwarding tables of each fabric.
const TABLES: &str = "opensm-lfts.dump.gz";

/// The column headings of the tables, each with its adversary.
const ADVERSARIES: &[(&str, &str)] = &[
    ("patterns", "patterns(seed=1)"),
    ("permutations", "random(pattern=permutation,trials=1000,seed=1)"),
    ("bisections", "random(pattern=bisection,trials=1000,seed=1)"),
    ("cliques", "random(pattern=clique,size=8,trials=200,seed=1)"),
    ("climb", "climb(trials=200000,seed=1)"),
    ("anneal", "anneal(trials=200000,seed=1)"),
    #[cfg(feature = "highs")]
    ("ilp", "ilp(programs=64)"),
    ("matching", "matching"),
];

/// Instances that are plotted.
const PLOTTED: [(&str, &str); 4] = [
    ("ft(8,3)", "random(seed=1)"),
    ("ft(16,3)", "dmodk"),
    ("ft(16,3)", "random(seed=1)"),
    ("ft8x3/updn", "LIDs base"),
];
/// Adversaries that are plotted.
const PLOTTED_ADVERSARIES: [&str; 4] = ["permutations", "bisections", "climb", "anneal"];

/// The results for one instance.
struct AdversaryRow {
    network: String,
    routing: String,
    hosts: usize,
    exact: Bounds,
    findings: Vec<(&'static str, Option<Finding>)>,
}

/// What is attacked.
#[derive(Clone, Copy)]
enum Case {
    /// A tree with the first example of a routing, where that fits.
    Tree(&'static str, &'static Kind<routing::Family>),
    /// Folder, file of the fabric, LIDs.
    Fabric(&'static str, &'static str, &'static str),
}

/// What was found for a case.
enum Outcome {
    Row(AdversaryRow),
    /// The routing does not fit on the tree.
    NoSuch,
    /// The instance has too many shares; its name.
    Refused(String),
}

struct Instances(Vec<Case>);

impl Divided for Instances {
    type Key = Case;
    type Row = Outcome;

    fn keys(&self) -> &[Case] {
        &self.0
    }

    fn find(&self, case: &Case, units: &Units, progress: &Progress) -> Result<Outcome> {
        let (network, routing, instance) = match *case {
            Case::Tree(tree, kind) => {
                let Some(instance) = on_tree(tree, kind)? else { return Ok(Outcome::NoSuch) };
                (tree, instance.routing.spec().to_string(), instance)
            }
            Case::Fabric(folder, network, lids) => {
                (folder, format!("LIDs {lids}"), of_fabric(folder, network, lids)?)
            }
        };
        let refused = format!("{routing} on {network}");
        let found = attacked(network, routing, &instance, units, progress)?;
        Ok(found.map_or(Outcome::Refused(refused), Outcome::Row))
    }
}

fn attacked_rows(found: &[Outcome]) -> Vec<&AdversaryRow> {
    found.iter().filter_map(Outcome::row).collect()
}

impl Outcome {
    fn row(&self) -> Option<&AdversaryRow> {
        if let Self::Row(row) = self { Some(row) } else { None }
    }

    fn refused(&self) -> Option<&str> {
        if let Self::Refused(name) = self { Some(name) } else { None }
    }
}

impl Entry for Instances {
    type Row = Outcome;

    /// The small tier has the smallest tree.
    fn of(tier: Tier) -> Result<Self> {
        let is_small = tier == Tier::Small;
        let is_wanted = |tree: &&&str| !is_small || SMALL.contains(*tree);
        let trees = TREES.iter().filter(is_wanted);
        let fabrics = FABRICS.iter().take(if is_small { 0 } else { FABRICS.len() });
        let on_trees = itertools::iproduct!(trees, routing::KINDS);
        let fabrics = fabrics.map(|(folder, network, lids)| Case::Fabric(folder, network, lids));
        Ok(Self(on_trees.map(|(tree, kind)| Case::Tree(tree, kind)).chain(fabrics).collect()))
    }

    fn finder(&self) -> Finder<'_, Outcome> {
        Finder::divided(self)
    }

    fn tables(&self, found: &[Outcome]) -> Result<Vec<Table>> {
        let rows = attacked_rows(found);
        Ok(vec![table(&rows), curves(&rows)])
    }

    fn page(&self, found: &[Outcome], _: &[Table]) -> Result<Page> {
        let rows = attacked_rows(found);
        let refused: Vec<&str> = found.iter().filter_map(Outcome::refused).collect();
        Ok(Page::new(readme(&rows, &refused)).beside("curves.svg", curves_svg(&rows)?))
    }
}

/// A fabric with its forwarding tables.
fn of_fabric(folder: &str, network: &str, lids: &str) -> Result<Instance> {
    let folder = format!("instances/fabrics/{folder}");
    let topology = import::topology(&format!("{folder}/{network}"), &ImportOptions::default())?;
    let lids = if lids.contains('.') { format!("\"{folder}/{lids}\"") } else { lids.to_string() };
    let routing = routing::build(&format!("lft(lid={lids}):{folder}/{TABLES}"), &topology)?;
    Ok(Instance::trusted(topology, routing))
}

/// The first example of a routing on a tree; `None` where it needs a file or does not fit.
fn on_tree(tree: &str, kind: &Kind<routing::Family>) -> Result<Option<Instance>> {
    let example = kind.examples.iter().find(|example| !example.contains(':'));
    let Some(example) = example else { return Ok(None) };
    let topology = generate(tree)?;
    match routing::build(example, &topology) {
        Ok(routing) => Ok(Some(Instance::trusted(topology, routing))),
        Err(RoutingError::DoesNotFit { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Runs all adversaries on one instance; `None` where it has too many shares for them.
fn attacked(
    network: &str,
    routing: String,
    instance: &Instance,
    units: &Units,
    progress: &Progress,
) -> Result<Option<AdversaryRow>> {
    progress.check()?;
    units.reads(&contents(), false)?;
    let name = format!("{routing} on {network}");
    let context = match AttackContext::new(instance, progress) {
        Err(AdversaryError::TooLarge(_)) => return Ok(None),
        context => context?.shared_by(units.within(&name)),
    };
    let mut findings = Vec::new();
    for (head, spec) in ADVERSARIES {
        let adversary = adversary::build(spec)?;
        let found = adversary.attack(&context, progress);
        findings.push((
            *head,
            match found {
                Err(AdversaryError::TooLarge(_)) => None,
                found => Some(found?),
            },
        ));
    }
    let exact = assessed(instance, &name, units, progress)?.oblivious_ratio;
    let (network, hosts) = (network.to_string(), instance.topology.hosts());
    Ok(Some(AdversaryRow { network, routing, hosts, exact, findings }))
}

impl AdversaryRow {
    fn exact(&self) -> String {
        match self.exact.exact() {
            Some(exact) => exact.to_string(),
            None => format!("{}..{}", self.exact.lower, self.exact.upper),
        }
    }

    fn finding(&self, head: &str) -> Option<&Finding> {
        self.findings.iter().find(|(name, _)| *name == head)?.1.as_ref()
    }
}

const HEADS: [&str; 9] = [
    "network",
    "routing",
    "hosts",
    "adversary",
    "lower",
    "optu",
    "evaluations",
    "exact",
    "evidence",
];

fn table(rows: &[&AdversaryRow]) -> Table {
    let lines = rows.iter().flat_map(|row| {
        row.findings.iter().filter_map(|(_, finding)| finding.as_ref()).map(move |finding| {
            let optu = finding.worst.witness.as_ref().map(|witness| witness.optu.to_string());
            vec![
                row.network.clone(),
                row.routing.clone(),
                row.hosts.to_string(),
                finding.adversary.clone(),
                finding.worst.lower.to_string(),
                optu.unwrap_or_default(),
                finding.evaluations.to_string(),
                row.exact(),
                row.exact.evidence.to_string(),
            ]
        })
    });
    Table::new("table.csv", &HEADS, lines)
}
