//! CSV, one demand per line.

use super::exact;
use super::prelude::*;
use crate::export::io_error;
use crate::topology::{Host, Topology};

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "csv",
    usage: "traffic .. --format csv",
    about: "source,destination,demand with header; hosts by name in networks that were read, by number \
            otherwise; amounts as decimals if these are finite, else as fractions",
    reference: "https://www.rfc-editor.org/rfc/rfc4180",
    examples: &["shift(1)", "hotspot-percent"],
    build: TrafficFormat { write, holds_header: false },
};

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    // Where hosts are called by numbers, readers of this format take numbers for names.
    let by_name = |network: &&Topology| {
        network.numeric_host_name().is_some() || network.plain_host_names().is_some()
    };
    let network = replay.topology.filter(by_name);
    let called = |host: Host| match network {
        Some(network) => network.node(host).name.clone(),
        None => host.to_string(),
    };
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["source", "destination", "demand"]).map_err(io_error)?;
    for demand in replay.matrix.demands() {
        let record = [called(demand.s), called(demand.d), exact(&demand.amount)];
        csv.write_record(record).map_err(io_error)?;
    }
    csv.flush()?;
    Ok(())
}
