//! \[RO\] VII.C: S-mod-k for patterns of many destinations, D-mod-k for those of many sources.
//!
//! A pattern in which every host of a set A sends to every host of a set B has more destinations than sources where B
//! is larger, and each source sends to more hosts than each destination hears of. All such patterns of small trees are
//! enumerated. The pairs of S-mod-k or D-mod-k on a link are all those from some hosts to some others, none of which
//! is both, so that those of the pattern are all pairs of two sets as well: their contention is the smaller size.

use std::cmp::Ordering;

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("ro-heuristic", "[RO] VII.C")
    .about("Of the patterns from every host of a set to every host of another, more have less contention under S-mod-k than under D-mod-k where destinations are more than sources, and under D-mod-k where sources are more")
    .hypothesis("all such patterns of seven trees of 4 to 9 hosts; the paper proposes the choice and does not examine it")
    .quote("It is not yet clear which of the two would better apply to a non-symmetric pattern. A possible heuristic would be to choose S-mod-k for a many- destinations dominated pattern. And D-mod-k for a many- source dominated pattern.")
    .cases(|scope| check(scope, &NETWORKS, ["smodk", "dmodk"]))
    .remark(
        RemarkKind::OurReading,
        |case| matches!(case.numbers[..], [2, 2, 2, 1, 2, 2] | [2, 4, 1, 2]),
        "there the other scheme has less contention, and more often: which of them it is depends on the tree, not on \
                 the numbers of sources and destinations alone. With more hosts at a switch, or fewer roots, it is as \
                 proposed",
    )
    .planted(Planted::Check(|scope| check(scope, &["xgft(2;4,2;1,2)"], ["dmodk", "smodk"])));

const NETWORKS: [&str; 7] = [
    "kary(2,2)",
    "kary(2,3)",
    "kary(3,2)",
    "xgft(2;2,4;1,2)",
    "xgft(2;4,2;1,2)",
    "xgft(2;3,3;1,2)",
    "xgft(3;2,2,2;1,2,1)",
];

/// A set of hosts, by the bits of their numbers.
type Hosts = u16;

/// Sources and destinations of the pairs on each link, without links that have the same.
type Links = Vec<[Hosts; 2]>;

fn links(scope: &Scope, network: &str, routing: &str) -> Result<Links> {
    let Instance { topology, routing, .. } = scope.instance(network, routing)?;
    let (mut links, mut pairs) = (vec![[0; 2]; topology.links()], vec![0; topology.links()]);
    for (s, d) in sd_pairs(topology.hosts()) {
        for link in path(&*routing, s, d) {
            let [sources, destinations] = &mut links[link as usize];
            (*sources, *destinations) = (*sources | 1 << s, *destinations | 1 << d);
            pairs[link as usize] += 1;
        }
    }
    let is_product = |([sources, destinations], pairs): (&[Hosts; 2], u32)| {
        sources & destinations == 0 && sources.count_ones() * destinations.count_ones() == pairs
    };
    if !links.iter().zip(pairs).all(is_product) {
        return Err(defect(format!("{} on {network}", routing.spec())));
    }
    links.sort_unstable();
    links.dedup();
    Ok(links)
}

/// The contention of the pattern from every host of the first set to every host of the second.
fn contention(links: &Links, pattern: [Hosts; 2]) -> u32 {
    let of_link = |hosts: &[Hosts; 2]| {
        let [sources, destinations] = [0, 1].map(|end| (hosts[end] & pattern[end]).count_ones());
        sources.min(destinations)
    };
    links.iter().map(of_link).max().unwrap_or(0)
}

/// The claims with one routing for patterns of many destinations and one for those of many sources.
fn check(
    scope: &Scope,
    networks: &[&str],
    [many_destinations, many_sources]: [&str; 2],
) -> Findings {
    scope.each(networks, |network| {
        let (topology, both) = (generate(network)?, [many_destinations, many_sources]);
        let tree = fits(&topology, Topology::plain_tree)?;
        let [first, second] = both.map(|routing| links(scope, network, routing));
        let (first, second) = (first?, second?);
        let (mut less, mut more, mut equal) = (0_u64, 0_u64, 0_u64);
        for sources in 1..1 << topology.hosts() {
            scope.progress.check()?;
            for destinations in 1..1 << topology.hosts() {
                let pattern: [Hosts; 2] = [sources, destinations];
                let (own, other) = match sources.count_ones().cmp(&destinations.count_ones()) {
                    Ordering::Less => (&first, &second),
                    Ordering::Equal => continue,
                    Ordering::Greater => (&second, &first),
                };
                match contention(own, pattern).cmp(&contention(other, pattern)) {
                    Ordering::Less => less += 1,
                    Ordering::Equal => equal += 1,
                    Ordering::Greater => more += 1,
                }
            }
        }
        let levels = 1..=tree.height();
        let children = levels.clone().map(|level| u64::from(tree.children(level)));
        let parents = levels.map(|level| u64::from(tree.parents(level)));
        let case = Case::of(*network, children.chain(parents).collect::<Vec<_>>());
        Ok(if less + more == 0 {
            Finding::vacuous(case, "all patterns have the same contention under both")
        } else {
            let claimed = "less contention by the choice more often than more";
            let found = format!("less for {less}, more for {more}, the same for {equal}");
            Finding::holds(case, claimed, found, less > more, Basis::Exhaustive)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::inverse_patterns::most;
    use super::*;
    use crate::traffic::TrafficMatrix;

    /// The contention by sizes of sets is that of the analysis, which matches pairs.
    #[test]
    fn sizes_are_matchings() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        for (network, routing) in [("kary(2,3)", "smodk"), ("xgft(2;3,3;1,2)", "dmodk")] {
            let instance = scope.instance(network, routing).unwrap();
            let links = links(&scope, network, routing).unwrap();
            for pattern in [[0b11, 0b1111_0000], [0b1010_0101, 0b1101_1011], [0b1, 0b1111_1110]] {
                let has = |hosts: Hosts, host: Host| hosts >> host & 1 == 1;
                let pairs = sd_pairs(instance.topology.hosts());
                let pairs = pairs.filter(|(s, d)| has(pattern[0], *s) && has(pattern[1], *d));
                let demands: Vec<_> =
                    pairs.map(|(s, d)| Demand { s, d, amount: Rational::ONE }).collect();
                let matrix = TrafficMatrix::new(instance.topology.hosts(), demands).unwrap();
                let known = most(&instance, matrix.demands(), &scope).unwrap();
                assert_eq!(Rational::from(u64::from(contention(&links, pattern))), known);
            }
        }
    }

    /// Numbers of patterns that were counted independently of this crate, for both choices together.
    #[test]
    fn known_numbers() {
        let progress = Progress::silent();
        let found = check(&Scope::new(16, &progress), &NETWORKS[1..3], ["smodk", "dmodk"]).unwrap();
        let text = |network: &str| {
            found.iter().find(|finding| finding.case.name == network).unwrap().found.clone()
        };
        assert_eq!(text("kary(2,3)"), "less for 4944, more for 12768, the same for 34444");
        assert_eq!(text("kary(3,2)"), "less for 33474, more for 24522, the same for 154506");
    }
}
