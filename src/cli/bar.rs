//! Progress bars: on stderr, and only where a person looks at it.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use crate::progress::Progress;

/// The same progress, drawn while it lasts when stderr is a terminal.
pub(super) fn drawn(progress: Progress) -> Progress {
    if !io::stderr().is_terminal() {
        return progress;
    }
    let template = "{wide_bar} {pos} of {len} {msg}, {eta} left";
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(progress.total())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(progress.label().to_string())
        .with_finish(ProgressFinish::AndClear);
    progress.watched_by(move |done| bar.set_position(done))
}
