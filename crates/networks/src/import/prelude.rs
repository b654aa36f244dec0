//! The names that nearly every format of networks needs.

pub(super) use super::fabric::{Fabric, Lids, Port, Record};
pub(super) use super::fields::Fields;
pub(super) use super::listing::Listing;
pub(super) use super::source::Source;
pub(super) use super::text::TextFile;
pub(super) use super::{ImportOptions, Importer, Problem, ReadTopology, Result, assemble};
pub(super) use crate::registry::Kind;
pub(super) use crate::topology::Topology;
