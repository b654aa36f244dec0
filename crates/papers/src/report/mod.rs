//! Tables and plots of studies, and the record of nonblocking networks.

mod nonblocking;
pub mod plot;
pub mod table;

pub use nonblocking::{ContentionReport, LeastSwitchesReport, NonblockingReport};
