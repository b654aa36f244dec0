//! `deliver`: delivery cycles of messages on a fat-tree.

mod save;
mod sweep;

use super::prelude::*;
use crate::adversary::delivery::{self, Target};
use crate::bounds::Bounds;
use crate::cli::{NetworkOptions, ShardOptions, Sharing};
use crate::import::traffic::Hosts;
use crate::rational::Rational;
use crate::report::{self, DeliveryFacts, DeliveryReport, table};
use crate::simulation::delivery::algorithm::{self, ALGORITHMS, Algorithm};
use crate::simulation::delivery::sets::{self, SETS};
use crate::simulation::delivery::{
    Bottleneck, Deliveries, Ground, Messages, Settings, bottleneck, loss,
};
use crate::spec::Spec;
use crate::study::deliveries::Point;
use crate::topology::{Topology, UniversalShape};
use crate::traffic;
use sweep::SweepOptions;

pub(super) const VERB: Verb = Verb {
    name: "deliver",
    about: "Simulate delivery cycles of messages on a fat-tree, against the load factor",
    reference: "[GL] 2 to 6",
    examples: &[
        "deliver universal(64) random(k1=1,k2=1,r=2) messages(count=1000)",
        "deliver universal(16) greedy shift(8) --loss left",
        "deliver universal(64,root=open) greedy leaving(count=500) --runs 20 --json",
        "deliver bft(64) repeated(passes=1) bitrev --times 10",
        "deliver universal(256,root=open) greedy theorem-9(lambda=12) --loss left",
        "deliver universal(16) offline messages(count=60)",
    ],
    ..Verb::of::<Deliver>()
};

/// Maximum number of runs per invocation.
const MAX_RUNS: u64 = 1 << 20;

#[derive(clap::Args)]
struct Deliver {
    /// Tree, such as 'universal(64)' or 'bft(64)': see `routebound list topologies`
    topology: String,
    /// Algorithm, such as random or greedy: see `routebound list algorithms`
    algorithm: String,
    /// Messages: a set such as 'messages(count=1000)', an adversary against GREEDY such as theorem-9, or
    /// traffic whose amounts are numbers of messages: see `routebound list message-sets
    /// delivery-adversaries traffic`
    messages: String,
    /// Rule that decides which messages are lost at a full channel: see `routebound list losses`
    #[arg(long, value_name = "RULE", default_value = "random")]
    loss: String,
    /// Capacity of partial concentrators: at most this fraction of the output wires carries messages, such
    /// as 3/4 [default: 1]
    #[arg(long, value_name = "FRACTION", value_parser = part)]
    partial: Option<Rational>,
    /// Send each message COUNT times
    #[arg(long, value_name = "COUNT", default_value_t = 1, allow_negative_numbers = true)]
    times: u64,
    /// Number of runs, with consecutive seeds from `--seed` on
    #[arg(long, value_name = "NUMBER", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MAX_RUNS))]
    runs: u64,
    /// Write the number of deliveries in each cycle to FILE as CSV; `-` is stdout
    #[arg(long, alias = "cycles", value_name = "FILE")]
    save_cycles: Option<OutputPath>,
    /// Write the messages to FILE as traffic, in the format of its extension, such as .csv or .mtx
    #[arg(long, alias = "save", value_name = "FILE")]
    save_messages: Option<OutputPath>,
    #[command(flatten)]
    sweep: SweepOptions,
    #[command(flatten)]
    shard: ShardOptions,
    #[command(flatten)]
    network: NetworkOptions,
}

fn part(text: &str) -> Result<Rational> {
    match Rational::from_decimal(text) {
        Ok(part) if !part.is_zero() && part <= Rational::ONE => Ok(part),
        _ => bail!("expected a number above 0 and up to 1, such as 3/4 or 0.75"),
    }
}

/// Messages, and how they are sent.
struct Work {
    ground: Ground,
    algorithm: Box<dyn Algorithm>,
    messages: Messages,
    spec: String,
    bottleneck: Bottleneck,
    congestion: Option<Bounds>,
    settings: Settings,
    notes: Vec<String>,
}

impl Run for Deliver {
    fn run(&self, context: &Context) -> Result<Outcome> {
        if self.sweep.is_given() {
            return sweep::run(&self.sweep, &self.point(context)?, context);
        }
        let work = self.work(context)?;
        if let Some(file) = &self.save_messages {
            save::save(file, &work, context)?;
        }
        let facts = work.facts();
        context.keep(&DeliveryReport::new(&facts, &[]), || {
            DeliveryReport::new(&facts, &[]).text(None)
        });
        let total = work.messages.total().saturating_mul(self.runs);
        let progress = context.progress(total, "messages");
        let Work { ground, algorithm, messages, settings, .. } = &work;
        let found =
            ground.deliver_often(&**algorithm, messages, *settings, self.runs, &progress)?;
        drop(progress);
        let report = DeliveryReport::new(&facts, &found);
        if let Some(file) = &self.save_cycles {
            context.write_beside(file, |out| Ok(out.write_all(&cycles(&work, &found)?)?));
        }
        context.show(&report, || report.text(found.first()))?;
        Ok(if report.complete { Outcome::Done } else { Outcome::Partial })
    }

    fn check_sharing(&self, _: Sharing) -> Result<()> {
        if !self.sweep.is_given() {
            bail!("only sweeps can be sharded or saved in a part: add `--sweep`");
        }
        Ok(())
    }
}

impl Deliver {
    /// The settings that all points of a sweep share.
    fn point(&self, context: &Context) -> Result<Point> {
        let has_files = self.save_cycles.is_some() || self.save_messages.is_some();
        if self.partial.is_some() || self.times != 1 || has_files {
            bail!(
                "`--partial`, `--times`, `--save-cycles` and `--save-messages` do not apply to sweeps: leave them out"
            );
        }
        if self.network.changes_networks() {
            bail!("sweeps run on generated networks: leave out options that change the network");
        }
        Ok(Point {
            topology: self.topology.clone(),
            algorithm: self.algorithm.clone(),
            messages: context.seeded(&self.messages, SETS),
            loss: self.loss.clone(),
            load_factor: None,
            runs: self.runs,
            seed: context.seed().unwrap_or(1),
        })
    }

    fn work(&self, context: &Context) -> Result<Work> {
        let loss = loss::find(&self.loss)?;
        let (mut ground, topology) = self.ground(context)?;
        if let Some(part) = &self.partial {
            ground = ground.with_partial_concentrators(part);
        }
        let (messages, spec, notes) = self.messages(&ground, topology.as_ref(), context)?;
        let messages = messages.times(self.times)?;
        let Some(bottleneck) = bottleneck(ground.tree(), &messages)? else {
            bail!("`{spec}` has no messages, so there is nothing to send");
        };
        bottleneck.check_cycles()?;
        let times = if self.times == 1 { String::new() } else { format!("{} times ", self.times) };
        let facts = ground.facts(&messages);
        let algorithm = algorithm::build(&context.seeded(&self.algorithm, ALGORITHMS), &facts)?;
        Ok(Work {
            algorithm,
            messages,
            spec: times + &spec,
            bottleneck,
            congestion: ground.tree().congestion_parameter().map(report::congestion),
            settings: Settings { loss, seed: context.seed().unwrap_or(1) },
            notes,
            ground,
        })
    }

    /// The network; a `universal` need not be generated.
    fn ground(&self, context: &Context) -> Result<(Ground, Option<Topology>)> {
        if !self.network.changes_networks()
            && let Ok(Some(shape)) = UniversalShape::named(&self.topology)
        {
            return Ok((Ground::universal(&shape), None));
        }
        let topology = self.network.open_remarking(&self.topology, context)?;
        Ok((Ground::of(&topology)?, Some(topology)))
    }

    /// The messages, their spec, and notes on how a file was read. Patterns are among processors; files may name
    /// the outside world.
    fn messages(
        &self,
        ground: &Ground,
        topology: Option<&Topology>,
        context: &Context,
    ) -> Result<(Messages, String, Vec<String>)> {
        if delivery::is_named(&self.messages) {
            let (tree, shape) = (ground.tree(), ground.shape());
            let target = Target { tree, shape, loss: loss::find(&self.loss)? };
            let spec = context.seeded(&self.messages, delivery::KINDS);
            let progress = context.progress(0, "sets");
            let (messages, spec) = delivery::find_set(&spec, &target, &progress)?;
            return Ok((messages, spec, Vec::new()));
        }
        if sets::is_named(&self.messages) {
            let spec = context.seeded(&self.messages, SETS);
            let (messages, spec) = sets::draw(&spec, ground.ends())?;
            return Ok((messages, spec, Vec::new()));
        }
        let is_pattern = Spec::parse(&self.messages).is_ok_and(|spec| {
            traffic::KINDS.iter().any(|kind| kind.name == traffic::name_of(&spec.name))
        });
        let hosts = match topology {
            Some(topology) if !is_pattern => Hosts::Of(topology),
            _ if is_pattern => Hosts::Numbered(ground.ends().processors),
            _ => Hosts::Numbered(ground.tree().hosts()),
        };
        let (spec, traffic, notes) = context.open_traffic(&self.messages, hosts)?;
        Ok((Messages::of(&traffic)?, spec, notes))
    }
}

impl Work {
    fn facts(&self) -> DeliveryFacts<'_> {
        let Settings { loss, seed } = self.settings;
        let loss = loss.name.to_string();
        DeliveryFacts {
            specs: [self.ground.spec().to_string(), self.algorithm.spec(), self.spec.clone(), loss],
            processors: self.ground.ends().processors,
            messages: &self.messages,
            bottleneck: &self.bottleneck,
            congestion: self.congestion.clone(),
            seed,
            notes: &self.notes,
        }
    }
}

/// The cycles of all runs that delivered something.
fn cycles(work: &Work, found: &[Deliveries]) -> std::io::Result<Vec<u8>> {
    let seeds = (0..).map(|run| work.settings.seed.wrapping_add(run));
    let rows = found.iter().zip(seeds).flat_map(|(run, seed)| {
        let row = move |(cycle, count): &(u64, u64)| {
            [seed, *cycle, *count].map(|number| number.to_string()).to_vec()
        };
        run.delivered.iter().map(row)
    });
    table::csv(&["seed", "cycle", "delivered"], rows)
}
