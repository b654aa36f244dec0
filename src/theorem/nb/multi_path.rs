//! \[NB\] IV.B: traffic oblivious multi-path routing.

use itertools::Itertools;

use crate::ratio::Ratio;
use crate::registry::Kind;
use crate::routing::{Instance, Routing};
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, oblivious, shape,
    uses,
};
use crate::topology::{Host, Topology};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-multi-path",
    usage: "nb-multi-path",
    about: "Splitting SD pairs over paths does not improve the condition: no two pairs of a permutation may meet on any link exactly when Lemma 1 holds for all their paths, and then m >= n^2 if r >= 2n+1",
    reference: "[NB] IV.B",
    examples: &["nb-multi-path"],
    build: Statement {
        hypothesis: "any routing that splits pairs, on ftree(n,m,r); packets take any of the paths at any time",
        subject: Subject::Instances { applies, to: splits, check },
        remark: None,
        ..Statement::UNREAD
    },
};

pub(super) const LOAD: Kind<Statement> = Kind {
    name: "nb-multi-path-load",
    usage: "nb-multi-path-load",
    about: "The bound of Theorem 2 holds for multi-path routing also where contention is measured as load: a routing with permutation load 1 has m >= n^2 if r >= 2n+1",
    reference: "[NB] IV.B, read with loads instead of packet timing",
    examples: &["nb-multi-path-load"],
    build: Statement {
        hypothesis: "any routing that splits pairs, of permutation load 1, on ftree(n,m,r), n >= 2, r >= 2n+1",
        subject: Subject::Instances {
            applies: |tree| shape::ftree(tree).is_some_and(|(n, _, r)| n > 1 && r > 2 * n),
            to: splits,
            check: by_load,
        },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "an even split over m = n top switches already has permutation load 1: the remark rests on packets that meet, not on loads ([OR] Theorem 1)",
            on: few_top_switches,
        }),
        ..Statement::UNREAD
    },
};

fn applies(topology: &Topology) -> bool {
    shape::ftree(topology).is_some()
}

fn splits(routing: &dyn Routing) -> bool {
    !routing.is_single_path()
}

fn check(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((n, m, r)) = shape::ftree(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let links = uses::pairs_by_link(instance, scope)?;
    // Two pairs with different ends are a permutation.
    let meet = |pairs: &Vec<(Host, Host)>| {
        pairs.iter().array_combinations().any(|[a, b]| a.0 != b.0 && a.1 != b.1)
    };
    let condition = links.iter().all(|pairs| {
        let (sources, destinations) = uses::ends(pairs);
        sources.min(destinations) <= 1
    });
    let nonblocking = !links.iter().any(meet);
    let bound = !nonblocking || r < 2 * n + 1 || m >= n * n;
    let say = |nonblocking| if nonblocking { "nonblocking" } else { "blocking" };
    let claimed = format!("{} by Lemma 1", say(condition));
    let found = format!("{}, m = {m}, n^2 = {}", say(nonblocking), n * n);
    let holds = condition == nonblocking && bound;
    let case = oblivious::case(instance);
    Ok(vec![Finding::holds(case, claimed, found, holds, Basis::Exhaustive)])
}

fn by_load(instance: &Instance, scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let Some((n, m, _)) = shape::ftree(&instance.topology) else {
        return Err(TheoremError::Hypothesis(instance.topology.spec().to_string()));
    };
    let assessment = scope.assess(instance)?;
    if assessment.permutation_load.upper != Ratio::ONE {
        return Ok(Vec::new());
    }
    let basis = Basis::of(&assessment.permutation_load);
    let finding =
        Finding::at_least(oblivious::case(instance), u64::from(n * n), u64::from(m), basis);
    Ok(vec![finding.certified_by(assessment.certificate)])
}

/// Whether the tree of a case has fewer than n² top switches.
fn few_top_switches(case: &str) -> bool {
    let topology = case.split(" on ").nth(1).and_then(|spec| crate::topology::generate(spec).ok());
    let shape = topology.as_ref().and_then(shape::ftree);
    shape.is_some_and(|(n, m, _)| m < n * n)
}
