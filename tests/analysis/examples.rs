//! The programs in `examples/` print what their comments say.
#![expect(clippy::unwrap_used, reason = "helpers of tests, like tests, may panic")]

use std::error::Error;
use std::io::Write;

macro_rules! example {
    ($name:ident, $path:literal) => {
        #[path = $path]
        #[expect(dead_code, reason = "its main runs in the example only")]
        mod $name;
    };
}

example!(optu_of_a_matrix, "../../examples/optu_of_a_matrix.rs");
example!(own_network, "../../examples/own_network.rs");
example!(own_routing, "../../examples/own_routing.rs");
example!(ratio_of_a_fabric, "../../examples/ratio_of_a_fabric.rs");
example!(routing_by_nodes, "../../examples/routing_by_nodes.rs");

type Run = fn(&mut dyn Write) -> Result<(), Box<dyn Error>>;

fn printed(run: Run) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// As in the README: all 16 hosts below a switch of level 2 send over one link.
#[test]
fn ratio_of_a_fabric() {
    let expected = "128 hosts, 768 links\n\
        oblivious ratio 16 (proven)\n\
        worst link sw-2-0[5] -> sw-3-0[1]\n\
        worst traffic host-0 -> host-16: 1\n\
        worst traffic host-1 -> host-20: 1\n\
        worst traffic host-2 -> host-24: 1\n\
        accepted oblivious-ratio 16 to 16\n\
        accepted permutation-load 16 to 16\n";
    assert_eq!(printed(ratio_of_a_fabric::run), expected);
}

/// D-mod-k reaches m/2, routing by source and destination the square root of that.
#[test]
fn own_routing() {
    let expected = "dmodk: 4 (proven)\naccepted oblivious-ratio 4\n\
        parity: 2 (proven)\naccepted oblivious-ratio 2\n";
    assert_eq!(printed(own_routing::run), expected);
}

/// As D-mod-k, and the worst that a routing over shortest paths can be.
#[test]
fn routing_by_nodes() {
    let expected = "by-place: 4 (proven)\nworst link sw-1-0[5] -> sw-2-0[1]\n\
        by-one-spine: 4 (proven)\nworst link sw-1-0[5] -> sw-2-0[1]\n";
    assert_eq!(printed(routing_by_nodes::run), expected);
}

/// What one router sends to another fits on two disjoint paths; the routing uses one.
#[test]
fn own_network() {
    let printed = printed(own_network::run);
    let expected = "oblivious ratio 2 (proven)\nworst link Aachen[1] -> Bonn[1]\n\
        routebound-certificate 1\nhosts 3\nnodes 3\nlink 0 1 10\nlink 1 0 10\n";
    assert!(printed.starts_with(expected) && printed.ends_with("end\n"), "{printed}");
}

/// Four units leave a switch over two links, or over one of them.
#[test]
fn optu_of_a_matrix() {
    let expected = "optu 2 (proven), baseload 3/2\naccepted optu 2 to 2\n\
        max load 4 on sw-1-0[5] -> sw-2-0[1], 2 times optu\n";
    assert_eq!(printed(optu_of_a_matrix::run), expected);
}
