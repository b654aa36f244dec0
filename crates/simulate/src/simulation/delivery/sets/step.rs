//! A step of a network that is laid out in the plane or in space.

use serde::Deserialize;

use super::{Build, SetError};
use crate::registry::Kind;
use crate::simulation::delivery::Messages;
use crate::simulation::layout::{Layout, LayoutError};

pub(super) const KIND: Kind<Build> = Kind {
    name: "step",
    usage: "step(network=mesh2,wires=1,seed=1)",
    about: "a message over every wire of a network, in both directions; the network is laid out as the \
            processors are numbered: a square mesh mesh2 of 4^h processors, a cubic mesh mesh3 of 8^h, or \
            random points with links to near ones, geometric2 and geometric3",
    reference: "[GL] 2, Lemma 2; 6, Theorem 10",
    examples: &["step", "step(network=geometric2,wires=8,seed=2)"],
    build: |spec, ends| {
        let Options { network, wires, seed } = spec.read()?;
        let layout = Layout::named(network, ends.processors, seed);
        let refused = |error| match error {
            LayoutError::TooLarge(error) => SetError::TooLarge(error),
            other => spec.refused(other.to_string()).into(),
        };
        let layout = layout.and_then(|layout| layout.with_wires(wires)).map_err(refused)?;
        Ok(Messages::listed(layout.step())?)
    },
};

#[derive(Deserialize)]
struct Options<'s> {
    network: &'s str,
    wires: u64,
    seed: u64,
}
