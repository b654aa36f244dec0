//! The names that many files of this crate need.

pub(crate) use itertools::Itertools;
pub(crate) use rand::RngExt as _;
pub(crate) use rayon::prelude::*;
pub(crate) use serde::{Deserialize, Serialize};

pub(crate) use crate::bounds::{Bounds, Evidence};
pub(crate) use crate::integer::{as_size, index32};
pub(crate) use crate::limit::{TooLarge, within};
pub(crate) use crate::progress::{Progress, Stopped};
pub(crate) use crate::rational::Rational;
pub(crate) use crate::registry::Kind;
pub(crate) use crate::routing::Instance;
pub(crate) use crate::sampling::{Stream, Streams};
pub(crate) use crate::spec::Spec;
pub(crate) use crate::topology::{Host, LinkId, NodeId, Topology, Xgft, generate, host_number};
