//! JSON as stdout gets it: one object, which says of which verb and of which version of its shape it is.

use anyhow::Result;
use serde::Serialize;

use super::Verb;
use crate::quote::printable_json;

/// The verb whose JSON a run prints, and the version of its shape; no verb where the arguments name none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json {
    schema: u32,
    verb: Option<&'static str>,
}

/// An object as it is printed.
#[derive(Serialize)]
struct Object<'v, T> {
    schema: u32,
    verb: Option<&'static str>,
    #[serde(flatten)]
    value: &'v T,
}

impl Json {
    /// The JSON of the first verb among `words`.
    pub(super) fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let verb = words.into_iter().find_map(|word| Verb::named(word).ok());
        Self {
            schema: verb.map_or(Verb::SCHEMA, |verb| verb.schema),
            verb: verb.map(|verb| verb.name),
        }
    }

    /// The text of the only object on stdout; `value` must have named fields.
    pub(super) fn text(self, value: &impl Serialize) -> Result<String> {
        let Self { schema, verb } = self;
        let text = serde_json::to_string_pretty(&Object { schema, verb, value })? + "\n";
        Ok(printable_json(&short_lists_joined(&text)).into_owned())
    }
}

/// Maximum number of characters of a list that is put on one line.
const LINE: usize = 100;

/// Pretty JSON with every short list of numbers and strings, such as a pair of hosts and its demand, on one line.
fn short_lists_joined(pretty: &str) -> String {
    let mut joined = String::with_capacity(pretty.len());
    let mut rest = pretty;
    // A line break in a string is escaped: lines are those of the layout.
    while let Some(end) = rest.find('\n') {
        let (line, after) = rest.split_at(end + 1);
        let list = line.strip_suffix("[\n").and_then(|_| short_list(after));
        let Some((items, taken)) = list else {
            joined.push_str(line);
            rest = after;
            continue;
        };
        joined.push_str(line.trim_end());
        joined.push_str(&items);
        rest = &after[taken..];
    }
    joined + rest
}

/// The items of a list that begins before `text`, with the bracket after them, on one line, and the number of bytes
/// that they take in it; `None` where it is long, or holds lists or objects.
fn short_list(text: &str) -> Option<(String, usize)> {
    let (mut items, mut taken) = (String::new(), 0);
    for line in text.split_inclusive('\n') {
        let word = line.trim_end().trim_start();
        if word.ends_with(['[', '{']) || items.len() + word.len() > LINE {
            return None;
        }
        if word.starts_with(']') {
            items.push_str(word);
            return Some((items, taken + line.trim_end().len()));
        }
        let gap = if items.is_empty() { "" } else { " " };
        items.push_str(gap);
        items.push_str(word);
        taken += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn pairs_stand_on_one_line() {
        let of = |value: &Value| Json::of(["topo"]).text(value).unwrap();
        let pairs = json!({ "pairs": [[0, 7, "1"], [1, 6, "1/2"]], "none": [], "text": "a [\n" });
        let text = of(&pairs);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert!(
            lines.contains(&r#"[0, 7, "1"],"#) && lines.contains(&r#"[1, 6, "1/2"]"#),
            "{text}"
        );
        for value in [pairs, json!({ "a": vec![1_000_000; 40], "b": [[[]], {}, [{ "c": [1] }]] })] {
            let read: Value = serde_json::from_str(&of(&value)).unwrap();
            for (key, part) in value.as_object().unwrap() {
                assert_eq!(read[key], *part);
            }
        }
        assert!(of(&json!({ "a": vec![1_000_000; 40] })).lines().count() > 40);
    }
}
