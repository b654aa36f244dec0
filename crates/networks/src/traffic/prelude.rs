//! The names that nearly every pattern needs.

pub(super) use serde::Deserialize;

pub(super) use super::tasks::Tasks;
pub(super) use super::{TrafficError, TrafficMatrix};
pub(super) use crate::registry::Kind;
pub(super) use crate::spec::Spec;
