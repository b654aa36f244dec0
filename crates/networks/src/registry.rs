//! One record per kind of thing, and lookup by name.
//!
//! Topologies, routings and studies are `const` slices of [`Kind`]. `list`, help and the
//! conformance tests (`tests/structure/registries`) are generated from these slices, so an entry is complete once it is
//! listed there.
//!
//! The slices are constants: users of the library can extend neither them nor what `list`,
//! `regress` and the studies see. Nothing that computes needs an entry, though. It takes objects: a
//! `Routing` of another crate goes into an `Instance`, an `Adversary` attacks an `AttackContext`, a
//! network is a `Topology`, and traffic a list of `Demand`s. Another crate may also keep a slice of
//! its own and look names up there with [`find`].
//!
//! What else the program or a test needs to know of an entry stands in the entry, such as
//! [`topology::Family`](crate::topology::Family), [`traffic::Pattern`](crate::traffic::Pattern) or `adversary::Method`,
//! or is computed from what it builds. Lists of names remain where a choice is meant: `synth/known.rs`,
//! `own/adversaries.rs`, `tests/certificates/format/second.rs`, `LARGER` in `tests/searches/theorems.rs`,
//! `tests/command_line/stopping.rs`. A check over all entries is itself checked by entries with planted bugs. A new
//! registry also needs a line in `SECTIONS` of `src/cli/verbs/list.rs`.

use crate::quote::quote;
use crate::spec::{Spec, SpecError, keys};

/// One entry of a registry; `B` is its builder.
#[derive(Debug, Clone, Copy)]
pub struct Kind<B> {
    /// The name that specs use, lower case.
    pub name: &'static str,
    /// The form of specs of this kind, with the defaults of their options: `climb(trials=1000,seed=1)`. What specs
    /// of this kind may say is read from this line.
    pub usage: &'static str,
    /// One line on what it is.
    pub about: &'static str,
    /// Definition: paper and section, or the format's owner.
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
        self.keys().contains(&key)
    }

    /// Keys of the options that such a spec takes, in the order of `usage`, which defines them.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        keys(self.usage)
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

/// The entries of slices, one slice after the other, as an array of `N` entries, which [`count`] gives.
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

/// Number of names up to which an error shows all of them.
const FEW: usize = 12;

/// Number of names that an error shows where there are more.
const NEAREST: usize = 3;

/// A name that a registry does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`{suggestion}; {known}")]
pub struct UnknownName {
    /// Kind of thing that was looked for.
    pub what: &'static str,
    /// The requested name.
    pub name: String,
    /// ` (did you mean …?)` or nothing.
    pub suggestion: String,
    /// `known: …` with all names, or `nearest: …` with the most similar of many.
    pub known: String,
}

/// A spec, checked against the usage of its kind, and that kind.
///
/// # Errors
/// [`SpecError`] for a malformed spec and for arguments that the usage does not have, [`UnknownName`].
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{registry, topology::{self, TopologyError}};
/// let (spec, kind) = registry::parse::<_, TopologyError>(topology::KINDS, "topology", "FT(4, 2)")?;
/// assert_eq!((spec.to_string().as_str(), kind.name), ("ft(4,2)", "ft"));
/// # Ok::<(), TopologyError>(())
/// ```
pub fn parse<'k, B, E: From<SpecError> + From<UnknownName>>(
    kinds: &'k [Kind<B>],
    what: &'static str,
    text: &str,
) -> Result<(Spec, &'k Kind<B>), E> {
    let spec = Spec::parse(text).map_err(|error| {
        let name = text.split(['(', ':']).next().unwrap_or_default().trim().to_lowercase();
        match kinds.iter().find(|kind| kind.name == name) {
            Some(kind) => error.expecting(kind.usage),
            None => error,
        }
    })?;
    let kind = find(kinds, what, &spec.name)?;
    Ok((spec.checked(kind.usage)?, kind))
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

/// Whether a name matches a pattern, in which `*` stands for any text and `?` for any character.
/// O(length of the pattern · length of the name).
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::registry::matches;
/// assert!(matches("or-*", "or-theorem-1") && matches("*-theorem-?", "or-theorem-1"));
/// assert!(!matches("or", "or-theorem-1"));
/// ```
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the last `*` is, and where the text that it stands for ends.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match (pattern.get(p), star) {
            (Some('*'), _) => {
                star = Some((p, n));
                p += 1;
            }
            (Some(one), _) if *one == '?' || *one == name[n] => (p, n) = (p + 1, n + 1),
            (_, Some((at, end))) => {
                (p, n) = (at + 1, end + 1);
                star = Some((at, end + 1));
            }
            (_, None) => return false,
        }
    }
    pattern[p..].iter().all(|rest| *rest == '*')
}

/// The entries called `name`: the one of exactly this name, those that match a pattern, or those whose names begin
/// with it.
///
/// # Errors
/// [`UnknownName`] where there is none.
///
/// ```
/// # use routebound_networks as routebound;
/// use routebound::{registry::select, topology::KINDS};
/// let names = |text| select(KINDS, "topology", text).map(|found| found.iter().map(|kind| kind.name).collect::<Vec<_>>());
/// assert_eq!(names("ft")?, ["ft"]);
/// assert_eq!((names("ft*")?, names("ftr")?), (vec!["ft", "ftree"], vec!["ftree"]));
/// assert!(names("x*x").is_err());
/// # Ok::<(), routebound::registry::UnknownName>(())
/// ```
pub fn select<'k, B>(
    kinds: &'k [Kind<B>],
    what: &'static str,
    name: &str,
) -> Result<Vec<&'k Kind<B>>, UnknownName> {
    if let Some(kind) = kinds.iter().find(|kind| kind.name == name) {
        return Ok(vec![kind]);
    }
    let is_meant = |kind: &&Kind<B>| kind.name.starts_with(name) || matches(name, kind.name);
    let found: Vec<_> = kinds.iter().filter(is_meant).collect();
    if found.is_empty() { Err(unknown(kinds, what, name)) } else { Ok(found) }
}

fn unknown<B>(kinds: &[Kind<B>], what: &'static str, name: &str) -> UnknownName {
    let names = kinds.iter().map(|kind| kind.name);
    let distance = |known: &str| strsim::damerau_levenshtein(known, name);
    let closest = names.clone().min_by_key(|known| (distance(known), *known));
    let suggestion = closest.filter(|closest| distance(closest) <= 2);
    let mut known: Vec<&str> = names.collect();
    let label = if known.len() > FEW {
        // Part of a name is more than the number of letters that differ.
        known.sort_by_cached_key(|known| (!known.contains(name), distance(known)));
        known.truncate(NEAREST);
        "nearest"
    } else {
        "known"
    };
    UnknownName {
        what,
        name: quote(name),
        suggestion: suggestion.map_or_else(String::new, |it| format!(" (did you mean `{it}`?)")),
        known: format!("{label}: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(names: &[&'static str], name: &str) -> String {
        let (usage, about, reference, examples, build) = ("", "", "", &[][..], ());
        let kind = |name: &&'static str| Kind { name, usage, about, reference, examples, build };
        let kinds: Vec<Kind<()>> = names.iter().map(kind).collect();
        find(&kinds, "thing", name).unwrap_err().to_string()
    }

    #[test]
    fn few_names_are_shown_and_of_many_the_nearest() {
        assert_eq!(said(&["dmodk", "smodk"], "x"), "unknown thing `x`; known: dmodk, smodk");
        let many = [
            "aa",
            "bb",
            "cc",
            "dd",
            "ee",
            "ff",
            "gg",
            "hh",
            "ii",
            "jj",
            "or-theorem-4",
            "gl-theorem-4",
            "theorem-5",
        ];
        assert_eq!(
            said(&many, "theorem-4"),
            "unknown thing `theorem-4` (did you mean `theorem-5`?); \
             nearest: or-theorem-4, gl-theorem-4, theorem-5"
        );
        assert_eq!(
            said(&many, "ab"),
            "unknown thing `ab` (did you mean `aa`?); nearest: aa, bb, cc"
        );
    }
}
