//! Single-path routings of trees as rules for up-digits.

use super::{Paths, Routing, RoutingError, Visit};
use crate::advice::Advice;
use crate::rational::Rational;
use crate::spec::Spec;
use crate::topology::{
    FromSource, Host, LinkId, MAX_HEIGHT, Topology, Xgft, host_number, tree_families,
};

/// A rule for the shortest path of an SD pair: its up-digits W1..WL.
pub trait UpDigits: Send + Sync {
    /// Writes W1..WL of the pair (s,d) into `up`, where L = `up.len()` is the level of their
    /// nearest common ancestors; W_l is in `[0, w_l)`.
    fn up_digits(&self, tree: &Xgft, s: Host, d: Host, up: &mut [u32]);

    /// Calls `visit(place, up)` with the up-digits of `s` and each of `destinations` but `s` itself,
    /// in order; `place` is the destination's place, `paths` are those of `s`.
    fn for_each_up_from(
        &self,
        tree: &Xgft,
        s: Host,
        paths: &FromSource<'_>,
        destinations: &[Host],
        mut visit: impl FnMut(usize, &[u32]),
    ) where
        Self: Sized,
    {
        let mut up = [0; MAX_HEIGHT];
        for (place, d) in destinations.iter().enumerate().filter(|(_, d)| **d != s) {
            let up = &mut up[..paths.nca_level(*d)];
            self.up_digits(tree, s, *d, up);
            visit(place, up);
        }
    }

    /// See [`Routing::ancestors_from`].
    fn ancestors_from(&self, tree: &Xgft, s: Host, destinations: &[Host], ancestors: &mut [u32])
    where
        Self: Sized,
    {
        self.for_each_up_from(tree, s, &tree.paths_from(s), destinations, |place, up| {
            ancestors[place] = tree.ancestor(up);
        });
    }

    /// See [`Routing::notes`].
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The single-path routing of a tree that follows a rule.
pub struct TreeRouting<R> {
    spec: String,
    tree: Xgft,
    rule: R,
}

impl<R: UpDigits> TreeRouting<R> {
    /// The routing of `tree` by `rule`, named `spec`: a [`Spec`] or any text.
    ///
    /// ```
    /// # use routebound_networks as routebound;
    /// use routebound::routing::{Instance, Routing, tree::{TreeRouting, UpDigits}};
    /// use routebound::topology::{Host, Xgft, generate};
    /// /// Always by the last parent.
    /// struct Last;
    /// impl UpDigits for Last {
    ///     fn up_digits(&self, tree: &Xgft, _: Host, _: Host, up: &mut [u32]) {
    ///         for (digit, step) in up.iter_mut().zip(1..) {
    ///             *digit = tree.parents(step) - 1;
    ///         }
    ///     }
    /// }
    /// let tree = Xgft::from_parameters(&[2, 4], &[1, 2])?;
    /// let routing: Box<dyn Routing> = Box::new(TreeRouting::new("last", &tree, Last));
    /// let instance = Instance::new(generate(&tree.shape())?, routing)?;
    /// assert_eq!(format!("{instance:?}"), "last on xgft(2;2,4;1,2)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(spec: &(impl ToString + ?Sized), tree: &Xgft, rule: R) -> Self {
        Self { spec: spec.to_string(), tree: tree.clone(), rule }
    }
}

impl<R: UpDigits + 'static> Routing for TreeRouting<R> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.tree.hosts())
    }

    fn for_each_path(&self, s: Host, d: Host, links: &mut Vec<LinkId>, visit: Visit<'_>) {
        let mut up = [0; MAX_HEIGHT];
        let up = &mut up[..self.tree.nca_level(s, d)];
        self.rule.up_digits(&self.tree, s, d, up);
        links.clear();
        self.tree.push_path(s, d, up, links);
        visit(&Rational::ONE, links);
    }

    fn paths_from(&self, s: Host, destinations: &[Host], paths: &mut Paths) {
        paths.clear();
        let (from, mut next) = (self.tree.paths_from(s), 0);
        self.rule.for_each_up_from(&self.tree, s, &from, destinations, |place, up| {
            // Places that are left out are those of `s` itself.
            (next..place).for_each(|_| paths.end());
            from.write_path(destinations[place], up, paths.next(2 * up.len()));
            next = place + 1;
        });
        (next..destinations.len()).for_each(|_| paths.end());
    }

    fn ancestors_from(&self, s: Host, destinations: &[Host], ancestors: &mut [u32]) -> bool {
        self.rule.ancestors_from(&self.tree, s, destinations, ancestors);
        true
    }

    fn notes(&self) -> Vec<String> {
        self.rule.notes()
    }
}

/// The routings that any connected network has, without a file.
const ANY_NETWORK: &str = "omrmn, ecmp, hash, ecmp-hash, minhop, ksp, disjoint, racke and ugal";

/// The labels of `topology`, or the error that `spec` needs them.
///
/// # Errors
/// [`RoutingError::DoesNotFit`] when the topology is not a tree of the XGFT family.
pub fn labels<'t>(spec: &Spec, topology: &'t Topology) -> Result<&'t Xgft, RoutingError> {
    topology.tree().ok_or_else(|| {
        let (families, here) = (tree_families(), topology.no_tree());
        let here = here.map_or_else(String::new, |reason| format!(", and here {reason}"));
        let reason = format!(
            "it is defined only on trees of the XGFT family ({families}; {ANY_NETWORK} are for any network){here}"
        );
        let advice = topology.no_tree().and_then(|reason| Advice::of(reason));
        RoutingError::does_not_fit(spec, topology, reason).advising(advice)
    })
}

/// Up-digits that depend on one host of the pair: `digit[l][host]` is W_{l+1}, `ancestor[host]` the number of W1..Wh.
pub struct HostDigits {
    digit: Vec<Vec<u32>>,
    ancestor: Vec<u32>,
    by_source: bool,
}

impl HostDigits {
    /// The table of `rule(host, l)` for l in 0..h, applied to the source or the destination.
    pub fn tabulate(tree: &Xgft, by_source: bool, rule: impl Fn(Host, usize) -> u32) -> Self {
        let hosts = host_number(tree.hosts());
        let level = |l| (0..hosts).map(|host| rule(host, l)).collect();
        let digit: Vec<Vec<u32>> = (0..tree.height()).map(level).collect();
        let mut ancestor = vec![0; tree.hosts()];
        for (step, digits) in (1..).zip(&digit) {
            for (number, port) in ancestor.iter_mut().zip(digits) {
                *number = *number * tree.parents(step) + port;
            }
        }
        Self { digit, ancestor, by_source }
    }
}

impl UpDigits for HostDigits {
    fn up_digits(&self, _tree: &Xgft, s: Host, d: Host, up: &mut [u32]) {
        let host = if self.by_source { s } else { d } as usize;
        for (port, table) in up.iter_mut().zip(&self.digit) {
            *port = table[host];
        }
    }

    fn ancestors_from(&self, tree: &Xgft, s: Host, destinations: &[Host], ancestors: &mut [u32]) {
        let is_run = is_run(destinations);
        if self.by_source {
            ancestors.fill(self.ancestor[s as usize]);
        } else {
            write_entries(&self.ancestor, (destinations, is_run), ancestors);
        }
        correct_near(tree, s, (destinations, is_run), ancestors);
    }
}

/// Writes the entries of `row` for some hosts. Those of hosts in sequence are copied at once.
pub(super) fn write_entries<N: Copy + Into<u32>>(
    row: &[N],
    (hosts, is_run): (&[Host], bool),
    entries: &mut [u32],
) {
    if let (Some(first), true) = (hosts.first(), is_run) {
        for (entry, number) in entries.iter_mut().zip(&row[*first as usize..][..hosts.len()]) {
            *entry = (*number).into();
        }
        return;
    }
    for (host, entry) in hosts.iter().zip(entries) {
        *entry = row[*host as usize].into();
    }
}

/// Whether hosts follow each other in sequence.
pub(super) fn is_run(hosts: &[Host]) -> bool {
    let first = hosts.first().map_or(0, |host| *host);
    // Without an early end, many are compared at a time.
    (first..).zip(hosts).fold(true, |is_run, (next, host)| is_run && next == *host)
}

/// Of the pairs of `s`, whose ancestors are numbered as if all met at the top, gives those that meet below it the
/// numbers of their nearest ones, with the first of the same up-digits. O(destinations), or O(1) where these are hosts
/// in sequence, of other subtrees.
pub(super) fn correct_near(
    tree: &Xgft,
    s: Host,
    (destinations, is_run): (&[Host], bool),
    ancestors: &mut [u32],
) {
    let (below, top) = (tree.height() - 1, tree.shortest_paths(tree.height()));
    let (own, subtrees) = (tree.subtree(s, below), tree.subtrees_of_hosts(below));
    if let ([first, .., last], true) = (destinations, is_run && tree.is_in_order())
        && !(subtrees[*first as usize]..=subtrees[*last as usize]).contains(&own)
    {
        return;
    }
    for (d, ancestor) in destinations.iter().zip(ancestors) {
        if subtrees[*d as usize] == own {
            *ancestor /= top / tree.shortest_paths(tree.nca_level(s, *d));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{KINDS, build};
    use crate::topology::generate;

    /// The error for a network that is no tree names all routings that it has.
    #[test]
    fn routings_of_any_network_are_named() {
        let network = generate("jellyfish(8,3)").unwrap();
        let names = KINDS.iter().map(|kind| kind.name);
        let fitting: Vec<&str> = names.filter(|name| build(name, &network).is_ok()).collect();
        assert_eq!(ANY_NETWORK.replace(" and ", ", "), fitting.join(", "));
        let error = build("dmodk", &network).err().unwrap().to_string();
        assert!(
            error.contains("(ft, eft2, ftree, planes, kary, nbclos, xgft, bft; omrmn, "),
            "{error}"
        );
    }
}
