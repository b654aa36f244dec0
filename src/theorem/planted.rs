//! Planted falsehoods: every statement is made false in one thing, and its own check has to see it.
//!
//! A check that cannot fail proves nothing. So each [`Statement`] carries a
//! falsehood: its check with a claim that is wrong, or on a routing that is not what its name
//! says. `verify --planted` and the tests demand that at least one case of each fails.

use super::{Finding, Scope, Statement, Subject, TheoremError};
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::{Instance, Routing};
use crate::topology::{Host, LinkId, Xgft};

/// The findings of a check in which one thing was made false.
pub type Planted = fn(&Scope) -> Result<Vec<Finding>, TheoremError>;

/// The first case on which the check of a statement fails when its falsehood is planted; none where
/// the check does not notice.
///
/// # Errors
/// Those of the check.
///
/// ```
/// use routebound::progress::Progress;
/// use routebound::registry;
/// use routebound::theorem::{KINDS, Scope, planted};
/// let kind = registry::find(KINDS, "statement", "or-theorem-3")?;
/// let progress = Progress::silent();
/// assert!(planted::notice(kind, &Scope::new(16, &progress))?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn notice(kind: &Kind<Statement>, scope: &Scope) -> Result<Option<Finding>, TheoremError> {
    Ok((kind.build.planted)(scope)?.into_iter().find(Finding::fails))
}

/// The findings of a statement about instances on `network`, every routing of which sends all pairs
/// over the first port of each switch, whatever its name says.
///
/// # Errors
/// Those of the check.
pub fn over_first_ports(
    subject: Subject,
    network: &str,
    scope: &Scope,
) -> Result<Vec<Finding>, TheoremError> {
    with_instances(subject, network, scope, &|Instance { topology, routing }| {
        let routing = match topology.tree() {
            Some(tree) => Box::new(FirstPorts { named: routing, tree: tree.clone() }),
            None => routing,
        };
        Instance { topology, routing }
    })
}

/// The findings of a statement on `network` alone, with every instance replaced by what `wrapper`
/// makes of it.
///
/// # Errors
/// Those of the check.
pub fn with_instances(
    subject: Subject,
    network: &str,
    scope: &Scope,
    wrapper: &(dyn Fn(Instance) -> Instance + Sync),
) -> Result<Vec<Finding>, TheoremError> {
    let planted = Scope::new(scope.hosts.max(Scope::HOSTS), scope.progress)
        .seeded(scope.seed)
        .on(vec![network.to_string()])
        .with_instances(wrapper);
    subject.findings(&planted)
}

/// Every pair over up-digits 0, under the name of another routing.
struct FirstPorts {
    named: Box<dyn Routing>,
    tree: Xgft,
}

impl Routing for FirstPorts {
    fn spec(&self) -> &str {
        self.named.spec()
    }

    fn is_single_path(&self) -> bool {
        self.named.is_single_path()
    }

    fn for_each_path(
        &self,
        s: Host,
        d: Host,
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Ratio, &[LinkId]),
    ) {
        links.clear();
        let up = vec![0; self.tree.nca_level(s, d)];
        self.tree.push_path(s, d, &up, links);
        visit(&Ratio::ONE, links);
    }
}
