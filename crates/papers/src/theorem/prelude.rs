//! The names that nearly every statement needs.

pub(crate) use super::numbers::{fraction, whole};
pub(crate) use super::{
    Basis, Case, Finding, Findings, NO_RATIO_BELOW_1, ONE_PATH, Outcome, Planted, RemarkKind,
    Scope, Side, Statement, Subject, TheoremError, fits, is_kind, is_single_path, oblivious,
    planted, shape, uses,
};
pub(crate) use crate::integer::{as_size, index32};
pub(crate) use crate::rational::Rational;
pub(crate) use crate::routing::{Instance, Routing};
pub(crate) use crate::topology::{
    Direction, Host, LinkId, NodeId, Topology, Xgft, generate, host_number, sd_pairs,
};
