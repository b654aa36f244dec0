//! Whether a routing keeps the promises of the trait on a network.
//!
//! Analyses rely on them: they index by link, take paths for walks from s to d, and presume that
//! all traffic of a pair arrives. Routings of [`build`](super::build) keep them by construction;
//! those of library users are checked, pair by pair.

use rayon::prelude::*;

use super::uses::Shares;
use super::{InstanceError, Routing, UseScratch};
use crate::progress::Progress;
use crate::quote::quote;
use crate::rational::Rational;
use crate::topology::{Host, LinkId, Topology, host_number};

/// A defect of the paths of an SD pair.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message is the documentation")]
pub enum PathProblem {
    #[error("a path has link {link}, but the links of the network are 0 to {}", .links.saturating_sub(1))]
    NoSuchLink { link: LinkId, links: usize },
    /// A link that does not begin where the path has come.
    #[error("link {link} ({name}) of a path does not begin at `{}`, where the path has come", quote(.node))]
    Disjoint {
        link: LinkId,
        /// The link for display.
        name: String,
        node: String,
    },
    #[error("a path ends at `{}` instead of the destination", quote(.node))]
    WrongEnd { node: String },
    #[error("link {link} ({name}) of a path leads to a node that the path has visited before")]
    Repeated {
        link: LinkId,
        /// The link for display.
        name: String,
    },
    #[error("a path has share 0: leave it out")]
    NoShare,
    #[error("the shares of the paths sum to {sum}, not to 1")]
    Shares { sum: Rational },
    #[error("there are {paths} paths, but the routing calls itself single-path")]
    Several { paths: usize },
    #[error(
        "`for_each_use` does not give every link of the paths once, with the share that crosses it"
    )]
    Uses,
}

/// A routing breaks a promise for an SD pair.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("routing `{}`, SD pair {s} -> {d}: {problem}", quote(.routing))]
pub struct InvalidPair {
    /// Spec of the routing.
    pub routing: String,
    /// Source.
    pub s: Host,
    /// Destination.
    pub d: Host,
    /// The problem of the path.
    pub problem: PathProblem,
}

/// Checks every SD pair. Of several broken pairs the first is reported. `progress` advances by N and
/// is polled at every path. O(N²·L·log(L)) for L links on the paths of a pair, on all threads.
///
/// # Errors
/// [`InstanceError`] at the first pair that is wrong, when the routing belongs to another number of
/// hosts, and when stopped.
pub(super) fn check(
    topology: &Topology,
    routing: &dyn Routing,
    progress: &Progress,
) -> Result<(), InstanceError> {
    let hosts = topology.hosts();
    if let Some(own) = routing.hosts().filter(|own| *own != hosts) {
        let (routing, topology) = (routing.spec().to_string(), topology.spec().to_string());
        return Err(InstanceError::OtherNetwork { routing, own, topology, hosts });
    }
    let source = |s: Host| {
        let mut walk = Walk::new(topology, progress);
        for d in (0..host_number(hosts)).filter(|d| *d != s) {
            progress.check()?;
            let found = walk.pair(routing, s, d);
            // What is said of a pair whose paths were not all followed means nothing.
            progress.check()?;
            found.map_err(|problem| {
                let routing = routing.spec().to_string();
                InvalidPair { routing, s, d, problem }
            })?;
        }
        progress.inc(1);
        Ok(())
    };
    let broken = (0..host_number(hosts)).into_par_iter().map(source).find_first(Result::is_err);
    broken.unwrap_or(Ok(()))
}

/// Buffers for the check of a pair after the other.
struct Walk<'t> {
    topology: &'t Topology,
    progress: &'t Progress,
    /// The number of the last path that visited a node.
    visited: Vec<u64>,
    path: u64,
    scratch: UseScratch,
    /// Share of the pair on every link, from its paths.
    expected: Shares,
    /// Loads of links according to `for_each_use`.
    found: Vec<(LinkId, Rational)>,
}

impl<'t> Walk<'t> {
    fn new(topology: &'t Topology, progress: &'t Progress) -> Self {
        Self {
            topology,
            progress,
            visited: vec![0; topology.nodes()],
            path: 0,
            scratch: UseScratch::default(),
            expected: Shares::default(),
            found: Vec::new(),
        }
    }

    fn pair(&mut self, routing: &dyn Routing, s: Host, d: Host) -> Result<(), PathProblem> {
        self.expected.clear();
        let (mut sum, mut paths, mut result) = (Rational::ZERO, 0, Ok(()));
        let mut links = std::mem::take(&mut self.scratch.links);
        routing.for_each_path(s, d, &mut links, &mut |share, links| {
            if result.is_ok() && !self.progress.cancelled() {
                (paths, sum) = (paths + 1, &sum + share);
                result = self.path(links, share, (s, d), routing.may_revisit());
            }
        });
        self.scratch.links = links;
        result?;
        if sum != Rational::ONE {
            return Err(PathProblem::Shares { sum });
        }
        if routing.is_single_path() && paths != 1 {
            return Err(PathProblem::Several { paths });
        }
        self.uses(routing, s, d)
    }

    /// Follows a path.
    fn path(
        &mut self,
        links: &[LinkId],
        share: &Rational,
        (s, d): (Host, Host),
        may_revisit: bool,
    ) -> Result<(), PathProblem> {
        if share.is_zero() {
            return Err(PathProblem::NoShare);
        }
        self.path += 1;
        let (topology, mut node) = (self.topology, s);
        self.visited[s as usize] = self.path;
        for &link in links {
            let no_such = PathProblem::NoSuchLink { link, links: topology.links() };
            let (from, to) = topology.ends(link).ok_or(no_such)?;
            if from != node {
                let (name, node) = (topology.link_name(link), topology.node(node).name.clone());
                return Err(PathProblem::Disjoint { link, name, node });
            }
            let before = std::mem::replace(&mut self.visited[to as usize], self.path);
            if before == self.path && !may_revisit {
                return Err(PathProblem::Repeated { link, name: topology.link_name(link) });
            }
            node = to;
        }
        if node != d {
            return Err(PathProblem::WrongEnd { node: topology.node(node).name.clone() });
        }
        self.expected.add(links, share);
        Ok(())
    }

    /// Compares `for_each_use` with what the paths add up to.
    fn uses(&mut self, routing: &dyn Routing, s: Host, d: Host) -> Result<(), PathProblem> {
        let Self { scratch, expected, found, .. } = self;
        let expected = expected.merged();
        found.clear();
        routing.for_each_use(s, d, scratch, &mut |share, links| {
            // One too many is enough to tell the difference.
            let room = (expected.len() + 1).saturating_sub(found.len());
            found.extend(links.iter().take(room).map(|link| (*link, share.clone())));
        });
        found.sort_by_key(|(link, _)| *link);
        if found.as_slice() == expected { Ok(()) } else { Err(PathProblem::Uses) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;
    use crate::routing::{Instance, Visit};
    use crate::topology::generate;

    type Paths = Vec<(&'static str, Vec<LinkId>)>;

    /// D-mod-k on `xgft(1;3;1)`, but other paths from host 1 to host 2, and other uses if given.
    struct Own {
        paths: Paths,
        uses: Option<Vec<LinkId>>,
        single: bool,
        hosts: Option<usize>,
    }

    impl Own {
        fn new(paths: Paths) -> Self {
            Self { paths, uses: None, single: false, hosts: None }
        }
    }

    impl Routing for Own {
        fn spec(&self) -> &'static str {
            "own"
        }
        fn is_single_path(&self) -> bool {
            self.single
        }
        fn hosts(&self) -> Option<usize> {
            self.hosts
        }
        fn for_each_path(&self, s: Host, d: Host, _: &mut Vec<LinkId>, visit: Visit<'_>) {
            if (s, d) != (1, 2) {
                return visit(&Rational::ONE, &[s, 3 + d]);
            }
            for (share, links) in &self.paths {
                visit(&share.parse().unwrap(), links);
            }
        }
        fn for_each_use(&self, s: Host, d: Host, scratch: &mut UseScratch, visit: Visit<'_>) {
            match &self.uses {
                Some(links) if (s, d) == (1, 2) => visit(&Rational::ONE, links),
                _ => self.for_each_path(s, d, &mut scratch.links, visit),
            }
        }
    }

    fn instance(own: Own) -> Result<Instance, InstanceError> {
        let routing: Box<dyn Routing> = Box::new(own);
        Instance::new(generate("xgft(1;3;1)").unwrap(), routing)
    }

    fn problem(own: Own) -> PathProblem {
        match instance(own).map(|_| ()) {
            Err(InstanceError::Pair(InvalidPair { s: 1, d: 2, problem, .. })) => problem,
            other => panic!("{other:?}"),
        }
    }

    /// Links 0, 1, 2 lead up from the hosts, 3, 4, 5 down to them.
    #[test]
    fn broken_paths_are_refused() {
        assert!(instance(Own::new(vec![("1", vec![1, 5])])).is_ok());
        let missing = problem(Own::new(vec![("1", vec![1, 6])]));
        assert_eq!(missing, PathProblem::NoSuchLink { link: 6, links: 6 });
        let disjoint = problem(Own::new(vec![("1", vec![0, 5])]));
        assert!(matches!(disjoint, PathProblem::Disjoint { link: 0, .. }), "{disjoint}");
        let elsewhere = problem(Own::new(vec![("1", vec![1, 3])]));
        assert_eq!(elsewhere, PathProblem::WrongEnd { node: "host-0".into() });
        let empty = problem(Own::new(vec![("1", vec![])]));
        assert_eq!(empty, PathProblem::WrongEnd { node: "host-1".into() });
        let twice = problem(Own::new(vec![("1", vec![1, 3, 0, 5])]));
        assert!(matches!(twice, PathProblem::Repeated { link: 0, .. }), "{twice}");
    }

    #[test]
    fn wrong_shares_are_refused() {
        let path = || vec![1, 5];
        assert_eq!(problem(Own::new(vec![])), PathProblem::Shares { sum: Rational::ZERO });
        let half = Own::new(vec![("1/3", path()), ("1/6", path())]);
        assert_eq!(problem(half), PathProblem::Shares { sum: Rational::new(1, 2).unwrap() });
        let idle = Own::new(vec![("1", path()), ("0", path())]);
        assert_eq!(problem(idle), PathProblem::NoShare);
        let several = || vec![("1/3", path()), ("2/3", path())];
        assert_eq!(
            problem(Own { single: true, ..Own::new(several()) }),
            PathProblem::Several { paths: 2 }
        );
    }

    #[test]
    fn uses_have_to_be_those_of_the_paths() {
        let own = |uses: &[LinkId]| Own {
            uses: Some(uses.to_vec()),
            ..Own::new(vec![("1", vec![1, 5])])
        };
        assert!(instance(own(&[5, 1])).is_ok());
        for wrong in [&[1][..], &[1, 99], &[1, 5, 5], &[]] {
            assert_eq!(problem(own(wrong)), PathProblem::Uses, "{wrong:?}");
        }
    }

    #[test]
    fn the_error_names_the_routing_the_pair_and_the_link() {
        let error = instance(Own::new(vec![("1", vec![0, 5])])).err().unwrap().to_string();
        assert_eq!(
            error,
            "routing `own`, SD pair 1 -> 2: link 0 (host-0[1] -> sw-1-0[1]) of a path does not \
             begin at `host-1`, where the path has come"
        );
    }

    #[test]
    fn other_networks_and_stops_are_reported() {
        let other = Own { hosts: Some(4), ..Own::new(vec![]) };
        let error = instance(other).err().unwrap();
        assert!(matches!(error, InstanceError::OtherNetwork { own: 4, hosts: 3, .. }), "{error}");
        let stop = Stop::at(None);
        stop.request();
        let progress = Progress::silent().stopped_by(stop);
        let routing: Box<dyn Routing> = Box::new(Own::new(vec![]));
        let tree = generate("xgft(1;3;1)").unwrap();
        let stopped = Instance::checked(tree, routing, &progress);
        assert!(matches!(stopped.err(), Some(InstanceError::Stopped(_))));
    }

    /// Two paths, of which the first stops the work: nothing is said of the pair.
    #[test]
    fn a_stop_between_the_paths_of_a_pair_is_noticed() {
        struct Stopping(Stop);
        impl Routing for Stopping {
            fn spec(&self) -> &'static str {
                "stopping"
            }
            fn is_single_path(&self) -> bool {
                false
            }
            fn for_each_path(&self, s: Host, d: Host, _: &mut Vec<LinkId>, visit: Visit<'_>) {
                self.0.request();
                // Neither joins the pair, but nobody looks any more.
                visit(&Rational::ONE, &[s, 3 + s]);
                visit(&Rational::ONE, &[d, 3 + d]);
            }
        }
        let stop = Stop::at(None);
        let progress = Progress::silent().stopped_by(stop.clone());
        let routing: Box<dyn Routing> = Box::new(Stopping(stop));
        let stopped = Instance::checked(generate("xgft(1;3;1)").unwrap(), routing, &progress);
        assert!(matches!(stopped.err(), Some(InstanceError::Stopped(_))));
    }

    /// A routing of a larger tree would look up hosts that it does not have here.
    #[test]
    fn routings_of_other_trees_are_refused() {
        for (network, other) in [("ft(8,2)", "ft(4,2)"), ("ft(4,2)", "ft(8,2)")] {
            let routing = crate::routing::build("dmodk", &generate(other).unwrap()).unwrap();
            let error = Instance::new(generate(network).unwrap(), routing).err().unwrap();
            assert!(matches!(error, InstanceError::OtherNetwork { .. }), "{error}");
        }
    }
}
