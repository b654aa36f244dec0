//! Messages of which many are for one processor.

use super::{Build, any, count, other, random};
use crate::prelude::*;
use crate::simulation::delivery::Messages;

pub(super) const KIND: Kind<Build> = Kind {
    name: "hot",
    usage: "hot(percent=5,host=0,count=n,seed=1)",
    about: "`count` messages, each from a random processor, with `percent` % probability to `host` and \
            otherwise to a random other one",
    reference: "[GL] 1; hot spots as in [GO] 5.2.1",
    examples: &["hot", "hot(percent=20,host=3,count=5000,seed=2)"],
    build: |spec, ends| {
        let Options { percent, host: hot } = spec.read()?;
        if percent > 100 || hot >= ends.processors as u64 {
            let problem = format!(
                "percent is at most 100 and host below {}, found {percent} and {hot}",
                ends.processors
            );
            return Err(spec.refused(problem).into());
        }
        let hot = host_number(as_size(hot));
        let (mut random, mut messages) = (random(spec)?, Messages::new());
        for _ in 0..count(spec, ends)? {
            let s = any(ends.processors, &mut random);
            let is_hot = random.random_range(0..100) < percent && s != hot;
            let d = if is_hot { hot } else { other(s, 0, ends.processors, &mut random) };
            messages.push(s, d, 1)?;
        }
        Ok(messages)
    },
};

#[derive(Deserialize)]
struct Options {
    percent: u64,
    host: u64,
}
