//! The worst cases of networks that are not fat-trees, exactly, beside what the literature prints of them.

mod cases;
mod clos;
mod matchings;
mod networks;

use std::time::{Duration, Instant};

use crate::bounds::Evidence;
use crate::certificate::{self, Certificate};
use crate::study::engine::lines;
use crate::study::prelude::*;
use crate::study::{MEASURED, StudyFile};
use crate::theorem::bounded::Known;
use crate::theorem::direct;
use cases::{Case, Quantity, Sends};

pub(super) const KIND: Kind<Study> = Study::kind::<Cases>(
    &["exact"],
    "Applegate and Cohen 2003; Towles, Dally and Boyd 2003; Chitavisutthivong et al. 2023",
    "best routings of rings, tori, hypercubes, Slim Flies, DRings and others, and the worst \
            permutations of routings on the 2-cube, beside published values",
);

/// Maximum bytes of a certificate that is kept beside the page.
const KEPT_BYTES: usize = 12_000;

const HEADS: [&str; 10] = [
    "network",
    "routing",
    "quantity",
    "each host sends",
    "published",
    "source",
    "exact",
    "verdict",
    "time of their family",
    "evidence",
];

const TIMES: [&str; 6] =
    ["network", "routing", "quantity", "time of their family", "solver seconds", "seconds"];

/// What was found of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    value: Rational,
    evidence: String,
    /// The certificate, where it is small.
    certificate: Option<String>,
    /// In the solver of linear programs, if it was asked.
    solver: Option<f64>,
    seconds: f64,
}

/// The cases of a tier.
struct Cases(Vec<Case>);

impl Rows for Cases {
    type Key = Case;
    type Row = Found;

    fn keys(&self) -> &[Case] {
        &self.0
    }

    /// All of them take minutes: shards leave them to the merge.
    fn is_shared(&self, _: &Case) -> bool {
        false
    }

    fn find(&self, case: &Case, progress: &Progress) -> Result<Found> {
        let begun = Instant::now();
        let ((value, evidence, certificate), solver) = case.exact(progress)?;
        let seconds = begun.elapsed().as_secs_f64();
        let certificate = certificate.map(|whole| text(&whole)).transpose()?;
        let certificate = certificate.filter(|text| text.len() <= KEPT_BYTES);
        let solver = solver.map(|time| time.as_secs_f64());
        Ok(Found { value, evidence: evidence.to_string(), certificate, solver, seconds })
    }

    fn holds(&self, _: &Case, _: &Found) -> bool {
        true
    }
}

/// A certificate as its file has it.
fn text(whole: &Certificate) -> Result<String> {
    let mut bytes = Vec::new();
    certificate::write(whole, &mut bytes)?;
    Ok(String::from_utf8(bytes).map_err(std::io::Error::other)?)
}

/// A value with its evidence.
type Exact = (Rational, Evidence, Option<Certificate>);

impl Case {
    /// The value, and the time in the solver of linear programs, if it was asked.
    fn exact(&self, progress: &Progress) -> Result<(Exact, Option<Duration>)> {
        let topology = self.network.topology()?;
        Ok(match self.quantity {
            Quantity::Ratio => least(topology, false, progress)?,
            Quantity::Hose(Sends::Links) => least(topology, true, progress)?,
            Quantity::Hose(Sends::Each(units)) => {
                let (sent, capacity) = (Rational::from(units), topology.host_capacity(0, true));
                let ((value, evidence, certificate), time) = least(topology, true, progress)?;
                let scaled = (&value * &sent).checked_div(&capacity);
                ((scaled.ok_or_else(undecided)?, evidence, certificate), time)
            }
            Quantity::Permutation(routing) => (permutation(&topology, routing, progress)?, None),
            Quantity::Over([routing, other]) => {
                let [above, below] =
                    [routing, other].map(|one| permutation(&topology, one, progress));
                let ((above, evidence, _), (below, ..)) = (above?, below?);
                ((above.checked_div(&below).ok_or_else(undecided)?, evidence, None), None)
            }
        })
    }
}

/// Why a row is missing: only what was stopped, or a solver that failed, leaves bounds that differ.
fn undecided() -> StudyError {
    std::io::Error::other("bounds of a case of this study do not meet").into()
}

/// Both sides, where they are proven to meet.
fn both((bounds, certificate): Known) -> Result<Exact> {
    let value = bounds.exact().ok_or_else(undecided)?.clone();
    Ok((value, bounds.evidence, certificate))
}

/// The least worst case of all routings.
fn least(topology: Topology, hose: bool, progress: &Progress) -> Result<(Exact, Option<Duration>)> {
    let (known, time) = direct::timed_least(topology, hose, progress)?;
    Ok((both(known)?, Some(time)))
}

/// The highest load of a link by a permutation.
fn permutation(topology: &Topology, routing: &str, progress: &Progress) -> Result<Exact> {
    both(direct::permutation(topology, routing, progress)?)
}

/// A row of one of the tables.
enum Row {
    Case(Found),
    Flows(Vec<String>),
}

impl Cases {
    /// The cases, each with what was found of it.
    fn found<'f>(&'f self, rows: &'f [Row]) -> impl Iterator<Item = (&'f Case, &'f Found)> {
        let found = rows.iter().filter_map(|row| match row {
            Row::Case(found) => Some(found),
            Row::Flows(_) => None,
        });
        self.0.iter().zip(found)
    }
}

impl Entry for Cases {
    type Row = Row;

    fn of(tier: Tier) -> Result<Self> {
        let all = cases::all().into_iter();
        Ok(Self(all.filter(|case| tier == Tier::Full || case.is_small).collect()))
    }

    fn finder(&self) -> Finder<'_, Row> {
        Finder::new(Rows::count(self), move |job| {
            let Some(found) = job.in_turn(self)? else { return Ok(None) };
            let flows = clos::rows(job.tier == Tier::Small, job.progress)?;
            let found = found.into_iter().map(Row::Case);
            Ok(Some(found.chain(flows.into_iter().map(Row::Flows)).collect()))
        })
    }

    fn tables(&self, rows: &[Row]) -> Result<Vec<Table>> {
        let times = self.found(rows).map(|(case, found)| {
            let [network, routing, quantity, _] = case.names();
            let solver = found.solver.map_or_else(|| "-".into(), |time| format!("{time:.3}"));
            let whole = format!("{:.2}", found.seconds);
            vec![network, routing, quantity, case.time.to_string(), solver, whole]
        });
        let bounds = self.found(rows).map(|(case, found)| matchings::cells(case, &found.value));
        let bounds: Vec<_> = bounds.collect::<Result<_, _>>()?;
        let flows = rows.iter().filter_map(|row| match row {
            Row::Case(_) => None,
            Row::Flows(cells) => Some(cells.clone()),
        });
        let cells = self.found(rows).map(|(case, found)| cells(case, found));
        Ok(vec![
            Table::new("table.csv", &HEADS, cells),
            Table::new("matchings.csv", &matchings::HEADS, bounds.into_iter().flatten()),
            Table::new("unsplittable.csv", &clos::HEADS, flows),
            Table::new(MEASURED, &TIMES, times),
        ])
    }

    fn page(&self, rows: &[Row], tables: &[Table]) -> Result<Page> {
        let [table, bounds, flows, _] = tables else { return Ok(Page::default()) };
        let kept = self.found(rows).filter_map(|(case, found)| {
            let bytes = found.certificate.clone()?.into_bytes();
            Some(StudyFile { path: format!("certificates/{}.cert", case.stem()), bytes })
        });
        let kept: Vec<StudyFile> = kept.collect();
        let page = Page::new(HEADER).text(&summary(&lines(tables)?, kept.len()));
        let page = page.table(table).text(BOUNDS).table(bounds);
        let page = page.text(FLOWS).table(flows).text(FINDINGS);
        Ok(kept.into_iter().fold(page, |page, file| page.beside(&file.path, file.bytes)))
    }
}

fn cells(case: &Case, found: &Found) -> Vec<String> {
    let [value, source] = case.published.cells();
    let exact = found.value.to_string();
    let verdict = case.published.verdict(&found.value).to_string();
    let after = [value, source, exact, verdict, case.time.to_string(), found.evidence.clone()];
    case.names().into_iter().chain(after).collect()
}

/// The columns of a row that are counted.
#[derive(Deserialize)]
struct Line {
    verdict: String,
    evidence: String,
}

/// How many rows there are, of which verdict.
fn summary(rows: &[Line], kept: usize) -> String {
    let proven = rows.iter().filter(|row| row.evidence == "proven").count();
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let verdicts = cases::VERDICTS.map(|verdict| format!("{} {verdict}", count(verdict)));
    format!(
        "{} rows, {proven} proven by a certificate that the checker accepted, {kept} of them kept in \
         `certificates`. Verdicts: {}.\n\n",
        rows.len(),
        verdicts.join(", ")
    )
}

const HEADER: &str = include_str!("exact.header.md");

/// What the second table shows.
const BOUNDS: &str = include_str!("exact.bounds.md");

/// What the third table shows.
const FLOWS: &str = include_str!("exact.flows.md");

/// Conclusions from the numbers; `tests/structure/findings/exact.rs` checks the findings against them.
const FINDINGS: &str = include_str!("exact.findings.md");
