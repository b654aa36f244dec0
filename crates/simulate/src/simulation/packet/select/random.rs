//! Any free link, each with the same probability.

use rand::RngExt;

use super::{Choice, Selection};
use crate::registry::Kind;

pub(super) const KIND: Kind<&'static dyn Selection> = Kind {
    name: "adaptive-random",
    usage: "adaptive-random",
    about: "adaptive: up by one of the links that have room, at random",
    reference: "[GO] 3",
    examples: &["adaptive-random"],
    build: &Random,
};

struct Random;

impl Selection for Random {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn select(&self, choice: &mut Choice<'_>) -> usize {
        choice.random.random_range(0..choice.free.len())
    }
}
