//! \[RO\] Figure 2: known schemes on slimmed trees, and what VII.A and VII.D say about them.

use std::fmt::Write as _;

use super::applications::{above_fluid, chart, medians};
use super::checks::{Change, Checks};
use super::claims::claims_table;
use super::known_schemes::{SCHEMES, claims};
use super::points::{Application, BYTES, Point, SEEDS};
use super::sampled;
use super::table::{Sample, View, table};
use crate::distribution::Units;
use crate::progress::Progress;
use crate::registry::Kind;
use crate::report::table::{csv, markdown};
use crate::study::{Study, StudyError, StudyFile, rows};

pub(super) const KIND: Kind<Study> = Kind {
    name: "ro-figure-2",
    usage: "ro-figure-2",
    options: &[],
    about: "slowdown of WRF-256 and CG.D-128, sent as packets, on slimmed 16-ary 2-trees with Random, \
            S-mod-k, D-mod-k and routes made for the pattern, against the full crossbar",
    reference: "[RO] VI, VII, Figures 2 and 3",
    examples: &["ro-figure-2"],
    build: study,
};

const CHECKS: [&str; 6] = ["application", "w2", "scheme", "changed", "slowdown", "in the figure"];

fn study(units: &Units, progress: &Progress) -> Result<Vec<StudyFile>, StudyError> {
    let samples = sampled(&SCHEMES, units, progress)?;
    let checks = Checks::some();
    let changed = rows::each(&checks, &units.within("changed"), progress)?;
    let (Some(samples), Some(changed)) = (samples, changed) else { return Ok(Vec::new()) };
    let view = View(&samples);
    let lines = checks.0.iter().zip(&changed).map(|(check, found)| line(view, check, *found));
    let lines: Vec<Vec<String>> = lines.collect();
    let mut files = pages(&samples, &lines)?;
    files.push(table(&samples)?);
    files.push(StudyFile { path: "checks.csv".into(), bytes: csv(&CHECKS, lines.into_iter())? });
    Ok(files)
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
    let view = View(samples);
    let figure = chart(view, &SCHEMES[..1], &SCHEMES[1..])?;
    let text = readme(view, checks);
    Ok(vec![
        StudyFile { path: "README.md".into(), bytes: text.into_bytes() },
        StudyFile { path: "slowdown.svg".into(), bytes: figure.into_bytes() },
    ])
}

fn readme(view: View<'_>, checks: &[Vec<String>]) -> String {
    let mut text = HEADER.replace("BYTES", &(BYTES / 1024).to_string());
    text = text.replace("SEEDS", &SEEDS.to_string());
    text.push_str(&claims_table(&claims(view)));
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
minimises the contention of the pattern and need not be the scheme that the authors had.

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
  gets an even number of them; routes that may separate the two need fewer messages on a link. What packets add makes
  the gap wider: with w2 = 15, four messages on a link take three times as long as two, not twice, since packets wait
  behind others for another output (last table).
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
