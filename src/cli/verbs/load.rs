//! `load`: the loads that traffic puts on the links of a routed network.

use std::sync::Arc;

use super::prelude::*;
use crate::assessment::{AssessOptimum, NoCertificate, rough_optimum};
use crate::bounds::{Bounds, Evidence};
use crate::cli::{LinkListOptions, TRAFFIC, Traffic, text_of};
use crate::failure::Remainder;
use crate::integer::as_size;
use crate::limit::within;
use crate::load::{ContentionError, LinkLoads, contention, within_limit};
use crate::progress::{Progress, Stopped};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::report::{LinkList, List, LoadFactorReport, LoadFacts, LoadReport, UnknownLoads};
use crate::routing::Instance;
use crate::simulation::adaptive::{self, Routed, RoutedTraffic};
use crate::sums::Sums;
use crate::topology::Topology;
use crate::traffic::TrafficMatrix;

pub(super) const VERB: Verb = Verb {
    name: "load",
    about: "Compute the link loads of traffic under a routing, and how far they are from optimal",
    reference: "[OR] II.A, III, [RO] IV",
    examples: &[
        "load ft(8,3) dmodk shift(4)",
        "load xgft(2;8,8;1,4) omrmn shift(1) --json",
        "load ft(4,2) dmodk shift(1) --links=csv",
        "load ft(4,2) dmodk shift(1) --pairs",
        "load ftree(4,48,16) nonblocking-adaptive permutation",
        "load xgft(2;16,16;1,8) coloured cg(128,phase=5)",
    ],
    ..Verb::of::<Load>()
};

/// Maximum number of rows of a table of demands, which is held in memory.
const MAX_TABLE_ROWS: u64 = 1 << 20;

#[derive(clap::Args)]
struct Load {
    #[arg(help = TOPOLOGY)]
    topology: String,
    /// Routing, such as dmodk, or forwarding tables, such as lft:FILE: see `routebound list routings
    /// pattern-routings`
    routing: String,
    #[arg(help = TRAFFIC)]
    traffic: String,
    #[command(flatten)]
    list: LinkListOptions,
    /// List every demand instead, in the formats of --links, with its bottleneck, which is the link of highest load on
    /// its paths, and the part of it that max-min fair sharing in proportion to demands lets pass at least
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "table", group = "list", help_heading = "Lists")]
    pairs: Option<String>,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for Load {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let list = self.list.format_or(self.pairs.as_deref(), context)?;
        if adaptive::is_named(&self.routing) {
            if self.pairs.is_some() {
                bail!(
                    "`--pairs` needs a routing that does not depend on the traffic; use `--links`"
                );
            }
            return self.by_pattern(list, context);
        }
        let network = self.network.open_network(&self.topology, context)?;
        let traffic = Traffic::open(&self.traffic, network.topology(), context)?;
        let mut known = known_facts(network.topology(), &self.routing, &traffic, context)?;
        let Remainder { instance, .. } =
            self.network.open_remaining_routing(&network, &self.routing, context)?;
        let all = traffic.size();
        let traffic = traffic.of_pairs_with_paths(instance.routing())?;
        within_limit(traffic.demands.view())?;
        self.begin_pairs(list, &traffic, context)?;
        let (topology, routing) = (&*instance.topology, instance.routing.spec());
        if traffic.size() != all || !Arc::ptr_eq(&instance.topology, network.topology()) {
            known = known_facts(topology, routing, &traffic, context)?;
        }
        let unknown = UnknownLoads::new(topology, routing, &known);
        context.keep(&unknown, || unknown.text());
        let work = Work { instance, traffic, known, context };
        let loads = match work.loads() {
            // The list has stdout, and there is none.
            Err(Stopped) if list.is_some() && self.list.is_on_stdout() => {
                return Err(Stopped.into());
            }
            Err(Stopped) => {
                context.show(&unknown, || unknown.text())?;
                return Ok(Outcome::Partial);
            }
            Ok(loads) => loads,
        };
        if self.pairs.is_some() {
            return self.list_pairs(list, &work, &loads);
        }
        if list.is_none() {
            let report = LoadReport::new(&work.instance, &loads, &work.known);
            context.keep(&report, || report.text());
        }
        self.keep_list(list, &loads, None, context);
        let facts = work.facts()?;
        let is_listed = self.write_links(list, &loads, &facts, context);
        let report = LoadReport::new(&work.instance, &loads, &facts);
        show(&report, is_listed, context)?;
        let stopped = matches!(facts.contention, Err(ContentionError::Stopped(_)));
        Ok(if stopped { Outcome::Partial } else { Outcome::Done })
    }
}

impl Load {
    /// The loads under a routing that sees the traffic pattern, which some require to be a permutation.
    fn by_pattern(
        &self,
        list: Option<&'static Kind<LinkList>>,
        context: &Context,
    ) -> Result<Outcome> {
        let topology = self.network.open_topology(&self.topology, context)?;
        let traffic = Traffic::open(&self.traffic, &topology, context)?;
        let known = known_facts(&topology, &self.routing, &traffic, context)?;
        let routing = adaptive::build(&self.routing, &topology)?;
        let matrix = traffic.demands.clone().into_matrix()?;
        if let Some(scheme) = routing.traffic_routing() {
            let progress = context.progress(traffic.size(), "demands");
            let routed = scheme.route_traffic(&matrix, &progress)?;
            drop(progress);
            let all = Seen { topology: &topology, spec: routing.spec(), traffic: &traffic, known };
            return self.routed(list, all, &matrix, &routed, context);
        }
        let Some(permutation) = matrix.permutation() else {
            bail!(
                "routing `{}` routes permutations, in which each host sends the same amount to at most \
                 one host and receives from at most one; traffic `{}` is not a permutation",
                routing.spec(),
                traffic.spec
            );
        };
        let mut routed = Routed::default();
        routing.route(&permutation, &mut routed, &context.progress(traffic.size(), "demands"))?;
        let amount = matrix.demands().first().map_or(Rational::ONE, |demand| demand.amount.clone());
        let paths = routed.paths().map(|(_, links)| (&amount, links));
        let loads = LinkLoads::of_paths(&topology, paths);
        // Pairs of a permutation have different ends: all that cross a link contend for it.
        let contention: Sums =
            loads.links().map(|link| Rational::from(loads.flows(link))).collect();
        self.keep_list(list, &loads, Some(&contention), context);
        let facts = facts(&topology, &traffic, known, context, || Ok(contention))?;
        let is_listed = self.write_links(list, &loads, &facts, context);
        let report = LoadReport {
            switch_use: routing.switch_use(&routed),
            ..LoadReport::of(routing.spec(), topology.notes().to_vec(), &loads, &facts)
        };
        show(&report, is_listed, context)?;
        Ok(Outcome::Done)
    }

    /// Prints the loads under a scheme for any traffic.
    fn routed(
        &self,
        list: Option<&'static Kind<LinkList>>,
        seen: Seen<'_>,
        matrix: &TrafficMatrix,
        routed: &RoutedTraffic,
        context: &Context,
    ) -> Result<Outcome> {
        let amounts = matrix.demands().iter().map(|demand| &demand.amount);
        let loads = LinkLoads::of_paths(seen.topology, amounts.zip(routed.links()));
        let contention = routed.by_link.iter().map(|flows| Rational::from(u64::from(*flows)));
        let contention: Sums = contention.collect();
        self.keep_list(list, &loads, Some(&contention), context);
        let facts = facts(seen.topology, seen.traffic, seen.known, context, || Ok(contention))?;
        let is_listed = self.write_links(list, &loads, &facts, context);
        let mut notes = seen.topology.notes().to_vec();
        notes.push(format!("contention of the best single shortest paths: {}", routed.contention));
        show(&LoadReport::of(seen.spec, notes, &loads, &facts), is_listed, context)?;
        Ok(if routed.stopped { Outcome::Partial } else { Outcome::Done })
    }

    /// Refuses lists of demands that are too long, and says what such a list leaves out.
    fn begin_pairs(
        &self,
        list: Option<&'static Kind<LinkList>>,
        traffic: &Traffic,
        context: &Context,
    ) -> Result<()> {
        if self.pairs.is_none() {
            return Ok(());
        }
        let is_table = list.is_some_and(|list| list.name == "table");
        let most = if is_table { MAX_TABLE_ROWS } else { TrafficMatrix::MAX_ENTRIES };
        let remedy = "use --pairs=csv, or --links";
        within("rows of a list of demands", Some(traffic.size().into()), most, remedy)?;
        traffic.notes.iter().for_each(|note| context.remark(note));
        Ok(())
    }

    /// Lists the demands with their bottlenecks.
    fn list_pairs(
        &self,
        list: Option<&'static Kind<LinkList>>,
        work: &Work<'_>,
        loads: &LinkLoads<'_>,
    ) -> Result<Outcome> {
        let known = LoadReport::new(&work.instance, loads, &work.known);
        work.context.keep(&known, || known.text());
        let demands = work.traffic.demands.view().listed()?;
        let progress = work.progress(1, "bottlenecks");
        let links = match loads.bottlenecks(work.instance.routing(), &demands, &progress) {
            Err(Stopped) if self.list.is_on_stdout() => return Err(Stopped.into()),
            Err(Stopped) => {
                show(&known, false, work.context)?;
                return Ok(Outcome::Partial);
            }
            Ok(links) => links,
        };
        drop(progress);
        let is_listed =
            self.list.write(list, || List::of_demands(loads, &demands, &links), work.context);
        if is_listed && !work.context.json() {
            return Ok(Outcome::Done);
        }
        let facts = work.facts()?;
        show(&LoadReport::new(&work.instance, loads, &facts), is_listed, work.context)?;
        let stopped = matches!(facts.contention, Err(ContentionError::Stopped(_)));
        Ok(if stopped { Outcome::Partial } else { Outcome::Done })
    }

    /// Keeps the list of links, if one is asked for.
    fn keep_list(
        &self,
        format: Option<&'static Kind<LinkList>>,
        loads: &LinkLoads<'_>,
        contention: Option<&Sums>,
        context: &Context,
    ) {
        let text = format.and_then(|format| text_of(format, List::of_loads(loads, contention)));
        self.list.keep(format, move |_| text, context);
    }

    /// Writes the list of links, if one is asked for; returns whether it was written.
    fn write_links(
        &self,
        list: Option<&'static Kind<LinkList>>,
        loads: &LinkLoads<'_>,
        facts: &LoadFacts,
        context: &Context,
    ) -> bool {
        let rows = || List::of_loads(loads, facts.contention.as_ref().ok());
        self.list.write(list, rows, context)
    }
}

/// Traffic that a routing has seen and routed.
struct Seen<'r> {
    topology: &'r Topology,
    spec: &'r str,
    traffic: &'r Traffic,
    known: LoadFacts,
}

/// Shows the report, unless the list of links takes its place.
fn show(report: &LoadReport, is_listed: bool, context: &Context) -> Result<()> {
    if is_listed && !context.json() {
        return Ok(());
    }
    context.show(report, || report.text())
}

/// The facts about traffic besides its loads, of which some are known.
fn facts(
    topology: &Topology,
    traffic: &Traffic,
    known: LoadFacts,
    context: &Context,
    contention: impl FnOnce() -> Result<Sums, ContentionError>,
) -> Result<LoadFacts> {
    let optu =
        if topology.tree().is_some() { known.optu } else { optu(topology, traffic, context)? };
    let load_factor = LoadFactorReport::of(topology, &traffic.demands);
    Ok(LoadFacts { optu, load_factor, contention: contention(), ..known })
}

/// The facts known without search.
fn rough_facts(topology: &Topology, traffic: &Traffic) -> LoadFacts {
    let optu = rough_optimum(topology, &traffic.demands);
    LoadFacts {
        traffic: traffic.spec.clone(),
        demands: as_size(traffic.size()),
        baseload: optu.lower.clone(),
        optu,
        load_factor: None,
        contention: Err(Stopped.into()),
        notes: traffic.notes.clone(),
    }
}

/// Keeps and returns the facts that need neither the routing nor a walk over the demands; on trees optu is one.
fn known_facts(
    topology: &Topology,
    routing: &str,
    traffic: &Traffic,
    context: &Context,
) -> Result<LoadFacts> {
    let mut facts = rough_facts(topology, traffic);
    let known = UnknownLoads::new(topology, routing, &facts);
    context.keep(&known, || known.text());
    if topology.tree().is_some() {
        facts.optu = optu(topology, traffic, context)?;
        let known = UnknownLoads::new(topology, routing, &facts);
        context.keep(&known, || known.text());
    }
    Ok(facts)
}

/// Bounds of optu; without traffic it is 0.
fn optu(topology: &Topology, traffic: &Traffic, context: &Context) -> Result<Bounds> {
    let demands = &traffic.demands;
    if demands.view().is_empty() {
        let evidence = Evidence::Claimed("no traffic".to_string());
        return Ok(Bounds { lower: Rational::ZERO, upper: Rational::ZERO, evidence });
    }
    let progress = context.progress(0, "optimum, rounds");
    let assess = AssessOptimum::new().proven_if(false).progress(&progress);
    let mut found = assess.run(topology, demands)?;
    if let (Evidence::Claimed(by), Err(NoCertificate::NotAsked)) =
        (&mut found.optu.evidence, &found.certificate)
    {
        by.push_str("; `routebound optu --certificate` has it checked");
    }
    Ok(found.optu)
}

/// Traffic on an instance.
struct Work<'c> {
    instance: Instance,
    traffic: Traffic,
    known: LoadFacts,
    context: &'c Context,
}

impl Work<'_> {
    fn loads(&self) -> Result<LinkLoads<'_>, Stopped> {
        let Instance { topology, routing, .. } = &self.instance;
        let demands = &self.traffic.demands;
        LinkLoads::of(topology, &**routing, demands, &self.progress(1, "demands"))
    }

    fn facts(&self) -> Result<LoadFacts> {
        let Self { instance, traffic, known, context } = self;
        let found = || contention(instance, &traffic.demands, &self.progress(2, "contention"));
        facts(&instance.topology, traffic, known.clone(), context, found)
    }

    fn progress(&self, passes: u64, label: &str) -> Progress {
        self.context.progress(passes * self.traffic.size(), label)
    }
}
