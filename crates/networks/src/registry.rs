//! One record per kind of thing, and lookup by name.
//!
//! Topologies, routings and studies are `const` slices of [`Kind`]. `list`, help and the
//! conformance tests (`tests/structure/registries`) are generated from these slices, so an entry is complete once it is
//! listed there.
//!
//! The slices are constants: whoever uses the library can extend neither them nor what `list`,
//! `regress` and the studies see. Nothing that computes needs an entry, though. It takes objects: a
//! `Routing` of another crate goes into an `Instance`, an `Adversary` attacks an `AttackContext`, a
//! network is a `Topology`, and traffic a list of `Demand`s. Another crate may also keep a slice of
//! its own and look names up there with [`find`].
//!
//! What else the program or a test has to know of an entry stands in the entry, such as
//! [`topology::Family`](crate::topology::Family), [`traffic::Pattern`](crate::traffic::Pattern) or `adversary::Method`,
//! or is computed from what it builds. Lists of names remain where a choice is meant: `synth/known.rs`,
//! `own/adversaries.rs`, `tests/certificates/format/second.rs`, `LARGER` in `tests/searches/theorems.rs`,
//! `tests/command_line/stopping.rs`. A check over all entries is itself checked by entries with planted bugs. A new
//! registry also needs a line in `SECTIONS` of `src/cli/verbs/list.rs`.

use crate::quote::quote;

/// One entry of a registry; `B` is its builder.
#[derive(Debug, Clone, Copy)]
pub struct Kind<B> {
    /// The name that specs use, lower case.
    pub name: &'static str,
    /// How a spec of this kind is written, such as `ft(m,n)`.
    pub usage: &'static str,
    /// Keys of the options that such a spec takes, in the order of `usage`.
    pub options: &'static [&'static str],
    /// One line on what it is.
    pub about: &'static str,
    /// Where it is defined: paper and section, or the format's owner.
    pub reference: &'static str,
    /// Specs that the conformance tests run.
    pub examples: &'static [&'static str],
    /// Builds one.
    pub build: B,
}

impl<B> Kind<B> {
    /// Whether specs of this kind take an option of this key.
    #[must_use]
    pub fn takes(&self, key: &str) -> bool {
        self.options.contains(&key)
    }

    /// Whether the name alone is a spec in which nothing is left to a default: the first form of
    /// `usage` is the name.
    #[must_use]
    pub fn needs_nothing(&self) -> bool {
        self.usage.split(',').next() == Some(self.name)
    }

    /// Whether specs of this kind name a file or a folder, as `lft:FILE` does.
    #[must_use]
    pub fn takes_path(&self) -> bool {
        self.usage.contains(':')
    }
}

/// Number of entries of slices, together.
#[must_use]
pub const fn count<B>(parts: &[&[Kind<B>]]) -> usize {
    let (mut part, mut count) = (0, 0);
    while part < parts.len() {
        count += parts[part].len();
        part += 1;
    }
    count
}

/// The entries of slices, one slice after the other, as an array of so many entries as [`count`] says.
///
/// # Panics
/// Where `N` is less than that, or the first slice is empty: a constant then does not compile.
#[must_use]
pub const fn concatenated<B: Copy, const N: usize>(parts: &[&[Kind<B>]]) -> [Kind<B>; N] {
    let mut all = [parts[0][0]; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut entry = 0;
        while entry < parts[part].len() {
            all[at] = parts[part][entry];
            (entry, at) = (entry + 1, at + 1);
        }
        part += 1;
    }
    all
}

/// A name that a registry does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`{suggestion}; known: {known}")]
pub struct UnknownName {
    /// What kind of thing was looked for.
    pub what: &'static str,
    /// The requested name.
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
/// # use routebound_networks as routebound;
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
