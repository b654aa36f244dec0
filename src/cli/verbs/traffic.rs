//! `traffic`: traffic from a pattern or a file, summarised or written for other programs.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::prelude::*;
use crate::cli::NetworkOptions;
use crate::cli::overwriting::MARK;
use crate::cli::worst_traffic::format_of;
use crate::export::traffic::Replay;
use crate::import::traffic::Hosts;
use crate::rational::Rational;
use crate::report::labelled;
use crate::topology::Topology;
use crate::traffic;

pub(super) const VERB: Verb = Verb {
    name: "traffic",
    about: "Summarise traffic, or write it in another format",
    reference: "[OR] VI, [GO] 5.2, [RO] VI",
    examples: &[
        "traffic ft(8,3) bitrev",
        "traffic --hosts 128 cg(128,phase=5) --json",
        "traffic ft(4,2) random(p=0.25,seed=7) --output random.mtx",
        "traffic --hosts 8 shift(1) --output - --format csv",
    ],
    ..Verb::of::<Traffic>()
};

#[derive(clap::Args)]
struct Traffic {
    /// Topology, such as 'ft(8,3)', unless `--hosts` is given; then the traffic, such as 'shift(1)', or a
    /// traffic file: see `routebound list traffic traffic-files`
    #[arg(value_names = ["TOPOLOGY", "TRAFFIC"], num_args = 1..=2, required = true)]
    arguments: Vec<String>,
    /// Number of hosts, instead of a topology
    #[arg(long, value_name = "N")]
    hosts: Option<usize>,
    /// Write the traffic to FILE; `-` is stdout
    #[arg(long, value_name = "FILE")]
    output: Option<OutputPath>,
    /// Format of the traffic: see `routebound list traffic-formats` [default: by file extension]
    #[arg(long, value_name = "FORMAT", requires = "output")]
    format: Option<String>,
    #[command(flatten)]
    network: NetworkOptions,
}

impl Run for Traffic {
    fn run(&self, context: &Context) -> Result<Outcome> {
        let (topology, text) = match (self.hosts, self.arguments.as_slice()) {
            (Some(_), [text]) => (None, text),
            (None, [topology, text]) => {
                (Some(self.network.open_remarking(topology, context)?), text)
            }
            (Some(_), _) => bail!("both `--hosts` and a topology are given: leave one out"),
            (None, _) => bail!("expected TOPOLOGY TRAFFIC, or `--hosts N` with TRAFFIC"),
        };
        let numbered = Hosts::Numbered(self.hosts.unwrap_or(0));
        let hosts = topology.as_ref().map_or(numbered, Hosts::Of);
        let (name, traffic, notes) = context.open_traffic(text, hosts)?;
        let summary = Summary { notes, ..Summary::of(topology.as_ref(), name, &traffic) };
        match &self.output {
            Some(output) => {
                let matrix = traffic.into_matrix()?;
                let header = [summary.traffic.clone(), MARK.to_string()];
                let topology = topology.as_ref();
                if !context.json() {
                    summary.notes.iter().for_each(|note| context.remark(note));
                }
                let replay = Replay { matrix: &matrix, topology, core: None, header: &header };
                self.write(output, &replay, &summary, context)?;
            }
            None => context.show(&summary, || summary.text())?,
        }
        Ok(Outcome::Done)
    }
}

impl Traffic {
    fn write(
        &self,
        output: &Path,
        replay: &Replay<'_>,
        summary: &Summary,
        context: &Context,
    ) -> Result<()> {
        let kind = format_of(self.format.as_deref(), output, "--format")?;
        context.write(output, |out| Ok((kind.build.write)(replay, out)?))?;
        let mut value = serde_json::to_value(summary)?;
        if let Value::Object(object) = &mut value {
            object.insert("export".into(), json!({ "format": kind.name, "file": output }));
        }
        context.show(&value, String::new)
    }
}

#[derive(Serialize)]
struct Summary {
    traffic: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    topology: Option<String>,
    hosts: usize,
    pairs: u64,
    total: Rational,
    max_sent: Rational,
    max_received: Rational,
    permutation: bool,
    self_demands: usize,
    /// Notes on how a file was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Summary {
    fn of(topology: Option<&Topology>, name: String, traffic: &traffic::Traffic) -> Self {
        let most = |sums: Vec<Rational>| sums.into_iter().max().unwrap_or(Rational::ZERO);
        Self {
            traffic: name,
            topology: topology.map(|topology| topology.spec().to_string()),
            hosts: traffic.hosts(),
            pairs: traffic.view().len(),
            total: traffic.view().total(),
            max_sent: most(traffic.sent()),
            max_received: most(traffic.received()),
            permutation: traffic.is_permutation(),
            self_demands: traffic.self_demands(),
            notes: Vec::new(),
        }
    }

    fn text(&self) -> String {
        let Self { traffic, hosts, pairs, total, max_sent, max_received, .. } = self;
        let place = self.topology.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
        let permutation = if self.permutation { "yes" } else { "no" };
        let left_out = match self.self_demands {
            0 => String::new(),
            count => format!(
                "left out     {count} self demands: traffic from a host to itself never enters the network\n"
            ),
        };
        let notes = labelled("note", 13, &self.notes);
        format!(
            "{traffic}{place}\n\
             {hosts} hosts, {pairs} SD pairs with traffic\n\
             total        {total}\n\
             sent         at most {max_sent} by a host\n\
             received     at most {max_received} by a host\n\
             permutation  {permutation}\n\
             {left_out}{notes}"
        )
    }
}
