//! Worst-case traffic as an artefact: the traffic together with what is known about it.

use std::collections::BTreeSet;

use super::numbers::{column, column_at_most};
use super::prelude::*;
use crate::bounds::Witness;
use crate::export::traffic::Replay;
use crate::load::LinkLoads;
use crate::progress::{Progress, Stopped};
use crate::routing::{Instance, UseScratch};
use crate::spec::Spec;
use crate::topology::{Host, LinkId, quoted};
use crate::traffic::{Demand, TrafficError, TrafficMatrix};

/// Traffic that loads a link of an instance heavily.
#[derive(Clone, Debug)]
pub struct WorstTraffic<'i> {
    topology: &'i Topology,
    routing: String,
    link: LinkId,
    load: Rational,
    max_load: Rational,
    optu: Rational,
    matrix: TrafficMatrix,
    /// The demands that cross the link.
    core: Vec<Demand>,
    header: Vec<String>,
}

/// An error from turning a witness into an artefact.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum WorstTrafficError {
    #[error(transparent)]
    Traffic(#[from] TrafficError),
    #[error("{0}")]
    Stopped(#[from] Stopped),
}

/// The record of a file that was written.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenTraffic {
    /// The file.
    pub file: String,
    /// The file of the header, where the format has no room for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The name of the format.
    pub format: &'static str,
    /// The loaded link, by the names and ports of its ends.
    pub link: String,
    /// Id of the link.
    pub link_id: LinkId,
    /// Load of the link under this traffic.
    pub load: Rational,
    /// The largest load of a link under this traffic.
    pub max_load: Rational,
    /// Max load of a routing of this traffic: optu is at most this.
    pub optu: Rational,
    /// Number of SD pairs with traffic.
    pub pairs: usize,
}

impl<'i> WorstTraffic<'i> {
    /// The traffic of a witness; the loads are recomputed from it alone. `found_by` is the spec of
    /// the adversary that found it, `None` for the exact analysis.
    ///
    /// # Errors
    /// [`WorstTrafficError`].
    pub fn new(
        instance: &'i Instance,
        witness: &Witness,
        found_by: Option<&str>,
    ) -> Result<Self, WorstTrafficError> {
        let Instance { topology, routing, .. } = instance;
        let demands = &witness.demands;
        let loads = LinkLoads::of(topology, &**routing, demands, &Progress::silent())?;
        let mut traffic = Self {
            topology,
            routing: routing.spec().to_string(),
            link: witness.link,
            load: loads.load(witness.link),
            max_load: loads.max_load(),
            optu: witness.optu.clone(),
            matrix: TrafficMatrix::new(topology.hosts(), demands.iter().cloned())?,
            core: crossing(instance, demands, witness.link),
            header: Vec::new(),
        };
        traffic.header = traffic.lines(found_by);
        Ok(traffic)
    }

    /// The traffic for the export formats.
    #[must_use]
    pub fn replay(&self) -> Replay<'_> {
        Replay {
            matrix: &self.matrix,
            topology: Some(self.topology),
            core: Some(&self.core),
            header: &self.header,
        }
    }

    /// The header of the file, line by line.
    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The record of this traffic in a file of some format.
    #[must_use]
    pub fn written(
        &self,
        file: String,
        about: Option<String>,
        format: &'static str,
    ) -> WrittenTraffic {
        WrittenTraffic {
            file,
            about,
            format,
            link: self.topology.link_name(self.link),
            link_id: self.link,
            load: self.load.clone(),
            max_load: self.max_load.clone(),
            optu: self.optu.clone(),
            pairs: self.matrix.len(),
        }
    }

    fn lines(&self, found_by: Option<&str>) -> Vec<String> {
        let name = self.topology.link_name(self.link);
        let spec = found_by.and_then(|spec| Spec::parse(spec).ok());
        let seed = spec.as_ref().and_then(|spec| spec.option("seed")).unwrap_or("none");
        let found_by = found_by.unwrap_or("exact analysis");
        let mut lines = vec![
            "worst-case traffic, written by routebound".to_string(),
            format!("topology  {}", self.topology.spec()),
            format!("routing   {}", self.routing),
            format!("link      {name} (link {})", self.link),
            format!("load      {}", self.load),
            format!("max load  {}", self.max_load),
            format!("optu      at most {}", self.optu),
            format!("found by  {found_by}"),
            format!("seed      {seed}"),
            format!("pairs     {}, {} on the link", self.matrix.len(), self.core.len()),
        ];
        let mut amounts = self.matrix.demands().iter().map(|demand| &demand.amount);
        match amounts.next() {
            Some(first) if amounts.all(|amount| amount == first) && *first != Rational::ONE => {
                let note = "formats without amounts count each as 1, loads in proportion";
                lines.push(format!("demand    {first} of every pair; {note}"));
            }
            _ => {}
        }
        lines.extend(self.host_lines());
        lines
    }

    /// The names of the hosts of a network that was read, since files have them by number.
    fn host_lines(&self) -> Vec<String> {
        let demands = self.matrix.demands().iter().filter(|_| self.topology.is_read());
        let hosts: BTreeSet<Host> = demands.flat_map(|demand| [demand.s, demand.d]).collect();
        let line =
            |host: &Host| format!("host      {host} {}", quoted(&self.topology.node(*host).name));
        hosts.iter().map(line).collect()
    }
}

/// The demands that cross a link, at least in part.
fn crossing(instance: &Instance, demands: &[Demand], link: LinkId) -> Vec<Demand> {
    let mut scratch = UseScratch::default();
    let mut crosses = |demand: &&Demand| {
        let mut found = false;
        let mut visit = |_: &Rational, links: &[LinkId]| found |= links.contains(&link);
        instance.routing.for_each_use(demand.s, demand.d, &mut scratch, &mut visit);
        found
    };
    demands.iter().filter(|demand| crosses(demand)).cloned().collect()
}

/// The files of worst-case traffic, one per line.
pub(super) fn files_text(files: &[WrittenTraffic]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let numbers = [
        column(files.iter().map(|file| Some(&file.load))),
        column(files.iter().map(|file| Some(&file.max_load))),
        column_at_most(files.iter().map(|file| Some(&file.optu))),
    ];
    let row = |(at, file): (usize, &WrittenTraffic)| {
        let WrittenTraffic { file, link, link_id, pairs, .. } = file;
        let link = format!("{link} (link {link_id})");
        let mut cells = vec![file.clone(), link];
        cells.extend(numbers.iter().map(|column| column[at].clone()));
        cells.push(pairs.to_string());
        cells
    };
    let heads = ["traffic file", "link", "load", "max load", "optu at most", "pairs"];
    format!("\n{}\n", table(&heads, files.iter().enumerate().map(row)))
}
