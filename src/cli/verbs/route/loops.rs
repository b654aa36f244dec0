//! `route --loops`: a credit loop, link by link, with the pairs whose paths close it.

use anyhow::Result;
use serde::Serialize;

use super::Step;
use crate::cli::{Context, Outcome};
use crate::import;
use crate::load::{CreditLoop, Lanes, VirtualChannels, credit_loop};
use crate::report::labelled;
use crate::report::table::table;
use crate::routing::Instance;
use crate::topology::{Host, quoted};

/// What gives paths their virtual lanes.
#[derive(clap::Args)]
pub(super) struct LaneOptions {
    /// With `--loops`, look lane by lane: FILE gives every pair its service level, opensm-path-records.dump
    #[arg(long, value_name = "FILE", requires_all = ["loops", "sl2vl"])]
    service_levels: Option<String>,
    /// FILE gives service levels their virtual lanes at every port, opensm-sl2vl.dump
    #[arg(long, value_name = "FILE", requires = "service_levels")]
    sl2vl: Option<String>,
}

impl LaneOptions {
    /// The lanes, if they are given.
    fn read(&self, context: &Context) -> Result<Option<Lanes>> {
        let Some((levels, tables)) = self.service_levels.as_ref().zip(self.sl2vl.as_ref()) else {
            return Ok(None);
        };
        let levels = context.reading(levels, || Ok(import::service_levels(levels)?))?;
        let tables = context.reading(tables, || Ok(import::lane_tables(tables)?))?;
        Ok(Some(Lanes::new(levels, tables)))
    }
}

/// The answer to `--loops`.
#[derive(Serialize)]
struct Loops {
    topology: String,
    routing: String,
    /// Whether packets may wait for each other forever.
    may_deadlock: bool,
    /// Whether virtual lanes are known; paths share one otherwise.
    has_lanes: bool,
    /// The links of a credit loop, each of which is held by a packet that waits for the next.
    cycle: Vec<Wait>,
    /// How many virtual channels of each link separate the paths, where they form a loop on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_channels: Option<Channels>,
    notes: Vec<String>,
}

/// With fewer channels than this there is a loop; with as many as this there is none.
#[derive(Serialize)]
struct Channels {
    at_least: u32,
    at_most: u32,
}

/// A link of a loop, and an SD pair whose path continues with the next one.
#[derive(Serialize)]
struct Wait {
    #[serde(flatten)]
    link: Step,
    /// The virtual lane that is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    lane: Option<u32>,
    source: Option<String>,
    destination: Option<String>,
    /// The name of the link, for people.
    #[serde(skip)]
    name: String,
}

/// Shows a credit loop of an instance, or that it has none.
pub(super) fn show(instance: &Instance, lanes: &LaneOptions, context: &Context) -> Result<Outcome> {
    let lanes = lanes.read(context)?;
    let hosts = instance.topology().hosts() as u64;
    let progress = || context.progress(hosts, "hosts");
    let found = match &lanes {
        Some(lanes) => lanes.credit_loop(instance, &progress())?,
        None => credit_loop(instance, &progress())?,
    };
    let cycle = match &found {
        None => Vec::new(),
        Some(found) => {
            let pairs = match &lanes {
                Some(lanes) => lanes.pairs(found, instance, &progress())?,
                None => found.pairs(instance, &progress())?,
            };
            let waits = (0..).zip(pairs);
            waits.filter_map(|(at, pair)| Wait::of(instance, found, at, pair)).collect()
        }
    };
    let mut notes = instance.notes();
    let virtual_channels = (found.is_some() && lanes.is_none())
        .then(|| VirtualChannels::of_routing(instance, &context.progress(2 * hosts, "hosts")));
    // The loop is the answer, also where there is no time to count.
    let virtual_channels = match virtual_channels.transpose() {
        Ok(found) => {
            found.map(|VirtualChannels { at_least, at_most, .. }| Channels { at_least, at_most })
        }
        Err(error) => {
            notes.push(format!("virtual channels were not counted: {error}"));
            None
        }
    };
    let loops = Loops {
        topology: instance.topology().spec().to_string(),
        routing: instance.routing().spec().to_string(),
        may_deadlock: found.is_some(),
        has_lanes: lanes.is_some(),
        cycle,
        virtual_channels,
        notes,
    };
    context.show(&loops, || loops.text())?;
    Ok(if loops.may_deadlock { Outcome::CheckFailed } else { Outcome::Done })
}

impl Wait {
    fn of(
        instance: &Instance,
        found: &CreditLoop,
        at: usize,
        pair: Option<(Host, Host)>,
    ) -> Option<Self> {
        let topology = instance.topology();
        let host = |host: Host| topology.node(host).name.clone();
        Some(Self {
            link: Step::of(topology, *found.numbers.get(at)?)?,
            lane: found.lanes.get(at).copied(),
            source: pair.map(|(s, _)| host(s)),
            destination: pair.map(|(_, d)| host(d)),
            name: found.links.get(at)?.clone(),
        })
    }

    fn row(&self) -> Vec<String> {
        let host = |name: &Option<String>| name.as_deref().map(quoted).unwrap_or_default();
        let lane = self.lane.map(|lane| lane.to_string());
        let ends = [host(&self.source), host(&self.destination)];
        [self.name.clone()].into_iter().chain(lane).chain(ends).collect()
    }
}

impl Loops {
    fn text(&self) -> String {
        let Self { topology, routing, cycle, .. } = self;
        let title = format!("{routing} on {topology}\n");
        let notes = labelled("note", 8, &self.notes);
        if !self.may_deadlock {
            return format!("{title}no credit loop\n{notes}");
        }
        let links = cycle.len();
        let (condition, mut head) = if self.has_lanes {
            ("on virtual lanes", vec!["link", "lane"])
        } else {
            ("if all paths share a virtual lane", vec!["link"])
        };
        head.extend(["held by a packet from", "to"]);
        let waits = table(&head, cycle.iter().map(Wait::row));
        let channels = self.virtual_channels.as_ref().map(Channels::text).unwrap_or_default();
        format!(
            "{title}credit loop over {links} links {condition}: each is held by a packet that waits for the \
             next, the last for the first\n\n{waits}\n{channels}{notes}"
        )
    }
}

impl Channels {
    fn text(&self) -> String {
        let Self { at_least, at_most } = self;
        if at_least == at_most {
            return format!(
                "{at_most} virtual channels of each link are enough, and {} is not\n",
                at_most - 1
            );
        }
        format!(
            "{at_most} virtual channels of each link are enough; {} is not, and what is between may be\n",
            at_least - 1
        )
    }
}
