//! \[RO\] II: k-ary n-trees among the XGFTs.

use crate::theorem::prelude::*;
use crate::topology::node_number;

pub(super) const KIND: Statement = Statement::new("ro-kary", "[RO] II")
    .about("A k-ary n-tree has k^n leaf nodes and n k^(n-1) switches of 2k ports, and is \
            XGFT(n; k,..,k; 1,k,..,k)")
    .hypothesis("k-ary n-trees by name, as [GO] 2 wires them (go-structure); the top switches use k of their ports")
    .quote("leaf nodes used as processing nodes and ... inner nodes (2k-port switches). ... h = n, w1 = 1, m1 = k, and mi = k, wi = k")
    .cases(|scope| check(scope, 0))
    // One more child of every switch of the top level.
    .planted(Planted::Check(|scope| check(scope, 1)));

/// (k,n).
const SIZES: &[(usize, usize)] =
    &[(2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (4, 3), (8, 2), (16, 2)];

/// Both trees of every size, the XGFT with `more` children at the top.
fn check(scope: &Scope, more: usize) -> Findings {
    // The paper's own tree has 256 hosts.
    scope.each(SIZES, |(k, n)| {
        let kary = generate(&format!("kary({k},{n})"))?;
        let children = (1..=*n).map(|i| if i == *n { k + more } else { *k }).join(",");
        let parents = (1..=*n).map(|i| if i == 1 { 1 } else { *k }).join(",");
        let xgft = generate(&format!("xgft({n};{children};{parents})"))?;
        let same = kary.graph().node_count() == xgft.graph().node_count()
            && kary.link_numbers().all(|link| kary.ends(link) == xgft.ends(link));
        let found = if same { "node by node and link by link" } else { "another network" };
        let case = format!("{} and {}", kary.spec(), xgft.spec());
        let same = Finding::holds(case, "the same", found, same, Basis::Exhaustive);
        let counts = counts(&kary, *k as u64, index32(*n));
        Ok(counts.into_iter().chain([same]).collect::<Vec<_>>())
    })
}

/// Nodes, and ports of switches.
fn counts(kary: &Topology, k: u64, n: u32) -> [Finding; 3] {
    let mut ports: BTreeMap<u32, u64> = BTreeMap::new();
    for node in host_number(kary.hosts())..node_number(kary.nodes()) {
        *ports.entry(node).or_default() += kary.links_from(node).count() as u64;
    }
    let (spec, most) = (kary.spec(), ports.values().max().copied().unwrap_or(0));
    let equal = |what: &str, claimed, found| {
        Finding::equal(format!("{what} of {spec}"), claimed, found, Basis::Exhaustive)
    };
    [
        equal("leaf nodes", k.pow(n), kary.hosts() as u64),
        equal("switches", u64::from(n) * k.pow(n - 1), ports.len() as u64),
        // The only switch of a 1-tree is a top switch.
        equal("ports of a switch", if n == 1 { k } else { 2 * k }, most),
    ]
}
