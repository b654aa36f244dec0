//! What the papers say about the oblivious ratio of one instance, as numbers to compare with.
//!
//! A [`PublishedBound`] is that of a statement of [`super::STATEMENTS`]: from its value follow the bound here and, for
//! most, the check of the statement. It costs nothing, except for two lemmas about the paths themselves. A statement
//! that is known to be wrong is included too: its bound is what was published.

use serde::Serialize;

use super::{STATEMENTS, Side};
use crate::rational::Rational;
use crate::routing::Routing;
use crate::topology::Topology;

/// A bound on the oblivious ratio of an instance, as a paper publishes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedBound {
    /// Name of the statement.
    pub statement: &'static str,
    /// Paper and number.
    pub source: &'static str,
    /// The side of the value on which the ratio lies.
    pub side: Side,
    /// The value.
    pub value: Rational,
}

/// The position of a result relative to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Less was found than the bound says, which does not contradict an upper bound.
    Short,
    /// As much, or more where that is allowed.
    Reached,
    /// More than the bound allows.
    Broken,
}

impl PublishedBound {
    /// The position of a ratio that is known to be reached relative to the bound.
    #[must_use]
    pub fn standing(&self, found: &Rational) -> Standing {
        match found.cmp(&self.value) {
            std::cmp::Ordering::Less => Standing::Short,
            std::cmp::Ordering::Greater if self.side != Side::AtLeast => Standing::Broken,
            _ => Standing::Reached,
        }
    }
}

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
    let bounds = STATEMENTS.iter().filter_map(|entry| Some((entry, entry.build.bound?)));
    // They are about shortest paths, but no ratio is below 1.
    let applies = |name| !routing.has_detours() || name == "or-perf";
    let bounds = bounds.filter(|(entry, _)| applies(entry.name)).filter_map(|(entry, bound)| {
        let value = Rational::from((bound.value)(topology, routing)?);
        let (statement, source) = (entry.name, entry.reference);
        Some(PublishedBound { statement, source, side: bound.side, value })
    });
    bounds.collect()
}

/// Whether a statement bounds the ratio of instances.
#[must_use]
pub fn is_bound(statement: &str) -> bool {
    STATEMENTS.iter().any(|entry| entry.name == statement && entry.build.bound.is_some())
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
        for statement in STATEMENTS.iter().map(|entry| entry.build) {
            let Some(rule) = statement.bound.filter(|_| statement.name != "nb-theorem-2") else {
                continue;
            };
            let mut cases = 0;
            for finding in verify(statement, &scope).unwrap().findings {
                let Some(instance) = of_case(&finding.case.name) else { continue };
                if matches!(finding.outcome, Outcome::Vacuous(_)) {
                    continue;
                }
                let bounds = published(&instance.topology, &*instance.routing);
                let mut own = bounds.iter().filter(|bound| bound.statement == statement.name);
                let sign = match rule.side {
                    Side::AtLeast => ">=",
                    Side::Equals => "=",
                    Side::AtMost => "<=",
                };
                let text = own.next().map(|bound| format!("{sign} {}", bound.value));
                assert_eq!(text.as_ref(), Some(&finding.claimed), "{}", finding.case);
                cases += 1;
            }
            assert!(cases > 0, "{} has no case here", statement.name);
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

    #[test]
    fn standings() {
        use Standing::{Broken, Reached, Short};
        let bound = |side| PublishedBound { statement: "x", source: "x", side, value: 2.into() };
        let standings = |side| [1, 2, 3].map(|found: u64| bound(side).standing(&found.into()));
        assert_eq!(standings(Side::AtLeast), [Short, Reached, Reached]);
        assert_eq!(standings(Side::Equals), [Short, Reached, Broken]);
        assert_eq!(standings(Side::AtMost), [Short, Reached, Broken]);
    }
}
