//! Integer flows that come with their proof: a minimum cut, or dual prices.

mod dinic;
mod min_cost;
mod residual;

pub use dinic::FlowNetwork;
pub use min_cost::MinCostNetwork;
