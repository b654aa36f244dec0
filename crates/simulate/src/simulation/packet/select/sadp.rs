//! SADP, static and destination priority: the link of D-mod-k if it is free, else the next one that is.
//!
//! "If this output port does not have free space, then another one is selected" (\[GO\] 5.1); which one,
//! the paper does not say. Here it is the next by port, round the end.

use super::{Choice, Selection};
use crate::registry::Kind;

pub(super) const KIND: Kind<&'static dyn Selection> = Kind {
    name: "sadp",
    usage: "sadp",
    about: "adaptive: up by the link of dmodk if it has room, else by the next that has",
    reference: "[GO] 5.1",
    examples: &["sadp"],
    build: &Sadp,
};

struct Sadp;

impl Selection for Sadp {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn select(&self, choice: &mut Choice<'_>) -> usize {
        let from = choice.preferred.unwrap_or(0);
        choice.free.iter().position(|link| *link >= from).unwrap_or(0)
    }
}
