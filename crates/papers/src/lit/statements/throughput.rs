//! \[NSZ\]: a bound on the throughput of expanders, and what the best oblivious routing reaches.
//!
//! Every switch sends and receives what its links carry at most. The formula is that of the authors' public program.

use crate::bounds::{Bounds, Evidence};
use crate::theorem::bounded;
use crate::theorem::direct::least;
use crate::theorem::hops::{capacity, most_hops};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("lit-throughput", "[NSZ] abstract")
    .about("The worst-case throughput of a network is at most its capacity over what a permutation of all hosts takes up on shortest paths")
    .hypothesis("small expanders, and the cube of eight nodes, where it is reached: the best oblivious routing of each against all traffic")
    .quote("we prove an upper bound on their throughput, then show that this upper bound better estimates worst-case throughput than all previously proposed throughput estimators")
    .cases(|scope| check(scope, NETWORKS, 1))
    // As if half of the links carried nothing.
    .planted(Planted::Check(|scope| check(scope, &NETWORKS[..1], 2)));

pub(super) const EXPANDERS: Statement = Statement::new("lit-expanders", "[NSZ] abstract")
    .about("Small expanders do not have full throughput: some permutation takes more hops than there are links")
    .hypothesis("expanders of 16 to 36 switches with three cables, as hosts that each send 1 over links of capacity 1")
    .quote("even relatively small expander-based topologies fail to achieve full throughput")
    .cases(|scope| short(scope, SHORT))
    // 24 hops, and as many links.
    .planted(Planted::Check(|scope| short(scope, &["hypercube(3)"])));

const SHORT: &[&str] = &[
    "jellyfish(16,3,p=0)",
    "jellyfish(16,3,p=0,seed=2)",
    "xpander(3,4,p=0)",
    "jellyfish(20,3,p=0)",
    "xpander(3,5,p=0)",
    "jellyfish(36,3,p=0)",
];

const NETWORKS: &[&str] = &[
    "hypercube(3)",
    "jellyfish(8,3,p=0)",
    "xpander(3,2,p=0)",
    "jellyfish(10,3,p=0)",
    "jellyfish(10,4,p=0)",
    "xpander(3,3,p=0)",
    "xpander(4,3,p=0)",
    "slimfly(3,p=0)",
];

/// The claim that the longest permutation has more hops than the network has links.
fn short(scope: &Scope, networks: &[&str]) -> Findings {
    let mut findings = Vec::new();
    for spec in networks {
        let topology = generate(spec)?;
        if topology.hosts() <= scope.hosts {
            let hops = most_hops(&topology, scope.progress)?;
            let links = topology.links() as u64;
            let claimed = format!("more than {links} hops");
            let found = hops.to_string();
            findings.push(Finding::holds(*spec, claimed, found, hops > links, Basis::Exhaustive));
            scope.progress.inc(1);
        }
    }
    Ok(findings)
}

fn check(scope: &Scope, networks: &[&str], parts: u64) -> Findings {
    let mut findings = Vec::new();
    for spec in networks {
        let topology = generate(spec)?;
        if topology.hosts() <= scope.hosts {
            findings.push(finding(scope, topology, parts)?);
            scope.progress.inc(1);
        }
    }
    Ok(findings)
}

/// The claim for the capacity divided by `parts`.
fn finding(scope: &Scope, topology: Topology, parts: u64) -> Result<Finding, TheoremError> {
    let case = topology.spec().to_string();
    let sent = topology.host_capacity(0, true);
    let hops = &sent * &Rational::from(parts * most_hops(&topology, scope.progress)?);
    let hypothesis = || TheoremError::Hypothesis(case.clone());
    let bound = capacity(&topology).checked_div(&hops).ok_or_else(hypothesis)?;
    let (load, certificate) = least(topology, true, scope.progress)?;
    let one = Bounds { lower: Rational::ONE, upper: Rational::ONE, evidence: Evidence::Proven };
    let throughput = bounded::quotient(&one, &load).ok_or_else(hypothesis)?;
    Ok(bounded::at_most(case, &bound, (throughput, certificate)))
}
