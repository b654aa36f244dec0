//! \[NB\] Table I.

use crate::registry::Kind;
use crate::theorem::{
    Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError, Whose,
};
use crate::topology::generate;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-table-1",
    usage: "nb-table-1",
    options: &[],
    about: "Switches and ports of ftree(n,n^2,n+n^2) and FT(n+n^2,2) built of 20-, 30- and 42-port switches: 36, 80, 30, 200; 55, 150, 45, 450; 88, 252, 63, 884",
    reference: "[NB] IV.A, Table I",
    examples: &["nb-table-1"],
    build: Statement {
        hypothesis: "n = 4, 5, 6, every entry",
        whose: Whose::Paper,
        quote: "| 20-port ($4 + 4^2$) | 36 | 80 | 30 | 200 | | 30-port ($5 + 5^2$) | 55 | 150 | 45 | 450 | | 42-port ($6 + 6^2$) | 88 | 252 | 63 | 884 |",
        subject: Subject::Cases { check: |scope| check(scope, PRINTED) },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "42-port row: 78 switches instead of 88, 882 ports instead of 884, as the paper's own 2n^2+n and N^2/2 give, see nb-two-levels",
            on: |case| {
                ["switches of ftree(6,36,42)", "ports of ft(42,2)"].contains(&case.name.as_str())
            },
        }),
        // The corrected row with one digit wrong.
        planted: |scope| check(scope, [(6, [78, 252, 63, 883])]),
    },
};

/// n, then switches and ports of ftree(n,n²,n+n²), then of FT(n+n²,2).
type Row = (u64, [u64; 4]);

const PRINTED: [Row; 3] =
    [(4, [36, 80, 30, 200]), (5, [55, 150, 45, 450]), (6, [88, 252, 63, 884])];

/// Switches and hosts of a network, counted.
fn size(spec: &str) -> Result<[u64; 2], TheoremError> {
    let tree = generate(spec)?;
    Ok([(tree.nodes() - tree.hosts()) as u64, tree.hosts() as u64])
}

fn check<const N: usize>(scope: &Scope, rows: [Row; N]) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for (n, printed) in rows {
        scope.progress.check()?;
        let ports = n + n * n;
        let specs = [format!("ftree({n},{},{ports})", n * n), format!("ft({ports},2)")];
        for (spec, printed) in specs.iter().zip(printed.chunks(2)) {
            for ((what, printed), found) in
                ["switches", "ports"].iter().zip(printed).zip(size(spec)?)
            {
                let case = format!("{what} of {spec}");
                findings.push(Finding::equal(case, *printed, found, Basis::Exhaustive));
            }
        }
    }
    Ok(findings)
}
