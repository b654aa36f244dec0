//! \[GO\] 5.2.1: traffic to nodes whose ids have the same last component.

use super::{is_deterministic, kary};
use crate::assessment::{OptimumMethod, assess_optimum};
use crate::load::LinkLoads;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, oblivious,
};
use crate::topology::Direction;
use crate::traffic::{self, TrafficMatrix};

pub(super) const LINKS: Kind<Statement> = Kind {
    name: "go-same-last-links",
    usage: "go-same-last-links",
    about: "When all destinations have the same last component, a switch of the first stage uses one \
            of its k ascending links",
    reference: "[GO] 5.2.1",
    examples: &["go-same-last-links"],
    build: statement(links, None),
};

pub(super) const BANDWIDTH: Kind<Statement> = Kind {
    name: "go-same-last-bandwidth",
    usage: "go-same-last-bandwidth",
    about: "For this traffic the deterministic routing has 1/k of the bandwidth because of these \
            links: it is k times worse than the best",
    reference: "[GO] 5.2.1",
    examples: &["go-same-last-bandwidth"],
    build: statement(
        bandwidth,
        Some(Remark {
            kind: RemarkKind::Wrong,
            says: "The bandwidth is 1/k under every routing, since N/k nodes receive what N send: \
                   D-mod-k is optimal for this traffic. Permutations show the loss, see \
                   go-bit-reversal and go-worst",
            on: |_| true,
        }),
    ),
};

type Check = fn(&Instance, &Scope) -> Result<Vec<Finding>, TheoremError>;

const fn statement(check: Check, remark: Option<Remark>) -> Statement {
    Statement {
        hypothesis: "D-mod-k on k-ary n-trees, n >= 2, equal demands to all such nodes",
        subject: Subject::Instances {
            applies: |tree| matches!(kary(tree), Some((_, 2..))),
            to: is_deterministic,
            check,
        },
        remark,
        ..Statement::UNREAD
    }
}

fn same_last(instance: &Instance) -> Result<TrafficMatrix, TheoremError> {
    let k = kary(&instance.topology).map_or(1, |(k, _)| k);
    Ok(traffic::generate(&format!("samelast({k})"), instance.topology.hosts())?)
}

fn links(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Instance { topology, routing } = instance;
    let traffic = same_last(instance)?;
    let loads = LinkLoads::of(topology, &**routing, traffic.demands(), scope.progress)?;
    let used = |switch: u32| {
        let up = topology.links_from(switch);
        let up = up.filter(|link| topology.link(*link).direction == Direction::Up);
        up.filter(|link| loads.flows(*link) > 0).count() as u64
    };
    let first = (0..topology.nodes() as u32).filter(|node| topology.node(*node).level == 1);
    let most = first.map(used).max().unwrap_or(0);
    Ok(vec![Finding::equal(oblivious::case(instance), 1, most, Basis::Exhaustive)])
}

fn bandwidth(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Instance { topology, routing } = instance;
    let traffic = same_last(instance)?;
    let demands = traffic.demands();
    let loads = LinkLoads::of(topology, &**routing, demands, scope.progress)?;
    let method = OptimumMethod::Auto;
    let optimum = assess_optimum(topology, demands, method, 0.0, false, scope.progress)?;
    let k = kary(topology).map_or(1, |(k, _)| u64::from(k));
    let basis = Basis::of(&optimum.optu);
    let ratio = optimum.optu.exact().and_then(|optu| loads.max().1.checked_div(optu));
    let ratio = ratio.unwrap_or(Ratio::ZERO);
    let case = oblivious::case(instance);
    let finding = Finding::equal(case, k, ratio, basis).because(|| {
        format!("max load {}, optu {}, traffic samelast({k})\n", loads.max().1, optimum.optu)
    });
    Ok(vec![finding])
}
