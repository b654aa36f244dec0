//! Pods and planes of top switches, in one line each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::NAMED;
use crate::fabric::Pod;
use crate::report::counted;
use crate::topology::Topology;

/// Switches that are joined below the top.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PodReport {
    /// Number of leaf switches.
    pub leaves: usize,
    /// Number of hosts at them.
    pub hosts: usize,
    /// The names of all switches, leaf switches among them.
    pub switches: Vec<String>,
}

impl PodReport {
    /// The record of a pod.
    #[must_use]
    pub fn new(topology: &Topology, pod: &Pod) -> Self {
        let name = |node: &u32| topology.node(*node).name.clone();
        let switches = pod.switches.iter().map(name).collect();
        Self { leaves: pod.leaves, hosts: pod.hosts, switches }
    }

    fn text(&self) -> String {
        let leaves = switches(self.leaves, "leaf");
        let others = switches(self.switches.len() - self.leaves, "other");
        format!("{leaves}, {others} and {}", counted(self.hosts, "host"))
    }
}

/// The lines on pods and planes: a name and what follows it.
pub(in crate::report) fn pods_text(
    pods: &[PodReport],
    planes: &[Vec<String>],
) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if !pods.is_empty() {
        lines.push(("pods", alike(pods.iter().map(PodReport::text))));
    }
    if planes.len() > 1 {
        lines.push(("tops", alike(planes.iter().map(|plane| switches(plane.len(), "top")))));
        if let Some((_, line)) = lines.last_mut() {
            line.insert_str(0, &format!("{} planes: ", planes.len()));
        }
    }
    lines
}

fn switches(count: usize, kind: &str) -> String {
    counted(count, &format!("{kind} switch"))
}

/// `7 with A; 1 with B`: the most frequent first.
fn alike(all: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = if counts.len() > NAMED { "; …" } else { "" };
    let first: Vec<String> =
        counts.iter().take(NAMED).map(|(one, count)| format!("{count} with {one}")).collect();
    first.join("; ") + more
}
