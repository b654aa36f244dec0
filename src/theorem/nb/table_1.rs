//! \[NB\] Table I and the sizes of networks of three levels.

use crate::registry::Kind;
use crate::theorem::{Basis, Finding, Remark, RemarkKind, Scope, Statement, Subject, TheoremError};
use crate::topology::generate;

pub(super) const KIND: Kind<Statement> = Kind {
    name: "nb-table-1",
    usage: "nb-table-1",
    about: "Switches and ports of nonblocking ftree(n,n^2,n+n^2) and FT(n+n^2,2) built of 20-, 30- and 42-port switches",
    reference: "[NB] Table I",
    examples: &["nb-table-1"],
    build: Statement {
        hypothesis: "n = 4, 5, 6, every entry",
        subject: Subject::Cases { check },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "42-port row: 78 switches instead of 88, 882 ports instead of 884",
            on: |case| ["switches of ftree(6,36,42)", "ports of ft(42,2)"].contains(&case),
        }),
        ..Statement::UNREAD
    },
};

pub(super) const THREE_LEVELS: Kind<Statement> = Kind {
    name: "nb-three-levels",
    usage: "nb-three-levels",
    about: "ftree(n,n^2,n^3+n^2) whose top switches are ftree(n,n^2,n+n^2)'s has 2n^4+3n^3+n^2 switches of n+n^2 ports and n^4+n^3 ports",
    reference: "[NB] IV.A, Discussion",
    examples: &["nb-three-levels"],
    build: Statement {
        hypothesis: "n = 1..6",
        subject: Subject::Cases { check: three_levels },
        remark: Some(Remark {
            kind: RemarkKind::Wrong,
            says: "it has 2n^4+2n^3+n^2 switches: n^3+n^2 at the bottom and 2n^2+n for each of n^2 top switches",
            on: |case| case.starts_with("switches"),
        }),
        ..Statement::UNREAD
    },
};

/// n, then switches and ports of ftree(n,n²,n+n²), then of FT(n+n²,2), as printed.
const ROWS: [(u64, [u64; 4]); 3] =
    [(4, [36, 80, 30, 200]), (5, [55, 150, 45, 450]), (6, [88, 252, 63, 884])];

/// Switches and hosts of a network, counted.
fn size(spec: &str) -> Result<[u64; 2], TheoremError> {
    let tree = generate(spec)?;
    Ok([(tree.nodes() - tree.hosts()) as u64, tree.hosts() as u64])
}

fn check(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for (n, printed) in ROWS {
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

fn three_levels(scope: &Scope) -> Result<Vec<Finding>, TheoremError> {
    let mut findings = Vec::new();
    for n in 1..=6_u64 {
        scope.progress.check()?;
        let (tops, leaves) = (n * n, n * n * n + n * n);
        let [of_outer, ports] = size(&format!("ftree({n},{tops},{leaves})"))?;
        let [of_inner, inner_ports] = size(&format!("ftree({n},{tops},{})", n + n * n))?;
        // Every top switch of the outer network needs a port for each of its leaves.
        if inner_ports != leaves {
            return Err(TheoremError::Hypothesis(format!("n = {n}")));
        }
        let switches = of_outer - tops + tops * of_inner;
        let printed = [2 * n.pow(4) + 3 * n.pow(3) + n * n, n.pow(4) + n.pow(3)];
        for ((what, printed), found) in
            ["switches", "ports"].iter().zip(printed).zip([switches, ports])
        {
            let case = format!("{what} for n = {n}");
            findings.push(Finding::equal(case, printed, found, Basis::Exhaustive));
        }
    }
    Ok(findings)
}
