//! The names that nearly every verb needs.

pub(super) use anyhow::{Result, bail};

pub(super) use crate::cli::{
    Context, InstanceOptions, Outcome, OutputPath, Overwriting, ROUTING, Run, TOPOLOGY, Verb,
};
