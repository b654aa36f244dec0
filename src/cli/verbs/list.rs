//! `list`: everything that specs and options can name, from the registries.

use std::borrow::Cow;
use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use serde::Serialize;
use serde_json::{Map, Value};

use super::VERBS;
use super::prelude::*;
use crate::export::{EXPORTS, ROUTED_EXPORTS};
use crate::registry::Kind;
use crate::simulation::{adaptive, delivery, packet, workload};
use crate::{adversary, export, import, jobs, routing, study, theorem, topology, traffic};

pub(super) const VERB: Verb = Verb {
    name: "list",
    about: "List topologies, routings, traffic, formats and everything else that can be named",
    reference: "the registries of the program",
    examples: &["list", "list routings", "list all", "list topologies exports --json"],
    ..Verb::of::<List>()
};

type Entries = fn() -> Vec<Entry>;

/// Every registry, one per line.
const SECTIONS: &[(&str, Entries)] = &[
    ("topologies", || entries(topology::KINDS)),
    ("formats", || [entries(import::KINDS), entries(import::TABLE_KINDS)].concat()),
    ("routings", || entries(routing::KINDS)),
    ("pattern-routings", || entries(adaptive::KINDS)),
    ("adaptive-routings", || entries(packet::select::SELECTIONS)),
    ("traffic", || [entries(traffic::KINDS), entries(import::traffic::SPECS)].concat()),
    ("traffic-files", || entries(import::traffic::FORMATS)),
    ("traffic-formats", || entries(export::traffic::FORMATS)),
    ("message-sets", || entries(delivery::sets::SETS)),
    ("algorithms", || entries(delivery::algorithm::ALGORITHMS)),
    ("losses", || entries(delivery::loss::LOSSES)),
    ("collectives", || entries(workload::collectives::COLLECTIVES)),
    ("job-collectives", || entries(jobs::collectives::COLLECTIVES)),
    ("job-files", || entries(import::jobs::FORMATS)),
    ("launch-files", || entries(jobs::launch::FILES)),
    ("traces", || entries(workload::traces::TRACES)),
    ("adversaries", || entries(adversary::KINDS)),
    ("pattern-adversaries", || entries(adversary::pattern::KINDS)),
    ("delivery-adversaries", || entries(adversary::delivery::KINDS)),
    ("theorems", || entries(theorem::KINDS)),
    ("studies", || entries(study::KINDS)),
    ("items", || entries(&crate::papers::items::KINDS)),
    ("exports", || [entries(EXPORTS), entries(ROUTED_EXPORTS)].concat()),
    ("verbs", verbs),
];

/// The name of all sections together.
const ALL: &str = "all";

/// The papers by the marks that references have.
const PAPERS: &[(&str, &str)] = &[
    (
        "[OR]",
        "Yuan, Nienaber, Duan and Melhem: Oblivious Routing in Fat-Tree Based System Area Networks with \
        Uncertain Traffic Demands, IEEE/ACM Transactions on Networking 2009",
    ),
    ("[GL]", "Greenberg and Leiserson: Randomized Routing on Fat-Trees, 1985"),
    (
        "[GO]",
        "Gómez, Gilabert, Gómez, López and Duato: Deterministic versus Adaptive Routing in Fat-Trees, IPDPS \
        Workshops 2007",
    ),
    (
        "[NB]",
        "Yuan: On Nonblocking Folded-Clos Networks in Computer Communication Environments, IPDPS 2011",
    ),
    (
        "[RO]",
        "Rodriguez, Minkenberg, Beivide, Luijten, Labarta and Valero: Oblivious Routing Schemes in Extended \
        Generalized Fat Tree Networks, CLUSTER 2009",
    ),
    ("[AC]", "Applegate and Cohen: Making Intra-Domain Routing Robust, SIGCOMM 2003 (as recalled)"),
    (
        "[TDB]",
        "Towles, Dally and Boyd: Throughput-Centric Routing Algorithm Design, SPAA 2003 (abstract)",
    ),
    (
        "[SDTG]",
        "Singh, Dally, Towles and Gupta: Locality-Preserving Randomized Oblivious Routing on Torus Networks, SPAA \
        2002 (abstract)",
    ),
    (
        "[RM]",
        "Ramakanth and Modiano: Optimal Oblivious Load-Balancing, arXiv 2601.02537 (abstract)",
    ),
    (
        "[FAS]",
        "Ferreira, Atre, Sherry, Dinitz and Sobrinho: Minimum Congestion Routing of Unsplittable Flows in \
        Data-Center Networks, arXiv 2505.03908 (abstract)",
    ),
    (
        "[NV]",
        "Ngo and Vu: Multirate Rearrangeable Clos Networks, SIAM J. Computing 32(4), 2003 (abstract)",
    ),
    (
        "[NSZ]",
        "Namyar, Supittayapornpong, Zhang, Yu and Govindan: A Throughput-Centric View of the Performance of \
        Datacenter Topologies, SIGCOMM 2021 (abstract)",
    ),
    (
        "[TD]",
        "Towles and Dally: Worst-Case Traffic for Oblivious Routing Functions, IEEE Computer Architecture Letters 1, \
        2002 (abstract)",
    ),
    (
        "[CMB]",
        "Camarero, Martínez and Beivide: Ant Mill: an Adversarial Traffic Pattern for Low-Diameter Direct Networks, \
        J. Supercomputing 80(12), 2024 (abstract)",
    ),
];

/// Number of names that the index shows of a section.
const SHOWN: usize = 4;

#[derive(clap::Args)]
struct List {
    /// Sections to list, or `all` [default: their names; with --json or --names, all]
    #[arg(value_name = "SECTION", value_parser = PossibleValuesParser::new(names().chain([ALL])))]
    sections: Vec<String>,
    /// Print only names, one per line
    #[arg(long, conflicts_with = "json")]
    names: bool,
}

fn names() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().map(|(name, _)| *name)
}

#[derive(Clone, Serialize)]
struct Entry {
    name: &'static str,
    usage: Cow<'static, str>,
    about: &'static str,
    reference: &'static str,
    examples: &'static [&'static str],
}

/// The verbs, with the usage lines of their `--help`.
fn verbs() -> Vec<Entry> {
    let mut program = crate::cli::command();
    program.build();
    let entry = |verb: &Verb| {
        let Verb { name, about, reference, examples, .. } = *verb;
        let usage = program.find_subcommand_mut(name).map(|verb| verb.render_usage().to_string());
        let usage = usage.unwrap_or_default().replacen("Usage: routebound ", "", 1).into();
        Entry { name, usage, about, reference, examples }
    };
    VERBS.iter().map(entry).collect()
}

fn entries<B>(kinds: &[Kind<B>]) -> Vec<Entry> {
    let entry = |kind: &Kind<B>| {
        let Kind { name, usage, about, reference, examples, .. } = *kind;
        Entry { name, usage: usage.into(), about, reference, examples }
    };
    kinds.iter().map(entry).collect()
}

impl Run for List {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let asked =
            |name: &str| self.is_whole() || self.sections.iter().any(|section| section == name);
        let sections: Vec<(&str, Vec<Entry>)> = SECTIONS
            .iter()
            .filter(|(name, _)| asked(name))
            .map(|(name, entries)| (*name, entries()))
            .collect();
        if context.json() {
            let value = |(name, entries): (&str, Vec<Entry>)| {
                Ok((name.replace('-', "_"), serde_json::to_value(entries)?))
            };
            let object = sections.into_iter().map(value).collect::<Result<Map<String, Value>>>()?;
            context.print_json(&object)?;
        } else if self.names {
            let all = sections.iter().flat_map(|(_, entries)| entries);
            let names: Vec<&str> = all.map(|entry| entry.name).collect();
            context.print(&(names.join("\n") + "\n"))?;
        } else if self.sections.is_empty() {
            context.print(&index(&sections))?;
        } else {
            let text: Vec<String> = sections.iter().map(|(name, e)| section(name, e)).collect();
            let papers = if self.is_whole() { format!("\n{}", papers()) } else { String::new() };
            context.print(&(text.join("\n") + &papers))?;
        }
        Ok(Outcome::Done)
    }
}

impl List {
    /// Whether every section is asked for.
    fn is_whole(&self) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|section| section == ALL)
    }
}

/// The sections with their numbers of entries, and how to list them.
fn index(sections: &[(&str, Vec<Entry>)]) -> String {
    let mut text = String::new();
    for (name, entries) in sections {
        let shown: Vec<&str> = entries.iter().take(SHOWN).map(|entry| entry.name).collect();
        let more = if entries.len() > SHOWN { ", .." } else { "" };
        // A String takes every write.
        let _ = writeln!(text, "{name:20} {:4}  {}{more}", entries.len(), shown.join(", "));
    }
    text + "\n`routebound list SECTION` shows a section with usage and sources, `routebound list all` everything.\n\n"
        + &papers()
}

fn papers() -> String {
    let papers = PAPERS.iter().map(|(mark, paper)| format!("  {mark} {paper}\n"));
    format!("papers\n{}", papers.collect::<String>())
}

fn section(name: &str, entries: &[Entry]) -> String {
    let mut text = format!("{name}\n");
    for Entry { usage, about, reference, .. } in entries {
        // A String takes every write.
        let _ = writeln!(text, "  {usage}\n      {about} ({reference})");
    }
    text
}
