//! The names that nearly every report needs.

pub(super) use serde::Serialize;
pub(super) use std::fmt::Write as _;

pub(super) use super::numbers::{shown, shown_bounds};
pub(super) use super::table::table;
pub(super) use super::{counted, labelled};
pub(super) use crate::bounds::{Bounds, Evidence};
pub(super) use crate::rational::Rational;
pub(super) use crate::topology::Topology;
