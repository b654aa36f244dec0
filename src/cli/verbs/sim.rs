//! `sim`: packets on a network, in open loop, as phases, traces and programs.

mod complete;
mod model;
mod open_loop;
mod ways;

use std::path::Path;

use super::prelude::*;
use crate::cli::overwriting::marked_svg;
use crate::cli::{ShardOptions, Sharing, Traffic};
use crate::import::traffic::{Hosts, flows_of};
use crate::rational::Rational;
use crate::report::{SimulationFacts, SimulationReport, table};
use crate::simulation::packet::{Arrivals, Delivery, Model, Setup, Spread};
use crate::simulation::workload;
use model::{ModelOptions, bytes, load, positive};
use ways::Ways;

pub(super) const VERB: Verb = Verb {
    name: "sim",
    about: "Simulate packets: latency, throughput, saturation and completion times",
    reference: "[GO] 5, [RO] VI, IX",
    examples: &[
        "sim kary(4,3) dmodk uniform --load 0.5",
        "sim kary(4,3) sadp bitrev --load 0.1,0.3,1 --packets 100",
        "sim ft(8,2) osrm2 permutation(seed=1) --saturation --packet 512",
        "sim xgft(2;16,16;1,16) dmodk cg(128,phase=5) --message 16KB --preset ro",
        "sim kary(2,7) ff disks(requests=500) --preset ro --in-order 8",
        "sim ft(8,2) dmodk alltoall(bytes=4096)",
    ],
    ..Verb::of::<Sim>()
};

/// Maximum number of runs per invocation.
const MAX_RUNS: u64 = 1 << 16;

#[derive(clap::Args)]
struct Sim {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Routing, such as dmodk, sadp or coloured: see `routebound list routings adaptive-routings
    /// pattern-routings`
    routing: String,
    /// Traffic such as uniform or a traffic file, a collective such as 'alltoall(bytes=4096)', a trace such
    /// as disks or trace:FILE ('trace(hosts=index):FILE' if it gives hosts by index, not name), or a GOAL
    /// program such as goal:FILE: see `routebound list traffic collectives traces`
    traffic: String,
    /// Offered load of the busiest hosts, as a fraction of link bandwidth, such as 0.5; several,
    /// comma-separated
    #[arg(long, value_name = "LOADS", value_delimiter = ',', value_parser = load)]
    load: Vec<Rational>,
    /// Find the maximum offered load that every host sustains, by bisection
    #[arg(long, conflicts_with_all = ["load", "message"])]
    saturation: bool,
    /// Send each demand as one message of BYTES per unit of demand, such as 750KB, and report completion
    /// times
    #[arg(long, value_name = "BYTES", value_parser = bytes, conflicts_with = "load")]
    message: Option<u64>,
    /// Traffic of a further phase, after TRAFFIC (repeatable)
    #[arg(long, value_name = "TRAFFIC", requires = "message")]
    then: Vec<String>,
    /// Start each phase when all hosts have finished the previous one, instead of each host when it has
    /// finished itself
    #[arg(long, requires = "message")]
    barrier: bool,
    /// Divide all times of a trace by FACTOR
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    compress: Option<Rational>,
    /// Arrival process of packets for `--load` and `--saturation`: bernoulli or periodic [default:
    /// bernoulli; periodic for `--saturation`]
    #[arg(long, value_name = "ARRIVALS", value_parser = arrivals)]
    arrivals: Option<Arrivals>,
    /// Length of a run with `--load` or `--saturation`, in packets per busiest host
    #[arg(long, value_name = "NUMBER", default_value_t = 400,
        value_parser = clap::value_parser!(u64).range(1..))]
    packets: u64,
    /// Length of a run with `--load` in cycles, instead of `--packets`
    #[arg(long, value_name = "NUMBER", conflicts_with = "packets")]
    cycles: Option<u64>,
    /// Number of runs, with consecutive seeds from `--seed` on
    #[arg(long, value_name = "NUMBER", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS))]
    runs: u64,
    /// How to spread the packets of a pair over its paths: random, round-robin, or flow (all on one path)
    #[arg(long, value_name = "SPREAD", default_value = "random", value_parser = spread)]
    spread: Spread,
    /// Deliver in order; reorder buffers hold PACKETS packets
    #[arg(long, value_name = "PACKETS")]
    in_order: Option<u32>,
    /// Write the results of `--load` to FILE as CSV; `-` is stdout
    #[arg(long, alias = "csv", value_name = "FILE", requires = "load")]
    save_csv: Option<OutputPath>,
    /// Write a plot of latency against accepted load to FILE as SVG; `-` is stdout
    #[arg(long, alias = "svg", value_name = "FILE", requires = "load")]
    save_svg: Option<OutputPath>,
    /// Write the utilisation of each link in each run to FILE as CSV; `-` is stdout
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
        let model = self.model.model()?;
        model.check()?;
        if self.is_workload() {
            return complete::workload(self, &model, context);
        }
        match (self.message, self.saturation, self.load.is_empty()) {
            (Some(bytes), ..) => complete::phases(self, bytes, &model, context),
            (_, true, _) => open_loop::saturation(self, &model, context),
            (.., false) => open_loop::loads(self, &model, context),
            _ => {
                let is_file = Path::new(&self.traffic).is_file();
                let trace = format!("; if it is a trace, write `trace:{}`", self.traffic);
                bail!(
                    "`{}` does not say when packets are sent: add `--load 0.5` (half the bandwidth of a link), \
                     `--saturation` or `--message 64KB` (one message per demand){}",
                    self.traffic,
                    if is_file { &trace } else { "" }
                )
            }
        }
    }

    fn check_sharing(&self, _: Sharing) -> Result<()> {
        if self.load.is_empty() {
            bail!("only runs with `--load` can be sharded or saved in a part: add `--load`");
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
            || self.has_no_times() && flows_of(&text, "").is_some()
    }

    /// Whether the options do not say when packets are sent.
    fn has_no_times(&self) -> bool {
        self.message.is_none() && !self.saturation && self.load.is_empty()
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
        traffic: String,
        read: Vec<String>,
        model: &Model,
        seed: u64,
    ) -> SimulationFacts {
        let facts = SimulationFacts {
            topology: ways.topology().spec().to_string(),
            routing: ways.spec(),
            traffic,
            hosts: ways.topology().hosts(),
            model: model.clone(),
            spread: ways.has_several_paths().then(|| self.spread.name()),
            reorder_buffer: None,
            seed,
            notes: ways.notes().into_iter().chain(read).collect(),
        };
        facts.with_delivery(self.delivery())
    }

    fn print(&self, ways: &Ways, report: &SimulationReport, context: &Context) -> Result<Outcome> {
        let write = |file: &Option<OutputPath>, bytes: &dyn Fn() -> Result<Vec<u8>>| {
            let Some(file) = file else { return };
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
        context.show(report, || report.text())?;
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
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

/// Prefix of a trace whose numbers count the hosts, whatever these are called.
const COUNTED: &str = "trace(hosts=index):";

/// The hosts that a trace may name, and its path or spec without the prefix that says so.
fn hosts<'t>(text: &'t str, topology: &'t crate::topology::Topology) -> (Hosts<'t>, &'t str) {
    if let Some(path) = text.strip_prefix(COUNTED) {
        return (Hosts::Counted(topology), path);
    }
    let path = ["trace:", "goal:"].iter().find_map(|prefix| text.strip_prefix(prefix));
    (Hosts::Of(topology), path.unwrap_or(text))
}
