//! The names that many statements need.

pub(crate) use std::collections::BTreeMap;

pub(crate) use itertools::{Itertools, iproduct};
pub(crate) use rayon::prelude::*;

pub(crate) use super::numbers::{fraction, whole};
pub(crate) use super::shape::kary;
pub(crate) use super::walk::path;
pub(crate) use super::{
    Basis, Case, Finding, Findings, NO_RATIO_BELOW_1, ONE_PATH, Outcome, Planted, RemarkKind,
    Result, Scope, Side, Statement, Subject, TheoremError, defect, fits, is_kind, is_single_path,
    oblivious, planted, shape, uses,
};
pub(crate) use crate::integer::{as_size, index32};
pub(crate) use crate::progress::Progress;
pub(crate) use crate::rational::Rational;
pub(crate) use crate::routing::{Instance, Routing};
pub(crate) use crate::sampling::Streams;
pub(crate) use crate::topology::{
    Direction, Host, LinkId, NodeId, Topology, UniversalShape, Xgft, generate, host_number,
    sd_pairs,
};
pub(crate) use crate::traffic::Demand;
