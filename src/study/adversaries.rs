//! What every adversary finds on many instances, compared with the exact value.
//!
//! Budgets are numbers of evaluations, never seconds: every run produces the same files.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::{Study, StudyError, StudyFile, assessed};
use crate::adversary::{self, AdversaryError, AttackContext, Finding};
use crate::bounds::Bounds;
use crate::distribution::Units;
use crate::import::{self, ImportOptions};
use crate::input::contents;
use crate::progress::Progress;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::report::plot::{Axes, Panel, Steps, step_panels};
use crate::report::table::{csv, markdown};
use crate::routing::{self, Instance, RoutingError};
use crate::sampling::Summary;
use crate::topology;

pub(super) const KIND: Kind<Study> = Kind {
    name: "adversaries",
    usage: "adversaries",
    options: &[],
    about: "how much of the exact ratio each adversary finds on FT(8,2), FT(8,3), FT(16,3), slimmed trees and fabrics",
    reference: "[OR] IV-VI, [RO] VII",
    examples: &["adversaries"],
    build: study,
};

/// Trees on which every routing that fits is attacked.
const TREES: [&str; 6] = [
    "ft(8,2)",
    "ft(8,3)",
    "ft(16,3)",
    "xgft(2;8,8;1,4)",
    "xgft(3;4,4,4;1,2,2)",
    "xgft(2;16,16;1,10)",
];

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
    ("ilp", "ilp(programmes=64)"),
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

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for tree in TREES {
        for kind in routing::KINDS {
            let Some(instance) = on_tree(tree, kind)? else { continue };
            let name = instance.routing.spec().to_string();
            match attacked((tree, name), &instance, units, progress)? {
                Some(row) => rows.push(row),
                None => refused.push(format!("{} on {tree}", instance.routing.spec())),
            }
        }
    }
    for (folder, network, lids) in FABRICS {
        let instance = of_fabric(folder, network, lids)?;
        rows.extend(attacked((folder, format!("LIDs {lids}")), &instance, units, progress)?);
    }
    if units.part().is_some() {
        return Ok(Vec::new());
    }
    Ok(vec![
        StudyFile { path: "README.md".into(), bytes: readme(&rows, &refused).into_bytes() },
        StudyFile { path: "table.csv".into(), bytes: table_csv(&rows)? },
        StudyFile { path: "curves.csv".into(), bytes: curves_csv(&rows)? },
        StudyFile { path: "curves.svg".into(), bytes: curves_svg(&rows)?.into_bytes() },
    ])
}

/// A fabric with its forwarding tables.
fn of_fabric(folder: &str, network: &str, lids: &str) -> Result<Instance, StudyError> {
    let folder = format!("instances/fabrics/{folder}");
    let topology = import::topology(&format!("{folder}/{network}"), &ImportOptions::default())?;
    let lids = if lids.contains('.') { format!("\"{folder}/{lids}\"") } else { lids.to_string() };
    let routing = routing::build(&format!("lft(lid={lids}):{folder}/{TABLES}"), &topology)?;
    Ok(Instance::trusted(topology, routing))
}

/// The first example of a routing on a tree; `None` where it needs a file or does not fit.
fn on_tree(tree: &str, kind: &Kind<routing::Family>) -> Result<Option<Instance>, StudyError> {
    let example = kind.examples.iter().find(|example| !example.contains(':'));
    let Some(example) = example else { return Ok(None) };
    let topology = topology::generate(tree).map_err(routing::InstanceError::from)?;
    match routing::build(example, &topology) {
        Ok(routing) => Ok(Some(Instance::trusted(topology, routing))),
        Err(RoutingError::DoesNotFit { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Runs all adversaries on one instance; `None` where it has too many shares for them.
fn attacked(
    (network, routing): (&str, String),
    instance: &Instance,
    units: &Units,
    progress: &Progress,
) -> Result<Option<AdversaryRow>, StudyError> {
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
        if units.part().is_some() && !adversary.is_shared() {
            continue;
        }
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
    progress.check()?;
    progress.inc(1);
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

fn table_csv(rows: &[AdversaryRow]) -> Result<Vec<u8>, StudyError> {
    let lines = rows.iter().flat_map(|row| {
        row.findings.iter().filter_map(|(_, finding)| finding.as_ref()).map(move |finding| {
            let optu = finding.witness.as_ref().map(|witness| witness.optu.to_string());
            vec![
                row.network.clone(),
                row.routing.clone(),
                row.hosts.to_string(),
                finding.adversary.clone(),
                finding.lower.to_string(),
                optu.unwrap_or_default(),
                finding.evaluations.to_string(),
                row.exact(),
                row.exact.evidence.to_string(),
            ]
        })
    });
    Ok(csv(&HEADS, lines)?)
}

/// The rows that are plotted, each with its plotted findings.
fn plotted(
    rows: &[AdversaryRow],
) -> impl Iterator<Item = (&AdversaryRow, Vec<(&'static str, &Finding)>)> {
    let is_plotted =
        |row: &&AdversaryRow| PLOTTED.contains(&(row.network.as_str(), row.routing.as_str()));
    rows.iter().filter(is_plotted).map(|row| {
        let findings = PLOTTED_ADVERSARIES.iter();
        (row, findings.filter_map(|head| Some((*head, row.finding(head)?))).collect())
    })
}

fn curves_csv(rows: &[AdversaryRow]) -> Result<Vec<u8>, StudyError> {
    let lines = plotted(rows).flat_map(|(row, findings)| {
        findings.into_iter().flat_map(move |(head, finding)| {
            finding.curve.iter().map(move |(at, ratio)| {
                let (network, routing) = (row.network.clone(), row.routing.clone());
                vec![network, routing, head.to_string(), at.to_string(), ratio.to_string()]
            })
        })
    });
    Ok(csv(&["network", "routing", "adversary", "evaluations", "lower"], lines)?)
}

fn curves_svg(rows: &[AdversaryRow]) -> Result<String, StudyError> {
    let panel = |(row, findings): (&AdversaryRow, Vec<(&'static str, &Finding)>)| Panel {
        title: format!("{} on {}", row.routing, row.network),
        lines: findings
            .into_iter()
            .map(|(head, finding)| Steps {
                name: head.to_string(),
                points: finding.curve.iter().map(|(at, r)| (*at as f64, r.to_f64())).collect(),
            })
            .collect(),
        level: ("exact".to_string(), row.exact.upper.to_f64()),
    };
    let panels: Vec<Panel> = plotted(rows).map(panel).collect();
    Ok(step_panels(&panels, Axes { x: "evaluations", y: "load found" })?)
}

fn readme(rows: &[AdversaryRow], refused: &[String]) -> String {
    let mut text = INTRODUCTION.to_string();
    let budgets =
        ADVERSARIES.iter().map(|(head, spec)| vec![(*head).to_string(), format!("`{spec}`")]);
    text.push_str(&markdown(&["column", "adversary"], budgets));
    let is_fabric = |row: &AdversaryRow| row.network.contains('/');
    for rows in rows.chunk_by(|a, b| a.network == b.network || is_fabric(a) && is_fabric(b)) {
        let fabric = is_fabric(&rows[0]);
        let (network, hosts) = (&rows[0].network, rows[0].hosts);
        // A String takes every write.
        let _ = if fabric {
            writeln!(text, "\n## OpenSM tables of `instances/fabrics`\n")
        } else {
            writeln!(text, "\n## {network}, {hosts} hosts\n")
        };
        text.push_str(&grid(rows, fabric));
    }
    text.push_str(&summary(rows));
    if !refused.is_empty() {
        // A String takes every write.
        let _ = writeln!(
            text,
            "\nLeft out: {}. The shares of all their pairs take more than {} MiB, the limit of \
             incremental loads.",
            refused.join(", "),
            adversary::MEMORY >> 20
        );
    }
    text
}

/// One row per instance, one column per adversary, the exact value last.
fn grid(rows: &[AdversaryRow], fabric: bool) -> String {
    let mut heads = if fabric { vec!["tables", "LIDs"] } else { vec!["routing"] };
    heads.extend(ADVERSARIES.iter().map(|(head, _)| *head));
    heads.push("exact");
    let lines = rows.iter().map(|row| {
        let lids = row.routing.trim_start_matches("LIDs ").to_string();
        let mut line = if fabric { vec![row.network.clone(), lids] } else { vec![lids] };
        let value = |finding: Option<&Finding>| finding.map_or("-".into(), |f| shown(&f.lower));
        line.extend(ADVERSARIES.iter().map(|(head, _)| value(row.finding(head))));
        line.push(row.exact());
        line
    });
    markdown(&heads, lines)
}

/// A number for a table cell: rounded to four digits where the fraction is long.
fn shown(ratio: &Ratio) -> String {
    let text = ratio.to_string();
    if text.len() > 9 { format!("≈ {:.4}", ratio.to_f64()) } else { text }
}

/// How often each adversary reaches the exact value, and with how many evaluations.
fn summary(rows: &[AdversaryRow]) -> String {
    let mut reached: HashMap<&str, (usize, Vec<u64>)> = HashMap::new();
    for row in rows {
        for (head, finding) in &row.findings {
            let Some(finding) = finding else { continue };
            let entry = reached.entry(head).or_default();
            if Some(&finding.lower) == row.exact.exact() {
                entry.0 += 1;
                entry.1.extend(finding.curve.last().map(|(at, _)| *at));
            }
        }
    }
    let lines = ADVERSARIES.iter().map(|(head, _)| {
        let (count, at) = reached.remove(head).unwrap_or_default();
        let at = Summary::of(at.into_iter().map(|evaluations| (Ratio::from(evaluations), 1)));
        let median = at.map_or("-".into(), |at| at.median().to_string());
        vec![(*head).to_string(), format!("{count} of {}", rows.len()), median]
    });
    let heads = ["adversary", "reaches the exact value", "median evaluations until then"];
    format!("\n## How often the exact value is reached\n\n{}", markdown(&heads, lines))
}

const INTRODUCTION: &str = "\
# What adversaries find

Lower bounds on the oblivious ratio found by searching for bad traffic, beside its exact value. Each \
bound is load / optu of the traffic found, in exact arithmetic; the exact values are those of \
`routebound ratio`, proven by certificates that the checker accepted.

Made by `routebound study adversaries --output results/adversaries` in the root of the project. For one \
row of a table, run `routebound attack TOPOLOGY ROUTING --adversary ADVERSARY` with the adversaries below; \
for the fabrics, with the fabric file, `lft:` with its dump, and `--lmc`. `table.csv` has all numbers with \
the evaluations they took, `curves.csv` and `curves.svg` the load found against evaluations for four \
instances. No number depends on time or threads. `exhaustive` refuses networks of this size; a test \
(`tests/searches/adversaries`) checks that it equals the exact value on all trees of at most 8 hosts.

![load found against evaluations](curves.svg)

";
