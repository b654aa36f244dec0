//! Backbones without some of their cables.

use crate::failure_sets::{Element, FailureSets, Failures, Repair, Unit, prove_failure_sets};
use crate::import::{self, ImportOptions};
use crate::progress::Stopped;
use crate::routing::build;
use crate::study::prelude::*;

/// The networks, in `instances/networks/topohub`.
pub(super) const NETWORKS: [&str; 25] = [
    "Abilene",
    "Aconet",
    "Arpanet19719",
    "AttMpls",
    "Belnet2003",
    "Belnet2004",
    "Belnet2005",
    "Belnet2006",
    "Belnet2007",
    "Belnet2008",
    "Belnet2009",
    "Compuserve",
    "EliBackbone",
    "Epoch",
    "Globalcenter",
    "Gridnet",
    "Heanet",
    "HiberniaUk",
    "Marwan",
    "Netrail",
    "Oxford",
    "Pacificwave",
    "Sanren",
    "Spiralight",
    "Telecomserbia",
];

pub(super) const HEADS: [&str; 10] = [
    "network",
    "nodes",
    "cables",
    "sets",
    "no failure",
    "at most one",
    "at most two",
    "without",
    "sets that cut nodes off",
    "evidence",
];

/// The cells of a network.
pub(super) fn find(network: &str, progress: &Progress) -> Result<Vec<String>> {
    let path = format!("instances/networks/topohub/{network}.csv");
    let topology = import::topology(&path, &ImportOptions::default())?;
    let routing = build("ecmp", &topology)?;
    let instance = Instance::new(topology, routing)?;
    let elements = Element::all(&instance.topology, Unit::Cable);
    let of = |most: u8| {
        let (elements, repair) = (elements.clone(), Repair::Ecmp);
        let failures = Failures { elements, most, repair, ranked: 0 };
        let quiet = progress.part(1.0);
        let found = prove_failure_sets(&instance, &failures, false, &quiet, &mut |_| {})?;
        if found.complete { Ok((failures, found)) } else { Err(StudyError::from(Stopped)) }
    };
    let none = assessed(&instance, network, &Units::default(), &progress.part(1.0))?;
    let ((_, one), (failures, two)) = (of(1)?, of(2)?);
    let loads = [&none.permutation_load, &one.load, &two.load];
    let mut evidence: Vec<String> = loads.iter().map(|load| load.evidence.to_string()).collect();
    evidence.dedup();
    let exact = |load: &&crate::bounds::Bounds| {
        load.exact().map_or_else(|| load.to_string(), ToString::to_string)
    };
    let numbers = [instance.topology.hosts(), elements.len()].map(|number| number.to_string());
    let head =
        [network.to_string()].into_iter().chain(numbers).chain([failures.sets().to_string()]);
    let last = [worst(&failures, &two), two.counts.cutting.to_string(), evidence.join("; ")];
    Ok(head.chain(loads.iter().map(exact)).chain(last).collect())
}

/// The names of the cables without which the load is highest.
fn worst(failures: &Failures, found: &FailureSets) -> String {
    found.peak.as_ref().map_or_else(|| "-".into(), |peak| failures.names(&peak.set).join(" and "))
}
