//! \[NB\] Table I.

use crate::theorem::prelude::*;

pub(super) const KIND: Statement = Statement::new("nb-table-1", "[NB] IV.A, Table I")
    .about("Switches and ports of ftree(n,n^2,n+n^2) and FT(n+n^2,2) built of 20-, 30- and 42-port switches: 36, 80, 30, 200; 55, 150, 45, 450; 88, 252, 63, 884")
    .hypothesis("n = 4, 5, 6, every entry")
    .quote("| 20-port ($4 + 4^2$) | 36 | 80 | 30 | 200 | | 30-port ($5 + 5^2$) | 55 | 150 | 45 | 450 | | 42-port ($6 + 6^2$) | 88 | 252 | 63 | 884 |")
    .cases(|scope| check(scope, PRINTED))
    .remark(
        RemarkKind::Wrong,
        |case| matches!(case.numbers[..], [printed, formula] if printed != formula),
        "42-port row: 78 switches instead of 88, 882 ports instead of 884, as the paper's own 2n^2+n and N^2/2 give, see nb-two-levels",
    )
    // The corrected row with one digit wrong.
    .planted(Planted::Check(|scope| check(scope, [(6, [78, 252, 63, 883])])));

/// n, then switches and ports of ftree(n,n²,n+n²), then of FT(n+n²,2).
pub(in crate::nb) type Row = (u64, [u64; 4]);

/// The table as printed, for the statement and the study.
pub(in crate::nb) const PRINTED: [Row; 3] =
    [(4, [36, 80, 30, 200]), (5, [55, 150, 45, 450]), (6, [88, 252, 63, 884])];

/// Switches and hosts of a network, counted.
fn size(spec: &str) -> Result<[u64; 2]> {
    let tree = generate(spec)?;
    Ok([(tree.nodes() - tree.hosts()) as u64, tree.hosts() as u64])
}

/// The row as the formulas of \[NB\] IV.A give it: switches and ports of ftree(n,n²,N) and of
/// FT(N,2), where N = n+n².
fn by_formula(n: u64) -> [u64; 4] {
    let ports = n + n * n;
    [2 * n * n + n, n.pow(3) + n * n, 3 * ports / 2, ports * ports / 2]
}

/// The numbers of a case are the claimed one and that of the formula.
fn check<const N: usize>(scope: &Scope, rows: [Row; N]) -> Findings {
    scope.each(rows, |(n, printed)| {
        let ports = n + n * n;
        let specs = [format!("ftree({n},{},{ports})", n * n), format!("ft({ports},2)")];
        let counted = [size(&specs[0])?, size(&specs[1])?].concat();
        let names = specs.iter().flat_map(|spec| ["switches", "ports"].map(|what| (what, spec)));
        let numbers = printed.into_iter().zip(by_formula(n)).zip(counted);
        let findings = names.zip(numbers).map(|((what, spec), ((printed, formula), found))| {
            let case = Case::of(format!("{what} of {spec}"), [printed, formula]);
            Finding::equal(case, printed, found, Basis::Exhaustive)
        });
        Ok(findings.collect::<Vec<_>>())
    })
}
