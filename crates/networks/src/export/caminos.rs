//! Configurations of the simulator CAMINOS, `.cfg`: a tree, with settings that it runs as they are.
//!
//! ```text
//! Configuration {
//! \trandom_seed: 1, warmup: 10000, measured: 10000,
//! \ttopology: XGFT { height: 2, down: [4, 8], up: [4, 4], servers_per_leaf: 4 },
//! \t…
//! }
//! ```
//!
//! CAMINOS wires a tree by these numbers alone, so that only whole trees of capacity 1 with one cable for every host
//! fit. Servers are numbered as hosts are here, routers level by level, from level 2 on in another order (`node` in
//! tests/caminos/tests/configuration.rs). Its topology `File`, which lists neighbours, has the same number of servers
//! at every router and takes no parallel cables (`NeighboursLists::new_cfg` in src/topology/neighbourslists.rs of
//! caminos-lib 0.6.3), and none of its routings reads tables or paths (`new_routing` in src/routing/mod.rs): other
//! networks, and tables, cannot be stated. `UpDown` takes any shortest path. The pattern is uniform random traffic;
//! `traffic --format caminos` writes others.
//!
//! `make test-caminos` has CAMINOS read and simulate what is written here, and compares its network with ours.

use std::io::Write;

use super::ExportError;
use crate::registry::Kind;
use crate::topology::{Topology, Xgft};

const NAME: &str = "caminos";

pub(super) const KIND: Kind<super::Export> = Kind {
    name: NAME,
    usage: "topo TOPOLOGY --format caminos",
    about: "configuration of CAMINOS (.cfg): a tree, uniform traffic at full load, any shortest path, 16 phits a packet",
    reference: "https://docs.rs/caminos-lib, src/topology/multistage.rs, XGFT",
    examples: &["ft(4,2)", "ft(8,3)", "xgft(3;4,4,2;1,2,4)"],
    build: write,
};

/// Phits of a message and of a packet; queues are in the proportions of the examples of CAMINOS.
const PACKET: u32 = 16;

fn write(topology: &Topology, out: &mut dyn Write) -> Result<(), ExportError> {
    let tree =
        tree(topology).map_err(|problem| ExportError::does_not_fit(NAME, topology, problem))?;
    let levels = 2..=tree.height();
    let down = list(levels.clone().map(|level| tree.children(level)));
    let up = list(levels.map(|level| tree.parents(level)));
    let (stages, leaf, hosts) = (tree.height() - 1, tree.children(1), tree.hosts());
    let (input, output) = (4 * PACKET, 2 * PACKET);
    // One for every stage, and the last one for the links of servers.
    let links = vec!["LinkClass { delay: 1 }"; tree.height()].join(", ");
    write!(
        out,
        "// written by routebound\n\
         // pattern: what `routebound traffic TOPOLOGY PATTERN --format caminos` writes may replace Uniform.\n\
         Configuration {{\n\
         \trandom_seed: 1,\n\twarmup: 10000,\n\tmeasured: 10000,\n\
         \ttopology: XGFT {{ height: {stages}, down: [{down}], up: [{up}], servers_per_leaf: {leaf} }},\n\
         \ttraffic: HomogeneousTraffic {{\n\
         \t\tpattern: Uniform,\n\t\ttasks: {hosts},\n\t\tload: 1.0,\n\t\tmessage_size: {PACKET},\n\t}},\n\
         \tmaximum_packet_size: {PACKET},\n\
         \trouter: InputOutput {{\n\
         \t\tvirtual_channels: 1,\n\
         \t\tvirtual_channel_policies: [EnforceFlowControl, Random],\n\
         \t\tallocator: Random,\n\
         \t\tcrossbar_delay: 1,\n\
         \t\tbuffer_size: {input},\n\t\toutput_buffer_size: {output},\n\t\tflit_size: {PACKET},\n\
         \t\tbubble: false,\n\t\tintransit_priority: false,\n\t\tallow_request_busy_port: true,\n\t}},\n\
         \trouting: UpDown,\n\
         \tlink_classes: [{links}],\n\
         }}\n"
    )?;
    Ok(())
}

/// The tree, or why it is none that CAMINOS builds.
fn tree(topology: &Topology) -> Result<&Xgft, &'static str> {
    let tree = super::whole_tree(topology)?;
    if tree.height() < 2 {
        return Err("trees of CAMINOS have two levels of switches or more");
    }
    Ok(tree)
}

fn list(numbers: impl Iterator<Item = u32>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exported, refused};
    use super::NAME;
    use crate::topology::generate;

    #[test]
    fn a_tree_is_a_line() {
        let text = exported(NAME, &generate("xgft(3;4,5,2;1,2,3)").unwrap()).unwrap();
        let lines = [
            "\ttopology: XGFT { height: 2, down: [5, 2], up: [2, 3], servers_per_leaf: 4 },",
            "\t\ttasks: 40,",
            "\tlink_classes: [LinkClass { delay: 1 }, LinkClass { delay: 1 }, LinkClass { delay: 1 }],",
        ];
        for line in lines {
            assert!(text.lines().any(|written| written == line), "{line}: {text}");
        }
    }

    #[test]
    fn what_caminos_cannot_wire_is_refused() {
        let refused = |spec, says| refused(NAME, &generate(spec).unwrap(), says);
        refused("universal(16)", "not a whole tree");
        refused("xgft(1;4;1)", "two levels of switches");
        refused("xgft(2;2,3;2,2)", "one cable");
    }
}
