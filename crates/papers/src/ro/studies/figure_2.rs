//! \[RO\] Figure 2: known schemes on slimmed trees, and what VII.A and VII.D say about them.

use std::fmt::Write as _;

use super::Simulations;
use super::applications::{above_fluid, chart, medians};
use super::checks::{Change, Checks};
use super::known_schemes::{SCHEMES, claims};
use super::points::{Application, BYTES, Point, SEEDS};
use super::table::{Sample, View, table};
use crate::registry::Kind;
use crate::report::table::markdown;
use crate::study::engine::{Entry, Job, Page, Rows, Study, Table, Tier, claims_list};
use crate::study::{StudyError, StudyFile};

pub(super) const KIND: Kind<Study> = Kind {
    name: "ro-figure-2",
    usage: "ro-figure-2",
    options: &[],
    about: "slowdown of WRF-256 and CG.D-128, sent as packets, on slimmed 16-ary 2-trees with Random, \
            S-mod-k, D-mod-k and routes made for the pattern, against the full crossbar",
    reference: "[RO] VI, VII, Figures 2 and 3",
    examples: &["ro-figure-2"],
    build: Study::of::<Figure2>(),
};

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

    fn of(tier: Tier) -> Result<Self, StudyError> {
        let Checks(mut checks) = Checks::some();
        checks.truncate(if tier == Tier::Small { 1 } else { checks.len() });
        Ok(Self(Simulations::of(&SCHEMES, tier), Checks(checks)))
    }

    fn count(&self) -> u64 {
        self.0.count() + self.1.count()
    }

    fn rows(&self, job: &Job<'_>) -> Result<Option<Vec<Row>>, StudyError> {
        let samples = self.0.sampled(job)?;
        let changed = job.within("changed", |job| job.at_once(&self.1))?;
        let both = samples.zip(changed).map(|(samples, changed)| {
            let samples = samples.into_iter().map(Row::Sample);
            samples.chain(changed.into_iter().map(Row::Changed)).collect()
        });
        Ok(both)
    }

    fn tables(&self, found: &[Row]) -> Result<Vec<Table>, StudyError> {
        let (samples, lines) = self.parts(found);
        Ok(vec![table(&samples), Table::new("checks.csv", &CHECKS, lines)])
    }

    fn page(&self, found: &[Row], _: &[Table]) -> Result<Page, StudyError> {
        let (samples, lines) = self.parts(found);
        page(&samples, &lines)
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

/// The pages that follow from the samples and the rows of `checks.csv`.
///
/// # Errors
/// [`StudyError::Plot`].
pub fn pages(samples: &[Sample], checks: &[Vec<String>]) -> Result<Vec<StudyFile>, StudyError> {
    Ok(page(samples, checks)?.files())
}

fn page(samples: &[Sample], checks: &[Vec<String>]) -> Result<Page, StudyError> {
    let view = View(samples);
    let figure = chart(view, &SCHEMES[..1], &SCHEMES[1..])?;
    Ok(Page::new(readme(view, checks)).beside("slowdown.svg", figure))
}

fn readme(view: View<'_>, checks: &[Vec<String>]) -> String {
    let mut text = HEADER.replace("BYTES", &(BYTES / 1024).to_string());
    text = text.replace("SEEDS", &SEEDS.to_string());
    text.push_str(&claims_list(&claims(view)));
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
    text.push_str(CHANGES);
    text.push_str(&markdown(&CHECKS, checks.iter().cloned()));
    text
}

const HEADER: &str = "\
# Figure 2 as simulated

How much longer WRF-256 and CG.D-128 take on 16-ary 2-trees with fewer and fewer switches in the upper level,
XGFT(2;16,16;1,w2), than in a full crossbar ([RO] VII.A). Made by `routebound study ro-figure-2`; one run alone:
`routebound sim 'xgft(2;16,16;1,w2)' SCHEME PATTERN --preset ro --message BYTESKB` with the pattern `wrf(256)`
or `cg(128,phase=5)`.

The switches are those of [RO] VI.B as far as it describes them: links of 2 Gbit/s, flits of 8 bytes, segments of 1 KB,
queues at inputs and outputs, messages of an adapter in turn. Queue sizes and latencies are not printed: queues
hold two packets here, a switch takes 21 cycles of 32 ns and a cable 8. Every message has BYTES KB; the paper
has 750 KB for CG.D-128 and prints no size for WRF-256. Processes are placed in order. The paper replays traces with the
times between messages, which are not published; here all messages of a phase are there when it begins.
WRF-256 is one phase, CG.D-128 the five phases of VII.A, each after the one before. The first four do not leave the
switches of level 1, take the same time with any routing, and are simulated once. *Colored* is `coloured`, which
looks for routes of least contention and need not be the scheme that the authors had.

Sampled: Random with seeds 1 to SEEDS, the others have one run each. All runs are in `table.csv`: the column
*cycles* has the last phase with every seed, *local* the phases before it, *crossbar* all phases and *crossbar
last* the last one in the full crossbar. *static* is what the exact loads say (column *loads*: most messages on a
link of the last phase): the slowdown of a fluid. Packets are below it at most by their latency in the crossbar.

![slowdown against the number of switches of the upper level](slowdown.svg)

Boxes: quartiles and median over the seeds, whiskers to the least and the greatest value.

## What the paper states

Verdicts are computed from the table with the tolerance that is named.

";

const REASONS: &str = "
Where it differs:

- *The same performance as a pattern-aware scheme.* It is so where w2 divides 16, and where the loads leave no other
  way. Elsewhere S-mod-k and D-mod-k keep the two messages of a source, or to a destination, together, so that a link
  gets an even number of them; routes that may separate the two need fewer messages on a link (`coloured` finds such
  routes but for w2 = 11, where the most on a link are as many). What packets add makes the gap wider: with w2 = 15, four
  messages on a link take three times as long as two, not twice, since packets wait behind others for another output
  (last table).
- *Almost all cases.* For CG.D-128 Random improves over S-mod-k and D-mod-k down to w2 = 7, and not below. The static
  contention says the same ([errata](../../errata.md)).
- *Almost identical.* S-mod-k and D-mod-k have the same loads on every tree. The times of CG.D-128 differ by a
  twelfth for w2 = 13 to 8: with D-mod-k the seven messages of a switch share a link up, and at the root their packets
  meet those of another switch; where one waits, it holds up those behind it. With S-mod-k they share a link down, after
  such meetings. With queues at outputs alone, D-mod-k takes what its loads say (last table).
- *Eight times.* Eight sources of each switch take the same port, as the paper says, but one of the eight sends
  to itself: a link carries seven messages, and they take seven times as long on the full tree. They take eight times as
  long only with D-mod-k on the slimmed trees w2 = 13 to 8, by the meetings just named.
- *Conflicts on slimmed trees.* In the fifth phase two of the 16 tasks of a switch send to themselves, so 14 roots
  are enough for routes without conflict.
";

const CHANGES: &str = "
## What the figures depend on

Runs with one thing changed; Random with its first seed. With queues at outputs alone, large enough for everything, no
packet waits behind one for another output, and the slowdown comes close to that of the loads.

";
