//! Planted falsehoods: one thing in every statement is made false, and its own check has to notice.
//!
//! A check that cannot fail proves nothing. So each [`Statement`] carries a falsehood: its check
//! with a claim that is wrong, or on a routing that is not what its name says. `verify --planted`
//! and the tests require at least one case of each to fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::statement::{InstanceCheck, NetworkCheck, ScopeCheck};
use super::{Finding, Findings, Scope, Statement, Subject, TheoremError, is_kind};
use crate::rational::Rational;
use crate::routing::{Instance, Routing, Visit};
use crate::topology::{Host, LinkId, Topology, Xgft, generate};

/// The check of a statement with one thing made false.
#[derive(Clone, Copy, Debug)]
pub enum Planted {
    /// A check of its own.
    Check(ScopeCheck),
    /// A false check on this network.
    Network(&'static str, NetworkCheck),
    /// A false check on this network, of the routings that the statement is about.
    Instance(&'static str, InstanceCheck),
    /// The statement's bound plus this number, on this network.
    More(&'static str, u64),
    /// The statement's check on this network, over first ports: see [`over_first_ports`].
    FirstPorts(&'static str),
    /// The statement's check on this network, where the named routings have the paths of the last one: see
    /// [`routed_as`].
    RoutedAs(&'static str, &'static [&'static str], &'static str),
}

impl Planted {
    /// The findings of the check with the falsehood; `subject` is that of the statement.
    ///
    /// # Errors
    /// Errors of the check.
    pub fn findings(self, subject: Subject, scope: &Scope) -> Findings {
        match (self, subject) {
            (Self::Check(check), _) => check(scope),
            (Self::Network(network, check), _) => {
                on(Subject::Networks { applies: |_| true, check }, network, scope)
            }
            (Self::Instance(network, check), Subject::Instances { applies, to, .. }) => {
                on(Subject::Instances { applies, to, check }, network, scope)
            }
            (Self::More(network, more), Subject::Ratio { applies, bound, besides, .. }) => {
                on(Subject::Ratio { applies, bound, more, besides }, network, scope)
            }
            (Self::FirstPorts(network), _) => over_first_ports(subject, network, scope),
            (Self::RoutedAs(network, named, other), _) => {
                routed_as(subject, network, scope, named, other)
            }
            // A falsehood for another subject changes nothing.
            (Self::Instance(network, _) | Self::More(network, _), _) => {
                Err(TheoremError::NotPlanted(network.to_string()))
            }
        }
    }
}

/// The first case on which the check of a statement fails when its falsehood is planted; none where
/// the check does not notice.
///
/// # Errors
/// Errors of the check.
///
/// ```
/// # use routebound_papers as routebound;
/// use routebound::papers::STATEMENTS;
/// use routebound::progress::Progress;
/// use routebound::registry;
/// use routebound::theorem::{Scope, planted};
/// let statement = registry::find(STATEMENTS, "statement", "or-theorem-3")?.build;
/// let progress = Progress::silent();
/// assert!(planted::notice(statement, &Scope::new(16, &progress))?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn notice(statement: &Statement, scope: &Scope) -> Result<Option<Finding>, TheoremError> {
    let Statement { planted, subject, .. } = *statement;
    Ok(planted.findings(subject, scope)?.into_iter().find(Finding::fails))
}

/// The findings of a statement on `network` alone.
///
/// # Errors
/// Errors of the check.
pub fn on(subject: Subject, network: &str, scope: &Scope) -> Findings {
    with_instances(subject, network, scope, &|instance| instance)
}

/// The findings of a statement about instances on `network`, every routing of which sends all pairs
/// over the first port of each switch, whatever its name says.
///
/// # Errors
/// Errors of the check, and [`TheoremError::NotPlanted`] when it routes nothing there.
pub fn over_first_ports(subject: Subject, network: &str, scope: &Scope) -> Findings {
    let topology = generate(network)?;
    let tree =
        topology.plain_tree().ok_or_else(|| TheoremError::Hypothesis(network.to_string()))?;
    let paths = Arc::new(FirstPorts { tree: tree.clone() });
    replaced(subject, &topology, scope, &|_| true, &(paths as Arc<dyn Routing>))
}

/// The findings of a statement on `network` alone, where the routings of the kinds `named` have the
/// paths of `other`.
///
/// # Errors
/// Errors of the check, those of building `other`, and [`TheoremError::NotPlanted`] when the check
/// asks for none of `named` there.
pub fn routed_as(
    subject: Subject,
    network: &str,
    scope: &Scope,
    named: &[&str],
    other: &str,
) -> Findings {
    let Instance { topology, routing, .. } = Instance::named(network, other)?;
    let is_meant = |routing: &dyn Routing| named.iter().any(|name| is_kind(routing, name));
    replaced(subject, &topology, scope, &is_meant, &routing)
}

/// The findings when the routings of `topology` that `is_meant` selects have other paths.
fn replaced(
    subject: Subject,
    topology: &Topology,
    scope: &Scope,
    is_meant: &(dyn Fn(&dyn Routing) -> bool + Sync),
    paths: &Arc<dyn Routing>,
) -> Findings {
    let is_planted = AtomicBool::new(false);
    let wrapper = |instance: Instance| {
        if instance.topology.spec() != topology.spec() || !is_meant(&*instance.routing) {
            return instance;
        }
        is_planted.store(true, Ordering::Relaxed);
        renamed(instance, Arc::clone(paths))
    };
    let findings = with_instances(subject, topology.spec(), scope, &wrapper)?;
    if is_planted.into_inner() {
        Ok(findings)
    } else {
        Err(TheoremError::NotPlanted(topology.spec().to_string()))
    }
}

/// The instance with other paths under the name of its routing.
pub(crate) fn renamed(instance: Instance, paths: Arc<dyn Routing>) -> Instance {
    let Instance { topology, routing: named, .. } = instance;
    Instance::trusted(topology, Box::new(Renamed { named, paths }) as Box<dyn Routing>)
}

/// The findings of a statement on `network` alone, with every instance replaced by what `wrapper`
/// returns for it.
fn with_instances(
    subject: Subject,
    network: &str,
    scope: &Scope,
    wrapper: &(dyn Fn(Instance) -> Instance + Sync),
) -> Findings {
    let planted = Scope::new(scope.hosts.max(Scope::HOSTS), scope.progress)
        .seeded(scope.seed)
        .on(vec![network.to_string()])
        .with_instances(wrapper);
    subject.findings(&planted)
}

/// The paths of one routing under the name of another.
struct Renamed {
    named: Arc<dyn Routing>,
    paths: Arc<dyn Routing>,
}

impl Routing for Renamed {
    fn spec(&self) -> &str {
        self.named.spec()
    }

    fn is_single_path(&self) -> bool {
        self.named.is_single_path()
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        self.paths.for_each_path(s, d, links, visit);
    }
}

/// Every pair over up-digits 0.
struct FirstPorts {
    tree: Xgft,
}

impl Routing for FirstPorts {
    fn spec(&self) -> &'static str {
        "first-ports"
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        links.clear();
        let up = vec![0; self.tree.nca_level(s, d)];
        self.tree.push_path(s, d, &up, links);
        visit(&Rational::ONE, links);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use crate::theorem::Basis;
    use crate::topology::host_number;

    /// Whether the path from host 0 to the last host is that of D-mod-k, whatever the routing is
    /// called.
    const SUBJECT: Subject = Subject::Instances {
        applies: |_| true,
        to: |routing| is_kind(routing, "smodk"),
        check: |instance, _| {
            let last = host_number(instance.topology.hosts()) - 1;
            let (mut up, mut path) = (Vec::new(), Vec::new());
            let Instance { topology, routing, .. } = instance;
            routing.for_each_path(0, last, &mut up, &mut |_, links| path = links.to_vec());
            let right = Instance::named(topology.spec(), "dmodk")?.routing;
            let mut known = Vec::new();
            right.for_each_path(0, last, &mut up, &mut |_, links| known = links.to_vec());
            Ok(vec![Finding::holds("0", "", "", path == known, Basis::Exhaustive)])
        },
    };

    #[test]
    fn the_paths_are_those_of_the_other_routing() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        assert!(on(SUBJECT, "kary(2,3)", &scope).unwrap()[0].fails());
        let planted = routed_as(SUBJECT, "kary(2,3)", &scope, &["smodk"], "dmodk").unwrap();
        assert!(!planted[0].fails());
    }

    /// A falsehood that was never planted does not count as one that was missed.
    #[test]
    fn nothing_planted_is_an_error() {
        let progress = Progress::silent();
        let scope = Scope::new(16, &progress);
        let planted = routed_as(SUBJECT, "kary(2,3)", &scope, &["wsr"], "dmodk");
        assert!(
            matches!(planted, Err(TheoremError::NotPlanted(network)) if network == "kary(2,3)")
        );
        let unknown = routed_as(SUBJECT, "kary(2,3)", &scope, &["smodk"], "yuan");
        assert!(matches!(unknown, Err(TheoremError::Instance(_))));
        let no_tree = over_first_ports(SUBJECT, "universal(4)", &scope);
        assert!(no_tree.is_err());
    }
}
