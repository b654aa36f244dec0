//! \[NB\] IV.A, Discussion: three levels by networks in place of the bottom switches.
//!
//! With N = n + n², ftree(n,n²,v) of switches of N ports, v <= N, has nv ports and acts as one switch of that size. As
//! the bottom switch of ftree(n',m',r') it leaves n' + m' <= nv, and the top switches are of N ports, so that r' <= N.
//! The conditions of Theorems 1 and 2 then bound the ports, n'r', whatever the single-path routing.

use super::constructed::nested_spec;
use super::levels::{MOST, size};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-three-levels-bottom", "[NB] IV.A, Discussion")
    .about("A network of three levels of switches of n+n^2 ports, in which the bottom switches are replaced by ftree(n,n^2,v), v <= n+n^2, has fewer ports than the one in which the top switches are, and where it has the most, more switches")
    .hypothesis("n = 2..6: the most of all v and all sizes that Theorems 1 and 2 allow, against the other network; networks of two and three levels are built and counted")
    .quote("One question is whether it is more effective to replace bottom level switches or top level switches with a fat-tree. ... it is more beneficial to have large top level switches.")
    .cases(|scope| compare(scope, 1))
    // Four times the ports, which are then more than those of the other network.
    .planted(Planted::Check(|scope| compare(scope, 4)));

/// The n', m' and r' of a network, and its switches of N ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide {
    shape: [u64; 3],
    switches: u64,
}

impl Wide {
    fn ports(self) -> u64 {
        let [n, _, r] = self.shape;
        n * r
    }
}

/// The least m' of a nonblocking ftree(n',m',r') by what the proofs of Theorems 1 and 2 print: n'^2 for
/// r' >= 2n' + 1, (r' - 1)n'/2 for r' <= 2n' + 1. One host per switch takes one top switch.
fn least_tops(n: u64, r: u64) -> u64 {
    match n {
        1 => 1,
        _ if r > 2 * n => n * n,
        _ => ((r - 1) * n).div_ceil(2),
    }
}

/// Switches and ports of ftree(n,n²,v), for every v that gives more ports than a switch has and no more than top
/// switches connect.
fn bottoms(n: u64) -> Result<Vec<[u64; 2]>> {
    let built = |v| Ok(size(&generate(&format!("ftree({n},{},{v})", n * n))?).counted);
    (n + 2..=n + n * n).map(built).collect()
}

/// Every network whose bottom switches are `bottom`, given by switches and ports, and whose top switches have up to
/// `most` ports.
fn all([switches, ports]: [u64; 2], most: u64) -> impl Iterator<Item = Wide> {
    let wide = move |(n, r): (u64, u64)| {
        let m = least_tops(n, r);
        (n + m <= ports).then_some(Wide { shape: [n, m, r], switches: r * switches + m })
    };
    iproduct!(1..ports, 2..=most).filter_map(wide)
}

/// The claims, of `times` the ports that the networks have.
fn compare(scope: &Scope, times: u64) -> Findings {
    let mut findings = Vec::new();
    for n in 2..=MOST {
        scope.progress.check()?;
        let bottoms = bottoms(n)?;
        let [of_top, top] = size(&generate(&nested_spec(index32(as_size(n)), 3))?).counted;
        let wide = || bottoms.iter().flat_map(|bottom| all(*bottom, n + n * n));
        let Some(ports) = wide().map(Wide::ports).max() else { continue };
        let widest = wide().filter(|wide| wide.ports() == ports);
        let Some(Wide { shape: [hosts, m, r], switches }) =
            widest.min_by_key(|wide| (wide.switches, wide.shape))
        else {
            continue;
        };
        let (ports, shape) = (times * ports, format!("ftree({hosts},{m},{r})"));
        let (name, claimed) = (format!("most ports, n = {n}"), format!("< {top}"));
        let found = format!("{ports} by {shape}");
        findings.push(Finding::holds(name, claimed, found, ports < top, Basis::Exhaustive));
        let (name, claimed) = (format!("fewest switches, n = {n}"), format!("> {of_top}"));
        let (found, holds) = (format!("{switches} for {shape}"), switches > of_top);
        findings.push(Finding::holds(name, claimed, found, holds, Basis::Exhaustive));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n = 2: bottom switches of up to 12 ports, which are 10 switches of 6, and top switches of 6.
    #[test]
    fn networks_by_hand() {
        assert_eq!(bottoms(2).unwrap(), [[8, 8], [9, 10], [10, 12]]);
        let all: Vec<Wide> = all([10, 12], 6).collect();
        let has = |shape, switches| all.contains(&Wide { shape, switches });
        assert!(has([3, 8, 6], 68) && has([4, 8, 5], 58) && has([2, 4, 6], 64));
        // 4 hosts need 10 top switches under 6 bottom ones, which are 14 ports.
        assert!(all.iter().all(|wide| wide.shape != [4, 10, 6]));
        assert_eq!(all.iter().map(|wide| wide.ports()).max(), Some(20));
    }
}
