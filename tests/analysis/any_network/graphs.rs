//! Small networks whose nodes are all hosts; every edge is one link in each direction.

use routebound::rational::Rational;
use routebound::topology::{NetworkBuilder, Topology};

/// The network with the given edges, all of capacity 1.
pub fn network(name: &str, nodes: u32, edges: &[(u32, u32)]) -> Topology {
    let weighted: Vec<_> = edges.iter().map(|(u, v)| (*u, *v, Rational::ONE)).collect();
    weighted_network(name, nodes, &weighted)
}

/// The network with the given edges and capacities; edge i is links 2i (forth) and 2i + 1 (back).
pub fn weighted_network(name: &str, nodes: u32, edges: &[(u32, u32, Rational)]) -> Topology {
    let mut network = NetworkBuilder::new();
    let ids: Vec<_> = (0..nodes).map(|i| network.host(format!("n{i}"))).collect();
    for (u, v, capacity) in edges {
        network.cable(ids[*u as usize], ids[*v as usize], capacity.clone());
    }
    network.build(name).unwrap()
}

/// A cycle whose links have capacity 2 in one direction and 1 in the other.
pub fn uneven_cycle(k: u32) -> Topology {
    let mut network = NetworkBuilder::new();
    let ids: Vec<_> = (0..k).map(|i| network.host(format!("n{i}"))).collect();
    for i in 0..k as usize {
        let (end, next) = ((ids[i], 1), (ids[(i + 1) % k as usize], 2));
        network.link_at(end, next, Rational::from(2));
        network.link_at(next, end, Rational::ONE);
    }
    network.build(format!("uneven C{k}")).unwrap()
}

pub fn cycle(k: u32) -> Topology {
    let edges: Vec<_> = (0..k).map(|i| (i, (i + 1) % k)).collect();
    network(&format!("C{k}"), k, &edges)
}

pub fn complete(n: u32) -> Topology {
    let edges: Vec<_> = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))).collect();
    network(&format!("K{n}"), n, &edges)
}

pub fn grid(rows: u32, columns: u32) -> Topology {
    let at = |r, c| r * columns + c;
    let mut edges = Vec::new();
    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        if c + 1 < columns {
            edges.push((at(r, c), at(r, c + 1)));
        }
        if r + 1 < rows {
            edges.push((at(r, c), at(r + 1, c)));
        }
    }
    network(&format!("{rows}x{columns} grid"), rows * columns, &edges)
}

pub fn cube() -> Topology {
    let edges: Vec<_> = (0..8_u32)
        .flat_map(|u| (0..3).map(move |bit| (u, u ^ (1 << bit))))
        .filter(|(u, v)| u < v)
        .collect();
    network("Q3", 8, &edges)
}

pub fn petersen() -> Topology {
    let outer = (0..5).map(|i| (i, (i + 1) % 5));
    let spokes = (0..5).map(|i| (i, i + 5));
    let inner = (0..5).map(|i| (5 + i, 5 + (i + 2) % 5));
    let edges: Vec<_> = outer.chain(spokes).chain(inner).collect();
    network("Petersen", 10, &edges)
}
