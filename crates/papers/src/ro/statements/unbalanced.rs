//! \[RO\] IX: Random NCA Up and Random NCA Down with functions W that are not balanced.
//!
//! VIII has "random balanced distributions" for W, IX "a uniform random mapping at each subtree". `rnca-u` and `rnca-d`
//! are balanced; here every value of W is drawn alone, whatever the others are.
//!
//! On trees of two levels that makes no difference to Random where every source and every destination of a pattern is
//! in one of its pairs, as in a permutation: a pair then has the root W of a host that no other pair asks for, and
//! these roots are drawn uniformly and independently, like those of Random. So under both the contention has the same
//! distribution, which the tests enumerate on a small tree.

use rand::RngExt as _;

use super::seeds::{CG, Drawn, WRF, contention_of, first_seed, pattern, seeds, tree};
use crate::routing::tree::{HostDigits, TreeRouting};
use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("ro-rnca-unbalanced", "[RO] IX")
    .about("r-NCA-u and r-NCA-d with functions W that are drawn uniformly, not balanced, route WRF-256 and the fifth phase of CG.D-128 with less contention than Random")
    .hypothesis("XGFT(2;16,16;1,w2), w2 = 16, 12, 8, 4: contention, mean over seeds; printed for simulated time")
    .ours()
    .quote("we use functions W(. . . ) that perform a uniform random mapping at each subtree. ... both for WRF-256 and CG.D-128, the Random NCA Up and Random NCA Down strategies perform statistically better than Random.")
    .cases(|scope| better(scope, &[WRF, CG], false))
    .remark(
        RemarkKind::OurReading,
        |case| case.numbers == [1],
        "the fifth phase of CG.D-128 is a permutation, for which such functions draw the root of every pair alone, as \
                 Random does. Balanced ones, of which VIII speaks, have less contention, see ro-rnca-random",
    )
    .planted(Planted::Check(|scope| better(scope, &[WRF], true)));

/// The up-digits of hosts on a tree of two levels, every one drawn alone.
fn uniform(tops: u64, by_source: bool, seed: u64) -> Result<Instance> {
    let topology = generate(&tree(tops))?;
    let tree = fits(&topology, Topology::plain_tree)?;
    let mut stream = Streams::new(seed).at(0);
    let roots = tree.host_numbers().map(|_| stream.random_range(0..tree.parents(2)));
    let roots: Vec<u32> = roots.collect();
    let rule =
        HostDigits::tabulate(
            tree,
            by_source,
            |host, level| {
                if level == 0 { 0 } else { roots[host as usize] }
            },
        );
    let routing: Box<dyn Routing> = Box::new(TreeRouting::new("rnca, not balanced", tree, rule));
    Ok(Instance::trusted(topology, routing))
}

/// The claims that r-NCA has less contention than Random, or the other way round.
fn better(scope: &Scope, patterns: &[&str], reversed: bool) -> Findings {
    let cases = iproduct!(patterns, [16, 12, 8, 4], ["rnca-u", "rnca-d"]);
    scope.each(cases, |(traffic, tops, name)| {
        let pattern = pattern(traffic)?;
        let first = first_seed(scope, name, seeds(scope));
        let drawn = Drawn::by(scope, first, |seed| {
            contention_of(scope, &uniform(tops, name == "rnca-u", seed)?, &pattern)
        })?;
        let random = Drawn::new(scope, tops, "random", &pattern)?;
        let (own, other) = if reversed { (random, drawn) } else { (drawn, random) };
        let is_drawn_alone = pattern.permutation().is_some();
        let text = format!("{traffic} under {name}, not balanced, on {}", tree(tops));
        let case = Case::of(text, [u64::from(is_drawn_alone)]);
        Ok(if is_drawn_alone {
            let claimed = format!("mean below {}", other.text());
            let found = format!("{}, of the same distribution", own.text());
            let basis = Basis::Argued("the docs of crates/papers/src/ro/statements/unbalanced.rs");
            Finding::holds(case, claimed, found, false, basis)
        } else {
            own.below(case, &other)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::inverse_patterns::most;
    use super::*;
    use crate::traffic::TrafficMatrix;

    /// How many of all roots of hosts, or of all roots of pairs, give each contention on XGFT(2;2,2;1,2).
    fn distribution(pattern: &TrafficMatrix, by_source: bool) -> [BTreeMap<Rational, usize>; 2] {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let network = || generate("xgft(2;2,2;1,2)").unwrap();
        let topology = network();
        let tree = topology.plain_tree().unwrap();
        let of_hosts = (0..4).map(|_| 0..2).multi_cartesian_product().map(|roots: Vec<u32>| {
            let digit = |host: Host, level| if level == 0 { 0 } else { roots[host as usize] };
            let rule = HostDigits::tabulate(tree, by_source, digit);
            let routing: Box<dyn Routing> = Box::new(TreeRouting::new("hosts", tree, rule));
            most(&Instance::trusted(network(), routing), pattern.demands(), &scope).unwrap()
        });
        // Pairs of different switches use an up link and a down link of their root; all are of distinct hosts if
        // the pattern is a permutation.
        let far = pattern.demands().iter().filter(|demand| demand.s / 2 != demand.d / 2);
        let far: Vec<(Host, Host)> = far.map(|demand| (demand.s / 2, demand.d / 2)).collect();
        let of_pairs = far.iter().map(|_| 0..2).multi_cartesian_product().map(|roots: Vec<u32>| {
            let up = far.iter().zip(&roots).map(|((from, _), root)| (0, *from, *root));
            let down = far.iter().zip(&roots).map(|((_, to), root)| (1, *to, *root));
            Rational::from(*up.chain(down).counts().values().max().unwrap() as u64)
        });
        let scale = 16 / (1 << far.len());
        [of_hosts.counts(), of_pairs.counts().into_iter().map(|(c, n)| (c, n * scale)).collect()]
            .map(|counts| counts.into_iter().collect())
    }

    #[test]
    fn a_permutation_does_not_see_whether_hosts_or_pairs_have_roots() {
        for images in [[2, 3, 0, 1], [2, 0, 3, 1], [3, 2, 1, 0]] {
            let demand = |(s, d)| Demand { s, d, amount: Rational::ONE };
            let demands: Vec<_> = (0..).zip(images).map(demand).collect();
            let pattern = TrafficMatrix::new(4, demands).unwrap();
            for by_source in [true, false] {
                let [hosts, pairs] = distribution(&pattern, by_source);
                assert_eq!(hosts, pairs, "{images:?}");
            }
        }
    }
}
