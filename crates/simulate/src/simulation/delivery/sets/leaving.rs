//! Messages out of the root.

use super::{Build, SetError, any, count, random};
use crate::registry::Kind;
use crate::simulation::delivery::Messages;

pub(super) const KIND: Kind<Build> = Kind {
    name: "leaving",
    usage: "leaving(count=n,seed=1)",
    about: "`count` messages, each from a random processor out of the root, on universal(n,root=open)",
    reference: "[GL] 5: routing messages from the leaves out the root",
    examples: &["leaving", "leaving(count=5000,seed=2)"],
    build: |spec, ends| {
        let outside = ends.outside.ok_or(SetError::NoOutside)?;
        let (mut random, mut messages) = (random(spec)?, Messages::new());
        for _ in 0..count(spec, ends)? {
            messages.push(any(ends.processors, &mut random), outside, 1)?;
        }
        Ok(messages)
    },
};
