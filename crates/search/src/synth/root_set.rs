//! T(X): the most SD pairs that one root can carry (\[OR\] Lemma 8, \[NB\] Lemma 2).

use crate::checker::Star;
use crate::integer::rounded;
use crate::lp::root_set::{RootSetError, StarCovers, covers};
use crate::prelude::*;

/// Bounds on T(X), with their evidence.
#[derive(Clone, Debug, Serialize)]
pub struct RootSet {
    /// n, hosts of a subtree.
    pub hosts: u32,
    /// r, number of subtrees.
    pub subtrees: u32,
    /// X.
    pub ratio: u32,
    /// T(X): proven where as many pairs were found as counting allows, otherwise claimed by the
    /// solver.
    pub pairs: Bounds,
    /// The upper bound by counting.
    pub counted: u64,
    /// The bound that \[OR\] Lemma 8 prints, k(k−1)X², where it holds: X ≥ m/k.
    pub or_lemma_8: Option<u64>,
    /// The bound that \[NB\] Lemma 2 prints, for X = 1.
    pub nb_lemma_2: Option<u64>,
    /// The largest set of pairs found.
    #[serde(skip)]
    pub set: Vec<(Host, Host)>,
}

/// Why T(X) could not be bounded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum RootSetFailure {
    #[error("{0}")]
    Count(#[from] TooLarge),
    #[error(transparent)]
    Program(#[from] RootSetError),
}

/// The result of an integer program for T(X).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootCovers {
    /// Per subtree, the hosts that cover its up link: its own as sources, others as destinations.
    pub up: Vec<Vec<Host>>,
    /// Hosts that cover the pairs of each down link.
    pub down: Vec<Vec<Host>>,
    /// No covers carry more pairs, as the solver claims.
    pub most: u64,
}

/// The covers of at most `ratio` hosts per link under which a root joins the most pairs, from an
/// integer program.
///
/// # Errors
/// [`RootSetFailure`] when a size is above its limit or the solver fails.
pub fn root_covers(
    star: Star,
    ratio: u32,
    progress: &Progress,
) -> Result<RootCovers, RootSetFailure> {
    let Star { hosts, subtrees } = star;
    let counted = star.most_pairs(ratio)?;
    let StarCovers { up, down, most } = covers(hosts, subtrees, ratio, counted, progress)?;
    // An integer at most the solver's bound, with room for its tolerance.
    Ok(RootCovers { up, down, most: rounded((most + 1e-6).floor()) })
}

/// The bounds that covers prove for T(X), with an upper bound by counting: the pairs that they carry are counted
/// again, none where they are not covers of that size.
///
/// # Errors
/// [`RootSetFailure`] when a size is above its limit.
///
/// ```
/// # use routebound_search as routebound;
/// use routebound::{checker::Star, progress::Progress, synth};
/// let star = Star { hosts: 2, subtrees: 3 };
/// let covers = synth::root_covers(star, 1, &Progress::silent())?;
/// let found = synth::counted_root_set(star, 1, &covers)?;
/// assert_eq!(found.pairs.to_string(), "8 (proven)"); // [NB] Lemma 2 says at most 12
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn counted_root_set(
    star: Star,
    ratio: u32,
    found: &RootCovers,
) -> Result<RootSet, RootSetFailure> {
    let Star { hosts, subtrees } = star;
    let counted = star.most_pairs(ratio)?;
    let set = joined(star, ratio, found);
    let lower = set.len() as u64;
    let upper = counted.min(found.most).max(lower);
    let evidence = if lower == counted {
        Evidence::Proven
    } else {
        Evidence::Claimed("integer program, HiGHS".to_string())
    };
    let (n, r, x) = (u64::from(hosts), u64::from(subtrees), u64::from(ratio));
    Ok(RootSet {
        hosts,
        subtrees,
        ratio,
        pairs: Bounds { lower: lower.into(), upper: upper.into(), evidence },
        counted,
        or_lemma_8: (x * r >= 2 * n).then_some(r * (r - 1) * x * x),
        nb_lemma_2: (x == 1).then_some(if r > 2 * n { r * (r - 1) } else { 2 * n * r }),
        set,
    })
}

/// The pairs that both of their links cover; none at all when a cover is too large or missing.
fn joined(star: Star, ratio: u32, found: &RootCovers) -> Vec<(Host, Host)> {
    let too_large = |cover: &Vec<Host>| cover.len() > ratio as usize;
    let links = star.subtrees as usize;
    let is_complete = found.up.len() == links && found.down.len() == links;
    if !is_complete || found.up.iter().chain(&found.down).any(too_large) {
        return Vec::new();
    }
    let all = star.hosts * star.subtrees;
    let pairs = (0..all).flat_map(|s| (0..all).map(move |d| (s, d)));
    let covered = |cover: &[Host], s, d| cover.contains(&s) || cover.contains(&d);
    let is_joined = |(s, d): &(Host, Host)| {
        let (from, to) = ((s / star.hosts) as usize, (d / star.hosts) as usize);
        from != to && covered(&found.up[from], *s, *d) && covered(&found.down[to], *s, *d)
    };
    pairs.filter(is_joined).collect()
}
