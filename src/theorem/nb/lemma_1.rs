//! \[NB\] Lemma 1, both directions.

use itertools::Itertools;

use crate::load::PermutationLoads;
use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Basis, Finding, Outcome, Scope, Statement, Subject, TheoremError, oblivious, shape, uses,
};
use crate::topology::Host;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-lemma-1",
    usage: "nb-lemma-1",
    about: "ftree(n,m,r) is nonblocking with a single-path deterministic routing if and only if each link carries traffic either from one source or to one destination",
    reference: "[NB] Lemma 1",
    examples: &["nb-lemma-1"],
    build: Statement {
        hypothesis: "any single-path routing on ftree(n,m,r); all permutations up to 8 hosts, the exact worst permutation load above",
        subject: Subject::Instances {
            applies: |tree| shape::ftree(tree).is_some(),
            to: |routing| routing.is_single_path(),
            check,
        },
        remark: None,
        ..Statement::UNREAD
    },
};

/// Most hosts whose permutations are all routed.
const MOST_HOSTS: usize = 8;

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let worst = uses::pairs_by_link(instance, scope)?.into_iter().map(|pairs| uses::ends(&pairs));
    let worst = worst.max_by_key(|(sources, destinations)| sources.min(destinations).to_owned());
    let (sources, destinations) = worst.unwrap_or_default();
    let condition = sources.min(destinations) <= 1;
    let case = oblivious::case(instance);
    let claimed = format!(
        "{}: a link has {sources} sources, {destinations} destinations",
        if condition { "nonblocking" } else { "blocking" }
    );
    let (load, basis) = if instance.topology.hosts() <= MOST_HOSTS {
        (by_enumeration(instance)?, Basis::Exhaustive)
    } else {
        let bounds = scope.assess(instance)?.permutation_load;
        let Some(load) = bounds.exact() else {
            let outcome = Outcome::Open(bounds.to_string());
            return Ok(vec![Finding::new(
                case,
                claimed,
                bounds.to_string(),
                outcome,
                Basis::of(&bounds),
            )]);
        };
        (load.clone(), Basis::of(&bounds))
    };
    let holds = condition == (load <= Ratio::ONE);
    let found = format!("worst permutation load {load}");
    Ok(vec![Finding::holds(case, claimed, found, holds, basis)])
}

/// The greatest max load of all permutations. Links have capacity 1: it is the number of SD pairs
/// that contend.
fn by_enumeration(instance: &Instance) -> Result<Ratio, TheoremError> {
    let hosts = instance.topology.hosts();
    let hypothesis = || TheoremError::Hypothesis(instance.routing.spec().to_string());
    let mut loads = PermutationLoads::new(instance).ok_or_else(hypothesis)?;
    let images = (0..hosts as Host).permutations(hosts);
    Ok(images.map(|image| loads.max_load(&image)).max().unwrap_or(Ratio::ZERO))
}
