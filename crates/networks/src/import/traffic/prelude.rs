//! The names that nearly every format of traffic needs.

pub(super) use super::hosts::HostFinder;
pub(super) use super::{Format, Found, Lines, Problem, Request, Result, Word};
pub(super) use crate::integer::as_size;
pub(super) use crate::rational::Rational;
pub(super) use crate::registry::Kind;
pub(super) use crate::topology::{Host, host_number};
pub(super) use crate::traffic::{Demand, TrafficMatrix};
