//! `load`: the loads that traffic puts on the links of a routed network.

use anyhow::Result;

use super::topo::refuse_two_outputs;
use crate::assessment::{OptimumOptions, assess_optimum, rough_optimum};
use crate::bounds::{Bounds, Evidence};
use crate::channels::ChannelTree;
use crate::cli::{Context, InstanceOptions, Outcome, OutputPath, Run, Traffic, Verb};
use crate::integer::as_size;
use crate::load::{ContentionError, LinkLoads, contention, within_limit};
use crate::optimum::baseload;
use crate::progress::{Progress, Stopped};
use crate::ratio::Ratio;
use crate::registry::{self, Kind};
use crate::report::{LINK_LISTS, LinkRows, LoadFacts, LoadReport, UnknownLoads};
use crate::routing::Instance;

pub(super) const KIND: Kind<Verb> = Kind {
    name: "load",
    usage: "load TOPOLOGY ROUTING TRAFFIC [--links[=FORMAT]] [--output FILE]",
    options: &[],
    about: "Find the load of every link, the max load, and how far the routing is from optimal",
    reference: "[OR] II.A, III, [RO] IV",
    examples: &[
        "load ft(8,3) dmodk shift(4)",
        "load xgft(2;8,8;1,4) omrmn shift(1) --json",
        "load ft(4,2) dmodk shift(1) --links=csv",
    ],
    build: Verb::of::<Load>(),
};

#[derive(clap::Args)]
struct Load {
    /// Topology, such as 'ft(8,3)', or a fabric file: see `routebound list topologies`
    topology: String,
    /// Routing, such as dmodk: see `routebound list routings`
    routing: String,
    /// Traffic, such as 'shift(1)', or a file
    traffic: String,
    /// List the load of every link instead, in this format: table, csv or json (one object per
    /// line)
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "table")]
    links: Option<String>,
    /// File for the list of links; `-` is stdout
    #[arg(long, value_name = "FILE", default_value = "-", requires = "links")]
    output: OutputPath,
    #[command(flatten)]
    network: InstanceOptions,
}

impl Run for Load {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let list = self.links.as_ref().map(|name| registry::find(LINK_LISTS, "list format", name));
        let list = list.transpose()?;
        if list.is_some() {
            refuse_two_outputs(&self.output, context)?;
        }
        let instance = self.network.open(&self.topology, &self.routing, context)?;
        let traffic = Traffic::open(&self.traffic, &instance.topology, context)?;
        within_limit(traffic.demands.view())?;
        let work = Work { instance, traffic, context };
        let known = work.known()?;
        context.keep(&known, || known.text());
        let loads = match work.loads() {
            Err(Stopped) => return work.without_loads(&known),
            Ok(loads) => loads,
        };
        if list.is_none() {
            let report = LoadReport::new(&work.instance, &loads, &work.rough_facts());
            context.keep(&report, || report.text());
        }
        let facts = work.facts()?;
        if let Some(list) = list {
            let contention = facts.contention.as_deref().ok();
            let rows = LinkRows { topology: &work.instance.topology, loads: &loads, contention };
            context.write(&self.output, |out| Ok((list.build)(&rows, out)?))?;
        }
        let report = LoadReport::new(&work.instance, &loads, &facts);
        if context.json() {
            context.print_json(&report)?;
        } else if list.is_none() {
            context.print(&report.text())?;
        }
        let stopped = matches!(facts.contention, Err(ContentionError::Stopped(_)));
        Ok(if stopped { Outcome::Partial } else { Outcome::Done })
    }
}

/// Traffic on an instance.
struct Work<'c> {
    instance: Instance,
    traffic: Traffic,
    context: &'c Context,
}

impl Work<'_> {
    fn loads(&self) -> Result<LinkLoads<'_>, Stopped> {
        let Instance { topology, routing } = &self.instance;
        let demands = &self.traffic.demands;
        LinkLoads::of(topology, &**routing, demands, &self.progress(1, "demands"))
    }

    /// What takes no walk over the demands: on trees optu too.
    fn known(&self) -> Result<UnknownLoads> {
        let mut facts = self.rough_facts();
        if self.instance.topology.tree().is_some() {
            facts.optu = self.optu()?;
        }
        Ok(UnknownLoads::new(&self.instance, &facts))
    }

    /// Ends a run that was stopped before the loads were known.
    fn without_loads(&self, known: &UnknownLoads) -> Result<Outcome> {
        if self.context.json() {
            self.context.print_json(known)?;
        } else {
            self.context.print(&known.text())?;
        }
        Ok(Outcome::Partial)
    }

    fn facts(&self) -> Result<LoadFacts> {
        let demands = &self.traffic.demands;
        let topology = &self.instance.topology;
        let baseload = baseload(topology, demands);
        let load_factor = ChannelTree::of(topology).map(|tree| tree.load_factor(demands).value);
        Ok(LoadFacts {
            traffic: self.traffic.spec.clone(),
            demands: as_size(self.traffic.size()),
            optu: self.optu()?,
            baseload,
            load_factor,
            contention: contention(&self.instance, demands, &self.progress(2, "pairs")),
        })
    }

    /// The facts known without search.
    fn rough_facts(&self) -> LoadFacts {
        let demands = &self.traffic.demands;
        let optu = rough_optimum(&self.instance.topology, demands);
        LoadFacts {
            traffic: self.traffic.spec.clone(),
            demands: as_size(self.traffic.size()),
            baseload: optu.lower.clone(),
            optu,
            load_factor: None,
            contention: Err(Stopped.into()),
        }
    }

    /// Bounds of optu; without traffic it is 0.
    fn optu(&self) -> Result<Bounds> {
        let demands = &self.traffic.demands;
        if demands.view().is_empty() {
            let evidence = Evidence::Claimed("no traffic".to_string());
            return Ok(Bounds { lower: Ratio::ZERO, upper: Ratio::ZERO, evidence });
        }
        let topology = &self.instance.topology;
        let progress = self.context.progress(0, "rounds");
        let options = OptimumOptions::default().proven_if(false);
        let found = assess_optimum(topology, demands, &options, &progress)?;
        Ok(found.optu)
    }

    fn progress(&self, passes: u64, label: &str) -> Progress {
        self.context.progress(passes * self.traffic.size(), label)
    }
}
