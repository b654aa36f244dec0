//! The names that nearly every family needs.

pub(super) use super::{Construction, Topology, TopologyError};
pub(super) use crate::integer::as_size;
pub(super) use crate::registry::Kind;
pub(super) use crate::spec::Spec;
