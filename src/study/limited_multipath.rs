//! What limited multi-path routing achieves: the exact oblivious ratio against the number of
//! paths, the question that \[OR\] VI leaves open.

use std::fmt::Write as _;

use super::{Study, StudyError, StudyFile, assessed};
use crate::assessment::Assessment;
use crate::certificate;
use crate::distribution::Units;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::table::{csv, markdown};
use crate::routing::Instance;

pub(super) const KIND: Kind<Study> = Kind {
    name: "limited-multipath",
    usage: "limited-multipath",
    options: &[],
    about: "exact oblivious ratio of kpath against k on FT(8,2), FT(16,2) and FT(8,3)",
    reference: "[OR] VI",
    examples: &["limited-multipath"],
    build: study,
};

/// (m, n, shortest paths between hosts far apart, whether certificates are kept).
const TREES: [(u32, u32, u32, bool); 3] = [(8, 2, 4, true), (16, 2, 8, false), (8, 3, 16, false)];

const CHOICES: [&str; 6] =
    ["first", "shift", "disjoint", "random,seed=1", "random,seed=2", "random,seed=3"];

struct MultipathRow {
    m: u32,
    n: u32,
    k: u32,
    paths: u32,
    choice: &'static str,
    hosts: usize,
    assessment: Assessment,
}

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    let (mut rows, mut files) = (Vec::new(), Vec::new());
    for (m, n, paths, kept) in TREES {
        for k in 1..=paths {
            // The powers of two; the last one is all paths.
            for choice in CHOICES.into_iter().filter(|_| k.is_power_of_two()) {
                progress.check()?;
                let routing = format!("kpath(k={k},choice={choice})");
                let instance = Instance::named(&format!("ft({m},{n})"), &routing)?;
                let name = format!("{routing} on ft({m},{n})");
                let assessment = assessed(&instance, &name, units, progress)?;
                let row = MultipathRow {
                    m,
                    n,
                    k,
                    paths,
                    choice,
                    hosts: instance.topology.hosts(),
                    assessment,
                };
                files.extend(if kept { row.certificate()? } else { None });
                rows.push(row);
                progress.inc(1);
            }
        }
    }
    if units.part().is_some() {
        return Ok(Vec::new());
    }
    progress.check()?;
    files.push(StudyFile { path: "README.md".into(), bytes: readme(&rows).into_bytes() });
    files.push(StudyFile {
        path: "table.csv".into(),
        bytes: csv(&HEADS, rows.iter().map(MultipathRow::cells))?,
    });
    Ok(files)
}

impl MultipathRow {
    fn certificate(&self) -> Result<Option<StudyFile>, StudyError> {
        let Some(certificate) = &self.assessment.certificate else { return Ok(None) };
        let mut bytes = Vec::new();
        certificate::write(certificate, &mut bytes)?;
        let Self { m, n, k, .. } = self;
        let choice = self.choice.replace(",seed=", "");
        Ok(Some(StudyFile { path: format!("certificates/ft-{m}-{n}-k{k}-{choice}.cert"), bytes }))
    }

    fn cells(&self) -> Vec<String> {
        vec![
            format!("FT({},{})", self.m, self.n),
            self.hosts.to_string(),
            self.paths.to_string(),
            self.k.to_string(),
            self.choice.to_string(),
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
    let rows: Vec<&MultipathRow> = rows.iter().filter(|row| (row.m, row.n) == (m, n)).collect();
    let lines = rows.chunk_by(|a, b| a.k == b.k).map(|row| {
        let k = if row[0].k == row[0].paths { " (all)" } else { "" };
        let mut line = vec![format!("{}{k}", row[0].k)];
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
