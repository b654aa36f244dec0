//! Families of traces, drawn at random by a seed: stand-ins for traces that are not public.

mod disk_array;
mod disks;

pub use disk_array::{COMMAND_BYTES, DiskArray};

use super::error::WorkloadError;
use super::trace::Trace;
use crate::registry::{self, Kind};
use crate::spec::Spec;

/// Draws the trace of a spec among a number of hosts.
pub type Build = fn(&Spec, usize) -> Result<Trace, WorkloadError>;

/// Every family. All examples fit 128 hosts.
pub const TRACES: &[Kind<Build>] = &[disks::KIND];

/// The trace that `spec` describes among `hosts` hosts, and its canonical spec, with its seed.
///
/// # Errors
/// [`WorkloadError`]: no such family, options or a number of hosts that do not fit it, too many
/// messages.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::traces::generate;
/// let (trace, spec) = generate("disks(requests=100)", 128)?;
/// // Every request has an answer.
/// assert_eq!((trace.len(), trace.hosts()), (200, 128));
/// assert_eq!(spec, "disks(requests=100,seed=1)");
/// # Ok::<(), routebound::simulation::workload::WorkloadError>(())
/// ```
pub fn generate(spec: &str, hosts: usize) -> Result<(Trace, String), WorkloadError> {
    let (mut spec, kind) = registry::parse::<_, WorkloadError>(TRACES, "trace", spec)?;
    let trace = (kind.build)(&spec, hosts)?;
    spec.show("seed");
    Ok((trace, spec.to_string()))
}

#[cfg(test)]
mod tests;
