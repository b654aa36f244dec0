//! Progress bars: on stderr, and only if it is a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use crate::progress::Progress;

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
        .with_message(progress.label().to_string())
        .with_finish(ProgressFinish::AndClear);
    // Work that turned out to be more than expected is not shown as more than all.
    let most = if progress.total() == 0 { u64::MAX } else { progress.total() };
    progress.watched_by(move |done| bar.set_position(done.min(most)))
}

/// The template of the bar for work of `total` units; 0 means unknown, and then there is no ETA.
fn template(total: u64) -> &'static str {
    if total == 0 {
        "{spinner} {msg}: {pos}, {elapsed}"
    } else {
        "{wide_bar} {msg}: {pos} of {len}, {eta} left"
    }
}

#[cfg(test)]
mod tests {
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

    use super::template;

    #[test]
    fn work_without_length_has_no_end() {
        for total in [0, 9] {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
            bar.set_style(ProgressStyle::with_template(template(total)).unwrap());
        }
        assert!(!template(0).contains("{len}") && !template(0).contains("{eta}"));
        assert!(template(9).contains("{len}"));
    }
}
