//! \[RO\] Figure 2: known schemes on slimmed trees, and what VII.A and VII.D say about them.

use super::Simulations;
use super::applications::{above_fluid, chart, medians};
use super::checks::{Change, Checks};
use super::known_schemes::{SCHEMES, claims};
use super::points::{Application, BYTES, Point, SEEDS};
use super::table::{Sample, View, samples, table};
use crate::study::engine::findings_list;
use crate::study::prelude::*;

pub(super) const KIND: Kind<Study> = Study::kind::<Figure2>(
    &["ro-figure-2"],
    "[RO] VI, VII, Figures 2 and 3",
    "slowdown of WRF-256 and CG.D-128, sent as packets, on slimmed 16-ary 2-trees with Random, \
            S-mod-k, D-mod-k and routes made for the pattern, against the full crossbar",
);

const CHECKS: [&str; 6] = ["application", "w2", "scheme", "changed", "slowdown", "in the figure"];

/// The runs of the figure, and some in which something is changed.
struct Figure2(Simulations, Checks);

/// A sample, or a changed run.
enum Row {
    Sample(Sample),
    Changed(f64),
}

impl Figure2 {
    /// The samples, and the lines of changed runs.
    fn parts(&self, found: &[Row]) -> (Vec<Sample>, Vec<Vec<String>>) {
        let (mut samples, mut changed) = (Vec::new(), Vec::new());
        for row in found {
            match row {
                Row::Sample(sample) => samples.push(sample.clone()),
                Row::Changed(slowdown) => changed.push(*slowdown),
            }
        }
        let view = View(&samples);
        let line = |(check, found): (&(Point, Change), &f64)| line(view, check, *found);
        let lines = self.1.0.iter().zip(&changed).map(line).collect();
        (samples, lines)
    }
}

impl Entry for Figure2 {
    type Row = Row;

    fn of(tier: Tier) -> Result<Self> {
        let Checks(mut checks) = Checks::some();
        checks.truncate(if tier == Tier::Small { 1 } else { checks.len() });
        Ok(Self(Simulations::of(&SCHEMES, tier), Checks(checks)))
    }

    fn finder(&self) -> Finder<'_, Row> {
        Finder::new(self.0.count() + self.1.count(), move |job| {
            let samples = self.0.sampled(job)?;
            let changed = job.within("changed", |job| job.at_once(&self.1))?;
            let both = samples.zip(changed).map(|(samples, changed)| {
                let samples = samples.into_iter().map(Row::Sample);
                samples.chain(changed.into_iter().map(Row::Changed)).collect()
            });
            Ok(both)
        })
    }

    fn tables(&self, found: &[Row]) -> Result<Vec<Table>> {
        let (samples, lines) = self.parts(found);
        Ok(vec![table(&samples), Table::new("checks.csv", &CHECKS, lines)])
    }

    const FROM_TABLES: bool = true;

    fn page(&self, _: &[Row], tables: &[Table]) -> Result<Page> {
        let samples = samples(tables)?;
        let view = View(&samples);
        let figure = chart(view, &SCHEMES[..1], &SCHEMES[1..])?;
        let page = Page::new(readme(view)).tables(tables.get(1..).unwrap_or_default());
        Ok(page.beside("slowdown.svg", figure))
    }
}

/// A row of the table of changed runs. The run of the figure is the one with the first seed.
fn line(view: View<'_>, (point, change): &(Point, Change), found: f64) -> Vec<String> {
    let Point { application, w2, scheme, seed } = point;
    let seed = seed.map_or_else(String::new, |seed| format!("(seed={seed})"));
    let own = view.slowdowns(*application, *w2, scheme).first().copied().unwrap_or(f64::NAN);
    let names = [application.name().to_string(), w2.to_string(), format!("{scheme}{seed}")];
    let numbers = [change.name().to_string(), format!("{found:.3}"), format!("{own:.3}")];
    names.into_iter().chain(numbers).collect()
}

fn readme(view: View<'_>) -> String {
    let mut text = HEADER.replace("BYTES", &(BYTES / 1024).to_string());
    text = text.replace("SEEDS", &SEEDS.to_string());
    text.push_str(&findings_list(&claims(view)));
    text.push_str(REASONS);
    for application in Application::ALL {
        let (least, most) = above_fluid(view, application);
        // A String takes every write.
        let _ = write!(
            text,
            "\n## {}\n\nMedian slowdown, in brackets what the loads alone say. Over all runs the first is {least:.3} \
             to {most:.3} times the second.\n\n{}",
            application.name(),
            medians(view, application, &SCHEMES)
        );
    }
    text + CHANGES
}

const HEADER: &str = include_str!("figure_2.header.md");

const REASONS: &str = include_str!("figure_2.reasons.md");

const CHANGES: &str = include_str!("figure_2.changes.md");
