//! Messages between processors that are near each other.

use super::{Build, any, count, other, random};
use crate::prelude::*;
use crate::simulation::delivery::Messages;

pub(super) const KIND: Kind<Build> = Kind {
    name: "local",
    usage: "local(span=4,count=n,seed=1)",
    about: "`count` messages, each from a random processor to a random other one of the same span \
            consecutive processors: below one switch, where span is the size of a subtree",
    reference: "[GL] 2: the locality of communication inherent in a set of messages",
    examples: &["local", "local(span=16,count=5000,seed=2)"],
    build: |spec, ends| {
        let processors = ends.processors as u64;
        let Options { span } = spec.read()?;
        if span < 2 || !processors.is_multiple_of(span) {
            let problem =
                format!("span = {span} must be at least 2 and divide the {processors} processors");
            return Err(spec.refused(problem).into());
        }
        let span = as_size(span);
        let (mut random, mut messages) = (random(spec)?, Messages::new());
        for _ in 0..count(spec, ends)? {
            let s = any(ends.processors, &mut random);
            let first = s - s % host_number(span);
            messages.push(s, other(s, first, span, &mut random), 1)?;
        }
        Ok(messages)
    },
};

#[derive(Deserialize)]
struct Options {
    span: u64,
}
