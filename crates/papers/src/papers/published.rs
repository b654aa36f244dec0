//! What the papers say about the oblivious ratio of one instance, as numbers to compare with.
//!
//! A [`PublishedBound`] belongs to a statement of [`super::STATEMENTS`], which says the same about all
//! its cases and has the hypothesis in words; here it is a formula for one instance, which costs
//! nothing, except for two lemmas about the paths themselves ([`MAX_HOSTS`]). Tests check that both
//! agree. A statement that is known to be wrong is included too: its bound is what was published.
//!
//! Add a bound by its line in [`RULES`].

mod bound;

pub use bound::{PublishedBound, Side, Standing};

use super::STATEMENTS;
use crate::rational::Rational;
use crate::routing::Routing;
use crate::theorem::{is_kind, shape, uses};
use crate::topology::{Host, Topology};

/// The value for an instance, `None` where the hypothesis does not hold.
type Value = fn(&Topology, &dyn Routing) -> Option<u64>;

/// A statement that bounds the ratio.
struct Rule {
    statement: &'static str,
    side: Side,
    value: Value,
}

/// Every bound, paper by paper, in the order of the paper.
const RULES: &[Rule] = &[
    Rule { statement: "or-perf", side: Side::AtLeast, value: |_, _| Some(1) },
    Rule {
        statement: "or-theorem-1",
        side: Side::Equals,
        value: |tree, routing| one_on_ft(tree, routing, "omrmn"),
    },
    Rule {
        statement: "or-theorem-1-per-hop",
        side: Side::Equals,
        value: |tree, routing| one_on_ft(tree, routing, "ecmp"),
    },
    Rule { statement: "or-lemma-7", side: Side::AtLeast, value: lemma_7 },
    Rule { statement: "or-theorem-2", side: Side::AtLeast, value: theorem_2 },
    Rule { statement: "or-theorem-2-few", side: Side::AtLeast, value: theorem_2_few },
    Rule { statement: "or-theorem-3", side: Side::AtLeast, value: theorem_3 },
    Rule { statement: "or-theorem-4", side: Side::AtLeast, value: theorem_4 },
    Rule { statement: "or-theorem-5", side: Side::AtLeast, value: theorem_5 },
    Rule { statement: "or-theorem-5-stronger", side: Side::AtLeast, value: theorem_5_stronger },
    Rule { statement: "or-theorem-6", side: Side::Equals, value: theorem_6 },
    Rule { statement: "or-lemma-9", side: Side::AtMost, value: lemma_9 },
    Rule {
        statement: "or-section-5a",
        side: Side::Equals,
        value: |tree, routing| least_of_two_levels(tree, routing, "osrm2"),
    },
    Rule {
        statement: "or-grid",
        side: Side::Equals,
        value: |tree, routing| least_of_two_levels(tree, routing, "grid"),
    },
    Rule { statement: "or-theorem-7", side: Side::Equals, value: theorem_7 },
    Rule { statement: "or-table-1", side: Side::Equals, value: table_1 },
    Rule {
        statement: "or-table-1-mod-k",
        side: Side::Equals,
        value: |tree, routing| spread(tree, routing, &["dmodk", "smodk"]),
    },
    Rule { statement: "or-table-1-higher", side: Side::Equals, value: table_1_higher },
    Rule { statement: "go-worst", side: Side::Equals, value: go_worst },
    Rule { statement: "go-worst-exact", side: Side::Equals, value: go_worst_exact },
    Rule { statement: "nb-theorem-2", side: Side::AtLeast, value: blocking },
    Rule { statement: "nb-theorem-3", side: Side::Equals, value: nonblocking },
    Rule { statement: "ro-no-static", side: Side::AtLeast, value: conflict },
];

/// Maximum number of hosts of an instance whose paths are listed for Lemmas 7 and 9 of \[OR\],
/// which have no formula; on larger instances they say nothing here.
const MAX_HOSTS: usize = 256;

/// The bounds that apply to a routing of a topology, in the order of the papers. O(height), and
/// O(hosts² · path length) for single paths of FT(m,n) and EFT2(m,k) with up to 256 hosts.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::{papers::published, routing::Instance};
/// let (topology, routing) = Instance::named("ft(8,3)", "dmodk")?.into_parts();
/// let bounds = published(&topology, &*routing);
/// let theorem_4 = bounds.iter().find(|bound| bound.statement == "or-theorem-4").ok_or("none")?;
/// assert_eq!((theorem_4.source, theorem_4.value.to_string()), ("[OR] Theorem 4", "4".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn published(topology: &Topology, routing: &dyn Routing) -> Vec<PublishedBound> {
    let bound = |rule: &Rule| {
        let value = Rational::from((rule.value)(topology, routing)?);
        let kind = STATEMENTS.iter().find(|kind| kind.name == rule.statement)?;
        let Rule { statement, side, .. } = *rule;
        Some(PublishedBound { statement, source: kind.reference, side, value })
    };
    // They are about shortest paths, but no ratio is below 1.
    let applies = |rule: &&Rule| !routing.has_detours() || rule.statement == "or-perf";
    RULES.iter().filter(applies).filter_map(bound).collect()
}

/// Whether a statement bounds the ratio of instances.
#[must_use]
pub fn is_bound(statement: &str) -> bool {
    RULES.iter().any(|rule| rule.statement == statement)
}

/// (m/2, n) of FT(m,n).
fn ft(topology: &Topology) -> Option<(u64, u32)> {
    shape::ft(topology).map(|(m, n)| (u64::from(m / 2), n))
}

/// The same where n is `levels` and every pair has one path.
fn single_path(topology: &Topology, routing: &dyn Routing, levels: u32) -> Option<u64> {
    ft(topology).filter(|(_, n)| *n == levels && routing.is_single_path()).map(|(half, _)| half)
}

fn one_on_ft(topology: &Topology, routing: &dyn Routing, name: &str) -> Option<u64> {
    ft(topology).filter(|_| is_kind(routing, name)).map(|_| 1)
}

/// The SD pairs of every link of a single-path routing, where there are not too many pairs.
fn listed(topology: &Topology, routing: &dyn Routing) -> Option<Vec<Vec<(Host, Host)>>> {
    let is_small = topology.hosts() <= MAX_HOSTS && routing.is_single_path();
    is_small.then(|| uses::pairs_of_paths(topology, routing))
}

fn lemma_7(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (m, _) = shape::eft2(topology)?;
    Some(uses::most_disjoint(&listed(topology, routing)?).min(u64::from(m / 2)))
}

fn lemma_9(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    shape::ft(topology)?;
    Some(uses::fewest_ends(&listed(topology, routing)?))
}

/// The ratio of a single-path routing with equal links is an integer: bounds are rounded up.
fn theorem_2(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (m, k) = shape::eft2(topology).filter(|_| routing.is_single_path())?;
    let many = u64::from(k).pow(2) >= 2 * u64::from(m);
    many.then(|| shape::ceil_sqrt(u64::from(m / 2)))
}

fn theorem_2_few(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (m, k) = shape::eft2(topology).filter(|_| routing.is_single_path())?;
    let few = u64::from(k).pow(2) < 2 * u64::from(m);
    few.then(|| u64::from(k.div_ceil(2)))
}

fn theorem_3(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    single_path(topology, routing, 2).map(shape::ceil_sqrt)
}

fn theorem_4(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    single_path(topology, routing, 3)
}

fn theorem_5(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (half, n) = ft(topology).filter(|(_, n)| *n >= 4 && routing.is_single_path())?;
    half.checked_pow((n - 1) / 3)
}

fn theorem_5_stronger(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (half, n) = ft(topology).filter(|(_, n)| *n >= 2 && routing.is_single_path())?;
    half.checked_pow(2 * n / 3).map(shape::ceil_sqrt)
}

fn theorem_6(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let half = single_path(topology, routing, 2).filter(|_| is_kind(routing, "osrm2"))?;
    (half.isqrt().pow(2) == half).then(|| half.isqrt())
}

fn least_of_two_levels(topology: &Topology, routing: &dyn Routing, name: &str) -> Option<u64> {
    let half = ft(topology).filter(|(_, n)| *n == 2 && is_kind(routing, name))?.0;
    Some(shape::ceil_sqrt(half))
}

fn theorem_7(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    ft(topology).filter(|(_, n)| *n == 3 && is_kind(routing, "osrm3")).map(|(half, _)| half)
}

fn table_1(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (half, n) = ft(topology).filter(|(_, n)| matches!(n, 2 | 3))?;
    if is_kind(routing, "omrmn") {
        return Some(1);
    }
    if is_kind(routing, "osrm2") {
        return theorem_6(topology, routing);
    }
    if is_kind(routing, "osrm3") {
        return (n == 3).then_some(half);
    }
    spread(topology, routing, &["mlid", "wsr"])
}

/// m/2 on FT(m,2), m − 1 on FT(m,3).
fn spread(topology: &Topology, routing: &dyn Routing, names: &[&str]) -> Option<u64> {
    let (half, n) = ft(topology).filter(|(_, n)| matches!(n, 2 | 3))?;
    let is_meant = names.iter().any(|name| is_kind(routing, name));
    is_meant.then_some(if n == 2 { half } else { 2 * half - 1 })
}

fn table_1_higher(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let named = is_kind(routing, "dmodk") || is_kind(routing, "smodk");
    match ft(topology).filter(|_| named)? {
        (2, 4) => Some(4),
        (2, 5) => Some(7),
        _ => None,
    }
}

/// k of a k-ary n-tree, and n.
fn kary(topology: &Topology, routing: &dyn Routing) -> Option<(u64, u32)> {
    let (k, n) = shape::kary(topology).filter(|_| is_kind(routing, "dmodk"))?;
    Some((k.into(), n))
}

fn go_worst(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    kary(topology, routing).filter(|(_, n)| *n >= 2).map(|(k, _)| k)
}

fn go_worst_exact(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (k, n) = kary(topology, routing)?;
    (0..n).map(|l| Some(k.checked_pow(l)?.min(k.checked_pow(n - l)? - 1))).max()?
}

/// With fewer than n² top switches, some permutation loads a link twice; with n of them or more,
/// its optu is 1.
fn blocking(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (n, m, r) = shape::ftree(topology).filter(|_| routing.is_single_path())?;
    (r > 2 * n && (n..n * n).contains(&m)).then_some(2)
}

/// Two messages of some permutation meet, while the optu of each permutation of a k-ary n-tree is
/// at most 1. As printed, for every such tree; the 2-ary 2-tree is an exception.
fn conflict(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (_, n) = shape::kary(topology).filter(|_| routing.is_single_path())?;
    (n >= 2).then_some(2)
}

fn nonblocking(topology: &Topology, routing: &dyn Routing) -> Option<u64> {
    let (n, m, _) = shape::ftree(topology).filter(|_| is_kind(routing, "yuan"))?;
    (m == n * n).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::routing::Instance;
    use crate::theorem::{Outcome, Scope, verify};

    const NETWORKS: &[&str] = &[
        "ft(4,2)",
        "ft(6,2)",
        "ft(8,2)",
        "ft(4,3)",
        "ft(4,4)",
        "eft2(8,3)",
        "kary(2,2)",
        "kary(3,3)",
        "kary(2,4)",
        "ftree(2,4,5)",
        "ftree(2,3,5)",
    ];

    fn of_case(case: &str) -> Option<Instance> {
        let (routing, topology) = case.split_once(" on ")?;
        Instance::named(topology, routing).ok()
    }

    /// Every case of a statement has its bound here, with the value that the statement claims.
    #[test]
    fn bounds_are_those_of_the_statements() {
        let progress = Progress::silent();
        let scope =
            Scope::new(64, &progress).on(NETWORKS.iter().map(ToString::to_string).collect());
        for rule in RULES.iter().filter(|rule| rule.statement != "nb-theorem-2") {
            let kind = STATEMENTS.iter().find(|kind| kind.name == rule.statement).unwrap();
            let mut cases = 0;
            for finding in verify(kind, &scope).unwrap().findings {
                let Some(instance) = of_case(&finding.case.name) else { continue };
                if matches!(finding.outcome, Outcome::Vacuous(_)) {
                    continue;
                }
                let bounds = published(&instance.topology, &*instance.routing);
                let mut own = bounds.iter().filter(|bound| bound.statement == rule.statement);
                let sign = match rule.side {
                    Side::AtLeast => ">=",
                    Side::Equals => "=",
                    Side::AtMost => "<=",
                };
                let text = own.next().map(|bound| format!("{sign} {}", bound.value));
                assert_eq!(text.as_ref(), Some(&finding.claimed), "{}", finding.case);
                cases += 1;
            }
            assert!(cases > 0, "{} has no case here", rule.statement);
        }
    }

    /// Routings that \[NB\] Theorem 2 calls blocking have the bound 2, and others have none.
    #[test]
    fn blocking_routings_have_two_flows_on_a_link() {
        let instance = Instance::named("ftree(2,3,5)", "dmodk").unwrap();
        let bounds = published(&instance.topology, &*instance.routing);
        let bound = bounds.iter().find(|bound| bound.statement == "nb-theorem-2").unwrap();
        assert_eq!(bound.value, Rational::from(2));
        for (topology, routing) in
            [("ftree(2,4,5)", "yuan"), ("ftree(2,3,4)", "dmodk"), ("ftree(2,3,5)", "omrmn")]
        {
            let instance = Instance::named(topology, routing).unwrap();
            let bounds = published(&instance.topology, &*instance.routing);
            assert!(bounds.iter().all(|bound| bound.statement != "nb-theorem-2"), "{topology}");
        }
    }

    /// What is published of single paths, and of several, is about shortest ones.
    #[test]
    fn routings_with_detours_have_the_bound_of_all() {
        for routing in ["ksp", "ksp(k=3)"] {
            let instance = Instance::named("ft(4,2)", routing).unwrap();
            let bounds = published(&instance.topology, &*instance.routing);
            let statements: Vec<_> = bounds.iter().map(|bound| bound.statement).collect();
            assert_eq!(statements, ["or-perf"], "{routing}");
        }
        let shortest = Instance::named("ft(4,2)", "dmodk").unwrap();
        assert!(published(&shortest.topology, &*shortest.routing).len() > 1);
    }

    fn value(topology: &str, routing: &str, statement: &str) -> Option<Rational> {
        let instance = Instance::named(topology, routing).unwrap();
        let bounds = published(&instance.topology, &*instance.routing);
        bounds.into_iter().find(|bound| bound.statement == statement).map(|bound| bound.value)
    }

    /// D-mod-k on FT(8,2) gives a link 4 destinations of each of many sources: both lemmas say 4.
    #[test]
    fn lemmas_about_paths_enclose_the_ratio_on_small_networks_only() {
        let four = Some(Rational::from(4));
        assert_eq!(value("ft(8,2)", "dmodk", "or-lemma-7"), four);
        assert_eq!(value("ft(8,2)", "dmodk", "or-lemma-9"), four);
        assert_eq!(value("ft(8,2)", "osrm2", "or-lemma-9"), Some(Rational::from(2)));
        assert_eq!(value("ft(8,2)", "omrmn", "or-lemma-9"), None);
        assert_eq!(value("kary(4,2)", "dmodk", "or-lemma-9"), None);
        let large = "ft(32,2)";
        assert_eq!(value(large, "dmodk", "or-lemma-9"), None);
        assert_eq!(value(large, "dmodk", "or-perf"), Some(Rational::ONE));
    }

    #[test]
    fn static_routing_of_k_ary_n_trees_conflicts() {
        assert_eq!(value("kary(4,3)", "smodk", "ro-no-static"), Some(Rational::from(2)));
        assert_eq!(value("kary(4,1)", "smodk", "ro-no-static"), None);
        assert_eq!(value("kary(4,3)", "omrmn", "ro-no-static"), None);
    }
}
