//! Table I of \[OR\]: oblivious ratios of routings on FT(m,2) and FT(m,3).

use crate::assessment::Assessment;
use crate::integer::ceil_sqrt;
use crate::or::table_1::{self, Formula};
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Trees>(
    &["or-table-1"],
    "[OR] Table I",
    "oblivious ratios on FT(m,2), m = 4..18, and FT(m,3), m = 4..12, beside the printed formulas",
);

/// The routings, in the order of the columns.
const ROUTINGS: [&str; 7] = ["dmodk", "smodk", "mlid", "wsr", "osrm2", "grid", "osrm3"];

/// (n, smallest m, largest m, largest m whose certificate is kept).
const TREES: [(u32, u32, u32, u32); 2] = [(2, 4, 18, 8), (3, 4, 12, 6)];

/// A formula as it is printed.
fn name(formula: Formula) -> &'static str {
    match formula {
        Formula::One => "1",
        Formula::Half => "m/2",
        Formula::AllButOne => "m-1",
        Formula::Root => "sqrt(m/2)",
    }
}

/// The value of a formula, exact or cut to three decimals.
fn value(formula: Formula, m: u64) -> String {
    formula.integer(m).map_or_else(
        || {
            // ⌊1000·√square⌋, without a float.
            let thousandths = (formula.square(m) * 1_000_000).isqrt();
            format!("{}.{:03}..", thousandths / 1000, thousandths % 1000)
        },
        |value| value.to_string(),
    )
}

/// A tree and a routing, with what is printed for them.
#[derive(Clone, Copy)]
struct Case {
    m: u32,
    n: u32,
    routing: &'static str,
    printed: Option<Formula>,
}

struct TreeRow {
    case: Case,
    hosts: usize,
    assessment: Assessment,
}

/// All trees, by height and ports, each with all routings that are defined on it.
struct Trees(Vec<Case>);

impl Divided for Trees {
    type Key = Case;
    type Row = TreeRow;

    fn keys(&self) -> &[Case] {
        &self.0
    }

    fn find(&self, &case: &Case, units: &Units, progress: &Progress) -> Result<TreeRow> {
        let Case { m, n, routing, .. } = case;
        let instance = Instance::named(&format!("ft({m},{n})"), routing)?;
        let name = format!("{routing} on ft({m},{n})");
        let assessment = assessed(&instance, &name, units, progress)?;
        Ok(TreeRow { case, hosts: instance.topology.hosts(), assessment })
    }
}

impl Entry for Trees {
    type Row = TreeRow;

    fn of(tier: Tier) -> Result<Self> {
        let mut all = Vec::new();
        for (n, first, last, _) in TREES {
            let last = if tier == Tier::Small { first + 2 } else { last };
            for m in (first..=last).step_by(2) {
                let fitting = ROUTINGS.into_iter().filter(|name| fits(name, n));
                all.extend(fitting.map(|routing| {
                    let printed = table_1::printed(n, |name| name == routing);
                    Case { m, n, routing, printed }
                }));
            }
        }
        Ok(Self(all))
    }

    fn finder(&self) -> Finder<'_, TreeRow> {
        Finder::divided(self)
    }

    fn tables(&self, found: &[TreeRow]) -> Result<Vec<Table>> {
        let cells = found.iter().map(|row| row.cells().to_vec());
        Ok(vec![Table::new("table.csv", &HEADS, cells)])
    }

    fn page(&self, found: &[TreeRow], _: &[Table]) -> Result<Page> {
        let mut page = Page::new(readme(found));
        for row in found.iter().filter(|row| row.is_kept()) {
            let Case { m, n, routing, .. } = row.case;
            page = page.certificate(&format!("ft-{m}-{n}-{routing}"), &row.assessment)?;
        }
        Ok(page)
    }
}

fn fits(routing: &str, n: u32) -> bool {
    match routing {
        "osrm2" | "grid" => n == 2,
        "osrm3" => n == 3,
        _ => true,
    }
}

/// The least ratio that \[OR\] Theorems 3 and 4 allow for single-path routings.
fn lower_bound(m: u32, n: u32) -> u64 {
    let half = u64::from(m / 2);
    if n == 3 {
        return half;
    }
    ceil_sqrt(half)
}

impl TreeRow {
    /// Whether its certificate is committed.
    fn is_kept(&self) -> bool {
        TREES.iter().any(|(n, _, _, last)| *n == self.case.n && self.case.m <= *last)
    }

    fn cells(&self) -> [String; 8] {
        let Self { case: Case { m, n, routing, printed }, hosts, assessment } = self;
        let ratio = &assessment.oblivious_ratio;
        let exact = ratio.exact().map_or_else(|| format!("{ratio}"), ToString::to_string);
        let (formula, printed_value) = printed.map_or((String::new(), String::new()), |formula| {
            (name(formula).to_string(), value(formula, (*m).into()))
        });
        let agrees = match printed {
            None => "",
            Some(_) if printed_value == exact => "yes",
            Some(_) => "no",
        };
        [
            format!("FT({m},{n})"),
            hosts.to_string(),
            (*routing).to_string(),
            exact,
            ratio.evidence.to_string(),
            formula,
            printed_value,
            agrees.to_string(),
        ]
    }
}

const HEADS: [&str; 8] =
    ["tree", "hosts", "routing", "ratio", "evidence", "printed", "value", "agrees"];

fn readme(rows: &[TreeRow]) -> String {
    let mut text = String::from(
        "# Table I of [OR], computed\n\n\
         Oblivious performance ratios of single-path routings on m-port n-trees, exact, beside \
         the formulas that Table I of *Oblivious Routing in Fat-Tree Based System Area Networks \
         with Uncertain Traffic Demands* prints.\n\n\
         Made by `routebound study or-table-1`. Each ratio is proven by a \
         certificate that the checker accepted; those of the small trees are kept in \
         `certificates/` and `routebound check results/or/table-1/certificates/*.cert` checks them \
         again. For the others: `routebound ratio 'ft(m,n)' ROUTING --certificate FILE`.\n\n",
    );
    for (n, _, _, _) in TREES {
        let theorem = if n == 2 { "3: at least sqrt(m/2)" } else { "4: at least m/2" };
        // A String takes every write.
        let _ = writeln!(
            text,
            "## FT(m,{n})\n\nLower bound for every single-path routing, Theorem {theorem}.\n"
        );
        text.push_str(&grid(rows, n));
        text.push('\n');
    }
    text.push_str(FINDINGS);
    text
}

/// One row per tree, one column per routing; with the lower bound and the printed values.
fn grid(rows: &[TreeRow], n: u32) -> String {
    let routings: Vec<&str> = ROUTINGS.into_iter().filter(|name| fits(name, n)).collect();
    let mut heads = vec!["tree", "bound"];
    heads.extend(&routings);
    let mut ports: Vec<u32> =
        rows.iter().map(|row| row.case).filter(|case| case.n == n).map(|case| case.m).collect();
    ports.dedup();
    let lines = ports.into_iter().map(|m| {
        let mut line = vec![format!("FT({m},{n})"), lower_bound(m, n).to_string()];
        let key = |row: &TreeRow| (row.case.m, row.case.n, row.case.routing);
        let row = |name: &&str| rows.iter().find(|row| key(row) == (m, n, *name));
        let cells = routings.iter().filter_map(row).map(TreeRow::cells);
        line.extend(cells.map(|[_, _, _, ratio, _, formula, printed, _]| {
            if formula.is_empty() { ratio } else { format!("{ratio} ({formula} = {printed})") }
        }));
        line
    });
    markdown(&heads, lines)
}

/// Conclusions from the numbers; the test of this study checks each sentence against them.
const FINDINGS: &str = include_str!("table_1.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_by_hand() {
        assert_eq!(value(Formula::Root, 8), "2");
        assert_eq!(value(Formula::Root, 6), "1.732..");
        assert_eq!(
            (value(Formula::Half, 6), value(Formula::AllButOne, 6)),
            ("3".into(), "5".into())
        );
        assert_eq!([4, 6, 8, 10, 18].map(|m| lower_bound(m, 2)), [2, 2, 2, 3, 3]);
        assert_eq!(lower_bound(12, 3), 6);
    }
}
