//! Fabrics of `instances/fabrics` with the tables of OpenSM's engines.

use std::path::Path;

use super::StudyError;
use crate::import::{self, ImportOptions};
use crate::routing::{Instance, build};

const FABRIC: &str = "ibnetdiscover.out.gz";
const TABLES: &str = "opensm-lfts.dump.gz";

/// A fabric with the tables of one engine. Where engines routed the same fabric there is one copy of it.
pub(crate) fn opensm(network: &str, engine: &str) -> Result<Instance, StudyError> {
    let fabric = format!("instances/fabrics/{network}");
    let folder = format!("{fabric}/{engine}");
    let copies = [format!("{folder}/{FABRIC}"), format!("{fabric}/{FABRIC}")];
    let path = copies.iter().find(|path| Path::new(path).exists()).unwrap_or(&copies[0]);
    let topology = import::topology(path, &ImportOptions::default())?;
    let routing = build(&format!("lft:{folder}/{TABLES}"), &topology)?;
    Ok(Instance::new(topology, routing)?)
}

/// A network with its routing; a name of a network without brackets is a fabric with the tables of an OpenSM engine.
pub(crate) fn instance((network, routing): (&str, &str)) -> Result<Instance, StudyError> {
    if network.contains('(') {
        return Ok(Instance::named(network, routing)?);
    }
    opensm(network, routing)
}
