//! Dimension order: coordinates are corrected one after the other, the first dimension first, each by the shorter way
//! round its ring (Sullivan and Bashkow, A large scale, homogeneous, fully distributed parallel machine, ISCA 1977: the
//! e-cube routing of hypercubes).
//!
//! `ties` says what happens halfway round a ring of an even number of nodes. The literature has both a deterministic
//! routing of one path per pair and one that draws the way at random. The published worst case of the 8-ary 2-cube,
//! a quarter of its capacity (Towles and Dally, Worst-case traffic for oblivious routing functions, 2002), is that of
//! one path per pair, `alternate`, which also loads all links alike under uniform traffic: a link has at most 4 = k/2
//! of a permutation. Where ties are split it has at most 7/2, as one of these four pairs is half a ring apart.

use serde::Deserialize;

use super::lattice::{Lattice, Ties};
use super::{Routing, RoutingError, Visit};
use crate::rational::Rational;
use crate::registry::Kind;
use crate::spec::Spec;
use crate::topology::{Host, LinkId, Topology};

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "dor",
    usage: "dor(ties=alternate|split|up)",
    about: "dimension order on tori, meshes and hypercubes: one coordinate after the other, by the shorter way; halfway \
            round a ring up from even coordinates and down from odd ones, half of the traffic each way, or up",
    reference: "Sullivan and Bashkow, ISCA 1977",
    examples: &["dor", "dor(ties=split)", "dor(ties=up)"],
    build: super::Family {
        build,
        digits: super::Digits::None("it is for networks with coordinates, which are not trees"),
        defined: false,
    },
};

/// Option for what is done at ties.
const OPTION: &str = "ties";

#[derive(Deserialize)]
struct Options {
    ties: Name,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Name {
    Alternate,
    Split,
    Up,
}

/// Paths in dimension order.
struct DimensionOrder {
    spec: String,
    lattice: Lattice,
    dimensions: Vec<usize>,
    ties: Ties,
}

fn build(spec: &Spec, topology: &Topology) -> Result<Box<dyn Routing>, RoutingError> {
    let Options { ties } = spec.read()?;
    let ties = match ties {
        Name::Alternate => Ties::Alternate,
        Name::Split => Ties::Split,
        Name::Up => Ties::Up,
    };
    let lattice = Lattice::of(spec, topology)?;
    // The option is shown where it has an effect.
    let shown = if lattice.has_ties() { spec.complete() } else { spec.clone().without(OPTION) };
    let (spec, dimensions) = (shown.to_string(), lattice.dimensions());
    Ok(Box::new(DimensionOrder { spec, lattice, dimensions, ties }))
}

impl Routing for DimensionOrder {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn is_single_path(&self) -> bool {
        self.ties != Ties::Split || !self.lattice.has_ties()
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let Self { lattice, dimensions, ties, .. } = self;
        links.clear();
        if self.is_single_path() {
            return lattice.for_each_path((s, d), dimensions, *ties, links, &mut |path| {
                visit(&Rational::ONE, path);
            });
        }
        let mut paths = 0;
        lattice.for_each_path((s, d), dimensions, *ties, links, &mut |_| paths += 1);
        let share = Rational::new(1, paths).expect("there is a path");
        lattice.for_each_path((s, d), dimensions, *ties, links, &mut |path| visit(&share, path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::build;
    use crate::topology::{NodeId, generate};

    /// The nodes that the paths of a pair lead through, from the first that is not `s`.
    fn nodes(network: &str, routing: &str, s: Host, d: Host) -> Vec<Vec<NodeId>> {
        let network = generate(network).unwrap();
        let routing = build(routing, &network).unwrap();
        let mut found = Vec::new();
        routing.for_each_path(s, d, &mut Vec::new(), &mut |_, links| {
            found.push(links.iter().map(|link| network.ends(*link).unwrap().1).collect());
        });
        found
    }

    /// Node x + 4·y of a 4 by 3 torus.
    #[test]
    fn coordinates_are_corrected_in_their_order_by_the_shorter_way() {
        assert_eq!(nodes("torus(4;3)", "dor", 0, 5), [[1, 5]]);
        assert_eq!(nodes("torus(4;3)", "dor", 0, 11), [[3, 11]]);
        assert_eq!(nodes("torus(4;3)", "dor", 9, 0), [[8, 0]]);
        assert_eq!(nodes("mesh(4;3)", "dor", 0, 11), [[1, 2, 3, 7, 11]]);
        assert_eq!(nodes("hypercube(3)", "dor", 5, 2), [[4, 6, 2]]);
    }

    #[test]
    fn ties_are_decided_as_said() {
        let of = |routing, s, d| nodes("torus(4)", routing, s, d);
        assert_eq!((of("dor", 0, 2), of("dor", 1, 3)), (vec![vec![1, 2]], vec![vec![0, 3]]));
        assert_eq!(of("dor(ties=up)", 1, 3), [[2, 3]]);
        assert_eq!(of("dor(ties=split)", 1, 3), [[2, 3], [0, 3]]);
        assert_eq!(nodes("torus(4,2)", "dor(ties=split)", 0, 10).len(), 4);
        // Both ways of a ring of two are the same cable.
        assert_eq!(nodes("torus(2,2)", "dor(ties=split)", 0, 3), [[1, 3]]);
    }

    #[test]
    fn the_canonical_spec_shows_ties_where_there_are_some() {
        for (network, routing, shown, single) in [
            ("torus(4,2)", "dor", "dor(ties=alternate)", true),
            ("torus(3;4)", "dor(ties=split)", "dor(ties=split)", false),
            ("torus(5,2)", "dor(ties=split)", "dor", true),
            ("mesh(4,2)", "dor(ties=up)", "dor", true),
            ("torus(2,3)", "dor", "dor", true),
        ] {
            let routing = build(routing, &generate(network).unwrap()).unwrap();
            assert_eq!((routing.spec(), routing.is_single_path()), (shown, single), "{network}");
        }
    }

    #[test]
    fn what_has_no_coordinates_is_refused() {
        let torus = generate("torus(3,2)").unwrap();
        let copy = Topology::new("torus(3,2)".into(), torus.graph().clone()).unwrap();
        for routing in ["dor", "valiant", "romm", "ival"] {
            for network in [&copy, &generate("ft(4,2)").unwrap()] {
                let error = build(routing, network).err().unwrap().to_string();
                assert!(
                    error.contains("needs coordinates") && error.contains("use `ecmp`"),
                    "{error}"
                );
            }
        }
        let torus = generate("torus(32,2)").unwrap();
        let error = build("romm", &torus).err().unwrap().to_string();
        assert!(error.contains("above the limit") && error.contains("or `dor`"), "{error}");
        assert!(build("dor", &torus).is_ok());
    }
}
