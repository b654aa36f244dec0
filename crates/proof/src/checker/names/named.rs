//! Named instances: what the checker asks of whoever knows what names mean.
//!
//! Certificates whose network and routing are written out never get here.

use std::any::Any;

use crate::certificate::LinkRecord;
use crate::limit::TooLarge;
use crate::rational::Rational;
use crate::topology::{Host, LinkId};

use super::{BadTree, Levels, Refusal, Result, Tree};

/// The meaning of the names in certificates. The checker generates nothing: it verifies that the links
/// and paths of a named instance are links and paths, but that they are those of the name it takes
/// from here.
pub trait Generators {
    /// The network that a spec names.
    ///
    /// # Errors
    /// [`Ungenerated`] where the name or its arguments mean nothing, or the network is too large.
    fn network(&self, spec: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated>;

    /// The m and w of the tree that a spec names, with at most 16 levels and fewer than 2^63 links;
    /// `None` for a network whose links differ in capacity from 1.
    ///
    /// # Errors
    /// As [`network`](Self::network).
    fn levels(&self, topology: &str) -> Result<Option<Levels>, Ungenerated>;

    /// The rule that decides the up-digit of every step of a named tree in a named routing; `None` where
    /// [`levels`](Self::levels) are.
    ///
    /// # Errors
    /// As [`network`](Self::network), and where no single digits decide.
    fn digits(&self, topology: &str, routing: &str) -> Result<Option<Vec<Decides>>, Ungenerated>;
}

/// A network that a certificate names.
pub trait NamedNetwork: Send + Sync {
    /// Number of hosts, which are the first nodes.
    fn hosts(&self) -> usize;

    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// Sending node, receiving node and capacity of every link, in the order of their numbers.
    fn links(&self) -> Vec<LinkRecord>;

    /// Its numbers, where it is a tree of capacity 1 without parallel links whose hosts are numbered
    /// subtree by subtree.
    fn tree(&self) -> Option<Tree>;

    /// The routing that a spec names, which depends on no file.
    ///
    /// # Errors
    /// [`Ungenerated`] where the spec means nothing for this network, or is too large for it.
    fn routing(&self, spec: &str) -> Result<Box<dyn NamedRouting>, Ungenerated>;
}

/// A routing that a certificate names. What it says of its paths is not trusted.
pub trait NamedRouting: Send + Sync {
    /// Whether every pair has one path.
    fn is_single_path(&self) -> bool;

    /// Whether pairs have several paths, whose links are known in the order in which these pass
    /// them.
    fn uses_in_order(&self) -> bool;

    /// Whether paths may have more links than shortest ones: then its name says nothing of them.
    fn has_detours(&self) -> bool;

    /// The paths from `s` to `destinations`, where each pair has one; empty for `s` itself.
    fn paths_from<'p>(
        &self,
        s: Host,
        destinations: &[Host],
        scratch: &'p mut Scratch,
    ) -> PathList<'p>;

    /// Writes the number of the nearest common ancestor on the path from `s` to each of `destinations`, where each pair
    /// has one and such numbers describe them (`ancestors.rs`); anything for `s` itself. `false` for other routings.
    fn ancestors_from(&self, _s: Host, _destinations: &[Host], _ancestors: &mut [u32]) -> bool {
        false
    }

    /// Calls `visit(share, links)` for all links of a pair.
    fn for_each_use(
        &self,
        pair: (Host, Host),
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    );

    /// Calls `visit(share, links)` for every path of a pair; `links` is scratch space.
    fn for_each_path(
        &self,
        pair: (Host, Host),
        links: &mut Vec<LinkId>,
        visit: &mut dyn FnMut(&Rational, &[LinkId]),
    );
}

/// Paths end to end in one list of links.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::checker::PathList;
/// let paths = PathList { links: &[3, 1, 4], ends: &[2, 2, 3] };
/// assert_eq!(paths.iter().collect::<Vec<_>>(), [&[3, 1][..], &[], &[4]]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PathList<'p> {
    /// The links.
    pub links: &'p [LinkId],
    /// Where every path ends in them.
    pub ends: &'p [usize],
}

impl<'p> PathList<'p> {
    /// The paths in order; empty where they end beyond the links, or before they begin.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = &'p [LinkId]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let is_there = start <= *end && *end <= self.links.len();
            let path = if is_there { &self.links[start..*end] } else { &[] };
            start = *end;
            path
        })
    }
}

/// A value that a routing keeps from one call to the next, of whatever type it asks for.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::checker::Scratch;
/// let mut scratch = Scratch::default();
/// scratch.state::<Vec<u8>>().push(1);
/// assert_eq!(*scratch.state::<Vec<u8>>(), [1]);
/// assert_eq!(*scratch.state::<u8>(), 0);
/// assert!(scratch.state::<Vec<u8>>().is_empty());
/// ```
#[derive(Default)]
pub struct Scratch(Option<Box<dyn Any + Send>>);

impl Scratch {
    /// The value that was left here, if it is of this type, otherwise a new one.
    ///
    /// # Panics
    /// Never: a value of another type has been replaced.
    pub fn state<T: Any + Default + Send>(&mut self) -> &mut T {
        let kept = self.0.take().filter(|kept| kept.is::<T>());
        let kept = self.0.insert(kept.unwrap_or_else(|| Box::new(T::default())));
        kept.downcast_mut().expect("another type was replaced")
    }
}

/// The host digit that decides the up-digit W_l of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decides {
    /// The digit is 0.
    Nothing,
    /// All ports have the same share.
    Everything,
    /// M_i of the source, or of the destination.
    One {
        /// Whether it is a digit of the source.
        source: bool,
        /// i < l.
        digit: usize,
        /// The port of each digit.
        ports: Vec<u32>,
    },
    /// M1 of both, where h = l = 2 and w1 = 1: the port of (s,d) is at s·m1 + d.
    Both(Vec<u32>),
}

/// Why there is no instance of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum Ungenerated {
    #[error("{0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Meaningless(String),
}

impl From<Ungenerated> for Refusal {
    fn from(error: Ungenerated) -> Self {
        match error {
            Ungenerated::TooLarge(limit) => Self::TooLarge(limit),
            Ungenerated::Meaningless(why) => BadTree::Instance(why).into(),
        }
    }
}

/// No generators: certificates have to hold their networks and routings.
///
/// ```
/// # use routebound_proof as routebound;
/// use routebound::certificate;
/// use routebound::checker::{BadTree, Check, NoNames, Refusal};
/// let named = "routebound-certificate 1
/// topology ft(4,2)
/// claim optu 1 1
/// demand 0 7 1
/// route even
/// length 0 1
/// end
/// ";
/// let refused = Check::new(&NoNames).run(&certificate::read(named.as_bytes())?);
/// assert!(matches!(refused, Err(Refusal::Tree(BadTree::Instance(_)))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NoNames;

impl NoNames {
    /// That a name is not known.
    fn unknown<T>() -> Result<T, Ungenerated> {
        let why = "no names are known here: write the network and its routing out";
        Err(Ungenerated::Meaningless(why.to_string()))
    }
}

impl Generators for NoNames {
    fn network(&self, _: &str) -> Result<Box<dyn NamedNetwork>, Ungenerated> {
        Self::unknown()
    }

    fn levels(&self, _: &str) -> Result<Option<Levels>, Ungenerated> {
        Self::unknown()
    }

    fn digits(&self, _: &str, _: &str) -> Result<Option<Vec<Decides>>, Ungenerated> {
        Self::unknown()
    }
}

/// A named tree and a named routing of it, as numbers alone: nothing is generated.
pub(super) struct NamedShape {
    pub(super) levels: Levels,
    /// For every step.
    pub(super) decides: Vec<Decides>,
}

impl NamedShape {
    pub(super) fn open(
        (topology, routing): (&str, &str),
        generators: &dyn Generators,
    ) -> Result<Self> {
        let levels = generators.levels(topology)?.ok_or(BadTree::NoProductForm)?;
        if routing.contains(':') {
            return Err(BadTree::FileRouting.into());
        }
        let decides = generators.digits(topology, routing)?.ok_or(BadTree::NoProductForm)?;
        Ok(Self { levels, decides })
    }
}

/// n, m and r of a folded-Clos network ftree(n,m,r) that a certificate names; `None` for another
/// network.
pub(super) fn folded_clos(
    spec: &str,
    generators: &dyn Generators,
) -> Result<Option<(u32, u32, u32)>> {
    let levels = generators.levels(spec)?;
    Ok(levels.and_then(|Levels { children, parents }| match (&children[..], &parents[..]) {
        ([n, r], [1, m]) => Some((*n, *m, *r)),
        _ => None,
    }))
}

/// The routing that a certificate names.
pub(super) fn routing(spec: &str, network: &dyn NamedNetwork) -> Result<Box<dyn NamedRouting>> {
    if spec.contains(':') {
        return Err(BadTree::FileRouting.into());
    }
    // Before it is built, which may take long. What the option `weights` says of a tree, the name
    // says without it.
    let plain = spec.split_whitespace().collect::<String>().to_lowercase();
    if plain.split('(').next() == Some("ksp") || plain.contains("weights") {
        return Err(BadTree::DetourRouting.into());
    }
    let routing = network.routing(spec)?;
    if routing.has_detours() { Err(BadTree::DetourRouting.into()) } else { Ok(routing) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No routing has a name here that means anything.
    struct Nameless;

    impl NamedNetwork for Nameless {
        fn hosts(&self) -> usize {
            2
        }

        fn nodes(&self) -> usize {
            2
        }

        fn links(&self) -> Vec<LinkRecord> {
            Vec::new()
        }

        fn tree(&self) -> Option<Tree> {
            None
        }

        fn routing(&self, _: &str) -> Result<Box<dyn NamedRouting>, Ungenerated> {
            NoNames::unknown()
        }
    }

    /// Names say nothing of paths that need not be shortest by hops, nor of files; others are asked
    /// for.
    #[test]
    fn routings_with_detours_are_not_even_built() {
        let refused = |spec| routing(spec, &Nameless).map(|_| ()).unwrap_err();
        let by_weight =
            ["ecmp(weights=hops)", "ECMP( Weights=inverse-capacity )", "ecmp(wei ghts=file)"];
        for spec in by_weight.into_iter().chain(["ksp", "K sp(k=3)", "ksp(k=0)", "ksp(k=999999)"]) {
            assert_eq!(refused(spec), BadTree::DetourRouting.into(), "{spec}");
        }
        assert_eq!(refused("table:file"), BadTree::FileRouting.into());
        assert!(matches!(refused("ecmp"), Refusal::Tree(BadTree::Instance(_))));
    }

    #[test]
    fn paths_that_end_nowhere_are_empty() {
        let paths = PathList { links: &[3, 1, 4], ends: &[2, 5, 3, 1] };
        assert_eq!(paths.iter().collect::<Vec<_>>(), [&[3, 1][..], &[], &[], &[]]);
    }
}
