//! Progress bars: on stderr, and only if it is a terminal.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use itertools::Itertools as _;

use crate::progress::{Progress, Told};

/// Progress that is also drawn as a bar if stderr is a terminal.
pub(super) fn drawn(progress: Progress) -> Progress {
    if !io::stderr().is_terminal() {
        return progress;
    }
    let bar = match progress.total() {
        0 => ProgressBar::no_length(),
        total => ProgressBar::new(total),
    };
    let style = ProgressStyle::with_template(template(progress.total()));
    let bar = bar
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(progress.label().to_string())
        .with_finish(ProgressFinish::AndClear);
    // Work that turned out to be more than expected is not shown as more than all.
    let most = if progress.total() == 0 { u64::MAX } else { progress.total() };
    let (shown, said) = (bar.clone(), Mutex::new(Said::default()));
    progress.watched_by(move |done| bar.set_position(done.min(most))).heard_by(move |told| {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.hear(told);
        shown.set_message(said.text());
    })
}

/// What the work has told.
#[derive(Debug, Default)]
struct Said {
    step: String,
    known: String,
}

impl Said {
    fn hear(&mut self, told: Told<'_>) {
        match told {
            Told::Step(step) => self.step = step.to_string(),
            Told::Known(known) => self.known = known.to_string(),
        }
    }

    /// What stands before the count.
    fn text(&self) -> String {
        let all = [&self.step, &self.known].into_iter().filter(|text| !text.is_empty()).join(", ");
        if all.is_empty() { all } else { format!("{all}; ") }
    }
}

/// The template of the bar for work of `total` units; 0 means unknown, and then there is no ETA.
fn template(total: u64) -> &'static str {
    if total == 0 {
        "{spinner} {msg}{prefix}: {pos}, {elapsed}"
    } else {
        "{wide_bar} {msg}{prefix}: {pos} of {len}, {eta} left"
    }
}

#[cfg(test)]
mod tests {
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

    use super::{Said, Told, template};

    #[test]
    fn work_without_length_has_no_end() {
        for total in [0, 9] {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
            bar.set_style(ProgressStyle::with_template(template(total)).unwrap());
        }
        assert!(!template(0).contains("{len}") && !template(0).contains("{eta}"));
        assert!(template(9).contains("{len}"));
    }

    #[test]
    fn a_bar_names_the_step_and_what_is_known() {
        let mut said = Said::default();
        assert_eq!(said.text(), "");
        said.hear(Told::Step("cuts"));
        assert_eq!(said.text(), "cuts; ");
        said.hear(Told::Known("5 ≤ ratio ≤ 9"));
        said.hear(Told::Step("linear programs"));
        assert_eq!(said.text(), "linear programs, 5 ≤ ratio ≤ 9; ");
    }
}
