//! One record a kind of thing, and lookup by name.
//!
//! Topologies, routings and studies are `const` slices of [`Kind`]. `list`, help and the
//! conformance tests are made from these slices, so an entry is complete once it stands there.

use crate::quote::quote;

/// One entry of a registry; `B` is its builder.
#[derive(Debug, Clone, Copy)]
pub struct Kind<B> {
    /// The name that specs use, lower case.
    pub name: &'static str,
    /// How a spec of this kind is written, such as `ft(m,n)`.
    pub usage: &'static str,
    /// One line on what it is.
    pub about: &'static str,
    /// Where it is defined: paper and section, or the format's owner.
    pub reference: &'static str,
    /// Specs that the conformance tests run.
    pub examples: &'static [&'static str],
    /// Makes one.
    pub build: B,
}

/// A name that a registry does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`{suggestion}; known: {known} (see `routebound list`)")]
pub struct UnknownName {
    /// What kind of thing was looked for.
    pub what: &'static str,
    /// The name asked for.
    pub name: String,
    /// ` (did you mean …?)` or nothing.
    pub suggestion: String,
    /// All names, separated by commas.
    pub known: String,
}

/// The entry called `name`.
///
/// # Errors
/// [`UnknownName`] with the closest known name.
///
/// ```
/// use routebound::{registry, topology};
/// assert!(registry::find(topology::KINDS, "topology", "ft").is_ok());
/// let error = registry::find(topology::KINDS, "topology", "xgtf").err();
/// assert!(error.is_some_and(|e| e.to_string().contains("did you mean `xgft`?")));
/// ```
pub fn find<'k, B>(
    kinds: &'k [Kind<B>],
    what: &'static str,
    name: &str,
) -> Result<&'k Kind<B>, UnknownName> {
    let found = kinds.iter().find(|kind| kind.name == name);
    found.ok_or_else(|| unknown(kinds, what, name))
}

fn unknown<B>(kinds: &[Kind<B>], what: &'static str, name: &str) -> UnknownName {
    let closest = kinds
        .iter()
        .map(|kind| (strsim::damerau_levenshtein(kind.name, name), kind.name))
        .min()
        .filter(|(distance, _)| *distance <= 2);
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    UnknownName {
        what,
        name: quote(name),
        suggestion: closest
            .map_or_else(String::new, |(_, name)| format!(" (did you mean `{name}`?)")),
        known: names.join(", "),
    }
}
