//! Simulations: what sees the traffic and decides while it runs.
//!
//! A routing knows no traffic; what does, such as delivery cycles, lives here, one simulator per
//! file. Time is counted in whole cycles. Every simulator keeps a [`Ledger`]: at the end of each cycle all
//! messages that were injected have been delivered or still wait, so that a message that
//! it loses or sends twice is an error and not a result. Random choices come from the streams of a
//! seed ([`Streams`](crate::sampling::Streams)), numbered by the entity that chooses: results do
//! not depend on threads.
//!
//! How a switch routes by its registers, whatever the traffic, is in [`registers`]; networks that lie in
//! the plane or in space, and deliver messages step by step, are in [`layout`]. What hosts send over time, as
//! traces and as programs, is data in [`workload`].

pub mod adaptive;
pub mod delivery;
pub mod layout;
mod ledger;
pub mod packet;
pub mod registers;
pub mod workload;

pub use ledger::{Imbalance, Ledger};
