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
        Ok(printable_json(&text).into_owned())
    }
}
