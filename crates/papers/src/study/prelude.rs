//! The names that nearly every study needs.

pub(crate) use std::fmt::Write as _;

pub(crate) use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use super::engine::tests::{compare, refuses};
pub(crate) use super::engine::{Divided, Entry, Finder, Page, Rows, Study, Table, Tier};
pub(crate) use super::{Result, StudyError, assessed};
pub(crate) use crate::progress::Progress;
pub(crate) use crate::rational::Rational;
pub(crate) use crate::registry::Kind;
pub(crate) use crate::report::plot::{
    Axes, BoxChart, Boxes, Chart, Curve, CurvePoint, Form, Marks, Scale, box_charts, curve_charts,
};
pub(crate) use crate::report::table::markdown;
pub(crate) use crate::routing::Instance;
pub(crate) use crate::shards::Units;
pub(crate) use crate::theorem::{Case, Finding};
pub(crate) use crate::topology::{Topology, generate};
