//! `sim`: packets on a network, in open loop, as phases, traces and programs.

mod complete;
mod model;
mod open_loop;
mod ways;

use anyhow::{Result, bail};

use crate::cli::overwriting::marked_svg;
use crate::cli::{
    Context, InstanceOptions, Outcome, OutputPath, Run, ShardOptions, Sharing, Traffic, Verb,
};
use crate::import::traffic::Hosts;
use crate::rational::Rational;
use crate::registry::Kind;
use crate::report::{Found, ModelReport, SimulationFacts, SimulationReport, table};
use crate::simulation::packet::{Arrivals, Delivery, Model, Setup, Spread};
use crate::simulation::workload;
use model::{ModelOptions, bytes, load, positive};
use ways::Ways;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "sim",
    usage: "sim TOPOLOGY ROUTING TRAFFIC [--load LOADS | --saturation | --message BYTES] [--then TRAFFIC]... [--in-order PACKETS] [--runs N] [--save-csv FILE] [--save-svg FILE] [--save-links FILE] [--shard I/N] [--part FILE]",
    options: &[],
    about: "Simulate packets: latency and accepted traffic, saturation, completion times",
    reference: "[GO] 5, [RO] VI, IX",
    examples: &[
        "sim kary(4,3) dmodk uniform --load 0.5",
        "sim kary(4,3) sadp bitrev --load 0.1,0.3,1 --packets 100",
        "sim ft(8,2) osrm2 permutation(seed=1) --saturation --packet 512",
        "sim xgft(2;16,16;1,16) dmodk cg(128,phase=5) --message 16KB --preset ro",
        "sim kary(2,7) ff disks(requests=500) --preset ro --in-order 8",
        "sim ft(8,2) dmodk alltoall(bytes=4096)",
    ],
    build: Verb::of::<Sim>(),
};

/// Most runs of one call.
const MAX_RUNS: u64 = 1 << 16;

#[derive(clap::Args)]
struct Sim {
    /// Topology: a spec such as 'kary(4,3)' or the file of a network
    topology: String,
    /// Routing such as dmodk, one that chooses at every switch such as sadp (see `routebound list
    /// adaptive-routings`), or one that sees the pattern such as coloured
    routing: String,
    /// Traffic such as uniform or a file; a collective such as 'alltoall(bytes=4096)', a trace such as
    /// disks, or the file of a trace (`trace:FILE`, or `trace(hosts=index):FILE`
    /// if it counts hosts that are called by numbers) or of a GOAL program (`goal:FILE`)
    traffic: String,
    /// Open loop: what the hosts generate that send the most, in parts of a link, such as 0.5; several
    /// separated by commas
    #[arg(long, value_name = "LOADS", value_delimiter = ',', value_parser = load)]
    load: Vec<Rational>,
    /// Open loop: the greatest load that every host keeps up, by bisection
    #[arg(long, conflicts_with_all = ["load", "message"])]
    saturation: bool,
    /// Phases: every demand is a message of so many bytes per unit, such as 750KB
    #[arg(long, value_name = "BYTES", value_parser = bytes, conflicts_with = "load")]
    message: Option<u64>,
    /// Traffic of a further phase
    #[arg(long, value_name = "TRAFFIC", requires = "message")]
    then: Vec<String>,
    /// Phases: each begins when all hosts have finished the one before. Otherwise a host begins it when it has
    /// sent and received everything itself
    #[arg(long, requires = "message")]
    barrier: bool,
    /// Traces: all times are divided by this factor
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    compress: Option<Rational>,
    /// When packets are generated in open loop: bernoulli or periodic [default: bernoulli; periodic for
    /// `--saturation`]
    #[arg(long, value_name = "ARRIVALS", value_parser = arrivals)]
    arrivals: Option<Arrivals>,
    /// Packets that the hosts that send the most generate in a run of open loop
    #[arg(long, value_name = "NUMBER", default_value_t = 400,
        value_parser = clap::value_parser!(u64).range(1..))]
    packets: u64,
    /// Cycles of a run of open loop, instead of a number of packets
    #[arg(long, value_name = "NUMBER", conflicts_with = "packets")]
    cycles: Option<u64>,
    /// Runs with as many consecutive seeds
    #[arg(long, value_name = "NUMBER", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS))]
    runs: u64,
    /// How the packets of a pair are spread over several paths: random, round-robin, or flow (all packets of a
    /// pair take one)
    #[arg(long, value_name = "SPREAD", default_value = "random", value_parser = spread)]
    spread: Spread,
    /// Deliver in order, with reorder buffers of so many packets
    #[arg(long, value_name = "PACKETS")]
    in_order: Option<u32>,
    /// File for the table of runs in open loop, as CSV; `-` is stdout
    #[arg(long, alias = "csv", value_name = "FILE", requires = "load")]
    save_csv: Option<OutputPath>,
    /// File for a figure of latency against accepted traffic, as SVG; `-` is stdout
    #[arg(long, alias = "svg", value_name = "FILE", requires = "load")]
    save_svg: Option<OutputPath>,
    /// File for the part of the time in which each link is busy, as CSV, with a row for every run and
    /// link; `-` is stdout
    #[arg(long, alias = "links", value_name = "FILE", conflicts_with = "saturation")]
    save_links: Option<OutputPath>,
    #[command(flatten)]
    shard: ShardOptions,
    #[command(flatten)]
    model: ModelOptions,
    #[command(flatten)]
    network: InstanceOptions,
}

fn arrivals(text: &str) -> Result<Arrivals> {
    Ok(match text {
        "bernoulli" => Arrivals::Bernoulli,
        "periodic" => Arrivals::Periodic,
        _ => bail!("expected bernoulli or periodic"),
    })
}

fn spread(text: &str) -> Result<Spread> {
    let found = Spread::ALL.into_iter().find(|(name, _)| *name == text);
    match found {
        Some((_, spread)) => Ok(spread),
        None => bail!("expected random, round-robin or flow"),
    }
}

impl Run for Sim {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let files = [&self.save_csv, &self.save_svg, &self.save_links].into_iter().flatten();
        for file in files.clone() {
            super::topo::refuse_two_outputs(file, context)?;
        }
        if files.filter(|file| file.is_stdout()).count() > 1 {
            bail!(
                "only one of `--save-csv`, `--save-svg` and `--save-links` can go to stdout: name a file"
            );
        }
        let model = self.model.model()?;
        model.check()?;
        if self.is_workload() {
            return complete::workload(self, &model, context);
        }
        match (self.message, self.saturation, self.load.is_empty()) {
            (Some(bytes), ..) => complete::phases(self, bytes, &model, context),
            (_, true, _) => open_loop::saturation(self, &model, context),
            (.., false) => open_loop::loads(self, &model, context),
            _ => bail!(
                "what do hosts send of `{}`? Add `--load 0.5` (packets at half the rate of a link), `--saturation` or `--message 64KB` (a message for each demand)",
                self.traffic
            ),
        }
    }

    fn check_sharing(&self, _: Sharing) -> Result<()> {
        if self.load.is_empty() {
            bail!("only runs in open loop are shared or kept in a part: add `--load`");
        }
        Ok(())
    }
}

impl Sim {
    /// Whether the traffic is a trace or a program.
    fn is_workload(&self) -> bool {
        let text = self.traffic.to_ascii_lowercase();
        workload::is_named(&self.traffic)
            || ["trace:", COUNTED, "goal:"].iter().any(|prefix| text.starts_with(prefix))
            || [".goal", ".goal.gz"].iter().any(|suffix| text.ends_with(suffix))
    }

    fn delivery(&self) -> Delivery {
        self.in_order.map_or(Delivery::AsTheyCome, |buffer| Delivery::InOrder { buffer })
    }

    fn seeds(&self, context: &Context) -> Vec<u64> {
        let first = context.seed().unwrap_or(1);
        (0..self.runs).map(|run| first.wrapping_add(run)).collect()
    }

    fn setup<'a>(&self, ways: &'a Ways, model: &'a Model, seed: u64) -> Setup<'a> {
        let routes = ways.routes(self.spread);
        Setup { topology: ways.topology(), model, routes, delivery: self.delivery(), seed }
    }

    fn facts(
        &self,
        ways: &Ways,
        (traffic, read): (String, Vec<String>),
        model: &Model,
        seed: u64,
    ) -> SimulationFacts {
        let facts = SimulationFacts {
            topology: ways.topology().spec().to_string(),
            routing: ways.spec(),
            traffic,
            hosts: ways.topology().hosts(),
            model: ModelReport::of(model),
            spread: ways.has_several_paths().then(|| self.spread.name()),
            reorder_buffer: None,
            seed,
            notes: ways.notes().into_iter().chain(read).collect(),
        };
        facts.with_delivery(self.delivery())
    }

    fn print(
        &self,
        (ways, facts): (&Ways, SimulationFacts),
        found: Found,
        context: &Context,
    ) -> Result<()> {
        let report = SimulationReport { facts, found };
        let mut is_printed = false;
        let mut write = |file: &Option<OutputPath>, bytes: &dyn Fn() -> Result<Vec<u8>>| {
            let Some(file) = file else { return };
            is_printed |= file.is_stdout();
            context.write_beside(file, |out| Ok(out.write_all(&bytes()?)?));
        };
        write(&self.save_csv, &|| {
            let (heads, rows) = report.rows();
            Ok(table::csv(&heads, rows.into_iter())?)
        });
        write(&self.save_svg, &|| Ok(marked_svg(report.figure()?.as_bytes())));
        write(&self.save_links, &|| {
            let (heads, rows) = report.links(ways.topology());
            Ok(table::csv(&heads, rows.into_iter())?)
        });
        if context.json() {
            context.print_json(&report)?;
        } else if !is_printed {
            context.print(&report.text())?;
        }
        Ok(())
    }
}

/// Traffic for phases or open loop.
fn traffic(text: &str, ways_of: &crate::topology::Topology, context: &Context) -> Result<Traffic> {
    let traffic = Traffic::open(text, ways_of, context)?;
    if traffic.demands.view().is_empty() {
        bail!("`{text}` has no demands between different hosts: there is nothing to send");
    }
    Ok(traffic)
}

/// What begins a trace whose numbers count the hosts, whatever these are called.
const COUNTED: &str = "trace(hosts=index):";

/// The hosts that a trace may name, and its path or spec without what says so.
fn hosts<'t>(text: &'t str, topology: &'t crate::topology::Topology) -> (Hosts<'t>, &'t str) {
    if let Some(path) = text.strip_prefix(COUNTED) {
        return (Hosts::Counted(topology), path);
    }
    let path = ["trace:", "goal:"].iter().find_map(|prefix| text.strip_prefix(prefix));
    (Hosts::Of(topology), path.unwrap_or(text))
}
