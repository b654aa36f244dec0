//! Collective operations of MPI as programs of all hosts: phases of parallel applications.
//!
//! The algorithms are the usual ones (R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective
//! communication operations in MPICH, 2005). Rank r is host r, and every host takes part. Each proceeds
//! in rounds: what a rank does in a round starts when all that it did in its last round has ended, so
//! ranks are not in step unless the messages make them so. Reducing takes no time. Tags are the numbers
//! of rounds.

mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod broadcast;
mod rounds;

use std::num::NonZeroU64;

use super::error::WorkloadError;
use super::program::Program;
use super::trace::MAX_BYTES;
use crate::prelude::*;
use crate::registry;

/// Makes the program of a spec for a number of hosts, at least 2.
pub type Build = fn(&Spec, usize) -> Result<Program, WorkloadError>;

/// Every collective. All examples fit 8 hosts.
pub const COLLECTIVES: &[Kind<Build>] =
    &[alltoall::KIND, allreduce::KIND, broadcast::KIND, allgather::KIND, barrier::KIND];

/// The program of the collective that `spec` describes among `hosts` hosts, and its canonical spec.
///
/// # Errors
/// [`WorkloadError`]: no such collective, options or a number of hosts that do not fit it, too many
/// operations.
///
/// ```
/// # use routebound_simulate as routebound;
/// use routebound::simulation::workload::collectives::generate;
/// let (program, spec) = generate("AllToAll( bytes = 64 )", 4)?;
/// assert_eq!((program.messages(), program.bytes()), (4 * 3, 4 * 3 * 64));
/// assert_eq!(spec, "alltoall(bytes=64)");
/// # Ok::<(), routebound::simulation::workload::WorkloadError>(())
/// ```
pub fn generate(spec: &str, hosts: usize) -> Result<(Program, String), WorkloadError> {
    let (spec, kind) = registry::parse::<_, WorkloadError>(COLLECTIVES, "collective", spec)?;
    if hosts < 2 {
        return Err(does_not_fit(&spec, hosts, "at least 2 are needed".into()));
    }
    Ok(((kind.build)(&spec, hosts)?, spec.to_string()))
}

fn does_not_fit(spec: &Spec, hosts: usize, reason: String) -> WorkloadError {
    WorkloadError::DoesNotFit { spec: spec.to_string().into(), hosts, reason }
}

/// By default a packet of \[GO\] 5.1.
#[derive(Deserialize)]
struct Options {
    bytes: NonZeroU64,
}

/// The option `bytes`.
fn bytes(spec: &Spec) -> Result<u64, WorkloadError> {
    let Options { bytes } = spec.read()?;
    let bytes = bytes.get();
    Ok(within("number of bytes", Some(bytes.into()), MAX_BYTES, "send fewer bytes")?)
}

#[cfg(test)]
mod tests;
