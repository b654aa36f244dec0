//! \[NB\] Theorem 2.

use super::counting;
use super::nonblocking::tops_by_load;
use crate::registry::Kind;
use crate::routing::Instance;
use crate::theorem::{Finding, Scope, Statement, Subject, TheoremError, Whose, planted, shape};

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-theorem-2",
    usage: "nb-theorem-2",
    options: &[],
    about: "When r >= 2n+1, a nonblocking ftree(n,m,r) with any single-path deterministic routing has m >= n^2",
    reference: "[NB] IV.A, Theorem 2",
    examples: &["nb-theorem-2"],
    build: Statement {
        hypothesis: "any implemented single-path routing on ftree(n,m,r), r >= 2n+1: it is blocking, or the bound holds",
        whose: Whose::Paper,
        quote: "be nonblocking with any single-path deterministic routing. When $r \\geq 2n + 1$, $m \\geq n^2$.",
        subject: subject(|instance, scope| tops_by_load(instance, scope, |n| n * n)),
        remark: None,
        // One more than Theorem 3's routing has.
        planted: |scope| {
            let too_many = subject(|instance, scope| tops_by_load(instance, scope, |n| n * n + 1));
            planted::on(too_many, "ftree(2,4,5)", scope)
        },
    },
};

pub(super) const ALL: Kind<Statement> = Kind {
    name: "nb-theorem-2-all",
    usage: "nb-theorem-2-all",
    options: &[],
    about: "When r >= 2n+1, no single-path deterministic routing, implemented or not, makes ftree(n,m,r) nonblocking with m < n^2: by counting",
    reference: "[NB] IV.A, Theorem 2",
    examples: &["nb-theorem-2-all"],
    build: Statement {
        hypothesis: "all single-path routings of ftree(n,m,r), n >= 2, r >= 2n+1, by the exact largest number of SD pairs through a top switch",
        whose: Whose::Paper,
        quote: "at least $\\frac{r(r-1)n^2}{r(r-1)} = n^2$ top level switches needed; and $m \\geq n^2$.",
        subject: Subject::Cases {
            check: |scope| counting::at_least(scope, |n, r| (r > 2 * n).then_some(n * n)),
        },
        remark: None,
        planted: |scope| {
            let small = counting::small(scope);
            counting::at_least(&small, |n, r| (r > 2 * n).then_some(n * n + 1))
        },
    },
};

type Check = fn(&Instance, &Scope) -> Result<Vec<Finding>, TheoremError>;

const fn subject(check: Check) -> Subject {
    Subject::Instances {
        applies: |tree| shape::ftree(tree).is_some_and(|(n, _, r)| r > 2 * n),
        to: |routing| routing.is_single_path(),
        check,
    }
}
