//! Integer maximum flow that returns its minimum cut.

mod dinic;

pub use dinic::FlowNetwork;
