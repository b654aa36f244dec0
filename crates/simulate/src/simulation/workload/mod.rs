//! Workloads: what hosts send over time, as data for simulators that count time.
//!
//! A [`Trace`] has messages with their times, as measured or drawn: nothing that happens in the network
//! changes them. A [`Program`] has operations of ranks with their dependencies, as of a parallel
//! application: messages follow when what they wait for has ended. A trace is read from CSV
//! ([`read_trace`]) or the flows of another simulator ([`read_flows`]), or drawn ([`traces`]); a program is read from a GOAL schedule ([`read_program`]) or is
//! a collective operation ([`collectives`]). [`open`] takes the name of either, or a path.
//!
//! Times are in nanoseconds below 2^53, so that floats hold them exactly; sizes are in bytes.

pub mod collectives;
mod error;
mod flows;
mod goal;
mod matching;
mod open;
mod operations;
mod order;
mod program;
mod program_error;
mod trace;
mod trace_csv;
pub mod traces;

pub use error::{Problem, WorkloadError};
pub use flows::read_flows;
pub use goal::{read_program, write_program};
pub use open::{Workload, is_named, open};
pub use operations::{Operation, Place, Rank};
pub use program::{MAX_DEPENDENCIES, MAX_OPERATIONS, Program};
pub use program_error::ProgramError;
pub use trace::{MAX_BYTES, MAX_MESSAGES, MAX_TIME, Message, Trace, TraceError};
pub use trace_csv::{read_trace, write_trace};
