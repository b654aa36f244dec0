//! \[NB\] Theorem 1.

use super::counting;
use super::nonblocking::{by_load, ftree, may_be_nonblocking};
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{
    Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose, planted, shape,
};

/// The transcript has the theorem's bound as "2(n, m)"; its proof ends in 2(m + n), and the
/// text after it says the same in words.
pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-theorem-1",
    usage: "nb-theorem-1",
    options: &[],
    about: "When r <= 2n+1, a nonblocking ftree(n,m,r) with any single-path deterministic routing has at most 2(n+m) ports, twice those of a bottom level switch",
    reference: "[NB] IV.A, Theorem 1 and the words after it",
    examples: &["nb-theorem-1"],
    build: Statement {
        hypothesis: "any single-path routing on ftree(n,m,r), r <= 2n+1: it is blocking, or the bound holds",
        whose: Whose::Paper,
        quote: "When $r \\leq 2n + 1$, the total number of ports supported by a nonblocking folded-Clos network is at most twice that in its bottom level switches.",
        subject: subject(|instance, scope| ports(instance, scope, |n, m| 2 * (n + m))),
        remark: Some(Remark {
            kind: RemarkKind::CanBeSharpened,
            says: "at most 2m ports for r <= 2n, see nb-theorem-1-sharper; 2m + n already from the printed proof",
            on: may_be_nonblocking,
        }),
        // 2m is too few for r = 2n + 1, which Theorem 3's routing shows.
        planted: |scope| {
            let too_few = subject(|instance, scope| ports(instance, scope, |_, m| 2 * m));
            planted::on(too_few, "ftree(2,4,5)", scope)
        },
    },
};

pub(super) const SHARPER: Kind<Statement> = Kind {
    name: "nb-theorem-1-sharper",
    usage: "nb-theorem-1-sharper",
    options: &[],
    about: "A nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= rn/2 when r <= 2n, that is at most 2m ports, and m >= n^2 when r >= 2n",
    reference: "[NB] IV.A, Theorems 1 and 2, with the exact value of Lemma 2",
    examples: &["nb-theorem-1-sharper"],
    build: Statement {
        hypothesis: "all single-path routings of ftree(n,m,r), n >= 2, by the exact largest number of SD pairs through a top switch",
        whose: Whose::Sharpened,
        quote: "there are at least $\\frac{r(r-1)n^2}{2nr} = \\frac{(r-1)n}{2}$ top level switches needed",
        subject: Subject::Cases { check: |scope| counting::at_least(scope, sharper) },
        remark: None,
        // More than Theorem 3's routing has.
        planted: |scope| {
            counting::at_least(&counting::small(scope), |n, r| {
                Some(if r >= 2 * n { n * n + 1 } else { (r * n).div_ceil(2) })
            })
        },
    },
};

type Check = fn(&Instance, &Scope) -> Result<Vec<Finding>, TheoremError>;

const fn subject(check: Check) -> Subject {
    Subject::Instances {
        applies: |tree| shape::ftree(tree).is_some_and(|(n, _, r)| r <= 2 * n + 1),
        to: |routing| routing.is_single_path(),
        check,
    }
}

fn ports(
    instance: &Instance,
    scope: &Scope,
    bound: fn(u64, u64) -> u64,
) -> Result<Vec<Finding>, TheoremError> {
    let [n, m, r] = match ftree(instance)? {
        Ok(shape) => shape,
        Err(vacuous) => return Ok(vec![vacuous]),
    };
    let (ports, claimed) = (r * n, bound(n, m));
    let compare = |case, basis| Finding::at_most(case, claimed, ports, basis);
    Ok(vec![by_load(instance, scope)?.implies(instance, ports <= claimed, compare)])
}

#[expect(clippy::unnecessary_wraps, reason = "the type of all claims that are counted")]
fn sharper(n: u64, r: u64) -> Option<u64> {
    Some(if r >= 2 * n { n * n } else { (r * n).div_ceil(2) })
}
