//! FF: the first physical link that is free.

use super::{Choice, Selection};
use crate::registry::Kind;

pub(super) const KIND: Kind<&'static dyn Selection> = Kind {
    name: "ff",
    usage: "ff",
    about: "adaptive: up by the first link that has room",
    reference: "[GO] 5.1",
    examples: &["ff"],
    build: &FirstFree,
};

struct FirstFree;

impl Selection for FirstFree {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn select(&self, _: &mut Choice<'_>) -> usize {
        0
    }
}
