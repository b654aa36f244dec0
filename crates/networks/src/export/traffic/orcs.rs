//! Host orderings that turn traffic into an ORCS pattern.
//!
//! ORCS has no pattern for given pairs. Its `bisect_fb_sym` joins hosts 0 and 1, 2 and 3, … both
//! ways, and its node ordering file numbers the hosts by a list of GUIDs, unless they are shuffled
//! (`genptrn_bisect_fb_sym`, `read_node_ordering` and `do_not_shuffle` in its sources): so the list
//! s1 d1 s2 d2 … sends s1 to d1, s2 to d2, and each also in the opposite direction. GUIDs are those
//! of `route --format orcs`. Hosts without traffic follow in order; they are joined too, so the
//! traffic stays a permutation. `bisect` would omit the opposite directions, but its pairs depend
//! on the order in which a C++ compiler evaluates arguments.
//!
//! ORCS allows at most 255 characters per line.

use super::destinations;
use super::prelude::*;
use crate::advice::Advice;
use crate::traffic::TrafficMatrix;

pub(super) const KIND: Kind<TrafficFormat> = Kind {
    name: "orcs",
    usage: "traffic .. --format orcs",
    about: "ORCS node ordering file: the pattern bisect_fb_sym, not shuffled, sends these pairs in \
            both directions, idle hosts paired; no host may be in two pairs",
    reference: "Schneider, Hoefler and Lumsdaine, ORCS, Indiana University TR 675, 2009",
    examples: &["complement"],
    build: TrafficFormat { write, holds_header: true },
};

/// Maximum length of a comment line, so that ORCS does not take its rest for a GUID.
const MAX_CHARACTERS: usize = 200;

fn write(replay: &Replay, out: &mut dyn Write) -> Result<(), WriteError> {
    let topology = replay
        .topology
        .ok_or(WriteError::NoNetwork { format: KIND.name, advice: Advice::GIVE_TOPOLOGY })?;
    let order = order(replay)?;
    let guids = topology.guids()?;
    writeln!(out, "# ORCS node ordering of {} hosts", order.len())?;
    writeln!(out, "# for the pattern bisect_fb_sym, not shuffled, with this node ordering file")?;
    for line in replay.header {
        let line: String = super::printable(line).chars().take(MAX_CHARACTERS).collect();
        writeln!(out, "# {line}")?;
    }
    for host in order {
        writeln!(out, "0x{:016x}", guids[host as usize])?;
    }
    Ok(())
}

/// All hosts, ordered so that those at positions 2i and 2i + 1 form the pairs.
fn order(replay: &Replay) -> Result<Vec<u32>, WriteError> {
    let core = replay.core.map(|core| TrafficMatrix::new(replay.matrix.hosts(), core.to_vec()));
    let core = core.and_then(Result::ok);
    let matrix = core.as_ref().unwrap_or(replay.matrix);
    let image = destinations(matrix, KIND.name)?;
    let mut busy = vec![false; image.len()];
    let mut order = Vec::with_capacity(image.len());
    let is_way_back = |s: u32, d: u32| d < s && image[d as usize] == Some(s);
    let pairs = (0_u32..).zip(&image).filter_map(|(s, d)| Some((s, (*d)?)));
    for (s, d) in pairs.filter(|(s, d)| !is_way_back(*s, *d)) {
        for host in [s, d] {
            if std::mem::replace(&mut busy[host as usize], true) {
                let wants = "joins hosts in pairs, both ways";
                let found = format!("host {host} is in two pairs");
                return Err(WriteError::DoesNotFit { format: KIND.name, wants, found });
            }
            order.push(host);
        }
    }
    order.extend((0_u32..).zip(&busy).filter(|(_, busy)| !**busy).map(|(host, _)| host));
    Ok(order)
}
