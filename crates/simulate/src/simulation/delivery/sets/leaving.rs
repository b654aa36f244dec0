//! Messages out of the root.

use super::{Build, SetError, any, count, random};
use crate::registry::Kind;
use crate::simulation::delivery::Messages;

const USAGE: &str = "leaving(count=n,seed=1)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "leaving",
    usage: USAGE,
    options: &["count", "seed"],
    about: "so many messages, each from a random processor out of the root, on universal(n,root=open)",
    reference: "[GL] 5: routing messages from the leaves out the root",
    examples: &["leaving", "leaving(count=5000,seed=2)"],
    build: |spec, ends| {
        spec.arguments(0, KIND.options, USAGE)?;
        let outside = ends.outside.ok_or(SetError::NoOutside)?;
        let (mut random, mut messages) = (random(spec, USAGE)?, Messages::new());
        for _ in 0..count(spec, ends, USAGE)? {
            messages.push(any(ends.processors, &mut random), outside, 1)?;
        }
        Ok(messages)
    },
};
