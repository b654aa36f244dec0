//! The free link with the fewest packets ahead, at random among equals.

use rand::RngExt;

use super::{Choice, Selection};
use crate::registry::Kind;

pub(super) const KIND: Kind<&'static dyn Selection> = Kind {
    name: "least-loaded",
    usage: "least-loaded",
    about: "adaptive: up by the link with the fewest packets in its queues, at random among equals",
    reference: "ours, after [GO] 3: queue lengths",
    examples: &["least-loaded"],
    build: &LeastLoaded,
};

struct LeastLoaded;

impl Selection for LeastLoaded {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn select(&self, choice: &mut Choice<'_>) -> usize {
        let Choice { free, load, random, .. } = choice;
        let (mut best, mut least, mut equals) = (0, u32::MAX, 0_u32);
        for (at, link) in free.iter().enumerate() {
            let found = load(*link);
            if found < least {
                (best, least, equals) = (at, found, 1);
            } else if found == least {
                equals += 1;
                // Each of k equals remains with probability 1/k.
                if random.random_range(0..equals) == 0 {
                    best = at;
                }
            }
        }
        best
    }
}
