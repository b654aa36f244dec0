//! Whether an instance is nonblocking, and what a bound on nonblocking networks says about it.

use crate::certificate::Certificate;
use crate::theorem::prelude::*;

/// Suffix of the name of a case in which the tree misses a bound, so that the instance has to
/// block.
const BLOCKING: &str = ", blocking";

/// Whether the case is one that [`Contention::implies`] found nonblocking, or not obliged to block.
pub(super) fn may_be_nonblocking(case: &Case) -> bool {
    !case.name.ends_with(BLOCKING)
}

/// The contention found on an instance.
pub(super) struct Contention {
    /// `None` where it is not decided.
    pub(super) nonblocking: Option<bool>,
    pub(super) text: String,
    pub(super) basis: Basis,
    certificate: Option<Certificate>,
}

/// Contention as load: some permutation loads a link of capacity 1 more than once. For single-path
/// routings that is the paper's contention.
pub(super) fn by_load(instance: &Instance, scope: &Scope) -> Result<Contention> {
    let assessment = scope.assess(instance)?;
    let load = assessment.permutation_load;
    let nonblocking = match load.exact() {
        Some(load) => Some(*load <= Rational::ONE),
        None => (load.lower > Rational::ONE).then_some(false),
    };
    Ok(Contention {
        nonblocking,
        text: format!("permutation load {load}"),
        basis: Basis::of(&load),
        certificate: assessment.certificate.ok(),
    })
}

/// Contention as \[NB\] III defines it: some permutation has "packets in two SD pairs" that "are
/// routed through one network link". Two pairs with different ends are a permutation.
pub(super) fn by_packets(instance: &Instance, scope: &Scope) -> Result<Contention> {
    let links = uses::pairs_by_link(instance, scope)?;
    let meeting = links.iter().find_map(|pairs| {
        pairs.iter().array_combinations().find(|[a, b]| a.0 != b.0 && a.1 != b.1)
    });
    let text = meeting.map_or_else(
        || "no two pairs meet".to_string(),
        |[a, b]| format!("{}->{} and {}->{} meet", a.0, a.1, b.0, b.1),
    );
    let nonblocking = Some(meeting.is_none());
    Ok(Contention { nonblocking, text, basis: Basis::Exhaustive, certificate: None })
}

impl Contention {
    /// The findings of "a nonblocking instance meets the bound": where the tree misses the bound, the
    /// instance must block; where the instance is nonblocking, `compare` says by how much the
    /// bound is met.
    pub(super) fn implies(
        self,
        instance: &Instance,
        meets: bool,
        compare: impl FnOnce(Case, Basis) -> Finding,
    ) -> Finding {
        let shape = shape::ftree(&instance.topology);
        let numbers = shape.map(|(n, m, r)| [n, m, r].map(u64::from).to_vec());
        let case = Case::of(oblivious::case(instance), numbers.unwrap_or_default());
        match (self.nonblocking, meets) {
            (Some(true), _) => compare(case, self.basis).certified_by(self.certificate),
            (Some(false), false) => {
                let case = Case { name: case.name + BLOCKING, ..case };
                Finding::new(case, "blocking", self.text, Outcome::Holds, self.basis)
            }
            (Some(false), true) => {
                Finding::vacuous(case, "it is blocking, and the tree meets the bound")
            }
            (None, _) => {
                let open = Outcome::Open(self.text.clone());
                Finding::new(case, "blocking or within the bound", self.text, open, self.basis)
            }
        }
    }
}

/// The claim that a nonblocking instance has at least `bound(n)` top switches, contention being
/// load.
pub(super) fn tops_by_load(instance: &Instance, scope: &Scope, bound: fn(u64) -> u64) -> Findings {
    let [n, m, _] = match ftree(instance)? {
        Ok(shape) => shape,
        Err(vacuous) => return Ok(vec![vacuous]),
    };
    let claimed = bound(n);
    let compare = |case, basis| Finding::at_least(case, claimed, m, basis);
    Ok(vec![by_load(instance, scope)?.implies(instance, m >= claimed, compare)])
}

/// (n,m,r) of an instance on ftree(n,m,r), or the case where a bound says nothing: with one host
/// per switch, no two pairs of a permutation share a link, and every bound is met.
pub(super) fn ftree(instance: &Instance) -> Result<Result<[u64; 3], Finding>> {
    match shape::ftree(&instance.topology) {
        None => Err(defect(instance.topology.spec())),
        Some((1, ..)) => {
            let why = "one host per switch: no two pairs share a link";
            Ok(Err(Finding::vacuous(oblivious::case(instance), why)))
        }
        Some((n, m, r)) => Ok(Ok([n, m, r].map(u64::from))),
    }
}
