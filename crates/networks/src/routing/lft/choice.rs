//! Which of a destination's 2^LMC LIDs is used to address it.

use std::collections::HashMap;

use serde::Deserialize;

use crate::import::text::TextFile;
use crate::quote::quote;
use crate::routing::RoutingError;
use crate::routing::lid_tables::OFFSETS_HEADER;
use crate::spec::Spec;
use crate::topology::{Address, Host, Topology, host_number};

use super::{pairs, refused};

#[derive(Deserialize)]
struct Options<'s> {
    lid: &'s str,
}

/// The LID offsets that sources use.
pub(super) enum LidChoice {
    /// Every source adds the same offset to the base LID.
    Offset(u8),
    /// Every source spreads evenly over all LIDs.
    All,
    /// Every source has its own offset; with the path of the file they come from, and the largest.
    PerSource { offsets: Vec<u8>, path: String, greatest: u8 },
    /// Every pair (s,d) has its own offset, at s · hosts + d.
    PerPair { offsets: Vec<u8>, hosts: usize, path: String, greatest: u8 },
}

impl LidChoice {
    /// The choice given by option `lid` of the spec.
    pub fn new(
        spec: &Spec,
        topology: &Topology,
        addresses: &[Address],
    ) -> Result<Self, RoutingError> {
        let Options { lid } = spec.read()?;
        let choice = match lid {
            "base" => Self::Offset(0),
            "all" => Self::All,
            number if number.bytes().all(|digit| digit.is_ascii_digit()) => {
                let offset = number.parse().ok().filter(|offset| *offset < 128);
                let problem = || format!("lid={number}: LMC is at most 7, so it is at most 127");
                Self::Offset(offset.ok_or_else(|| spec.refused(problem()))?)
            }
            path => {
                let (offsets, is_per_pair) = read(path, topology)?;
                let greatest = offsets.iter().copied().max().unwrap_or(0);
                let (hosts, path) = (topology.hosts(), path.into());
                if is_per_pair {
                    Self::PerPair { offsets, hosts, path, greatest }
                } else {
                    Self::PerSource { offsets, path, greatest }
                }
            }
        };
        choice.check(spec, topology, addresses)?;
        Ok(choice)
    }

    /// Checks that every destination has the LIDs that its sources use.
    fn check(
        &self,
        spec: &Spec,
        topology: &Topology,
        addresses: &[Address],
    ) -> Result<(), RoutingError> {
        let used = match self {
            Self::All => return Ok(()),
            Self::Offset(used)
            | Self::PerSource { greatest: used, .. }
            | Self::PerPair { greatest: used, .. } => used,
        };
        let hosts = addresses[..topology.hosts()].iter().enumerate();
        for (host, Address { lmc, .. }) in hosts {
            let last = (1 << lmc) - 1;
            if *used > last {
                let name = &topology.node(host_number(host)).name;
                let problem = format!(
                    "base LID + {used} is requested, but host `{name}` has LMC {lmc}: its LIDs end at base LID + {last}"
                );
                return Err(RoutingError::does_not_fit(spec, topology, problem));
            }
        }
        Ok(())
    }

    /// The LIDs of a destination that are in use, or may be.
    pub fn lids(&self, Address { lid, lmc, .. }: Address) -> impl Iterator<Item = u16> {
        let (first, count) = match self {
            Self::Offset(offset) => (u16::from(*offset), 1),
            Self::All => (0, 1 << lmc),
            Self::PerSource { greatest, .. } | Self::PerPair { greatest, .. } => {
                (0, u16::from(*greatest) + 1)
            }
        };
        (0..count).map(move |row| lid + first + row)
    }

    /// The offset in [`Self::lids`] that a source uses for a destination; `None` for all.
    #[inline]
    pub fn offset(&self, s: Host, d: Host) -> Option<usize> {
        match self {
            Self::Offset(_) => Some(0),
            Self::All => None,
            Self::PerSource { offsets, .. } => Some(offsets[s as usize].into()),
            Self::PerPair { offsets, hosts, .. } => {
                Some(offsets[s as usize * hosts + d as usize].into())
            }
        }
    }

    pub fn describe(&self) -> String {
        match self {
            Self::Offset(0) => "destinations are addressed by their base LID".into(),
            Self::Offset(offset) => {
                format!("destinations are addressed by their base LID + {offset}")
            }
            Self::All => "traffic is spread evenly over all LIDs of a destination".into(),
            Self::PerSource { path, .. } => {
                format!("destinations are addressed by base LID + k, k per source from {path}")
            }
            Self::PerPair { path, .. } => {
                format!("destinations are addressed by base LID + k, k per pair from {path}")
            }
        }
    }
}

/// Reads lines `host k`, each host of the topology once by its name there, or offsets by pair where the first line is
/// [`OFFSETS_HEADER`]; and whether it is.
fn read(path: &str, topology: &Topology) -> Result<(Vec<u8>, bool), RoutingError> {
    let hosts = topology.host_numbers();
    let numbers: HashMap<&str, Host> =
        hosts.map(|host| (topology.node(host).name.as_str(), host)).collect();
    let mut offsets: Vec<Option<u8>> = vec![None; topology.hosts()];
    let mut text = TextFile::open(path).map_err(refused)?;
    while let Some(line) = text.next_line().map_err(refused)? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == OFFSETS_HEADER && offsets.iter().all(Option::is_none) {
            return Ok((pairs::read(text, topology)?, true));
        }
        let parsed = parse(line, &numbers, &mut offsets);
        parsed.map_err(|problem| {
            RoutingError::Tables(format!("{path}, line {}: {problem}", text.line()))
        })?;
    }
    let missing = |host: usize| {
        let name = &topology.node(host_number(host)).name;
        RoutingError::Tables(format!("{path}: no line for host `{name}`"))
    };
    let offsets = offsets.into_iter().enumerate();
    let offsets = offsets.map(|(host, offset)| offset.ok_or_else(|| missing(host)));
    Ok((offsets.collect::<Result<_, _>>()?, false))
}

fn parse(
    line: &str,
    numbers: &HashMap<&str, Host>,
    offsets: &mut [Option<u8>],
) -> Result<(), String> {
    let wanted = || format!("found `{}`, expected a host and a number 0..=127", quote(line));
    let (name, offset) = line.rsplit_once(char::is_whitespace).ok_or_else(wanted)?;
    let offset: u8 = offset.parse().ok().filter(|k| *k < 128).ok_or_else(wanted)?;
    let name = name.trim_end();
    let host = numbers.get(name).ok_or_else(|| format!("no host is called `{}`", quote(name)))?;
    match offsets[*host as usize].replace(offset) {
        None => Ok(()),
        Some(_) => Err(format!("host `{name}` is listed twice")),
    }
}
