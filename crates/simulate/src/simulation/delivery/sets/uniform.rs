//! Messages between random processors.

use super::{Build, any, count, other, random};
use crate::registry::Kind;
use crate::simulation::delivery::Messages;

pub(super) const KIND: Kind<Build> = Kind {
    name: "messages",
    usage: "messages(count=n,seed=1)",
    about: "`count` messages, each from a random processor to a random other one",
    reference: "[GL] 1: no assumptions about their distribution",
    examples: &["messages", "messages(count=5000,seed=2)"],
    build: |spec, ends| {
        let (mut random, mut messages) = (random(spec)?, Messages::new());
        for _ in 0..count(spec, ends)? {
            let s = any(ends.processors, &mut random);
            messages.push(s, other(s, 0, ends.processors, &mut random), 1)?;
        }
        Ok(messages)
    },
};
