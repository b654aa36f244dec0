//! Integer flows that return their proof: a minimum cut, or prices.

mod dinic;
mod profit;

pub use dinic::FlowNetwork;
pub use profit::ProfitNetwork;
