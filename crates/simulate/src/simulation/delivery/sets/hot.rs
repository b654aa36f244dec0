//! Messages of which many are for one processor.

use rand::RngExt;

use super::{Build, any, count, other, random};
use crate::registry::Kind;
use crate::simulation::delivery::Messages;
use crate::topology::host_number;

const USAGE: &str = "hot(percent=5,host=0,count=n,seed=1)";

pub(super) const KIND: Kind<Build> = Kind {
    name: "hot",
    usage: USAGE,
    options: &["percent", "host", "count", "seed"],
    about: "so many messages, each from a random processor, with that probability to one of them and \
            otherwise to a random other one",
    reference: "[GL] 1; hot spots as in [GO] 5.2.1",
    examples: &["hot", "hot(percent=20,host=3,count=5000,seed=2)"],
    build: |spec, ends| {
        spec.arguments(0, KIND.options, USAGE)?;
        let percent = spec.integer_option("percent", 5, USAGE)?;
        let hot = spec.integer_option("host", 0, USAGE)?;
        if percent > 100 || hot >= ends.processors as u64 {
            let problem = format!(
                "percent is at most 100 and host below {}, found {percent} and {hot}",
                ends.processors
            );
            return Err(spec.bad(USAGE, problem).into());
        }
        let hot = host_number(crate::integer::as_size(hot));
        let (mut random, mut messages) = (random(spec, USAGE)?, Messages::new());
        for _ in 0..count(spec, ends, USAGE)? {
            let s = any(ends.processors, &mut random);
            let is_hot = random.random_range(0..100) < percent && s != hot;
            let d = if is_hot { hot } else { other(s, (0, ends.processors), &mut random) };
            messages.push(s, d, 1)?;
        }
        Ok(messages)
    },
};
