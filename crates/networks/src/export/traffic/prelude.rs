//! The names that every format of traffic needs.

pub(super) use std::io::Write;

pub(super) use super::{Replay, TrafficFormat, WriteError};
pub(super) use crate::registry::Kind;
