//! What limited multi-path routing achieves: the exact oblivious ratio against the number of
//! paths, the question that \[OR\] VI leaves open.

use std::fmt::Write as _;

use super::engine::{Divided, Entry, Job, Page, Study, Table, Tier};
use super::{StudyError, assessed};
use crate::assessment::Assessment;
use crate::distribution::Units;
use crate::integer::as_size;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::table::markdown;
use crate::routing::Instance;

pub(super) const KIND: Kind<Study> = Kind {
    name: "limited-multipath",
    usage: "limited-multipath",
    options: &[],
    about: "exact oblivious ratio of kpath against k on FT(8,2), FT(16,2) and FT(8,3)",
    reference: "[OR] VI",
    examples: &["limited-multipath"],
    build: Study::of::<Trees>(),
};

/// (m, n, shortest paths between hosts far apart, whether certificates are kept).
const TREES: [(u32, u32, u32, bool); 3] = [(8, 2, 4, true), (16, 2, 8, false), (8, 3, 16, false)];

const CHOICES: [&str; 6] =
    ["first", "shift", "disjoint", "random,seed=1", "random,seed=2", "random,seed=3"];

/// A tree with that many shortest paths between hosts far apart, and k of them.
#[derive(Clone, Copy)]
struct Case {
    m: u32,
    n: u32,
    k: u32,
    paths: u32,
    choice: &'static str,
}

struct MultipathRow {
    case: Case,
    hosts: usize,
    assessment: Assessment,
}

/// Trees, for powers of two of k up to all paths and every choice.
struct Trees(Vec<Case>);

impl Divided for Trees {
    type Row = MultipathRow;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn find(
        &self,
        row: u64,
        units: &Units,
        progress: &Progress,
    ) -> Result<MultipathRow, StudyError> {
        let case = self.0[as_size(row)];
        let Case { m, n, k, choice, .. } = case;
        let routing = format!("kpath(k={k},choice={choice})");
        let instance = Instance::named(&format!("ft({m},{n})"), &routing)?;
        let name = format!("{routing} on ft({m},{n})");
        let assessment = assessed(&instance, &name, units, progress)?;
        Ok(MultipathRow { case, hosts: instance.topology.hosts(), assessment })
    }
}

impl Entry for Trees {
    type Row = MultipathRow;

    /// The small tier has the first tree.
    fn of(tier: Tier) -> Result<Self, StudyError> {
        let trees = if tier == Tier::Small { &TREES[..1] } else { &TREES[..] };
        let mut all = Vec::new();
        for &(m, n, paths, _) in trees {
            let powers = (1..=paths).filter(|k| k.is_power_of_two());
            let cases = itertools::iproduct!(powers, CHOICES);
            all.extend(cases.map(|(k, choice)| Case { m, n, k, paths, choice }));
        }
        Ok(Self(all))
    }

    fn count(&self) -> u64 {
        Divided::count(self)
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<MultipathRow>>, StudyError> {
        job.divided(self)
    }

    fn tables(&self, found: &[MultipathRow]) -> Result<Vec<Table>, StudyError> {
        Ok(vec![Table::new("table.csv", &HEADS, found.iter().map(MultipathRow::cells))])
    }

    fn page(&self, found: &[MultipathRow], _: &[Table]) -> Result<Page, StudyError> {
        let mut page = Page::new(readme(found));
        for row in found.iter().filter(|row| row.is_kept()) {
            let Case { m, n, k, choice, .. } = row.case;
            let choice = choice.replace(",seed=", "");
            page = page.certificate(&format!("ft-{m}-{n}-k{k}-{choice}"), &row.assessment)?;
        }
        Ok(page)
    }
}

impl MultipathRow {
    /// Whether its certificate is committed.
    fn is_kept(&self) -> bool {
        let Case { m, n, .. } = self.case;
        TREES.iter().any(|tree| (tree.0, tree.1) == (m, n) && tree.3)
    }

    fn cells(&self) -> Vec<String> {
        vec![
            format!("FT({},{})", self.case.m, self.case.n),
            self.hosts.to_string(),
            self.case.paths.to_string(),
            self.case.k.to_string(),
            self.case.choice.to_string(),
            self.ratio(),
            self.assessment.oblivious_ratio.evidence.to_string(),
        ]
    }

    /// The exact ratio, or its bounds.
    fn ratio(&self) -> String {
        let ratio = &self.assessment.oblivious_ratio;
        ratio.exact().map_or_else(|| ratio.to_string(), ToString::to_string)
    }
}

const HEADS: [&str; 7] = ["tree", "hosts", "paths", "k", "choice", "ratio", "evidence"];

fn readme(rows: &[MultipathRow]) -> String {
    let mut text = format!(
        "# What limited multi-path routing reaches\n\n\
         With all shortest paths of a pair in equal share, m-port n-trees have oblivious ratio 1 \
         (Theorem 1 of *Oblivious Routing in Fat-Tree Based System Area Networks with Uncertain \
         Traffic Demands*, [OR]). Its section VI asks what remains when a network supports a \
         limited number of paths per pair, as InfiniBand does: a port has at most 128 addresses \
         (LMC 7). These are the exact oblivious ratios of `kpath`: k shortest paths of each pair \
         in equal share, for each rule of choice (`routebound list routings`, \
         `src/routing/kpath.rs`).\n\n\
         Made by `routebound study {0} --output results/{0}`. Each ratio is proven by a \
         certificate that the checker accepted; those of FT(8,2) are kept in `certificates/` and \
         `routebound check results/{0}/certificates/*.cert` checks them again. For the others: \
         `routebound ratio 'ft(m,n)' 'kpath(k=K,choice=CHOICE)' --certificate FILE`.\n",
        KIND.name
    );
    for (m, n, paths, _) in TREES {
        // A String takes every write.
        let _ = writeln!(text, "\n## FT({m},{n}): at most {paths} shortest paths per pair\n");
        text.push_str(&grid(rows, m, n));
    }
    text.push_str(FINDINGS);
    text
}

/// One row per k, one column per choice.
fn grid(rows: &[MultipathRow], m: u32, n: u32) -> String {
    let mut heads = vec!["k"];
    heads.extend(CHOICES);
    let rows: Vec<&MultipathRow> =
        rows.iter().filter(|row| (row.case.m, row.case.n) == (m, n)).collect();
    let lines = rows.chunk_by(|a, b| a.case.k == b.case.k).map(|row| {
        let k = if row[0].case.k == row[0].case.paths { " (all)" } else { "" };
        let mut line = vec![format!("{}{k}", row[0].case.k)];
        line.extend(row.iter().map(|row| row.ratio()));
        line
    });
    markdown(&heads, lines)
}

/// What the numbers show; the test of this study checks each sentence against them.
const FINDINGS: &str = "
## What this says

- On FT(8,2) and FT(16,2) every choice has ratio P/k, P being the number of shortest paths: \
twice the paths, half the ratio, and ratio 1 takes all of them.
- On FT(8,3) the same holds from k = 4 on. With fewer paths `first` and `random` still have P/k; \
`shift` and `disjoint` have 7, the ratio of D-mod-k: a second path changes nothing.
- Random choice has the same ratio as the first k paths in every row: worst-case traffic picks \
the pairs whose paths meet.
- Where the paths lead matters as much as how many there are: with one path, `grid` has ratio 3 \
on FT(16,2) and `osrm3` has 4 on FT(8,3), better than two paths of any choice here.
- The 128 paths of InfiniBand are more than a pair has on these trees, so it reaches ratio 1 on \
them. FT(m,3) has more than 128 shortest paths from m = 24 on, FT(m,2) from m = 258 on.
";
