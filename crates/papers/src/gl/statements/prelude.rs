//! The names that many statements of \[GL\] need.

pub(super) use super::binomial::power;
pub(super) use super::{messages, trees};
pub(super) use crate::channel_tree::{Channel, ChannelTree, WireTree, e_bounds};
pub(super) use crate::sampling::Summary;
pub(super) use crate::sampling::proportion::{interval, tail};
pub(super) use crate::simulation::delivery::loss::{LOSSES, Loss};
pub(super) use crate::simulation::delivery::{
    Ground, Messages, Settings, algorithm, bottleneck, loss,
};
pub(super) use crate::simulation::layout::{Layout, carry};
pub(super) use crate::theorem::prelude::*;
