//! JSON as it is printed.

use std::borrow::Cow;

use super::is_obeyed;

/// JSON as it is printed: what [`printable`](super::printable) escapes is escaped the JSON way, so that the text
/// remains JSON with the same value.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::quote::printable_json;
/// assert_eq!(printable_json("[\"a\u{7f}\u{202e}\"]\n"), "[\"a\\u007f\\u202e\"]\n");
/// ```
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_obeyed) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        // Such characters occur within strings, and all are below U+10000.
        if is_obeyed(c) {
            shown.extend(format!("\\u{:04x}", u32::from(c)).chars());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}
