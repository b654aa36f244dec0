//! Butterfly fat-trees: the fat-tree of \[GL\] 6, "Another universal network" (Figure 8), whose
//! switches have constant size. \[GL\] calls it "another fat-tree design", later literature the
//! butterfly fat-tree.
//!
//! In two dimensions every switch has four children and two parents: n = 4^h hosts and
//! XGFT(h; 4,…,4; 1,2,…,2). In three dimensions it has eight and four: n = 8^h hosts and
//! XGFT(h; 8,…,8; 1,4,…,4). \[GL\] states an area of Θ(n lg² n) and a volume of Θ(n lg^{3/2} n),
//! those of the universal fat-trees of its section 2, and that "the underlying channel structure for
//! the two fat-trees is the same": the wires above all switches of a subtree are one of its channels.
//! Above 4^k hosts they are 2^k, as in channel 2k of `universal(n)`, which doubles every two levels;
//! above 8^k hosts 4^k, as in channel 3k of `universal(n,growth=quadruple3)`.
//!
//! The root channel is left out, as in `universal(n)`: top switches have no parents.

use serde::Deserialize;

use super::Parameters;
use super::prelude::*;

pub(super) const KIND: Kind<super::Family> = Kind {
    name: "bft",
    usage: "bft(n,dims=2)",
    about: "butterfly fat-tree of n = 4^h hosts, switches with 4 children and 2 parents; dims=3: \
            n = 8^h, 8 children and 4 parents",
    reference: "[GL] 6, Another universal network",
    examples: &["bft(4)", "bft(16)", "bft(8,dims=3)"],
    build: super::Family { construction: Construction::Tree(parameters), members },
};

/// Children and parents of a switch, by the number of dimensions.
const SWITCHES: [(u64, [u64; 2]); 2] = [(2, [4, 2]), (3, [8, 4])];

/// All of both dimensions.
fn members(hosts: usize) -> Vec<String> {
    let mut specs = Vec::new();
    for power in 2..=hosts.checked_ilog2().unwrap_or(0) {
        let size = 1_usize << power;
        specs.extend((power % 2 == 0).then(|| format!("bft({size})")));
        specs.extend((power % 3 == 0).then(|| format!("bft({size},dims=3)")));
    }
    specs
}

#[derive(Deserialize)]
struct Options {
    n: u64,
    dims: u64,
}

fn parameters(spec: &Spec) -> Result<Parameters, TopologyError> {
    let Options { n: hosts, dims } = spec.read()?;
    let known = SWITCHES.iter().find(|(known, _)| *known == dims);
    let Some((_, [children, parents])) = known else {
        return Err(spec.refused(format!("dims = {dims} is neither 2 nor 3")).into());
    };
    let height = hosts.checked_ilog(*children).filter(|height| *height > 0);
    let Some(height) = height.filter(|height| children.pow(*height) == hosts) else {
        let problem = format!("n = {hosts} must be a power of {children}, at least {children}");
        return Err(spec.refused(problem).into());
    };
    let levels = as_size(height.into());
    let mut parents = vec![*parents; levels];
    parents[0] = 1;
    Ok(Parameters { children: vec![*children; levels], parents })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;
    use crate::topology::{TreeShape, UniversalShape, Xgft, generate};

    /// [GL] 6: four children and two parents, or eight and four; hosts and top switches differ.
    #[test]
    fn switches_have_constant_size() {
        for (spec, [children, parents], height) in [
            ("bft(4)", [4, 2], 1),
            ("bft(256)", [4, 2], 4),
            ("bft(64,dims=2)", [4, 2], 3),
            ("bft(512,dims=3)", [8, 4], 3),
        ] {
            let network = generate(spec).unwrap();
            let graph = network.graph();
            for node in graph.node_indices() {
                let level = graph[node].level;
                let count = |above: bool| {
                    graph
                        .neighbors(node)
                        .filter(|other| (graph[*other].level > level) == above)
                        .count()
                };
                let expected = match level {
                    0 => [0, 1],
                    top if top == height => [children, 0],
                    _ => [children, parents],
                };
                assert_eq!([count(false), count(true)], expected, "{spec}: {}", graph[node].name);
            }
        }
    }

    /// "The underlying channel structure for the two fat-trees is the same."
    #[test]
    fn the_channels_are_those_of_universal_fat_trees() {
        for (base, dims, growth) in [(4_u64, 2_usize, "double2"), (8, 3, "quadruple3")] {
            for h in 1..=5_u32 {
                let hosts = base.pow(h);
                let tree = generate(&format!("bft({hosts},dims={dims})")).unwrap();
                let cuts = tree.tree().map(Xgft::cuts).unwrap();
                let universal = format!("universal({hosts},growth={growth})");
                let universal = UniversalShape::named(&universal).unwrap().unwrap();
                let wires: Vec<Rational> =
                    universal.wires().iter().step_by(dims).copied().map(Rational::from).collect();
                assert_eq!(cuts, wires, "{hosts}");
                // 2^k wires above 4^k hosts, 4^k above 8^k.
                let factor = [2_u64, 4][dims - 2];
                assert_eq!(cuts.last(), Some(&Rational::from(factor.pow(h - 1))), "{hosts}");
            }
        }
    }

    #[test]
    fn members_are_all_that_fit() {
        assert_eq!(members(3), [""; 0]);
        assert_eq!(
            members(64),
            ["bft(4)", "bft(8,dims=3)", "bft(16)", "bft(64)", "bft(64,dims=3)"]
        );
    }

    #[test]
    fn refuses_specs_of_no_such_tree() {
        for (spec, says) in [
            ("bft", "takes 1 number, 0 given"),
            ("bft(0)", "must be a power of 4, at least 4"),
            ("bft(1)", "must be a power of 4, at least 4"),
            ("bft(8)", "n = 8 must be a power of 4"),
            ("bft(16,dims=3)", "n = 16 must be a power of 8, at least 8"),
            ("bft(16,dims=4)", "dims = 4 is neither 2 nor 3"),
            ("bft(16,leaf=1)", "unknown option `leaf`"),
            ("bft(17179869184)", "height of the tree is 17, above the limit of 16"),
            ("bft(16777216)", "number of links is"),
        ] {
            let error = generate(spec).unwrap_err().to_string();
            assert!(error.contains(says), "{spec}: {error}");
        }
        // The shape alone may be larger.
        let shape = TreeShape::named("bft(4294967296)").unwrap().unwrap();
        assert_eq!((shape.hosts(), shape.shortest_paths(16)), (1 << 32, 1 << 15));
    }
}
