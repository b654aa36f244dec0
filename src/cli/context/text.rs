//! Texts as they are printed on stdout.

use anyhow::Result;

use crate::quote::{printable, printable_json};

/// Text that a terminal can show, the last line ended like all others.
pub(super) fn whole_lines(text: &str) -> String {
    let mut text = printable(text).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// A value as the only JSON object on stdout.
pub(super) fn json(value: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    Ok(printable_json(&text).into_owned())
}
