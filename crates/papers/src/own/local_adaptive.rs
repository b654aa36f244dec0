//! The least number of top switches with any local adaptive routing.

use std::fs;

use crate::bounds::Evidence;
use crate::certificate::{self, Certificate, LOCAL_SWITCHES, LocalCertificate, NetworkForm};
use crate::generators::Named;
use crate::generators::checker::{Accepted, Check};
use crate::nonblocking::{LocalOptions, least_local_switches};
use crate::progress::Stopped;
use crate::simulation::adaptive::{Numbering, worst};
use crate::study::StudyFile;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Networks>(
    &["local-adaptive"],
    "[NB] V, its open problem",
    "least m of a nonblocking ftree(n,m,r) with any local adaptive routing, small n and r",
);

/// n and r.
const NETWORKS: [(u32, &[u32]); 4] =
    [(1, &[2, 3, 4]), (2, &[2, 3, 4, 5, 6, 7, 8]), (3, &[2, 3, 4, 5]), (4, &[2, 3])];

/// Those of the small tier.
const SMALL: [(u32, &[u32]); 4] = [(1, &[2, 3, 4]), (2, &[2, 3, 4]), (3, &[2]), (4, &[2])];

/// Maximum bytes of the evidence of a row in a part: more of it is found again while merging.
const MAX_KEPT: usize = 1 << 22;

/// Rows whose formulas are too large for a part.
const LARGE: [(u32, u32); 1] = [(3, 5)];

/// Rows whose certificates are written too.
const KEPT: [(u32, u32); 2] = [(2, 4), (2, 5)];

const HEADS: [&str; 8] =
    ["n", "r", "least m", "evidence", "single paths", "NONBLOCKINGADAPTIVE", "2n-1", "n^2"];

/// The table of the study of single paths.
const SINGLE_PATHS: &str = include_str!("../../../../results/nonblocking-switches/table.csv");

impl Entry for Networks {
    /// What was found, with its cells.
    type Row = (Switches, Vec<String>);

    fn of(tier: Tier) -> Result<Self> {
        let networks = if tier == Tier::Small { &SMALL } else { &NETWORKS };
        Ok(Self(networks.iter().flat_map(|(n, all)| all.iter().map(|r| (*n, *r))).collect()))
    }

    fn finder(&self) -> Finder<'_, Self::Row> {
        Finder::new(Rows::count(self), move |job| {
            let Some(found) = job.in_turn(self)? else { return Ok(None) };
            let with_cells = |(network, found): (&(u32, u32), Switches)| {
                let cells = cells(*network, &found, job.progress)?;
                Ok((found, cells))
            };
            self.0.iter().zip(found).map(with_cells).collect::<Result<_>>().map(Some)
        })
    }

    fn tables(&self, found: &[Self::Row]) -> Result<Vec<Table>> {
        Ok(vec![Table::new("table.csv", &HEADS, found.iter().map(|(_, cells)| cells.clone()))])
    }

    fn page(&self, found: &[Self::Row], tables: &[Table]) -> Result<Page> {
        let kept = self.0.iter().zip(found).filter(|(network, _)| KEPT.contains(network));
        let page = Page::new(HEADER).tables(tables).text(FINDINGS);
        Ok(page.with(kept.flat_map(|(network, (found, _))| found.files(*network))))
    }
}

fn cells(
    (n, r): (u32, u32),
    Switches { lower, upper, .. }: &Switches,
    progress: &Progress,
) -> Result<Vec<String>> {
    let least = if lower == upper { lower.to_string() } else { format!("{lower}..{upper}") };
    let adaptive = match Numbering::of(n, r) {
        None => "-".to_string(),
        Some(numbering) => {
            let found = worst(numbering, r, 1, progress)?.configurations;
            let tops = &found.upper * &numbering.per_configuration().into();
            tops.to_string()
        }
    };
    // The checker has accepted both sides; stopped work leaves no row.
    let evidence = Evidence::Proven.to_string();
    let head = [n.to_string(), r.to_string(), least, evidence];
    let known = [2 * n - 1, n * n].map(|number| number.to_string());
    let beside = [single_paths(n, r), adaptive].into_iter().chain(known);
    Ok(head.into_iter().chain(beside).collect())
}

/// The least m of single-path routing, from the table of its study.
fn single_paths(n: u32, r: u32) -> String {
    let row = |line: &&str| line.starts_with(&format!("{n},{r},"));
    let known = SINGLE_PATHS.lines().find(row).and_then(|line| line.split(',').nth(4));
    known.unwrap_or("-").to_string()
}

/// Networks by n and r.
struct Networks(Vec<(u32, u32)>);

/// The least number of top switches, with the certificate that proves it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Switches {
    lower: u32,
    upper: u32,
    certificate: String,
    /// The formula and the LRAT proof that it names.
    files: Option<[String; 2]>,
}

impl Switches {
    /// The certificate, the formula and the proof.
    fn files(&self, (n, r): (u32, u32)) -> Vec<StudyFile> {
        let file = |(name, text): (String, &String)| StudyFile {
            path: format!("certificates/{name}"),
            bytes: text.clone().into_bytes(),
        };
        let named = names(n, r).into_iter().zip(self.files.iter().flatten());
        let whole = (format!("{}.cert", stem(n, r)), &self.certificate);
        std::iter::once(whole).chain(named).map(file).collect()
    }
}

fn stem(n: u32, r: u32) -> String {
    format!("local-{n}-{r}")
}

fn names(n: u32, r: u32) -> [String; 2] {
    ["cnf", "lrat"].map(|end| format!("{}.{end}", stem(n, r)))
}

impl Rows for Networks {
    type Key = (u32, u32);
    type Row = Switches;

    fn keys(&self) -> &[(u32, u32)] {
        &self.0
    }

    fn is_shared(&self, size: &(u32, u32)) -> bool {
        !LARGE.contains(size)
    }

    fn find(&self, size: &(u32, u32), progress: &Progress) -> Result<Switches> {
        let (n, r) = *size;
        let how = LocalOptions { stem: stem(n, r), ..LocalOptions::default() };
        let found = least_local_switches(n, r, &how, &progress.part(1.0))?;
        // Each formula gets half of the time that is left: such a search ends before the whole work is
        // stopped.
        if !found.is_complete() {
            return Err(Stopped.into());
        }
        let mut bytes = Vec::new();
        certificate::write(&Certificate::Local(found.certificate.clone()), &mut bytes)?;
        let certificate = String::from_utf8(bytes).expect("certificates are written as text");
        let is_asked = found.certificate.fewer.is_some() && self.is_shared(size);
        let read = |name: &String| fs::read_to_string(found.folder().join(name));
        let files = is_asked.then(|| names(n, r).each_ref().map(read));
        let files = files.map(|[formula, proof]| Ok::<_, StudyError>([formula?, proof?]));
        let LocalCertificate { lower, upper, .. } = found.certificate;
        Ok(Switches { lower, upper, certificate, files: files.transpose()? })
    }

    fn is_kept(&self, found: &Switches) -> bool {
        let files = found.files.iter().flatten().map(String::len).sum::<usize>();
        found.certificate.len() + files <= MAX_KEPT
    }

    /// The certificate is checked again.
    fn holds(&self, &(n, r): &(u32, u32), found: &Switches) -> bool {
        let accepted = || {
            let whole = certificate::read(found.certificate.as_bytes()).ok()?;
            let Certificate::Local(local) = &whole else { return None };
            let network = NetworkForm::Named(format!("ftree({n},{},{r})", local.upper));
            if local.network != network {
                return None;
            }
            let folder = tempfile::tempdir().ok()?;
            for (name, text) in names(n, r).iter().zip(found.files.iter().flatten()) {
                fs::write(folder.path().join(name), text).ok()?;
            }
            Check::new(&Named).folder(folder.path()).run(&whole).ok()
        };
        let [lower, upper] = [found.lower, found.upper].map(|m| u64::from(m).into());
        accepted() == Some(vec![Accepted { quantity: LOCAL_SWITCHES.into(), lower, upper }])
    }
}

const HEADER: &str = include_str!("local_adaptive.header.md");

/// Conclusions from the numbers; `tests/structure/findings.rs` checks the findings against them.
const FINDINGS: &str = include_str!("local_adaptive.findings.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_shared() {
        compare(&Networks(vec![(1, 2), (2, 3), (2, 4), (2, 5)]), str::to_string);
        let formula = Networks(vec![(2, 4)]);
        for (from, to) in [
            ("\"lower\":3", "\"lower\":2"),
            ("\"upper\":3", "\"upper\":4"),
            ("ftree(2,3,4)", "ftree(2,3,5)"),
            ("fewer 4", "fewer 3"),
            ("p cnf", "p dnf"),
        ] {
            refuses(&formula, from, to);
        }
    }
}
