//! `route`: the paths of a routing, for people and for other programs.

mod loops;
mod opensm;

use std::fmt::Write as _;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::json;

use super::prelude::*;
use crate::cli::OutputFolder;
use crate::export::{EXPORTS, ROUTED_EXPORTS};
use crate::rational::Rational;
use crate::registry;
use crate::report::table::table;
use crate::report::{RegistersReport, RouteSummary, labelled};
use crate::routing::Instance;
use crate::simulation::registers::registers_of;
use crate::topology::{Direction, Host, HostNames, LinkId, Topology, quoted};

pub(super) const VERB: Verb = Verb {
    name: "route",
    about: "Show the paths of a routing, or export its forwarding tables or paths",
    reference: "[OR] II.A",
    examples: &[
        "route ft(8,3) dmodk",
        "route ft(4,2) dmodk --pair 0 5 --pair 5 0",
        "route ft(4,2) dmodk --tables",
        "route ft(8,2) osrm2 --save-opensm opensm",
        "route kary(2,3) dmodk --intervals",
        "route ft(8,3) random --fail 2 --loops",
    ],
    ..Verb::of::<Route>()
};

#[derive(clap::Args)]
struct Route {
    #[arg(help = TOPOLOGY)]
    topology: String,
    #[arg(help = ROUTING)]
    routing: String,
    /// Show the paths from host S to host D, given by number or name (repeatable), such as `--pair 0 5`
    #[arg(long, num_args = 2, value_names = ["S", "D"], conflicts_with = "file")]
    pair: Vec<String>,
    /// Show the routing registers of each switch of a k-ary n-tree: FI and LI for ecmp; FI, LI, MR and RRR
    /// for dmodk and other routings that they can express
    #[arg(long, conflicts_with_all = ["pair", "file"])]
    intervals: bool,
    /// Show a credit loop: a cycle of links in which packets may wait for each other forever, or that there is
    /// none. The exit code is 1 if there is one, and, as in other verbs, if a failure leaves pairs without a path;
    /// `may_deadlock` of --json is about loops only
    #[arg(long, conflicts_with_all = ["pair", "intervals", "file"])]
    loops: bool,
    #[command(flatten)]
    lanes: loops::LaneOptions,
    /// Write into FOLDER what OpenSM needs to load any routing with one path per pair: forwarding tables with as many
    /// LIDs per host as it takes, the least LMC, the LIDs of all ports, and which of them each source uses
    #[arg(
        long = "save-opensm",
        visible_alias = "opensm",
        value_name = "FOLDER",
        conflicts_with_all = ["pair", "intervals", "loops", "file", "output"]
    )]
    opensm: Option<OutputFolder>,
    #[command(flatten)]
    file: File,
    /// Write the export to FILE; `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-", requires = "file")]
    output: OutputPath,
    #[command(flatten)]
    network: InstanceOptions,
}

#[derive(clap::Args)]
#[group(id = "file", multiple = false)]
struct File {
    /// Export forwarding tables that OpenSM can load, like `--format lft`
    #[arg(long)]
    tables: bool,
    /// Export all paths as CSV, like `--format paths`
    #[arg(long)]
    paths: bool,
    /// Export the routing in FORMAT: see `routebound list exports`
    #[arg(long, alias = "export", value_name = "FORMAT")]
    format: Option<String>,
}

impl File {
    fn name(&self) -> Option<&str> {
        let tables = self.tables.then_some("lft");
        tables.or(self.paths.then_some("paths")).or(self.format.as_deref())
    }
}

impl Run for Route {
    fn run(&self, context: &Context) -> Result<Outcome> {
        if let Some(folder) = &self.opensm {
            opensm::write(&self.open(context)?, folder, context)?;
            return Ok(Outcome::Done);
        }
        match self.file.name() {
            _ if self.loops => {
                return loops::show(&self.open_remaining(context)?, &self.lanes, context);
            }
            Some(format) => self.export(format, context)?,
            None if self.intervals => self.intervals(context)?,
            None if self.pair.is_empty() => self.summary(context)?,
            None => self.pairs(context)?,
        }
        Ok(Outcome::Done)
    }

    fn check_files(&self, allowed: Overwriting) -> Result<()> {
        self.opensm.as_ref().map_or(Ok(()), |folder| opensm::check_files(folder, allowed))
    }
}

impl Route {
    fn open(&self, context: &Context) -> Result<Instance> {
        self.network.open(&self.topology, &self.routing, context)
    }

    fn open_remaining(&self, context: &Context) -> Result<Instance> {
        Ok(self.network.open_remaining(&self.topology, &self.routing, context)?.instance)
    }

    fn export(&self, format: &str, context: &Context) -> Result<()> {
        if EXPORTS.iter().any(|kind| kind.name == format) {
            bail!(
                "format `{format}` does not hold routes: use `routebound topo TOPOLOGY --format {format}`"
            );
        }
        let kind = registry::find(ROUTED_EXPORTS, "export format", format)?;
        context.claim_stdout("--output", &self.output)?;
        let Instance { topology, routing, .. } = self.open(context)?;
        let progress = context.progress(topology.hosts() as u64, "hosts");
        context
            .write(&self.output, |out| Ok((kind.build)(&topology, &*routing, &progress, out)?))?;
        let export = json!({ "format": format, "file": self.output.display().to_string() });
        let (topology, routing) = (topology.spec(), routing.spec());
        let record = json!({ "topology": topology, "routing": routing, "export": export });
        context.show(&record, String::new)
    }

    fn summary(&self, context: &Context) -> Result<()> {
        let Instance { topology, routing, .. } = self.open_remaining(context)?;
        let progress = context.progress(topology.hosts() as u64, "hosts");
        let summary = RouteSummary::of(&topology, &*routing, &progress)?;
        drop(progress);
        context.show(&summary, || text(&summary))
    }

    fn intervals(&self, context: &Context) -> Result<()> {
        let Instance { topology, routing, .. } = self.open(context)?;
        let progress = context.progress(topology.hosts() as u64, "hosts");
        let registers = registers_of(&topology, &*routing, &progress)?;
        drop(progress);
        let report = RegistersReport::new(&topology, routing.spec(), &registers);
        context.show(&report, || report.text())
    }

    fn pairs(&self, context: &Context) -> Result<()> {
        let instance = self.open_remaining(context)?;
        let names = instance.topology.host_names();
        let pairs = self.pair.chunks(2).map(|pair| pair_of(&names, &pair[0], &pair[1]));
        let pairs: Vec<(Host, Host)> = pairs.collect::<Result<_>>()?;
        let pairs: Vec<Pair> = pairs.into_iter().map(|(s, d)| Pair::of(&instance, s, d)).collect();
        let Instance { topology, routing, .. } = &instance;
        let (spec, routing) = (topology.spec(), routing.spec());
        let record = json!({ "topology": spec, "routing": routing, "pairs": pairs });
        context.show(&record, || pairs.iter().map(|pair| pair.text(topology)).collect())
    }
}

/// The hosts of a pair.
fn pair_of(names: &HostNames, s: &str, d: &str) -> Result<(Host, Host)> {
    let find = |text: &str| names.find_by_prefix(text).with_context(|| format!("`--pair {s} {d}`"));
    let (source, destination) = (find(s)?, find(d)?);
    if source == destination {
        bail!("`--pair {s} {d}`: traffic from a host to itself never enters the network");
    }
    Ok((source, destination))
}

fn text(summary: &RouteSummary) -> String {
    let RouteSummary { topology, routing, pairs, paths, most_paths_of_a_pair: most, .. } = summary;
    let each = match most {
        1 => "one path per pair".to_string(),
        _ => format!("at most {most} paths per pair"),
    };
    let mut text = format!("{routing} on {topology}\n{pairs} SD pairs, {paths} paths, {each}\n\n");
    let row = |length: &crate::report::LengthCount| {
        vec![length.links.to_string(), length.paths.to_string()]
    };
    text.push_str(&table(&["links", "paths"], summary.lengths.iter().map(row)));
    text.push('\n');
    text.push_str(&labelled("note", 8, &summary.notes));
    text
}

/// The paths of one SD pair.
#[derive(Serialize)]
struct Pair {
    source: Host,
    source_name: String,
    destination: Host,
    destination_name: String,
    paths: Vec<Path>,
}

#[derive(Serialize)]
struct Path {
    share: Rational,
    links: Vec<Step>,
}

/// A link of a path, with the names and ports that identify the cable.
#[derive(Serialize)]
struct Step {
    id: LinkId,
    from: String,
    from_port: u32,
    to: String,
    to_port: u32,
    level: u8,
    direction: Direction,
}

impl Pair {
    fn of(instance: &Instance, source: Host, destination: Host) -> Self {
        let Instance { topology, routing, .. } = instance;
        let mut paths = Vec::new();
        routing.for_each_path(source, destination, &mut Vec::new(), &mut |share, path| {
            let links = path.iter().filter_map(|link| Step::of(topology, *link)).collect();
            paths.push(Path { share: share.clone(), links });
        });
        let name = |host| topology.node(host).name.clone();
        let (source_name, destination_name) = (name(source), name(destination));
        Self { source, source_name, destination, destination_name, paths }
    }

    fn text(&self, topology: &Topology) -> String {
        let is_read = topology.is_read();
        let called = |host, name: &str| {
            if is_read { format!("{} (host {host})", quoted(name)) } else { format!("host {host}") }
        };
        let from = called(self.source, &self.source_name);
        let to = called(self.destination, &self.destination_name);
        let mut text = format!("{from} to {to}\n");
        if self.paths.is_empty() {
            text.push_str("  no path until the pair is rerouted\n");
        }
        for Path { share, links } in &self.paths {
            // A String takes every write.
            let _ = writeln!(text, "  share {share} over {} links", links.len());
            for Step { id, level, direction, .. } in links {
                let name = topology.link_name(*id);
                let _ = writeln!(text, "    {name}  {direction}, level {level}, link {id}");
            }
        }
        text
    }
}

impl Step {
    fn of(topology: &Topology, id: LinkId) -> Option<Self> {
        let (from, to) = topology.ends(id)?;
        let link = topology.link(id);
        let (level, direction) = topology.shown_place(id);
        let name = |node| topology.node(node).name.clone();
        Some(Self {
            id,
            from: name(from),
            from_port: link.from_port,
            to: name(to),
            to_port: link.to_port,
            level,
            direction,
        })
    }
}
