//! The LID that each source uses for each destination, from a file.
//!
//! ```text
//! source,destination,offset
//! host-0,host-1,0
//! host-0,host-9,1
//! ```
//!
//! Every pair has one line: host-0 sends to base LID + 1 of host-9. Hosts are given by name or number, as everywhere.
//! [`crate::export::opensm`] writes such files.

use crate::import::text::TextFile;
use crate::limit::within;
use crate::quote::quote;
use crate::routing::RoutingError;
use crate::routing::lid_tables::OFFSETS_HEADER;
use crate::topology::{HostNames, Topology, host_number};

use super::refused;

/// Maximum number of pairs, of which each takes a byte.
const MAX_PAIRS: u64 = 1 << 28;
/// There is no such offset: LMC is at most 7.
const NONE: u8 = u8::MAX;

/// The offset of the pair (s,d) at s·hosts + d, 0 where s = d, from the lines behind the header.
pub(super) fn read(mut text: TextFile, topology: &Topology) -> Result<Vec<u8>, RoutingError> {
    let hosts = topology.hosts();
    within("number of SD pairs", Some((hosts * hosts) as u128), MAX_PAIRS, "use a smaller fabric")?;
    let mut offsets = vec![NONE; hosts * hosts];
    let names = topology.host_names();
    while let Some(line) = text.next_line().map_err(refused)? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let taken = put(line, &names, hosts, &mut offsets);
        taken.map_err(|problem| {
            RoutingError::Tables(format!("{}, line {}: {problem}", text.path(), text.line()))
        })?;
    }
    for host in 0..hosts {
        offsets[host * hosts + host] = 0;
    }
    if let Some(pair) = offsets.iter().position(|offset| *offset == NONE) {
        let label = |host| topology.host_label(host_number(host));
        let (s, d) = (label(pair / hosts), label(pair % hosts));
        let problem = format!("{}: no line for the pair {s},{d}", text.path());
        return Err(RoutingError::Tables(problem));
    }
    Ok(offsets)
}

fn put(line: &str, names: &HostNames<'_>, hosts: usize, offsets: &mut [u8]) -> Result<(), String> {
    let wanted = || {
        format!(
            "found `{}`, expected two hosts and a number 0..=127, as {OFFSETS_HEADER}",
            quote(line)
        )
    };
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let &[s, d, offset] = &fields[..] else { return Err(wanted()) };
    let offset: u8 = offset.parse().ok().filter(|k| *k < 128).ok_or_else(wanted)?;
    let [s, d] = [s, d].map(|host| names.find(host).map_err(|error| error.to_string()));
    let place = s? as usize * hosts + d? as usize;
    if place.is_multiple_of(hosts + 1) {
        return Err(format!("found `{}`, but no host sends to itself", quote(line)));
    }
    match std::mem::replace(&mut offsets[place], offset) {
        NONE => Ok(()),
        _ => Err(format!("the pair of `{}` is listed twice", quote(line))),
    }
}
